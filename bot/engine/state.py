"""The record that the engine works on: one position with its past, and all that a search needs.

Every compiled function takes the record (`S`, one pointer) as its first argument. Each thread has its own.
Colours, piece types and squares are python-chess's: BLACK 0, WHITE 1; PAWN 1 to KING 6; a1 0 to h8 63.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import chess
import numpy as np

from bot.engine import attack_tables, features, zobrist
from bot.engine.jit import type_of
from bot.engine.network import HIDDEN, NETWORK
from bot.engine.tunables import REDUCTION_SIZE, TUNABLES_DTYPE, fill, reductions
from bot.engine.weights import WEIGHTS_DTYPE
from bot.engine.weights import load as load_weights
from bot.evaluation.weights import PIECE_VALUES

#: No search goes further than this from its root, in plies.
MAX_PLY = 128
#: So many plies of a game are kept; of a longer game, the last ones: what the fifty-move rule can reach.
MAX_GAME = 512
#: Room for moves: of all nodes between a root and a leaf, and of one node (218 is the most in a real game).
MAX_MOVES, MAX_MOVES_OF_NODE = 16_384, 512
#: Men of one side, at most: more could have more moves than there is room for.
MAX_MEN = 16
#: The counters of a position's plies and moves go no further: much more than any rule asks for.
MAX_COUNTER = 1_000_000
#: Entries of the cache of evaluations; a power of two.
EVALUATIONS = 1 << 14

#: Entries of the table of corrections; a power of two.
CORRECTIONS = 1 << 14
#: So many moves of a node are remembered as tried, and so many can be left out at the root.
MAX_TRIED, MAX_LEFT_OUT = 64, MAX_MOVES_OF_NODE
#: A search looks back so many plies, at its root into nothing: ply p is plies[p + BEFORE].
BEFORE = 4

#: What a move takes away, and taking it back needs.
PAST = np.dtype(
    [
        ("key", np.uint64),
        ("pawn_key", np.uint64),
        ("piece_keys", np.uint64, 2),
        ("castling", np.uint64),
        ("en_passant", np.int64),
        ("halfmoves", np.int64),
        ("placed", np.int64),
    ],
    align=True,
)

#: What a search knows of each ply of the line it is in.
PLY = np.dtype(
    [
        ("move", np.int64),  # that is being searched; NO_MOVE: a pass, or nothing
        ("raw", np.int64),  # the mover's evaluation, or scores.UNKNOWN
        ("static", np.int64),  # the same, corrected by what searches have learnt
        ("estimate", np.int64),  # the same, or what the table knows better
        ("improving", np.int64),  # 1 where it is better than two plies before, else 0
        ("excluded", np.int64),  # a move to search the node without, or NO_MOVE
        ("killers", np.int64, 2),
        ("tried_count", np.int64),
        # what the table has of it; bound 0: nothing
        ("hash_move", np.int64),
        ("hash_score", np.int64),
        ("hash_bound", np.int64),
        ("hash_depth", np.int64),
        # the list of moves; see `ordering`
        ("stage", np.int64),
        ("first", np.int64),
        ("begin", np.int64),
        ("bad_end", np.int64),
        ("index", np.int64),
        ("end", np.int64),
        ("without_quiet", np.int64),
        ("only_checks", np.int64),  # of quiet moves
        ("checks", np.uint64),
        ("pins", np.uint64),
    ],
    align=True,
)

#: Tables of squares; see `attack_tables`.
ATTACKS = np.dtype(
    [
        ("knight", np.uint64, 64),
        ("king", np.uint64, 64),
        ("pawn", np.uint64, (2, 64)),
        ("file", np.uint64, 64),
        ("diagonal", np.uint64, 64),
        ("antidiagonal", np.uint64, 64),
        ("first_rank", np.uint64, (8, 64)),
        ("between", np.uint64, (64, 64)),
        ("line", np.uint64, (64, 64)),
        ("distance", np.int8, (64, 64)),
    ],
    align=True,
)

#: Random numbers; see `zobrist`.
ZOBRIST = np.dtype(
    [
        ("men", np.uint64, (2, 7, 64)),
        ("castling", np.uint64, 64),
        ("en_passant", np.uint64, 64),
        ("white_to_move", np.uint64),
    ],
    align=True,
)

#: What several families of the evaluation ask of a position, by colour; see `facts`.
FACTS = np.dtype(
    [
        ("king", np.int64, 2),
        ("pawn_attacks", np.uint64, 2),
        ("pawn_spans", np.uint64, 2),
        ("passed", np.uint64, 2),
        ("attacked", np.uint64, 2),
    ],
    align=True,
)

#: The network's hidden layer as it was reckoned last, and the men that it is of; see `learned`.
LAYER = np.dtype([("men", np.uint64, (2, 7)), ("values", np.int16, HIDDEN)], align=True)

STATE = np.dtype(
    [
        # the board
        ("men", np.uint64, (2, 7)),  # by colour and piece type
        ("own", np.uint64, 2),  # all men of a colour
        ("occupied", np.uint64),
        ("board", np.int8, 64),  # 0, or the piece type and 8 for White
        ("turn", np.int64),
        ("castling", np.uint64),  # the squares of the rooks that may still castle
        ("en_passant", np.int64),  # where a pawn of the side to move could take in passing, or -1
        ("halfmoves", np.int64),  # since the last capture or pawn move
        ("fullmove", np.int64),
        ("key", np.uint64),
        ("pawn_key", np.uint64),  # of the pawns and the kings
        ("piece_keys", np.uint64, 2),  # by colour, of all its men but pawns
        ("placed", np.int64),  # the sum of `w.placed` over all men: a pair, White's less Black's
        # the past
        ("height", np.int64),  # plies in `past`
        ("past", PAST, MAX_GAME + MAX_PLY),
        # what a search may do
        ("features", np.int64),  # see `features`
        ("contempt", np.int64),  # centipawns that a draw costs White; negative: Black
        ("control", np.int64, 2),  # see `meter`: others may write here while a search runs
        ("node_limit", np.int64),
        ("left_out", np.int64, MAX_LEFT_OUT),  # moves that the root does not look at
        ("left_out_count", np.int64),
        # the search that runs
        ("nodes", np.int64),
        ("poll_at", np.int64),  # the node at which to look at the limits next
        ("stopped", np.int64),
        ("age", np.int64),  # the number of the search, for the table
        ("deepest", np.int64),  # ply
        ("root_height", np.int64),  # `height` at the root
        ("root_depth", np.int64),
        ("plies", PLY, MAX_PLY + BEFORE + 2),
        ("moves", np.int64, MAX_MOVES),  # the lists of all nodes of the line, one after the other
        ("ranks", np.int64, MAX_MOVES),  # how promising each of them is
        ("tried", np.int64, (MAX_PLY, MAX_TRIED)),  # by ply: moves that were searched
        ("lines", np.int32, (MAX_PLY + 2, MAX_PLY + 2)),  # by ply: the best line from there, of plies ply ...
        ("line_ends", np.int64, MAX_PLY + 2),  # ... to this one, not included
        # what it has learnt
        ("history", np.int16, (2, 64, 64)),  # by colour, from, to
        ("capture_history", np.int16, (7, 64, 7)),  # by man, to, captured man
        ("counter", np.int32, (2, 7, 64)),  # by colour: the answer to a man's move to a square
        ("continuation", np.int16, (2, 7, 64, 7, 64)),  # plies ago - 1, then both moves: man, to
        ("correction", np.int16, (2, CORRECTIONS)),  # by side to move and pawns: 1/256 of a centipawn
        ("piece_correction", np.int16, (2, 2, CORRECTIONS)),  # by side to move, and a colour's pieces
        ("facts", FACTS),
        ("evaluation_keys", np.uint64, EVALUATIONS),
        ("evaluations", np.int16, EVALUATIONS),
        ("layers", LAYER, (2, 2)),  # by perspective, and mirrored or not
        ("spare_layer", LAYER),
        ("mistakes", np.int64),  # evaluations that were not what they are afresh; see `learned`
        # what never changes
        ("learned", np.int64),  # 0: the hand-written evaluation; 1: the network judges; 2: and is checked
        ("network", NETWORK),
        ("attacks", ATTACKS),
        ("zobrist", ZOBRIST),
        ("w", WEIGHTS_DTYPE),
        ("tuned", TUNABLES_DTYPE),  # see `tunables`
        ("reductions", np.int64, (REDUCTION_SIZE, REDUCTION_SIZE)),  # by depth and number of the move
        ("exchange_values", np.int64, 7),  # centipawns, by man
    ],
    align=True,
)

#: What a record has learnt from the searches of one game.
LEARNT = ("history", "capture_history", "continuation", "counter", "correction", "piece_correction")

STATE_T = type_of(STATE)
LAYER_T = type_of(LAYER)

#: Python's side of a record: a numpy record of STATE, or of LAYER.
State: TypeAlias = Any
Layer: TypeAlias = Any


def new_state() -> State:
    """A record with an empty board, its tables filled in."""
    state = np.zeros(1, STATE)[0]
    attack_tables.fill(state["attacks"])
    zobrist.fill(state["zobrist"])
    load_weights(state["w"])
    state["en_passant"] = -1
    state["features"] = features.ALL
    state["exchange_values"][1:] = [PIECE_VALUES[piece_type] for piece_type in chess.PIECE_TYPES]
    tune(state, {})
    return state


def tune(state: State, values: Mapping[str, int]) -> None:
    """Search with these values, and with the usual ones of the other tunables."""
    fill(state["tuned"], values)
    state["reductions"] = reductions(state["tuned"])
