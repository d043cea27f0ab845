"""The token, the address, and what a session takes from its surroundings."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.errors import (
    LichessError,
    UserError,
)
from bot.lichess.client import Lichess
from tests.lichess.wire_server import (
    GAME,
    PATIENT,
    TOKEN,
    Seen,
    Talk,
    lichess_at,
    ok,
    serving,
)


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
    with pytest.raises(UserError, match=r"^token: ") as caught:
        Lichess("https://lichess.org", token)
    assert token.strip() == "" or token not in str(caught.value)


def test_a_token_read_with_its_line_end_will_do() -> None:
    with serving(ok) as server:
        lichess = Lichess(server.url + "/", f" {TOKEN}\n", timeouts=PATIENT)
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
    with pytest.raises(UserError, match=r"^url: ") as caught:
        Lichess(url, TOKEN)
    assert "pass-word" not in str(caught.value)


def test_what_is_no_user_agent() -> None:
    with pytest.raises(UserError, match=r"^user_agent: "):
        Lichess("https://lichess.org", TOKEN, user_agent="a\r\nX-Evil: 1")


def test_a_token_in_clear_text_is_warned_about(caplog: pytest.LogCaptureFixture) -> None:
    for url in ("https://lichess.org", "http://localhost:8080", "http://127.0.0.1:9", "http://[::1]:9"):
        Lichess(url, TOKEN).close()
    assert caplog.records == []
    Lichess("http://lichess.org", TOKEN).close()
    assert caplog.messages == ["http://lichess.org is not https: everybody on the way can read the token"]
