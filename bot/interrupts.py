"""Ctrl-C, and who is to hear it."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator

#: What a callback has swallowed comes once more after so many seconds, in which the callback ends.
AGAIN_S = 0.05
#: What the handlers of signals raise, and the signals that they are for.
_RAISED_BY = {KeyboardInterrupt: signal.SIGINT, SystemExit: signal.SIGTERM}


def raise_again_what_callbacks_swallow() -> None:
    """From now on Ctrl-C and SIGTERM end this process also where they come in the midst of a callback.

    Python has callbacks for what is no longer needed, one after every import for example. What is raised in
    one of them it prints, with a traceback, and forgets: the process went on, and nobody would end it.
    """
    sys.unraisablehook = _report


def _report(unraisable: sys.UnraisableHookArgs) -> None:
    number = _RAISED_BY.get(unraisable.exc_type)
    if number is None or sys.is_finalizing():
        sys.__unraisablehook__(unraisable)
        return
    again = threading.Timer(AGAIN_S, _tell_main_thread, (number,))
    again.daemon = True
    again.start()


def _tell_main_thread(number: signal.Signals) -> None:
    if sys.platform == "win32":
        signal.raise_signal(number)
    else:  # to that thread, for it may be waiting for something
        signal.pthread_kill(threading.main_thread().ident or 0, number)


@contextlib.contextmanager
def without_interrupts() -> Iterator[None]:
    """What is started within does not hear Ctrl-C, which a terminal sends to the whole group."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
