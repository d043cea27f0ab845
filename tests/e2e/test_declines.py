"""Every kind of challenge that the configuration excludes is declined with the right reason, on the wire."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.local_lichess import AccountHandle, LocalLichess, OutgoingChallenge, challenge_form
from bot.local_lichess.players import ListPlayer
from tests.e2e.kit import PATIENCE_S, BotProcess, Challenger

#: What each bot is configured to take. The bots run at the same time, on one server.
CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "narrow": {
        "challenge": {
            "variants": ["standard"],
            "speeds": ["blitz", "rapid"],
            "min_base_s": 120,
            "max_base_s": 900,
            "min_increment_s": 1,
            "max_increment_s": 5,
        }
    },
    "choosy": {
        "challenge": {
            "modes": ["casual"],
            "opponents": ["human"],
            "min_rating": 1200,
            "max_rating": 1800,
            "block_users": ["VILLAIN"],
        }
    },
    "wide": {
        "challenge": {
            "variants": ["standard", "atomic"],
            "speeds": ["bullet", "rapid", "correspondence"],
            "min_days": 2,
            "max_days": 5,
            "modes": ["rated"],
            "opponents": ["bot"],
        }
    },
    "exact": {"challenge": {"time_controls": ["3+2"], "allow_users": ["FRIEND", "other_friend"]}},
    "busy": {"games": {"max_simultaneous": 2, "max_per_opponent": 1, "stop_deadline_s": 0}},
}


@dataclass(frozen=True)
class Case:
    """A challenge to the bot `to` that is declined for `reason`."""

    to: str
    reason: str
    wishes: dict[str, Any] = field(default_factory=dict)
    name: str = ""  # the challenger's; else one of its own
    title: str | None = None
    rating: int = 1500


CASES = {
    "only standard": Case("narrow", "standard", {"variant": "atomic"}),
    "a position of one's own": Case("narrow", "standard", {"fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}),
    "not this variant": Case("wide", "variant", {"variant": "antichess", "rated": True}, title="BOT"),
    "faster than any speed": Case("narrow", "tooFast", {"limit_s": 120, "increment_s": 1}),
    "slower than any speed": Case("narrow", "tooSlow", {"limit_s": 1800, "increment_s": 5}),
    "between the speeds": Case("wide", "timeControl", {"limit_s": 300, "rated": True}, title="BOT"),
    "base too short": Case("narrow", "tooFast", {"limit_s": 60, "increment_s": 5}),
    "base too long": Case("narrow", "tooSlow", {"limit_s": 960, "increment_s": 1}),
    "increment too small": Case("narrow", "tooFast", {"limit_s": 300, "increment_s": 0}),
    "increment too large": Case("narrow", "tooSlow", {"limit_s": 300, "increment_s": 6}),
    "not that exact clock": Case("exact", "timeControl", {"limit_s": 180, "increment_s": 3}, name="Friend"),
    "too few days": Case("wide", "tooFast", {"limit_s": None, "days": 1, "rated": True}, title="BOT"),
    "too many days": Case("wide", "tooSlow", {"limit_s": None, "days": 7, "rated": True}, title="BOT"),
    "no clock at all": Case("narrow", "tooSlow", {"limit_s": None}),
    "rated": Case("choosy", "casual", {"rated": True}),
    "casual": Case("wide", "rated", {"limit_s": 600, "rated": False}, title="BOT"),
    "rated too low": Case("choosy", "generic", rating=1199),
    "rated too high": Case("choosy", "generic", rating=1801),
    "a bot": Case("choosy", "noBot", title="BOT"),
    "no bot": Case("wide", "onlyBot", {"limit_s": 600, "rated": True}),
    "blocked": Case("choosy", "generic", name="Villain"),
    "not in the list": Case("exact", "generic", {"limit_s": 180, "increment_s": 2}, name="Stranger"),
}


@dataclass
class World:
    """The server, the bots by name, and who has challenged them."""

    server: LocalLichess
    accounts: dict[str, AccountHandle] = field(default_factory=dict)
    bots: dict[str, BotProcess] = field(default_factory=dict)
    sent: dict[str, tuple[Challenger, str]] = field(default_factory=dict)  # case → challenger, challenge id


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """All bots are online, and all challenges of CASES are sent: answers are paced, so they come together."""
    with LocalLichess() as server, ExitStack() as stack:
        world = World(server)
        for name in CONFIGURATIONS:
            world.accounts[name] = server.add_account(name, title="BOT")
        for name, settings in CONFIGURATIONS.items():
            bot = BotProcess(
                tmp_path_factory.mktemp(name),
                url=server.url,
                token=world.accounts[name].token,
                strategy="random",
                **settings,
            )
            world.bots[name] = stack.enter_context(bot)
        for name, bot in world.bots.items():
            bot.wait_online(server, world.accounts[name])
        for number, (case_id, case) in enumerate(CASES.items()):
            account = server.add_account(case.name or f"Person{number}", case.title, rating=case.rating)
            challenger = stack.enter_context(Challenger(server, account))
            wishes = {"limit_s": 300, "increment_s": 3, **case.wishes}
            world.sent[case_id] = (challenger, challenger.challenge(world.accounts[case.to], **wishes))
        yield world
        for bot in world.bots.values():
            bot.stop()


def answered(world: World, challenger: Challenger, challenge_id: str) -> dict[str, Any]:
    """The challenge as its challenger sees it, once the bot has answered."""

    def settled() -> bool:
        challenge = world.server.lobby.challenges.book.find(challenge_id)
        return challenge is not None and not challenge.is_pending

    world.server.wait_until(settled, PATIENCE_S)
    return challenger.show(challenge_id)


def test_games_beyond_the_limits_are_asked_for_later(world: World) -> None:
    """The bot plays two games at once, and one against the same opponent."""
    server, busy = world.server, world.accounts["busy"]
    with ExitStack() as stack:
        anna, bert, carl = (
            stack.enter_context(Challenger(server, server.add_account(name)))
            for name in ("Anna", "Bert", "Carl")
        )

        def answer_to(person: Challenger) -> tuple[str, str, str | None]:
            challenge_id = person.challenge(busy, limit_s=300, increment_s=3, color="white")
            shown = answered(world, person, challenge_id)
            return challenge_id, shown["status"], shown.get("declineReasonKey")

        first, *accepted = answer_to(anna)
        assert accepted == ["accepted", None]
        assert answer_to(anna)[1:] == ("declined", "later")
        second, *accepted = answer_to(bert)
        assert accepted == ["accepted", None]
        assert answer_to(carl)[1:] == ("declined", "later")
        anna.act(first, "abort")
        world.bots["busy"].wait_for(rf"\[{first}.*\] over: aborted")
        third, *accepted = answer_to(carl)
        assert accepted == ["accepted", None]
        bert.act(second, "abort")
        carl.act(third, "abort")


def test_a_rematch_is_accepted_at_the_moment_that_the_game_ends(world: World) -> None:
    """The next challenge comes with the end of the game, while the bot is still clearing the game away."""
    server = world.server
    server.add_account("Dora")
    form = challenge_form(limit_s=300, increment_s=3, color="white")
    server.attach("Dora", ListPlayer([]), challenges=[OutgoingChallenge("busy", form)] * 3)

    def three_are_over() -> bool:
        return (
            sum(1 for room in server.lobby.rooms.all() if room.game.is_over and room.game.white.id == "dora")
            == 3
        )

    server.wait_until(three_are_over, PATIENCE_S)


def test_the_challenger_hears_of_it_on_the_event_stream(world: World) -> None:
    account = world.server.add_account("Listener")
    with Challenger(world.server, account) as challenger, challenger.events() as stream:
        lines = stream.iter_lines(chunk_size=None)
        challenge_id = challenger.challenge(world.accounts["narrow"], limit_s=1800, increment_s=5)
        declined = next(
            event for line in lines if line and (event := json.loads(line))["type"] == "challengeDeclined"
        )
    assert declined["challenge"]["id"] == challenge_id
    assert declined["challenge"]["declineReasonKey"] == "tooslow"


def test_names_are_compared_without_their_case(world: World) -> None:
    """`allow_users` has FRIEND; the account is called Friend."""
    challenger, _ = world.sent["not that exact clock"]
    world.server.attach("Friend", ListPlayer([]))  # resigns, so that the game does not hold up the bot's end
    game_id = challenger.challenge(world.accounts["exact"], limit_s=180, increment_s=2, color="white")
    assert answered(world, challenger, game_id)["status"] == "accepted"
    world.server.wait_game_over(game_id, PATIENCE_S)


@pytest.mark.parametrize("case_id", CASES)
def test_a_challenge_is_declined_with_its_reason(world: World, case_id: str) -> None:
    challenger, challenge_id = world.sent[case_id]
    shown = answered(world, challenger, challenge_id)
    assert (shown["status"], shown.get("declineReasonKey")) == (
        "declined",
        CASES[case_id].reason.lower(),  # as Lichess writes it back
    )
    (line,) = world.bots[CASES[case_id].to].wait_for(f"challenge {challenge_id} .* declined: ")
    assert challenger.account.name in line
