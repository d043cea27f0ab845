"""What the end-to-end tests share: the bot as a process, people to challenge it, what must hold of a game."""

from __future__ import annotations

import json
import random
import re
import shutil
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import chess
import requests

from bot.local_lichess import AccountHandle, GameSnapshot, LocalLichess, challenge_form
from bot.local_lichess.accounts import Caller, Token
from bot.local_lichess.players import Action, Play, RandomPlayer, Situation
from bot.timing.clock import SystemClock
from tests.e2e import own_strategies
from tests.e2e.programs import PATIENCE_S, Program, clean_environment, run_to_end

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

#: How games end that were not played to their end.
NOT_BY_THE_RULES = (
    "created",
    "started",
    "aborted",
    "noStart",
    "resign",
    "timeout",
    "outoftime",
    "unknownFinish",
)


# --- the bot ------------------------------------------------------------------------------------------


def write_config(folder: Path, *, mode: int = 0o600, **settings: Any) -> Path:
    """A config.yml in `folder`, with a line for each of `settings`; players who do not take their time."""
    quick = {"strategy": "select_move", "fallback": "random"}
    settings |= {key: name for key, name in quick.items() if key not in settings}
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
        **settings: Any,
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
        self.leaves_nobody()


@contextmanager
def serving(
    server: LocalLichess,
    account: AccountHandle,
    folder: Path,
    *,
    env: Mapping[str, str] | None = None,
    **settings: Any,
) -> Iterator[BotProcess]:
    """The bot: online for the time of the block, then stopped by SIGTERM, with all that `stop` asserts."""
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
        answer = self._session.post(f"{self._url}/api/board/game/{game_id}/{action}", timeout=PATIENCE_S)
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
    "write_config",
]
