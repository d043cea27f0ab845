"""What the end-to-end tests share: the bot as a process of its own, people who challenge it, and what must
hold of every game and of every process afterwards."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Self

import chess
import requests

from bot.local_lichess import AccountHandle, GameSnapshot, LocalLichess, challenge_form
from bot.local_lichess.accounts import Caller, Token
from bot.local_lichess.players import Action, Play, RandomPlayer, Situation
from bot.timing.clock import SystemClock
from tests.e2e import own_strategies
from tests.hosting import is_running, wait_until

PATIENCE_S = 40.0  # generous: only a failing test ever waits so long
SURVIVORS_END_S = 3.0  # what a process leaves behind must be gone by then

VARIANTS = (
    "standard",
    "chess960",
    "fromPosition",
    "crazyhouse",
    "antichess",
    "atomic",
    "horde",
    "kingOfTheHill",
    "racingKings",
    "threeCheck",
)

#: In the environment of every process that a test starts, and so of whatever that one starts.
MARK = "KNIGHTSHIFT_E2E"

#: How games end that were not played to their end.
NOT_BY_THE_RULES = ("created", "started", "aborted", "noStart", "resign", "timeout", "outoftime", "unknownFinish")


# --- processes ----------------------------------------------------------------------------------------


class Program:
    """`python -m bot ARGUMENTS` in a process of its own; everything it prints is kept."""

    def __init__(
        self,
        *arguments: str,
        cwd: Path,
        env: Mapping[str, str] | None = None,
        stdin: str | None = None,
        own_session: bool = False,
    ) -> None:
        self._mark = uuid.uuid4().hex
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bot", *arguments],
            cwd=cwd,
            env={**clean_environment(), "XDG_STATE_HOME": str(cwd), **(env or {}), MARK: self._mark},
            stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=own_session,
        )
        self._news = threading.Condition()
        self.printed: list[str] = []
        self.logged: list[str] = []
        self._readers = [
            threading.Thread(target=self._read, args=(stream, lines), daemon=True)
            for stream, lines in ((self._process.stdout, self.printed), (self._process.stderr, self.logged))
        ]
        for reader in self._readers:
            reader.start()
        if stdin is not None and self._process.stdin is not None:
            self._process.stdin.write(stdin)
            self._process.stdin.close()

    def _read(self, stream: IO[str], lines: list[str]) -> None:
        with stream:
            for line in stream:
                with self._news:
                    lines.append(line.rstrip("\n"))
                    self._news.notify_all()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def stdout(self) -> str:
        return "\n".join(self.printed)

    @property
    def stderr(self) -> str:
        return "\n".join(self.logged)

    def wait_for(self, pattern: str, *, count: int = 1) -> list[str]:
        """The lines, printed or logged, that match; waits until there are `count` of them."""

        def found() -> list[str]:
            return [line for line in (*self.printed, *self.logged) if re.search(pattern, line)]

        with self._news:
            enough = self._news.wait_for(lambda: len(found()) >= count, PATIENCE_S)
        assert enough, f"waited in vain for {count} x {pattern!r} in:\n{self.stdout}\n{self.stderr}"
        return found()

    def signal(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def exit_code(self) -> int:
        """Wait for the end. All output is there afterwards."""
        try:
            code = self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"still running after {PATIENCE_S:g} s:\n{self.stderr}") from None
        for reader in self._readers:
            reader.join(PATIENCE_S)
        return code

    def family(self) -> list[int]:
        """The ids of the running processes that descend from this one, and its own, whoever owns them now."""
        needle = f"{MARK}={self._mark}".encode()
        found = []
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and needle in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
            except OSError:  # somebody else's, or gone meanwhile
                continue
        return [pid for pid in found if is_running(pid)]

    def leaves_nobody(self) -> None:
        """Assert that, the program having ended, all that it started ends too."""
        pause = threading.Event()
        for _ in range(int(SURVIVORS_END_S / 0.02)):
            if not (left := self.family()):
                return
            pause.wait(0.02)
        raise AssertionError(f"left behind: {[_command_line(pid) for pid in left]}\n{self.stderr}")

    def kill(self) -> None:
        """End it and all that it started, whatever it is doing. For the end of a test that failed."""
        if sys.platform == "linux":
            for pid in self.family():
                _kill(pid)
        self._process.kill()
        self._process.wait(PATIENCE_S)
        for reader in self._readers:
            reader.join(PATIENCE_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        """Whatever the test did, no process is left; a failing test shows the log."""
        self.kill()
        if error is not None:
            error.add_note(f"--- the program's log ---\n{self.stderr}")


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _command_line(pid: int) -> str:
    try:
        return f"{pid}: {Path(f'/proc/{pid}/cmdline').read_bytes().replace(bytes(1), b' ').decode()}"
    except OSError:
        return f"{pid}: gone now"


def clean_environment() -> dict[str, str]:
    """Ours, without what would change the bot's behaviour; wide enough that no line is wrapped."""
    hidden = ("LICHESS_BOT_TOKEN", "JOURNAL_STREAM", "NOTIFY_SOCKET", "STATE_DIRECTORY", "FORCE_COLOR")
    return {**{name: value for name, value in os.environ.items() if name not in hidden}, "COLUMNS": "400"}


def run_to_end(
    *arguments: str, cwd: Path, env: Mapping[str, str] | None = None, stdin: str | None = None
) -> Program:
    """A program that ends by itself, after its end. It has left nobody behind."""
    with Program(*arguments, cwd=cwd, env=env, stdin=stdin) as program:
        program.exit_code()
        if sys.platform == "linux":
            program.leaves_nobody()
    return program


# --- the bot ------------------------------------------------------------------------------------------


def write_config(folder: Path, *, mode: int = 0o600, **settings: object) -> Path:
    """A config.yml in `folder`, with a line for each of `settings`."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "config.yml"
    path.touch(mode=mode)
    path.chmod(mode)
    path.write_text("".join(f"{key}: {json.dumps(value)}\n" for key, value in settings.items()))
    return path


def own_module(folder: Path, name: str) -> None:
    """Put `own_strategies.py` into `folder` under another name, as a module of the user's own."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(own_strategies.__file__, folder / f"{name}.py")


class BotProcess(Program):
    """`python -m bot run`, unchanged, with a configuration such as anybody would write."""

    def __init__(
        self,
        folder: Path,
        *options: str,
        env: Mapping[str, str] | None = None,
        stdin: str | None = None,
        own_session: bool = False,
        **settings: object,
    ) -> None:
        config = write_config(folder, **settings)
        arguments = ("run", "--config", str(config), *options)
        super().__init__(*arguments, cwd=folder, env=env, stdin=stdin, own_session=own_session)

    def wait_online(self, server: LocalLichess, account: AccountHandle) -> None:
        server.wait_until(lambda: server.lobby.feeds.is_online(account.id), PATIENCE_S)

    def complaints(self) -> list[str]:
        """The warnings and errors of its log."""
        return [line for line in self.logged if re.search(r" (WARNING|ERROR|CRITICAL) ", line)]

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Stop it as an operator does; it must end well, say so, and leave nothing behind."""
        self.signal(number)
        self.has_stopped()

    def has_stopped(self) -> None:
        assert self.exit_code() == 0, self.stderr
        assert "Traceback" not in self.stderr
        if sys.platform == "linux":
            self.leaves_nobody()


@contextmanager
def serving(
    server: LocalLichess,
    account: AccountHandle,
    folder: Path,
    *,
    env: Mapping[str, str] | None = None,
    **settings: object,
) -> Iterator[BotProcess]:
    """The bot, online for the time of the block, and then stopped by SIGTERM, with all that `stop` asserts."""
    settings = {"url": server.url, "token": account.token, **settings}
    with BotProcess(folder, env=env, **settings) as bot:
        bot.wait_online(server, account)
        yield bot
        bot.stop()


# --- people -------------------------------------------------------------------------------------------


class Challenger:
    """A person, or another bot, who speaks to the server over HTTP."""

    def __init__(self, server: LocalLichess, account: AccountHandle) -> None:
        self.account = account
        self._url = server.url
        self._session = requests.Session()
        self._session.trust_env = False
        self._session.headers["Authorization"] = f"Bearer {account.token}"

    def challenge(self, dest: AccountHandle, **wishes: Any) -> str:
        """Send a challenge; `wishes` as in `challenge_form`. Returns its id, which will be the game's."""
        answer = self._session.post(
            f"{self._url}/api/challenge/{dest.name}", data=challenge_form(**wishes), timeout=PATIENCE_S
        )
        assert answer.status_code == 200, answer.text
        return str(answer.json()["id"])

    def show(self, challenge_id: str) -> dict[str, Any]:
        answer = self._session.get(f"{self._url}/api/challenge/{challenge_id}/show", timeout=PATIENCE_S)
        assert answer.status_code == 200, answer.text
        shown = answer.json()
        assert isinstance(shown, dict)
        return shown

    def act(self, game_id: str, action: str) -> None:
        """`abort`, `resign`, `move/e2e4` ... in a game, as the Board API has it."""
        answer = self._session.post(
            f"{self._url}/api/board/game/{game_id}/{action}", timeout=PATIENCE_S
        )
        assert answer.status_code == 200, answer.text

    def events(self) -> requests.Response:
        """The account's event stream, open."""
        return self._session.get(f"{self._url}/api/stream/event", stream=True, timeout=PATIENCE_S)

    def close(self) -> None:
        self._session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def challenge_at_once(
    server: LocalLichess, dest: AccountHandle, challenges: Sequence[tuple[AccountHandle, Mapping[str, Any]]]
) -> list[str]:
    """Many challenges in one go: (challenger, wishes) → ids, the same ones for the same server seed."""

    now_ms = round(SystemClock().wall() * 1000)

    def create() -> list[str]:
        ids = []
        for account, wishes in challenges:
            challenger = server.lobby.accounts.get(account.name)
            caller = Caller(challenger, Token("inside", challenger.id, ()))
            form = challenge_form(**wishes)
            challenge, _ = server.lobby.challenges.create(caller, dest.id, form, now_ms)
            ids.append(challenge.id)
        return ids

    return server.on_loop(create)


# --- opponents ----------------------------------------------------------------------------------------


class Gate:
    """An opponent that makes no move before `open` is called; then it plays like `inner`."""

    thinks = True

    def __init__(self, inner: Callable[[chess.Board, Situation], Sequence[Action]]) -> None:
        self._inner = inner
        self._opened = threading.Event()

    def open(self) -> None:
        self._opened.set()

    def on_turn(self, board: chess.Board, game: Situation) -> Sequence[Action]:
        assert self._opened.wait(PATIENCE_S)
        return self._inner(board, game)

    def on_wait(self, _game: Situation) -> Sequence[Action]:
        return ()


class Shuffler:
    """Goes to and fro with a piece: against its like a game ends by threefold repetition before long."""

    thinks = False

    def on_turn(self, board: chess.Board, game: Situation) -> Sequence[Action]:
        return (Play(own_strategies.shuffle(board, game.moves)),)

    def on_wait(self, _game: Situation) -> Sequence[Action]:
        return ()


def random_player(seed: int = 0) -> RandomPlayer:
    return RandomPlayer(random.Random(seed))


# --- games --------------------------------------------------------------------------------------------


def wait_all_over(server: LocalLichess, game_ids: Sequence[str], timeout_s: float = PATIENCE_S) -> None:
    """Wait until there is a finished game for each of the challenges."""

    def over() -> bool:
        rooms = [server.lobby.rooms.find(game_id) for game_id in game_ids]
        return all(room is not None and room.game.is_over for room in rooms)

    server.wait_until(over, timeout_s)


def wait_ply(server: LocalLichess, game_id: str, ply: int) -> None:
    """Wait until a game has so many plies."""

    def there() -> bool:
        room = server.lobby.rooms.find(game_id)
        return room is not None and room.game.ply >= ply

    server.wait_until(there, PATIENCE_S)


def ended_by_the_rules(game: GameSnapshot) -> bool:
    return game.status not in NOT_BY_THE_RULES


def own_moves(game: GameSnapshot, account_id: str) -> list[str]:
    """The moves of one side, in UCI as the server has them."""
    begins = game.fen.split()[1] == ("w" if game.ply % 2 == 0 else "b")  # White moved first
    first = 0 if (game.side_of(account_id) == "white") == begins else 1
    return list(game.moves[first::2])


def assert_posted_once(server: LocalLichess, game: GameSnapshot, account_id: str) -> None:
    """Every move of the account's was POSTed exactly once, in order, and none was refused."""
    posts = [
        request
        for request in server.request_log()
        if request.endpoint == "move" and request.path.startswith(f"/api/bot/game/{game.id}/")
    ]
    assert {post.account_id for post in posts} <= {account_id}
    assert [post for post in posts if post.status != 200] == []
    assert [post.path.rsplit("/", 1)[1] for post in posts] == own_moves(game, account_id)


__all__ = [
    "NOT_BY_THE_RULES",
    "PATIENCE_S",
    "VARIANTS",
    "BotProcess",
    "Challenger",
    "Gate",
    "Program",
    "Shuffler",
    "assert_posted_once",
    "challenge_at_once",
    "clean_environment",
    "ended_by_the_rules",
    "own_module",
    "own_moves",
    "random_player",
    "run_to_end",
    "serving",
    "wait_all_over",
    "wait_ply",
    "wait_until",
    "write_config",
]
