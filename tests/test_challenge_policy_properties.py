"""Property tests: any challenge whatsoever gets a decision, and never an exception."""

from __future__ import annotations

from collections import Counter
from typing import get_args

from hypothesis import example, given
from hypothesis import strategies as st

from bot.challenge_policy import Accept, Decline, Facts, Ignore, decide
from bot.events import (
    Challenge,
    Correspondence,
    DeclineReason,
    Player,
    RealTime,
    Speed,
    TimeControl,
    Unlimited,
    VariantKey,
)
from bot.position import BOARDS
from bot.settings import ChallengeSettings, GameSettings

FACTS = Facts(account_id="mybot", slots_taken=0, games_by_opponent=Counter())
EVERYTHING = ChallengeSettings(
    variants=get_args(VariantKey),
    speeds=("bullet", "blitz", "rapid", "classical", "correspondence"),
    unlimited=True,
)


def challenge_with(
    *, variant: str = "standard", clock: TimeControl | None = None, fen: str | None = None
) -> Challenge:
    return Challenge(
        id="Zx9yWv8u",
        status="created",
        challenger=Player(id="rival", name="Rival", rating=1873),
        dest=None,
        variant=variant,
        rated=False,
        speed="blitz",
        time_control=clock or RealTime(180, 2),
        initial_fen=fen,
    )


WORDS = st.one_of(st.text(max_size=20), st.sampled_from([*get_args(VariantKey), *get_args(Speed), "created"]))
FENS = st.one_of(
    st.text(st.sampled_from("12345678/kqrbnpKQRBNP wb-~[]+ KQkq0²a"), max_size=80),
    st.builds(
        "{} {} {} {} {}".format,
        st.lists(
            st.text(st.sampled_from("12345678kqrbnpKQRBNP~"), min_size=1, max_size=8), min_size=8, max_size=8
        ).map("/".join),
        st.sampled_from("wbx"),
        st.text(st.sampled_from("KQkqABHabh-"), max_size=4),
        st.sampled_from(["-", "e3", "e6", "a1", "z9"]),
        st.one_of(st.text(max_size=12), st.integers().map(str)),
    ),
    st.builds(
        lambda variant, cut, text: str(BOARDS[variant]().fen())[:cut] + str(text),
        st.sampled_from(sorted(BOARDS)),
        st.integers(0, 80),
        st.text(max_size=5),
    ),
)
PLAYERS = st.builds(
    Player,
    id=st.one_of(st.none(), st.text(max_size=10)),
    name=st.text(),
    title=st.one_of(st.none(), st.sampled_from(["BOT", "GM"])),
    rating=st.one_of(st.none(), st.integers()),
    provisional=st.booleans(),
    ai_level=st.one_of(st.none(), st.integers(1, 8)),
)
TIME_CONTROLS: st.SearchStrategy[TimeControl] = st.one_of(
    st.builds(RealTime, st.integers(), st.integers()),
    st.builds(Correspondence, st.integers()),
    st.just(Unlimited()),
)
CHALLENGES = st.builds(
    Challenge,
    id=st.text(),
    status=st.one_of(st.just("created"), WORDS),
    challenger=st.one_of(st.none(), PLAYERS),
    dest=st.one_of(st.none(), PLAYERS),
    variant=st.one_of(st.sampled_from(get_args(VariantKey)), WORDS),
    rated=st.booleans(),
    speed=WORDS,
    time_control=TIME_CONTROLS,
    initial_fen=st.one_of(st.none(), FENS),
)


@given(
    CHALLENGES,
    st.sampled_from(
        [ChallengeSettings(), EVERYTHING, ChallengeSettings(time_controls=("3+2",), min_rating=1)]
    ),
)
@example(challenge_with(clock=RealTime(10**400, -(10**400))), ChallengeSettings(time_controls=("3+2",)))
def test_any_challenge_whatsoever_gets_a_decision(challenge: Challenge, settings: ChallengeSettings) -> None:
    decision = decide(challenge, FACTS, settings, GameSettings())
    assert isinstance(decision, Accept | Decline | Ignore)
    if isinstance(decision, Accept):
        assert challenge.variant in settings.variants
        assert challenge.status == "created"
    else:
        assert decision.why
        assert decision.why.isprintable(), "one line for the log"
    if isinstance(decision, Decline):
        assert decision.reason in get_args(DeclineReason)


@given(FENS, st.sampled_from(sorted(BOARDS)))
def test_any_position_whatsoever_gets_a_decision(fen: str, variant: str) -> None:
    decision = decide(challenge_with(variant=variant, fen=fen), FACTS, EVERYTHING, GameSettings())
    assert isinstance(decision, Accept) or (isinstance(decision, Decline) and decision.reason == "variant")
