"""What is so in a game: its terms, its position, and what has been said about it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

import chess

from bot.local_lichess import game_views
from bot.local_lichess.clocks import Realtime, TimeControl, first_move_ms, new_clock, speed_of
from bot.local_lichess.notation import lichess_fen, write_uci
from bot.local_lichess.offers import Offers
from bot.local_lichess.presence import Presence
from bot.local_lichess.rating import rating_diffs
from bot.local_lichess.rules import color_of, new_board
from bot.local_lichess.seats import COLORS, Color, Seat

#: Who speaks for the server in the chat.
SERVER_NAME = "lichess"
MANDATORY_SOURCES = frozenset({"arena", "swiss", "simul"})
_EXPIRABLE_SOURCES = frozenset({"lobby", "pool", "arena", "swiss"})
_BOT_SOURCES = frozenset({"friend", "api", "ai"})


@dataclass(frozen=True, slots=True)
class Emitted:
    """A line for the game streams of one side, or of both."""

    to: Literal["white", "black", "both"]
    line: dict[str, object]


@dataclass(frozen=True, slots=True)
class ChatLine:
    """Something said in a room, `player` or `spectator`."""

    room: str
    username: str
    text: str


class GameFacts:
    """The state of a game, and the few ways in which it changes. `Game` says when it does."""

    def __init__(
        self,
        game_id: str,
        white: Seat,
        black: Seat,
        *,
        time_control: TimeControl,
        now_ms: int,
        full_ids: Mapping[Color, str],
        variant: str = "standard",
        initial_fen: str | None = None,
        rated: bool = False,
        source: str = "friend",
        rules: Collection[str] = (),
        takebacks: bool = True,
        king_takes_rook: bool = False,
        flag_grace_ms: int = 2_000,
        flag_check_ms: int = 7_000,
        sweep_ms: int = 10_000,
    ) -> None:
        """Begin a game. ValueError for a variant or FEN that cannot be played.

        `full_ids`: `game_id` and four more characters, for each side. `initial_fen` None is the variant's own
        start; chess960 and fromPosition need one. `takebacks`: both players' preferences allow takebacks and
        more time. `king_takes_rook`: write every castling so, in all variants. Flags are looked at every
        `flag_check_ms` from when a bot connected, and every `sweep_ms`; these looks leave `flag_grace_ms`.
        """
        self.id = game_id
        self.white = white
        self.black = black
        self.time_control = time_control
        self.full_ids = dict(full_ids)
        self.variant = variant
        self.rated = rated
        self.source = source
        self.rules = tuple(rules)
        self.created_ms = now_ms
        self.moved_ms = now_ms  # the last move, or the start
        self.ended_ms: int | None = None
        self.status = "started"
        self.winner: Color | None = None
        self.rematch_id: str | None = None
        self.is_deleted = False
        self.board = new_board(variant, initial_fen)
        self.initial_fen = None if initial_fen is None else lichess_fen(self.board)
        self.start_color = color_of(self.board.turn)
        self.clock = new_clock(time_control, self.start_color, now_ms)
        self.clock_history_ms: list[int] = []  # what the mover had left after each ply
        self.offers = Offers()
        self.chat_lines: list[ChatLine] = []
        self.presence = {side: Presence(now_ms) for side in COLORS}
        self._takebacks = takebacks
        self._king_takes_rook = king_takes_rook
        self._flag_grace_ms = flag_grace_ms
        self._flag_check_ms = flag_check_ms
        self._sweep_ms = sweep_ms
        self._moves: list[str] = []
        self._positions = [self.board.epd()]
        self._outbox: list[Emitted] = []
        for side in COLORS:
            if self.seat(side).is_ai:
                self.presence[side].connect(now_ms)

    # --- the two sides --------------------------------------------------------------------------------

    def seat(self, side: Color) -> Seat:
        return self.white if side == "white" else self.black

    def side_of(self, user_id: str) -> Color | None:
        """The side that user plays; None for anybody else."""
        for side in COLORS:
            if not self.seat(side).is_ai and self.seat(side).id == user_id:
                return side
        return None

    @property
    def has_ai(self) -> bool:
        return self.white.is_ai or self.black.is_ai

    @property
    def has_bot(self) -> bool:
        return self.white.is_bot or self.black.is_bot

    # --- the terms --------------------------------------------------------------------------------------

    @property
    def speed(self) -> str:
        return speed_of(self.time_control)

    @property
    def perf(self) -> str:
        """What it is rated as: the speed, or the variant."""
        return self.speed if self.variant in ("standard", "fromPosition") else self.variant

    @property
    def has_clock(self) -> bool:
        """A real-time one."""
        return isinstance(self.time_control, Realtime)

    @property
    def is_mandatory(self) -> bool:
        """Part of a tournament or the like: nobody may back out."""
        return self.source in MANDATORY_SOURCES

    @property
    def bot_compatible(self) -> bool:
        """Can be played with the Bot API."""
        return self.speed != "ultraBullet" and self.source in _BOT_SOURCES

    @property
    def board_compatible(self) -> bool:
        """Can be played with the Board API."""
        return self.speed not in ("ultraBullet", "bullet") and self.source in _BOT_SOURCES

    # --- how it stands ----------------------------------------------------------------------------------

    @property
    def ply(self) -> int:
        """Plies played."""
        return len(self._moves)

    @property
    def moves(self) -> tuple[str, ...]:
        """UCI, as it goes over the wire."""
        return tuple(self._moves)

    @property
    def turn(self) -> Color:
        return color_of(self.board.turn)

    @property
    def fen(self) -> str:
        return lichess_fen(self.board)

    @property
    def both_moved(self) -> bool:
        return self.ply >= 2

    def has_moved(self, side: Color) -> bool:
        return self.ply >= (1 if side == self.start_color else 2)

    @property
    def is_over(self) -> bool:
        """Finished, aborted or deleted."""
        return self.status not in ("created", "started") or self.is_deleted

    @property
    def is_aborted(self) -> bool:
        return self.status == "aborted"

    @property
    def abortable(self) -> bool:
        """Either player may call it off."""
        return self._unplayed and "noAbort" not in self.rules

    @property
    def resignable(self) -> bool:
        return not self.is_over and not self._unplayed

    @property
    def is_expirable(self) -> bool:
        """The next first move must come in time, or the game ends."""
        waits = self.source in _EXPIRABLE_SOURCES and self.has_clock and not self.has_ai
        return waits and not self.is_over and not self.both_moved

    @property
    def first_move_ms(self) -> int:
        """How long each first move is waited for; 0 without a clock."""
        if not isinstance(self.time_control, Realtime):
            return 0
        wait_ms = first_move_ms(self.time_control, in_arena=self.source == "arena")
        return wait_ms * 5 // 4 if self.variant == "chess960" else wait_ms

    @property
    def _unplayed(self) -> bool:
        return not self.is_over and not self.both_moved and not self.is_mandatory

    def legal_moves(self) -> list[str]:
        """UCI, as it goes over the wire; none once the game is over."""
        if self.is_over:
            return []
        return [self._uci(move) for move in self.board.legal_moves]

    def occurrences(self) -> int:
        """How often the present position has occurred."""
        return self._positions.count(self._positions[-1])

    def rating_diff(self, side: Color) -> int | None:
        """What a finished rated game did to the rating; None for any other game."""
        counts = self.rated and self.is_over and self.both_moved and not self.has_ai
        if not counts or self.is_aborted or self.is_deleted:
            return None
        return rating_diffs(self.white, self.black, self.winner)[side]

    # --- how it changes -----------------------------------------------------------------------------------

    def drain(self) -> list[Emitted]:
        """What is to be sent since the last call, in order."""
        lines, self._outbox = self._outbox, []
        return lines

    def _play(self, move: chess.Move) -> None:
        self._moves.append(self._uci(move))
        self.board.push(move)
        self._positions.append(self.board.epd())

    def _unplay(self) -> None:
        self.board.pop()
        for record in (self._moves, self._positions, self.clock_history_ms):
            record.pop()

    def _finish(self, status: str, winner: Color | None, now_ms: int, message: str | None = None) -> None:
        self.clock.stop(now_ms)
        self.status = status
        self.winner = winner
        self.ended_ms = now_ms
        if message is not None:
            self._announce(message)
        self._push_state(now_ms)

    def _push_state(self, now_ms: int) -> None:
        self._outbox.append(Emitted("both", game_views.state_json(self, now_ms)))

    def _tell(self, side: Color, line: dict[str, object]) -> None:
        self._outbox.append(Emitted(side, line))

    def _say(self, line: ChatLine, *, keep: bool = True) -> None:
        if keep:
            self.chat_lines.append(line)
        self._outbox.append(Emitted("both", game_views.chat_line_json(line)))

    def _announce(self, text: str, *, keep: bool = True) -> None:
        """The server speaks, in both rooms; not in games against the AI. `keep`: in the history too."""
        if self.has_ai:
            return
        self._say(ChatLine("spectator", SERVER_NAME, text), keep=False)
        self._say(ChatLine("player", SERVER_NAME, text), keep=keep)

    def _uci(self, move: chess.Move) -> str:
        return write_uci(self.variant, self.board, move, king_takes_rook=self._king_takes_rook)
