"""The people around the bot: how many come, how often they ask, and that they do not wait for ever."""

from __future__ import annotations

import random

from bot.bench.arena import BOT, DECLINED_S, PATIENCE_S, Arena, Guests, arena
from bot.timing.clock import SystemClock

SECONDS = 20.0  # generous: only a failing test ever waits so long


def open_challenges(world: Arena) -> list[str]:
    """Who waits for the bot's answer. On the server's thread."""
    lobby = world.server.lobby
    return [
        challenge.challenger.name for challenge in lobby.challenges.book.incoming(lobby.accounts.get(BOT))
    ]


def answer(world: Arena, how: str) -> None:
    """The bot accepts or declines the oldest challenge."""
    desk, account = world.server.lobby.challenges, world.server.lobby.accounts.get(BOT)
    now_ms = round(world.clock.wall() * 1000)
    oldest = desk.book.incoming(account)[0].id

    def do() -> None:
        if how == "accept":
            desk.accept(account, oldest, now_ms)
        else:
            desk.decline(account, oldest, "later")

    world.server.on_loop(do)


def test_each_guest_has_one_challenge_open() -> None:
    with arena(clock=SystemClock()) as world:
        world.invite(Guests(3, None, 0.0), random.Random(1))
        assert world.wait(lambda: len(open_challenges(world)) == 3, SECONDS)
        assert not world.wait(lambda: len(open_challenges(world)) > 3, 4 * DECLINED_S)
        assert set(world.server.on_loop(lambda: open_challenges(world))) == {"Guest1", "Guest2", "Guest3"}
        assert 4 * DECLINED_S < PATIENCE_S


def test_who_was_declined_asks_again() -> None:
    with arena(clock=SystemClock()) as world:
        world.invite(Guests(1, 1, 0.0), random.Random(1))
        assert world.wait(lambda: len(open_challenges(world)) == 1, SECONDS)
        answer(world, "decline")
        assert world.server.on_loop(lambda: open_challenges(world)) == []
        assert world.wait(lambda: len(open_challenges(world)) == 1, SECONDS)


def test_no_more_games_are_asked_for_than_there_are_to_be() -> None:
    with arena(clock=SystemClock()) as world:
        world.invite(Guests(2, 1, 0.0), random.Random(1))
        assert world.wait(lambda: len(open_challenges(world)) == 1, SECONDS)
        answer(world, "accept")
        assert world.server.on_loop(world.running) == [game.id for game in world.games()]
        assert not world.wait(lambda: len(open_challenges(world)) > 0, 2 * DECLINED_S)
