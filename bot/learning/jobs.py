"""What a process is told to make. Imports nothing heavy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bot.learning.positions import SUFFIX

#: What is told where the making of files ends early.
GOES_ON = "finished files are kept, and the same command goes on"
#: Files of one seed are numbered with five digits.
MOST_SHARDS = 100_000


@dataclass(frozen=True, slots=True)
class Job:
    """Make shard `shard` of this seed, with `positions` positions or, as games are whole, some more."""

    folder: Path
    seed: int
    shard: int
    positions: int

    @property
    def path(self) -> Path:
        """Where it is kept."""
        return self.folder / f"seed{self.seed}-{self.shard:05d}{SUFFIX}"
