"""Which code a game was played by: hashes of the sources that can change a move, and of a player's own."""

from __future__ import annotations

import hashlib
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from bot.strategies.contract import StrategySpec
from bot.strategies.programs import find_program

_PACKAGE = Path(__file__).parents[1]
#: What a game depends on, besides its players' own files.
_MATTERS = (
    "strategies/*.py",
    "search/*.py",
    "evaluation/*.py",
    "engine/**/*.py",
    "engine/networks/*.npz",
    "knowledge/*.py",
    "position.py",
    "move_list.py",
    "simulate_move.py",
    "timing/budget.py",
    "lab/adjudication.py",
    "lab/budgets.py",
    "lab/host_mover.py",
    "lab/pair_player.py",
    "lab/player.py",
    "lab/referee.py",
)
CHUNK_BYTES = 1 << 20
#: Smaller files are read each time: that costs nothing, and the clock of a file system is coarse.
REMEMBERED_BYTES = 1 << 22
#: An option of a UCI engine with this in its name may name a file that the engine writes.
_WRITTEN = "log"


def code_hash() -> str:
    """Sixteen hexadecimal digits over all sources of the project that can change a game."""
    files = sorted({path for pattern in _MATTERS for path in _PACKAGE.glob(pattern)})
    return _hash_of(files, named_from=_PACKAGE)


def player_hash(spec: StrategySpec) -> str | None:
    """The same over a player's own file: its script, its module (what that imports does not count), the
    network that it names, or the program and the files that a UCI command and the engine's options name. None
    for what ships with the project, or is not found.

    A large file is read again only when its time, size or place on the disk are not what they were.
    """
    files = list(_own_files(spec))
    if not files:
        return None
    stats = [path.stat() for path in files]
    if sum(stat.st_size for stat in stats) < REMEMBERED_BYTES:
        return _hash_of(files)
    return _remembered(
        tuple(
            (path, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size, stat.st_ino)
            for path, stat in zip(files, stats, strict=True)
        )
    )


def own_files(spec: StrategySpec) -> str:
    """The files that `player_hash` is of, in words."""
    return ", ".join(map(str, _own_files(spec))) or "its file, which is gone"


@lru_cache(maxsize=64)
def _remembered(files: tuple[tuple[Path, int, int, int, int], ...]) -> str:
    return _hash_of(path for path, *_ in files)


def commit_of_project() -> str | None:
    """The commit of the working copy that this code runs from, with `-dirty` where it was changed since; None
    outside of one."""
    git = shutil.which("git")
    if git is None or _git(git, "ls-files", "--error-unmatch", "__init__.py") is None:
        return None
    return _git(git, "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*")


def _git(git: str, *arguments: str) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603  fixed arguments
            [git, *arguments], cwd=_PACKAGE, capture_output=True, text=True, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def _own_files(spec: StrategySpec) -> Iterable[Path]:
    folders = [*map(Path, spec.search_path), *map(Path, sys.path)]
    if spec.name == "uci":
        options = dict(spec.options)
        words = shlex.split(str(options.pop("command", "")))
        program = find_program(words[0]) if words else None
        values = [str(value) for name, value in options.items() if _WRITTEN not in name.lower()]
        candidates = [Path(word) for word in (*([program] if program else []), *words[1:], *values)]
        return [path for path in candidates if path.is_file()]
    if spec.name.endswith(".py"):
        return [path for path in [Path(spec.name)] if path.is_file()]
    module, colon, _ = spec.name.partition(":")
    if not colon:
        network = Path(str(dict(spec.options).get("network", ""))).expanduser()
        return [network] if network.is_file() else []
    stem = Path(*module.split("."))
    places = [folder / each for folder in folders for each in (stem.with_suffix(".py"), stem / "__init__.py")]
    return [place for place in places if place.is_file()][:1]


def _hash_of(files: Iterable[Path], *, named_from: Path | None = None) -> str:
    digest = hashlib.sha256()
    for path in files:
        name = path.name if named_from is None else path.relative_to(named_from).as_posix()
        digest.update(f"\n{name} {path.stat().st_size}\n".encode())
        with path.open("rb") as file:
            while chunk := file.read(CHUNK_BYTES):
                digest.update(chunk)
    return digest.hexdigest()[:16]
