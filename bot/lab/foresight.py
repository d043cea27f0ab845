"""What a comparison will be able to see, and how long it will take: told before it is registered. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from bot.lab.budgets import OnClock, PerMove, Unhurried
from bot.lab.pair_player import PlaySettings
from bot.lab.registration import FixedTest, SprtTest, Test
from bot.lab.run_progress import duration
from bot.lab.stats.power import Pairing, pairs_needed, power_of_t, smallest_seen
from bot.lab.stats.sprt_plan import plan_sprt, undecided

#: Differences in Elo that a plan speaks of.
DIFFERENCES = (25.0, 50.0, 100.0)
#: How often a plan that is called sufficient sees what there is.
POWER = 0.8
#: Plies of a usual game, both players together, where times are worked out and not measured.
PLIES = 100


def prospects(test: Test, draws: float) -> list[str]:
    """In a few lines: how likely `test` decides what. `draws`: the expected share of games between equals."""
    if isinstance(test, SprtTest):
        return _of_sprt(test, draws)
    return _of_fixed(test, draws)


def _of_fixed(test: FixedTest, draws: float) -> list[str]:
    given = f"{test.pairs} pairs, alpha {test.alpha:g}, {draws:.0%} draws between equals"
    if test.pairs < 2:
        return [f"{given}: too few to see anything."]
    seen = (
        f"{power_of_t(test.pairs, Pairing(elo, draws), test.alpha):.0%} of the time at +{elo:g} Elo"
        for elo in DIFFERENCES
    )
    lines = [f"{given}: accepted {', '.join(seen)}."]
    smallest = smallest_seen(test.pairs, draws, POWER, test.alpha)
    needed = pairs_needed(Pairing(DIFFERENCES[0], draws), POWER, test.alpha)
    if smallest is not None:
        lines.append(
            f"Four times in five it sees a difference of {smallest:.0f} Elo; smaller ones less often."
        )
    if needed is not None:
        lines.append(f"To see {DIFFERENCES[0]:g} Elo as often would take {needed:,} pairs.")
    return lines


def _of_sprt(test: SprtTest, draws: float) -> list[str]:
    sprt = test.sprt
    lines = [
        f"SPRT of {sprt.elo1:g} against {sprt.elo0:g} Elo ({sprt.scale}), {test.max_pairs} pairs at most, "
        f"{draws:.0%} draws between equals. Differences below are of logistic Elo:"
    ]
    for elo in sorted({sprt.elo0, (sprt.elo0 + sprt.elo1) / 2, sprt.elo1}):
        plan = plan_sprt(sprt, Pairing(elo, draws))
        open_end = undecided(sprt, Pairing(elo, draws), test.max_pairs)
        lines.append(
            f"at {elo:+g} Elo: {plan.pairs:,.0f} pairs on average, 95 in 100 end within "
            f"{plan.pairs_p95:,.0f}; accepted {plan.accepts:.0%}, undecided at the end {open_end:.0%}"
        )
    return lines


def to_decide(test: Test, elo: float, draws: float) -> str:
    """What it would take to decide, in a new registration, if the difference were `elo`; one line."""
    if isinstance(test, SprtTest):
        pairs = plan_sprt(test.sprt, Pairing(elo, draws)).pairs_p95
        return f"at the difference seen, {pairs:,.0f} pairs would decide 95 times in 100"
    if elo <= 0:
        return "more pairs would hardly accept it: the candidate did not score more than half"
    needed = pairs_needed(Pairing(elo, draws), POWER, test.alpha)
    if needed is None:
        return "the difference seen is so small that no number of pairs within reach would show it"
    return f"at the difference seen, {needed:,} pairs would show it four times in five (a new registration)"


def pair_ms_by_budget(settings: PlaySettings) -> float | None:
    """How long a pair takes where both players' time is limited: what they may use. None: it must be
    measured."""
    total = 0.0
    for player in settings.players:
        match player.budget(settings.budget, Unhurried(settings.stall_ms)):
            case PerMove(ms):
                total += ms * PLIES  # half the plies of each of two games
            case OnClock(base_ms, increment_ms):
                total += 2 * (base_ms + increment_ms * PLIES / 2)
            case _:
                return None
    return total


def eta(test: Test, draws: float, pair_ms: float, concurrency: int) -> str:
    """One line; `pair_ms`: how long one pair takes, `concurrency` of them at once."""

    def takes(pairs: float) -> str:
        return duration(pairs * pair_ms / 1000 / concurrency)

    speed = f"{pair_ms / 1000:.1f} s a pair, {concurrency} at once"
    if isinstance(test, SprtTest):
        middle = (test.sprt.elo0 + test.sprt.elo1) / 2
        usual = min(test.max_pairs, plan_sprt(test.sprt, Pairing(middle, draws)).pairs)
        return f"At {speed}: {takes(test.max_pairs)} at most, {takes(usual)} if the truth is in the middle."
    return f"At {speed}: {takes(test.pairs)}."


def repeats(test: Test, openings: int) -> Sequence[str]:
    """A warning where openings come again."""
    if test.most_pairs <= openings:
        return ()
    return (
        f"There are {openings:,} openings for {test.most_pairs:,} pairs: players that always answer alike "
        "will repeat their games, and copies make a run invalid.",
    )
