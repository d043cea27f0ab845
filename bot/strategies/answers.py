"""What comes out of a strategy's process, read with care: somebody else's code may have written it.

Unpickling runs whatever the bytes name, so only the messages themselves can be named.
"""

from __future__ import annotations

import io
import pickle

from bot.strategies.contract import Thought
from bot.strategies.diary import plain_thought
from bot.strategies.messages import Answer, Chose, Committed, Faulted, Loaded, NotLoaded, Thinking

#: No answer comes near it.
MOST_BYTES = 1 << 16

_KNOWN = {
    (kind.__module__, kind.__qualname__): kind
    for kind in (Loaded, NotLoaded, Thinking, Committed, Chose, Faulted, Thought)
}


class NoAnswerError(ValueError):
    """The bytes are no message that a strategy's process should send."""


class _Reader(pickle.Unpickler):
    def find_class(self, module_name: str, global_name: str) -> type:
        try:
            return _KNOWN[module_name, global_name]
        except KeyError:
            raise NoAnswerError(f"it names {module_name}.{global_name}") from None


def read_answer(data: bytes) -> Answer:
    """The message in `data`. Raises NoAnswerError, whatever is in there."""
    try:
        answer: object = _Reader(io.BytesIO(data)).load()
    except NoAnswerError:
        raise
    except Exception as error:  # noqa: BLE001  pickle raises nearly anything for bytes that are none
        raise NoAnswerError(f"{type(error).__name__}: {error}") from None
    match answer:
        case (
            Loaded(int())
            | NotLoaded(str())
            | Committed(int(), str())
            | Faulted(int(), str())
            | Chose(int(), str(), int(), None | str(), None)
        ):
            return answer
        case Chose(int(), str(), int(), None | str(), thought) | Thinking(int(), thought):
            if thought == plain_thought(thought):
                return answer
    raise NoAnswerError(f"a {type(answer).__name__} with something else in it")
