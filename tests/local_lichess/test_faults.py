"""Each fault of a request, and of the server as a whole, as a client sees it on real sockets."""

from __future__ import annotations

import socket
from collections.abc import Callable

import pytest
import requests

from bot.local_lichess.fault import Fault, Kind, Where, at, kinds_of, occasion_of
from bot.local_lichess.troubled_answers import Shape
from bot.timing.clock import VirtualClock
from tests.local_lichess.fault_scene import MOVES, scene
from tests.local_lichess.wire_kit import DEADLINE_S
from tests.local_lichess.world import World

# --- requests -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "content_type", "check"),
    [
        ("text", "application/json", lambda r: "Too many requests" in r.json()["error"]),
        ("limit", "application/json", lambda r: r.json()["ratelimit"] == {"key": "day", "seconds": 1234}),
        ("html", "text/html", lambda r: "<title>429" in r.text),
        ("poll", "application/json", lambda r: "poll" in r.json()["error"]),
    ],
)
def test_a_429_in_all_four_shapes(
    shape: Shape, content_type: str, check: Callable[[requests.Response], bool]
) -> None:
    fault = Fault(Kind.ANSWER, at("move"), status=429, shape=shape, seconds=1234, key="day")
    with scene(fault) as world:
        answer = world.move(0)
        assert answer.status_code == 429
        assert answer.headers["Content-Type"].startswith(content_type)
        assert "Retry-After" not in answer.headers
        assert check(answer)
        assert world.moves == []
        assert world.move(0).status_code == 200, "once only"


@pytest.mark.parametrize("status", [500, 502, 503, 504])
@pytest.mark.parametrize("shape", ["html", "text", "empty", "half_json"])
def test_a_5xx_with_any_body(status: int, shape: Shape) -> None:
    with scene(Fault(Kind.ANSWER, at("game_stream"), status=status, shape=shape)) as world:
        answer = world.knight.get(f"/api/bot/game/stream/{world.game_id}")
        assert answer.status_code == status
        if shape == "text":
            assert answer.json()["error"]
        else:
            with pytest.raises(requests.JSONDecodeError):
                answer.json()
        stream = world.stream()
        assert stream.until("gameFull")["id"] == world.game_id
        stream.close()


def test_a_request_whose_connection_is_reset_has_no_effect() -> None:
    with scene(Fault(Kind.DROP, at("move"))) as world:
        with pytest.raises(requests.ConnectionError):
            world.move(0)
        assert world.moves == []


def test_a_reset_is_a_reset() -> None:
    """Not an end of file: the kernel says ECONNRESET."""
    with (
        scene(Fault(Kind.DROP, at("move"))) as world,
        socket.create_connection(("127.0.0.1", world.server.port), timeout=DEADLINE_S) as raw,
    ):
        head = f"POST /api/bot/game/{world.game_id}/move/e2e4 HTTP/1.1\r\nHost: x\r\n"
        raw.sendall(f"{head}Authorization: Bearer lip_knight\r\nContent-Length: 0\r\n\r\n".encode())
        with pytest.raises(ConnectionResetError):
            raw.recv(100)


def test_a_request_that_hangs_has_no_effect() -> None:
    with scene(Fault(Kind.HANG, at("move"), seconds=30)) as world:
        url = f"{world.server.url}/api/bot/game/{world.game_id}/move/e2e4"
        with pytest.raises(requests.ReadTimeout):
            world.knight.session.post(url, timeout=(DEADLINE_S, 0.1))
        assert world.moves == []


def test_a_delay_is_before_the_effect_and_a_late_answer_after_it() -> None:
    faults = (
        Fault(Kind.DELAY, at("move"), seconds=0.2),
        Fault(Kind.LATE_ANSWER, at("move"), after=1, seconds=0.2),
    )
    with scene(*faults) as world:
        assert world.move(0).status_code == 200
        answer = world.move(1)
        assert answer.elapsed.total_seconds() > 0.19
        assert world.fired() == [Kind.DELAY, Kind.LATE_ANSWER]
        assert world.moves == MOVES[:4]


@pytest.mark.parametrize("kind", [Kind.LOSE_ANSWER, Kind.GARBLE_ANSWER])
def test_an_answer_that_is_lost_or_garbled_after_the_effect(kind: Kind) -> None:
    with scene(Fault(kind, at("move"))) as world:
        if kind is Kind.LOSE_ANSWER:
            with pytest.raises(requests.ConnectionError):
                world.move(0)
        else:
            with pytest.raises(requests.JSONDecodeError):
                world.move(0).json()
        world.server.wait_until(lambda: world.moves == MOVES[:2])


# --- the server as a whole ------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [503, 0])
def test_an_outage_breaks_every_stream_at_once_and_comes_back(status: int) -> None:
    outage = Fault(Kind.OUTAGE, at("move"), seconds=0.4, status=status)
    clock = VirtualClock()
    with scene(outage, keep_alive_s=60, clock=clock) as world:
        streams = [world.stream(), world.knight.stream("/api/stream/event")]
        for stream in streams:
            assert stream.raw_line() is not None
        with pytest.raises(requests.ConnectionError):
            world.move(0)
        for stream in streams:
            assert stream.rest() == []
            assert stream.how_it_ended != "clean"
        if status == 0:
            with pytest.raises(requests.ConnectionError):
                world.move(0)
        else:
            assert world.move(0).status_code == status
        assert world.moves == []
        clock.advance(0.4)
        assert world.move(0).status_code == 200


def test_a_deploy_credits_the_clocks() -> None:
    with scene(clock=VirtualClock()) as world:
        for number in range(2):
            world.move(number)
            world.server.wait_until(lambda: len(world.moves) % 2 == 0)
        before = world.server.game(world.game_id)
        world.script.add(Fault(Kind.DEPLOY, at("move"), seconds=0.1))
        with pytest.raises(requests.ConnectionError):
            world.move(2)
        after = world.server.game(world.game_id)
        assert after.white_ms == before.white_ms + 20_000
        assert after.black_ms == before.black_ms + 10_000
        assert not after.is_over


def test_a_deploy_calls_off_the_games_whose_flag_fell_in_it() -> None:
    world = World()
    world.add("Knight", "BOT")
    world.add("Rival")
    down, up = world.game("rival", "knight"), world.game("rival", "knight")
    feed = world.stream("knight", down)
    world.play(down, "e2e4 e7e5")
    world.now_ms += 200_000
    world.play(up, "e2e4 e7e5")
    world.lobby.rooms.credit_clocks(world.now_ms)
    assert [room.game.status for room in (down, up)] == ["aborted", "started"]
    assert feed.messages()[-1]["status"] == "aborted"
    assert up.game.clock.remaining_ms("white", world.now_ms) == 200_000
    assert up.game.clock.remaining_ms("black", world.now_ms) == 190_000


# --- which occasion -------------------------------------------------------------------------------------


def test_a_fault_is_for_one_endpoint_one_game_and_so_many_times() -> None:
    with scene() as world:
        world.script.add(
            Fault(Kind.DROP, at("move"), game="other678"),
            Fault(Kind.DROP, at("abort")),
            Fault(Kind.DROP, at("move", account="rival")),
            Fault(Kind.DROP, Where(("move",), "knight"), game=world.game_id, after=1, times=2),
        )
        outcomes = []
        for number in (0, 1, 1, 1):
            try:
                outcomes.append(world.move(number).status_code)
            except requests.ConnectionError:
                outcomes.append(0)
        assert outcomes == [200, 0, 0, 200]
        path = f"/api/bot/game/{world.game_id}/move/{MOVES[2]}"
        assert [(fired.kind, fired.call.path) for fired in world.script.fired] == [(Kind.DROP, path)] * 2
        assert world.script.counts() == {Kind.DROP: 2}


def test_events_of_the_account_are_told_apart_by_game() -> None:
    with scene() as world:
        world.script.add(
            Fault(Kind.SWALLOW, at("event_stream", event="gameStart"), game="other678"),
            Fault(Kind.DUPLICATE, at("event_stream", event="gameStart"), game=world.game_id, times=None),
        )
        stream = world.knight.stream("/api/stream/event")
        assert stream.until("gameStart") == stream.until("gameStart")
        stream.close()
        assert world.fired() == [Kind.DUPLICATE]


def test_one_fault_an_occasion_the_first_that_fits() -> None:
    with scene(
        Fault(Kind.ANSWER, at("move"), status=500),
        Fault(Kind.ANSWER, at("move"), status=502, after=1),
        Fault(Kind.ANSWER, status=503, times=None),
    ) as world:
        assert [world.move(0).status_code for _ in range(4)] == [500, 502, 503, 503]


def test_every_kind_has_its_occasion() -> None:
    occasions = {kind: occasion_of(Fault(kind)) for kind in Kind}
    assert set(occasions.values()) == {"request", "effect", "line"}
    assert occasion_of(Fault(Kind.OUTAGE, at("game_stream", event="gameState"))) == "line"
    sorted_out = {kind for occasion in ("request", "effect", "line") for kind in kinds_of(occasion)}
    assert set(Kind) - sorted_out == {Kind.OUTAGE, Kind.DEPLOY}
