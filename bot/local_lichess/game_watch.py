"""What the server notices in a game by itself: fallen flags, absence, and games nobody plays."""

from __future__ import annotations

from bot.local_lichess.clocks import DAY_MS
from bot.local_lichess.game_facts import GameFacts
from bot.local_lichess.game_views import opponent_gone_json
from bot.local_lichess.presence import GONE_CHECK_MS, gone_after_ms
from bot.local_lichess.refusal import Refusal
from bot.local_lichess.rules import can_win, is_materially_lost
from bot.local_lichess.seats import COLORS, Color, other

_UNPLAYED_MS = DAY_MS
_ABANDONED_MS = 21 * DAY_MS
#: A countdown is only spoken of if the absent side's clock outlives it by this much.
_CLOCK_OUTLIVES_MS = 3_000


class WatchedGame(GameFacts):
    """A game that is looked after: `tick` as often as you like, and at `next_event_ms`."""

    _gone_checks = 0

    # --- presence -----------------------------------------------------------------------------------------

    def connected(self, side: Color, now_ms: int) -> None:
        """A game stream or page of that side opened. Call it once for each."""
        if not self.is_over and self._watches_absence and self._is_gone(side, now_ms):
            self._tell(other(side), opponent_gone_json(None))
        self.presence[side].connect(now_ms)

    def disconnected(self, side: Color, now_ms: int, *, left: bool = False) -> None:
        """A stream or page of that side closed; `left`: on purpose, so patience is short.

        ValueError when none was open.
        """
        self.presence[side].disconnect(now_ms, left=left)

    def claim_victory(self, side: Color, now_ms: int) -> None:
        """Win because the opponent has left. Nothing happens when it is not the opponent's turn, or the game
        is not one that can be claimed; Refusal 400 when the opponent has not been away for long enough."""
        if not self._watches_absence or self.turn == side:
            return
        if not self._is_gone(other(side), now_ms):
            raise Refusal(400, "You cannot claim the win on this game")
        self._finish("timeout", side if can_win(self.board, side) else None, now_ms)

    def claim_draw(self, side: Color, now_ms: int) -> None:
        """Draw because the opponent has left, on its turn; never for a repetition. Refusal 400 otherwise."""
        if not self._watches_absence or self.turn == side or not self._is_gone(other(side), now_ms):
            raise Refusal(400, "You cannot claim draw on this game")
        self._finish("timeout", None, now_ms)

    # --- flags --------------------------------------------------------------------------------------------

    def report_flag(self, now_ms: int) -> None:
        """A page saw the clock of the side to move at zero; it is believed once the grace is over."""
        if not self.is_over and self.clock.is_flagged(now_ms, self._flag_grace_ms):
            self._out_of_time(now_ms)

    def abort_by_server(self, now_ms: int) -> None:
        """Call the game off, however far it is. Nothing happens when it is over."""
        if not self.is_over:
            self._finish("aborted", None, now_ms)

    # --- time passes --------------------------------------------------------------------------------------

    def tick(self, now_ms: int) -> None:
        """Let the server notice what there is to notice by now."""
        if self.is_over:
            return
        if _is_due(self._flag_noticed_ms(), now_ms):
            self._out_of_time(now_ms)
        elif _is_due(self._expires_ms(), now_ms):
            self._no_start(now_ms)
        elif _is_due(self._forgotten_ms(), now_ms):
            self._forget(now_ms)
        elif _is_due(self._gone_check_ms(), now_ms):
            self._gone_checks = (now_ms - self.created_ms) // GONE_CHECK_MS
            for side in COLORS:
                self._count_down(side, now_ms)

    def next_event_ms(self) -> int | None:
        """The earliest instant at which `tick` has something to do as things stand; None: there is none."""
        if self.is_over:
            return None
        events = (self._flag_noticed_ms(), self._expires_ms(), self._forgotten_ms(), self._gone_check_ms())
        return min((event for event in events if event is not None), default=None)

    def _out_of_time(self, now_ms: int) -> None:
        winner = other(self.turn)
        if self.offers.draw_by(winner):
            self._finish("draw", None, now_ms, "Draw offer accepted")
        else:
            self._finish("outoftime", winner if can_win(self.board, winner) else None, now_ms)

    def _flag_noticed_ms(self) -> int | None:
        """The first look at the clock that finds the flag down."""
        falls_ms = self.clock.flag_falls_ms(self._flag_grace_ms)
        if falls_ms is None:
            return None
        looks = [_first_look(self.created_ms, self._sweep_ms, falls_ms)]
        for side in COLORS:
            here_ms = self.presence[side].here_since_ms
            if here_ms is not None and self.seat(side).is_bot:
                looks.append(_first_look(here_ms, self._flag_check_ms, falls_ms))
        return min(looks)

    def _expires_ms(self) -> int | None:
        return self.moved_ms + self.first_move_ms if self.is_expirable else None

    def _no_start(self, now_ms: int) -> None:
        if self.is_mandatory or "noAbort" in self.rules:
            self._finish("noStart", other(self.turn), now_ms)
        else:
            self._finish("aborted", None, now_ms, "Game aborted by server")

    def _forgotten_ms(self) -> int | None:
        """When a game nobody plays is cleared away."""
        if not self.has_clock:
            return self.moved_ms + _ABANDONED_MS
        return None if self.both_moved else self.moved_ms + _UNPLAYED_MS

    def _forget(self, now_ms: int) -> None:
        if self.has_clock:
            self.is_deleted = True
        elif self.both_moved:
            self._finish("resign", other(self.turn), now_ms)
        else:
            self._finish("aborted", None, now_ms)

    # --- absence ------------------------------------------------------------------------------------------

    @property
    def _watches_absence(self) -> bool:
        """An absent player can lose this game by a claim."""
        return (
            not self.is_over
            and self.both_moved
            and self.has_clock
            and not self.has_ai
            and self.source != "swiss"
            and "noClaimWin" not in self.rules
        )

    def _claimable_in_ms(self, side: Color, now_ms: int) -> int | None:
        patience_ms = gone_after_ms(
            self.time_control,
            materially_lost=is_materially_lost(self.variant, self.board, side),
            left=self.presence[side].left,
        )
        return self.presence[side].claimable_in_ms(now_ms, patience_ms)

    def _is_gone(self, side: Color, now_ms: int) -> bool:
        claimable_in_ms = self._claimable_in_ms(side, now_ms)
        return claimable_in_ms is not None and claimable_in_ms <= 0

    def _gone_check_ms(self) -> int | None:
        one_is_away = self.presence["white"].is_here != self.presence["black"].is_here
        if not (self._watches_absence and one_is_away):
            return None
        return self.created_ms + (self._gone_checks + 1) * GONE_CHECK_MS

    def _count_down(self, side: Color, now_ms: int) -> None:
        if self.presence[side].is_here or not self.presence[other(side)].is_here:
            return
        claimable_in_ms = self._claimable_in_ms(side, now_ms)
        if claimable_in_ms is None:
            return
        if claimable_in_ms <= 0:
            self._tell(other(side), opponent_gone_json(0))
        elif self.clock.remaining_ms(side, now_ms) > claimable_in_ms + _CLOCK_OUTLIVES_MS:
            self._tell(other(side), opponent_gone_json(claimable_in_ms // 1000))


def _is_due(event_ms: int | None, now_ms: int) -> bool:
    return event_ms is not None and now_ms >= event_ms


def _first_look(since_ms: int, period_ms: int, not_before_ms: int) -> int:
    """The first of the looks at `since + period`, `since + 2 periods`, ... that is not before then."""
    periods = max(1, -(-(not_before_ms - since_ms) // period_ms))
    return since_ms + periods * period_ms
