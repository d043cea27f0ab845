"""Game streams: who gets which lines, who counts as present, and how streams end."""

from __future__ import annotations

import pytest

from bot.local_lichess.feeds import KEEP_ALIVE
from bot.local_lichess.refusal import Refusal
from bot.local_lichess.rooms import Room
from tests.local_lichess.world import BLITZ, World, answer, types


@pytest.fixture
def world() -> World:
    world = World()
    world.add("Knight", "BOT")
    world.add("Rival")
    world.add("Bishop", "BOT")
    return world


def test_the_first_line_is_the_whole_game_then_every_change_comes_to_both(world: World) -> None:
    room = world.game("rival", "knight")
    knight, rival = world.stream("knight", room), world.stream("rival", room)
    world.play(room, "e2e4 e7e5")
    for feed in (knight, rival):
        full, first, second = feed.messages()
        assert full["type"] == "gameFull"
        assert full["id"] == room.game.id
        assert [first["type"], first["moves"]] == ["gameState", "e2e4"]
        assert [second["type"], second["moves"]] == ["gameState", "e2e4 e7e5"]


def test_a_late_stream_starts_with_the_moves_so_far(world: World) -> None:
    room = world.game("rival", "knight")
    world.play(room, "e2e4 e7e5")
    (full,) = world.stream("knight", room).messages()
    assert isinstance(full["state"], dict)
    assert full["state"]["moves"] == "e2e4 e7e5"


def test_the_end_is_a_final_state_and_a_clean_end(world: World) -> None:
    room = world.game("rival", "knight")
    knight = world.stream("knight", room)
    world.play(room, "f2f3 e7e5 g2g4 d8h4")
    last = knight.messages()[-1]
    assert last["status"] == "mate"
    assert last["winner"] == "black"
    assert knight.ended


def test_a_finished_game_is_one_line_and_an_end(world: World) -> None:
    room = world.game("rival", "knight")
    world.play(room, "f2f3 e7e5 g2g4 d8h4")
    feed = world.stream("knight", room)
    (full,) = feed.messages()
    assert isinstance(full["state"], dict)
    assert full["state"]["status"] == "mate"
    assert feed.ended


def test_a_full_id_opens_the_game_too(world: World) -> None:
    room = world.game("rival", "knight")
    found, side = world.lobby.rooms.seat("bot", world.caller("knight"), room.game.full_ids["black"])
    assert (found, side) == (room, "black")


def test_the_same_client_replaces_its_older_stream_and_another_client_does_not(world: World) -> None:
    room = world.game("rival", "knight")
    first = world.stream("knight", room, user_agent="a")
    other = world.stream("knight", room, user_agent="b")
    second = world.stream("knight", room, user_agent="a")
    first.messages()
    assert first.ended
    assert other.is_open
    assert second.is_open
    theirs = world.stream("rival", room, user_agent="a")
    assert second.is_open
    assert theirs.is_open


def gone_lines(room: Room, world: World, seconds: float) -> list[dict[str, object]]:
    feed = world.stream("knight", room)
    world.wait(seconds)
    return [message for message in feed.messages() if message["type"] == "opponentGone"]


def test_closing_the_stream_starts_the_countdown_and_reopening_stops_it(world: World) -> None:
    room = world.game("rival", "knight")
    theirs = world.stream("rival", room)
    world.play(room, "e2e4 e7e5")
    assert gone_lines(room, world, 30) == []
    world.lobby.stream_closed(theirs, world.now_ms)
    countdown = gone_lines(room, world, 20)
    assert countdown
    assert all(line["gone"] is True for line in countdown)
    world.stream("rival", room)
    assert gone_lines(room, world, 20) == []


def test_replacing_a_stream_is_no_absence(world: World) -> None:
    room = world.game("rival", "knight")
    world.stream("rival", room)
    replaced = world.stream("rival", room)
    world.stream("rival", room)
    world.play(room, "e2e4 e7e5")
    world.lobby.stream_closed(replaced, world.now_ms)  # its reader notices only now
    assert gone_lines(room, world, 20) == []


def test_the_flag_is_noticed_at_a_tick_of_a_bots_stream(world: World) -> None:
    room = world.game("rival", "knight", {"clock.limit": "60", "clock.increment": "0"})
    feed = world.stream("knight", room)
    world.play(room, "e2e4 e7e5")
    world.wait(75)
    last = feed.messages()[-1]
    assert last["status"] == "outoftime"
    assert last["winner"] == "black"
    assert feed.ended


def test_keep_alives_on_a_game_stream(world: World) -> None:
    feed = world.stream("knight", world.game("rival", "knight"))
    assert feed.pop() is not None
    world.wait(7)
    assert feed.pop() == KEEP_ALIVE


def test_chat_reaches_both(world: World) -> None:
    room = world.game("rival", "knight")
    knight, rival = world.stream("knight", room), world.stream("rival", room)
    world.lobby.rooms.act(
        room, lambda game: game.chat("Rival", "player", "hello", world.now_ms), world.now_ms
    )
    line = {"type": "chatLine", "room": "player", "username": "Rival", "text": "hello"}
    assert knight.messages()[1:] == rival.messages()[1:] == [line]


def test_who_may_not_open_a_stream(world: World) -> None:
    room = world.game("rival", "knight")
    fast = world.game("rival", "knight", {"clock.limit": "60", "clock.increment": "0"})
    rooms = world.lobby.rooms
    for api, name, game_id, expected in (
        ("bot", "knight", "nosuchid", (404, "No such game")),
        ("bot", "bishop", room.game.id, (404, "Not your game")),
        ("board", "knight", room.game.id, (400, "This API endpoint is not for Bot accounts.")),
        ("board", "rival", fast.game.id, (400, "This game cannot be played with the Board API.")),
    ):
        with pytest.raises(Refusal) as caught:
            rooms.seat("bot" if api == "bot" else "board", world.caller(name), game_id)
        assert answer(caught.value) == expected
    with pytest.raises(Refusal) as caught:
        rooms.seat("bot", world.caller("rival"), room.game.id)
    status, text = answer(caught.value)
    assert status == 400
    assert str(text).startswith("This endpoint can only be used with a Bot account. See ")


def test_ultrabullet_is_not_for_bots(world: World) -> None:
    world.add("Guest")
    room = world.game("rival", "guest", {"clock.limit": "15", "clock.increment": "0"})
    world.account("guest").title = "BOT"  # as if upgraded meanwhile
    with pytest.raises(Refusal) as caught:
        world.lobby.rooms.seat("bot", world.caller("guest"), room.game.id)
    assert answer(caught.value) == (400, "This game cannot be played with the Bot API.")


def test_giving_time(world: World) -> None:
    room = world.game("rival", "knight", BLITZ)
    feed = world.stream("knight", room)
    world.lobby.add_time(world.account("knight"), room.game.id, 15, world.now_ms)
    states = [message for message in feed.messages() if message["type"] == "gameState"]
    assert states[-1]["wtime"] == 195_000
    for seconds, game_id in ((4, room.game.id), (61, room.game.id), (15, "nosuchid")):
        with pytest.raises(Refusal) as caught:
            world.lobby.add_time(world.account("knight"), game_id, seconds, world.now_ms)
        assert caught.value.status == 404


def test_takebacks_need_the_preference_of_both() -> None:
    world = World()
    world.add("Knight", "BOT", takebacks=False)
    world.add("Rival")
    room = world.game("rival", "knight")
    world.play(room, "e2e4 e7e5")
    feed = world.stream("knight", room)
    world.lobby.rooms.act(room, lambda game: game.takeback("white", True, world.now_ms), world.now_ms)
    assert types(feed.messages()) == ["gameFull"]


def test_an_unplayed_game_is_deleted_after_a_day_without_an_event(world: World) -> None:
    room = world.game("rival", "knight")
    feed = world.stream("knight", room)
    world.wait(24 * 3600 + 60, step_s=60)
    assert world.lobby.rooms.find(room.game.id) is None
    assert world.lobby.now_playing(world.account("knight"), 9, world.now_ms)["nowPlaying"] == []
    assert not feed.is_open
