"""The same pairs on a Dask cluster, for runs that outgrow one machine; needs `knightshift[cluster]`.

A pair is a pure function of its spec and of the settings, so a lost one is simply played again, somewhere.
Who would play it by other code is refused: such games would look like the others.
"""

from __future__ import annotations

import logging
import os
import platform
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from typing import TYPE_CHECKING

from bot import __version__
from bot.errors import BenchError, UserError
from bot.lab.determinism import why_not_replayable
from bot.lab.fingerprint import code_hash, player_hash
from bot.lab.pair_player import PairPlayer, PlaySettings
from bot.lab.records import PairRecord, PairSpec
from bot.nursery import Nursery
from bot.timing.clock import SystemClock

if TYPE_CHECKING:
    from distributed import Client

INSTALL = "--cluster needs Dask: pip install 'knightshift[cluster]'"
#: How long it is tried to reach a scheduler, and until there are workers; and how long it may take to answer.
REACH_S, WORKERS_S, ANSWER_S = 10, 60, 20
LOST = (
    "the scheduler of the cluster is gone. All finished pairs are in the journal; "
    "when there is a scheduler again, the same command plays the others"
)
#: Who logs, with tracebacks, what is told here in one line.
NOISY = (
    "distributed",
    "distributed.client",
    "distributed.utils",
    "distributed.batched",
    "distributed.core",
    "tornado.application",
    "asyncio",
)
#: A pair that fails so often beyond the first time, or takes so many workers with it, is given up.
RETRIES = 3


@dataclass(frozen=True, slots=True)
class Identity:
    """What two workers must have in common for a game to be the same on both."""

    version: str
    code: str
    players: tuple[str | None, ...]
    chess: str
    python: str

    def differences(self, other: Identity) -> str:
        """In words; "" where there are none."""
        names = ("version", "code", "players", "chess", "python")
        return "; ".join(
            f"{name} {getattr(other, name)} instead of {getattr(self, name)}"
            for name in names
            if getattr(self, name) != getattr(other, name)
        )


def identity(settings: PlaySettings) -> Identity:
    """Of this process."""
    return Identity(
        __version__,
        code_hash(),
        tuple(player_hash(player.strategy) for player in settings.players),
        metadata.version("chess"),
        ".".join(platform.python_version_tuple()[:2]),
    )


def play_all(
    specs: Sequence[PairSpec], settings: PlaySettings, address: str, *, workers: int = 1
) -> Generator[PairRecord, None, None]:
    """Play `specs` on the cluster whose scheduler is at `address` ("tcp://HOST:PORT"), as soon as it has so
    many `workers`; yields each as it is finished, no pair twice. Close the iterator to end it early.

    Raises UserError without Dask, without such a cluster, or for workers that are not like this process;
    BenchError for a pair that cannot be played there, and for one that was played twice and differently.
    """
    here = identity(settings)
    replayable = why_not_replayable(settings) is None
    with closing(_connect(address, workers)) as client:
        try:
            found = client.run(identity, settings)
        except OSError as error:
            raise BenchError(LOST) from error
        _refuse_others(found, here)
        yield from distinct(_play(client, specs, settings, here), differing_is_an_alarm=replayable)


def distinct(records: Iterable[PairRecord], *, differing_is_an_alarm: bool) -> Iterator[PairRecord]:
    """`records` without those whose pair came before.

    Raises BenchError when such a one differs from what came before, and `differing_is_an_alarm`.
    """
    seen: dict[str, PairRecord] = {}
    for record in records:
        before = seen.setdefault(record.spec.pair_id, record)
        if before is record:
            yield record
        elif differing_is_an_alarm and _moves(before) != _moves(record):
            raise BenchError(
                f"pair {record.spec.index + 1} ({record.spec.first} - {record.spec.second}) was played "
                f"twice, and differently: by {before.worker} and by {record.worker}. Its players depend on "
                "more than the position and the seed, or the workers are not alike"
            )


def serve(address: str, processes: int) -> None:
    """Be so many workers of the scheduler at `address`, until told to stop. Raises UserError without Dask.

    Not by Dask's own command: multiprocessing would have every player import all that this command imports.
    """
    _need_dask()
    import dask  # noqa: PLC0415  an optional extra
    from distributed.cli import dask_worker  # noqa: PLC0415

    # A daemon of multiprocessing may have no children, and players are children.
    with dask.config.set({"distributed.worker.daemon": False}):
        options = ["--nworkers", str(processes), "--nthreads", "1", "--no-dashboard"]
        dask_worker.main([address, *options], standalone_mode=False)


def play_pair(spec: PairSpec, settings: PlaySettings, expected: Identity) -> PairRecord:
    """What a worker does. Raises RuntimeError on a worker that should not."""
    different = expected.differences(_identity_once(settings))
    if different:
        raise RuntimeError(f"a worker on {platform.node()} is not like the others: {different}")
    return _player(settings).play(spec)


_identity_once = lru_cache(maxsize=1)(identity)


@lru_cache(maxsize=1)
def _player(settings: PlaySettings) -> PairPlayer:
    """One for the whole life of a worker: its process server starts players quickly."""
    nursery = Nursery()
    nursery.warm()
    return PairPlayer(
        settings, nursery=nursery, clock=SystemClock(), worker=f"{platform.node()}-{os.getpid()}"
    )


def _play(
    client: Client, specs: Sequence[PairSpec], settings: PlaySettings, here: Identity
) -> Iterator[PairRecord]:
    # an optional extra
    from distributed import KilledWorker, as_completed  # noqa: PLC0415
    from distributed.client import FutureCancelledError  # noqa: PLC0415
    from distributed.comm.core import CommClosedError  # noqa: PLC0415

    futures = [client.submit(play_pair, spec, settings, here, pure=False, retries=RETRIES) for spec in specs]
    spec_of = {future.key: spec for future, spec in zip(futures, specs, strict=True)}
    for future in as_completed(futures, loop=client.loop):
        spec = spec_of[future.key]
        try:
            record: PairRecord = future.result()
        except (FutureCancelledError, CommClosedError) as error:  # what is left when nobody plans any more
            raise BenchError(LOST) from error
        except (KilledWorker, RuntimeError, OSError) as error:
            if isinstance(error, OSError) and not _answers(client):
                raise BenchError(LOST) from error
            raise BenchError(f"pair {spec.index + 1} ({spec.first} - {spec.second}): {error}") from error
        yield record


def _answers(client: Client) -> bool:
    """Whether the scheduler is there: an error of a pair's and one on the way to us may look alike."""
    if client.scheduler is None:
        return False
    try:
        client.sync(client.scheduler.identity, callback_timeout=ANSWER_S)
    except (OSError, RuntimeError):  # a timeout is the former, a client that has given up the latter
        return False
    return True


def _refuse_others(found: Mapping[str, Identity], here: Identity) -> None:
    wrong = [f"{worker}: {text}" for worker, each in found.items() if (text := here.differences(each))]
    if wrong:
        raise UserError(f"workers that would play by other code are refused: {' | '.join(wrong)}")


def _connect(address: str, workers: int) -> Client:
    _need_dask()
    from distributed import Client  # noqa: PLC0415  an optional extra

    for name in NOISY:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=REACH_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UserError(f"--cluster {address}: no scheduler answers: {error}") from error
    try:
        client.wait_for_workers(workers, timeout=WORKERS_S)
        threads: Mapping[str, int] = client.nthreads()
        busy = [worker for worker, count in threads.items() if count != 1]
        if busy:
            raise UserError(f"workers with more than one thread disturb their own clocks: {', '.join(busy)}")
    except TimeoutError as error:
        client.close()
        raise UserError(
            f"--cluster {address}: there are no workers; start some: knightshift lab worker {address}"
        ) from error
    except OSError as error:  # it was there a moment ago
        client.close()
        raise BenchError(LOST) from error
    except UserError:
        client.close()
        raise
    return client


def _need_dask() -> None:
    try:
        import distributed  # noqa: F401, PLC0415  an optional extra
    except ImportError as error:
        raise UserError(INSTALL) from error


def _moves(record: PairRecord) -> list[tuple[str, str, list[str]]]:
    return [(game.result, game.ending, [move.uci for move in game.moves]) for game in record.games]
