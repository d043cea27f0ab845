"""Weights in a file: what is written is read again, and what cannot be meant is named."""

from __future__ import annotations

import json
from dataclasses import replace

import chess
import pytest

from bot.evaluation.weights import WEIGHTS
from bot.evaluation.weights_file import WeightsError, decoded, encoded


def test_what_is_written_is_read_again() -> None:
    mobility = {**WEIGHTS.mobility, chess.ROOK: (9, -8)}
    tables = {**WEIGHTS.piece_square, chess.KING: (tuple(range(64)), tuple(range(64, 128)))}
    other = replace(WEIGHTS, bishop_pair=(1, -2), mobility=mobility, piece_square=tables)

    assert decoded(encoded(replace(WEIGHTS, bishop_pair=(1, -2)))) == replace(WEIGHTS, bishop_pair=(1, -2))
    found = json.loads(encoded(decoded(encoded(WEIGHTS))))
    assert found["mobility"]["r"] == list(WEIGHTS.mobility[chess.ROOK])
    found["mobility"]["r"] = [9, -8]
    found["bishop_pair"] = [1, -2]
    found["piece_square"]["k"] = [list(range(64)), list(range(64, 128))]
    assert decoded(json.dumps(found)) == other


def test_what_is_not_named_is_as_usual() -> None:
    assert decoded("{}") == WEIGHTS
    assert decoded('{"pin": [1, 2]}') == replace(WEIGHTS, pin=(1, 2))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("[]", "not one JSON object"),
        ('{"pins": [1, 2]}', "there is no weight 'pins'; there are piece_values, "),
        ('{"pin": 3}', "pin must be 2 values in brackets"),
        ('{"pin": [1]}', "pin must be 2 values in brackets"),
        ('{"pin": [1, 2.5]}', "pin has 2.5; only whole numbers"),
        ('{"pin": [1, true]}', "pin has True; only whole numbers"),
        ('{"pin": [1, null]}', "pin has None; only whole numbers"),
        ('{"pin": [1, 30000]}', "pin has 30000; only whole numbers up to 20000"),
        ('{"king_attack_divisor": [3, 0]}', "king_attack_divisor has 0; at least 1 is needed"),
        ('{"mobility": [1, 2]}', "mobility must have one entry each for n, b, r, q"),
        ('{"mobility": {"n": [1, 2]}}', "mobility must have one entry each for n, b, r, q"),
        (
            '{"mobility": {"n": [1, 2], "b": [1], "r": [1, 1], "q": [1, 1]}}',
            "mobility b must be 2 values in brackets",
        ),
    ],
)
def test_what_cannot_be_meant_is_named(text: str, said: str) -> None:
    with pytest.raises(WeightsError) as caught:
        decoded(text)

    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
