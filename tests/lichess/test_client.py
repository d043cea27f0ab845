"""What is asked of Lichess, over real sockets."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from bot import __version__
from bot.errors import (
    ConnectionTroubleError,
    RefusedError,
    ServerTroubleError,
)
from bot.events import Account, GameInfo, TokenInfo
from bot.lichess.client import Lichess, Timeouts
from tests.lichess.wire_server import (
    DEADLINE_S,
    GAME,
    TOKEN,
    Seen,
    Talk,
    eventually,
    lichess_at,
    ok,
    serving,
)


@pytest.mark.parametrize(
    ("ask", "path", "body"),
    [
        (lambda li: li.upgrade_to_bot(), "/api/bot/account/upgrade", None),
        (lambda li: li.accept("pL4nK9sZ"), "/api/challenge/pL4nK9sZ/accept", None),
        (lambda li: li.decline("pL4nK9sZ"), "/api/challenge/pL4nK9sZ/decline", {"reason": "generic"}),
        (
            lambda li: li.decline("pL4nK9sZ", "tooFast"),
            "/api/challenge/pL4nK9sZ/decline",
            {"reason": "tooFast"},
        ),
        (lambda li: li.cancel("pL4nK9sZ"), "/api/challenge/pL4nK9sZ/cancel", None),
        (lambda li: li.abort(GAME), f"/api/bot/game/{GAME}/abort", None),
        (lambda li: li.resign(GAME), f"/api/bot/game/{GAME}/resign", None),
        (lambda li: li.draw(GAME, accept=True), f"/api/bot/game/{GAME}/draw/yes", None),
        (lambda li: li.draw(GAME, accept=False), f"/api/bot/game/{GAME}/draw/no", None),
        (lambda li: li.takeback(GAME, accept=True), f"/api/bot/game/{GAME}/takeback/yes", None),
        (lambda li: li.takeback(GAME, accept=False), f"/api/bot/game/{GAME}/takeback/no", None),
        (lambda li: li.claim_victory(GAME), f"/api/bot/game/{GAME}/claim-victory", None),
        (lambda li: li.claim_draw(GAME), f"/api/bot/game/{GAME}/claim-draw", None),
        (
            lambda li: li.chat(GAME, "player", "héllo & good luck"),
            f"/api/bot/game/{GAME}/chat",
            {"room": "player", "text": "héllo & good luck"},
        ),
        (
            lambda li: li.chat(GAME, "spectator", "hi"),
            f"/api/bot/game/{GAME}/chat",
            {"room": "spectator", "text": "hi"},
        ),
        (lambda li: li.mover().move(GAME, "e7e8q"), f"/api/bot/game/{GAME}/move/e7e8q", None),
        (lambda li: li.mover().move(GAME, "N@f3"), f"/api/bot/game/{GAME}/move/N@f3", None),
        (
            lambda li: li.mover().move(GAME, "e2e4", offering_draw=True),
            f"/api/bot/game/{GAME}/move/e2e4?offeringDraw=true",
            None,
        ),
    ],
)
def test_actions(ask: Callable[[Lichess], None], path: str, body: object) -> None:
    with serving(ok) as server:
        lichess = lichess_at(server)
        ask(lichess)
        (seen,) = server.seen
        lichess.close()
    assert (seen.method, seen.path) == ("POST", path)
    assert (seen.json if seen.body else None) == body
    assert seen.headers["authorization"] == f"Bearer {TOKEN}"
    assert seen.headers["user-agent"] == f"knightshift/{__version__}"


@pytest.mark.parametrize("odd", ["", "..", ".", "a/b", "a?x=1", "a b", "a%2fb", "a\n", "abc#d", "ä"])
def test_odd_ids_are_sent_nowhere(odd: str) -> None:
    with serving(ok) as server:
        lichess = lichess_at(server)
        asks: list[Callable[[], object]] = [
            lambda: lichess.accept(odd),
            lambda: lichess.decline(odd),
            lambda: lichess.cancel(odd),
            lambda: lichess.abort(odd),
            lambda: lichess.resign(odd),
            lambda: lichess.claim_draw(odd),
            lambda: lichess.chat(odd, "player", "hi"),
            lambda: lichess.open_game_stream(odd),
            lambda: lichess.mover().move(odd, "e2e4"),
            lambda: lichess.mover().move(GAME, odd),
            lambda: lichess.mover().move(GAME, f"e2e4{odd or '/resign'}"),
            lambda: lichess.mover().move(GAME, "0000"),
        ]
        for ask in asks:
            with pytest.raises(RefusedError, match="not sent"):
                ask()
        assert server.seen == []
        lichess.close()


def test_account_and_the_name_we_go_by_from_then_on() -> None:
    def script(seen: Seen, talk: Talk) -> None:
        if "stream" in seen.path:
            talk.begin_stream()
            talk.end_stream()
        else:
            talk.answer(200, {"id": "shifty", "username": "Shifty", "title": "BOT", "count": {"all": 3}})

    with serving(script) as server:
        lichess = lichess_at(server)
        assert lichess.account() == Account("shifty", "Shifty", title="BOT", games_played=3)
        lichess.account()
        assert list(lichess.open_event_stream()) == []
        assert list(lichess.open_game_stream(GAME)) == []
        mover = lichess.mover()
        mover.move(GAME, "e2e4")
        mover.close()
        assert lichess._open == set()  # what has ended is not kept for close()
        lichess.close()
        agents = [seen.headers["user-agent"] for seen in server.seen]
        paths = [seen.path for seen in server.seen]
    assert agents == [f"knightshift/{__version__}", *[f"knightshift/{__version__} user:Shifty"] * 4]
    assert paths[2:4] == ["/api/stream/event", f"/api/bot/game/stream/{GAME}"]


def test_a_name_given_by_the_caller_stays() -> None:
    with serving(lambda _, talk: talk.answer(200, {"id": "shifty"})) as server:
        lichess = lichess_at(server, user_agent="mine/1.0 (me@example.org)")
        lichess.account()
        lichess.account()
        lichess.close()
        assert [seen.headers["user-agent"] for seen in server.seen] == ["mine/1.0 (me@example.org)"] * 2


def test_token_info() -> None:
    def script(seen: Seen, talk: Talk) -> None:
        known = {"userId": "shifty", "scopes": "bot:play", "expires": None}
        talk.answer(200, {seen.body.decode(): known})

    with serving(script) as server:
        lichess = lichess_at(server)
        assert lichess.token_info() == TokenInfo("shifty", ("bot:play",))
        lichess.close()
        (seen,) = server.seen
    assert (seen.method, seen.path, seen.body) == ("POST", "/api/token/test", TOKEN.encode())
    assert seen.headers["content-type"] == "text/plain"
    with serving(lambda _, talk: talk.answer(200, {TOKEN: None})) as server:
        assert lichess_at(server).token_info() is None
    with (
        serving(lambda _, talk: talk.answer(503, b"")) as server,
        pytest.raises(ServerTroubleError, match="token test: HTTP 503"),
    ):
        lichess_at(server).token_info()


def test_ongoing_games(caplog: pytest.LogCaptureFixture) -> None:
    games = [{"gameId": "later222", "color": "black"}, {"color": "white"}, {"gameId": "first111"}]
    with serving(lambda _, talk: talk.answer(200, {"nbMyTurn": 1, "nowPlaying": games})) as server:
        lichess = lichess_at(server)
        found = lichess.ongoing_games()
        lichess.close()
        assert server.seen[0].path == "/api/account/playing?nb=50"
    assert all(isinstance(game, GameInfo) for game in found)
    assert [(game.id, game.color) for game in found] == [("later222", "black"), ("first111", "white")]
    assert "no id in gameId/id" in caplog.text


# --- closing --------------------------------------------------------------------------------------------


def test_close_wakes_streams_and_ends_everything() -> None:
    gone = threading.Semaphore(0)

    def script(seen: Seen, talk: Talk) -> None:
        if "stream" in seen.path:
            talk.begin_stream()
            talk.chunk(b"\n")
        else:
            talk.ok()
        if talk.gone():
            gone.release()
        talk.over = True

    with serving(script) as server:
        lichess = lichess_at(server, Timeouts(silence_s=10 * DEADLINE_S))
        streams = [lichess.open_event_stream(), lichess.open_game_stream(GAME)]
        heard: list[bytes] = []
        readers = [threading.Thread(target=lambda s=s: heard.extend(s), daemon=True) for s in streams]
        for reader in readers:
            reader.start()
        mover = lichess.mover()
        mover.move(GAME, "e2e4")
        lichess.abort(GAME)
        assert eventually(lambda: len(heard) == 2)
        lichess.close()
        lichess.close()
        for reader in readers:
            reader.join(DEADLINE_S)
            assert not reader.is_alive()
        for _ in range(4):  # two streams, the mover, and the shared connection
            assert gone.acquire(timeout=DEADLINE_S)
        asks: list[Callable[[], object]] = [
            lambda: mover.move(GAME, "g1f3"),
            lambda: lichess.abort(GAME),
            lichess.mover,
            lichess.open_event_stream,
        ]
        for ask in asks:
            with pytest.raises(ConnectionTroubleError, match="closed"):
                ask()


def test_requests_of_many_threads_take_turns() -> None:
    at_once = threading.Lock()

    def script(seen: Seen, talk: Talk) -> None:
        assert at_once.acquire(blocking=False), "two requests at a time"
        threading.Event().wait(0.002)
        at_once.release()
        talk.ok()

    with serving(script) as server:
        lichess = lichess_at(server)
        threads = [threading.Thread(target=lichess.abort, args=(GAME,)) for _ in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(DEADLINE_S)
        lichess.close()
        assert len(server.seen) == 10
        assert len({seen.port for seen in server.seen}) == 1


def test_at_debug_level_the_wire_is_shown_without_the_token(caplog: pytest.LogCaptureFixture) -> None:
    def script(seen: Seen, talk: Talk) -> None:
        if seen.path == "/api/stream/event":
            talk.begin_stream()
            talk.chunk(f'{{"type":"odd","token":"{TOKEN}"}}\n'.encode())
            talk.end_stream()
        else:
            talk.answer(200, {"id": "shifty", "username": "Shifty"})

    caplog.set_level("DEBUG", logger="bot")
    with serving(script) as server:
        lichess = lichess_at(server)
        lichess.account()
        assert len(list(lichess.open_event_stream())) == 1
        lichess.close()
    assert "GET /api/account -> 200 after " in caplog.text
    assert 'event stream < {"type":"odd","token":"***"}' in caplog.text
    assert TOKEN not in caplog.text
