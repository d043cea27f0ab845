"""Pending draw and takeback offers of both sides, and when new ones are allowed."""

from __future__ import annotations

from bot.local_lichess.seats import COLORS, Color

#: A side may offer again only this many plies after its last offer.
DRAW_OFFER_EVERY_PLIES = 20
_LONGEST_THROTTLE = 10


class Offers:
    """What is on the table. A side has at most one offer of each kind."""

    def __init__(self) -> None:
        self._drawing: set[Color] = set()
        self._last_draw_ply: dict[Color, int] = {}
        self._taking_back: set[Color] = set()
        self._declined = 0
        self._declined_ms: int | None = None

    def draw_by(self, side: Color) -> bool:
        """That side is offering a draw."""
        return side in self._drawing

    def offered_draw_lately(self, side: Color, ply: int) -> bool:
        """Within the last 20 plies."""
        last = self._last_draw_ply.get(side)
        return last is not None and last >= ply - DRAW_OFFER_EVERY_PLIES

    def may_offer_draw(self, side: Color, ply: int) -> bool:
        return side not in self._drawing and not self.offered_draw_lately(side, ply)

    def offer_draw(self, side: Color, ply: int) -> None:
        self._drawing.add(side)
        self._last_draw_ply[side] = ply

    def drop_draw(self, side: Color) -> bool:
        """Withdraw or decline that side's offer; False when there was none."""
        if side not in self._drawing:
            return False
        self._drawing.remove(side)
        return True

    def takeback_by(self, side: Color) -> bool:
        """That side is proposing a takeback."""
        return side in self._taking_back

    def may_propose_takeback(self, now_ms: int) -> bool:
        """Nobody is proposing one, and the last refusal is 10 s x (refusals so far) squared ago."""
        if self._taking_back:
            return False
        wait_ms = 10_000 * min(self._declined, _LONGEST_THROTTLE) ** 2
        return self._declined_ms is None or now_ms > self._declined_ms + wait_ms

    def propose_takeback(self, side: Color) -> None:
        self._taking_back.add(side)

    def drop_takeback(self, side: Color, now_ms: int) -> bool:
        """Withdraw or decline that side's proposal; False when there was none."""
        if side not in self._taking_back:
            return False
        self._taking_back.remove(side)
        self._declined += 1
        self._declined_ms = now_ms
        return True

    def took_back(self) -> None:
        """A takeback was made: the proposals, and past refusals, are forgotten."""
        self._taking_back.clear()
        self._declined = 0
        self._declined_ms = None

    def flags(self) -> dict[str, bool]:
        """`wdraw`, `bdraw`, `wtakeback`, `btakeback`, of those only that are true."""
        flags = {f"{side[0]}draw": self.draw_by(side) for side in COLORS}
        flags |= {f"{side[0]}takeback": self.takeback_by(side) for side in COLORS}
        return {name: True for name, is_set in flags.items() if is_set}
