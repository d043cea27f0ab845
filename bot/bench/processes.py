"""What Linux's /proc says about a process: memory, threads, sockets, and whom it has started."""

from __future__ import annotations

from pathlib import Path

from bot.errors import UserError
from bot.service_process import MARK, ServiceProcess

_PROC = Path("/proc")


def need_proc(command: str) -> None:
    """Raises UserError where there is no /proc."""
    if not (_PROC / "self" / "status").exists():
        raise UserError(f"{command} reads /proc, which this system does not have")


def resident_mib(pid: int) -> float:
    """Memory in RAM, shared pages included; 0 when the process is gone."""
    words = (line.split() for line in _text(_PROC / str(pid) / "status").splitlines())
    return next((int(found[1]) / 1024 for found in words if found[0] == "VmRSS:"), 0.0)


def thread_count(pid: int) -> int:
    return len(_names(_PROC / str(pid) / "task"))


def socket_count(pid: int) -> int:
    folder = _PROC / str(pid) / "fd"
    return sum(_link(folder / name).startswith("socket:") for name in _names(folder))


def descendants(pid: int) -> list[int]:
    """The children of a running process, and theirs."""
    found: list[int] = []
    for task in _names(_PROC / str(pid) / "task"):
        for child in _text(_PROC / str(pid) / "task" / task / "children").split():
            found += [int(child), *descendants(int(child))]
    return found


def relatives(service: ServiceProcess) -> list[int]:
    """What `service` or its children have started and what runs still, whoever owns it now."""
    needle = f"{MARK}={service.mark}\0".encode()
    return [
        int(name)
        for name in _names(_PROC)
        if name.isdigit()
        and int(name) != service.pid
        and needle in _bytes(_PROC / name / "environ") + b"\0"
        and _is_alive(int(name))
    ]


def _is_alive(pid: int) -> bool:
    """Neither gone nor a zombie, which is only waiting for somebody to read its exit code."""
    state = _text(_PROC / str(pid) / "stat").rpartition(")")[2].split()
    return bool(state) and state[0] not in "ZX"


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # somebody else's, or gone meanwhile
        return b""


def _text(path: Path) -> str:
    return _bytes(path).decode("ascii", "replace")


def _names(folder: Path) -> list[str]:
    try:
        return [entry.name for entry in folder.iterdir()]
    except OSError:
        return []


def _link(path: Path) -> str:
    try:
        return str(path.readlink())
    except OSError:
        return ""
