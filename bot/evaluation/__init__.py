"""What a position is worth, in centipawns from White's side.

Families of terms (a file each) give every term to each side as a (middlegame, endgame) pair; the sum is
tapered once by the phase of the game. All numbers are in `weights` and `tables`.
"""

from bot.evaluation.endings import MATE, game_value
from bot.evaluation.phase import game_phase, taper
from bot.evaluation.score import LIMIT, Row, breakdown, evaluate
from bot.evaluation.weights import PIECE_VALUES, WEIGHTS, Pair, Weights

__all__ = [
    "LIMIT",
    "MATE",
    "PIECE_VALUES",
    "WEIGHTS",
    "Pair",
    "Row",
    "Weights",
    "breakdown",
    "evaluate",
    "game_phase",
    "game_value",
    "taper",
]
