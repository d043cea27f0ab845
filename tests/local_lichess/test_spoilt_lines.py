"""Each fault of a stream and its lines, as a client sees it on real sockets."""

from __future__ import annotations

import json

import pytest

from bot.local_lichess.fault import Fault, Kind, at
from bot.local_lichess.spoilt_lines import KEEP_ALIVE
from tests.local_lichess.fault_scene import MOVES, moves_of, scene


def test_a_clean_end_in_mid_game() -> None:
    with scene(Fault(Kind.END, at("game_stream", event="gameState"))) as world:
        stream = world.stream()
        stream.until("gameFull")
        world.move(0)
        assert stream.rest() == []
        assert stream.how_it_ended == "clean"
        assert not world.server.game(world.game_id).is_over


def test_a_reset_at_a_keep_alive() -> None:
    with scene(Fault(Kind.RESET, at("game_stream", event=KEEP_ALIVE), after=1)) as world:
        stream = world.stream()
        assert [event["type"] for event in stream.rest()] == ["gameFull"]
        assert stream.seen.count(b"\n") == 1
        assert stream.how_it_ended != "clean"


def test_a_reset_in_the_middle_of_a_line() -> None:
    with scene(Fault(Kind.RESET_MID_LINE, at("game_stream"))) as world:
        stream = world.stream()
        assert stream.rest() == []
        assert stream.tail.startswith(b'{"type":"gameFull"')
        assert stream.how_it_ended != "clean"


def test_silence_with_the_socket_open_until_the_stream_is_opened_again() -> None:
    with scene(Fault(Kind.SILENCE, at("game_stream", event="gameState"))) as world:
        stream, events = world.stream(), world.knight.stream("/api/stream/event")
        stream.until("gameFull")
        world.move(0)
        world.server.wait_until(lambda: len(world.moves) == 2)
        heard = len(stream.seen)
        for _ in range(5):  # of a stream that is well: gameStart and keep-alives
            events.raw_line()
        assert len(stream.seen) == heard
        assert stream.how_it_ended is None
        again = world.stream()
        assert moves_of(again.next()) == MOVES[:2]
        assert again.raw_line() == b"\n"
        for one in (stream, events, again):
            one.close()


@pytest.mark.parametrize("kind", [Kind.TRUNCATE, Kind.NOT_JSON])
def test_a_line_that_is_no_json_on_a_stream_that_goes_on(kind: Kind) -> None:
    with scene(Fault(kind, at("game_stream"))) as world:
        stream = world.stream()
        line = stream.raw_line()
        assert line is not None
        assert line.endswith(b"\n")
        with pytest.raises((json.JSONDecodeError, UnicodeDecodeError)):
            json.loads(line)
        world.move(0)
        assert moves_of(stream.until("gameState")) == MOVES[:1]
        stream.close()


def test_fields_that_are_missing_or_null() -> None:
    faults = (
        Fault(Kind.MISSING, at("game_stream", event="gameFull"), fields=("state.wtime", "white", "nonsense")),
        Fault(Kind.NULL, at("game_stream", event="gameState"), fields=("btime", "a.b")),
    )
    with scene(*faults) as world:
        stream = world.stream()
        full = stream.until("gameFull")
        assert "white" not in full
        assert "wtime" not in full["state"]
        assert full["state"]["btime"] == 180_000
        world.move(0)
        state = stream.until("gameState")
        assert state["btime"] is None
        assert state["wtime"] == 180_000
        stream.close()


def test_an_unknown_event_comes_before_the_line() -> None:
    with scene(Fault(Kind.UNKNOWN_EVENT, at("game_stream"))) as world:
        stream = world.stream()
        unknown, known = stream.next(), stream.next()
        assert unknown is not None
        assert known is not None
        assert unknown.get("type") not in ("gameFull", "gameState", "chatLine", "opponentGone")
        assert known["type"] == "gameFull"
        stream.close()


def test_a_line_that_is_lost_twice_there_or_out_of_order() -> None:
    states = at("game_stream", event="gameState")
    faults = (
        Fault(Kind.SWALLOW, states),
        Fault(Kind.DUPLICATE, states, after=2),
        Fault(Kind.SWAP, states, after=4),
    )
    with scene(*faults) as world:
        stream = world.stream()
        stream.until("gameFull")
        for number in range(3):
            world.move(number)
            world.server.wait_until(lambda: len(world.moves) % 2 == 0)
        seen = [len(moves_of(stream.until("gameState"))) for _ in range(6)]
        assert seen == [2, 3, 3, 4, 6, 5]
        stream.close()


def test_a_line_that_is_late() -> None:
    with scene(Fault(Kind.LATE_LINE, at("game_stream", event="gameState"), seconds=0.3)) as world:
        stream = world.stream()
        stream.until("gameFull")
        world.move(0)
        world.server.wait_until(lambda: len(world.moves) == 2)
        assert [len(moves_of(stream.until("gameState"))) for _ in range(2)] == [1, 2]
        stream.close()


def test_a_start_that_is_replayed() -> None:
    with scene(Fault(Kind.REPLAY_START, at("event_stream", event=KEEP_ALIVE))) as world:
        stream = world.knight.stream("/api/stream/event")
        first, second = stream.until("gameStart"), stream.until("gameStart")
        assert first == second
        stream.close()
