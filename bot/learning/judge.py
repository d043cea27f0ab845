"""What judges positions in the games: the evaluation that is written by hand, or a network. No numba here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from bot.engine.network import DEFAULT, FOLDER, Network, NetworkFileError, find, read
from bot.errors import BenchError, UserError

#: The name of no network: the evaluation that is written by hand.
HAND_WRITTEN = "none"
#: A network is named by so many digits of its file's digest.
NAME_DIGITS = 8


@dataclass(frozen=True, slots=True)
class Judge:
    """`name`: what a header has, HAND_WRITTEN or the network's first NAME_DIGITS digits. `file`: of its
    weights, None where it has none."""

    name: str = HAND_WRITTEN
    file: Path | None = None

    @classmethod
    def find(cls, asked: str | None) -> Self:
        """`asked`: HAND_WRITTEN, the name of a network that ships, or a path; None: DEFAULT if that ships,
        else HAND_WRITTEN. Raises UserError for a network that is not to be had, naming its file."""
        if asked is None:
            asked = DEFAULT if (FOLDER / f"{DEFAULT}.npz").is_file() else HAND_WRITTEN
        if asked == HAND_WRITTEN:
            return cls()
        try:
            file = find(asked)
            return cls(_name_of(read(file)), file)
        except NetworkFileError as error:
            raise UserError(f"--network: {error}") from None

    def load(self) -> Network | None:
        """The weights. Raises BenchError where the file cannot be read, or has become another."""
        if self.file is None:
            return None
        try:
            network = read(self.file)
        except NetworkFileError as error:
            raise BenchError(str(error)) from None
        if _name_of(network) != self.name:
            raise BenchError(
                f"{self.file}: it was network {self.name} when this began, and is {_name_of(network)} now"
            )
        return network


def _name_of(network: Network) -> str:
    return network.digest[:NAME_DIGITS]
