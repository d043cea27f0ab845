"""Names of strategies, and what they lead to: from the text that somebody wrote to a function of a turn.

Nothing is imported before a strategy is loaded, so names can be listed and checked anywhere.
"""

from __future__ import annotations

import difflib
import functools
import importlib
import inspect
import math
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import ModuleType

from bot.errors import StrategyNameError, UserError
from bot.strategies.blame import describe as describe_error
from bot.strategies.contract import Strategy, StrategySpec
from bot.strategies.options import Option, bind_options, required_positional, signature_of


@dataclass(frozen=True, slots=True)
class Registered:
    """A strategy that ships with the project. `target` is `module:name`, read as a user's own would be."""

    name: str
    target: str
    summary: str


_REGISTERED = {
    entry.name: entry
    for entry in (
        Registered(
            "compiled",
            "bot.strategies.compiled:compiled",
            "the engine, the strongest; nodes=, depth=, movetime=, hash= (MiB), threads=, ponder=, network=",
        ),
        Registered(
            "select_move",
            "bot.strategies.select_move:select_move",
            "two plies of simulation: material, centre, check",
        ),
        Registered(
            "classical",
            "bot.strategies.classical:classical",
            "searches as deep as its time allows; nodes=, depth= or movetime= (ms) set how far",
        ),
        Registered(
            "greedy",
            "bot.strategies.fixed_depth:greedy",
            "one ply: the move after which the position looks best",
        ),
        Registered(
            "fixed_depth",
            "bot.strategies.fixed_depth:fixed_depth",
            "plain minimax; depth=2 plies, always",
        ),
        Registered(
            "depth_by_space",
            "bot.strategies.depth_by_space:depth_by_space",
            "deeper as the board fills up, which a chessboard never does: one ply",
        ),
        Registered(
            "depth_by_material",
            "bot.strategies.depth_by_material:depth_by_material",
            "deeper when few men are left: one ply, then two, then three",
        ),
        Registered(
            "random",
            "bot.strategies.random_move:RandomMove",
            "any legal move; seed=0 draws the same ones each time",
        ),
        Registered(
            "uci",
            "bot.strategies.uci:uci",
            "any UCI engine, as uci:COMMAND; nodes=, depth=, movetime= (ms), and the engine's own options",
        ),
    )
}

_OWN = "your own: package.module:name, or path/to/script.py"
_ENGINE = "uci:"
_OPTIONS_BEGIN = re.compile(r":(?=[A-Za-z_]\w*=)")
_NEXT_OPTION = re.compile(r",(?=[A-Za-z_]\w*=)")
#: An engine's options may have spaces in their names.
_ENGINE_OPTIONS_BEGIN = re.compile(r":(?=[A-Za-z_][\w ]*=)")
_NEXT_ENGINE_OPTION = re.compile(r",(?=[A-Za-z_][\w ]*=)")


def names() -> tuple[str, ...]:
    """The registered names."""
    return tuple(_REGISTERED)


def find(name: str) -> Registered | None:
    """The registered strategy of that name, or None."""
    return _REGISTERED.get(name)


def get(name: str) -> Registered:
    """The registered strategy of that name. Raises StrategyNameError, which lists those there are."""
    entry = find(name)
    if entry is None:
        raise StrategyNameError(
            f"unknown strategy {name!r}{_did_you_mean(name, names())}; known: {', '.join(names())}; {_OWN}"
        )
    return entry


def describe(name: str) -> str:
    """One line for a list of strategies. Raises StrategyNameError."""
    return get(name).summary


def parse_spec(text: str, *, search_path: Sequence[str] = ()) -> StrategySpec:
    """The strategy that `text` names, as on a command line: `NAME[:OPTION=VALUE[,OPTION=VALUE ...]]`.

    NAME is one of three, told apart by its looks alone: it ends in `.py` (the path of a script), it has a
    colon (`package.module:name`), or else it is a registered name. The options begin at the first colon that
    is followed by `word=`, and a comma parts two of them only where `word=` follows it, so that values may
    hold both:

        select_move    random:seed=7    my.module:play    my.module:Player:depth=3,style=calm    ./bot.py

    `uci:COMMAND` is short for `uci:command=COMMAND`: uci:stockfish:UCI_Elo=2000,nodes=10000.
    There, names of options may have spaces in them, as engines have them: uci:stockfish:Skill Level=3

    A value that reads as a whole number, a decimal number, `true` or `false` becomes one.
    Raises StrategyNameError for a name that cannot lead anywhere; modules and files are not looked at.
    """
    name, *rest = _OPTIONS_BEGIN.split(text.strip(), maxsplit=1)
    options: dict[str, Option] = {}
    next_option = _NEXT_OPTION
    if name.startswith(_ENGINE):
        command, *rest = _ENGINE_OPTIONS_BEGIN.split(text.strip().removeprefix(_ENGINE), maxsplit=1)
        name, options["command"] = "uci", command
        next_option = _NEXT_ENGINE_OPTION
    for item in next_option.split(rest[0]) if rest else ():
        option, _, value = item.partition("=")
        if option in options:
            raise StrategyNameError(f"{text!r}: the option {option!r} is given twice")
        options[option] = _value(value)
    _check_name(name)
    return StrategySpec(name, tuple(options.items()), tuple(search_path))


def load(spec: StrategySpec) -> Strategy:
    """Import and make the strategy, in this process; `spec.search_path` stays in front of sys.path.

    A registered name and `package.module:name` lead to an object. A function with exactly one required
    positional parameter is the strategy, and the options go to its others. A class, or a function without
    required positional parameters, is a factory: it is called with the options, and what it returns is the
    strategy. A script takes no options.

    Raises StrategyNameError, in one line, for whatever is not so. A UserError of the factory's own passes.
    """
    _check_name(spec.name)
    for folder in reversed(spec.search_path):
        if folder not in sys.path:
            sys.path.insert(0, folder)
    options = dict(spec.options)
    if _is_script(spec.name):
        from bot.strategies.script import load_script  # noqa: PLC0415  nothing is imported before it is needed

        if options:
            raise StrategyNameError(f"{spec.name}: a script takes no options, found {', '.join(options)}")
        return load_script(spec.name)
    target = spec.name if ":" in spec.name else get(spec.name).target
    module_name, _, attribute = target.partition(":")
    module = _import(module_name, spec)
    return _make(spec.name, _attribute(module, attribute), options)


def _check_name(name: str) -> None:
    if not name:
        raise StrategyNameError(f"no strategy is named; known: {', '.join(names())}; {_OWN}")
    if _is_script(name):
        return
    module, colon, attribute = name.partition(":")
    if not colon:
        if "." in name or "/" in name:
            raise StrategyNameError(f"{name!r} is not a strategy's name; {_OWN}")
        get(name)
        return
    if find(module) is not None:
        raise StrategyNameError(f"{name!r}: after {module}: there must be option=value")
    if not attribute.isidentifier() or not all(part.isidentifier() for part in module.split(".")):
        raise StrategyNameError(f"{name!r} is not package.module:name, nor are there options (option=value)")


def _is_script(name: str) -> bool:
    return name.endswith(".py")


def _value(text: str) -> Option:
    """A number or a truth value, where nothing is lost by reading `text` so: "007" stays text."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            value: int | float = kind(text)
        except ValueError:
            continue
        if math.isfinite(value) and str(value) == text:
            return value
    return text


def _import(module_name: str, spec: StrategySpec) -> ModuleType:
    importlib.invalidate_caches()  # the file may have been written a moment ago
    try:
        return importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if missing == module_name or module_name.startswith(f"{missing}."):
            where = ", ".join(spec.search_path) or "Python's own path only"
            raise StrategyNameError(f"{spec.name}: no module {missing!r}; looked in: {where}") from error
        raise _failed(f"{spec.name}: importing {module_name}", error) from error
    except (Exception, SystemExit) as error:  # somebody else's code: whatever it raises is told
        raise _failed(f"{spec.name}: importing {module_name}", error) from error


def _attribute(module: ModuleType, name: str) -> object:
    try:
        return getattr(module, name)
    except AttributeError:
        callables = [each for each, value in vars(module).items() if callable(value)]
        raise StrategyNameError(
            f"module {module.__name__!r} has no {name!r}{_did_you_mean(name, callables)}"
        ) from None


def _make(label: str, target: object, options: dict[str, Option]) -> Strategy:
    if not callable(target):
        raise StrategyNameError(f"{label} is no function or class but {_a(target)}")
    signature = signature_of(label, target)
    required = required_positional(signature)
    arguments = bind_options(label, target, options)
    if not inspect.isclass(target) and required:
        return _checked(label, functools.partial(target, **arguments) if arguments else target)
    try:
        made = target(**arguments)
    except UserError:
        raise
    except (Exception, SystemExit) as error:  # somebody else's code: whatever it raises is told
        raise _failed(f"{label}: making it", error) from error
    if not callable(made):
        raise StrategyNameError(f"{label} made no function of one turn but {_a(made)}")
    return _checked(label, made)


def _checked(label: str, strategy: Strategy) -> Strategy:
    signature = signature_of(label, strategy)
    try:
        signature.bind("a turn")
    except TypeError:
        raise StrategyNameError(f"{label} must take one argument, the turn; it takes {signature}") from None
    return strategy


def _failed(what: str, error: BaseException) -> StrategyNameError:
    return StrategyNameError(f"{what} failed: {describe_error(error)}")


def _did_you_mean(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def _a(value: object) -> str:
    return f"a value of type {type(value).__name__}"
