"""What a registered comparison has shown: accepted, rejected, inconclusive or invalid. Pure.

Pairs are consumed in schedule order, up to the first that is missing: in order of completion, short games
would come first, and whoever wins quickly would seem better than it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bot.lab.duplicates import repeated_games
from bot.lab.records import PairRecord
from bot.lab.registration import MOST_FORFEITS, FixedTest, SprtTest, Test
from bot.lab.stats.counts import Pentanomial
from bot.lab.stats.elo import Estimate, elo
from bot.lab.stats.sign_flip import sign_flip

Verdict = Literal["accepted", "rejected", "inconclusive", "invalid"]

EXIT_CODES: Mapping[Verdict, int] = {"accepted": 0, "rejected": 1, "inconclusive": 2, "invalid": 3}


@dataclass(frozen=True, slots=True)
class Finding:
    """`verdict` and why, one line each. `complete`: no pair is owed any more; until then there is no verdict
    but "invalid".

    `pairs`: of the candidate's view, those consumed; `clean`: those of them without a fault. `duplicates`:
    games that repeat earlier ones. `p`: one-sided, of a fixed sample; `llr` and its course after each pair:
    of a sequential test. None where nothing was consumed.
    """

    verdict: Verdict
    complete: bool
    reasons: tuple[str, ...]
    pairs: Pentanomial
    clean: Pentanomial
    forfeits: int
    duplicates: int
    elo: Estimate | None = None
    p: float | None = None
    llr: float | None = None
    llrs: tuple[float, ...] = ()

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.verdict]


def in_order(records: Sequence[PairRecord]) -> tuple[PairRecord, ...]:
    """`records` by their place in the schedule, up to the first that is missing."""
    found: list[PairRecord] = []
    for record in sorted(records, key=lambda record: record.spec.index):
        if record.spec.index != len(found):
            break
        found.append(record)
    return tuple(found)


def judge(test: Test, records: Sequence[PairRecord], *, broken: Sequence[str] = ()) -> Finding:
    """The verdict on `records` of a match (in any order), from the first player's view.

    `broken`: reasons, from outside of the games, for which the run is not the registered one.
    """
    consumed = in_order(records)[: test.most_pairs]
    llrs: tuple[float, ...] = ()
    if isinstance(test, SprtTest):
        llrs = _llrs(test, consumed)
        stop = next((n for n, llr in enumerate(llrs, start=1) if test.sprt.decide(llr) != "continue"), None)
        consumed, llrs = consumed[:stop], llrs[:stop]
        complete = stop is not None or len(consumed) == test.most_pairs
    else:
        complete = len(consumed) == test.most_pairs
    forfeits = sum(game.fault is not None for record in consumed for game in record.games)
    facts = _Facts(
        consumed=len(consumed),
        pairs=Pentanomial.of(record.score for record in consumed),
        clean=Pentanomial.of(record.score for record in consumed if record.clean),
        forfeits=forfeits,
        duplicates=sum(repeated for _, repeated in repeated_games(consumed)),
        llrs=llrs,
    )
    wrong = [*broken, *_invalid(test, facts, complete=complete)]
    verdict: Verdict = "invalid"
    reasons = tuple(wrong)
    if not wrong:
        verdict, reasons = decide(test, facts.pairs, llrs[-1] if llrs else None)
    return Finding(
        verdict=verdict,
        complete=complete,
        reasons=reasons,
        pairs=facts.pairs,
        clean=facts.clean,
        forfeits=forfeits,
        duplicates=facts.duplicates,
        elo=elo(facts.pairs) if consumed else None,
        p=sign_flip(facts.pairs) if consumed and isinstance(test, FixedTest) else None,
        llr=llrs[-1] if llrs else None,
        llrs=llrs,
    )


@dataclass(frozen=True, slots=True)
class _Facts:
    consumed: int
    pairs: Pentanomial
    clean: Pentanomial
    forfeits: int
    duplicates: int
    llrs: tuple[float, ...]


def _llrs(test: SprtTest, records: Sequence[PairRecord]) -> tuple[float, ...]:
    """The log-likelihood ratio after each of `records`."""
    if not records:
        return ()
    outcomes = np.zeros((len(records), 5))
    outcomes[np.arange(len(records)), [round(2 * record.score) for record in records]] = 1
    return tuple(float(llr) for llr in test.sprt.llrs(outcomes.cumsum(axis=0)))


def _invalid(test: Test, facts: _Facts, *, complete: bool) -> list[str]:
    found = []
    if not complete:
        missing = test.most_pairs - facts.consumed
        found.append(
            f"{missing} of {test.most_pairs} pairs are missing, the first at place {facts.consumed + 1} of "
            "the schedule"
        )
    games = 2 * facts.consumed
    if facts.forfeits > MOST_FORFEITS * games:
        found.append(f"{facts.forfeits} of {games} games ended by a fault; at most {MOST_FORFEITS:.0%} may")
    if facts.duplicates:
        found.append(
            f"{facts.duplicates} of {games} games are copies of others, move for move: they tell nothing"
        )
    return found


def decide(test: Test, pairs: Pentanomial, llr: float | None = None) -> tuple[Verdict, tuple[str, ...]]:
    """What a complete and valid run shows, and why. `llr`: that of `pairs`, where it is known already."""
    score = f"{pairs.score:.1%} of the points in {pairs.pairs} pairs"
    if isinstance(test, SprtTest):
        sprt = test.sprt
        llr = sprt.llr(pairs) if llr is None else llr
        between = f"log-likelihood ratio {llr:.3f} after {pairs.pairs} pairs"
        match sprt.decide(llr):
            case "H1":
                return "accepted", (f"{between}: at or above {sprt.upper:.3f}", score)
            case "H0":
                return "rejected", (f"{between}: at or below {sprt.lower:.3f}", score)
        return "inconclusive", (
            f"{between}: still between {sprt.lower:.3f} and {sprt.upper:.3f}, and no more pairs are "
            "registered",
            score,
        )
    p, estimate = sign_flip(pairs), elo(pairs)
    chance = f"p = {p:.3g} (sign-flip test, one-sided), {{}} {test.alpha:g}"
    difference = f"{score}; Elo difference {estimate}"
    if p < test.alpha:
        return "accepted", (chance.format("below"), difference)
    if estimate.high is not None and estimate.high < test.effect:
        return "rejected", (
            f"at 95 % confidence the difference is below {test.effect:g} Elo",
            chance.format("not below"),
            difference,
        )
    above = f"a difference of {test.effect:g} Elo is not excluded either"
    return "inconclusive", (chance.format("not below"), above, difference)
