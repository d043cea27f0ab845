"""How much is allowed: challenges, games of bots against bots, running games, and the AI."""

from __future__ import annotations

import pytest

from bot.local_lichess.limits import Limits
from bot.local_lichess.refusal import Refusal
from tests.local_lichess.world import BLITZ, World, answer


@pytest.fixture
def world() -> World:
    world = World()
    world.add("Knight", "BOT")
    world.add("Bishop", "BOT")
    world.add("Rival")
    return world


def refused(world: World, challenger: str, dest: str, form: dict[str, str]) -> tuple[int, object]:
    with pytest.raises(Refusal) as caught:
        world.challenge(challenger, dest, form)
    return answer(caught.value)


def test_five_humans_a_minute_or_twenty_five_bots(world: World) -> None:
    world.add("Guest")
    for _ in range(5):
        world.challenge("knight", "guest")
    with pytest.raises(Refusal) as caught:
        world.challenge("knight", "guest")
    assert caught.value.status == 429
    assert caught.value.body["ratelimit"] == {"key": "challenge.create.user", "seconds": 60}
    for _ in range(25):
        world.challenge("bishop", "knight")
    with pytest.raises(Refusal) as caught:
        world.challenge("bishop", "knight")
    assert caught.value.status == 429
    world.wait(60)
    world.challenge("knight", "guest")


def test_the_credits_of_a_day() -> None:
    world = World(Limits(challenge_credits_per_minute=1000, challenge_credits_per_day=12))
    world.add("Knight", "BOT")
    world.add("Guest")
    for _ in range(2):
        world.challenge("knight", "guest")
    with pytest.raises(Refusal) as caught:
        world.challenge("knight", "guest")
    assert caught.value.body["ratelimit"] == {"key": "challenge.create.user", "seconds": 24 * 3600}


def test_challenging_a_follower_is_free(world: World) -> None:
    world.account("rival").follows.add("knight")
    for _ in range(30):
        world.challenge("knight", "rival")


def test_the_bots_quota_is_my_429_and_the_opponents_400() -> None:
    world = World(Limits(bot_games_per_day=2))
    for name in ("Knight", "Bishop", "Rook"):
        world.add(name, "BOT")
    waiting = world.challenge("rook", "knight")
    for _ in range(2):
        world.accept("bishop", world.challenge("knight", "bishop"))
    status, error = refused(world, "knight", "rook", BLITZ)
    assert (status, str(error)[:18]) == (429, "You played 2 games")
    with pytest.raises(Refusal) as caught:
        world.challenge("rook", "knight")
    assert caught.value.status == 400
    assert str(caught.value.body["error"]).startswith("Knight played 2 games")
    assert caught.value.body["ratelimit"] == {"key": "bot.vsBot.day", "seconds": 24 * 3600}
    with pytest.raises(Refusal) as caught:
        world.accept("knight", waiting)
    assert caught.value.status == 429
    world.wait(24 * 3600, step_s=3600)
    world.challenge("rook", "knight")


def test_games_against_humans_do_not_count_for_the_bots_quota() -> None:
    world = World(Limits(bot_games_per_day=1))
    world.add("Knight", "BOT")
    world.add("Rival")
    for _ in range(3):
        world.accept("knight", world.challenge("rival", "knight"))


def test_too_many_games_running() -> None:
    world = World(Limits(realtime_games=1, games_in_all=2))
    world.add("Knight", "BOT")
    world.add("Rival")
    world.game("rival", "knight")
    assert refused(world, "rival", "knight", BLITZ) == (400, "Challenge not created")
    world.game("rival", "knight", {"days": "1"})
    assert refused(world, "rival", "knight", {"days": "1"}) == (400, "Challenge not created")


# --- the AI ---------------------------------------------------------------------------------------------


def test_the_ai_starts_at_once(world: World) -> None:
    events = world.events("knight")
    form = {**BLITZ, "level": "3", "color": "black"}
    room = world.lobby.challenges.create_ai(world.account("knight"), form, world.now_ms)
    (start,) = events.messages()
    game = start["game"]
    assert isinstance(game, dict)
    assert game["color"] == "black"
    assert game["opponent"] == {"id": None, "username": "Stockfish level 3", "ai": 3}
    assert game["source"] == "ai"
    assert room.players["white"] is None


def test_the_ai_needs_a_level_and_a_speed_for_bots(world: World) -> None:
    knight = world.account("knight")
    for form in (BLITZ, {**BLITZ, "level": "9"}, {"clock.limit": "15", "clock.increment": "0", "level": "1"}):
        with pytest.raises(Refusal) as caught:
            world.lobby.challenges.create_ai(knight, form, world.now_ms)
        assert caught.value.status == 400


def test_fifty_ai_games_a_day_for_a_bot() -> None:
    world = World(Limits(ai_games_per_day=1))
    world.add("Knight", "BOT")
    form = {**BLITZ, "level": "1"}
    world.lobby.challenges.create_ai(world.account("knight"), form, world.now_ms)
    with pytest.raises(Refusal) as caught:
        world.lobby.challenges.create_ai(world.account("knight"), form, world.now_ms)
    assert caught.value.status == 429
