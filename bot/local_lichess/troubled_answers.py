"""What a troubled server says instead of its answer, in every shape that was seen."""

from __future__ import annotations

from typing import Literal, get_args

from bot.local_lichess.seam import Answer, json_answer

#: "text", "limit", "html" and "poll" are the four shapes of a 429. Of these "html" and "text", and the two
#: others, come with a 5xx too.
Shape = Literal["text", "limit", "html", "poll", "empty", "half_json"]

SHAPES: tuple[Shape, ...] = get_args(Shape)
RATE_LIMIT_SHAPES: tuple[Shape, ...] = ("text", "limit", "html", "poll")

_REASONS = {
    429: "Too Many Requests",
    500: "Internal Server Error",
    502: "Bad Gateway",
    503: "Service Temporarily Unavailable",
    504: "Gateway Time-out",
}
_HTML = "text/html; charset=utf-8"


def troubled(status: int, shape: Shape, *, limit_s: float = 60.0, key: str = "local.trouble") -> Answer:
    """An answer with that status. A "limit" names the seconds to wait, `limit_s`, and the limiter, `key`."""
    reason = _REASONS.get(status, "Trouble")
    match shape:
        case "text":
            sentence = "Too many requests. Try again later." if status == 429 else reason
            return json_answer({"error": sentence}, status)
        case "limit":
            ratelimit = {"key": key, "seconds": max(1, round(limit_s))}
            return json_answer({"error": f"{reason} ({key})", "ratelimit": ratelimit}, status)
        case "html":
            page = f"<html>\r\n<head><title>{status} {reason}</title></head>\r\n<body></body>\r\n</html>\r\n"
            return Answer(status, page.encode(), _HTML)
        case "poll":
            sentence = "Please don't poll this endpoint. Keep one stream open instead."
            return json_answer({"error": sentence}, status)
        case "empty":
            return Answer(status, b"")
        case "half_json":
            return Answer(status, b'{"error":"Too ma')
