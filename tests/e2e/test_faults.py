"""Faults between the bot and Lichess, one at a time: the game is played to its end all the same.

Each row is the example of a whole kind. What is looked at is the server's side: how the game ended, what the
clock says, which requests came. After every row the bot must take another challenge with its only slot, stop
when it is told to, and leave no thread, socket or process behind.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.local_lichess.fault import Fault, Kind, at
from bot.local_lichess.spoilt_lines import KEEP_ALIVE
from bot.nursery import Nursery
from tests.e2e.fault_kit import BOTH_COLORS, Color, is_paced, row
from tests.hosting import warm_nursery

both_colors = pytest.mark.parametrize("color", BOTH_COLORS)


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with warm_nursery() as nursery:
        yield nursery


# --- the game's stream ----------------------------------------------------------------------------------

STATES = at("game_stream", event="gameState")
FULL = at("game_stream", event="gameFull")

STREAM_FAULTS = {
    "ends cleanly": Fault(Kind.END, STATES, after=1),
    "ends cleanly at the first line": Fault(Kind.END, FULL),
    "ends cleanly at a keep-alive": Fault(Kind.END, at("game_stream", event=KEEP_ALIVE)),
    "ends three times": Fault(Kind.END, at("game_stream"), after=1, times=3),
    "is reset": Fault(Kind.RESET, STATES, after=1),
    "is reset at the first line": Fault(Kind.RESET, FULL),
    "is reset in the middle of a line": Fault(Kind.RESET_MID_LINE, STATES, after=2),
    "falls silent": Fault(Kind.SILENCE, STATES, after=1),
    "falls silent at the first line": Fault(Kind.SILENCE, FULL),
    "a truncated line": Fault(Kind.TRUNCATE, STATES, after=1),
    "a truncated first line": Fault(Kind.TRUNCATE, FULL),
    "lines that are no JSON": Fault(Kind.NOT_JSON, STATES, after=2, times=2),
    "unknown events": Fault(Kind.UNKNOWN_EVENT, at("game_stream"), times=None),
    "every line twice": Fault(Kind.DUPLICATE, at("game_stream"), times=None),
    "lines out of order": Fault(Kind.SWAP, STATES, after=1),
    "lines out of order, and again": Fault(Kind.SWAP, STATES, after=2, times=2),
    "late lines": Fault(Kind.LATE_LINE, STATES, times=3, seconds=0.4),
    "no clocks": Fault(Kind.MISSING, STATES, times=None, fields=("wtime", "btime", "winc", "binc")),
    "null for clocks": Fault(
        Kind.NULL,
        at("game_stream"),
        times=None,
        fields=("wtime", "btime", "state.wtime", "state.btime", "clock"),
    ),
    "no moves": Fault(Kind.MISSING, STATES, after=1, fields=("moves",)),
    "null for moves": Fault(Kind.NULL, FULL, fields=("state.moves",)),
    "no state": Fault(Kind.MISSING, FULL, fields=("state",)),
    "no id": Fault(Kind.MISSING, FULL, fields=("id",)),
    "no type": Fault(Kind.NULL, at("game_stream"), after=1, fields=("type",)),
    "no status and no winner": Fault(Kind.MISSING, STATES, times=None, fields=("status", "winner")),
    "no players": Fault(Kind.NULL, FULL, times=None, fields=("white.id", "black")),
    "White is null": Fault(Kind.NULL, FULL, times=None, fields=("white",)),
    "Black is null": Fault(Kind.NULL, FULL, times=None, fields=("black",)),
}


@both_colors
@pytest.mark.parametrize("fault", STREAM_FAULTS)
def test_game_stream(nursery: Nursery, fault: str, color: Color) -> None:
    with row(nursery, STREAM_FAULTS[fault]) as world:
        game = world.play(color)
        assert world.script.fired
        assert [post.status for post in world.posts(game.id)] == [200] * (
            (game.ply + (color == "white")) // 2
        )


OPENING_FAULTS = {
    "429": Fault(Kind.ANSWER, at("game_stream"), status=429, shape="text", times=2),
    "429 that names a time": Fault(Kind.ANSWER, at("game_stream"), status=429, shape="limit", seconds=1),
    "429 in HTML": Fault(Kind.ANSWER, at("game_stream"), status=429, shape="html", times=2),
    "429 about polling": Fault(Kind.ANSWER, at("game_stream"), status=429, shape="poll", times=2),
    "502 in HTML": Fault(Kind.ANSWER, at("game_stream"), status=502, shape="html", times=2),
    "503 in JSON": Fault(Kind.ANSWER, at("game_stream"), status=503, shape="text", times=2),
    "504 without a body": Fault(Kind.ANSWER, at("game_stream"), status=504, shape="empty", times=2),
    "500 in half of its JSON": Fault(Kind.ANSWER, at("game_stream"), status=500, shape="half_json", times=2),
    "200 in HTML": Fault(Kind.ANSWER, at("game_stream"), status=200, shape="html", times=2),
    "a reset": Fault(Kind.DROP, at("game_stream"), times=2),
    "nothing": Fault(Kind.HANG, at("game_stream"), seconds=5),
    "late": Fault(Kind.DELAY, at("game_stream"), seconds=0.5),
}


@both_colors
@pytest.mark.parametrize("fault", OPENING_FAULTS)
def test_opening_the_game_stream_answers(nursery: Nursery, fault: str, color: Color) -> None:
    with row(nursery, OPENING_FAULTS[fault]) as world:
        game = world.play(color)
        assert world.script.fired
        assert {post.status for post in world.posts(game.id)} == {200}


# --- the move -------------------------------------------------------------------------------------------

MOVE_FAULTS = {
    "429": Fault(Kind.ANSWER, at("move"), status=429, shape="text", after=1),
    "429 that names ten minutes": Fault(
        Kind.ANSWER, at("move"), status=429, shape="limit", seconds=600, after=1
    ),
    "429 in HTML": Fault(Kind.ANSWER, at("move"), status=429, shape="html", after=1),
    "429 about polling": Fault(Kind.ANSWER, at("move"), status=429, shape="poll", after=1),
    "429 for the first move": Fault(Kind.ANSWER, at("move"), status=429, shape="text"),
    "502 in HTML": Fault(Kind.ANSWER, at("move"), status=502, shape="html", times=2, after=1),
    "503 in JSON": Fault(Kind.ANSWER, at("move"), status=503, shape="text", times=2, after=1),
    "500 without a body": Fault(Kind.ANSWER, at("move"), status=500, shape="empty", times=2),
    "200 in HTML, and no effect": Fault(Kind.ANSWER, at("move"), status=200, shape="html", times=2),
    "a reset": Fault(Kind.DROP, at("move"), times=2),
    "a reset, for the last move": Fault(Kind.DROP, at("move"), after=3, times=2),
    "nothing": Fault(Kind.HANG, at("move"), after=1, seconds=5),
    "a late effect": Fault(Kind.DELAY, at("move"), after=1, seconds=0.5),
    "a late effect, after the bot gave up": Fault(Kind.DELAY, at("move"), after=1, seconds=1.3),
    "lost after the effect": Fault(Kind.LOSE_ANSWER, at("move"), times=None),
    "late after the effect": Fault(Kind.LATE_ANSWER, at("move"), times=None, seconds=5),
    "garbled after the effect": Fault(Kind.GARBLE_ANSWER, at("move"), times=None),
}


@both_colors
@pytest.mark.parametrize("fault", MOVE_FAULTS)
def test_a_move_answers(nursery: Nursery, fault: str, color: Color) -> None:
    with row(nursery, MOVE_FAULTS[fault]) as world:
        game = world.play(color)
        assert world.script.fired
        assert is_paced(world.posts(game.id), at_most_per_s=6)
