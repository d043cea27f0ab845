"""The moves lane of one game: every request gets one answer, and no move waits for the answer to another."""

from __future__ import annotations

import queue
import threading

import pytest

from bot.errors import ConnectionTroubleError, RateLimitedError
from bot.game_messages import MoveAnswered, PostMove
from bot.play_move import MOST_LINES, MoveSender
from bot.timing.clock import SystemClock

DEADLINE_S = 20.0


class Server:
    """Takes moves on any number of connections; answers those in `late` only when it is told to."""

    def __init__(self, *late: str, errors: dict[str, Exception] | None = None) -> None:
        self.got: queue.SimpleQueue[tuple[int, str]] = queue.SimpleQueue()
        self.open: list[Connection] = []
        self.late = set(late)
        self.go_on = threading.Event()
        self.errors = errors or {}

    def connection(self) -> Connection:
        self.open.append(Connection(self, len(self.open)))
        return self.open[-1]


class Connection:
    def __init__(self, server: Server, number: int) -> None:
        self._server = server
        self._number = number
        self.closed = False

    def move(self, game_id: str, uci: str) -> None:  # noqa: ARG002  the Mover protocol's
        self._server.got.put((self._number, uci))
        if uci in self._server.late and not self._server.go_on.wait(DEADLINE_S):
            raise AssertionError("nobody told the server to go on")
        if uci in self._server.errors:
            raise self._server.errors[uci]

    def close(self) -> None:
        self.closed = True


class Sending:
    def __init__(self, server: Server) -> None:
        self.answers: queue.SimpleQueue[MoveAnswered] = queue.SimpleQueue()
        self.sender = MoveSender("Ab3dEf7h", server.connection, deliver=self.answers.put, clock=SystemClock())
        self.sender.start()

    def send(self, *moves: str) -> None:
        for number, move in enumerate(moves):
            self.sender.send(PostMove(number, move, 0))

    def answer(self) -> MoveAnswered:
        return self.answers.get(timeout=DEADLINE_S)


def test_moves_go_out_on_one_connection_as_long_as_they_are_answered() -> None:
    server = Server()
    sending = Sending(server)
    for move in ("e2e4", "g1f3", "f1c4"):
        sending.send(move)
        assert sending.answer().error is None
        assert server.got.get(timeout=DEADLINE_S) == (0, move)
    assert sending.sender.close(DEADLINE_S)
    assert [connection.closed for connection in server.open] == [True]


def test_a_move_does_not_wait_for_the_late_answer_to_the_one_before() -> None:
    server = Server("e2e4")
    sending = Sending(server)
    sending.send("e2e4")
    assert server.got.get(timeout=DEADLINE_S) == (0, "e2e4")
    sending.sender.send(PostMove(2, "g1f3", 2))
    assert server.got.get(timeout=DEADLINE_S) == (1, "g1f3")
    assert sending.answer().ask_id == 2
    server.go_on.set()
    assert sending.answer().ask_id == 0
    assert sending.sender.close(DEADLINE_S)
    assert [connection.closed for connection in server.open] == [True, True]


def test_the_connections_are_limited() -> None:
    late = [f"a2a{number}" for number in range(2 * MOST_LINES)]
    server = Server(*late)
    sending = Sending(server)
    sending.send(*late)
    first = {server.got.get(timeout=DEADLINE_S)[0] for _ in range(MOST_LINES)}
    assert first == set(range(MOST_LINES))
    assert server.got.empty()
    server.go_on.set()
    assert sorted(sending.answer().ask_id for _ in late) == list(range(2 * MOST_LINES))
    assert sending.sender.close(DEADLINE_S)
    assert len(server.open) == MOST_LINES


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (RateLimitedError("slow down", retry_after_s=None), RateLimitedError),
        (KeyError("a bug"), ConnectionTroubleError),
    ],
)
def test_every_request_gets_an_answer_and_the_next_one_is_sent(
    error: Exception, expected: type[Exception]
) -> None:
    server = Server(errors={"e2e4": error})
    sending = Sending(server)
    sending.send("e2e4")
    assert isinstance(sending.answer().error, expected)
    sending.send("d2d4")
    assert sending.answer().error is None
    assert sending.sender.close(DEADLINE_S)


def test_a_connection_that_cannot_be_had_is_an_answer_too() -> None:
    attempts = []

    def refuse() -> Connection:
        attempts.append(1)
        raise ConnectionTroubleError("the client was closed")

    answers: queue.SimpleQueue[MoveAnswered] = queue.SimpleQueue()
    sender = MoveSender("Ab3dEf7h", refuse, deliver=answers.put, clock=SystemClock())
    sender.start()
    for number in range(2):
        sender.send(PostMove(number, "e2e4", 0))
        assert isinstance(answers.get(timeout=DEADLINE_S).error, ConnectionTroubleError)
    assert len(attempts) == 2
    assert sender.close(DEADLINE_S)


def test_close_does_not_wait_longer_than_it_is_told() -> None:
    server = Server("e2e4")
    sending = Sending(server)
    sending.send("e2e4")
    server.got.get(timeout=DEADLINE_S)
    assert not sending.sender.close(0.01)
    server.go_on.set()
    assert sending.answer().ask_id == 0
