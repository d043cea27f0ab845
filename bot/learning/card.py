"""The model card: what a network was made from, and what is known of it, as JSON beside its weights."""

from __future__ import annotations

import hashlib
import json
import platform
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Any

from llvmlite.binding import get_host_cpu_name

from bot.lab.fingerprint import commit_of_project
from bot.learning.network import Network, worst_accumulator
from bot.learning.positions import read_header
from bot.learning.quantise import QuantisationError
from bot.learning.settings import Settings
from bot.learning.train import Trained
from bot.learning.trainer import SHARDS

FORMAT, VERSION = "knightshift network card", 1
#: Whose versions decide, with the processor, how numbers are rounded.
ROUNDING = ("numpy", "numba", "llvmlite")


def data_of(files: Sequence[Path]) -> list[dict[str, Any]]:
    """What a card says of its data: of files that were made alike together, how, what they sum up to, and of
    each its name and digest. Raises PositionsError."""
    found: dict[str, dict[str, Any]] = {}
    for path in files:
        header = read_header(path)
        origin = {**header.origin, "project": header.project}
        group = found.setdefault(
            json.dumps(origin, sort_keys=True), {**origin, "counts": Counter(), "files": {}}
        )
        group["counts"].update(header.counts)
        group["files"][_name(path, group["files"])] = _digest(path)
    return list(found.values())


def card(
    *,
    data: Sequence[Mapping[str, Any]],
    settings: Settings,
    trained: Trained,
    network: Network,
    error: QuantisationError,
    spread: float | None,
    factor: float,
    sha256: str,
    seconds: float,
    begun_from: str | None,
) -> str:
    """The text of a card. `data`: see `data_of`; `spread`: of what was learnt, see `spread.fitting`;
    `factor`: so much more than that the network says; `sha256`: of the file of weights; `seconds`: of the
    training; `begun_from`: the SHA-256 of the network that it went on from, if it did."""
    values = {
        "format": FORMAT,
        "version": VERSION,
        "sha256": sha256,
        "hidden": network.hidden,
        "made_by": {
            "project": metadata.version("knightshift"),
            "commit": commit_of_project(),
            "python": platform.python_version(),
            "processor": get_host_cpu_name(),
            "shards": SHARDS,
            **{name: metadata.version(name) for name in ROUNDING},
        },
        "settings": asdict(settings),
        "begun_from": begun_from,
        "data": {
            "learnt_from": trained.learnt_from,
            "validated_with": len(trained.validation),
            "sets": list(data),
        },
        "epochs": [asdict(epoch) for epoch in trained.epochs],
        "best_epoch": trained.best.number,
        "constant_loss": trained.constant_loss,
        "begin_loss": trained.begin_loss,
        "spread": spread,
        "scaled_by": factor,
        "interrupted": trained.interrupted,
        "seconds": round(seconds, 1),
        "worst_accumulator": worst_accumulator(network),
        "quantisation_error_cp": asdict(error),
        "matches": [],
    }
    return json.dumps(values, indent=2, allow_nan=False) + "\n"


def _name(path: Path, taken: Container[str]) -> str:
    """The last parts of a path: two, or as many as tell it from those that are taken."""
    parts = path.absolute().parts
    names = ("/".join(parts[-length:]) for length in range(2, len(parts) + 1))
    return next(name for name in names if name not in taken)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
