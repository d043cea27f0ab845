"""Who plays whom, when, and from where: all of it fixed by the seed. Pure."""

from __future__ import annotations

import hashlib
import itertools
import random
from collections.abc import Sequence

from bot.errors import UserError
from bot.lab.openings import Opening, shuffled
from bot.lab.records import MOST_PAIRS, MOST_SEED, Mode, PairSpec


def pairings(players: Sequence[str], mode: Mode) -> tuple[tuple[str, str], ...]:
    """Who meets whom: in a gauntlet the first player everybody else, otherwise everybody everybody.

    Raises UserError for players that cannot be told apart, or too few or too many of them.
    """
    if len(players) < 2:
        raise UserError(f"a {mode} needs two players, found {', '.join(players) or 'none'}")
    if mode == "match" and len(players) > 2:
        raise UserError(f"a match is between two players, found {len(players)}: {', '.join(players)}")
    twice = sorted({player for player in players if players.count(player) > 1})
    if twice:
        raise UserError(f"{', '.join(twice)} plays twice; ' #2' behind a name tells two of a kind apart")
    if mode == "gauntlet":
        return tuple((players[0], other) for other in players[1:])
    return tuple(itertools.combinations(players, 2))


def schedule(
    players: Sequence[str], mode: Mode, pairs: int, openings: Sequence[Opening], seed: int
) -> tuple[PairSpec, ...]:
    """All pairs of the run in their order: `pairs` rounds, in each of which every pairing has one pair.

    Openings are drawn by lot, none twice before all have come once; in a round all pairings play the same
    one, so that their scores can be compared. Raises UserError as `pairings` does.
    """
    if pairs < 1:
        raise UserError(f"--pairs is {pairs}; it must be at least 1")
    if not 0 <= seed <= MOST_SEED:
        raise UserError(f"--seed is {seed}; it must be from 0 to {MOST_SEED}")
    met = pairings(players, mode)
    if pairs * len(met) > MOST_PAIRS:
        raise UserError(
            f"{pairs} pairs of each two of {len(players)} players are {pairs * len(met):,} pairs; "
            f"at most {MOST_PAIRS:,} can be played in one run"
        )
    drawn = shuffled(openings, pairs, random.Random(seed))
    return tuple(
        _pair(number * len(met) + place, first, second, opening, seed)
        for number, opening in enumerate(drawn)
        for place, (first, second) in enumerate(met)
    )


def _pair(index: int, first: str, second: str, opening: Opening, seed: int) -> PairSpec:
    digest = hashlib.sha256(f"{seed}\n{index}\n{first}\n{second}\n{opening.fen}".encode()).hexdigest()
    return PairSpec(index, digest[:12], first, second, opening, int(digest[12:20], 16))
