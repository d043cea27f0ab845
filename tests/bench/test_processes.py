"""What /proc says of processes that are known."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bot.bench.processes import (
    descendants,
    relatives,
    resident_mib,
    socket_count,
    thread_count,
)
from bot.local_lichess import LocalLichess
from bot.service_process import service_process
from tests.hosting import wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc")


def test_a_thread_and_a_socket_are_counted() -> None:
    threads, sockets = thread_count(os.getpid()), socket_count(os.getpid())
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    with socket.socket():
        assert socket_count(os.getpid()) == sockets + 1
        assert thread_count(os.getpid()) == threads + 1
    end.set()
    thread.join()
    assert socket_count(os.getpid()) == sockets


def test_children_and_theirs_are_found() -> None:
    shell = "sleep 60 & echo $!; wait"
    with subprocess.Popen(["sh", "-c", shell], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        grandchild = int(parent.stdout.readline())
        try:
            assert {parent.pid, grandchild} <= set(descendants(os.getpid()))
            assert descendants(parent.pid) == [grandchild]
        finally:
            os.kill(grandchild, 9)


def test_a_process_that_is_gone_holds_nothing() -> None:
    with subprocess.Popen(["true"]) as process:
        process.wait()
    gone = process.pid
    assert (resident_mib(gone), thread_count(gone), socket_count(gone), descendants(gone)) == (0.0, 0, 0, [])


def test_what_a_killed_service_has_started_is_known_by_its_mark(tmp_path: Path) -> None:
    with LocalLichess() as server:
        bot = server.add_account("Knight", "BOT")
        with service_process(tmp_path, {"url": server.url, "token": bot.token}) as service:
            server.wait_until(lambda: server.lobby.feeds.is_online(bot.id), 40.0)
            wait_until(lambda: len(relatives(service)) > 1, "the server of the strategies' processes")
            assert set(descendants(service.pid)) == set(relatives(service))
            assert service.pid not in relatives(service)
            service.kill()
            wait_until(lambda: relatives(service) == [], "its end")
