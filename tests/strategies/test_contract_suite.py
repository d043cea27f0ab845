"""What every registered strategy must do in every position, whatever its strength."""

from __future__ import annotations

import copy

import pytest

from bot.position import BOARDS
from bot.strategies.contract import Strategy, StrategySpec
from bot.strategies.registry import load, names
from bot.strategies.turn_tools import facts_from_fen, take_turn

POSITIONS = {
    **{f"{variant}, start": (variant, "startpos") for variant in BOARDS},
    "Black to move": ("standard", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
    "Black in the middle": (
        "standard",
        "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R b KQkq - 0 5",
    ),
    "one legal move": ("standard", "7k/8/8/8/8/8/1r6/K7 w - - 0 1"),
    "one legal move, of Black": ("standard", "k7/1R6/8/8/8/8/8/7K b - - 0 1"),
    "double check": ("standard", "4k3/8/8/8/1b2r3/8/8/4K2R w K - 0 1"),
    "check, only a block": ("standard", "k3r3/8/8/8/8/8/3P1P2/3RKRN1 w - - 0 1"),
    "en passant evades": ("standard", "8/8/8/3k4/1pP5/8/8/4K3 b - c3 0 1"),
    "promotion": ("standard", "8/P6k/8/8/8/8/8/K7 w - - 0 40"),
    "promotion, of Black, with capture": ("standard", "k7/8/8/8/8/8/6p1/K6R b - - 0 40"),
    "underpromotion avoids stalemate": ("standard", "8/5P1k/5K2/8/8/8/8/8 w - - 0 40"),
    "mate in one": ("standard", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 40"),
    "a draw can be claimed": ("standard", "4k3/8/8/8/8/8/8/R3K3 w - - 100 90"),
    "castling in chess960, both sides": ("chess960", "1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBgb - 0 9"),
    "castling in chess960 is mate": ("chess960", "5k2/8/8/4R1R1/8/8/8/5KR1 w G - 0 9"),
    "castling from a set-up position": (
        "fromPosition",
        "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 b GBgb - 0 9",
    ),
    "crazyhouse, with pockets": (
        "crazyhouse",
        "r1bqkb1r/ppp2ppp/2n5/8/8/5N2/PPPP1PPP/RNBQK2R/Pp w KQkq - 0 6",
    ),
    "crazyhouse, only drops help": ("crazyhouse", "4r1k1/8/8/8/8/8/3P1P2/3RKR2[N] w - - 0 9"),
    "antichess, a capture is forced": (
        "antichess",
        "rnbqkbnr/p1pppppp/8/1p6/8/4P3/PPPP1PPP/RNBQKBNR w - - 0 2",
    ),
    "antichess, promotion to a king": ("antichess", "8/P7/8/8/8/8/7p/8 w - - 0 40"),
    "atomic, kings side by side": ("atomic", "8/8/8/3kK3/8/8/8/r6R w - - 0 40"),
    "horde, pawns on the first rank": ("horde", "4k3/8/8/8/8/8/8/PPPP4 w - - 0 40"),
    "horde, the king's side": ("horde", "4k3/pp6/8/PPP5/PPPP4/8/8/PPPP4 b - - 0 40"),
    "king of the hill, one step away": ("kingOfTheHill", "7k/8/8/8/8/3K4/8/8 w - - 0 40"),
    "racing kings, the last chance": ("racingKings", "7K/k7/8/8/8/8/8/8 b - - 0 40"),
    "three checks, two given": ("threeCheck", "4k3/8/8/8/8/8/8/R3K3 w - - 0 40 +2+0"),
}


#: Options for those that would take their time, or not take the same time twice.
QUICKLY = {name: StrategySpec(name, (("nodes", 60),)) for name in ("classical", "compiled")}


#: One needs an engine, which its own tests bring along.
SELF_SUFFICIENT = tuple(name for name in names() if name != "uci")


def spec_of(name: str) -> StrategySpec:
    return QUICKLY.get(name, StrategySpec(name))


@pytest.fixture(scope="module", params=SELF_SUFFICIENT)
def strategy(request: pytest.FixtureRequest) -> Strategy:
    return load(spec_of(request.param))


@pytest.fixture(params=list(POSITIONS))
def position(request: pytest.FixtureRequest) -> tuple[str, str]:
    return POSITIONS[request.param]


def test_it_commits_exactly_one_legal_move(strategy: Strategy, position: tuple[str, str]) -> None:
    variant, fen = position
    facts = facts_from_fen(fen, variant)
    before = copy.deepcopy(facts)
    committed: list[str] = []
    choice = take_turn(strategy, facts, on_commit=committed.append)
    assert committed == [choice.move]
    assert choice.note is None
    assert choice.move in {move.uci() for move in facts.board().legal_moves}
    assert facts == before


@pytest.mark.parametrize("name", SELF_SUFFICIENT)
def test_it_plays_the_same_again(name: str, position: tuple[str, str]) -> None:
    variant, fen = position
    facts = facts_from_fen(fen, variant)
    first, second = (take_turn(load(spec_of(name)), facts) for _ in range(2))
    assert first.move == second.move


def test_the_positions_are_what_they_are_called() -> None:
    boards = {name: facts_from_fen(fen, variant).board() for name, (variant, fen) in POSITIONS.items()}
    moves = {name: {move.uci() for move in board.legal_moves} for name, board in boards.items()}
    assert all(moves.values())
    assert {variant for variant, _ in POSITIONS.values()} == set(BOARDS)
    assert len(moves["one legal move"]) == len(moves["one legal move, of Black"]) == 1
    assert moves["check, only a block"] == {"g1e2"}
    assert all(move.startswith("N@") for move in moves["crazyhouse, only drops help"])
    assert moves["antichess, a capture is forced"] == {"f1b5"}
    assert "b4c3" in moves["en passant evades"]
    assert {"f1g1", "f1b1"} <= moves["castling in chess960, both sides"]
    assert {"e8g8", "e8b8"} <= moves["castling from a set-up position"]
    assert "a7a8k" in moves["antichess, promotion to a king"]
