"""What positions come from: settings, judge, and the sources of engine and generator. Imports no numba."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from bot.learning.judge import Judge
from bot.learning.positions import Header

_BOT = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class Origin:
    """All that decides what the games of a seed are. `nodes`: no iteration of a search is begun once so many
    nodes are searched. `random_plies`: see `starts.draw_start`. `shard`: positions a file, which decide where
    the games of one end. The rest as in `Header`."""

    nodes: int
    random_plies: int
    shard: int
    judge: Judge
    engine: str
    generator: str

    @classmethod
    def here(cls, *, nodes: int, random_plies: int, shard: int, judge: Judge) -> Origin:
        """With the sources as they are now."""
        return cls(nodes, random_plies, shard, judge, engine_digest(), generator_digest())

    def header(self, seed: int, shard: int, counts: Mapping[str, int]) -> Header:
        """Of a file of such positions."""
        return Header(
            seed=seed,
            shard=shard,
            settings={"nodes": self.nodes, "random_plies": self.random_plies, "shard": self.shard},
            engine=self.engine,
            generator=self.generator,
            network=self.judge.name,
            project=metadata.version("knightshift"),
            counts=dict(counts),
        )


def engine_digest() -> str:
    """Sixteen hexadecimal digits: of the engine, and of the evaluation its weights come from."""
    return _digest([*(_BOT / "engine").glob("*.py"), *(_BOT / "evaluation").glob("*.py")])


def generator_digest() -> str:
    """Of what decides how games begin, how they end, and which positions are kept."""
    names = ("learning/selfplay.py", "learning/starts.py", "learning/shard.py", "lab/openings.epd")
    return _digest(_BOT / name for name in names)


def rescorer_digest() -> str:
    """Of what decides, with the engine, what scores positions get that are searched again."""
    return _digest(_BOT / "learning" / name for name in ("rescore.py", "selfplay.py"))


def tuner_digest() -> str:
    """Of what decides how the games of a tuning begin and end, and what follows from their results."""
    names = ("duel.py", "selfplay.py", "spsa.py", "starts.py", "tuning_pairs.py")
    return _digest([*(_BOT / "learning" / name for name in names), _BOT / "lab/openings.epd"])


def _digest(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.relative_to(_BOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
