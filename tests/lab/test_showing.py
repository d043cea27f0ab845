"""Every estimate from one result."""

from __future__ import annotations

import pytest

from bot.lab.showing import show
from bot.lab.stats.counts import Pentanomial, Wdl


def test_a_published_result() -> None:
    found = show(Wdl(44, 41, 35), Pentanomial(5, 12, 20, 15, 8))
    assert [found.score.low, found.score.high] == pytest.approx([0.448500, 0.624200], abs=1e-3)
    assert found.elo.value == pytest.approx(26.1067, abs=6e-5)
    assert found.p == pytest.approx(0.185224, abs=6e-7)
    assert 0.84 < found.los < 0.85


@pytest.mark.parametrize("games", [Wdl(1, 0, 0), Wdl(0, 1, 1), Wdl()])
def test_games_and_pairs_that_disagree_are_refused(games: Wdl) -> None:
    with pytest.raises(ValueError, match="are not the games of"):
        show(games, Pentanomial(ww=1))
    with pytest.raises(ValueError, match=r"no pairs|no proportion"):
        show(Wdl(), Pentanomial())
