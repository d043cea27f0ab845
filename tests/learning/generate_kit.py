"""What the tests of making positions share: small shards, and networks that nobody has trained."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import chess
import numpy as np

from bot.engine.network import HIDDEN, INPUTS, OUTPUTS
from bot.learning.jobs import Job
from bot.learning.judge import HAND_WRITTEN, Judge
from bot.learning.origin import Origin
from bot.learning.positions import Header, Positions, read_file, to_board
from bot.learning.shard import Generator

NODES, SHARD = 40, 60
BY_HAND = Judge(HAND_WRITTEN)


def origin(
    judge: Judge = BY_HAND, *, nodes: int = NODES, random_plies: int = 8, shard: int = SHARD
) -> Origin:
    return Origin.here(nodes=nodes, random_plies=random_plies, shard=shard, judge=judge)


def generator(judge: Judge = BY_HAND, *, nodes: int = NODES) -> Generator:
    return Generator(origin(judge, nodes=nodes))


def make(
    folder: Path, positions: int, *, seed: int = 1, shard: int = 0, by: Generator | None = None
) -> tuple[Header, Positions]:
    """Make a shard and read it back."""
    folder.mkdir(exist_ok=True)
    job = Job(folder, seed, shard, positions)
    (by or generator()).make(job, lambda _: None)
    return read_file(job.path)


def boards(positions: Positions) -> Iterator[chess.Board]:
    return map(to_board, positions)


def whole(positions: Positions) -> list[bytes]:
    """Each record's bytes."""
    return [record.tobytes() for record in positions]


def write_network(path: Path, seed: int = 1) -> str:
    """A file of random weights, small, so that games do not begin too uneven; returns its name."""
    rng = np.random.default_rng(seed)
    np.savez(
        path,
        inputs=rng.integers(-9, 10, (INPUTS, HIDDEN)).astype(np.int16),
        input_bias=rng.integers(0, 90, HIDDEN).astype(np.int16),
        outputs=rng.integers(-40, 41, (OUTPUTS, 2 * HIDDEN)).astype(np.int16),
        output_bias=np.zeros(OUTPUTS, np.int32),
    )
    return hashlib.sha256(path.read_bytes()).hexdigest()[:8]
