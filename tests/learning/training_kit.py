"""What the tests of training share: positions of random games with labels, and the plainest reckoning."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import chess
import numpy as np
import numpy.typing as npt

from bot.engine.network import INPUTS, OUTPUTS, QA, QB
from bot.learning import kernels
from bot.learning.network import Network
from bot.learning.parameters import Floats, Parameters
from bot.learning.positions import DRAW, MOST_SCORE, POSITION, Header, Positions, encoded
from bot.learning.train import Epoch
from bot.learning.trainer import words_of
from tests.engine.kit import random_positions

#: Centipawns by piece type, and how often each stands on a board; the kings stand there once each.
WORTH = np.array([0, 100, 300, 320, 500, 900, 0])
COMMON = np.array([8, 2, 2, 2, 1]) / 15
#: Positions of one game.
GAME = 20


def scattered(count: int, seed: int) -> Positions:
    """Men by lot on squares by lot; the score is the mover's men less the other's, in centipawns."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(3, 24, count)
    ranks = rng.permuted(np.tile(np.arange(64), (count, 1)), axis=1)
    men = rng.choice(np.arange(1, 6), (count, 32), p=COMMON) + 8 * rng.integers(0, 2, (count, 32))
    men[:, 0], men[:, 1] = chess.KING, chess.KING + 8
    men = np.where(np.arange(32) < counts[:, None], men, 0)
    for white in (1, 0):  # no side has more than 16; its king is among the first two
        of_side = (men != 0) & (men >> 3 == white)
        men ^= 8 * (of_side & (of_side.cumsum(axis=1) > 16))
    men = np.take_along_axis(men, np.argsort(rng.random((count, 32)) + (men == 0), axis=1), axis=1)
    squares = np.argsort(ranks >= counts[:, None], axis=1, kind="stable")[:, :32]
    men += (men & 7 == chess.PAWN) & ((squares < 8) | (squares >= 56))  # knights, where no pawn can be
    found = np.zeros(count, POSITION)
    occupied = np.packbits(ranks < counts[:, None], axis=1, bitorder="little")
    found["occupied"] = occupied.view("<u8")[:, 0]
    found["men"] = men[:, 0::2] | men[:, 1::2] << 4
    found["turn"] = rng.integers(0, 2, count)
    found["result"] = DRAW
    found["ply"] = np.arange(count) % GAME
    white = (WORTH[men & 7] * np.where(men >> 3, 1, -1)).sum(axis=1).clip(-MOST_SCORE, MOST_SCORE)
    found["score"] = np.where(found["turn"] == 1, white, -white)
    return found


def inputs_of(board: chess.Board, side: chess.Color) -> set[int]:
    """The inputs that `side` sees, from the words of the format alone."""
    king = board.king(side)
    assert king is not None
    found = set()
    for square, piece in board.piece_map().items():
        seen = square if side is chess.WHITE else chess.square_mirror(square)
        if chess.square_file(king) >= 4:
            seen = chess.square(7 - chess.square_file(seen), chess.square_rank(seen))
        other = 0 if piece.color is side else INPUTS // 2
        found.add(other + (piece.piece_type - 1) * 64 + seen)
    return found


def said_by(network: Network, board: chess.Board) -> int:
    """The evaluation of a position in Python's own integers, step by step."""
    sums = []
    for side in (board.turn, not board.turn):
        columns = [network.inputs[index].tolist() for index in inputs_of(board, side)]
        sums += [
            bias + sum(column[unit] for column in columns)
            for unit, bias in enumerate(network.input_bias.tolist())
        ]
    assert all(-32768 <= each <= 32767 for each in sums)
    chosen = (len(board.piece_map()) - 2) // 4
    weights = network.outputs[chosen].tolist()
    total = sum(min(max(each, 0), 255) ** 2 * weight for each, weight in zip(sums, weights, strict=True))
    value = truncated(total, QA) + int(network.output_bias[chosen])
    return min(max(truncated(value * 400, QA * QB), -19_999), 19_999)


def truncated(value: int, divisor: int) -> int:
    return abs(value) // divisor * (1 if value >= 0 else -1)


def random_network(hidden: int, seed: int, *, most: int = 500) -> Network:
    """Any weights that the format allows, up to `most` in the first layer."""
    rng = np.random.default_rng(seed)
    return Network(
        inputs=rng.integers(-most, most, (INPUTS, hidden), endpoint=True).astype(np.int16),
        input_bias=rng.integers(-QA, QA, hidden).astype(np.int16),
        outputs=rng.integers(-127, 127, (OUTPUTS, 2 * hidden), endpoint=True).astype(np.int16),
        output_bias=rng.integers(-20_000, 20_000, OUTPUTS).astype(np.int32),
    )


def loaded(path: Path) -> Network:
    """The arrays in a file, whatever they are."""
    with np.load(path) as file:
        return Network(**file)


def float_outputs(parameters: Parameters, boards: Sequence[chess.Board]) -> npt.NDArray[np.float64]:
    """What the network says, in 64-bit floats; 1.0 is 400 centipawns."""
    found = []
    for board in boards:
        sums = [
            parameters.inputs[sorted(inputs_of(board, side))].astype(np.float64).sum(axis=0)
            + parameters.input_bias
            for side in (board.turn, not board.turn)
        ]
        active = np.clip(np.concatenate(sums), 0, 1) ** 2
        chosen = (len(board.piece_map()) - 2) // 4
        found.append(active @ parameters.outputs[chosen] + parameters.output_bias[chosen])
    return np.array(found)


def sample_boards(count: int, seed: int) -> list[chess.Board]:
    return [board.copy(stack=False) for board in random_positions(count, seed)]


def write_set(folder: Path, positions: Positions, *, files: int = 2) -> Path:
    """A data set of so many files."""
    folder.mkdir()
    for shard, part in enumerate(np.array_split(positions, files)):
        header = Header(
            seed=1,
            shard=shard,
            settings={"nodes": 7},
            engine="e" * 16,
            generator="f" * 16,
            network="none",
            project="0.1.0",
            counts={"positions": len(part)},
        )
        (folder / f"{shard}.positions").write_bytes(encoded(header, part))
    return folder


class Silent:
    """Watches a training, and says nothing."""

    def __init__(self) -> None:
        self.epochs: list[Epoch] = []
        self.steps: list[tuple[int, int, int]] = []

    def step(self, epoch: int, done: int, total: int, loss: float) -> None:
        assert loss >= 0
        self.steps.append((epoch, done, total))

    def epoch(self, epoch: Epoch) -> None:
        self.epochs.append(epoch)


def evaluated(parameters: Parameters, positions: Positions) -> Floats:
    """What the compiled evaluation says."""
    found = np.empty(len(positions), np.float32)
    kernels.evaluate(words_of(positions), parameters.vector, parameters.hidden, found)
    return found
