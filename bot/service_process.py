"""The bot in a process of its own, for the commands that show it or measure it."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

#: After SIGTERM the service has this long to end.
END_S = 60.0
#: In the environment of the service, and so of everything that it starts.
MARK = "KNIGHTSHIFT_PROCESS"
#: What would change how it runs, or where it leaves its files.
_LEFT_OUT = ("LICHESS_BOT_TOKEN", "JOURNAL_STREAM", "NOTIFY_SOCKET", "STATE_DIRECTORY")

_numbers = itertools.count(1)


class ServiceProcess:
    """`knightshift run`, unchanged, with a configuration such as anybody would write.

    `folder` holds the configuration, the log and the state; a service that is started in it again goes on
    from there.
    """

    def __init__(self, folder: Path, settings: Mapping[str, object]) -> None:
        """Returns at once. `settings` are the keys of config.yml; `url` and `token` are needed."""
        config = folder / "config.yml"
        config.touch(mode=0o600)
        lines = (f"{key}: {json.dumps(value)}\n" for key, value in settings.items())
        config.write_text("".join(lines), encoding="utf-8")
        self._log = folder / "bot.log"
        self.mark = f"{os.getpid()}-{next(_numbers)}"
        environment = {name: value for name, value in os.environ.items() if name not in _LEFT_OUT}
        with self._log.open("a", encoding="utf-8") as log:
            self._process = subprocess.Popen(  # noqa: S603  our own program, with arguments of our own
                [sys.executable, "-m", "bot", "run", "--config", str(config)],
                stderr=log,
                env={**environment, "XDG_STATE_HOME": str(folder), MARK: self.mark},
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def log_lines(self) -> list[str]:
        """All that it logged, in former lives too."""
        return self._log.read_text(encoding="utf-8", errors="replace").splitlines()

    def tail(self, count: int = 20) -> str:
        """The last lines of the log."""
        return "\n".join(self.log_lines()[-count:])

    def stop(self) -> int:
        """SIGTERM, and the exit code that came of it; SIGKILL where nothing did."""
        if self.is_running:
            self._process.send_signal(signal.SIGTERM)
        try:
            return self.wait(END_S)
        except subprocess.TimeoutExpired:
            return self.kill()

    def wait(self, timeout_s: float) -> int:
        """The exit code, once it has ended by itself. Raises subprocess.TimeoutExpired."""
        return self._process.wait(timeout_s)

    def kill(self) -> int:
        """SIGKILL; returns the exit code once the process is gone. Of its children it says nothing."""
        self._process.kill()
        return self._process.wait()


@contextmanager
def service_process(folder: Path, settings: Mapping[str, object]) -> Iterator[ServiceProcess]:
    """A service that has ended when the block has."""
    service = ServiceProcess(folder, settings)
    try:
        yield service
    finally:
        service.stop()
