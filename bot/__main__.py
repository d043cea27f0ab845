"""The command `knightshift`, and `python -m bot`.

Importing takes a moment, in which somebody may press Ctrl-C already: that is listened to first.
"""

from __future__ import annotations

import atexit
import os
import signal

#: As shells have it for a process that Ctrl-C ended.
EXIT_INTERRUPTED = 130


def main() -> None:
    """Run the command line; Ctrl-C ends it with exit code 130 and without a traceback, whenever it comes."""

    def leave(*_: object) -> None:
        os._exit(EXIT_INTERRUPTED)

    signal.signal(signal.SIGINT, leave)  # nothing is begun that would have to be ended
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)  # it has ended; only Python has not
    from bot.cli import main as command  # noqa: PLC0415  see above
    from bot.interrupts import raise_again_what_callbacks_swallow  # noqa: PLC0415

    raise_again_what_callbacks_swallow()
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        command()
    except KeyboardInterrupt:  # outside of any verb
        raise SystemExit(EXIT_INTERRUPTED) from None
    finally:
        signal.signal(signal.SIGINT, leave)  # all is ended that was begun
        # CPython notes a Ctrl-C that comes within exec (any dataclass is made so), whoever handles it, and
        # would end by SIGINT instead of with our exit code. The next exec makes it forget.
        exec("")  # noqa: S102  nothing is executed


if __name__ == "__main__":
    main()
