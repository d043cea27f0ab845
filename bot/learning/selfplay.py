"""One game of the engine against itself, compiled, with the positions that are worth learning from.

Only this file's functions and the engine's are called: numba does not see changes in other files.
"""

from __future__ import annotations

import numpy as np

from bot.engine.attacks import checkers, pinned
from bot.engine.draws import is_draw
from bot.engine.generate import add_noisy, add_quiet
from bot.engine.intrinsics import lsb
from bot.engine.jit import BOOLEAN, INT64, TABLE, UINT64, VOID, Bits, U, compiled, type_of
from bot.engine.make import make
from bot.engine.moves import NO_MOVE, is_quiet
from bot.engine.scores import DECISIVE, INFINITY, MATE
from bot.engine.search import search_root
from bot.engine.state import BEFORE, STATE_T, State
from bot.engine.table import AGES, Table
from bot.learning.positions import DRAW, LOSS, MOST_SCORE, POSITION, WIN, Positions

#: How a game ended. VOID_GAME: a search found no move within its limit; the game does not count.
(
    CHECKMATE,
    STALEMATE,
    DRAWN,  # by the fifty-move rule, a third repetition, or too little material
    CALLED_WON,
    CALLED_DRAWN,
    TOO_LONG,
    VOID_GAME,
) = range(7)
ENDINGS = ("checkmate", "stalemate", "drawn", "called won", "called drawn", "too long", "void")

#: Games are called won when both sides' searches agree for so many plies on so many centipawns ...
WON_SCORE, WON_PLIES = 1000, 4
#: ... and drawn when, after so many plies, they agree for so many on nearly nothing.
EVEN_SCORE, EVEN_PLIES, EVEN_FROM = 8, 10, 80
#: After so many plies of its own a game is drawn.
MOST_PLIES = 400
#: A start that is worth more for one side teaches little: the game does not count.
MOST_UNEVEN = 1000
#: No search is deeper, in plies. (In a dead draw every iteration costs a node or two.)
DEEPEST = 40
#: Windows of an iteration, from this depth on the score is expected so near that of the one before.
_ASPIRATION_DEPTH, _NEAR = 5, 14

#: What `called` says of a game that goes on.
NOT_YET = -1

#: What a game needs besides the engine's record, and what became of it.
GAME = np.dtype(
    [
        # in: an iteration is begun while fewer nodes are searched, and broken off at so many
        ("soft_nodes", np.int64),
        ("hard_nodes", np.int64),
        # out
        ("ending", np.int64),
        ("white", np.int64),  # the result for White: LOSS, DRAW or WIN
        ("kept", np.int64),  # positions written
        ("plies", np.int64),  # positions searched: kept, and those filtered for these reasons
        ("in_check", np.int64),
        ("not_quiet", np.int64),
        ("decisive", np.int64),
        ("duplicate", np.int64),
        ("nodes", np.int64),
        # so far: plies in a row that one side has as good as won (Black: below 0), and that are even
        ("won_plies", np.int64),
        ("even_plies", np.int64),
        # of the move that is being chosen
        ("score", np.int64),
        ("depth", np.int64),
    ],
    align=True,
)
GAME_T = type_of(GAME)
POSITIONS_T = type_of(POSITION)[::1]


@compiled(UINT64(UINT64), inline=True)
def _mixed(word: Bits) -> Bits:
    """The finaliser of splitmix64 (Steele, Lea, Flood 2014): every bit depends on every bit."""
    word = (word ^ (word >> U(30))) * U(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> U(27))) * U(0x94D049BB133111EB)
    return word ^ (word >> U(31))


@compiled(BOOLEAN(TABLE, UINT64), inline=True)
def _is_new(seen: Table, name: Bits) -> bool:
    """Whether `name` (not 0) was not in the set; it is now. The set has a power of two places, some free."""
    last = U(len(seen) - 1)
    place = name & last
    while seen[place] != U(0):
        if seen[place] == name:
            return False
        place = (place + U(1)) & last
    seen[place] = name
    return True


@compiled(INT64(STATE_T, TABLE, GAME_T))
def choose(S: State, T: Table, G: State) -> int:
    """The move to play, and its score in `G.score`: deeper and deeper while there are nodes.

    Only whole iterations count. NO_MOVE if not even the first one was finished.
    """
    S.nodes = 0
    S.stopped = 0
    S.deepest = 0
    S.left_out_count = 0
    S.node_limit = G.hard_nodes
    S.age = (S.age + 1) % AGES
    for index in range(BEFORE, BEFORE + 2):
        S.plies[index].killers[0] = NO_MOVE
        S.plies[index].killers[1] = NO_MOVE
    chosen, G.score, G.depth = INT64(NO_MOVE), 0, 0
    for depth in range(1, DEEPEST + 1):
        low, high, width = INT64(-INFINITY), INT64(INFINITY), INT64(_NEAR)
        if depth >= _ASPIRATION_DEPTH and abs(G.score) < DECISIVE:
            low, high = G.score - width, G.score + width
        while True:
            score = search_root(S, T, depth, max(low, -INFINITY), min(high, INFINITY))
            if S.stopped or low < score < high:
                break
            width += width
            if score <= low:
                low = -INFINITY if score <= -DECISIVE else score - width
            else:
                high = INFINITY if score >= DECISIVE else score + width
        if S.stopped or S.line_ends[0] == 0:
            break
        chosen, G.score, G.depth = INT64(S.lines[0, 0]), score, depth
        if S.nodes >= G.soft_nodes or MATE - abs(score) <= depth:
            break
    G.nodes += S.nodes
    return chosen


@compiled(VOID(GAME_T))
def begin_game(G: State) -> None:
    """Nothing has been seen of the game yet."""
    G.won_plies, G.even_plies = 0, 0


@compiled(INT64(GAME_T, INT64, INT64))
def called(G: State, number: int, score: int) -> int:
    """White's points doubled, where the game need not go on after the ply of this number, from 0; or NOT_YET.

    `score`: for White, as the player to move saw it. Games are called to save time: won, when both sides'
    scores have been WON_SCORE or more for one of them for WON_PLIES plies; drawn, when after EVEN_FROM plies
    they have been EVEN_SCORE or less for EVEN_PLIES.
    """
    if score >= WON_SCORE:
        G.won_plies = max(G.won_plies, 0) + 1
    elif score <= -WON_SCORE:
        G.won_plies = min(G.won_plies, 0) - 1
    else:
        G.won_plies = 0
    G.even_plies = G.even_plies + 1 if number >= EVEN_FROM and abs(score) <= EVEN_SCORE else 0
    if abs(G.won_plies) >= WON_PLIES:
        return INT64(WIN if G.won_plies > 0 else LOSS)
    return INT64(DRAW if G.even_plies >= EVEN_PLIES else NOT_YET)


@compiled(VOID(STATE_T, GAME_T, TABLE, POSITIONS_T, INT64))
def consider(S: State, G: State, seen: Table, out: Positions, move: int) -> None:
    """Write the position to `out`, with its score, or count why not."""
    if checkers(S):
        G.in_check += 1
    elif not is_quiet(move):
        G.not_quiet += 1
    elif abs(G.score) >= DECISIVE:
        G.decisive += 1
    else:
        low, high = U(0), U(0)
        left, shift, number = S.occupied, U(0), INT64(0)
        while left:
            square = lsb(left)
            left &= left - U(1)
            if number < 16:
                low |= U(S.board[square]) << shift
            else:
                high |= U(S.board[square]) << shift
            shift = (shift + U(4)) & U(63)
            number += 1
        name = _mixed(_mixed(_mixed(S.occupied + U(1)) ^ low) ^ high ^ U(S.turn)) | U(1)
        if not _is_new(seen, name):
            G.duplicate += 1
            return
        record = out[G.kept]
        record.occupied = S.occupied
        for index in range(8):
            record.men[index] = low >> U(8 * index) & U(255)
            record.men[index + 8] = high >> U(8 * index) & U(255)
        record.score = max(-MOST_SCORE, min(MOST_SCORE, G.score))
        record.turn = S.turn
        record.ply = 2 * (S.fullmove - 1) + 1 - S.turn
        record.result = 0
        record.reserved[0] = 0
        record.reserved[1] = 0
        G.kept += 1


@compiled(VOID(STATE_T, TABLE, GAME_T, TABLE, POSITIONS_T))
def _play(S: State, T: Table, G: State, seen: Table, out: Positions) -> None:
    """Play to the end: fills all of `G` that is not given, but for `nodes`."""
    begin_game(G)
    for number in range(MOST_PLIES):
        checks, pins = checkers(S), pinned(S)
        end = add_quiet(S, add_noisy(S, INT64(0), checks, pins), checks, pins)
        if end == 0:
            G.ending = CHECKMATE if checks else STALEMATE
            G.white = 1 if checks == U(0) else 2 * (1 - S.turn)
            return
        S.root_height = S.height  # of repetitions, only a third one counts
        if is_draw(S, checks, end):
            G.ending, G.white = DRAWN, 1
            return
        move = choose(S, T, G)
        if move == NO_MOVE or (number == 0 and abs(G.score) > MOST_UNEVEN):
            G.ending, G.white = VOID_GAME, 1
            return
        G.plies += 1
        consider(S, G, seen, out, move)
        points = called(G, number, G.score if S.turn else -G.score)
        if points != NOT_YET:
            G.ending, G.white = CALLED_DRAWN if points == DRAW else CALLED_WON, points
            return
        make(S, move)
    G.ending, G.white = TOO_LONG, 1


@compiled(VOID(STATE_T, TABLE, GAME_T, TABLE, POSITIONS_T))
def play_game(S: State, T: Table, G: State, seen: Table, out: Positions) -> None:
    """Play a game from the position in the record, and write the positions worth learning from to `out`.

    A position is kept unless the side to move is in check, its best move takes or promotes, its score is a
    mate, or `seen` has it already (by men and side to move); MOST_PLIES is the most that are written. `seen`
    must have more free places than that. `T`: an empty table; `S`: forgets nothing from one move to the next.
    Games are `called` early.
    """
    G.kept, G.plies, G.nodes = 0, 0, 0
    G.in_check, G.not_quiet, G.decisive, G.duplicate = 0, 0, 0, 0
    _play(S, T, G, seen, out)
    for index in range(G.kept):
        out[index].result = G.white if out[index].turn else 2 - G.white
