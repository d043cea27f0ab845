"""The account's event stream."""

from __future__ import annotations

import pytest

from bot.local_lichess.feeds import KEEP_ALIVE
from bot.local_lichess.limits import Limits
from bot.local_lichess.refusal import Refusal
from tests.local_lichess.world import BLITZ, World, answer, types


@pytest.fixture
def world() -> World:
    world = World()
    world.add("Knight", "BOT", rating=1902)
    world.add("Rival", rating=1873)
    return world


def test_both_parties_hear_of_a_challenge(world: World) -> None:
    knight, rival = world.events("knight"), world.events("rival")
    challenge_id = world.challenge("rival", "knight", rated="true")
    (to_knight,), (to_rival,) = knight.messages(), rival.messages()
    assert to_knight["type"] == to_rival["type"] == "challenge"
    assert to_knight["challenge"] == to_rival["challenge"]
    challenge = to_knight["challenge"]
    assert isinstance(challenge, dict)
    assert challenge["id"] == challenge_id
    assert challenge["status"] == "created"
    assert challenge["rated"] is True
    assert challenge["challenger"] == {
        "id": "rival", "name": "Rival", "rating": 1873, "online": True, "lag": 4,
    }  # fmt: skip
    assert challenge["destUser"]["title"] == "BOT"
    assert challenge["timeControl"] == {"type": "clock", "limit": 180, "increment": 2, "show": "3+2"}
    assert "direction" not in challenge
    assert "initialFen" not in challenge
    assert "rules" not in challenge
    assert to_knight["compat"] == {"bot": True, "board": True}
    assert to_rival["compat"] == {"bot": False, "board": True}


def test_a_game_starts_for_both_under_the_challenge_id(world: World) -> None:
    knight, rival = world.events("knight"), world.events("rival")
    challenge_id = world.challenge("rival", "knight", color="white")
    world.accept("knight", challenge_id)
    (_, to_knight), (_, to_rival) = knight.messages(), rival.messages()
    assert to_knight["type"] == to_rival["type"] == "gameStart"
    mine, theirs = to_knight["game"], to_rival["game"]
    assert isinstance(mine, dict)
    assert isinstance(theirs, dict)
    assert mine["gameId"] == mine["id"] == theirs["gameId"] == challenge_id
    assert (mine["color"], theirs["color"]) == ("black", "white")
    assert mine["opponent"] == {"id": "rival", "username": "Rival", "rating": 1873}
    assert mine["fullId"] != theirs["fullId"]
    assert all(full_id.startswith(challenge_id) for full_id in (mine["fullId"], theirs["fullId"]))


def test_the_end_of_a_game_is_told_to_both(world: World) -> None:
    room = world.game("rival", "knight", BLITZ, rated="true")
    knight, rival = world.events("knight"), world.events("rival")
    world.play(room, "f2f3 e7e5 g2g4 d8h4")
    (_, to_knight), (_, to_rival) = knight.messages(), rival.messages()
    assert to_knight["type"] == to_rival["type"] == "gameFinish"
    game = to_knight["game"]
    assert isinstance(game, dict)
    assert game["status"] == {"id": 30, "name": "mate"}
    assert game["winner"] == "black"
    assert game["isMyTurn"] is False
    assert game["ratingDiff"] > 0
    assert world.account("knight").rating == 1902 + game["ratingDiff"]
    assert world.account("rival").losses == world.account("knight").wins == 1


def test_an_aborted_game_is_told_and_counts_for_nothing(world: World) -> None:
    room = world.game("rival", "knight")
    knight = world.events("knight")
    world.lobby.rooms.act(room, lambda game: game.abort("white", world.now_ms), world.now_ms)
    _, finish = knight.messages()
    assert finish["type"] == "gameFinish"
    assert isinstance(finish["game"], dict)
    assert finish["game"]["status"] == {"id": 25, "name": "aborted"}
    assert "winner" not in finish["game"]
    assert world.account("knight").draws == 0


def test_a_decline_is_told_to_both_with_its_reason_in_lower_case(world: World) -> None:
    challenge_id = world.challenge("rival", "knight")
    knight, rival = world.events("knight"), world.events("rival")
    knight.messages()
    world.decline("knight", challenge_id, "tooSlow")
    (to_knight,), (to_rival,) = knight.messages(), rival.messages()
    assert to_knight == to_rival
    assert to_knight["type"] == "challengeDeclined"
    challenge = to_knight["challenge"]
    assert isinstance(challenge, dict)
    assert challenge["status"] == "declined"
    assert challenge["declineReasonKey"] == "tooslow"
    assert challenge["declineReason"]
    assert "compat" not in to_knight


def test_an_unknown_reason_is_generic(world: World) -> None:
    rival = world.events("rival")
    world.decline("knight", world.challenge("rival", "knight"), "dislike")
    declined = rival.messages()[-1]["challenge"]
    assert isinstance(declined, dict)
    assert declined["declineReasonKey"] == "generic"


def test_a_withdrawn_challenge_is_told_to_both(world: World) -> None:
    challenge_id = world.challenge("rival", "knight")
    knight, rival = world.events("knight"), world.events("rival")
    knight.messages()
    world.cancel("rival", challenge_id)
    (to_knight,), (to_rival,) = knight.messages(), rival.messages()
    assert to_knight == to_rival
    assert to_knight["type"] == "challengeCanceled"
    assert "compat" not in to_knight


def test_cancelling_a_challenge_one_received_declines_it(world: World) -> None:
    challenge_id = world.challenge("rival", "knight")
    rival = world.events("rival")
    world.cancel("knight", challenge_id)
    assert types(rival.messages()) == ["challengeDeclined"]


def test_a_challenge_that_goes_stale_is_told_to_nobody(world: World) -> None:
    knight, rival = world.events("knight"), world.events("rival")
    world.challenge("rival", "knight")
    knight.messages()
    rival.messages()
    world.wait(60)
    assert knight.messages() == rival.messages() == []


def test_opening_replays_games_then_incoming_challenges_without_compat(world: World) -> None:
    outgoing = world.challenge("knight", "rival")
    incoming = world.challenge("rival", "knight")
    room = world.game("rival", "knight")
    replay = world.events("knight").messages()
    assert types(replay) == ["gameStart", "challenge"]
    assert isinstance(replay[0]["game"], dict)
    assert isinstance(replay[1]["challenge"], dict)
    assert replay[0]["game"]["gameId"] == room.game.id
    assert replay[1]["challenge"]["id"] == incoming != outgoing
    assert "compat" not in replay[1]


def test_more_than_32_lines_of_replay_lose_the_oldest() -> None:
    world = World(Limits(challenge_credits_per_minute=1000, challenge_credits_per_day=1000))
    world.add("Knight", "BOT")
    world.add("Rival")
    ids = [world.challenge("rival", "knight") for _ in range(35)]
    replay = world.events("knight").messages()
    assert [message["challenge"]["id"] for message in replay] == ids[3:]  # type: ignore[index]  # JSON


def test_a_second_stream_of_the_token_ends_the_first_cleanly(world: World) -> None:
    first = world.events("knight")
    second = world.events("knight")
    assert first.ended
    assert second.is_open
    world.challenge("rival", "knight")
    assert first.messages() == []
    assert types(second.messages()) == ["challenge"]


def test_another_token_of_the_account_has_a_stream_of_its_own(world: World) -> None:
    first = world.events("knight")
    knight = world.account("knight")
    world.lobby.accounts.issue(knight, ("bot:play",), text="lip_other")
    other = world.lobby.accounts.authenticate("Bearer lip_other", "", (), world.now_ms)
    second = world.lobby.open_events(other, user_agent="", now_ms=world.now_ms)
    assert first.is_open
    assert second.is_open


def test_thirty_opens_in_ten_minutes_and_no_more(world: World) -> None:
    for _ in range(30):
        world.events("knight")
    with pytest.raises(Refusal) as caught:
        world.events("knight")
    status, text = answer(caught.value)
    assert status == 429
    assert "poll" in str(text)
    assert "ratelimit" not in caught.value.body
    world.wait(600, step_s=60)
    assert world.events("knight").is_open


def test_keep_alives_come_every_seven_seconds(world: World) -> None:
    feed = world.events("knight")
    world.wait(6.9, step_s=0.1)
    assert feed.pop() is None
    world.wait(0.1, step_s=0.1)
    assert feed.pop() == KEEP_ALIVE
    world.wait(7, step_s=0.1)
    assert feed.pop() == KEEP_ALIVE
