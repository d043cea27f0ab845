"""The file format: what is written is read back, and what is no such file is told in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest

from bot.learning import record_check
from bot.learning.positions import (
    DRAW,
    LOSS,
    MOST_SCORE,
    POSITION,
    WIN,
    Header,
    PositionsError,
    encoded,
    files_of,
    from_board,
    men_of,
    read_file,
    read_header,
    read_positions,
    to_board,
)
from bot.learning.record_check import first_fault
from tests.engine.kit import KIWIPETE, random_positions

Change = Callable[[bytes], bytes]


def header(positions: int, **changed: Any) -> Header:
    values: dict[str, Any] = {
        "seed": 3,
        "shard": 5,
        "settings": {"nodes": 7},
        "engine": "e",
        "generator": "g",
        "network": "none",
        "project": "1.2",
        "counts": {"positions": positions},
    }
    return Header(**values | changed)


def some_positions(count: int, seed: int = 1) -> np.ndarray[Any, np.dtype[np.void]]:
    return np.array(
        [
            from_board(board, score=number - count // 2, result=number % 3)
            for number, board in enumerate(random_positions(count, seed))
        ]
    )


def test_a_record_is_laid_out_as_documented() -> None:
    assert POSITION.itemsize == 32
    board = chess.Board("8/8/8/8/8/5k2/8/K6r b - - 0 30")
    data = from_board(board, score=-513, result=WIN).tobytes()
    squares = 1 << chess.A1 | 1 << chess.H1 | 1 << chess.F3
    assert data[:8] == squares.to_bytes(8, "little")
    assert data[8:10] == bytes([4 << 4 | 14, 6])  # from the lower nibble: white king, black rook, black king
    assert data[10:24] == bytes(14)
    assert data[24:26] == (-513).to_bytes(2, "little", signed=True)
    assert data[26:30] == bytes([WIN, 0, 59, 0])  # Black is to move, after 59 plies
    assert data[30:] == bytes(2)


def test_boards_come_back_with_their_men_turn_and_ply() -> None:
    for board in random_positions(500, seed=2):
        record = from_board(board, score=1, result=DRAW)
        found = to_board(record)
        assert found.piece_map() == board.piece_map()
        assert (found.turn, found.ply()) == (board.turn, board.ply())
        assert found.castling_rights == 0
        assert dict(men_of(record)) == board.piece_map()
        assert from_board(found, score=1, result=DRAW) == record


@pytest.mark.parametrize(
    ("score", "kept"), [(0, 0), (-MOST_SCORE, -3000), (MOST_SCORE + 1, 3000), (-19_999, -3000)]
)
def test_scores_are_clipped(score: int, kept: int) -> None:
    assert from_board(chess.Board(), score=score, result=LOSS)["score"] == kept


def test_more_men_than_there_is_room_for_are_refused() -> None:
    board = chess.Board("pppppppp/pppppppp/8/8/PPPPPPPP/PPPPPPPP/8/Kk6 w - - 0 1")
    with pytest.raises(ValueError, match="34 men, where 32 is the most"):
        from_board(board, score=0, result=DRAW)
    record = from_board(chess.Board(), score=0, result=DRAW)
    record["occupied"] = np.uint64(2**40 - 1)
    with pytest.raises(ValueError, match="40 men, where 32 is the most"):
        men_of(record)


@pytest.mark.parametrize("nibble", [0, 7, 8, 15])
def test_men_that_there_are_not_are_refused(nibble: int) -> None:
    record = from_board(chess.Board(KIWIPETE), score=0, result=DRAW)
    record["men"][0] = record["men"][0] & 0xF0 | nibble
    with pytest.raises(ValueError, match=f"nobody is a {nibble}, which stands on a1"):
        to_board(record)


@pytest.mark.parametrize("count", [0, 1, 300])
def test_a_file_comes_back(tmp_path: Path, count: int) -> None:
    positions = some_positions(count) if count else np.empty(0, POSITION)
    path = tmp_path / "some.positions"
    path.write_bytes(encoded(header(count), positions))
    assert path.stat().st_size == len(path.read_bytes().split(b"\n", 1)[0]) + 1 + 32 * count
    found_header, found = read_file(path)
    assert found_header == read_header(path) == header(count)
    assert found.dtype == POSITION
    assert found.tobytes() == positions.tobytes()


def test_files_of_a_folder_come_by_name_one_after_the_other(tmp_path: Path) -> None:
    parts = {name: some_positions(20, seed) for seed, name in enumerate(("b", "a", "c"))}
    for name, part in parts.items():
        (tmp_path / f"{name}.positions").write_bytes(encoded(header(20), part))
    (tmp_path / "a.positions.tmp").write_bytes(b"half of it")
    assert [path.stem for path in files_of([tmp_path])] == ["a", "b", "c"]
    found = read_positions([tmp_path, tmp_path / "b.positions"])
    assert found.tobytes() == b"".join(parts[name].tobytes() for name in "abcb")


def rewritten(**changed: Any) -> Change:
    """Changes of the header; None takes a field out."""

    def change(data: bytes) -> bytes:
        line, records = data.split(b"\n", 1)
        values = json.loads(line) | changed
        kept = {name: value for name, value in values.items() if value is not None}
        return json.dumps(kept).encode() + b"\n" + records

    return change


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda data: data[:-1], r"is cut short: \d+ bytes, and by its header \d+$"),
        (lambda data: data[: data.index(b"\n") + 1], "is cut short"),
        (lambda data: data + b"x", r"is longer than it should be: \d+ bytes, and by its header \d+$"),
        (lambda data: data[:50], "is no file of positions: its first line is no JSON object"),
        (lambda _: b"", "is no file of positions"),
        (lambda _: b"\x89PNG\r\n\x1a\n" + bytes(99), "is no file of positions"),
        (lambda _: b"[1]\n", "is no file of positions"),
        (lambda data: b"{" + bytes(1 << 17) + data, "is no file of positions"),
        (lambda data: b"{" + data, "its first line cannot be read"),
        (lambda _: b'{"\xff": 1}\n', "its first line cannot be read"),
        (rewritten(format="epd"), "is no file of positions: its format is 'epd'"),
        (rewritten(version=2), "is of version 2, with records of 32 bytes; this program reads version 1"),
        (rewritten(record_bytes=40), "with records of 40 bytes"),
        (rewritten(seed=None), "no proper 'seed': None"),
        (rewritten(network=3), "no proper 'network': 3"),
        (rewritten(counts={"positions": -1}), r"counts of its header are not .*: \{'positions': -1\}"),
        (rewritten(counts={"positions": "9"}), "counts of its header are not"),
        (rewritten(counts={"games": 1}), "counts of its header are not"),
        (rewritten(counts={"positions": 10**30}), "is cut short"),
    ],
)
def test_what_is_no_whole_file_of_positions_is_named(tmp_path: Path, change: Change, told: str) -> None:
    path = tmp_path / "some.positions"
    path.write_bytes(change(encoded(header(9), some_positions(9))))
    for read in (read_header, read_file):
        with pytest.raises(PositionsError, match=told) as caught:
            read(path)
        assert str(caught.value).startswith(str(path))
        assert "\n" not in str(caught.value)


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PositionsError, match=r"nothing\.positions: there is no such file$"):
        read_positions([tmp_path / "nothing.positions"])
    with pytest.raises(
        PositionsError, match=r"there is no file of positions \(\*\.positions\) in this folder"
    ):
        read_positions([tmp_path])
    with pytest.raises(PositionsError, match=r"x\.positions cannot be read: No such file"):
        read_header(tmp_path / "x.positions")


def spoilt(fen: str = chess.STARTING_FEN, **fields: int) -> np.void:
    """A record as no game has it."""
    record = from_board(chess.Board(fen), score=0, result=DRAW)
    for name, value in fields.items():
        record[name] = value
    return record


def with_man(nibble: int, place: int) -> np.void:
    record = spoilt()
    shift = 4 * (place & 1)
    record["men"][place >> 1] = int(record["men"][place >> 1]) & ~(15 << shift) & 0xFF | nibble << shift
    return record


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (spoilt(result=9), "its result is 9, and can be 0, 1 or 2"),
        (spoilt(turn=7), "its turn is 7, and can be 0 or 1"),
        (spoilt(score=-32768), "its score is -32768, and can be 3000 either way"),
        (spoilt(occupied=2**40 - 1), "40 men, where 32 is the most"),
        (with_man(0, 0), "nobody is a 0, which stands on a1"),
        (with_man(15, 15), "nobody is a 15, which stands on h2"),
        (with_man(8, 16), "nobody is a 8, which stands on a7"),
        (with_man(7, 31), "nobody is a 7, which stands on h8"),
        (with_man(14, 3), "White has 2 kings"),
        (with_man(5, 28), "Black has 0 kings"),
        (with_man(13, 28), "White has 17 men, where 16 is the most"),
        (spoilt("4k3/8/8/8/8/8/8/P3K3 w - - 0 1"), "there is a pawn on the first or the last rank"),
        (spoilt("4k2P/8/8/8/8/8/8/4K3 w - - 0 1"), "there is a pawn on the first or the last rank"),
        (spoilt(occupied=0), "White has 0 kings"),
    ],
)
def test_records_that_training_refused_were_shown_as_positions(
    tmp_path: Path, record: np.void, told: str
) -> None:
    positions = some_positions(300)
    positions[217] = record
    path = tmp_path / "spoilt.positions"
    path.write_bytes(encoded(header(300), positions))
    for read in (read_file, lambda path: read_positions([path])):
        with pytest.raises(PositionsError) as caught:
            read(path)
        assert str(caught.value).startswith(f"{path}: position 217: {told}")


def test_no_position_of_a_game_is_refused() -> None:
    assert first_fault(some_positions(3000, 5), most_score=MOST_SCORE) is None
    assert first_fault(np.empty(0, POSITION), most_score=MOST_SCORE) is None
    ends = [spoilt(), spoilt("k7/P7/8/8/8/8/p7/7K b - - 0 1"), spoilt(score=3000), spoilt(score=-3000)]
    assert first_fault(np.array(ends), most_score=MOST_SCORE) is None


def test_a_fault_far_into_a_file_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_check, "CHUNK", 7)
    positions = some_positions(50)
    positions["turn"][[30, 40]] = 2
    assert first_fault(positions, most_score=MOST_SCORE) == 30
