"""Exact tests, against published values and against counting by hand."""

from __future__ import annotations

import itertools
import math

import pytest

from bot.lab.stats.counts import PAIR_SCORES, Pentanomial
from bot.lab.stats.sign_flip import sign_flip, sign_test


def test_pairs_as_published() -> None:
    assert sign_flip(Pentanomial(5, 12, 20, 15, 8)) == pytest.approx(0.185224, abs=6e-7)
    assert sign_flip(Pentanomial(2, 6, 20, 16, 16)) == pytest.approx(3.4205e-5, abs=6e-10)


@pytest.mark.parametrize(
    "pairs", [Pentanomial(1, 2, 3, 1, 2), Pentanomial(0, 3, 0, 4, 0), Pentanomial(2, 0, 1, 0, 5)]
)
def test_it_is_the_share_of_all_signs(pairs: Pentanomial) -> None:
    differences = [
        score - 0.5 for score, count in zip(PAIR_SCORES, pairs.counts, strict=True) for _ in range(count)
    ]
    sums = [
        sum(sign * difference for sign, difference in zip(signs, differences, strict=True))
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    observed = sum(differences)
    assert sign_flip(pairs) == pytest.approx(sum(found >= observed for found in sums) / len(sums))


def test_without_differences_nothing_is_shown() -> None:
    assert sign_flip(Pentanomial()) == 1
    assert sign_flip(Pentanomial(dd=50)) == 1
    assert sign_flip(Pentanomial(ww=10)) == pytest.approx(2**-10)
    assert sign_flip(Pentanomial(ll=10)) == 1


def test_many_pairs_are_no_trouble() -> None:
    pairs = Pentanomial(379, 10170, 21828, 10640, 343)
    z = (pairs.score - 0.5) / math.sqrt(pairs.variance / pairs.pairs)
    assert sign_flip(pairs) == pytest.approx(math.erfc(z / math.sqrt(2)) / 2, rel=0.02)


def test_decisive_games_as_published() -> None:
    assert sign_test(70, 50) == pytest.approx(0.0412, abs=5e-5)
    assert sign_test(69, 51) == pytest.approx(0.0602, abs=5e-5)
    assert sign_test(0, 7) == 1
    assert sign_test(3, 0) == pytest.approx(1 / 8)
    with pytest.raises(ValueError, match="no games: -1 won, 3 lost"):
        sign_test(-1, 3)


@pytest.mark.parametrize("lost", [1, 5, 9, 47])
def test_what_is_certain_is_exactly_one(lost: int) -> None:
    """Five lost pairs were p = 0.9999999999999998."""
    assert sign_flip(Pentanomial(ll=lost)) == 1
    assert sign_flip(Pentanomial(ld=lost, ll=3)) == 1
