"""Challenges: who may send, answer and withdraw them, and what is said when not."""

from __future__ import annotations

import chess
import pytest

from bot.local_lichess.refusal import Refusal
from tests.local_lichess.world import BLITZ, World, answer, types


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


# --- sending --------------------------------------------------------------------------------------------


def test_the_answer_has_a_direction(world: World) -> None:
    challenge_id = world.challenge("rival", "knight")
    desk = world.lobby.challenges
    assert desk.show(world.account("rival"), challenge_id)["direction"] == "out"
    assert desk.show(world.account("knight"), challenge_id)["direction"] == "in"


@pytest.mark.parametrize(
    ("dest", "form", "expected"),
    [
        ("nobody", BLITZ, "No such user: nobody"),
        ("rival", BLITZ, "You cannot challenge yourself"),
        ("knight", {**BLITZ, "rules": "noAbort"}, "Rules not applicable for bots"),
        (
            "knight",
            {"clock.limit": "15", "clock.increment": "0"},
            "Bots cannot play UltraBullet. Choose a slower time control.",
        ),
        ("knight", {**BLITZ, "onlyIfOpponentFollowsMe": "true"}, "knight does not follow you"),
    ],
)
def test_refusals(world: World, dest: str, form: dict[str, str], expected: str) -> None:
    assert refused(world, "rival", dest, form) == (400, expected)


def test_a_bad_form_is_told_before_an_unknown_user(world: World) -> None:
    status, error = refused(world, "rival", "nobody", {"clock.limit": "7", "clock.increment": "0"})
    assert status == 400
    assert error == {"clock.limit": ["Invalid value"]}


def test_two_humans_may_play_ultrabullet_with_rules(world: World) -> None:
    world.add("Guest")
    challenge_id = world.challenge(
        "rival", "guest", {"clock.limit": "15", "clock.increment": "0", "rules": "noAbort,noRematch"}
    )
    shown = world.lobby.challenges.show(world.account("guest"), challenge_id)
    assert shown["rules"] == ["noAbort", "noRematch"]
    assert shown["speed"] == "ultraBullet"
    assert shown["timeControl"] == {"type": "clock", "limit": 15, "increment": 0, "show": "¼+0"}


def test_a_fast_rated_variant_is_echoed_as_casual(world: World) -> None:
    form = {"clock.limit": "0", "clock.increment": "1", "variant": "atomic", "rated": "true"}
    challenge_id = world.challenge("rival", "knight", form)
    shown = world.lobby.challenges.show(world.account("rival"), challenge_id)
    assert shown["rated"] is False
    assert shown["perf"] == {"icon": "\ue000", "name": "Atomic"}


@pytest.mark.parametrize(
    ("form", "time_control"),
    [
        ({}, {"type": "unlimited"}),
        ({"days": "3"}, {"type": "correspondence", "daysPerTurn": 3}),
        (
            {"clock.limit": "90", "clock.increment": "0"},
            {"type": "clock", "limit": 90, "increment": 0, "show": "1.5+0"},
        ),
    ],
)
def test_time_controls(world: World, form: dict[str, str], time_control: dict[str, object]) -> None:
    challenge_id = world.challenge("rival", "knight", form)
    assert world.lobby.challenges.show(world.account("rival"), challenge_id)["timeControl"] == time_control


@pytest.mark.parametrize(("wish", "challenger_side"), [("white", "white"), ("black", "black")])
def test_the_challenger_gets_the_colour_asked_for(world: World, wish: str, challenger_side: str) -> None:
    room = world.accept("knight", world.challenge("rival", "knight", color=wish))
    assert room.side(world.account("rival")) == challenger_side


def test_random_colours_are_settled_at_once_and_vary(world: World) -> None:
    world.account("knight").follows.add("rival")  # no credits are spent
    seen = set()
    for _ in range(20):
        challenge_id = world.challenge("rival", "knight")
        shown = world.lobby.challenges.show(world.account("rival"), challenge_id)
        assert shown["color"] == "random"
        room = world.accept("knight", challenge_id)
        assert room.side(world.account("rival")) == shown["finalColor"]
        seen.add(shown["finalColor"])
    assert seen == {"white", "black"}


def test_a_position_is_shown_and_played_from(world: World) -> None:
    fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"
    challenge_id = world.challenge("rival", "knight", fen=fen)
    shown = world.lobby.challenges.show(world.account("rival"), challenge_id)
    assert shown["variant"] == {"key": "fromPosition", "name": "From Position", "short": "FEN"}
    assert shown["initialFen"] == fen
    assert world.accept("knight", challenge_id).game.fen == fen


def test_chess960_draws_a_position_of_its_own(world: World) -> None:
    room = world.game("rival", "knight", BLITZ, variant="chess960")
    board = chess.Board(room.game.initial_fen or "", chess960=True)
    assert board.chess960_pos() is not None
    assert room.game.full_json(world.now_ms)["initialFen"] == room.game.initial_fen


# --- answering ------------------------------------------------------------------------------------------


def test_only_the_one_challenged_can_accept_and_only_once(world: World) -> None:
    challenge_id = world.challenge("rival", "knight")
    for name, wrong_id in (("rival", challenge_id), ("bishop", challenge_id), ("knight", "nosuchid")):
        with pytest.raises(Refusal) as caught:
            world.accept(name, wrong_id)
        assert answer(caught.value) == (404, "Not found")
    world.accept("knight", challenge_id)
    with pytest.raises(Refusal) as caught:
        world.accept("knight", challenge_id)
    assert answer(caught.value) == (404, "Not found")


def test_accepting_too_late(world: World) -> None:
    withdrawn, declined = world.challenge("rival", "knight"), world.challenge("rival", "knight")
    world.cancel("rival", withdrawn)
    world.decline("knight", declined)
    for challenge_id, how in ((withdrawn, "canceled"), (declined, "declined")):
        with pytest.raises(Refusal) as caught:
            world.accept("knight", challenge_id)
        assert answer(caught.value) == (400, f"The challenge has been {how}.")


def test_declining_what_is_not_there(world: World) -> None:
    challenge_id = world.challenge("rival", "knight")
    world.decline("knight", challenge_id)
    for name in ("knight", "rival"):
        with pytest.raises(Refusal) as caught:
            world.decline(name, challenge_id)
        assert answer(caught.value) == (404, "Not found")


def test_a_stale_challenge_leaves_the_lists_but_can_still_be_accepted(world: World) -> None:
    challenge_id = world.challenge("rival", "knight")
    desk, knight = world.lobby.challenges, world.account("knight")
    world.wait(19)
    assert len(desk.list_for(knight)["in"]) == 1  # type: ignore[arg-type]  # JSON
    world.wait(1)
    assert desk.list_for(knight) == {"in": [], "out": []}
    assert world.events("knight").messages() == []
    assert desk.show(knight, challenge_id)["status"] == "offline"
    assert world.accept("knight", challenge_id).game.status == "started"


def test_a_correspondence_challenge_does_not_go_stale(world: World) -> None:
    world.challenge("rival", "knight", {"days": "2"})
    world.wait(3600, step_s=60)
    assert len(world.lobby.challenges.list_for(world.account("knight"))["in"]) == 1  # type: ignore[arg-type]  # JSON


def test_challenges_are_forgotten_after_two_weeks(world: World) -> None:
    challenge_id = world.challenge("rival", "knight", {"days": "2"})
    world.wait(14 * 24 * 3600, step_s=3600)
    with pytest.raises(Refusal):
        world.accept("knight", challenge_id)


def test_lists_tell_in_from_out(world: World) -> None:
    challenge_id = world.challenge("rival", "knight")
    listed = {name: world.lobby.challenges.list_for(world.account(name)) for name in ("rival", "knight")}
    assert [c["id"] for c in listed["rival"]["out"]] == [challenge_id]  # type: ignore[attr-defined]  # JSON
    assert [c["id"] for c in listed["knight"]["in"]] == [challenge_id]  # type: ignore[attr-defined]  # JSON
    assert listed["rival"]["in"] == listed["knight"]["out"] == []


def test_nobody_else_sees_a_challenge(world: World) -> None:
    challenge_id = world.challenge("rival", "knight")
    with pytest.raises(Refusal) as caught:
        world.lobby.challenges.show(world.account("bishop"), challenge_id)
    assert caught.value.status == 404


# --- withdrawing, also the game --------------------------------------------------------------------------


def test_cancelling_an_unplayed_game_aborts_it(world: World) -> None:
    room = world.game("rival", "knight")
    world.play(room, "e2e4")
    world.cancel("knight", room.game.id)
    assert room.game.status == "aborted"


def test_cancelling_a_game_under_way_takes_the_opponents_token(world: World) -> None:
    room = world.game("rival", "knight")
    world.play(room, "e2e4 e7e5")
    for token, expected in (
        (None, "Missing opponentToken"),
        ("lip_nonsense", "Not the opponent token"),
        ("lip_bishop", "Not the opponent token"),
        ("lip_knight", "Not the opponent token"),
    ):
        with pytest.raises(Refusal) as caught:
            world.cancel("knight", room.game.id, token)
        assert answer(caught.value) == (400, expected)
    world.cancel("knight", room.game.id, "lip_rival")
    assert room.game.status == "aborted"


def test_cancelling_what_is_not_there(world: World) -> None:
    room = world.game("rival", "knight")
    for name, subject in (("knight", "nosuchid"), ("bishop", room.game.id)):
        with pytest.raises(Refusal) as caught:
            world.cancel(name, subject)
        assert answer(caught.value) == (404, "Not found")


# --- kept alive -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("outcome", ["accepted", "declined", "canceled"])
def test_a_challenge_kept_alive_lives_until_it_is_answered(world: World, outcome: str) -> None:
    form = {**BLITZ, "keepAliveStream": "true"}
    challenge, feed = world.lobby.challenges.create(world.caller("rival"), "knight", form, world.now_ms)
    assert feed is not None
    (first,) = feed.messages()
    assert first["id"] == challenge.id
    assert first["direction"] == "out"
    world.wait(60)
    assert challenge.status == "created"
    match outcome:
        case "accepted":
            world.accept("knight", challenge.id)
        case "declined":
            world.decline("knight", challenge.id)
        case _:
            world.cancel("rival", challenge.id)
    assert feed.messages() == [{"done": outcome}]
    assert feed.ended


def test_hanging_up_cancels_a_challenge_kept_alive(world: World) -> None:
    form = {**BLITZ, "keepAliveStream": "true"}
    challenge, feed = world.lobby.challenges.create(world.caller("rival"), "knight", form, world.now_ms)
    assert feed is not None
    events = world.events("knight")
    world.lobby.stream_closed(feed, world.now_ms)
    assert challenge.status == "canceled"
    assert types(events.messages()) == ["challenge", "challengeCanceled"]
