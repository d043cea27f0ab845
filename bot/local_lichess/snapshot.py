"""A game at one moment, as plain values that may cross threads."""

from __future__ import annotations

from dataclasses import dataclass

from bot.local_lichess.game import Game
from bot.local_lichess.seats import COLORS, Color, Seat


@dataclass(frozen=True, slots=True)
class GameSnapshot:
    """`white` and `black` are account ids; the AI is "ai". Times are milliseconds."""

    id: str
    white: str
    black: str
    variant: str
    speed: str
    rated: bool
    status: str  # as on the wire: started, mate, resign ...
    winner: Color | None
    moves: tuple[str, ...]  # UCI
    fen: str
    white_ms: int
    black_ms: int
    draw_offered_by: Color | None
    takeback_proposed_by: Color | None
    chat: tuple[tuple[str, str], ...]  # the players' room: who, what

    @property
    def ply(self) -> int:
        """Plies played."""
        return len(self.moves)

    @property
    def is_over(self) -> bool:
        return self.status not in ("created", "started")

    def side_of(self, account_id: str) -> Color:
        """LookupError when the account does not play here."""
        if account_id not in (self.white, self.black):
            raise LookupError(f"{account_id!r} does not play in {self.id}")
        return "white" if self.white == account_id else "black"

    def opponent_of(self, account_id: str) -> str:
        return self.black if self.side_of(account_id) == "white" else self.white


def snapshot(game: Game, now_ms: int) -> GameSnapshot:
    """What is so in `game` now."""
    return GameSnapshot(
        id=game.id,
        white=_id(game.white),
        black=_id(game.black),
        variant=game.variant,
        speed=game.speed,
        rated=game.rated,
        status=game.status,
        winner=game.winner,
        moves=game.moves,
        fen=game.fen,
        white_ms=game.clock.remaining_ms("white", now_ms),
        black_ms=game.clock.remaining_ms("black", now_ms),
        draw_offered_by=next((side for side in COLORS if game.offers.draw_by(side)), None),
        takeback_proposed_by=next((side for side in COLORS if game.offers.takeback_by(side)), None),
        chat=tuple((line.username, line.text) for line in game.chat_lines if line.room == "player"),
    )


def _id(seat: Seat) -> str:
    return "ai" if seat.is_ai else seat.id
