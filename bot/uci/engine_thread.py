"""The thread that owns the engine: it loads it, and does one thing after the other."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from bot.engine.memory import most_mib
from bot.engine.network_names import DEFAULT, NONE
from bot.engine.warm import readiness, start_warming
from bot.timing.clock import SystemClock
from bot.uci.lines import remark
from bot.uci.options import Options
from bot.uci.perft import Perft
from bot.uci.search import Search

if TYPE_CHECKING:
    from bot.engine.searcher import Searcher

#: How often to look whether the engine has been compiled.
LOOK_S = 0.1


class EngineThread:
    """Its methods are called by one other thread and return at once; what they ask for is done in order.

    `give_up` is called, in its thread, with the reason when there is no engine to do anything with.
    """

    def __init__(self, say: Callable[[str], None], give_up: Callable[[str], None]) -> None:
        self._say = say
        self._give_up = give_up
        self._jobs: queue.SimpleQueue[tuple[Callable[[], None], Callable[[], None] | None] | None]
        self._jobs = queue.SimpleQueue()
        self._closing = threading.Event()
        self._searcher: Searcher | None = None
        self._network = NONE  # that judges
        self._digest: str | None = None  # of its file
        self._thread = threading.Thread(target=self._run, name="engine")
        self._thread.start()

    def submit(self, job: Callable[[], None], otherwise: Callable[[], None] | None = None) -> None:
        """Have `job` done in the engine's thread when all before it is done; `otherwise` if it fails."""
        self._jobs.put((job, otherwise))

    def adopt(self, options: Options) -> None:
        """Search with these options from now on."""
        self.submit(lambda: self._adopt(options))

    def judge_by(self, network: str) -> None:
        """Judge positions by this network from now on: by its file as it is then, also if it is the same."""
        self.submit(lambda: self._judge_by(network))

    def new_game(self) -> None:
        """Forget what earlier searches have found out."""
        self.submit(lambda: self._ready().clear())

    def search(self, search: Search) -> None:
        """Search, and tell the best move. Whoever asks for it also stops it."""
        self.submit(lambda: search.run(self._ready(), self._say), lambda: search.answer(self._say))

    def perft(self, count: Perft) -> None:
        """Count lines, and tell."""
        self.submit(lambda: count.run(self._say))

    def bench(self) -> None:
        """Search the positions of `knightshift bench engine`, and tell how many nodes that took."""
        self.submit(self._bench)

    def close(self) -> None:
        """End when all is done that was asked for; an engine that is not compiled yet is not waited for."""
        self._closing.set()
        self._jobs.put(None)
        self._thread.join()

    # --- the engine's thread --------------------------------------------------------------------------------

    def _run(self) -> None:
        if not self._load():
            return
        while (asked := self._jobs.get()) is not None:
            job, otherwise = asked
            try:
                job()
            except Exception as error:  # noqa: BLE001  the thread's outermost edge: the program waits for an answer
                self._say(remark(f"failed: {type(error).__name__}: {error}"))
                if otherwise is not None:
                    otherwise()

    def _load(self) -> bool:
        """Make the engine; False if there was no time for it, or it cannot be had."""
        if readiness() == "cold":
            self._say(remark("the engine is being compiled, once: this takes about half a minute"))
            if not self._compiled():
                return False
        try:
            from bot.engine.searcher import Searcher  # noqa: PLC0415  it brings numba, and was compiled first
        except ImportError as error:
            self._give_up(f"the engine cannot be loaded: {error}")
            return False
        self._searcher = Searcher()
        self._judge_by(DEFAULT)
        return True

    def _compiled(self) -> bool:
        """Wait for another process to compile the engine; False if the session ended before."""
        with start_warming() as process:
            while process.poll() is None:
                if self._closing.wait(LOOK_S):
                    process.terminate()
                    return False
        if process.returncode:
            self._say(remark("that failed (knightshift warm tells why): trying to compile it in memory"))
        return True

    def _ready(self) -> Searcher:
        assert self._searcher is not None  # noqa: S101  jobs begin when it is loaded
        return self._searcher

    def _bench(self) -> None:
        from bot.bench.engine import engine_speed  # noqa: PLC0415  as the searcher

        speed = engine_speed(SystemClock(), progress=lambda text: self._say(remark(text)))
        self._say(f"Nodes searched  : {speed.nodes}")
        self._say(f"Nodes/second    : {speed.per_second:.0f}")

    def _adopt(self, options: Options) -> None:
        searcher = self._ready()
        most = most_mib()
        if options.hash_mib > most:
            self._say(remark(f"there is memory for a Hash of {most} MiB, not of {options.hash_mib}"))
        searcher.configure(hash_mib=options.hash_mib, threads=options.threads)
        searcher.contempt = options.contempt_cp

    def _judge_by(self, name: str) -> None:
        from bot.engine.network import NetworkFileError, chosen  # noqa: PLC0415  as the searcher

        try:
            network = chosen(name)
        except NetworkFileError as error:
            before = "what was read from it before" if name == self._network else self._network
            self._say(remark(f"EvalFile: {error}; going on with {before}"))
            return
        digest = None if network is None else network.digest
        if digest != self._digest:  # else all that is known stays true
            self._ready().judge_by(network)
        self._network, self._digest = name, digest
