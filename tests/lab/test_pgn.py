"""Games as PGN, read back by python-chess."""

from __future__ import annotations

import io
from dataclasses import replace

import chess.pgn
import pytest

from bot.errors import UserError
from bot.lab.openings import Opening
from bot.lab.pgn import comment, pgn
from bot.lab.records import GameRecord, MoveRecord, PairRecord
from tests.lab.kit import a_header, a_pair, a_spec

BLACK_TO_MOVE = Opening(
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "B00", 'King\'s "Pawn" \\ Game'
)


def read(text: str) -> list[chess.pgn.Game]:
    stream = io.StringIO(text)
    games = []
    while (game := chess.pgn.read_game(stream)) is not None:
        assert game.errors == []
        games.append(game)
    return games


def test_a_move_that_nobody_can_have_played_is_named() -> None:
    record = a_pair()
    games = (record.games[0], replace(record.games[1], moves=(MoveRecord("e2e5", 1),)))
    with pytest.raises(UserError, match=r"pair 1, game 2: no game has such a move: .*e2e5"):
        list(pgn(a_header(), [replace(record, games=games)]))


def test_games_come_back_as_they_were_played() -> None:
    long = tuple(
        MoveRecord(uci, 5, 20, None, 6, 1000) for uci in ("g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "b7b5")
    )
    game = GameRecord("a", "b", "1/2-1/2", "threefold repetition", None, None, None, long)
    record = replace(a_pair(), games=(game, a_pair().games[1]))
    first, second = read("".join(pgn(a_header(), [record])))
    assert [move.uci() for move in first.mainline_moves()] == [move.uci for move in long]
    assert [move.uci() for move in second.mainline_moves()] == ["f1c4"]
    assert first.headers["Result"] == "1/2-1/2"
    assert first.headers["ECO"] == "C20"
    assert (first.headers["Round"], second.headers["Round"]) == ("1.1", "1.2")
    assert (second.headers["White"], second.headers["Black"]) == ("b", "a")
    assert first.headers["Date"] == "2026.01.02"


@pytest.mark.parametrize(
    ("move", "told"),
    [
        (MoveRecord("e2e4", 123, 31, None, 8, 1200), "+0.31/8 0.123s, n=1200"),
        (MoveRecord("e2e4", 5, -250, None, 3), "-2.50/3 0.005s"),
        (MoveRecord("e2e4", 5, None, 3, 9, 7), "+M3/9 0.005s, n=7"),
        (MoveRecord("e2e4", 5, None, -2, 9), "-M2/9 0.005s"),
        (MoveRecord("e2e4", 1000), "1.000s"),
    ],
)
def test_a_comment_says_what_the_player_told(move: MoveRecord, told: str) -> None:
    assert comment(move) == told


def test_comments_stand_behind_their_moves() -> None:
    game = GameRecord(
        "a", "b", "1-0", "checkmate", None, None, None, (MoveRecord("c7c5", 9), MoveRecord("g1f3", 7))
    )
    record = PairRecord(replace(a_spec(), opening=BLACK_TO_MOVE), (game, a_pair().games[1]), 1, "w")
    text = next(iter(pgn(a_header(), [record])))
    (found,) = read(text)
    assert [node.comment for node in found.mainline()] == ["0.009s", "0.007s"]
    assert "1... c5 {0.009s} 2. Nf3 {0.007s} 1-0" in text
    assert '[Opening "King\'s \\"Pawn\\" \\\\ Game"]' in text


@pytest.mark.parametrize(
    ("game", "termination"),
    [
        (GameRecord("a", "b", "0-1", "stall", "stall", "white", "60 s", ()), "time forfeit"),
        (GameRecord("a", "b", "0-1", "crash", "crash", "white", "x.py:3: {KeyError}\n", ()), "abandoned"),
        (
            GameRecord("a", "b", "0-1", "illegal move", "illegal move", "white", "e2e5", ()),
            "rules infraction",
        ),
        (GameRecord("a", "b", "1/2-1/2", "maximum length", None, None, None, ()), "adjudication"),
        (GameRecord("a", "b", "1-0", "checkmate", None, None, None, ()), "normal"),
    ],
)
def test_how_it_ended_is_said_in_the_standards_words_and_in_ours(game: GameRecord, termination: str) -> None:
    (found, _) = read("".join(pgn(a_header(), [replace(a_pair(), games=(game, a_pair().games[1]))])))
    assert found.headers["Termination"] == termination
    assert found.headers["Ending"] == (game.ending if game.fault is None else f"{game.fault} by white")
    assert found.headers["Result"] == game.result
