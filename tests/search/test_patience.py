"""More time when the search changes its mind, less when it does not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.search.patience import LEAST_SHARE, MOST_SHARE, Patience
from bot.search.scores import mate_in

CALM = Patience().iteration(20, changed=True).iteration(20, changed=False).iteration(22, changed=False)


def test_a_best_move_that_stays_is_played_sooner_and_sooner() -> None:
    shares = [CALM.share]
    patience = CALM
    for _ in range(4):
        patience = patience.iteration(20, changed=False)
        shares.append(patience.share)
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] < 0.8 * shares[0]
    assert shares[-1] < 0.9


def test_a_new_best_move_takes_more_time() -> None:
    once = CALM.iteration(20, changed=True)
    assert once.share > CALM.share + 0.2
    assert once.iteration(20, changed=True).share > once.share
    assert once.iteration(20, changed=False).share < once.share


def test_a_falling_score_takes_more_time_and_a_rising_one_does_not() -> None:
    calm = CALM.iteration(22, changed=False).share
    assert CALM.iteration(300, changed=False).share == calm
    assert CALM.iteration(15, changed=False).share == calm  # a trifle
    small, large = CALM.iteration(-30, changed=False).share, CALM.iteration(-180, changed=False).share
    assert calm < small < large
    assert CALM.iteration(-5_000, changed=False).share <= MOST_SHARE


def test_a_fall_that_is_over_is_forgotten() -> None:
    fallen = CALM.iteration(-180, changed=False)
    assert fallen.iteration(-180, changed=False).share < fallen.share


def test_a_warning_in_the_midst_of_an_iteration_counts_at_once() -> None:
    assert CALM.warned(-100).share > CALM.share
    assert CALM.warned(40, changed=True).share > CALM.share
    assert CALM.warned(25).share == CALM.share


def test_a_mate_that_is_gone_is_no_fall() -> None:
    """Its score is no number of centipawns."""
    assert Patience().iteration(mate_in(9), changed=False).warned(300).fall == 0


@given(st.lists(st.tuples(st.integers(-100_000, 100_000), st.booleans()), max_size=30))
def test_the_share_stays_within_its_bounds(iterations: list[tuple[int, bool]]) -> None:
    patience = Patience()
    for score, changed in iterations:
        patience = patience.iteration(score, changed=changed)
        assert LEAST_SHARE <= patience.share <= MOST_SHARE
