from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any, get_args

import pytest

from bot.challenge_policy import MAX_FEN_CHARACTERS, Accept, Decline, Facts, decide
from bot.events import (
    Challenge,
    Correspondence,
    DeclineReason,
    Player,
    RealTime,
    Unlimited,
    VariantKey,
)
from bot.position import BOARDS
from bot.settings import ChallengeSettings, GameSettings
from bot.time_controls import speed_of

FACTS = Facts(account_id="mybot", slots_taken=0, games_by_opponent=Counter())
RIVAL = Player(id="rival", name="Rival", rating=1873)
BOT = Player(id="robot", name="Robot", title="BOT", rating=2311)
STANDARD = Challenge(
    id="Zx9yWv8u",
    status="created",
    challenger=RIVAL,
    dest=Player(id="mybot", name="MyBot", title="BOT"),
    variant="standard",
    rated=False,
    speed="blitz",
    time_control=RealTime(180, 2),
)


def clocked(limit_s: int, increment_s: int) -> Challenge:
    clock = RealTime(limit_s, increment_s)
    return replace(STANDARD, time_control=clock, speed=speed_of(clock))


def by_mail(days: int) -> Challenge:
    return replace(STANDARD, time_control=Correspondence(days), speed="correspondence")


NO_CLOCK = replace(STANDARD, time_control=Unlimited(), speed="correspondence")


def answer(
    challenge: Challenge, *, facts: Facts = FACTS, games: GameSettings | None = None, **settings: Any
) -> str:
    """The decision under these settings (all others are the defaults), as one word."""
    decision = decide(challenge, facts, ChallengeSettings.model_validate(settings), games or GameSettings())
    return decision.reason if isinstance(decision, Decline) else type(decision).__name__


def why(
    challenge: Challenge, *, facts: Facts = FACTS, games: GameSettings | None = None, **settings: Any
) -> str:
    decision = decide(challenge, facts, ChallengeSettings.model_validate(settings), games or GameSettings())
    assert not isinstance(decision, Accept)
    return decision.why


def test_an_ordinary_challenge_is_accepted() -> None:
    assert answer(STANDARD) == "Accept"
    assert answer(replace(STANDARD, rated=True)) == "Accept"
    assert answer(replace(STANDARD, challenger=BOT)) == "Accept"
    assert answer(replace(STANDARD, rematch_of="Ab3dEf7h", rules=("noAbort",))) == "Accept"


# --- ours, or settled ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("account_id", ["mybot", "MyBot"])
def test_our_own_challenge_is_not_answered(account_id: str) -> None:
    ours = replace(STANDARD, challenger=STANDARD.dest, dest=RIVAL, variant="horde", speed="ultraBullet")
    facts = replace(FACTS, account_id=account_id, draining=True)
    assert answer(ours, facts=facts) == "Ignore"
    assert why(ours, facts=facts) == "it is our own challenge"


def test_nobody_is_not_us() -> None:
    nobody = replace(STANDARD, challenger=Player(id=None, name="Anonymous"))
    assert answer(nobody, facts=replace(FACTS, account_id="")) == "Accept"


@pytest.mark.parametrize("status", ["canceled", "declined", "accepted", "of the future"])
def test_a_challenge_that_is_settled_is_not_answered(status: str) -> None:
    assert answer(replace(STANDARD, status=status)) == "Ignore"


def test_a_challenger_who_has_gone_may_come_again() -> None:
    assert answer(replace(STANDARD, status="offline")) == "later"


# --- the challenger -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["rival", "Rival", "RIVAL"])
def test_blocked_users(name: str) -> None:
    assert answer(STANDARD, block_users=(name,)) == "generic"
    assert why(STANDARD, block_users=("other", name)) == "Rival is in block_users"
    assert answer(STANDARD, block_users=("rivals", "riva")) == "Accept"


@pytest.mark.parametrize("name", ["rival", "Rival", "RIVAL"])
def test_allowed_users(name: str) -> None:
    assert answer(STANDARD, allow_users=("other", name)) == "Accept"
    assert why(STANDARD, allow_users=("other",)) == "Rival is not in allow_users"
    assert answer(STANDARD, allow_users=("other",)) == "generic"
    assert answer(replace(STANDARD, challenger=None), allow_users=("other",)) == "generic"


def test_an_allowed_user_must_pass_the_other_lines_too() -> None:
    assert answer(clocked(60, 0), allow_users=("rival",), speeds=("blitz",)) == "tooFast"


def test_bots_and_humans() -> None:
    from_bot = replace(STANDARD, challenger=BOT)
    assert answer(from_bot, opponents=("human",)) == "noBot"
    assert answer(from_bot, opponents=("bot",)) == "Accept"
    assert answer(STANDARD, opponents=("bot",)) == "onlyBot"
    assert answer(STANDARD, opponents=("human",)) == "Accept"
    assert answer(replace(STANDARD, challenger=replace(RIVAL, title="GM")), opponents=("bot",)) == "onlyBot"
    assert (
        answer(replace(STANDARD, challenger=Player(None, "AI", ai_level=3)), opponents=("human",)) == "noBot"
    )


def test_an_anonymous_challenger_is_a_human_without_a_rating() -> None:
    anonymous = replace(STANDARD, challenger=None)
    assert answer(anonymous) == "Accept"
    assert answer(anonymous, opponents=("bot",)) == "onlyBot"
    assert answer(anonymous, min_rating=1) == "generic"
    assert why(anonymous, min_rating=1) == "an anonymous player has no rating, expected 1 to 4000"
    one_more = replace(FACTS, games_by_opponent={"": 1})
    assert answer(anonymous, facts=one_more) == "later"


# --- the variant and its position ---------------------------------------------------------------------------


@pytest.mark.parametrize("variant", sorted(BOARDS))
def test_every_variant_can_be_allowed_and_refused(variant: str) -> None:
    challenge = replace(STANDARD, variant=variant)
    assert answer(challenge, variants=(variant,)) == "Accept"
    assert answer(challenge, variants=("chess960" if variant != "chess960" else "horde",)) == "variant"
    assert answer(challenge) == ("Accept" if variant == "standard" else "standard")


def test_an_unknown_variant() -> None:
    challenge = replace(STANDARD, variant="duck")
    assert answer(challenge) == "standard"
    assert answer(challenge, variants=get_args(VariantKey)) == "variant"
    assert why(challenge) == "variants is standard, this is duck, which this version does not know"


@pytest.mark.parametrize(
    ("variant", "fen"),
    [
        ("fromPosition", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        ("fromPosition", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        ("fromPosition", "startpos"),
        ("chess960", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"),
        ("horde", "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1"),
        ("racingKings", "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1"),
    ],
)
def test_positions_that_can_be_played(variant: str, fen: str) -> None:
    challenge = replace(STANDARD, variant=variant, initial_fen=fen)
    assert answer(challenge, variants=(variant,)) == "Accept"


@pytest.mark.parametrize(
    ("fen", "says"),
    [
        ("", "cannot be played"),
        ("no fen at all", "cannot be played"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "cannot be played"),
        ("4k3/8/8/8/8/8/4P3/4K3 w XYZ - 0 1", "cannot be played"),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "cannot be played"),
        ("9/8/8/8/8/8/8/8 w - - 0 1", "cannot be played"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - ² 1", "cannot be played"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 " + "9" * 100, ""),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "is a finished game"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "is a finished game"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "is a finished game"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 " + "x" * MAX_FEN_CHARACTERS, "more than any FEN"),
        ("8" * 10_000_000, "10000000 characters, more than any FEN"),
    ],
)
def test_positions_that_cannot_be_played(fen: str, says: str) -> None:
    challenge = replace(STANDARD, variant="fromPosition", initial_fen=fen)
    if says:
        assert answer(challenge, variants=("fromPosition",)) == "variant"
        assert says in why(challenge, variants=("fromPosition",))
        assert len(why(challenge, variants=("fromPosition",))) < 400
    else:
        assert answer(challenge, variants=("fromPosition",)) in ("Accept", "variant")


# --- the clock ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("challenge", "speeds", "expected"),
    [
        (clocked(60, 0), ("bullet",), "Accept"),
        (clocked(60, 0), ("blitz", "rapid"), "tooFast"),
        (clocked(180, 0), ("bullet", "rapid"), "timeControl"),
        (clocked(600, 0), ("bullet", "blitz"), "tooSlow"),
        (clocked(1800, 0), ("bullet", "blitz", "rapid", "classical"), "Accept"),
        (by_mail(3), ("bullet", "blitz"), "tooSlow"),
        (by_mail(3), ("blitz", "correspondence"), "Accept"),
        (clocked(180, 0), ("correspondence",), "tooFast"),
        (clocked(15, 0), ("bullet", "blitz", "rapid", "classical", "correspondence"), "tooFast"),
        (replace(STANDARD, speed="hyper"), ("blitz",), "timeControl"),
    ],
)
def test_speeds(challenge: Challenge, speeds: tuple[str, ...], expected: str) -> None:
    assert answer(challenge, speeds=speeds) == expected


def test_ultrabullet_says_whose_rule_it_is() -> None:
    assert why(clocked(15, 0)) == "Lichess does not let bots play ultraBullet"


@pytest.mark.parametrize(
    ("limit_s", "expected"),
    [(119, "tooFast"), (120, "Accept"), (300, "Accept"), (301, "tooSlow"), (0, "tooFast")],
)
def test_the_borders_of_the_base_time(limit_s: int, expected: str) -> None:
    assert answer(clocked(limit_s, 2), min_base_s=120, max_base_s=300) == expected


@pytest.mark.parametrize(
    ("increment_s", "expected"),
    [(1, "tooFast"), (2, "Accept"), (5, "Accept"), (6, "tooSlow"), (0, "tooFast")],
)
def test_the_borders_of_the_increment(increment_s: int, expected: str) -> None:
    assert answer(clocked(180, increment_s), min_increment_s=2, max_increment_s=5) == expected


@pytest.mark.parametrize(("days", "expected"), [(1, "tooFast"), (2, "Accept"), (5, "Accept"), (7, "tooSlow")])
def test_the_borders_of_the_days(days: int, expected: str) -> None:
    assert answer(by_mail(days), speeds=("correspondence",), min_days=2, max_days=5) == expected


def test_the_clock_is_named_with_its_key() -> None:
    assert why(clocked(60, 1), min_base_s=120) == "min_base_s is 120, this has 60"
    assert why(clocked(180, 1), min_increment_s=2) == "min_increment_s is 2, this has 1"
    assert why(by_mail(14), speeds=("correspondence",), max_days=7) == "max_days is 7, this has 14"


def test_exact_time_controls() -> None:
    exact = ("3+2", "½+0")
    assert answer(clocked(180, 2), time_controls=exact) == "Accept"
    assert answer(clocked(30, 0), time_controls=exact) == "Accept"
    assert answer(clocked(180, 1), time_controls=exact) == "timeControl"
    assert answer(clocked(181, 2), time_controls=exact) == "timeControl"
    assert why(clocked(90, 1), time_controls=exact) == "time_controls is 3+2, ½+0, this is 1.5+1"


def test_exact_time_controls_are_about_clocks_only() -> None:
    assert answer(by_mail(3), time_controls=("3+2",), speeds=("blitz", "correspondence")) == "Accept"
    assert answer(NO_CLOCK, time_controls=("3+2",), unlimited=True) == "Accept"


def test_unlimited_games_have_a_key_of_their_own() -> None:
    assert answer(NO_CLOCK) == "tooSlow"
    assert answer(NO_CLOCK, speeds=("correspondence",)) == "tooSlow"
    assert answer(NO_CLOCK, unlimited=True) == "Accept"
    assert answer(NO_CLOCK, unlimited=True, min_days=2, max_days=2) == "Accept"
    assert answer(by_mail(3), unlimited=True) == "tooSlow"


# --- rated or casual, and ratings ---------------------------------------------------------------------------


def test_the_mode_that_is_wanted_instead_is_the_reason() -> None:
    rated = replace(STANDARD, rated=True)
    assert answer(STANDARD, modes=("rated",)) == "rated"
    assert answer(rated, modes=("rated",)) == "Accept"
    assert answer(rated, modes=("casual",)) == "casual"
    assert answer(STANDARD, modes=("casual",)) == "Accept"


@pytest.mark.parametrize(
    ("rating", "expected"),
    [(1499, "generic"), (1500, "Accept"), (2000, "Accept"), (2001, "generic"), (0, "generic")],
)
def test_the_borders_of_the_rating(rating: int, expected: str) -> None:
    for provisional in (False, True):
        challenger = replace(RIVAL, rating=rating, provisional=provisional)
        challenge = replace(STANDARD, challenger=challenger)
        assert answer(challenge, min_rating=1500, max_rating=2000) == expected


def test_no_rating_passes_only_where_every_rating_does() -> None:
    unrated = replace(STANDARD, challenger=replace(RIVAL, rating=None))
    assert answer(unrated) == "Accept"
    assert answer(unrated, max_rating=3999) == "generic"
    assert answer(unrated, min_rating=1) == "generic"


def test_the_sentence_names_the_limit_and_the_rating() -> None:
    challenge = replace(STANDARD, challenger=replace(RIVAL, rating=2311))
    assert why(challenge, max_rating=2000) == "max_rating is 2000, Rival has 2311"
    assert why(challenge, min_rating=2400) == "min_rating is 2400, Rival has 2311"


# --- not now ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slots_taken", "expected"), [(0, "Accept"), (1, "Accept"), (2, "later"), (3, "later")]
)
def test_games_at_once(slots_taken: int, expected: str) -> None:
    games = GameSettings(max_simultaneous=2)
    assert answer(STANDARD, facts=replace(FACTS, slots_taken=slots_taken), games=games) == expected


@pytest.mark.parametrize(("already", "expected"), [(0, "Accept"), (1, "Accept"), (2, "later")])
def test_games_against_the_same_opponent(already: int, expected: str) -> None:
    games = GameSettings(max_per_opponent=2)
    facts = replace(FACTS, slots_taken=3, games_by_opponent={"rival": already, "other": 3})
    assert answer(STANDARD, facts=facts, games=games) == expected


def test_the_sentence_names_the_limit_and_the_games() -> None:
    facts = replace(FACTS, slots_taken=4, games_by_opponent={"rival": 1})
    assert why(STANDARD, facts=facts) == "max_simultaneous is 4, there are 4 games"
    facts = replace(facts, slots_taken=1)
    assert why(STANDARD, facts=facts) == "max_per_opponent is 1, Rival has 1 already"


def test_stopping_and_pausing() -> None:
    assert answer(STANDARD, facts=replace(FACTS, draining=True)) == "later"
    assert answer(STANDARD, facts=replace(FACTS, paused=True)) == "later"


@pytest.mark.parametrize(
    ("challenge", "settings", "reason"),
    [
        (STANDARD, {"block_users": ("rival",)}, "generic"),
        (STANDARD, {"opponents": ("bot",)}, "onlyBot"),
        (replace(STANDARD, variant="horde"), {}, "standard"),
        (clocked(60, 0), {"speeds": ("blitz",)}, "tooFast"),
        (STANDARD, {"modes": ("rated",)}, "rated"),
        (STANDARD, {"max_rating": 1000}, "generic"),
    ],
)
def test_a_reason_that_stays_comes_before_later(
    challenge: Challenge, settings: dict[str, Any], reason: DeclineReason
) -> None:
    full = replace(FACTS, draining=True, paused=True, slots_taken=100, games_by_opponent={"rival": 100})
    assert answer(challenge, facts=full, **settings) == reason
