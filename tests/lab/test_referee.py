"""The referee, in virtual time."""

from __future__ import annotations

import chess
import pytest

from bot.lab.budgets import Budget, OnClock, PerMove, Unhurried, timer
from bot.lab.records import Fault, MoveRecord
from bot.lab.referee import Moved, Played, Refused, Reply, Rulebook, Seat, Waiting, play
from bot.strategies.contract import Thought
from bot.timing.clock import VirtualClock
from tests.lab.kit import Scripted, moves

FOOLS_MATE = (moves("f2f3", "g2g4"), moves("e7e5", "d8h4"))
SHUFFLE = (moves(*("g1f3", "f3g1") * 9), moves(*("g8f6", "f6g8") * 9))
NO_HURRY = Unhurried(60_000)
NO_EXTRAS = Rulebook(400)


class Table:
    """Two scripted players at a board."""

    def __init__(
        self,
        white: list[Reply],
        black: list[Reply],
        *,
        budget: Budget = NO_HURRY,
        takes_s: float = 0.1,
    ) -> None:
        self.clock = VirtualClock()
        self.white = Scripted(self.clock, list(white), takes_s)
        self.black = Scripted(self.clock, list(black), takes_s)
        self._budget = budget

    def play(self, opening: str = chess.STARTING_FEN, book: Rulebook = NO_EXTRAS) -> Played:
        white, black = (
            Seat(name, mover, timer(self._budget, told_apart=False, stall_ms=60_000))
            for name, mover in (("w", self.white), ("b", self.black))
        )
        return play(white, black, opening, game_id="g", speed="blitz", book=book, clock=self.clock)


def test_what_a_player_tells_that_cannot_be_true_is_not_written_down() -> None:
    """The journal would not be read again."""
    told = Thought(depth=-1, nodes=10**30, time_ms=1, score_cp=-(10**30), mate_in=3)
    (record,) = Table([Moved("e2e4", told)], []).play(book=Rulebook(1)).moves
    assert record == MoveRecord("e2e4", 100, None, 3)
    assert MoveRecord.from_json(record.to_json()) == record


def test_a_game_goes_to_its_end_and_every_move_is_timed() -> None:
    played = Table(*FOOLS_MATE, takes_s=0.25).play()
    assert (played.result, played.ending, played.fault) == ("0-1", "checkmate", None)
    assert played.moves == tuple(MoveRecord(uci, 250) for uci in ("f2f3", "e7e5", "g2g4", "d8h4"))


def test_a_player_is_told_the_whole_game_and_who_sits_opposite() -> None:
    table = Table(*FOOLS_MATE)
    table.play()
    facts, deadline_ms = table.black.asked[-1]
    assert facts.moves == ("f2f3", "e7e5", "g2g4")
    assert facts.fen == facts.board().fen()
    assert (facts.color, facts.game_id, facts.opponent.name, facts.variant) == ("black", "g", "w", "standard")
    assert deadline_ms == facts.limit.hard_ms == 60_000


def test_a_draw_on_the_board_is_claimed() -> None:
    played = Table(*SHUFFLE).play()
    assert (played.result, played.ending, len(played.moves)) == ("1/2-1/2", "threefold repetition", 8)


def test_a_game_has_a_maximum_length() -> None:
    played = Table(*SHUFFLE).play(book=Rulebook(5))
    assert (played.result, played.ending, len(played.moves)) == ("1/2-1/2", "maximum length", 5)


def test_a_mate_on_the_last_ply_is_a_mate() -> None:
    assert Table(*FOOLS_MATE).play(book=Rulebook(4)).ending == "checkmate"


def test_an_opening_in_which_the_game_is_over_is_not_played() -> None:
    played = Table([], []).play("7k/5Q2/8/8/8/8/8/K7 b - - 0 1")
    assert (played.ending, played.moves) == ("stalemate", ())


def test_what_is_told_of_a_move_is_kept() -> None:
    white: list[Reply] = [
        Moved("f2f3", Thought(3, 77, 12, score_cp=-20)),
        Moved("g2g4", Thought(2, 9, 1, mate_in=-1)),
    ]
    played = Table(white, FOOLS_MATE[1]).play()
    assert played.moves[0] == MoveRecord("f2f3", 100, -20, None, 3, 77)
    assert played.moves[2] == MoveRecord("g2g4", 100, None, -1, 2, 9)


@pytest.mark.parametrize("fault", ["crash", "illegal move", "no move", "two moves"])
def test_whoever_refuses_a_move_loses_by_that_name(fault: Fault) -> None:
    played = Table(moves("f2f3"), [Refused(fault, "because")]).play()
    assert (played.result, played.ending, played.fault, played.fault_by) == ("1-0", fault, fault, "black")
    assert (played.detail, len(played.moves)) == ("because", 1)


@pytest.mark.parametrize("move", ["e2e5", "0000", "best"])
def test_a_move_that_is_not_legal_loses(move: str) -> None:
    played = Table(moves(move), []).play()
    assert (played.result, played.fault, played.fault_by) == ("0-1", "illegal move", "white")
    assert played.detail is not None
    assert f"'{move}'" in played.detail


def test_no_move_at_the_deadline_is_a_stall() -> None:
    played = Table([Waiting()], [], takes_s=60.0).play()
    assert (played.result, played.fault, played.fault_by) == ("0-1", "stall", "white")
    assert played.detail == "no move after 60.000 s of 60 s"


def test_late_by_more_than_the_margin_is_a_loss_on_time() -> None:
    assert Table(*FOOLS_MATE, budget=PerMove(200), takes_s=0.3).play().fault is None
    played = Table(*FOOLS_MATE, budget=PerMove(200), takes_s=0.301).play()
    assert (played.result, played.fault, played.fault_by) == ("0-1", "time loss", "white")
    assert played.detail == "f2f3 came after 0.301 s of 0.3 s"


def test_a_clock_runs_for_the_player_to_move_alone() -> None:
    table = Table(*SHUFFLE, budget=OnClock(1_000, 100), takes_s=0.3)
    table.black.takes_s = 0.05
    table.play()
    clocks = [facts.clocks for facts, _ in table.white.asked]
    assert [each.white_ms for each in clocks] == [1000, 800, 600, 400]
    assert [each.black_ms for each in clocks] == [1000, 1050, 1100, 1150]
    assert [deadline_ms for _, deadline_ms in table.white.asked] == [1000, 800, 600, 400]


def test_a_flag_that_falls_loses() -> None:
    table = Table(*SHUFFLE, budget=OnClock(1_000, 100), takes_s=0.4)
    table.black.takes_s = 0.01
    played = table.play()
    assert (played.result, played.ending, played.fault_by) == ("0-1", "time loss", "white")
    assert played.detail == "f3g1 came after 0.400 s of 0.1 s"
    assert len(played.moves) == 6


def test_agreed_scores_count_only_if_asked() -> None:
    def winning(*uci: str, score: int) -> list[Reply]:
        return [Moved(each, Thought(1, 1, 1, score_cp=score)) for each in uci]

    white = winning(*("g1f3", "f3g1") * 4, score=1200)
    black = winning(*("g8f6", "f6g8") * 4, score=-1200)
    assert Table(white, black).play().ending == "threefold repetition"
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    played = Table(
        winning("a2a3", "b2b3", "c2c3", "d2d3", score=1200),
        winning("a7a6", "b7b6", "c7c6", "d7d6", score=-1200),
    ).play(fen, Rulebook(400, agreed_scores=True))
    assert (played.result, played.ending, len(played.moves)) == ("1-0", "agreed scores", 8)
