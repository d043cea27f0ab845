"""What an option names: some of what there is, with commas between."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from bot.errors import UserError

FoldersArgument = Annotated[
    list[Path], typer.Argument(help="Of positions, as `lab generate` writes them; or files.")
]
#: `--network` of a command; see `Judge.find`.
NetworkOption = Annotated[
    str | None,
    typer.Option(
        help="That judges positions: one that ships, by name; a file of weights; or none, the evaluation "
        "written by hand. Default: default, if that ships, else none."
    ),
]


def chosen(only: str | None, known: Iterable[str], kind: str) -> tuple[str, ...]:
    """Those of `known` that `--only` names ("a,b"), in the order of `known`; all of them where it is None.

    Raises UserError, saying what there is; `kind`: what they are called there.
    """
    there = tuple(known)
    if only is None:
        return there
    names = [name.strip() for name in only.split(",")]
    for name in names:
        if name not in there:
            raise UserError(f"--only: no {kind} {name!r}; there are {', '.join(there)}")
    return tuple(name for name in there if name in names)
