"""For process servers, which import it: a child whose starter has gone ends without a word.

multiprocessing hands each child what to run through a pipe. Where the starter was killed before it had, the
child fails at reading it, and the process server would print a traceback, after all else has been said.
"""

from __future__ import annotations

import sys
from multiprocessing import spawn
from types import TracebackType


def report(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    """Print what ended a process, unless it is an orphan's end: nothing came from its starter."""
    innermost = traceback
    while innermost is not None and innermost.tb_next is not None:
        innermost = innermost.tb_next
    in_start = innermost is not None and innermost.tb_frame.f_code.co_filename == spawn.__file__
    if not (in_start and issubclass(kind, EOFError | OSError)):
        sys.__excepthook__(kind, error, traceback)


sys.excepthook = report
