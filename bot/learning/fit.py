"""Fitting the hand-written weights: those that foretell best what searches and games said of positions.

A logistic fit, as Texel's author described it (Österlund 2014), along the gradient: the evaluation is linear
in its weights, but for the attack on a king, which is scaled as a whole. What the course gives a number for
keeps it: see COURSE.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import chess
import numpy as np
import numpy.typing as npt

from bot.engine.state import new_state
from bot.engine.weights import PLAIN, load
from bot.errors import UserError
from bot.evaluation.tables import SquareTable
from bot.evaluation.weights import WEIGHTS, Pair, Weights
from bot.learning import fit_kernels, kernels
from bot.learning.fit_kernels import PLACES, TYPES
from bot.learning.kernels import MEAN_KEPT, SQUARE_KEPT
from bot.learning.positions import Positions
from bot.learning.settings import FitSettings
from bot.learning.split import Rows, split
from bot.learning.spread import fitting
from bot.learning.train import loss_of, shares
from bot.learning.trainer import Words, words_of

#: Weights that are what the course says.
COURSE = (
    "bishop_pair",
    "rook_pair",
    "isolated_file",
    "doubled_file",
    "backward_pawn",
    "connected_passed_pawns",
    "shield_pawn",
    "open_file_near_king",
)
#: Positions to learn from have no rights to castle, and no bare kings.
UNSEEN = ("castling_right", "bare_king_step", "bare_king_to_corner", "kings_close")
#: A weight is moved so far to see what it multiplies, in centipawns: more than rounding hides.
_FAR = 64
#: How far a step goes at first, and at the end, in centipawns.
_FIRST_STEP, _LAST_STEP = 2.0, 0.02
#: Positions a step, at most, and steps an epoch, at least.
_BATCH, _LEAST_STEPS = 16_384, 50
#: An entry of a piece-square table is not larger, either way, in centipawns.
MOST_PLACE = 200
#: How strongly a weight is held where it was, so that what hardly occurs stays: loss per centipawn squared.
_HOLD = 2e-9
#: A half of a weight keeps its sign, so that it still means what its name says: between so many times what it
#: was; in centipawns, so many are allowed in any case. A half that was nothing may come to have the sign of
#: the other; a weight that was nothing stays so.
_LEAST_GROWTH, _MOST_GROWTH, _MOST_SMALL = 0.25, 2.5, 20
#: A passed pawn on the second rank is worth so much by the course, in centipawns, at least one more than that
#: on each rank that follows, and not less than on the rank before.
_PASSED = 20
#: The first one on which it is fitted, from 0.
_FIRST_FITTED_RANK = 2
#: With fewer positions to validate with, it would be chance which weights foretell them better.
LEAST_VALIDATION = 250
#: Of the miss, in the loss.
_POWER = 2.0
#: So many positions say which spread fits.
_SAMPLE = 200_000

Floats = npt.NDArray[np.float32]
Exact = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Fitted:
    """The weights, rounded, and their mean losses in validation, before and after."""

    weights: Weights
    loss_before: float
    loss: float
    learnt_from: int
    validated_with: int
    spread: float  # centipawns of the evaluation that foretell 73 % of a point


@dataclass(frozen=True, slots=True)
class _Weight:
    """One pair of `Weights`, and how to change it; `least`: that it may be, if its sign is not all."""

    now: Pair
    changed: Callable[[Weights, Pair], Weights]
    least: int | None = None
    rises: bool = False  # it is at least what the one before is


def fit(
    positions: Positions,
    settings: FitSettings,
    *,
    start: Weights = WEIGHTS,
    most: int | None = None,
    tell: Callable[[int, float, float], None],
) -> Fitted:
    """Weights for these positions, or `most` of them, as far apart as can be: those of the epoch that
    foretells best what they were not fitted to. `tell` hears the number of each epoch, its training loss and
    the other.

    Raises UserError for positions that cannot be used, or too few of them.
    """
    positions, learning, held_out = thinned(positions, settings, most)
    if len(held_out) < LEAST_VALIDATION:
        raise UserError(
            f"{len(held_out)} positions to validate with, of {len(positions)}, are too few: use "
            f"{LEAST_VALIDATION / settings.validation:,.0f} positions or more"
        )
    words = words_of(positions)
    seen = _Seen(words, start)
    targets = _targets(positions, words, settings)
    sample = learning[:: 1 + len(learning) // _SAMPLE]
    spread = fitting(seen.said(seen.begin, sample), targets[sample]) or settings.spread
    model, best = seen.begin.copy(), seen.begin
    before = least = seen.loss(model, targets, held_out, spread)
    rng = np.random.default_rng([settings.seed, 1])
    means, squares, step = np.zeros_like(model), np.zeros_like(model), 0
    batch = max(1, min(_BATCH, len(learning) // _LEAST_STEPS))
    steps = settings.epochs * (len(learning) // batch)
    for epoch in range(1, settings.epochs + 1):
        rng.shuffle(learning)
        lost = 0.0
        for number in range(len(learning) // batch):
            loss, slope = seen.slope(model, targets, learning[number * batch : (number + 1) * batch], spread)
            lost += loss / (len(learning) // batch)
            step += 1
            means = MEAN_KEPT * means + (1 - MEAN_KEPT) * slope
            squares = SQUARE_KEPT * squares + (1 - SQUARE_KEPT) * slope**2
            rate = _LAST_STEP + (_FIRST_STEP - _LAST_STEP) * (1 - step / steps)
            size = np.sqrt(squares / (1 - SQUARE_KEPT**step)) + 1e-12
            model -= rate * (means / (1 - MEAN_KEPT**step)) / size
            model = seen.allowed(model)
        loss = seen.loss(model, targets, held_out, spread)
        tell(epoch, lost, loss)
        if loss < least:
            best, least = model.copy(), loss
    weights = seen.weights(best)
    loss = loss_of(shares(_evaluations(words[held_out], weights), spread), targets[held_out], _POWER)
    return Fitted(weights, before, loss, len(learning), len(held_out), spread)


def thinned(positions: Positions, settings: FitSettings, most: int | None) -> tuple[Positions, Rows, Rows]:
    """So many of the positions, evenly; their rows to learn from, and those for validation, of other games.

    Raises UserError where there are not games enough.
    """
    held_out = np.zeros(len(positions), bool)
    held_out[split(positions, settings.validation, settings.seed)[1]] = True
    count = len(positions) if most is None else min(most, len(positions))
    taken = np.arange(count) * len(positions) // count
    held_out = held_out[taken]
    learning, validating = (np.flatnonzero(rows).astype(np.int32) for rows in (~held_out, held_out))
    return np.ascontiguousarray(positions[taken]), learning, validating


class _Seen:
    """What each weight multiplies in each position; a model is a vector: pairs, entries of the piece-square
    tables first, then the others, and two percentages of the attack on kings."""

    def __init__(self, words: Words, start: Weights) -> None:
        self._start = start
        self._weights = _free(start)
        base = _evaluations(words, start)
        self._places = np.zeros((len(words), TYPES * PLACES), np.int8)
        phases = np.zeros(len(words), np.int64)
        fit_kernels.places(_state(start), words, self._places, phases)
        self._phase = (phases / 256).astype(np.float32)
        self._counts = np.empty((len(words), len(self._weights)), np.int16)
        for number, weight in enumerate(self._weights):
            moved = weight.changed(start, (weight.now[0] + _FAR, weight.now[1] + _FAR))
            self._counts[:, number] = np.rint((_evaluations(words, moved) - base) / _FAR)
        calm = replace(start, king_attack_limit=(0, start.king_attack_limit[1]))
        self._danger = np.empty((len(words), 2), np.float32)
        self._danger[:, 0] = base - _evaluations(words, calm)
        calm = replace(start, king_attack_limit=(start.king_attack_limit[0], 0))
        self._danger[:, 1] = base - _evaluations(words, calm)
        entries = [
            pair for piece_type in chess.PIECE_TYPES for pair in _folded(start.piece_square[piece_type])
        ]
        pairs = [*entries, *(weight.now for weight in self._weights)]
        self.begin: Exact = np.array([*(half for pair in pairs for half in pair), 100, 100], np.float64)
        self.least, self.most = self._bounds()
        self._rest = np.zeros(len(words), np.float32)
        self._rest = base.astype(np.float32) - self.said(self.begin, np.arange(len(words), dtype=np.int32))

    def _bounds(self) -> tuple[Exact, Exact]:
        """Between which a model must be."""
        size = np.abs(self.begin)
        near = np.where(size > 0, np.maximum(_LEAST_GROWTH * size, 1), 0)
        halves = self.begin.reshape(-1, 2)
        sign = np.where(halves, np.sign(halves), np.sign(halves[:, ::-1])).ravel()
        far = np.where(sign, np.maximum(_MOST_GROWTH * size, _MOST_SMALL), 0)
        least, most = np.where(sign < 0, -far, near), np.where(sign < 0, -near, far)
        tables = 2 * TYPES * PLACES
        least[:tables], most[:tables] = -MOST_PLACE, MOST_PLACE
        for number, weight in enumerate(self._weights):
            if weight.least is not None:
                least[tables + 2 * number : tables + 2 * number + 2] = weight.least
        return least, most

    def allowed(self, model: Exact) -> Exact:
        """The nearest model that may be."""
        found = np.clip(model, self.least, self.most)
        weights = found[2 * TYPES * PLACES : -2].reshape(-1, 2)
        for number, weight in enumerate(self._weights):
            if weight.rises:
                weights[number] = np.maximum(weights[number], weights[number - 1])
        return found

    def said(self, model: Exact, rows: Rows) -> Floats:
        """What the evaluation says of these rows with a model's weights, in centipawns for White."""
        said = np.empty(len(rows), np.float32)
        for begin in range(0, len(rows), _BATCH):
            part = rows[begin : begin + _BATCH]
            said[begin : begin + _BATCH] = self._said(model, part, self._columns(part))
        return said

    def _said(self, model: Exact, rows: Rows, columns: Floats) -> Floats:
        pairs, scales = model[:-2].reshape(-1, 2).astype(np.float32), model[-2:].astype(np.float32) / 100
        middlegame, endgame = (columns @ pairs).T
        phase = self._phase[rows]
        total = self._rest[rows] + middlegame * phase + endgame * (1 - phase)
        found: Floats = total + self._danger[rows] @ scales
        return found

    def _columns(self, rows: Rows) -> Floats:
        """What each pair of a model multiplies in these rows."""
        return np.concatenate([self._places[rows], self._counts[rows]], axis=1, dtype=np.float32)

    def loss(self, model: Exact, targets: Floats, rows: Rows, spread: float) -> float:
        """The mean loss of these rows."""
        return loss_of(shares(self.said(model, rows), spread), targets[rows], _POWER)

    def slope(self, model: Exact, targets: Floats, rows: Rows, spread: float) -> tuple[float, Exact]:
        """The mean loss of these rows, a batch at most, and its gradient."""
        columns = self._columns(rows)
        share = shares(self._said(model, rows, columns), spread)
        miss = share - targets[rows]
        slopes = 2 * miss * share * (1 - share) / spread / len(rows)
        phase = self._phase[rows]
        pairs = columns.T @ np.stack([slopes * phase, slopes * (1 - phase)], axis=1)
        found = np.concatenate([pairs.ravel(), slopes @ self._danger[rows] / 100]).astype(np.float64)
        found += 2 * _HOLD * (model - self.begin)
        found[: 2 * PLACES : 2] = 0  # the pawn's middlegame table is the course's
        return loss_of(share, targets[rows], _POWER), found

    def weights(self, model: Exact) -> Weights:
        """The weights of a model, rounded."""
        pairs = [_rounded(pair) for pair in model[:-2].reshape(-1, 2)]
        tables = {}
        for piece_type in chess.PIECE_TYPES:
            entries = pairs[PLACES * (piece_type - 1) : PLACES * piece_type]
            tables[piece_type] = _unfolded(entries)
        tables[chess.PAWN] = (self._start.piece_square[chess.PAWN][0], tables[chess.PAWN][1])
        found = replace(self._start, piece_square=MappingProxyType(tables))
        for weight, pair in zip(self._weights, pairs[TYPES * PLACES :], strict=True):
            found = weight.changed(found, pair)
        limit, divisor = found.king_attack_limit, found.king_attack_divisor
        scales = [max(share, 1.0) / 100 for share in model[-2:]]
        return replace(
            found,
            king_attack_limit=_rounded((limit[0] * scales[0], limit[1] * scales[1])),
            king_attack_divisor=_rounded((divisor[0] / scales[0], divisor[1] / scales[1])),
        )


def _free(start: Weights) -> list[_Weight]:
    """All weights that are fitted, but for tables and the attack on kings."""

    def plain(name: str) -> _Weight:
        return _Weight(getattr(start, name), lambda weights, pair: _with(weights, name, pair))

    def of_piece(name: str, piece_type: chess.PieceType) -> _Weight:
        def changed(weights: Weights, pair: Pair) -> Weights:
            table: Mapping[chess.PieceType, Pair] = getattr(weights, name)
            return _with(weights, name, MappingProxyType({**table, piece_type: pair}))

        return _Weight(getattr(start, name)[piece_type], changed)

    def passed(rank: int) -> _Weight:
        def changed(weights: Weights, pair: Pair) -> Weights:
            by_rank = list(weights.passed_pawn_by_rank)
            by_rank[rank] = pair
            by_rank[0], by_rank[7] = by_rank[1], by_rank[6]  # no pawn is there
            return replace(weights, passed_pawn_by_rank=tuple(by_rank))

        now = start.passed_pawn_by_rank[rank]
        return _Weight(now, changed, least=_PASSED + rank - 1, rises=rank > _FIRST_FITTED_RANK)

    officers = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
    return [
        *(plain(name) for name in PLAIN if name not in COURSE + UNSEEN),
        *(passed(rank) for rank in range(_FIRST_FITTED_RANK, 7)),
        *(of_piece(name, piece_type) for name in ("tropism", "mobility") for piece_type in officers),
    ]


def _with(weights: Weights, name: str, value: Any) -> Weights:
    """The same, but for one of them."""
    return replace(weights, **{name: value})


def _folded(table: SquareTable) -> list[Pair]:
    """The left half of both tables, an entry the mean of both wings."""
    halves = [
        [
            round((half[8 * row + file] + half[8 * row + 7 - file]) / 2)
            for row in range(8)
            for file in range(4)
        ]
        for half in table
    ]
    return list(zip(*halves, strict=True))


def _unfolded(entries: list[Pair]) -> SquareTable:
    middlegame, endgame = (
        tuple(entries[4 * row + min(file, 7 - file)][half] for row in range(8) for file in range(8))
        for half in range(2)
    )
    return middlegame, endgame


def _state(weights: Weights) -> Any:
    state = new_state()
    load(state["w"], weights)
    return state


def _evaluations(words: Words, weights: Weights) -> npt.NDArray[np.int64]:
    found = np.empty(len(words), np.int64)
    fit_kernels.evaluations(_state(weights), words, found)
    return found


def _targets(positions: Positions, words: Words, settings: FitSettings) -> Floats:
    """The share of a point that is to be expected, for White."""
    mover = np.empty(len(words), np.float32)
    kernels.targets(words, settings.mix, settings.spread, mover)
    found: Floats = np.where(positions["turn"] == 1, mover, 1 - mover)
    return found


def _rounded(pair: Any) -> Pair:
    return round(float(pair[0])), round(float(pair[1]))
