"""What is said about accounts, who is online, what is being played."""

from __future__ import annotations

import pytest

from bot.local_lichess.refusal import Refusal
from tests.local_lichess.world import World, answer


@pytest.fixture
def world() -> World:
    world = World()
    world.add("Knight", "BOT", rating=1902, provisional=True)
    world.add("Rival")
    return world


def test_my_account(world: World) -> None:
    account = world.lobby.my_account(world.account("knight"), world.now_ms)
    assert account["id"] == "knight"
    assert account["username"] == "Knight"
    assert account["title"] == "BOT"
    assert account["perfs"]["blitz"] == {  # type: ignore[index]  # JSON
        "games": 0, "rating": 1902, "rd": 60, "prog": 0, "prov": True,
    }  # fmt: skip
    assert account["url"] == "http://local.test/@/Knight"
    assert "playing" not in account


def test_an_untitled_account_has_no_title(world: World) -> None:
    assert "title" not in world.lobby.user("rival")


def test_an_account_that_plays_says_where(world: World) -> None:
    room = world.game("rival", "knight")
    assert world.lobby.user("knight")["playing"] == f"http://local.test/{room.game.id}/black"
    count = world.lobby.user("KNIGHT")["count"]
    assert isinstance(count, dict)
    assert count["playing"] == 1


def test_thirty_reads_of_the_account_in_five_minutes(world: World) -> None:
    for _ in range(30):
        world.lobby.my_account(world.account("knight"), world.now_ms)
    with pytest.raises(Refusal) as caught:
        world.lobby.my_account(world.account("knight"), world.now_ms)
    assert caught.value.status == 429
    assert caught.value.body["ratelimit"] == {"key": "api.account.user", "seconds": 300}
    world.lobby.my_account(world.account("rival"), world.now_ms)


def test_an_unknown_user(world: World) -> None:
    with pytest.raises(Refusal) as caught:
        world.lobby.user("nobody")
    assert answer(caught.value) == (404, "Not found")


def test_online_means_a_stream_is_open(world: World) -> None:
    assert world.lobby.online_bots(100) == []
    feed = world.events("knight")
    world.events("rival")
    assert [bot["id"] for bot in world.lobby.online_bots(100)] == ["knight"]
    assert world.lobby.statuses(["Knight", "nobody", "rival"]) == [
        {"id": "knight", "name": "Knight", "title": "BOT", "online": True},
        {"id": "rival", "name": "Rival", "online": True},
    ]
    world.lobby.stream_closed(feed, world.now_ms)
    assert world.lobby.online_bots(100) == []
    world.game("rival", "knight")
    assert world.lobby.statuses(["knight"]) == [
        {"id": "knight", "name": "Knight", "title": "BOT", "playing": True}
    ]


def test_ongoing_games_most_urgent_first(world: World) -> None:
    slow = world.game("rival", "knight", {"days": "1"})
    unlimited = world.game("knight", "rival", {})
    fast = world.game("knight", "rival", {"clock.limit": "180", "clock.increment": "0"})
    playing = world.lobby.now_playing(world.account("knight"), 9, world.now_ms)
    games = playing["nowPlaying"]
    assert isinstance(games, list)
    assert [game["gameId"] for game in games] == [fast.game.id, unlimited.game.id, slow.game.id]
    assert playing["nbMyTurn"] == 2
    assert "secondsLeft" not in games[1]
    one = world.lobby.now_playing(world.account("knight"), 1, world.now_ms)
    assert [len(one["nowPlaying"]), one["nbMyTurn"]] == [1, 2]  # type: ignore[arg-type]  # JSON


def test_finished_games_are_not_ongoing(world: World) -> None:
    room = world.game("rival", "knight")
    world.play(room, "f2f3 e7e5 g2g4 d8h4")
    assert world.lobby.now_playing(world.account("knight"), 9, world.now_ms) == {
        "nbMyTurn": 0,
        "nowPlaying": [],
    }


def test_a_fresh_account_becomes_a_bot_and_a_bot_may_ask_again(world: World) -> None:
    rival = world.account("rival")
    world.lobby.upgrade_to_bot(rival)
    world.lobby.upgrade_to_bot(rival)
    assert world.lobby.user("rival")["title"] == "BOT"


def test_who_cannot_become_a_bot(world: World) -> None:
    world.add("Pupil", managed=True)
    world.game("rival", "knight")
    for name, expected in (
        ("rival", (400, "You already have games played. Make a new account.")),
        ("pupil", (404, "Managed accounts cannot be bots.")),
    ):
        with pytest.raises(Refusal) as caught:
            world.lobby.upgrade_to_bot(world.account(name))
        assert answer(caught.value) == expected
