"""A game and a clock to play it by: virtual time, in milliseconds."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from bot.local_lichess.clocks import Realtime, TimeControl
from bot.local_lichess.game import Game
from bot.local_lichess.refusal import Refusal
from bot.local_lichess.seats import Color, Seat

T0 = 1_750_000_000_000
BOT = Seat("mybot", "MyBot", "BOT", 1900)
HUMAN = Seat("rival", "Rival", rating=1800)
OTHER_HUMAN = Seat("third", "Third", "FM", 2300)
AI = Seat("", "", ai_level=3)


@dataclass
class Table:
    """A game, and the time it is there."""

    game: Game
    now_ms: int = T0

    def wait(self, ms: int) -> None:
        self.now_ms += ms

    def play(self, moves: str, think_ms: int = 1_000) -> None:
        """Each move of a list by whoever's turn it is, after thinking."""
        for uci in moves.split():
            self.wait(think_ms)
            self.game.move(self.game.turn, uci, self.now_ms)

    def draw(self, side: Color, yes: bool = True) -> None:
        self.game.draw(side, yes, self.now_ms)

    def takeback(self, side: Color, yes: bool = True) -> None:
        self.game.takeback(side, yes, self.now_ms)

    def tick_after(self, ms: int) -> None:
        self.wait(ms)
        self.game.tick(self.now_ms)

    def lines(self, kind: str, to: str = "both") -> list[dict[str, object]]:
        """What was said since the last call, of one kind and to one receiver; the rest is dropped."""
        return [e.line for e in self.game.drain() if e.line["type"] == kind and e.to == to]

    def said(self) -> list[object]:
        """The texts in the players' room since the last call."""
        return [line["text"] for line in self.lines("chatLine") if line["room"] == "player"]

    def state(self) -> dict[str, object]:
        return self.game.state_json(self.now_ms)

    def left(self) -> tuple[object, object]:
        """Both clocks, White's first."""
        state = self.state()
        return state["wtime"], state["btime"]

    def result(self) -> tuple[str, Color | None]:
        return self.game.status, self.game.winner


def table(
    *,
    white: Seat = HUMAN,
    black: Seat = OTHER_HUMAN,
    time_control: TimeControl | None = None,
    variant: str = "standard",
    initial_fen: str | None = None,
    rated: bool = False,
    source: str = "friend",
    rules: tuple[str, ...] = (),
    takebacks: bool = True,
    king_takes_rook: bool = False,
    flag_grace_ms: int = 2_000,
) -> Table:
    """Three minutes and two seconds between two humans, unless said otherwise."""
    game = Game(
        "Ab3dEf7h",
        white,
        black,
        time_control=time_control or Realtime(180, 2),
        now_ms=T0,
        full_ids={"white": "Ab3dEf7hwwww", "black": "Ab3dEf7hbbbb"},
        variant=variant,
        initial_fen=initial_fen,
        rated=rated,
        source=source,
        rules=rules,
        takebacks=takebacks,
        king_takes_rook=king_takes_rook,
        flag_grace_ms=flag_grace_ms,
    )
    return Table(game)


def bare(fen: str, *, white: Seat = HUMAN, black: Seat = OTHER_HUMAN) -> Table:
    """A game from a position of ordinary chess."""
    return table(variant="fromPosition", initial_fen=fen, white=white, black=black)


#: A position for `walk`.
WALKERS = "k7/8/8/8/8/8/5PPP/K7 w - - 0 1"
_WHITE_ROUND = ("a1b1", "b1c1", "c1c2", "c2b2", "b2a1")
_BLACK_ROUND = ("a8b8", "b8c8", "c8c7", "c7b7", "b7a7", "a7a8")
_PAWN_STEPS = [f"{file}{rank}{file}{rank + 1}" for file in "fgh" for rank in (2, 3, 4)]


def walk(t: Table, plies: int) -> None:
    """From `WALKERS`, play to that many plies (700 at most) with no repetition and no fifty quiet moves."""
    while (ply := t.game.ply) < plies:
        pawn_steps = (ply + 1) // 80
        if t.game.turn == "black":
            uci = _BLACK_ROUND[ply // 2 % len(_BLACK_ROUND)]
        elif ply % 80 == 78:
            uci = _PAWN_STEPS[pawn_steps]
        else:
            uci = _WHITE_ROUND[(ply // 2 - pawn_steps) % len(_WHITE_ROUND)]
        t.play(uci, think_ms=1)


def refusal_of(excinfo: pytest.ExceptionInfo[Refusal]) -> tuple[int, object]:
    return excinfo.value.status, excinfo.value.body["error"]
