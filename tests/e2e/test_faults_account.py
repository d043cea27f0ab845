"""Faults of the account: its event stream, the accepting of challenges, its slots. Like `test_faults`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
import requests

from bot.local_lichess.fault import Fault, Kind, at
from bot.local_lichess.players import SilentPlayer
from bot.local_lichess.spoilt_lines import KEEP_ALIVE
from bot.nursery import Nursery
from bot.settings import GameSettings
from tests.e2e.fault_kit import BOTH_COLORS, Color, Outcome, Row, play_each, row
from tests.e2e.kit import ended_by_the_rules, wait_all_over
from tests.e2e.live_bot import PATIENCE_S, Manners
from tests.hosting import wait_until, warm_nursery


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with warm_nursery() as nursery:
        yield nursery


# --- the event stream -----------------------------------------------------------------------------------

IDLE = at("event_stream", event=KEEP_ALIVE)
STARTS = at("event_stream", event="gameStart")

BREAKS = {
    "ends cleanly": Fault(Kind.END, IDLE),
    "is reset": Fault(Kind.RESET, IDLE),
    "is reset in the middle of a line": Fault(Kind.RESET_MID_LINE, STARTS, after=1),
    "falls silent": Fault(Kind.SILENCE, IDLE),
    "is full of what nobody knows": Fault(Kind.UNKNOWN_EVENT, at("event_stream"), times=None),
    "says everything twice": Fault(Kind.DUPLICATE, at("event_stream"), times=None),
    "replays the starts again and again": Fault(Kind.REPLAY_START, IDLE, times=3),
    "has starts without most of their fields": Fault(
        Kind.MISSING,
        STARTS,
        times=None,
        fields=(
            "game.fen",
            "game.color",
            "game.opponent",
            "game.speed",
            "game.status",
            "game.variant",
            "game.id",
        ),
    ),
    "has null in its starts": Fault(
        Kind.NULL,
        STARTS,
        times=None,
        fields=("game.fen", "game.opponent.id", "game.opponent.username", "game.compat", "game.secondsLeft"),
    ),
    "never says that a game is over": Fault(Kind.SWALLOW, at("event_stream", event="gameFinish"), times=None),
}


@pytest.mark.parametrize("fault", BREAKS)
def test_the_event_stream_while_games_are_played(nursery: Nursery, fault: str) -> None:
    """Each game has one session and each position one move, however often it is said that the game began."""
    with row(nursery, BREAKS[fault], delay_s=0.2) as world:
        ids = [world.challenge(color) for color in BOTH_COLORS]
        for game_id in ids:
            game = world.finish(game_id)
            assert world.refused_posts(game) == 0
            assert len(world.posts(game_id)) <= 5
        assert world.script.fired
        assert sum("game against" in line for line in world.log.lines) == 2
        assert len(world.requests("event_stream")) <= 3


LOST_STARTS = {
    "lost": Fault(Kind.SWALLOW, STARTS, times=2),
    "cut short": Fault(Kind.TRUNCATE, STARTS, times=2),
    "without an id": Fault(Kind.NULL, STARTS, times=2, fields=("game.gameId", "game.id")),
}


@pytest.mark.parametrize("fault", LOST_STARTS)
def test_starts_that_get_lost_on_a_stream_that_lives(nursery: Nursery, fault: str) -> None:
    with row(nursery, LOST_STARTS[fault]) as world:
        ids = [world.challenge(color) for color in BOTH_COLORS]
        for game_id in ids:
            world.finish(game_id)
        assert len(world.requests("event_stream")) == 1


OPENING_FAULTS = {
    "429 about polling": Fault(Kind.ANSWER, at("event_stream"), status=429, shape="poll"),
    "429 in HTML": Fault(Kind.ANSWER, at("event_stream"), status=429, shape="html"),
    "429 that names a time": Fault(Kind.ANSWER, at("event_stream"), status=429, shape="limit", seconds=1),
    "502 in HTML": Fault(Kind.ANSWER, at("event_stream"), status=502, shape="html"),
    "404 in HTML": Fault(Kind.ANSWER, at("event_stream"), status=404, shape="html"),
    "200 in HTML": Fault(Kind.ANSWER, at("event_stream"), status=200, shape="html"),
    "a reset": Fault(Kind.DROP, at("event_stream")),
    "nothing": Fault(Kind.HANG, at("event_stream"), seconds=5),
}


@pytest.mark.parametrize("fault", OPENING_FAULTS)
def test_opening_the_event_stream_answers(nursery: Nursery, fault: str) -> None:
    with row(nursery, OPENING_FAULTS[fault], probe=False) as world:
        world.play_both()
        assert world.script.fired
        assert len(world.requests("event_stream")) <= 2


def test_a_second_copy_elsewhere_is_noticed_and_said(nursery: Nursery) -> None:
    """It takes the stream whenever we have it, as Lichess has it for two streams of one token."""
    with row(nursery, probe=False) as world:
        with requests.Session() as other:
            other.headers["Authorization"] = f"Bearer {world.knight.token}"
            for opened in (1, 3, 5):
                world.server.wait_until(partial(world.has_asked, "event_stream", opened), PATIENCE_S)
                other.get(f"{world.server.url}/api/stream/event", stream=True, timeout=PATIENCE_S)
            wait_until(lambda: world.log.has("is a second copy of this bot running somewhere?"), "said")
        world.server.wait_until(partial(world.has_asked, "event_stream", 7), PATIENCE_S)


# --- accepting ------------------------------------------------------------------------------------------

ACCEPTS = at("challenge_accept")

ACCEPT_FAULTS = {
    "503 in HTML": Fault(Kind.ANSWER, ACCEPTS, status=503, shape="html"),
    "a reset": Fault(Kind.DROP, ACCEPTS),
    "nothing, after the effect": Fault(Kind.LOSE_ANSWER, ACCEPTS),
    "half of it, after the effect": Fault(Kind.GARBLE_ANSWER, ACCEPTS),
    "late, after the effect": Fault(Kind.LATE_ANSWER, ACCEPTS, seconds=0.5),
}


@pytest.fixture(scope="module")
def with_troubled_accepts(nursery: Nursery) -> dict[tuple[str, Color], Outcome]:
    return play_each(nursery, ACCEPT_FAULTS)


@pytest.mark.parametrize("color", BOTH_COLORS)
@pytest.mark.parametrize("fault", ACCEPT_FAULTS)
def test_accepting_is_answered(
    with_troubled_accepts: dict[tuple[str, Color], Outcome], fault: str, color: Color
) -> None:
    outcome = with_troubled_accepts[fault, color]
    assert outcome.failure is None, outcome.failure
    assert outcome.fired
    assert outcome.refused_posts == 0


def test_a_429_to_an_accept_that_names_a_time_is_waited_out(nursery: Nursery) -> None:
    with row(nursery, Fault(Kind.ANSWER, ACCEPTS, status=429, shape="limit", seconds=1, times=2)) as world:
        for game_id in [world.challenge(color) for color in BOTH_COLORS]:
            world.finish(game_id)
        assert world.script.fired


@pytest.mark.parametrize("shape", ["text", "html", "poll"])
def test_a_429_to_an_accept_that_names_no_time_lets_the_challenge_go(nursery: Nursery, shape: str) -> None:
    """A minute is what to wait then, and that is longer than a challenge lives."""
    fault = Fault(Kind.ANSWER, ACCEPTS, status=429, shape=shape)  # type: ignore[arg-type]  # one of them
    with row(nursery, fault, probe=False) as world:
        world.challenge("white")
        wait_until(lambda: world.log.has("could not be accepted: "), "let go")
        assert world.bot.ledger.slots == {}
        assert world.bot.is_serving
        rival = world.add_rival(1)
        wait_all_over(world.server, [world.force_game(rival, "black")], PATIENCE_S)


@pytest.mark.parametrize("status", [404, 400])
def test_a_stale_challenge_is_let_go(nursery: Nursery, status: int) -> None:
    with row(nursery, Fault(Kind.ANSWER, ACCEPTS, status=status, shape="text", times=2)) as world:
        for color in BOTH_COLORS:
            world.challenge(color)
        wait_until(lambda: sum("could not be accepted" in line for line in world.log.lines) == 2, "let go")


def test_accepted_but_never_started(nursery: Nursery, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.account.LEASE_S", 0.5)
    with row(nursery, Fault(Kind.ANSWER, ACCEPTS, status=200, shape="text", times=2)) as world:
        for color in BOTH_COLORS:
            world.challenge(color)
        wait_until(lambda: len(world.bot.ledger.slots) == 2, "promised")
        wait_until(lambda: not world.bot.ledger.slots, "given back")


# --- slots ----------------------------------------------------------------------------------------------


def test_games_too_many_are_aborted_while_that_is_possible(nursery: Nursery) -> None:
    with row(nursery, delay_s=0.3) as world:
        wanted = [world.challenge(color) for color in BOTH_COLORS]
        for game_id in wanted:
            world.wait_started(game_id)
        wait_until(lambda: len(world.bot.ledger.slots) == 2, "both are played")
        extra = [world.force_game(world.add_rival(number), color) for number, color in enumerate(BOTH_COLORS)]
        wait_all_over(world.server, extra, PATIENCE_S)
        assert [world.server.game(game_id).status for game_id in extra] == ["aborted"] * 2
        for game_id in wanted:
            world.finish(game_id)


def test_games_too_many_that_have_begun_are_played(nursery: Nursery) -> None:
    """As after a restart with fewer slots."""
    ids: list[str] = []

    def begin(world: Row) -> None:
        for number in range(5):
            color = BOTH_COLORS[number % 2]
            ids.append(world.force_game(world.add_rival(number), color, "b1a3", "b8a6"))

    with row(nursery, before_start=begin) as world:
        for game_id in ids:
            world.finish(game_id)


def test_an_abort_of_a_game_too_many_that_fails(nursery: Nursery) -> None:
    with row(nursery, Fault(Kind.DROP, at("abort")), delay_s=0.3) as world:
        wanted = [world.challenge(color) for color in BOTH_COLORS]
        for game_id in wanted:
            world.wait_started(game_id)
        wait_until(lambda: len(world.bot.ledger.slots) == 2, "both are played")
        for game_id in (world.force_game(world.add_rival(1), "white"), *wanted):
            world.finish(game_id)


def test_more_games_than_the_replay_queue_holds(nursery: Nursery) -> None:
    """Lichess drops the oldest of more than 32 lines; the list of ongoing games has them all."""
    ids: list[str] = []

    def begin(world: Row) -> None:
        for number in range(36):
            ids.append(world.force_game(world.add_rival(number), BOTH_COLORS[number % 2]))

    many = Manners(games=GameSettings(max_simultaneous=40, stop_deadline_s=0))
    with row(nursery, manners=many, before_start=begin) as world:
        wait_all_over(world.server, ids, PATIENCE_S)
        for game_id in ids:
            game = world.server.game(game_id)
            assert ended_by_the_rules(game), world.story(game)


# --- opponents who do not come --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "faults",
    [
        (),
        (Fault(Kind.DROP, at("abort"), times=2),),
        (Fault(Kind.ANSWER, at("abort"), status=502, times=2),),
        (Fault(Kind.LOSE_ANSWER, at("abort"), times=2),),
    ],
    ids=["no fault", "the abort is reset", "the abort answers 502", "the answer to the abort is lost"],
)
def test_an_opponent_who_never_moves(nursery: Nursery, faults: tuple[Fault, ...]) -> None:
    manners = Manners(abort_unmoved_after_s=0.3)
    with row(nursery, *faults, opponent=SilentPlayer(), manners=manners, probe=False) as world:
        for game_id in [world.challenge(color) for color in BOTH_COLORS]:
            assert world.wait_over(game_id).status == "aborted"
        wait_until(lambda: not world.bot.ledger.slots, "all slots are free again")
