"""Sessions for one Lichess account: requests sessions that carry the token, and take care of it.

No timeout is ever missing, no request that reached the server is repeated, no redirect is followed, nothing
is taken from the environment: `.netrc` would replace the token, a proxy variable would send it elsewhere.
"""

from __future__ import annotations

import logging
import re
import socket
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import requests
from pydantic import SecretStr
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection
from urllib3.util import Retry

from bot import __version__
from bot.errors import UserError
from bot.timing.clock import Clock

log = logging.getLogger(__name__)

Timeout = tuple[float, float]  # seconds: to connect, and between two bytes of the answer

#: Only what never reached the server, because no connection could be made, is tried again, once. Later nobody
#: knows whether the request took effect, and whoever asked must decide. A 429 is never waited for here.
_RETRIES = Retry(
    total=None,
    connect=1,
    read=False,
    redirect=0,
    status=0,
    other=0,
    respect_retry_after_header=False,
    raise_on_status=False,
    raise_on_redirect=False,
)


_READ_BYTES = 1 << 16


class _Adapter(HTTPAdapter):
    """One connection, kept alive; a timeout for every request that comes without one."""

    def __init__(self, timeout: Timeout) -> None:
        self._timeout = timeout
        super().__init__(pool_connections=1, pool_maxsize=1, max_retries=_RETRIES)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, socket_options=_socket_options(), **kwargs)

    def close(self) -> None:
        """Close the kept connection too. requests leaves that to the day when the garbage is collected."""
        for key in self.poolmanager.pools.keys():  # noqa: SIM118  no mapping, though it looks like one
            self.poolmanager.pools[key].close()
        super().close()

    def send(  # noqa: PLR0917  requests's signature
        self,
        request: requests.PreparedRequest,
        stream: bool = False,
        timeout: float | tuple[float, float] | tuple[float, None] | None = None,
        verify: bool | str = True,
        cert: bytes | str | tuple[bytes | str, bytes | str] | None = None,
        proxies: Mapping[str, str] | None = None,
    ) -> requests.Response:
        return super().send(
            request, stream, self._timeout if timeout is None else timeout, verify, cert, proxies
        )


def _socket_options() -> list[tuple[int, int, int]]:
    """TCP keep-alive, so that an idle connection that died without a word is noticed before it is used."""
    options = [*HTTPConnection.default_socket_options, (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
    for name, value in (("TCP_KEEPIDLE", 15), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, name):  # these names differ by system
            options.append((socket.IPPROTO_TCP, getattr(socket, name), value))
    return options


class LichessSession(requests.Session):
    """A session with the token in its headers. Not thread-safe: one thread at a time."""

    def __init__(self, token: SecretStr, *, user_agent: str, timeout: Timeout, clock: Clock) -> None:
        super().__init__()
        self._token = token
        self._answer_s = timeout[1]
        self._clock = clock
        self.trust_env = False
        self.max_redirects = 0
        self.headers.update(
            {
                "Authorization": f"Bearer {token.get_secret_value()}",
                "User-Agent": user_agent,
                "Accept-Encoding": "gzip, deflate",
            }
        )
        adapter = _Adapter(timeout)
        self.mount("https://", adapter)
        self.mount("http://", adapter)
        self.hooks["response"] += [self._log_exchange, self._read_in_time]

    def _log_exchange(self, response: requests.Response, *_: object, **__: object) -> None:
        """One line of the wire, at debug level: what was asked, and how it was answered."""
        request = response.request
        took_ms = round(response.elapsed.total_seconds() * 1000)
        line = f"{request.method} {request.path_url} -> {response.status_code} after {took_ms} ms"
        log.debug("%s", self.mask(line))

    def _read_in_time(self, response: requests.Response, *_: object, **how: Any) -> None:
        """Read the answer's body within the time that its first byte had: the timeout is between two bytes,
        and an answer that comes byte by byte would never be late."""
        if how.get("stream"):
            return
        timeout = how.get("timeout")
        limit_s = timeout[1] if isinstance(timeout, tuple) else self._answer_s
        until = self._clock.monotonic() + limit_s
        chunks = []
        while chunk := response.raw.read1(_READ_BYTES, decode_content=True):
            chunks.append(chunk)
            if self._clock.monotonic() > until:
                response.close()
                raise requests.ReadTimeout(f"the answer took more than {limit_s:g} s", response=response)
        # requests would do the same without an eye on the clock, and has no public way to hand a body over.
        response._content, response._content_consumed = b"".join(chunks), True  # type: ignore[attr-defined]
        response.raw.release_conn()

    def mask(self, text: str) -> str:
        """`text` without the token, should a server echo it."""
        return text.replace(self._token.get_secret_value(), "***")


def check_token(token: SecretStr | str) -> SecretStr:
    """The token, without surrounding white space. UserError if it cannot be one; it is never shown."""
    plain = (token.get_secret_value() if isinstance(token, SecretStr) else token).strip()
    if not plain:
        raise UserError("token: empty")
    odd = re.search(r"[^!-~]", plain)
    if odd:
        raise UserError(
            f"token: character {odd.start() + 1} of {len(plain)} cannot be part of a Lichess token"
        )
    return SecretStr(plain)


def check_url(url: str) -> str:
    """The server's address without a final slash, such as https://lichess.org. UserError if it is no such."""
    try:
        parts = urlsplit(url)
        whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, or brackets that do not match
        whole = False
    if not whole:
        raise UserError(f"url: {_shown(url)} is not an address such as https://lichess.org")
    if parts.username is not None or parts.password is not None:
        raise UserError("url: holds a user name; Lichess takes the token and nothing else")
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise UserError(f"url: {_shown(url)} has something after the host; the API lives at the root")
    return f"{parts.scheme}://{parts.netloc}"


def is_in_clear(url: str) -> bool:
    """Whether the token would travel unencrypted over a network."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return parts.scheme == "http" and not (host in ("localhost", "::1") or host.startswith("127."))


def introduction(username: str | None = None) -> str:
    """Our User-Agent. `username` must be the token's owner: for another `user:NAME` Lichess answers 401."""
    plain = f"knightshift/{__version__}"
    if username is None or not re.fullmatch(r"[A-Za-z0-9_-]+", username):
        return plain
    return f"{plain} user:{username}"


def check_agent(agent: str) -> str:
    """A User-Agent of the caller's. UserError if it cannot stand in a header."""
    if not re.fullmatch(r"[!-~]([ -~]*[!-~])?", agent):
        raise UserError(f"user_agent: {agent!r} has characters that cannot stand in a header")
    return agent


def _shown(url: str) -> str:
    """`url` for a message, without what stands before an @."""
    return repr(re.sub(r"//[^/@]*@", "//…@", url))
