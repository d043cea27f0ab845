"""Records and their JSON."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from typing import Any

import pytest

from bot.lab.json_fields import RecordError
from bot.lab.records import GameRecord, MoveRecord, PairRecord, PairSpec, RunHeader
from tests.lab.kit import a_game, a_header, a_pair, a_spec


def through_json(value: object) -> Any:
    return json.loads(json.dumps(value))


def test_everything_comes_back_from_json_as_it_was() -> None:
    fault = GameRecord(
        "a",
        "b",
        "0-1",
        "crash",
        "crash",
        "white",
        "x.py:1: KeyError",
        (MoveRecord("e2e4", 12, 31, None, 8, 9000),),
    )
    pair = PairRecord(a_spec(3), (fault, a_game("b", "a", "1-0", "g1f3")), 77, "w")
    assert PairRecord.from_json(through_json(pair.to_json())) == pair
    assert PairSpec.from_json(through_json(pair.spec.to_json())) == pair.spec
    header = replace(a_header(), registration="f" * 64, player_codes=("1", None))
    assert RunHeader.from_json(through_json(header.to_json())) == header


@pytest.mark.parametrize(
    "move",
    [
        MoveRecord("e2e4", 0),
        MoveRecord("e7e8q", 1, -30),
        MoveRecord("e2e4", 1, None, -3, 7),
        MoveRecord("e2e4", 1, None, None, None, 5),
    ],
)
def test_a_move_is_a_list_without_nones_at_its_end(move: MoveRecord) -> None:
    written = move.to_json()
    assert written[-1] is not None
    assert MoveRecord.from_json(through_json(written)) == move


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("spec", "index"), -1, r"spec\.index must be a whole number from 0 to 999999, found -1"),
        (("spec", "index"), True, r"spec\.index"),
        (("spec", "seed"), "7", r"spec\.seed must be a whole number from 0 to \d+, found '7'"),
        (("spec", "opening", "fen"), None, r"spec\.opening\.fen must be text"),
        (("spec", "extra"), 1, r"spec\.extra is not known; there are index, pair_id"),
        (("games", 0, "result"), "2-0", r"games\[0\]\.result must be one of 1-0, 0-1, 1/2-1/2, found '2-0'"),
        (("games", 1, "fault"), "sulk", r"games\[1\]\.fault must be one of crash, stall"),
        (("games", 1, "fault"), "crash", r"games\[1\]: a fault and who is to blame for it"),
        (("games", 1, "moves", 0), ["e2e4"], r"games\[1\]\.moves\[0\] must be a list of uci, time_ms"),
        (("games", 1, "moves", 0), ["e2e4", 1.5], r"games\[1\]\.moves\[0\]"),
        (("games", 1, "moves", 0), ["e2e4", 1, True], r"games\[1\]\.moves\[0\]"),
        (("games", 1, "white"), "a", r"must be a - b and its return"),
        (("games",), [], r"must be a - b and its return"),
        (("duration_ms",), 1.5, r"pair\.duration_ms"),
        (("duration_ms",), -5, r"pair\.duration_ms must be a whole number from 0 to"),
        (("spec", "index"), 10**30, r"spec\.index must be a whole number from 0 to 999999, found 1000"),
        (("games", 0, "moves", 0), ["e2e4", -1], r"moves\[0\]\.time_ms must be a whole number from 0 to"),
        (("games", 0, "moves", 0), ["e2e4", 10**30], r"games\[0\]\.moves\[0\]\.time_ms"),
        (("games", 0, "moves", 0), ["e2e4", 1, 10**30], r"games\[0\]\.moves\[0\]\.score_cp"),
        (("games", 0, "moves", 0), ["e2e4", 1, None, -(10**30)], r"games\[0\]\.moves\[0\]\.mate_in"),
        (("games", 0, "moves", 0), ["e2e4", 1, None, None, -3], r"games\[0\]\.moves\[0\]\.depth"),
        (("games", 0, "moves", 0), ["e2e4", 1, 5, None, 3, -9], r"games\[0\]\.moves\[0\]\.nodes .*found -9"),
    ],
)
def test_what_does_not_fit_is_named(path: tuple[str | int, ...], value: object, told: str) -> None:
    written = through_json(a_pair().to_json())
    inner = written
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(RecordError, match=told):
        PairRecord.from_json(written)


@pytest.mark.parametrize("name", ["seed", "commit", "players", "registration"])
def test_a_header_must_be_whole(name: str) -> None:
    written = through_json(a_header().to_json())
    del written[name]
    with pytest.raises(RecordError, match=rf"header\.{name} is missing"):
        RunHeader.from_json(written)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("pairs", 10**12, r"header\.pairs must be a whole number from 1 to 1000000, found 1000000000000"),
        ("pairs", 0, r"header\.pairs"),
        ("seed", 10**30, r"header\.seed"),
        ("max_plies", 10**30, r"header\.max_plies"),
        ("created", "yesterday", r"header\.created must be a moment in ISO 8601, found 'yesterday'"),
        ("player_codes", [None], r"header\.player_codes must be one for each player: 2, found 1"),
        ("players", ["a", "a"], r"header\.players are none that play a match"),
        ("players", ["a", "b", "c"], r"header\.players are none that play a match"),
    ],
)
def test_a_header_that_no_run_can_have_is_refused(name: str, value: object, told: str) -> None:
    """Of 10**12 pairs the schedule alone would fill the memory."""
    written = through_json(a_header().to_json()) | {name: value}
    with pytest.raises(RecordError, match=told):
        RunHeader.from_json(written)


def test_all_pairs_of_a_tournament_count_for_the_bound() -> None:
    header = a_header(players=("a", "b", "c"), mode="round-robin", pairs=400_000)
    with pytest.raises(RecordError, match=r"header\.pairs must be a whole number from 1 to 333333"):
        RunHeader.from_json(through_json(header.to_json()))


def test_who_lost_by_a_fault_has_not_won() -> None:
    written = through_json(a_pair(None, "1-0", "1-0").to_json())
    written["games"][0] |= {"fault": "crash", "fault_by": "white"}
    with pytest.raises(RecordError, match=r"games\[0\]\.result is 1-0, and it was white that lost"):
        PairRecord.from_json(written)


def test_another_schema_is_not_read() -> None:
    with pytest.raises(RecordError, match=r"header\.schema is 99; this version reads 1"):
        RunHeader.from_json({"schema": 99, "whatever": 1})


def test_when_and_from_which_copy_a_run_was_played_does_not_define_it() -> None:
    header = a_header()
    same = replace(header, created="2027-01-01T00:00:00+00:00", commit=None, version="9")
    assert same.identity == header.identity
    for name, value in {"seed": 2, "code": "x", "player_codes": ("x", None), "registration": "1"}.items():
        assert replace(header, **{name: value}).identity != header.identity  # type: ignore[arg-type]  # by name


def test_the_score_of_a_pair_is_the_first_players() -> None:
    assert [a_pair(None, *each).score for each in (("1-0", "0-1"), ("1-0", "1-0"), ("0-1", "1/2-1/2"))] == [
        2,
        1,
        0.5,
    ]


def test_a_fault_makes_a_pair_unclean() -> None:
    pair = a_pair()
    assert pair.clean
    broken = replace(pair.games[1], fault="stall", fault_by="black")
    assert not replace(pair, games=(pair.games[0], broken)).clean


def test_the_same_moves_from_the_same_opening_have_the_same_hash_whoever_played_and_however_long() -> None:
    pair = a_pair()
    slower = copy.deepcopy(pair)
    slow_game = replace(pair.games[0], moves=(MoveRecord("g1f3", 900, 5),))
    slower = replace(pair, spec=a_spec(1, first="c", second="d"), games=(slow_game, pair.games[0]))
    assert slower.moves_hash == (pair.moves_hash[0], pair.moves_hash[0])
    assert pair.moves_hash[0] != pair.moves_hash[1]
