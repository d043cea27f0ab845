"""A clock that Lichess does not have: it is kept, shown and refilled to the millisecond."""

from __future__ import annotations

from dataclasses import replace

from bot.local_lichess.clocks import Correspondence, FineRealtime, Realtime, speed_of
from tests.local_lichess.game_kit import table
from tests.local_lichess.world import World

TEN_AND_A_TENTH = FineRealtime(15, 1, 10_000, 100)


def test_it_is_kept_and_shown_to_the_millisecond() -> None:
    t = table(time_control=TEN_AND_A_TENTH)
    assert t.game.full_json(t.now_ms)["clock"] == {"initial": 10_000, "increment": 100}
    assert (t.state()["winc"], t.state()["binc"]) == (100, 100)
    t.play("e2e4 e7e5", think_ms=700)
    assert t.left() == (10_000, 10_000), "the first moves cost nothing, and earn nothing"
    t.play("g1f3 b8c6", think_ms=345)
    assert t.left() == (9_755, 9_755)
    t.wait(9_755)
    t.play("f1b5", think_ms=0)
    assert t.result() == ("outoftime", "black")


def test_its_speed_is_that_of_the_clock_that_was_asked_for() -> None:
    assert speed_of(TEN_AND_A_TENTH) == speed_of(Realtime(15, 1)) == "bullet"
    assert table(time_control=TEN_AND_A_TENTH).game.full_json(0)["speed"] == "bullet"


def test_a_server_may_have_one_clock_for_all_games_with_a_clock() -> None:
    world = World()
    world.add("Knight", "BOT")
    world.add("Rival")
    world.lobby.settings = replace(world.lobby.settings, realtime=TEN_AND_A_TENTH)
    assert world.game("rival", "knight").game.time_control == TEN_AND_A_TENTH
    slow = world.game("rival", "knight", {"days": "2"})
    assert slow.game.time_control == Correspondence(2)
