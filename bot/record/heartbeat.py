"""What systemd is told: ready, stopping, and that the service makes progress. The protocol of sd_notify(3).

Without systemd (no NOTIFY_SOCKET) everything here does nothing.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Mapping

log = logging.getLogger(__name__)


class Heartbeat:
    """Sends to the socket that systemd named in `env`."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._address = env.get("NOTIFY_SOCKET", "")
        if self._address.startswith("@"):  # an abstract socket
            self._address = "\0" + self._address[1:]
        microseconds = env.get("WATCHDOG_USEC", "")
        self._every_s = int(microseconds) / 1e6 / 3 if microseconds.isdigit() and self._address else None

    @property
    def every_s(self) -> float | None:
        """How often `beat` is wanted, in seconds: three times in the watchdog's span. None: never."""
        return self._every_s

    def ready(self) -> None:
        self._send("READY=1")

    def stopping(self) -> None:
        self._send("STOPPING=1")

    def beat(self) -> None:
        self._send("WATCHDOG=1")

    def status(self, text: str) -> None:
        """One line for `systemctl status`."""
        self._send(f"STATUS={text}")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as out:
                out.sendto(message.encode(), self._address)
        except OSError as error:
            # Not worth a game: systemd misses a beat, and restarts us if it misses three.
            log.warning("systemd was not told %s: %s", message, error)
