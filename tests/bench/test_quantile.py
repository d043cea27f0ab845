"""Quantiles, by hand."""

from __future__ import annotations

import pytest

from bot.bench.quantile import quantile


@pytest.mark.parametrize(
    ("share", "expected"),
    [(0.0, 1), (0.25, 1), (0.26, 2), (0.5, 2), (0.75, 3), (0.76, 4), (0.99, 4), (1.0, 4)],
)
def test_at_least_that_share_is_not_larger(share: float, expected: float) -> None:
    assert quantile([3, 1, 4, 2], share) == expected


def test_of_one_value_it_is_that_value() -> None:
    assert quantile([7.5], 0.99) == 7.5


def test_of_nothing_there_is_none() -> None:
    with pytest.raises(ValueError, match="no values"):
        quantile([], 0.5)
