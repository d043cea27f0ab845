"""What berserk, requests and urllib3 raise → `bot.errors`, each with one line that says what happened.

The originals are not chained: they carry the request with its Authorization header, and some print it.
"""

from __future__ import annotations

import http.client
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import requests
import urllib3.exceptions
from berserk.exceptions import ApiError, ResponseError

from bot.errors import (
    ConnectionTroubleError,
    LichessError,
    NotAllowedError,
    NotFoundError,
    RateLimitedError,
    RefusedError,
    ServerTroubleError,
)
from bot.lichess.answers import error_text, rate_limit

Mask = Callable[[str], str]

#: Everything a request or a stream may raise on its way, once berserk's own wrapper is off. ValueError is bad
#: JSON, RecursionError is JSON nested past all reason.
ROAD_ERRORS = (
    requests.RequestException,
    urllib3.exceptions.HTTPError,
    OSError,
    ValueError,
    RecursionError,
)


@contextmanager
def as_lichess_errors(what: str, mask: Mask) -> Iterator[None]:
    """Within it, whatever goes wrong with a request is raised as a LichessError that begins with `what`.

    `mask` takes secrets out of a text.
    """
    try:
        yield
    except ResponseError as error:
        raise answer_error(what, error.response, mask) from None
    except ApiError as error:
        raise road_error(what, error.error, mask) from None
    except ROAD_ERRORS as error:
        raise road_error(what, error, mask) from None


def answer_error(what: str, response: requests.Response, mask: Mask) -> LichessError:
    """The error for an answer with a status of 400 or more."""
    status = response.status_code
    try:
        body: object = response.json()
    except ROAD_ERRORS:
        body = _text_of(response)
    said = mask(error_text(body))
    message = f"{what}: HTTP {status}{f', {said}' if said else ''}"
    if status == 429:
        seconds, key = rate_limit(body)
        if seconds is None:
            seconds = _retry_after_s(response)
        return RateLimitedError(message, retry_after_s=seconds, key=key)
    if status >= 500:
        return ServerTroubleError(message, status=status)
    if status in (401, 403):
        # Lichess says why, in JSON; a page is something on the way to it, and will be gone again.
        says_why = isinstance(body, dict) and isinstance(body.get("error"), str)
        return (NotAllowedError if says_why else ServerTroubleError)(message, status=status)
    if status == 404:
        return NotFoundError(message, status=status)
    return RefusedError(message, status=status)


def road_error(what: str, error: Exception, mask: Mask) -> LichessError:
    """The error for a request that got no answer, or none that can be read."""
    if isinstance(error, requests.TooManyRedirects) and error.response is not None:
        # Followed, a POST would turn into a GET, and the token might reach another host.
        status = error.response.status_code
        target = mask(error.response.headers.get("Location", ""))[:200]
        message = f"{what}: HTTP {status}, redirected to {target!r}; `url` must be the address itself"
        return RefusedError(message, status=status)
    return ConnectionTroubleError(f"{what}: {mask(reason(error))}")


def reason(error: BaseException) -> str:
    """The plain cause at the bottom of a pile of wrapped exceptions, on one line."""
    if isinstance(error, requests.ConnectTimeout):
        return "no connection in time"
    if isinstance(error, requests.Timeout | urllib3.exceptions.ReadTimeoutError):
        return "no answer in time"
    if isinstance(error, requests.JSONDecodeError):
        return "an answer that is not JSON"
    cause = _root(error)
    if isinstance(cause, http.client.IncompleteRead):
        return "the answer broke off"
    if isinstance(cause, TimeoutError):
        return "no answer in time"
    if isinstance(cause, OSError) and cause.strerror:
        return cause.strerror
    return error_text(str(cause)) or type(cause).__name__


def _root(error: BaseException) -> BaseException:
    """Follows urllib3's `reason`, then exceptions among the arguments, then the cause."""
    for _ in range(10):  # the pile is four or five high; the bound is against a ring
        inner = getattr(error, "reason", None)
        if not isinstance(inner, BaseException):
            inner = next((arg for arg in error.args if isinstance(arg, BaseException)), error.__cause__)
        if inner is None:
            break
        error = inner
    return error


def _text_of(response: requests.Response) -> str:
    try:
        return response.content[:4096].decode("utf-8", "replace")
    except (*ROAD_ERRORS, RuntimeError):  # the body broke off; the status alone must do
        return ""


def _retry_after_s(response: requests.Response) -> float | None:
    """`Retry-After` in seconds; its other form, a date, is nothing that Lichess sends."""
    value = response.headers.get("Retry-After", "").strip()
    return float(value) if value.isascii() and value.isdecimal() and len(value) < 10 else None
