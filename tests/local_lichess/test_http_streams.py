"""Streams over real HTTP: framing, keep-alives, ends, order, and the seam for faults."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import socket
import threading
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

import pytest
import requests
from starlette.types import Message, Scope

from bot.local_lichess import Answer, AnswerOrder, Call, Cut, Lobby, LocalLichess, Settings
from bot.local_lichess.accounts import Account
from bot.local_lichess.http import Wire, make_app
from bot.local_lichess.players import ListPlayer, SilentPlayer
from bot.timing.clock import VirtualClock
from tests.local_lichess.wire_kit import DEADLINE_S, Client

BLITZ = {"clock.limit": 180, "clock.increment": 2}


class OneFault:
    """Does one thing to one endpoint; everything else passes."""

    def __init__(
        self,
        endpoint: str,
        *,
        before: Answer | Cut | None = None,
        after: Answer | Cut | None = None,
        line: Callable[[bytes], Sequence[bytes | Cut]] | None = None,
    ) -> None:
        self.endpoint = endpoint
        self.calls: list[Call] = []
        self._before, self._after, self._line = before, after, line

    async def before(self, call: Call) -> Answer | Cut | None:
        self.calls.append(call)
        return self._before if call.endpoint == self.endpoint else None

    async def after(self, call: Call, answer: Answer) -> Answer | Cut:
        return self._after if call.endpoint == self.endpoint and self._after is not None else answer

    async def line(self, call: Call, line: bytes) -> Sequence[bytes | Cut]:
        return self._line(line) if call.endpoint == self.endpoint and self._line is not None else (line,)


def open_server(
    *, faults: OneFault | None = None, order: AnswerOrder = "random", keep_alive_s: float = 0.05
) -> LocalLichess:
    """With a bot, whose token is lip_knight, and a rival who sits and waits."""
    server = LocalLichess(keep_alive_s=keep_alive_s, answer_order=order, faults=faults)
    server.add_account("Knight", "BOT", token="lip_knight")
    server.add_account("Rival", token="lip_rival")
    return server


def running_game(server: LocalLichess) -> str:
    """The knight has White against a rival who knows one move."""
    server.attach("rival", ListPlayer(["e7e5"], then=()))
    server.attach("knight", SilentPlayer())
    game_id = server.challenge("knight", "rival", color="white")
    server.wait_until(lambda: len(server.games()) == 1)
    return game_id


def test_a_stream_is_chunked_ndjson_with_blank_keep_alives() -> None:
    with open_server() as server, Client(server.url, "lip_knight") as knight:
        stream = knight.stream("/api/stream/event")
        assert stream.response.headers["Content-Type"] == "application/x-ndjson"
        assert stream.response.headers["Transfer-Encoding"] == "chunked"
        assert "Content-Length" not in stream.response.headers
        assert [stream.raw_line(), stream.raw_line()] == [b"\n", b"\n"]
        server.challenge("rival", "knight")
        assert stream.until("challenge")["challenge"]["challenger"]["id"] == "rival"
        stream.close()


def test_events_reach_both_parties_through_accept_and_end() -> None:
    with (
        open_server() as server,
        Client(server.url, "lip_knight") as knight,
        Client(server.url, "lip_rival") as rival,
    ):
        mine, theirs = knight.stream("/api/stream/event"), rival.stream("/api/stream/event")
        challenge_id = rival.post("/api/challenge/knight", data=BLITZ).json()["id"]
        assert mine.until("challenge")["challenge"]["id"] == challenge_id
        knight.post(f"/api/challenge/{challenge_id}/accept")
        assert mine.until("gameStart")["game"]["gameId"] == challenge_id
        assert theirs.until("gameStart")["game"]["gameId"] == challenge_id
        knight.post(f"/api/bot/game/{challenge_id}/abort")
        assert mine.until("gameFinish")["game"]["status"]["name"] == "aborted"
        assert theirs.until("gameFinish")["game"]["status"]["name"] == "aborted"
        mine.close()
        theirs.close()


def test_a_game_stream_ends_cleanly_with_the_final_state() -> None:
    with open_server() as server, Client(server.url, "lip_knight") as knight:
        game_id = running_game(server)
        stream = knight.stream(f"/api/bot/game/stream/{game_id}")
        assert stream.until("gameFull")["state"]["moves"] == ""
        knight.post(f"/api/bot/game/{game_id}/move/e2e4")
        assert stream.until("gameState")["moves"] == "e2e4"
        assert stream.until("gameState")["moves"] == "e2e4 e7e5"
        knight.post(f"/api/bot/game/{game_id}/resign")
        assert stream.rest()[-1]["status"] == "resign"
        assert stream.how_it_ended == "clean"
        again = knight.stream(f"/api/bot/game/stream/{game_id}")
        assert [message["type"] for message in again.rest()] == ["gameFull"]
        assert again.how_it_ended == "clean"


def test_a_second_stream_ends_the_first_cleanly() -> None:
    with open_server() as server, Client(server.url, "lip_knight") as knight:
        game_id = running_game(server)
        for path in ("/api/stream/event", f"/api/bot/game/stream/{game_id}"):
            first = knight.stream(path)
            second = knight.stream(path)
            first.rest()
            assert first.how_it_ended == "clean"
            assert second.raw_line() is not None
            second.close()


def test_hanging_up_is_noticed() -> None:
    with open_server() as server, Client(server.url, "lip_knight") as knight:
        stream = knight.stream("/api/stream/event")
        server.wait_until(lambda: server.lobby.feeds.is_online("knight"))
        stream.close()
        server.wait_until(lambda: not server.lobby.feeds.is_online("knight"))


def test_who_hangs_up_in_the_midst_of_asking_leaves_no_traceback(caplog: pytest.LogCaptureFixture) -> None:
    with open_server() as server:
        address = urlsplit(server.url)
        with socket.create_connection((address.hostname, address.port), timeout=DEADLINE_S) as asking:
            asking.sendall(
                b"POST /api/challenge/rival HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer lip_knight\r\n"
                b"Content-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n"
            )
            assert asking.recv(100).startswith(b"HTTP/1.1 100 ")  # by now the body is waited for
        with Client(server.url, "lip_knight") as knight:
            assert knight.get("/api/account").status_code == 200
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_a_challenge_kept_alive_says_how_it_ended() -> None:
    with open_server() as server, Client(server.url, "lip_rival") as rival:
        form = {**BLITZ, "keepAliveStream": "true"}
        stream = rival.post_stream("/api/challenge/knight", data=form)
        first = stream.next()
        assert first is not None
        assert first["direction"] == "out"
        assert stream.raw_line() == b"\n"
        with Client(server.url, "lip_knight") as knight:
            knight.post(f"/api/challenge/{first['id']}/decline")
        assert stream.rest() == [{"done": "declined"}]
        assert stream.how_it_ended == "clean"


def test_hanging_up_on_a_challenge_kept_alive_cancels_it() -> None:
    with open_server() as server, Client(server.url, "lip_rival") as rival:
        stream = rival.post_stream("/api/challenge/knight", json={**BLITZ, "keepAliveStream": True})
        first = stream.next()
        assert first is not None
        stream.close()
        challenge = server.lobby.challenges.book.find(first["id"])
        assert challenge is not None
        server.wait_until(lambda: challenge.status == "canceled")


def test_polling_the_event_stream_is_refused() -> None:
    with open_server() as server, Client(server.url, "lip_knight") as knight:
        for _ in range(30):
            knight.stream("/api/stream/event").close()
        response = knight.get("/api/stream/event", stream=True)
        assert response.status_code == 429
        assert set(response.json()) == {"error"}


def written_first(order: AnswerOrder, requests_made: int, seed: int = 1) -> set[str]:
    """What is written first, the answer or the events, over so many requests of one server."""
    lobby = Lobby(Settings(), random.Random(seed))
    lobby.accounts.issue(lobby.accounts.add(Account("Rival")), ("challenge:write",), text="lip_rival")
    lobby.accounts.add(Account("Knight", follows={"rival"}))
    trace: list[str] = []

    async def never(_scope: Scope) -> None:
        raise AssertionError("nothing is torn here")

    app = make_app(
        Wire(
            lobby=lobby,
            clock=VirtualClock(),
            now_ms=lambda: 0,
            rng=random.Random(seed),
            hang_up=never,
            order=order,
            after_change=lambda: trace.append("events"),
        )
    )
    scope: Scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/challenge/knight",
        "query_string": b"days=1",
        "headers": [(b"authorization", b"Bearer lip_rival")],
    }

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        trace.append("answer" if message["type"] == "http.response.body" else "head")

    async def ask() -> str:
        trace.clear()
        await app(dict(scope), receive, send)
        return next(written for written in trace if written != "head")

    async def ask_all() -> set[str]:
        return {await ask() for _ in range(requests_made)}

    return asyncio.run(ask_all())


def test_the_order_of_answer_and_events_is_a_switch_and_random_by_default() -> None:
    assert written_first("answer_first", 5) == {"answer"}
    assert written_first("events_first", 5) == {"events"}
    assert written_first("random", 40) == {"answer", "events"}


# --- the seam -------------------------------------------------------------------------------------------


def test_an_answer_instead_of_the_request() -> None:
    busy = Answer(429, b"<html>slow down</html>", "text/html")
    fault = OneFault("move", before=busy)
    with open_server(faults=fault) as server, Client(server.url, "lip_knight") as knight:
        game_id = running_game(server)
        response = knight.post(f"/api/bot/game/{game_id}/move/e2e4")
        assert response.status_code == 429
        assert response.headers["Content-Type"].startswith("text/html")
        assert server.game(game_id).moves == ()
        path = f"/api/bot/game/{game_id}/move/e2e4"
        assert fault.calls == [Call("POST", path, "move", "knight", game_id)]
        assert [entry.status for entry in server.request_log()] == [429]


def test_a_move_that_is_played_while_its_answer_is_lost() -> None:
    with (
        open_server(faults=OneFault("move", after=Cut.RESET)) as server,
        Client(server.url, "lip_knight") as knight,
    ):
        game_id = running_game(server)
        with pytest.raises(requests.ConnectionError):
            knight.post(f"/api/bot/game/{game_id}/move/e2e4")
        server.wait_until(lambda: server.game(game_id).moves == ("e2e4", "e7e5"))
        assert server.request_log()[-1].status is None


def test_a_stream_that_falls_silent() -> None:
    fault = OneFault("event_stream", line=lambda line: () if line == b"\n" else (line,))
    with open_server(faults=fault) as server, Client(server.url, "lip_knight") as knight:
        stream = knight.stream("/api/stream/event")
        server.challenge("rival", "knight")
        assert b"challenge" in (stream.raw_line() or b"")
        stream.close()


def test_lines_twice_cut_short_and_ended() -> None:
    def meddle(line: bytes) -> Sequence[bytes | Cut]:
        return (line, line, Cut.END) if b"gameFull" in line else (line,)

    with (
        open_server(faults=OneFault("game_stream", line=meddle)) as server,
        Client(server.url, "lip_knight") as knight,
    ):
        stream = knight.stream(f"/api/bot/game/stream/{running_game(server)}")
        assert [message["type"] for message in stream.rest()] == ["gameFull", "gameFull"]
        assert stream.how_it_ended == "clean"


def test_a_reset_in_the_middle_of_a_line() -> None:
    fault = OneFault("game_stream", line=lambda line: (line[:20], Cut.RESET))
    with open_server(faults=fault) as server, Client(server.url, "lip_knight") as knight:
        stream = knight.stream(f"/api/bot/game/stream/{running_game(server)}")
        assert stream.rest() == []
        assert stream.how_it_ended in ("ChunkedEncodingError", "ConnectionError")
        assert json.dumps({"type": "gameFull"}, separators=(",", ":"))[:15].encode() in stream.tail
        server.wait_until(lambda: not server.lobby.feeds.is_online("knight"))


def test_a_fault_that_waits_does_not_hold_up_the_stop() -> None:
    class Asleep(OneFault):
        async def before(self, call: Call) -> Answer | Cut | None:
            await super().before(call)
            await asyncio.sleep(3600)
            return None

    fault = Asleep("account")
    server = open_server(faults=fault)
    server.start()
    with Client(server.url, "lip_knight") as knight:
        outcome: list[str] = []

        def ask() -> None:
            try:
                knight.get("/api/account")
            except requests.ConnectionError:
                outcome.append("reset")

        asking = threading.Thread(target=ask)
        asking.start()
        server.wait_until(lambda: bool(fault.calls))
        server.stop()
        asking.join(DEADLINE_S)
        assert outcome == ["reset"]
