"""Exit codes of the verbs that judge: 0 to 3 say what was found, and nothing else ever does.

What is no finding has the code that sysexits.h has for it (64, 69, 70, 74), or a signal's (130, 143): a
mistyped option must not be taken for an inconclusive test, nor a full disk for a rejected claim.
"""

from __future__ import annotations

import errno
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from bot.errors import KnightshiftError, UserError

#: Something the person at the keyboard can mend: options, files that are missing or not what they should be.
USAGE = 64
#: What was asked for could not be done: a pair that cannot be played, a cluster that fell apart.
UNAVAILABLE = 69
#: An error of the program.
SOFTWARE = 70
#: Something could not be read or written.
INPUT_OUTPUT = 74
INTERRUPTED = 130

#: What is wrong with a command line: click's ClickException, of which newer versions of typer have their own.
_CommandLineError: type[Exception] = typer.BadParameter.__mro__[2]

IN_WORDS = (
    "No verdict: 64 usage or bad input, 69 it could not be played, 70 an error of the program, 74 reading or "
    "writing failed, 130 interrupted (143 by SIGTERM)."
)


class JudgingCommand(TyperCommand):
    """A verb whose exit codes 0 to 3 are findings. (Contexts are click's, or in newer versions typer's.)"""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        with _usage_is_no_finding():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        try:
            with _usage_is_no_finding():
                return super().invoke(ctx)
        except (typer.Exit, _CommandLineError):
            raise
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except SystemExit as error:
            if error.code in range(1, 4):  # rich ends so when nobody reads what it prints
                raise SystemExit(INPUT_OUTPUT) from error
            raise
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EPIPE):
                sys.stdout = None  # nothing more can be written; Python would try at its end
            where = f"{error.filename}: " if error.filename is not None else ""
            raise _ended(f"{where}{error.strerror or error}", INPUT_OUTPUT) from error
        except UserError as error:
            raise _ended(str(error), USAGE) from error
        except KnightshiftError as error:
            raise _ended(str(error), UNAVAILABLE) from error
        except Exception as error:  # the process's outermost edge, or Python would exit with 1
            raise _ended(traceback.format_exc().rstrip(), SOFTWARE) from error


class JudgingGroup(TyperGroup):
    """The group of such verbs: a verb that it does not have, or an option before the verb, is no finding."""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        with _usage_is_no_finding():
            return super().make_context(*args, **kwargs)

    def resolve_command(self, *args: Any, **kwargs: Any) -> Any:
        with _usage_is_no_finding():
            return super().resolve_command(*args, **kwargs)


@contextmanager
def _usage_is_no_finding() -> Iterator[None]:
    try:
        yield
    except _CommandLineError as error:
        vars(error)["exit_code"] = USAGE
        raise


def _ended(message: str, code: int) -> typer.Exit:
    typer.echo(message, err=True)
    return typer.Exit(code)
