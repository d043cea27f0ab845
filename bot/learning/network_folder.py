"""The folder that a training writes its network into: alone, with room for it, and all of it whole."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bot.errors import UserError
from bot.lab.append_only import folder_locked
from bot.lab.files import replace_bytes, replace_file, storing

#: What is written: weights, card, losses.
WEIGHTS, CARD, PLOT = "network.npz", "network.json", "network.svg"
#: Kept free for the card and the plot, in bytes.
BESIDE = 1 << 20


@dataclass(frozen=True, slots=True)
class NetworkFolder:
    """As `network_folder` found it."""

    path: Path
    held: Path  # a file that keeps room until the network is written

    def write(self, weights: bytes, card: str, plot: str) -> None:
        """Write all three; the weights first: a card never tells of a file that is not there.

        Raises StorageError.
        """
        self.held.unlink(missing_ok=True)
        replace_bytes(self.path / WEIGHTS, [weights], "no network is written", durable=True)
        kept = f"the network itself is whole: {self.path / WEIGHTS}"
        replace_file(self.path / CARD, [card], kept, durable=True)
        replace_file(self.path / PLOT, [plot], kept, durable=True)


@contextlib.contextmanager
def network_folder(path: Path, *, room: int) -> Iterator[NetworkFolder]:
    """Within, no other training writes into this folder, and it has room for weights of so many bytes. It is
    made where there is none.

    Raises UserError where another training is writing, or has written, and StorageError where nothing can
    be written.
    """
    with storing(path):
        path.mkdir(parents=True, exist_ok=True)
    refusal = (
        f"{path}: another `lab train` (or `lab generate`, `lab rescore`) is writing there; "
        "choose another folder with --out"
    )
    with folder_locked(path, refusal):
        for name in (WEIGHTS, CARD, PLOT):
            if (path / name).exists():
                raise UserError(
                    f"{path / name} is there already: choose another folder with --out, or move it away"
                )
        held = path / f"{WEIGHTS}.tmp"  # of a training that was killed there may be one: it is written over
        try:
            with storing(path, "nothing was trained"), held.open("wb") as file:
                file.write(bytes(room + BESIDE))
                file.flush()
                os.fsync(file.fileno())
            yield NetworkFolder(path, held)
        finally:
            with contextlib.suppress(OSError):
                held.unlink(missing_ok=True)
