"""From pairs to what is said of the players."""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from rich.console import Console

from bot.errors import UserError
from bot.lab.openings import Opening
from bot.lab.records import PairRecord, RunHeader
from bot.lab.showing import show
from bot.lab.standings import Standings, standings
from bot.lab.standings_json import as_dict
from bot.lab.stats.counts import Pentanomial, Wdl
from bot.lab.stats.elo import UNKNOWN, elo
from bot.lab.tables import print_standings

from .pair_kit import GAMES, OPENING, again, header, pair, pairs_of


def standing(run: RunHeader, records: Sequence[PairRecord], anchor: str | None = None) -> Standings:
    return standings(run, records, anchor=anchor, resamples=300)


def printed(found: Standings, width: int = 80) -> str:
    out = io.StringIO()
    print_standings(found, Console(file=out, width=width, color_system=None))
    return out.getvalue()


def test_a_match_is_counted_from_both_sides() -> None:
    records = [*pairs_of("a", "b", 2, 1.5, 1, 0), *pairs_of("b", "a", 2, 0.5)]
    found = standing(header("a", "b", pairs=6), records)
    (meeting,) = found.pairings
    assert (meeting.first, meeting.second) == ("a", "b")
    assert meeting.showing.pairs == Pentanomial(ll=2, dd=1, wd=2, ww=1)
    assert list(meeting.course) == [2, 1.5, 1, 0, 0, 1.5]
    assert meeting.showing.games == Wdl(won=4, drawn=4, lost=4)
    of_a, of_b = (row.showing for row in found.players)
    assert of_a == meeting.showing
    assert of_b == show(meeting.showing.games.swapped, meeting.showing.pairs.swapped)
    assert meeting.showing.elo == elo(meeting.showing.pairs)
    assert (found.planned, found.finished, found.duplicates) == (6, 6, 0)
    assert found.endings == (("checkmate", 8), ("stalemate", 4))


def test_the_ratings_of_a_match_are_the_elo_of_its_score() -> None:
    records = [*pairs_of("a", "b", *[2] * 12, *[1.5] * 10, *[1] * 5, *[0] * 3)]
    found = standing(header("a", "b"), records, anchor="b")
    assert found.anchor == "b"
    assert found.ranking == ("a", "b")
    assert found.players[0].rating.value == pytest.approx(found.pairings[0].showing.elo.value)
    assert found.pairings[0].expected == pytest.approx(found.pairings[0].showing.score.value)
    assert found.pairings[0].residual is None
    assert found == standing(header("a", "b"), records, anchor="b")  # the seed is in the header


def test_a_field_with_expected_and_observed_scores() -> None:
    records = [
        *pairs_of("a", "b", *[2, 2, 1, 1.5] * 3),
        *pairs_of("b", "c", *[2, 1, 1, 1.5] * 3),
        *pairs_of("a", "c", *[2, 0, 1, 1.5] * 3),
    ]
    found = standing(header("a", "b", "c", mode="round-robin", pairs=12), records)
    assert found.planned == 36
    assert found.groups == (("a", "b", "c"),)
    assert found.misfit is not None
    assert found.draw_parameter is not None
    surplus = {(row.first, row.second): row.showing.score.value - row.expected for row in found.pairings}
    assert surplus["a", "b"] == pytest.approx(-surplus["a", "c"])
    assert found.misfit.p < 0.05
    assert "who beats whom is not a matter of strength alone" in " ".join(printed(found).split())


def test_the_same_games_again_count_once() -> None:
    first, *others = pairs_of("a", "b", 2, 1, 1.5)
    found = standing(header("a", "b"), [first, *others, again(first), again(first)])
    assert (found.finished, found.duplicates) == (5, 2)
    assert found.pairings[0].duplicates == 2
    assert found.pairings[0].showing.pairs == Pentanomial(dd=1, wd=1, ww=1)
    assert found.repeated_games == 4
    said = " ".join(printed(found).split())
    assert "4 games repeat earlier ones move for move: the 2 of 5 pairs that they are in are not" in said


def test_a_pair_with_one_repeated_game_is_not_counted() -> None:
    """Only whole pairs were looked for, so one game in each of them could be the same ever again."""
    first, other = pairs_of("a", "b", 2, 0)
    half = replace(other, games=(first.games[0], other.games[1]))
    found = standing(header("a", "b"), [first, half])
    assert (found.finished, found.duplicates, found.repeated_games) == (2, 1, 1)
    assert found.pairings[0].showing.pairs == Pentanomial(ww=1)


def test_players_that_move_alike_are_told_of() -> None:
    found = standing(header("a", "b"), [pair("a", "b", ("1-0", "1-0"))])
    assert (found.duplicates, found.mirrored) == (0, 1)
    assert "In 1 pairs both games are the same one" in " ".join(printed(found).split())


def test_equal_moves_with_other_players_or_results_are_no_repetition() -> None:
    records = [
        pair("a", "b", GAMES[2], moves=()),
        pair("a", "b", GAMES[0], moves=()),
        pair("a", "c", GAMES[2], moves=()),
        pair("b", "a", GAMES[2], moves=(), opening=Opening(OPENING.fen.replace("0 1", "0 2"))),
    ]
    found = standing(header("a", "b", "c", mode="round-robin"), records)
    assert found.duplicates == 0


def test_a_return_match_of_the_same_games_is_a_repetition() -> None:
    """`b`'s game with White comes first, and the rest is the same."""
    one = pair("a", "b", ("1-0", "0-1"), moves=())
    other = pair("b", "a", ("0-1", "1-0"), moves=())
    assert standing(header("a", "b"), [one, other]).duplicates == 1


def test_faults_are_counted_apart_with_the_score_beside() -> None:
    records = [
        *pairs_of("a", "b", 2, 1.5, 1),
        pair("a", "b", ("1-0", "1/2-1/2"), faults=("crash", None)),
        pair("a", "b", ("1-0", "0-1"), faults=("time loss", "crash")),
        pair("a", "b", ("0-1", "1/2-1/2"), faults=("stall", None)),
    ]
    found = standing(header("a", "b", pairs=6), records)
    of_a, of_b = found.players
    assert of_a.faults == (("stall", 1),)
    assert of_b.faults == (("crash", 2), ("time loss", 1))
    assert of_a.showing is not None
    assert of_a.clean is not None
    assert (of_a.showing.games.games, of_a.clean.games.games) == (12, 6)
    assert of_a.clean.pairs == Pentanomial(dd=1, wd=1, ww=1)
    said = " ".join(printed(found).split())
    assert "b lost games by faults of its own: crash 2, time loss 1." in said
    assert "a - b: 70.8% of 12 games; without pairs in which anybody was at fault 75.0% of 6" in said


def test_no_pair_without_a_fault() -> None:
    found = standing(header("a", "b"), [pair("a", "b", ("1-0", "0-1"), faults=("crash", None))])
    assert found.players[0].clean is None
    assert "a - b: no pair is without a fault." in printed(found)


def test_before_the_first_pair() -> None:
    found = standing(header("a", "b", "c", mode="gauntlet"), [])
    assert found.planned == 20
    assert found.pairings == ()
    assert [row.showing for row in found.players] == [None] * 3
    assert [row.rating for row in found.players[1:]] == [UNKNOWN] * 2
    assert found.openings == ()
    assert "0 of 20 pairs are finished" in printed(found)


def test_an_anchor_that_did_not_play_is_refused() -> None:
    with pytest.raises(UserError, match="d cannot be the anchor: it is none of a, b"):
        standing(header("a", "b"), [], anchor="d")


@pytest.mark.parametrize(
    "records",
    [
        [],
        [*pairs_of("a", "b", 2)],
        [*pairs_of("a", "b", 2, 2, 2, 2, 2)],
        [*pairs_of("a", "b", 0, 0)],
        [*pairs_of("a", "b", *[1] * 20)],
        [*pairs_of("a", "b", 2, 2), *pairs_of("b", "c", 2, 2), *pairs_of("a", "c", 2, 2)],
        [*pairs_of("a", "b", 2, 0), *pairs_of("c", "d", 1)],
        [*pairs_of("a", "b", 0.5), *pairs_of("b", "c", 2), *pairs_of("c", "d", 2), *pairs_of("d", "b", 2)],
    ],
)
def test_little_is_said_of_little_and_all_of_it_in_numbers(records: list[PairRecord]) -> None:
    run = header("a", "b", "c", "d", mode="round-robin")
    for anchor in "abcd":
        found = standing(run, records, anchor)
        text = printed(found)
        assert "nan" not in text
        assert "inf" not in text
        json.dumps(as_dict(found), allow_nan=False)
        assert sorted(found.ranking) == ["a", "b", "c", "d"]


def test_perfect_scores_are_shown_as_bounds() -> None:
    found = standing(header("a", "b", pairs=5), [*pairs_of("a", "b", 2, 2, 2, 2, 2)])
    assert found.groups == (("a",), ("b",))
    text = printed(found)
    assert "> +166" in text
    assert "< -166" in text
    assert "100.0%" in text
    assert "Without finite differences between them: a | b." in text


def test_the_json_has_all_of_it() -> None:
    records = [*pairs_of("a", "b", 2, 1.5, 1, 0), pair("a", "b", ("1-0", "1-0"), faults=("crash", None))]
    found = as_dict(standing(header("a", "b", pairs=9), records))
    assert found == json.loads(json.dumps(found, allow_nan=False))
    assert found["pairs"] == {"planned": 9, "finished": 5, "duplicates": 0}
    assert found["anchor"] == "a"
    assert isinstance(found["players"], list)
    of_b = found["players"][1]
    assert of_b["faults"] == {"crash": 1}
    assert of_b["all"]["pentanomial"] == [1, 1, 2, 0, 1]
    assert of_b["without_faults"]["games"] == 8
    assert isinstance(found["openings"], list)
    assert found["openings"][0]["pairs_flipped"] == 1


@pytest.mark.parametrize("width", [60, 80, 120])
def test_tables_fit_the_terminal(width: int) -> None:
    names = ("random", "depth_by_space", "classical:nodes=3000")
    records = [
        record
        for first, second in itertools.pairwise(names)
        for record in pairs_of(first, second, *[1, 1.5, 0.5, 2, 0] * 3)
    ]
    lines = printed(standing(header(*names, mode="gauntlet"), records), width).splitlines()
    assert max(map(len, lines)) <= width
    if width >= 80:
        assert any("classical:nodes=3000" in line for line in lines)
