"""The composition root: the only place that makes a real clock, a random source, a client or a process."""

from __future__ import annotations

import logging
import os
import random
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType

from bot.access_token import VARIABLE
from bot.account import Account
from bot.account_messages import SessionEnded
from bot.config import Loaded
from bot.errors import LichessError, NotAllowedError, RateLimitedError, RefusedError, UserError
from bot.events import Account as LichessAccount
from bot.game_knowledge import FlowSettings
from bot.game_session import GameSession, SessionSettings
from bot.lichess.client import Lichess
from bot.lichess.lanes import ErrandLane
from bot.nursery import Nursery
from bot.preflight import NotAllowedToServeError, check_account, check_token
from bot.record import log as record_log
from bot.record.heartbeat import Heartbeat
from bot.record.single_copy import SecondCopyError, single_copy
from bot.record.state_folder import state_folder
from bot.service import Service
from bot.settings import Settings
from bot.timing.backoff import Backoff
from bot.timing.clock import SystemClock
from bot.timing.overhead import Overhead
from bot.warming import meanwhile, warming

log = logging.getLogger(__name__)

EXIT_STOPPED, EXIT_FAILED, EXIT_BAD_CONFIG, EXIT_NOT_ALLOWED = 0, 1, 2, 3
#: After the last game the lane may still say goodbye this long.
LANE_DRAIN_S = 1.0


def run(loaded: Loaded, *, upgrade: bool = False, confirm: Callable[[str], bool] = lambda _: False) -> int:
    """Serve the account until told to stop; returns the exit code.

    `confirm` is asked, with the meaning of it, before an account is upgraded.
    """
    settings, token = loaded.settings, loaded.settings.token
    if token is None:
        raise UserError("no token")  # `load` has required one
    record_log.configure(settings.log.level, secrets=(token.get_secret_value(),))
    clock, rng = SystemClock(), random.Random()
    _raise_file_limit()
    for warning in loaded.warnings:
        log.warning("%s", warning)
    os.environ.pop(VARIABLE, None)  # strategies, which are other people's code, never see the token
    engine = ExitStack()
    nursery = Nursery(preload=engine.enter_context(warming({settings.strategy.name, settings.fallback.name})))
    nursery.warm()  # its imports go on while the account is being checked
    lichess = Lichess(settings.url, token, clock=clock)
    lane = ErrandLane(clock=clock)
    lane.start()
    stopping = threading.Event()
    try:
        with _signals(stopping.set):
            account = _admitted(lichess, stopping, rng, upgrade=upgrade, confirm=confirm)
        if account is None:
            return EXIT_STOPPED
        log.info("%s on %s", account.username, settings.url)
        session_settings = _session_settings(settings, account, loaded.folder)

        def new_session(game_id: str, ended: Callable[[SessionEnded], None]) -> GameSession:
            return GameSession(
                game_id,
                session_settings,
                lichess=lichess,
                lane=lane,
                nursery=nursery,
                ended=ended,
                clock=clock,
                rng=random.Random(rng.random()),
            )

        service = Service(
            Account(account.id, settings.challenge, settings.games, settings.games.stop_deadline_s),
            lichess=lichess,
            lane=lane,
            new_session=new_session,
            heartbeat=Heartbeat(os.environ),
            clock=clock,
            rng=rng,
        )
        one_copy = single_copy(state_folder(os.environ), settings.url, account.username)
        with one_copy, _signals(service.request_stop):
            if stopping.is_set():  # the signal came between the two
                service.request_stop()
            left = service.run()
    except NotAllowedToServeError as refused:
        log.error("%s", refused)
        return EXIT_NOT_ALLOWED
    except SecondCopyError as second:
        log.error("%s", second)
        return EXIT_FAILED
    finally:
        lane.close(LANE_DRAIN_S)
        lichess.close()
        nursery.close()
        engine.close()
    log.info("stopped")
    return {"stopped": EXIT_STOPPED, "failed": EXIT_FAILED, "not_allowed": EXIT_NOT_ALLOWED}[left.why]


def _raise_file_limit() -> None:
    """As many open files as the system lets us have: a game takes about ten, and the usual limit is 1024."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415  POSIX only

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _admitted(
    lichess: Lichess,
    stopping: threading.Event,
    rng: random.Random,
    *,
    upgrade: bool,
    confirm: Callable[[str], bool],
) -> LichessAccount | None:
    """The account, once Lichess has let it in; waits out a network that is not there yet.

    None when told to stop meanwhile. Raises NotAllowedToServeError.
    """
    backoff, failures = Backoff(1.0, 60.0), 0
    while not stopping.is_set():
        try:
            return admit(lichess, upgrade=upgrade, confirm=confirm)
        except (NotAllowedError, RefusedError) as error:
            raise NotAllowedToServeError(str(error)) from error
        except LichessError as error:
            failures += 1
            asked_s = error.retry_after_s if isinstance(error, RateLimitedError) else None
            wait_s = max(backoff.delay_s(failures, rng), asked_s or 0.0)
            log.warning("%s; trying again in %.0f s", error, wait_s)
            stopping.wait(wait_s)
    return None


def admit(
    lichess: Lichess, *, upgrade: bool = False, confirm: Callable[[str], bool] = lambda _: False
) -> LichessAccount:
    """Check token, scopes and title, in that order. Raises NotAllowedToServeError or LichessError."""
    check_token(lichess.token_info(), lichess.url)
    account = lichess.account()
    if upgrade and not account.is_bot and account.games_played == 0 and confirm(account.username):
        lichess.upgrade_to_bot()
        account = lichess.account()
    check_account(account)
    return account


def _session_settings(settings: Settings, account: LichessAccount, folder: Path) -> SessionSettings:
    return SessionSettings(
        flow=FlowSettings(
            bot_id=account.id,
            abort_unmoved_after_s=settings.games.abort_unmoved_after_s,
            greeting=settings.chat.greeting,
            farewell=settings.chat.farewell,
        ),
        overhead=Overhead(settings.time.move_overhead_ms),
        strategy=meanwhile(settings.strategy.spec(folder)),
        fallback=meanwhile(settings.fallback.spec(folder)),
        memory_limit_mib=settings.process.memory_limit_mib,
        niceness=settings.process.niceness,
    )


@contextmanager
def _signals(stop: Callable[[], None]) -> Iterator[None]:
    """Within, SIGTERM and SIGINT call `stop` instead of ending the process."""

    def handle(_signum: int, _frame: FrameType | None) -> None:
        stop()

    before = {number: signal.signal(number, handle) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
