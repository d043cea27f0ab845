"""The options of a strategy: keyword arguments, turned into the types that its code asks for."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Mapping

from bot.errors import StrategyNameError

Option = str | int | float | bool

_TRUE, _FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def bind_options(
    label: str, takes: Callable[..., object], options: Mapping[str, Option]
) -> dict[str, object]:
    """The keyword arguments with which to call `takes`, whose required positional parameters are left alone
    unless `takes` is a class.

    A value becomes what the parameter's annotation, or else its default, says: int, float, bool, str, or one
    of those with None (written "none"). Raises StrategyNameError, naming the options there are, for one that
    is unknown, missing, or of the wrong type. `label` says in those lines whose options they are.
    """
    signature = signature_of(label, takes)
    parameters = dict(signature.parameters)
    if not inspect.isclass(takes):
        for name in required_positional(signature):
            del parameters[name]
    named = {
        name: parameter
        for name, parameter in parameters.items()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    }
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
    allowed = f"allowed: {', '.join(named)}" if named else "it takes none"
    for name in options:
        if name not in named and not takes_any:
            raise StrategyNameError(f"{label}: unknown option {name!r}; {allowed}")
    for name, parameter in named.items():
        if parameter.default is parameter.empty and name not in options:
            raise StrategyNameError(f"{label}: the option {name!r} must be given; {allowed}")
    return {
        name: coerce(f"{label}: option {name!r}", value, _kind(named[name])) if name in named else value
        for name, value in options.items()
    }


def signature_of(label: str, takes: Callable[..., object]) -> inspect.Signature:
    """The signature of `takes`, annotations as types where they can be told. Raises StrategyNameError."""
    try:
        return inspect.signature(takes, eval_str=True)
    except NameError:  # an annotation that exists for type checkers only
        return inspect.signature(takes)
    except (TypeError, ValueError) as error:
        raise StrategyNameError(f"{label}: its parameters cannot be told: {error}") from error


def required_positional(signature: inspect.Signature) -> list[str]:
    """The parameters that a call by position cannot leave out."""
    return [
        name
        for name, parameter in signature.parameters.items()
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        and parameter.default is parameter.empty
    ]


def coerce(label: str, value: Option, kind: object) -> object:
    """`value` as an int, float, bool or str where `kind` is that type, or a union of some and None; else
    `value` as it is. Raises StrategyNameError."""
    kinds = typing.get_args(kind) if typing.get_origin(kind) in (typing.Union, types.UnionType) else (kind,)
    if type(None) in kinds and str(value).lower() == "none":
        return None
    wanted = [kind for kind in kinds if kind in (int, float, bool, str)]
    if not wanted or len(wanted) < len([kind for kind in kinds if kind is not type(None)]):
        return value
    for each in wanted:
        try:
            return _CONVERT[each](value)
        except ValueError:
            continue
    raise StrategyNameError(f"{label} must be {' or '.join(each.__name__ for each in wanted)}, not {value!r}")


def _kind(parameter: inspect.Parameter) -> object:
    if parameter.annotation is not parameter.empty:
        return parameter.annotation
    if parameter.default is parameter.empty or parameter.default is None:
        return object
    return type(parameter.default)


def _to_bool(value: Option) -> bool:
    text = str(value).lower()
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise ValueError(text)


def _to_int(value: Option) -> int:
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise ValueError(value)
    return int(value)


def _to_float(value: Option) -> float:
    if isinstance(value, bool):
        raise ValueError(value)
    return float(value)


def _to_str(value: Option) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


_CONVERT: Mapping[object, Callable[[Option], Option]] = {
    int: _to_int,
    float: _to_float,
    bool: _to_bool,
    str: _to_str,
}
