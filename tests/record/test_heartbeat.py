"""The words to systemd, over a real socket."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.record.heartbeat import Heartbeat


@pytest.fixture
def inbox(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(5)
        yield systemd


def test_what_is_told_arrives(inbox: socket.socket) -> None:
    heartbeat = Heartbeat({"NOTIFY_SOCKET": inbox.getsockname(), "WATCHDOG_USEC": "90000000"})
    heartbeat.ready()
    heartbeat.beat()
    heartbeat.status("2 games")
    heartbeat.stopping()
    assert [inbox.recv(100).decode() for _ in range(4)] == [
        "READY=1",
        "WATCHDOG=1",
        "STATUS=2 games",
        "STOPPING=1",
    ]
    assert heartbeat.every_s == 30.0


def test_abstract_sockets_are_reached() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        name = f"knightshift-test-heartbeat-{os.getpid()}"  # others may test on this machine too
        systemd.bind(f"\0{name}")
        systemd.settimeout(5)
        Heartbeat({"NOTIFY_SOCKET": f"@{name}"}).ready()
        assert systemd.recv(100) == b"READY=1"


def test_without_systemd_nothing_is_told_and_no_beat_is_wanted() -> None:
    heartbeat = Heartbeat({"WATCHDOG_USEC": "90000000"})
    heartbeat.ready()
    assert heartbeat.every_s is None


def test_a_socket_that_is_gone_is_logged_and_no_reason_to_fail(caplog: pytest.LogCaptureFixture) -> None:
    Heartbeat({"NOTIFY_SOCKET": "/nowhere/notify"}).beat()
    assert "systemd was not told WATCHDOG=1" in caplog.text
