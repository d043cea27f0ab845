"""What the server answers when it does not do as asked."""

from __future__ import annotations

from collections.abc import Mapping


class Refusal(Exception):  # noqa: N818  an answer of the protocol, not a failure of the server
    """An HTTP answer other than 200, with the exact JSON body Lichess sends."""

    def __init__(self, status: int, body: Mapping[str, object] | str) -> None:
        """`body` is the whole JSON object, or only the text that belongs under "error"."""
        self.status = status
        self.body: dict[str, object] = {"error": body} if isinstance(body, str) else dict(body)
        super().__init__(f"{status} {self.body}")


def not_found() -> Refusal:
    """The plain 404."""
    return Refusal(404, "Not found")


def form_fault(faults: Mapping[str, str]) -> Refusal:
    """A form that does not validate: every fault twice, under "error" and beside it."""
    doubled = {field: [text] for field, text in faults.items()}
    return Refusal(400, {"error": doubled, **doubled})


def rate_limited(key: str, seconds: int, text: str | None = None, *, status: int = 429) -> Refusal:
    """A limiter that names itself and says when to come back."""
    message = "Too many requests. Try again later." if text is None else text
    return Refusal(status, {"error": message, "ratelimit": {"key": key, "seconds": seconds}})
