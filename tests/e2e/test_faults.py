"""Faults between the bot and Lichess: the game is played to its end all the same.

Each row is the example of a whole kind. There are two games of it, one of each colour; several rows are
played at the same time. What is looked at is the server's side: how the games ended, what the clocks say,
which requests came. Afterwards the bot must take more challenges, stop when it is told to, and leave no
thread, socket or process behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.local_lichess.fault import Fault, Kind, at
from bot.local_lichess.spoilt_lines import KEEP_ALIVE
from bot.nursery import Nursery
from tests.e2e.fault_kit import BOTH_COLORS, LOST_S, Color, Outcome, is_paced, play_each, row
from tests.e2e.live_bot import TIMEOUTS, Manners
from tests.hosting import warm_nursery

Outcomes = dict[tuple[str, Color], Outcome]

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
    "ends cleanly three times": Fault(Kind.END, at("game_stream"), after=1, times=3),
    "is reset": Fault(Kind.RESET, STATES, after=1),
    "is reset at the first line": Fault(Kind.RESET, FULL),
    "is reset in the middle of a line": Fault(Kind.RESET_MID_LINE, STATES, after=2),
    "falls silent": Fault(Kind.SILENCE, STATES, after=1),
    "falls silent at the first line": Fault(Kind.SILENCE, FULL),
    "has a truncated line": Fault(Kind.TRUNCATE, STATES, after=1),
    "has a truncated first line": Fault(Kind.TRUNCATE, FULL),
    "has lines that are no JSON": Fault(Kind.NOT_JSON, STATES, after=2, times=2),
    "has unknown events": Fault(Kind.UNKNOWN_EVENT, at("game_stream"), times=None),
    "has every line twice": Fault(Kind.DUPLICATE, at("game_stream"), times=None),
    "has late lines": Fault(Kind.LATE_LINE, STATES, times=3, seconds=0.3),
    "lacks the clocks": Fault(Kind.MISSING, STATES, times=None, fields=("wtime", "btime", "winc", "binc")),
    "has null for clocks": Fault(
        Kind.NULL,
        at("game_stream"),
        times=None,
        fields=("wtime", "btime", "state.wtime", "state.btime", "clock"),
    ),
    "lacks the moves": Fault(Kind.MISSING, STATES, after=1, fields=("moves",)),
    "has null for moves": Fault(Kind.NULL, FULL, fields=("state.moves",)),
    "lacks the state": Fault(Kind.MISSING, FULL, fields=("state",)),
    "lacks the id": Fault(Kind.MISSING, FULL, fields=("id",)),
    "has null for a type": Fault(Kind.NULL, at("game_stream"), after=1, fields=("type",)),
    "lacks the status and the winner": Fault(Kind.MISSING, STATES, times=None, fields=("status", "winner")),
    "has no ids of players": Fault(Kind.NULL, FULL, times=None, fields=("white.id", "black.id")),
    "has null for White": Fault(Kind.NULL, FULL, times=None, fields=("white",)),
    "has null for Black": Fault(Kind.NULL, FULL, times=None, fields=("black",)),
}


@pytest.fixture(scope="module")
def with_broken_streams(nursery: Nursery) -> Outcomes:
    return play_each(nursery, STREAM_FAULTS)


@both_colors
@pytest.mark.parametrize("fault", STREAM_FAULTS)
def test_the_game_stream(with_broken_streams: Outcomes, fault: str, color: Color) -> None:
    outcome = with_broken_streams[fault, color]
    assert outcome.failure is None, outcome.failure
    assert outcome.fired
    assert outcome.refused_posts == 0


def test_the_game_stream_ends_cleanly_while_nothing_happens(nursery: Nursery) -> None:
    with row(nursery, delay_s=0.4) as world:
        world.play_both(Fault(Kind.END, at("game_stream", event=KEEP_ALIVE), times=2))


def test_the_game_stream_has_lines_out_of_order(nursery: Nursery) -> None:
    """The state after the opponent's move comes first, then the one before it."""
    with row(nursery) as world:
        ids = [
            world.challenge("white", Fault(Kind.SWAP, STATES, after=2)),
            world.challenge("black", Fault(Kind.SWAP, STATES)),
        ]
        for game_id in ids:
            assert world.refused_posts(world.finish(game_id)) == 0
        assert world.script.counts() == {Kind.SWAP: 2}


@pytest.mark.parametrize("event", ["gameFull", "gameState"])
def test_the_game_stream_loses_a_line_and_lives(
    nursery: Nursery, event: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing but the list of ongoing games tells that it is the bot's move."""
    monkeypatch.setattr("bot.account.RECONCILE_PLAYING_S", 0.5)
    lost = Fault(Kind.SWALLOW, at("game_stream", event=event), after=0 if event == "gameFull" else 1)
    with row(nursery) as world:
        world.play_both(lost)


OPENING_FAULTS = {
    "429": Fault(Kind.ANSWER, at("game_stream"), status=429, shape="text"),
    "429 that names a time": Fault(Kind.ANSWER, at("game_stream"), status=429, shape="limit", seconds=1),
    "429 in HTML": Fault(Kind.ANSWER, at("game_stream"), status=429, shape="html"),
    "429 about polling": Fault(Kind.ANSWER, at("game_stream"), status=429, shape="poll"),
    "502 in HTML": Fault(Kind.ANSWER, at("game_stream"), status=502, shape="html"),
    "503 in JSON, twice": Fault(Kind.ANSWER, at("game_stream"), status=503, shape="text", times=2),
    "504 without a body": Fault(Kind.ANSWER, at("game_stream"), status=504, shape="empty"),
    "500 in half of its JSON": Fault(Kind.ANSWER, at("game_stream"), status=500, shape="half_json"),
    "200 in HTML": Fault(Kind.ANSWER, at("game_stream"), status=200, shape="html"),
    "a reset": Fault(Kind.DROP, at("game_stream")),
    "nothing": Fault(Kind.HANG, at("game_stream"), seconds=5),
    "late": Fault(Kind.DELAY, at("game_stream"), seconds=0.5),
}


@pytest.fixture(scope="module")
def with_refused_streams(nursery: Nursery) -> Outcomes:
    return play_each(nursery, OPENING_FAULTS)


@both_colors
@pytest.mark.parametrize("fault", OPENING_FAULTS)
def test_opening_the_game_stream_answers(with_refused_streams: Outcomes, fault: str, color: Color) -> None:
    outcome = with_refused_streams[fault, color]
    assert outcome.failure is None, outcome.failure
    assert outcome.fired
    assert outcome.refused_posts == 0


# --- the move -------------------------------------------------------------------------------------------

MOVE_FAULTS = {
    "429": Fault(Kind.ANSWER, at("move"), status=429, shape="text", after=1),
    "429 that names ten minutes": Fault(
        Kind.ANSWER, at("move"), status=429, shape="limit", seconds=600, after=1
    ),
    "429 in HTML": Fault(Kind.ANSWER, at("move"), status=429, shape="html", after=1),
    "429 about polling": Fault(Kind.ANSWER, at("move"), status=429, shape="poll", after=1),
    "429 to the first move": Fault(Kind.ANSWER, at("move"), status=429, shape="text"),
    "502 in HTML": Fault(Kind.ANSWER, at("move"), status=502, shape="html", times=2, after=1),
    "503 in JSON": Fault(Kind.ANSWER, at("move"), status=503, shape="text", times=3, after=1),
    "500 without a body": Fault(Kind.ANSWER, at("move"), status=500, shape="empty", times=2),
    "200 in HTML, without effect": Fault(Kind.ANSWER, at("move"), status=200, shape="html", times=2),
    "200 in JSON, without effect": Fault(Kind.ANSWER, at("move"), status=200, shape="text", after=1),
    "a reset": Fault(Kind.DROP, at("move"), times=2),
    "a reset to the last move": Fault(Kind.DROP, at("move"), after=3, times=2),
    "nothing": Fault(Kind.HANG, at("move"), after=1, seconds=5),
    "late, and so is the effect": Fault(Kind.DELAY, at("move"), after=1, seconds=0.5),
    "later than the bot waits, and so is the effect": Fault(Kind.DELAY, at("move"), after=1, seconds=1.3),
    "nothing, after the effect": Fault(Kind.LOSE_ANSWER, at("move"), times=None),
    "half of it, after the effect": Fault(Kind.GARBLE_ANSWER, at("move"), times=None),
}


@pytest.fixture(scope="module")
def with_troubled_moves(nursery: Nursery) -> Outcomes:
    return play_each(nursery, MOVE_FAULTS)


@both_colors
@pytest.mark.parametrize("fault", MOVE_FAULTS)
def test_a_move_is_answered(with_troubled_moves: Outcomes, fault: str, color: Color) -> None:
    outcome = with_troubled_moves[fault, color]
    assert outcome.failure is None, outcome.failure
    assert outcome.fired
    assert is_paced(outcome.posts)


def test_a_move_does_not_wait_for_the_late_answer_to_the_one_before(nursery: Nursery) -> None:
    late_s = 0.4 * LOST_S  # three of them would be too much
    with row(nursery, manners=Manners(timeouts=replace(TIMEOUTS, move_s=late_s))) as world:
        for game in world.play_both(Fault(Kind.LATE_ANSWER, at("move"), times=None, seconds=late_s)):
            assert game.ply > 7  # three moves of the bot, and its first, which no clock runs in
