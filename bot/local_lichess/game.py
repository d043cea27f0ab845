"""One game: what its players may do, and what is shown of it.

Pure: every call is told the time. The parts: `seats`, `clocks` (time controls), `rules` (variants and their
endings), `notation` (UCI, FEN), `offers`, `presence`, `game_facts` (the state), `game_watch` (what the server
notices by itself), `game_views` and `game_pgn` (what is shown).
"""

from __future__ import annotations

import re

from bot.local_lichess import game_pgn, game_views
from bot.local_lichess.clocks import Correspondence, Realtime, TimeControl, Unlimited
from bot.local_lichess.game_facts import ChatLine, Emitted
from bot.local_lichess.game_watch import WatchedGame
from bot.local_lichess.notation import legal_move, read_uci
from bot.local_lichess.refusal import Refusal, form_fault
from bot.local_lichess.rules import can_win, ending
from bot.local_lichess.seats import Color, Seat, other

__all__ = ["Correspondence", "Emitted", "Game", "Realtime", "Seat", "TimeControl", "Unlimited"]

#: Nobody can move after this many plies; trying to draws.
MAX_PLIES = 600
MAX_CHAT_LENGTH = 140
_NO_EARLY_DRAW_PLIES = 60
_LINK = re.compile(
    r"https?://|\bwww\.|\b[\w-]+\.(com|org|net|io|gg|dev|me|tv|ovh|info|eu|uk|de|fr|ru)\b", re.I
)


class Game(WatchedGame):
    """One game. Times are milliseconds since the epoch and never go back.

    Calls that Lichess refuses raise `Refusal` with its status and JSON body. After any call, refused or not,
    `drain()` what is to be sent; once `is_over` is true (and `is_deleted` is not) the last line is the final
    state.
    """

    # --- playing ------------------------------------------------------------------------------------------

    def move(self, side: Color, uci: str, now_ms: int, *, offering_draw: bool = False) -> None:
        """Play `uci`. A move that comes after the flag has fallen ends the game, without an error.

        `offering_draw`: offer one with it; if the opponent offers one already the game is drawn instead.
        Refusal 400 for what is no UCI, not this side's turn, or illegal.
        """
        move = read_uci(uci)
        if self.is_over or self.turn != side:
            raise Refusal(400, "Not your turn, or game already over")
        if offering_draw and self._draws_by_offering(side, now_ms):
            return
        if self.clock.is_flagged(now_ms, self._flag_grace_ms):
            self._out_of_time(now_ms)
            return
        if self.ply > MAX_PLIES:
            self._finish("draw", None, now_ms)
            return
        move = legal_move(self.variant, self.board, move)
        if self.clock.is_flagged(now_ms):
            self._out_of_time(now_ms)
            return
        ply = self.ply
        self._play(move)
        end = ending(self.variant, self.board, self.occurrences())
        self.clock.step(now_ms, ply=ply, active=end is None)
        self.clock_history_ms.append(self.clock.remaining_ms(side, now_ms))
        self.moved_ms = now_ms
        if end is not None:
            self._finish(end.status, end.winner, now_ms)
            return
        self._push_state(now_ms)
        self._moving_declines(side, now_ms)
        if self.occurrences() >= 3 and self._claims_threefold():
            self._finish("draw", None, now_ms)

    def abort(self, side: Color, now_ms: int) -> None:  # noqa: ARG002  either side may
        """Call the game off. Refusal 400 once both sides have moved, or where nobody may."""
        if not self.abortable:
            raise Refusal(400, "This game can no longer be aborted")
        self._finish("aborted", None, now_ms)

    def resign(self, side: Color, now_ms: int) -> None:
        """Resign; abort while that is still possible. Refusal 400 when the game is over, or not begun."""
        if self.abortable:
            self.abort(side, now_ms)
        elif self.resignable:
            self._finish("resign", other(side), now_ms)
        else:
            raise Refusal(400, "This game cannot be resigned")

    def add_time(self, side: Color, seconds: int, now_ms: int) -> None:
        """Give the opponent more time. Nothing happens where that is not allowed."""
        if self.is_over or "noGiveTime" in self.rules or not self._may_take_back:
            return
        if self.clock.give(other(side), seconds, now_ms):
            self._announce(f"{other(side).capitalize()} + {seconds} seconds", keep=False)
            self._push_state(now_ms)

    # --- draw offers --------------------------------------------------------------------------------------

    def draw(self, side: Color, yes: bool, now_ms: int) -> None:
        """Offer, accept or claim a draw (`yes`), or decline or withdraw one. Never refused, often ignored."""
        early = "noEarlyDraw" in self.rules or self.source == "swiss"
        if not self.resignable or (early and self.ply < _NO_EARLY_DRAW_PLIES):
            return
        if yes:
            self._draw_yes(side, now_ms)
        else:
            self._draw_no(side)

    def _draws_by_offering(self, side: Color, now_ms: int) -> bool:
        self.draw(side, True, now_ms)
        return self.is_over

    def _draw_yes(self, side: Color, now_ms: int) -> None:
        answering = self.offers.draw_by(other(side))
        may_offer = not self.has_ai and self.offers.may_offer_draw(side, self.ply)
        if not (answering or may_offer):
            return
        if self.occurrences() >= 3:
            self._finish("draw", None, now_ms)
        elif answering:
            self._finish("draw", None, now_ms, "Draw offer accepted")
        elif not can_win(self.board, other(side)):
            self._finish("insufficientMaterialClaim", None, now_ms)
        else:
            self.offers.offer_draw(side, self.ply)
            self._announce(f"{side.capitalize()} offers draw")
            self._push_state(now_ms)

    def _draw_no(self, side: Color) -> None:
        if self.offers.drop_draw(side):
            self._announce("Draw offer canceled")
        elif self.offers.drop_draw(other(side)):
            self._announce(f"{side.capitalize()} declines draw")

    def _claims_threefold(self) -> bool:
        return self.has_bot or any(
            self.offers.offered_draw_lately(side, self.ply) for side in (self.turn, other(self.turn))
        )

    # --- takebacks ----------------------------------------------------------------------------------------

    def takeback(self, side: Color, yes: bool, now_ms: int) -> None:
        """Propose or accept a takeback (`yes`), or decline or withdraw one. Never refused, often ignored."""
        if self.is_over:
            return
        if not yes:
            self._takeback_no(side, now_ms)
        elif self._may_take_back:
            self._takeback_yes(side, now_ms)

    @property
    def _may_take_back(self) -> bool:
        return not self.is_mandatory and (self._takebacks or self.has_ai)

    def _takeback_yes(self, side: Color, now_ms: int) -> None:
        opponent = other(side)
        if self.offers.takeback_by(opponent):
            self._take_back(1 if self.turn == side else 2, now_ms)
        elif self.seat(opponent).is_ai:
            self._take_back(1 if self.turn == opponent else 2, now_ms)
        elif self.both_moved and self.offers.may_propose_takeback(now_ms):
            self.offers.propose_takeback(side)
            self._announce("Takeback sent", keep=False)
            self._push_state(now_ms)

    def _takeback_no(self, side: Color, now_ms: int) -> None:
        if self.offers.drop_takeback(side, now_ms):
            self._announce("Takeback canceled", keep=False)
            self._push_state(now_ms)
        elif self.offers.drop_takeback(other(side), now_ms):
            self._announce("Takeback declined", keep=False)
            self._push_state(now_ms)

    def _take_back(self, plies: int, now_ms: int) -> None:
        if plies > self.ply:
            return
        for _ in range(plies):
            self._unplay()
            self.clock.take_back(now_ms)
        self.moved_ms = now_ms
        self.offers.took_back()
        self._announce("Takeback accepted")
        self._push_state(now_ms)

    def _moving_declines(self, side: Color, now_ms: int) -> None:
        """Whoever moves turns down what the opponent has proposed, and withdraws a takeback of their own."""
        if self.offers.draw_by(other(side)):
            self._draw_no(side)
        self._takeback_no(side, now_ms)

    # --- chat ---------------------------------------------------------------------------------------------

    def chat(self, username: str, room: str, text: str, now_ms: int) -> None:  # noqa: ARG002  like every call
        """Say `text` in a room. Refusal 400, as a form fault, for another room or a text not of 1 to 140.

        Silently swallowed: a stranger in the players' room, and a link from a bot.
        """
        if room not in ("player", "spectator"):
            raise form_fault({"room": "Invalid value"})
        if not text:
            raise form_fault({"text": "This field is required"})
        if len(text) > MAX_CHAT_LENGTH:
            raise form_fault({"text": f"Maximum length is {MAX_CHAT_LENGTH}"})
        side = self.side_of(username.lower())
        if side is None and room == "player":
            return
        if side is not None and self.seat(side).is_bot and _LINK.search(text):
            return
        self._say(ChatLine(room, username if side is None else self.seat(side).name, text))

    # --- what is shown ------------------------------------------------------------------------------------

    def full_json(self, now_ms: int) -> dict[str, object]:
        """The first line of a game stream."""
        return game_views.full_json(self, now_ms)

    def state_json(self, now_ms: int) -> dict[str, object]:
        """A `gameState` line."""
        return game_views.state_json(self, now_ms)

    def playing_json(self, side: Color, now_ms: int) -> dict[str, object]:
        """The game as that side sees it in `gameStart`, `gameFinish` and the list of ongoing games."""
        return game_views.playing_json(self, side, now_ms)

    def chat_json(self) -> list[dict[str, object]]:
        """GET chat: the players' room."""
        return [
            {"text": line.text, "user": line.username} for line in self.chat_lines if line.room == "player"
        ]

    def pgn(self, now_ms: int, *, base_url: str = "https://lichess.org") -> str:  # noqa: ARG002  like every view
        """The game so far as PGN, with clock comments."""
        return game_pgn.pgn(self, base_url=base_url)

    def export_json(self, now_ms: int) -> dict[str, object]:  # noqa: ARG002  like every view
        """GET /game/export/{id} as JSON."""
        return game_pgn.export_json(self)
