"""The openings that games start from."""

from __future__ import annotations

import csv
import io
import random
import re
from collections import Counter
from importlib import resources
from pathlib import Path

import chess
import chess.pgn
import pytest

from bot.errors import UserError
from bot.lab.openings import Opening, all_openings, draw_openings, opening_hash, read_openings

LISTS = Path(__file__).parents[3] / "shared" / "data"
SICILIAN = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"


def test_each_is_a_position_to_play_from_two_moves_into_the_game() -> None:
    assert len(all_openings()) == len({opening.fen for opening in all_openings()}) == 7314
    for opening in all_openings()[::20]:
        board = chess.Board(opening.fen)
        assert board.is_valid()
        assert board.fullmove_number == 3
        assert board.turn == chess.WHITE
        assert len(board.piece_map()) >= 28
        assert not board.is_game_over()


def test_each_has_a_name_and_a_code() -> None:
    assert all(re.fullmatch(r"[A-E]\d\d", opening.eco) and opening.name for opening in all_openings())
    names = Counter(opening.name for opening in all_openings())
    assert len(names) > 200
    assert {"Vienna Game: Falkbeer Variation", "Petrov's Defense"} <= names.keys()


def test_the_set_that_ships_is_an_epd_file_like_any_other(tmp_path: Path) -> None:
    text = resources.files("bot.lab").joinpath("openings.epd").read_text(encoding="utf-8")
    lines = text.splitlines()
    path = tmp_path / "some.epd"
    path.write_text("\n".join(lines[:60]), encoding="utf-8")
    found = read_openings(path)
    assert found == all_openings()[: len(found)]
    assert len(found) > 40
    assert "CC0" in "".join(line for line in lines if line.startswith("#"))


@pytest.mark.skipif(
    not (LISTS / "openings.tsv").exists(), reason="the lists that the set was made of are not here"
)
def test_the_set_that_ships_is_what_its_head_says() -> None:
    positions = (LISTS / "noob_2moves.epd").read_text(encoding="utf-8").splitlines()
    assert [opening.fen for opening in all_openings()] == [chess.Board(line).fen() for line in positions]
    named: dict[str, tuple[str, str]] = {}
    with (LISTS / "openings.tsv").open(encoding="utf-8") as file:
        short = (row for row in csv.DictReader(file, delimiter="\t") if " 3." not in row["pgn"])
        for row in short:
            game = chess.pgn.read_game(io.StringIO(row["pgn"]))
            assert game is not None
            named[game.end().board().epd()] = (row["eco"], row["name"])
    exact = [
        (opening.eco, opening.name) == named[epd]
        for opening in all_openings()
        if (epd := chess.Board(opening.fen).epd()) in named
    ]
    assert len(exact) > 50
    assert all(exact)
    assert {(opening.eco, opening.name) for opening in all_openings()} <= set(named.values())


@pytest.mark.parametrize("count", [1, 20, 7314, 7400])
def test_they_are_drawn_by_lot_and_seldom_twice(count: int) -> None:
    drawn = draw_openings(count, random.Random(7))
    assert len(drawn) == count
    assert max(Counter(drawn).values()) == -(-count // 7314)
    assert drawn == draw_openings(count, random.Random(7))
    assert drawn != draw_openings(count, random.Random(8))


def test_the_hash_is_of_positions_in_their_order() -> None:
    first, second, *_ = all_openings()
    assert opening_hash([first, second]) == opening_hash(
        [Opening(first.fen), Opening(second.fen, "A00", "x")]
    )
    assert opening_hash([first, second]) != opening_hash([second, first])


def test_a_users_epd_may_have_fens_names_comments_and_empty_lines(tmp_path: Path) -> None:
    path = tmp_path / "mine.epd"
    path.write_text(
        "# mine\n\n"
        f"{SICILIAN}\n"
        'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - c0 "C20 King\'s Pawn Game";\n'
        'rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - eco "D00"; id "Closed";\n'
        'rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - c0 "no code here";\n'
        f"{SICILIAN}\n",
        encoding="utf-8",
    )
    assert [(opening.eco, opening.name) for opening in read_openings(path)] == [
        ("", ""),
        ("C20", "King's Pawn Game"),
        ("D00", "Closed"),
        ("", "no code here"),
    ]
    assert read_openings(path)[0].fen == SICILIAN


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("rubbish", r"mine\.epd:2: "),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", r"mine\.epd:2: .*Black has no king"),
        ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", r"mine\.epd:2: the game is over"),
        ("7k/5K2/8/8/8/8/8/6Q1 b - - 100 90", r"mine\.epd:2: .*a draw can be claimed \(fifty moves\)"),
        ("7k/8/8/4K3/8/8/8/6Q1 w - - hmvc 120;", r"mine\.epd:2: .*a draw can be claimed \(fifty moves\)"),
        ("7k/8/8/4K3/8/8/8/8 w - -", r"mine\.epd:2: the game is over.*insufficient material"),
        ("bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf -", r"mine\.epd:2: castling 'HFhf': .*Chess960"),
        ("bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1", r"mine\.epd:2: castling 'KQkq'"),
        ("r3k2r/8/8/8/8/8/8/4K2R w KQkq - 0 1", r"mine\.epd:2: castling 'KQkq'"),
    ],
)
def test_a_line_that_is_no_position_is_named(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "mine.epd"
    path.write_text(f"{SICILIAN}\n{line}\n", encoding="utf-8")
    with pytest.raises(UserError, match=told):
        read_openings(path)


def test_of_a_pgn_the_end_of_each_line_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "mine.PGN"
    path.write_text(
        '[ECO "B20"]\n[Opening "Sicilian"]\n[Variation "Open"]\n\n1. e4 c5 *\n\n'
        "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6 8. Ng1 Ng8 9. e4 *\n",
        encoding="utf-8",
    )
    first, second = read_openings(path)
    assert first == Opening(SICILIAN, "B20", "Sicilian: Open")
    assert chess.Board(second.fen).fullmove_number == 9
    assert second.fen.startswith(chess.STARTING_BOARD_FEN)


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ("1. e4 e5\n2. Ke3 *", r"mine\.pgn:4: 'Ke3' is no legal move in "),
        ("1. f3 e5 2. g4 Qh4# *", r"mine\.pgn:3: in the game that begins here: the game is over"),
        ('[Variant "Atomic"]\n\n1. e4 *', r"mine\.pgn:3: a game of Atomic"),
        ('[Variant "Chess960"]\n\n1. e4 *', r"mine\.pgn:3: a game of Chess960"),
        ("garbage text here", r"mine\.pgn:3: 'garbage' is no legal move"),
        ("1. e4 e5 2. Nf9 *", r"mine\.pgn:3: 'Nf9' is no legal move"),
        ("1. e4 e5 2. #!% *", r"mine\.pgn:3: '#!%' is nothing that stands between moves"),
        ("1. e4 e5 2. -- *", r"mine\.pgn:3: '--' is nothing that"),
        ("1. e4 (1. d4 d5\n2. c9) e5 *", r"mine\.pgn:4: 'c9' is no legal move"),
        ("1. e4 (1. d4 d5", r"mine\.pgn:\d: a variation has no end"),
        ("1. e4) e5 *", r"mine\.pgn:3: a variation ends that has not begun"),
        ("1. e4 {a comment without an end *", r"mine\.pgn:3: '{a' is nothing that"),
        ('[Event "x"]\n\n*', r"mine\.pgn:3: a game without moves begins here"),
        ('[Event "x"]\n[Event]\n\n1. e4 *', r"mine\.pgn:4: '\[Event\]' begins no tag pair"),
        ('[FEN "8/8/8/8/8/8/8/K7 w - - 0 1"]\n\n1. Kb1 *', r"mine\.pgn:3: .*Black has no king"),
    ],
)
def test_a_game_that_cannot_be_gone_on_with_is_named(
    tmp_path: Path, game: str, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "mine.pgn"
    path.write_text(f"1. e4 c5 *\n\n{game}\n", encoding="utf-8")
    with pytest.raises(UserError, match=told):
        read_openings(path)


def test_all_that_a_pgn_may_hold_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.pgn"
    path.write_text(
        "% an escape\n"
        '[Event "a \\"name\\""] [ECO "C44"]\n\n'
        "{first} 1.e4! $1 e5 (1... c5 (1... e6 {French} 2. d4) 2. Nf3 d6) 2. Nf3 Nc6 ; to the end 1. h9\n"
        "3 d4 exd4 4. Bc4 a6 5.O-O a5 6. Re1?!\n"
        '[Event "no result before it"]\n\n1. e4 c5 1/2-1/2\n\n{at the end}\n',
        encoding="utf-8",
    )
    first, second = read_openings(path)
    board = chess.Board()
    for san in ["e4", "e5", "Nf3", "Nc6", "d4", "exd4", "Bc4", "a6", "O-O", "a5", "Re1"]:
        board.push_san(san)
    assert (first.fen, first.eco) == (board.fen(), "C44")
    assert second.fen == SICILIAN


@pytest.mark.parametrize("name", ["empty.epd", "empty.pgn"])
def test_an_empty_file_has_no_openings(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("# nothing\n" if name.endswith("epd") else "", encoding="utf-8")
    with pytest.raises(UserError, match="there are none in it"):
        read_openings(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"none\.epd: cannot be read: No such file"):
        read_openings(tmp_path / "none.epd")
