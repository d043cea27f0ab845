"""The options of the engine: how they are told of, and how they are set. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.engine.most import MOST_HASH, MOST_THREADS
from bot.engine.network_names import DEFAULT, NONE
from bot.uci.commands import CommandError, SetOption

#: As many lines as a position can have moves.
MOST_LINES = 218


@dataclass(frozen=True, slots=True)
class Options:
    """`hash_mib`: the transposition table. `overhead_ms`: what a move costs beyond its thinking.
    `contempt_cp`: what a draw costs the engine, in centipawns. `network`: that judges positions, by
    name or file; see `bot.engine.network`."""

    hash_mib: int = 16
    threads: int = 1
    ponder: bool = False
    multipv: int = 1
    chess960: bool = False
    overhead_ms: int = 30
    contempt_cp: int = 0
    network: str = DEFAULT


@dataclass(frozen=True, slots=True)
class Spin:
    """A number from `least` to `most`."""

    name: str
    field: str
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Check:
    """true or false."""

    name: str
    field: str


@dataclass(frozen=True, slots=True)
class Text:
    """Any text but none."""

    name: str
    field: str


CLEAR_HASH, EVAL_FILE = "Clear Hash", "EvalFile"
_DEFAULTS = Options()
_KNOWN = {
    option.name.lower(): option
    for option in (
        Spin("Hash", "hash_mib", 1, MOST_HASH),
        Spin("Threads", "threads", 1, MOST_THREADS),
        Check("Ponder", "ponder"),
        Spin("MultiPV", "multipv", 1, MOST_LINES),
        Check("UCI_Chess960", "chess960"),
        Spin("Move Overhead", "overhead_ms", 0, 5000),
        Spin("Contempt", "contempt_cp", -200, 200),
        Text(EVAL_FILE, "network"),
    )
}


def described() -> list[str]:
    """The lines that tell of all options and their defaults."""
    lines = []
    for option in _KNOWN.values():
        default = getattr(_DEFAULTS, option.field)
        match option:
            case Spin(name, _, least, most):
                lines.append(f"option name {name} type spin default {default} min {least} max {most}")
            case Check(name):
                lines.append(f"option name {name} type check default {str(default).lower()}")
            case Text(name):
                lines.append(f"option name {name} type string default {default}")
    return [*lines, f"option name {CLEAR_HASH} type button"]


def changed(options: Options, wish: SetOption) -> Options:
    """`options` with the wish fulfilled. Capitals do not count. Raises CommandError, saying what may be."""
    option = _KNOWN.get(wish.name.lower())
    if option is None:
        names = ", ".join([*(known.name for known in _KNOWN.values()), CLEAR_HASH])
        raise CommandError(f"setoption: there is no option {wish.name!r}; there are: {names}")
    value: int | bool | str
    match option:
        case Spin(name, _, least, most):
            try:
                value = int(wish.value)
            except ValueError:
                value = least - 1
            if not least <= value <= most:
                raise CommandError(
                    f"setoption: {name} is a whole number from {least} to {most}, not {wish.value!r}"
                )
        case Check(name):
            if wish.value.lower() not in ("true", "false"):
                raise CommandError(f"setoption: {name} is true or false, not {wish.value!r}")
            value = wish.value.lower() == "true"
        case Text(name):
            value = wish.value
            if not value:
                raise CommandError(f"setoption: {name} is the name or file of a network, or {NONE}")
    return replace(options, **{option.field: value})  # type: ignore[arg-type]  # the field is of the option's kind
