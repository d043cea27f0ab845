from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from bot.lab.records import PairRecord
from bot.lab.registration import FixedTest, SprtTest
from bot.lab.stats.counts import Pentanomial
from bot.lab.stats.sprt import Sprt
from bot.lab.verdict import EXIT_CODES, Finding, decide, in_order, judge
from tests.lab import run_kit

PAIRS = 60
HEADER = run_kit.header("A", "B", pairs=PAIRS)
FIXED = FixedTest(PAIRS)
#: Three standard deviations of a share of 5 % in 3000 trials.
CHANCE = 0.012
SPRT = SprtTest(Sprt(0.0, 50.0), PAIRS)


def counted(ll: int, ld: int, dd: int, wd: int, ww: int) -> list[float]:
    return [0] * ll + [0.5] * ld + [1] * dd + [1.5] * wd + [2] * ww


def verdict(scores: Sequence[float], test: FixedTest | SprtTest = FIXED) -> Finding:
    return judge(test, run_kit.played(HEADER, scores))


def test_exit_codes() -> None:
    assert EXIT_CODES == {"accepted": 0, "rejected": 1, "inconclusive": 2, "invalid": 3}


def test_a_clear_difference_is_accepted() -> None:
    found = verdict(counted(2, 6, 20, 16, 16))

    assert (found.verdict, found.exit_code, found.complete) == ("accepted", 0, True)
    assert found.p == pytest.approx(3.4205e-5, rel=1e-4)


def test_a_small_one_is_inconclusive() -> None:
    found = verdict(counted(5, 12, 20, 15, 8))

    assert found.verdict == "inconclusive"
    assert found.p == pytest.approx(0.185224, rel=1e-5)
    assert "not below 0.05" in found.reasons[0]


def test_one_the_other_way_round_is_rejected() -> None:
    assert verdict(counted(16, 16, 20, 6, 2)).verdict == "rejected"


def test_less_than_would_matter_is_rejected() -> None:
    """At 60 pairs of which 56 are even, 20 Elo more would have been seen."""
    scores = counted(0, 2, 56, 2, 0)

    assert verdict(scores).verdict == "inconclusive"
    assert verdict(scores, FixedTest(PAIRS, effect=20)).verdict == "rejected"


def test_players_that_always_draw_are_inconclusive() -> None:
    assert verdict([1] * PAIRS).verdict == "inconclusive"


def test_missing_pairs_are_invalid_however_the_others_ended() -> None:
    records = run_kit.played(HEADER, [2] * PAIRS)
    found = judge(FIXED, records[:20] + records[21:])

    assert (found.verdict, found.complete) == ("invalid", False)
    assert found.reasons == ("40 of 60 pairs are missing, the first at place 21 of the schedule",)


def test_pairs_are_consumed_in_schedule_order_up_to_the_first_gap() -> None:
    records = run_kit.played(HEADER, [2] * 5)

    assert in_order([records[3], records[0], records[1]]) == records[:2]


def test_more_than_one_fault_in_a_hundred_games_is_invalid() -> None:
    records = list(run_kit.played(HEADER, [2] * PAIRS))
    records[0] = run_kit.pair(records[0].spec, 2, fault="crash")
    assert judge(FIXED, records).verdict == "accepted"
    records[1] = run_kit.pair(records[1].spec, 2, fault="time loss")
    found = judge(FIXED, records)

    assert found.verdict == "invalid"
    assert found.reasons == ("2 of 120 games ended by a fault; at most 1% may",)
    assert (found.pairs.pairs, found.clean.pairs) == (60, 58)


def test_copies_are_invalid() -> None:
    records = list(run_kit.played(HEADER, [2] * PAIRS))
    same_opening = records[0].spec.opening
    for place in (0, 1):
        spec = records[place].spec
        moved = type(spec)(spec.index, spec.pair_id, spec.first, spec.second, same_opening, spec.seed)
        records[place] = run_kit.pair(moved, 2, moves=("e2e4", "e7e5"))
    found = judge(FIXED, records)

    assert (found.verdict, found.duplicates) == ("invalid", 2)


def test_one_copied_game_in_a_pair_is_invalid() -> None:
    records = list(run_kit.played(HEADER, [2] * PAIRS))
    same = replace(records[1].spec, opening=records[0].spec.opening)
    records[1] = replace(records[1], spec=same, games=(records[0].games[0], records[1].games[1]))
    found = judge(FIXED, records)

    assert (found.verdict, found.duplicates) == ("invalid", 1)
    assert found.reasons == ("1 of 120 games are copies of others, move for move: they tell nothing",)


def test_two_equal_players_that_play_both_games_alike_are_no_copies() -> None:
    assert verdict([1] * PAIRS).duplicates == 0


def test_what_breaks_the_run_from_outside_is_invalid() -> None:
    found = judge(FIXED, run_kit.played(HEADER, [2] * PAIRS), broken=["other openings"])

    assert (found.verdict, found.reasons) == ("invalid", ("other openings",))


def test_a_sequential_test_ends_at_its_bound() -> None:
    """Of the reference values: 22 won pairs are not enough, the next one is."""
    found = verdict([2] * PAIRS, SPRT)

    assert (found.verdict, found.complete, found.pairs.pairs) == ("accepted", True, 23)
    assert found.llrs[21] == pytest.approx(2.939267, abs=1e-6)
    assert verdict([2] * 22, SPRT).verdict == "invalid"


def test_what_comes_after_the_bound_does_not_count() -> None:
    assert verdict([2] * 23 + [0] * 37, SPRT).verdict == "accepted"


def test_it_rejects_and_it_ends_undecided() -> None:
    assert verdict([0] * PAIRS, SPRT).verdict == "rejected"
    assert verdict([1, 1.5, 0.5, 1] * 3, SprtTest(SPRT.sprt, 12)).verdict == "inconclusive"


@pytest.mark.parametrize("test", [FIXED, SPRT])
def test_nothing_played_is_invalid(test: FixedTest | SprtTest) -> None:
    assert judge(test, ()).verdict == "invalid"


@pytest.mark.parametrize(
    ("pairs", "shares"),
    [
        (60, (1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16)),  # half of the games drawn
        (60, (0.01, 0.09, 0.8, 0.09, 0.01)),  # strong players: nearly all drawn
        (200, (0.12, 0.2, 0.36, 0.2, 0.12)),
        (20, (0.25, 0.0, 0.5, 0.0, 0.25)),  # never a draw
    ],
)
def test_a_player_against_itself_is_inconclusive_some_95_times_in_100(
    pairs: int, shares: tuple[float, ...]
) -> None:
    """By the registered rule: at alpha 0.025 an error of 2.5 % each way. At 0.05, the usual one, up to 5 %
    are accepted."""
    drawn = [
        Pentanomial(*map(int, counts))
        for counts in np.random.default_rng(9).multinomial(pairs, shares, 3_000)
    ]
    strict, usual = (
        Counter(decide(FixedTest(pairs, alpha), counts)[0] for counts in drawn) for alpha in (0.025, 0.05)
    )

    assert 0.935 <= strict["inconclusive"] / 3_000 <= 0.985
    assert strict["accepted"] / 3_000 <= 0.025 + CHANCE
    assert strict["rejected"] / 3_000 <= 0.03 + CHANCE
    assert 0.915 <= usual["inconclusive"] / 3_000 <= 0.97
    assert usual["accepted"] / 3_000 <= 0.05 + CHANCE


def test_the_record_decides_and_not_its_place_in_the_journal() -> None:
    records: list[PairRecord] = list(run_kit.played(HEADER, counted(5, 12, 20, 15, 8)))
    shuffled = records[:]
    random.Random(3).shuffle(shuffled)

    assert judge(SPRT, shuffled) == judge(SPRT, records)
