"""What is asked of Lichess and how its answers are taken, over real sockets."""

from __future__ import annotations

import logging
import socket
import threading
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot import __version__
from bot.errors import (
    ConnectionTroubleError,
    LichessError,
    NotAllowedError,
    NotFoundError,
    RateLimitedError,
    RefusedError,
    ServerTroubleError,
    UserError,
)
from bot.events import Account, GameInfo, TokenInfo
from bot.lichess.client import Lichess, Timeouts
from tests.lichess.wire_server import DEADLINE_S, Seen, Talk, WireServer, eventually, serving

TOKEN = "lip_do_not_show_me"
GAME = "Qr7tUv2x"
QUICK = Timeouts(connect_s=5.0, read_s=5.0, silence_s=5.0, move_s=5.0)


def lichess_at(server: WireServer, timeouts: Timeouts = QUICK, user_agent: str | None = None) -> Lichess:
    return Lichess(server.url, SecretStr(TOKEN), user_agent=user_agent, timeouts=timeouts)


def ok(seen: Seen, talk: Talk) -> None:
    talk.ok()


# --- what is sent -----------------------------------------------------------------------------------------


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
        lichess.mover().move(GAME, "e2e4")
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


def test_nothing_is_taken_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login somebody password else\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    with serving(ok) as proxy, serving(ok) as server:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        lichess = lichess_at(server)
        lichess.abort(GAME)
        lichess.mover().move(GAME, "e2e4")
        lichess.close()
        assert proxy.seen == []
        assert [seen.headers["authorization"] for seen in server.seen] == [f"Bearer {TOKEN}"] * 2


# --- errors -----------------------------------------------------------------------------------------------

SLOW_DOWN = "Too many requests. Try again later."


@pytest.mark.parametrize(
    ("body", "headers", "retry_after_s", "key", "said"),
    [
        ({"error": SLOW_DOWN}, {}, None, None, SLOW_DOWN),
        (
            {"error": "Wait!", "ratelimit": {"key": "bot.vsBot.day", "seconds": 40211}},
            {},
            40211.0,
            "bot.vsBot.day",
            "Wait!",
        ),
        (b"<html><title>429 Too Many Requests</title></html>", {}, None, None, "429 Too Many Requests"),
        ({"error": "Please don't poll this."}, {"Retry_After": "17"}, 17.0, None, "Please don't poll this."),
        ({"error": SLOW_DOWN}, {"Retry_After": "Fri, 31 Dec 1999 23:59:59 GMT"}, None, None, SLOW_DOWN),
        (
            {"error": SLOW_DOWN, "ratelimit": {"seconds": 5}},
            {"Retry_After": "17"},
            5.0,
            None,
            SLOW_DOWN,
        ),
    ],
)
def test_all_shapes_of_429(
    body: object, headers: dict[str, str], retry_after_s: float | None, key: str | None, said: str
) -> None:
    with serving(lambda _, talk: talk.answer(429, body, **headers)) as server:
        lichess = lichess_at(server)
        asks: list[Callable[[], object]] = [
            lambda: lichess.mover().move(GAME, "e2e4"),
            lambda: lichess.accept("pL4nK9sZ"),
            lichess.open_event_stream,
        ]
        for ask in asks:
            with pytest.raises(RateLimitedError) as caught:
                ask()
            assert (caught.value.retry_after_s, caught.value.key) == (retry_after_s, key)
            assert str(caught.value).endswith(f": HTTP 429, {said}")
        assert len(server.seen) == 3  # a 429 is never repeated behind our back
        lichess.close()


@pytest.mark.parametrize(
    ("status", "body", "error", "said"),
    [
        (
            400,
            {"error": "Not your turn, or game already over"},
            RefusedError,
            "Not your turn, or game already over",
        ),
        (400, {"error": {"text": ["Too long"]}, "text": ["Too long"]}, RefusedError, "text: Too long"),
        (400, {"error": "Quota", "ratelimit": {"key": "x", "seconds": 9}}, RefusedError, "Quota"),
        (401, {"error": "No such token"}, NotAllowedError, "No such token"),
        (403, {"error": "Missing scope: bot:play"}, NotAllowedError, "Missing scope: bot:play"),
        (404, {"error": "No such game"}, NotFoundError, "No such game"),
        (404, b"", NotFoundError, ""),
        (418, b"<!doctype html><p>tea</p>", RefusedError, "a page of HTML"),
        (500, {"error": "Oops"}, ServerTroubleError, "Oops"),
        (
            502,
            b"<html><head><title>502 Bad Gateway</title></head></html>",
            ServerTroubleError,
            "502 Bad Gateway",
        ),
        (503, b"", ServerTroubleError, ""),
    ],
)
def test_statuses(status: int, body: object, error: type[LichessError], said: str) -> None:
    with serving(lambda _, talk: talk.answer(status, body)) as server:
        lichess = lichess_at(server)
        with pytest.raises(LichessError) as caught:
            lichess.resign(GAME)
        assert type(caught.value) is error
        assert str(caught.value) == f"resign {GAME}: HTTP {status}" + (f", {said}" if said else "")
        assert getattr(caught.value, "status", None) == status
        assert len(server.seen) == 1
        lichess.close()


def test_answers_that_are_none() -> None:
    def page(seen: Seen, talk: Talk) -> None:
        talk.answer(200, b"<html>Please log in to this hotel's network</html>")

    def half(seen: Seen, talk: Talk) -> None:
        talk.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
        talk.close()

    def hang_up(seen: Seen, talk: Talk) -> None:
        talk.close()

    for script, why in (
        (page, "an answer that is not JSON"),
        (half, "the answer broke off"),
        (hang_up, "Remote end closed connection without response"),
    ):
        with serving(script) as server:
            lichess = lichess_at(server)
            with pytest.raises(ConnectionTroubleError, match=rf"^abort {GAME}: {why}$"):
                lichess.abort(GAME)
            with pytest.raises(ConnectionTroubleError, match="^account: "):
                lichess.account()
            assert len(server.seen) == 2  # neither was repeated
            lichess.close()


def test_nobody_is_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    lichess = Lichess(f"http://127.0.0.1:{port}", TOKEN, timeouts=QUICK)
    asks: list[Callable[[], object]] = [
        lichess.account,
        lichess.open_event_stream,
        lambda: lichess.mover().move(GAME, "e2e4"),
    ]
    for ask in asks:
        with pytest.raises(ConnectionTroubleError, match="Connection refused"):
            ask()
    lichess.close()


def test_redirects_are_not_followed() -> None:
    with serving(ok) as elsewhere:

        def script(seen: Seen, talk: Talk) -> None:
            talk.answer(302, {}, Location=f"{elsewhere.url}/stolen")

        with serving(script) as server:
            lichess = lichess_at(server)
            asks: list[Callable[[], object]] = [
                lichess.account,
                lichess.token_info,
                lichess.open_event_stream,
                lambda: lichess.mover().move(GAME, "e2e4"),
            ]
            for ask in asks:
                with pytest.raises(RefusedError, match="HTTP 302, redirected to .*stolen") as caught:
                    ask()
                assert caught.value.status == 302
            lichess.close()
        assert elsewhere.seen == []


# --- the token --------------------------------------------------------------------------------------------


def test_the_token_is_never_shown(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)

    def script(seen: Seen, talk: Talk) -> None:
        match seen.path.rpartition("/")[2]:
            case "abort":
                talk.answer(400, {"error": f"No such token: {TOKEN}"})
            case "resign":
                talk.answer(502, f"<title>Bad {TOKEN}</title>".encode())
            case "claim-draw":
                talk.close()
            case "claim-victory":
                talk.answer(302, {}, Location=f"https://example.org/?token={TOKEN}")
            case "event":
                talk.begin_stream()
                talk.chunk(b'{"half":')
                talk.close()
            case "test":
                talk.answer(200, {TOKEN: None})
            case _:
                talk.answer(200, {"id": "shifty"})

    with serving(script) as server:
        lichess = lichess_at(server)
        shown = [repr(lichess), str(lichess), repr(lichess.mover())]
        lichess.account()
        lichess.token_info()
        asks: list[Callable[[], object]] = [
            lambda: lichess.abort(GAME),
            lambda: lichess.resign(GAME),
            lambda: lichess.claim_draw(GAME),
            lambda: lichess.claim_victory(GAME),
            lambda: list(lichess.open_event_stream()),
        ]
        for ask in asks:
            with pytest.raises(LichessError) as caught:
                ask()
            shown += [repr(caught.value), "".join(traceback.format_exception(caught.value))]
        lichess.close()
    assert "POST" in caplog.text  # the libraries did log
    assert "***" in "".join(shown)
    out, err = capfd.readouterr()
    assert TOKEN not in "".join([*shown, caplog.text, out, err])


@pytest.mark.parametrize("token", ["", "  ", "lip_a b", "lip_\nx", "lip_é", "lip_\x00"])
def test_what_is_no_token(token: str) -> None:
    with pytest.raises(UserError, match="^token: ") as caught:
        Lichess("https://lichess.org", token)
    assert token.strip() == "" or token not in str(caught.value)


def test_a_token_read_with_its_line_end_will_do() -> None:
    with serving(ok) as server:
        lichess = Lichess(server.url + "/", f" {TOKEN}\n", timeouts=QUICK)
        lichess.abort(GAME)
        lichess.close()
        assert server.seen[0].headers["authorization"] == f"Bearer {TOKEN}"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "lichess.org",
        "ftp://lichess.org",
        "https://",
        "https://lichess.org/api",
        "https://lichess.org?x=1",
        "http://localhost:port",
        "http://[::1",
        "https://me:pass-word@lichess.org",
    ],
)
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(UserError, match="^url: ") as caught:
        Lichess(url, TOKEN)
    assert "pass-word" not in str(caught.value)


def test_what_is_no_user_agent() -> None:
    with pytest.raises(UserError, match="^user_agent: "):
        Lichess("https://lichess.org", TOKEN, user_agent="a\r\nX-Evil: 1")


# --- the mover ------------------------------------------------------------------------------------------


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
    over = threading.Event()
    with serving(lambda _, talk: (over.wait(DEADLINE_S), talk.ok())[0]) as server:  # type: ignore[func-returns-value, arg-type, return-value]  # a script in one line
        lichess = lichess_at(server, Timeouts(move_s=10 * DEADLINE_S))
        with pytest.raises(ConnectionTroubleError, match="no answer in time"):
            lichess.mover().move(GAME, "e2e4", timeout_s=0.2)
        over.set()
        assert len(server.seen) == 1
        lichess.close()


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
        readers = [threading.Thread(target=lambda s=s: heard.extend(s), daemon=True) for s in streams]  # type: ignore[misc]  # bound at once
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
