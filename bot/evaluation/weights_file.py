"""Weights as a file: JSON, each by its name in `Weights`; tables by the piece's letter."""

from __future__ import annotations

import dataclasses
import json
from types import MappingProxyType
from typing import Any

import chess

from bot.evaluation.weights import WEIGHTS, Weights

#: No weight is larger, either way, in centipawns.
MOST_WEIGHT = 20_000


class WeightsError(ValueError):
    """Text that is no weights; one line, which names the weight."""


def encoded(weights: Weights) -> str:
    """All weights, as `decoded` reads them: a line each."""
    lines = ",\n".join(
        f"  {json.dumps(each.name)}: {json.dumps(_plain(getattr(weights, each.name)))}"
        for each in dataclasses.fields(weights)
    )
    return f"{{\n{lines}\n}}\n"


def decoded(text: str) -> Weights:
    """Weights; those that are not named are as usual. Raises WeightsError."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WeightsError(f"no JSON: {error}") from None
    if not isinstance(found, dict):
        raise WeightsError("not one JSON object with a weight for each name")
    usual = {each.name: getattr(WEIGHTS, each.name) for each in dataclasses.fields(WEIGHTS)}
    if unknown := sorted(set(found) - set(usual)):
        raise WeightsError(f"there is no weight {unknown[0]!r}; there are {', '.join(usual)}")
    weights = Weights(**{name: _like(usual[name], value, name) for name, value in found.items()})
    if min(weights.king_attack_divisor) < 1:
        raise WeightsError(
            f"king_attack_divisor has {min(weights.king_attack_divisor)}; at least 1 is needed"
        )
    return weights


def _plain(value: Any) -> Any:
    if isinstance(value, MappingProxyType):
        return {chess.piece_symbol(piece_type): _plain(each) for piece_type, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


def _like(usual: Any, value: Any, name: str) -> Any:
    """`value` in the shape of `usual`."""
    if isinstance(usual, MappingProxyType):
        letters = {chess.piece_symbol(piece_type): piece_type for piece_type in usual}
        if not isinstance(value, dict) or set(value) != set(letters):
            raise WeightsError(f"{name} must have one entry each for {', '.join(letters)}")
        return MappingProxyType(
            {
                piece_type: _like(usual[piece_type], value[letter], f"{name} {letter}")
                for letter, piece_type in letters.items()
            }
        )
    if isinstance(usual, tuple):
        if not isinstance(value, list) or len(value) != len(usual):
            raise WeightsError(f"{name} must be {len(usual)} values in brackets")
        return tuple(_like(one, each, name) for one, each in zip(usual, value, strict=True))
    if type(value) is not int or abs(value) > MOST_WEIGHT:
        raise WeightsError(f"{name} has {value!r}; only whole numbers up to {MOST_WEIGHT} either way")
    return value
