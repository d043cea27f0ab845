"""The connection that moves go out on."""

from __future__ import annotations

import threading

import pytest

from bot.errors import (
    ConnectionTroubleError,
)
from bot.lichess.client import Timeouts
from tests.lichess.wire_server import (
    DEADLINE_S,
    GAME,
    Seen,
    Talk,
    lichess_at,
    ok,
    serving,
)


def test_moves_share_one_connection_and_nothing_else_does() -> None:
    with serving(ok) as server:
        lichess = lichess_at(server)
        mover, other = lichess.mover(), lichess.mover()
        for uci in ("e2e4", "g1f3", "f1c4"):
            mover.move(GAME, uci)
            lichess.chat(GAME, "player", "hm")
            other.move("another1", uci)
        lichess.close()
        ports = [seen.port for seen in server.seen]
    assert len(set(ports)) == 3
    assert len(set(ports[0::3])) == len(set(ports[1::3])) == len(set(ports[2::3])) == 1


def test_a_connection_closed_while_idle_is_replaced_and_the_move_goes_once() -> None:
    closed = threading.Event()

    def script(seen: Seen, talk: Talk) -> None:
        talk.ok()
        if seen.path.endswith("e2e4"):
            talk.close()
            closed.set()

    with serving(script) as server:
        lichess = lichess_at(server)
        mover = lichess.mover()
        mover.move(GAME, "e2e4")
        assert closed.wait(DEADLINE_S)
        mover.move(GAME, "g1f3")
        lichess.close()
        first, second = server.seen
    assert (first.path[-4:], second.path[-4:]) == ("e2e4", "g1f3")
    assert first.port != second.port


def test_a_move_that_may_have_arrived_is_not_sent_again() -> None:
    def script(seen: Seen, talk: Talk) -> None:
        if seen.path.endswith("g1f3"):
            talk.reset()  # read, perhaps played, never answered
        else:
            talk.ok()

    with serving(script) as server:
        lichess = lichess_at(server)
        mover = lichess.mover()
        mover.move(GAME, "e2e4")
        with pytest.raises(ConnectionTroubleError, match=f"move g1f3 in {GAME}"):
            mover.move(GAME, "g1f3")
        mover.move(GAME, "f1c4")
        lichess.close()
        assert [seen.path[-4:] for seen in server.seen] == ["e2e4", "g1f3", "f1c4"]


def test_a_move_waits_for_its_answer_as_long_as_it_is_told() -> None:
    asked, over = threading.Event(), threading.Event()

    def script(seen: Seen, talk: Talk) -> None:
        asked.set()
        over.wait(DEADLINE_S)
        talk.ok()

    with serving(script) as server:
        lichess = lichess_at(server, Timeouts(move_s=10 * DEADLINE_S))
        with pytest.raises(ConnectionTroubleError, match="no answer in time"):
            lichess.mover().move(GAME, "e2e4", timeout_s=0.2)
        assert asked.wait(DEADLINE_S)  # it may be read after all that
        over.set()
        assert len(server.seen) == 1
        lichess.close()
