"""Positions of a data set in the engine's record, compiled: what the hand-written evaluation sees of them.

Only functions of this file and of the engine are called: numba does not see changes in other files.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bot.engine.evaluate import evaluate, phase
from bot.engine.evaluate_material import placed
from bot.engine.intrinsics import lsb
from bot.engine.jit import INT64, TABLE, VOID, U, compiled, type_of
from bot.engine.state import STATE_T, State

#: Piece types, and the squares of half a board: tables are the same on both wings.
TYPES, PLACES = 6, 32

WORDS_T = type_of(np.dtype(np.uint64))[:, ::1]
VALUES_T, PHASES_T = type_of(np.dtype(np.int64))[::1], type_of(np.dtype(np.int64))[::1]
COUNTS_T = type_of(np.dtype(np.int8))[:, ::1]


@compiled(VOID(STATE_T, TABLE))
def _put(S: State, words: Any) -> None:
    """A position as `kernels` has it, without rights to castle: what an evaluation looks at."""
    for colour in range(2):
        S.own[colour] = U(0)
        for piece_type in range(7):
            S.men[colour, piece_type] = U(0)
    for square in range(64):
        S.board[square] = 0
    S.occupied = left = words[0]
    men, number = words[1], INT64(0)
    while left:
        square = lsb(left)
        left &= left - U(1)
        if number == 16:
            men = words[2]
        man = INT64(men & U(15))
        men >>= U(4)
        number += 1
        bit = U(1) << U(square)
        S.board[square] = man
        S.men[man >> 3, man & 7] |= bit
        S.own[man >> 3] |= bit
    S.placed = placed(S)
    S.turn = INT64(words[3] >> U(24) & U(1))
    S.castling, S.en_passant = U(0), -1


@compiled(VOID(STATE_T, WORDS_T, VALUES_T))
def evaluations(S: State, words: Any, found: Any) -> None:
    """The hand-written evaluation of each position, for White."""
    for row in range(len(words)):
        _put(S, words[row])
        found[row] = evaluate(S)


@compiled(VOID(STATE_T, WORDS_T, COUNTS_T, PHASES_T))
def places(S: State, words: Any, counts: Any, phases: Any) -> None:
    """Which entries of the piece-square tables count how often, White's less Black's, and the phase.

    An entry is 32 * (piece type - 1) + 4 * row + file, rows from the far side of the board, files from its
    edge.
    """
    for row in range(len(words)):
        _put(S, words[row])
        phases[row] = phase(S)
        for square in range(64):
            man = INT64(S.board[square])
            if man:
                entry = square ^ 56 if man & 8 else square
                file = min(entry & 7, 7 - (entry & 7))
                counts[row, 32 * ((man & 7) - 1) + 4 * (entry >> 3) + file] += 1 if man & 8 else -1
