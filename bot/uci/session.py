"""The thread that listens: it takes lines in, keeps the position and the options, and passes on the work."""

from __future__ import annotations

import contextlib
import io
import os
import threading
from collections.abc import Callable, Sequence
from typing import TextIO

import chess

from bot import __version__
from bot.engine.warm import NO_NUMBA, readiness
from bot.evaluation import breakdown, evaluate, game_phase
from bot.uci.commands import CommandError, read_go, read_position, read_setoption
from bot.uci.engine_thread import EngineThread
from bot.uci.lines import remark
from bot.uci.options import CLEAR_HASH, EVAL_FILE, Options, changed, described
from bot.uci.perft import Perft
from bot.uci.search import Search

DONE, NO_ENGINE = 0, 1


def run_uci(stdin: TextIO, stdout: TextIO, stderr: TextIO) -> int:
    """Speak UCI until `quit` or the end of `stdin`; returns the exit code."""
    if readiness() == "missing":
        print(NO_NUMBA, file=stderr)
        return NO_ENGINE
    if isinstance(stdin, io.TextIOWrapper):
        stdin.reconfigure(errors="replace")  # bytes that are no text are rubbish like any other
    lock = threading.Lock()

    def say(line: str) -> None:
        with lock, contextlib.suppress(OSError, ValueError):  # nobody listens any more: end of input follows
            stdout.write(f"{line}\n")
            stdout.flush()

    def give_up(why: str) -> None:
        say(remark(why))
        print(why, file=stderr, flush=True)
        os._exit(NO_ENGINE)  # the other thread waits for a line, perhaps for ever

    engine = EngineThread(say, give_up)
    session = Session(engine, say)
    try:
        for line in stdin:
            if not session.hear(line):
                break
    finally:
        session.close()
    return DONE


class Session:
    """One conversation. `say` must be callable from any thread; everything else happens in one."""

    def __init__(self, engine: EngineThread, say: Callable[[str], None]) -> None:
        self._engine = engine
        self._say = say
        self._board = chess.Board()
        self._options = Options()
        self._doing: Search | Perft | None = None  # what was asked for last
        self._commands: dict[str, Callable[[Sequence[str]], None]] = {
            "uci": self._uci,
            "isready": self._isready,
            "ucinewgame": lambda _: engine.new_game(),
            "setoption": self._setoption,
            "position": self._position,
            "go": self._go,
            "stop": lambda _: self._stop(),
            "ponderhit": lambda _: self._ponderhit(),
            "d": lambda _: self._show_board(),
            "eval": lambda _: self._show_evaluation(),
            "bench": lambda _: engine.bench(),
            "debug": lambda _: None,
            "register": lambda _: None,
        }

    def hear(self, line: str) -> bool:
        """Take a line in; False after `quit`. Words before the first that is a command do not count."""
        words = line.split()
        while words and words[0] not in self._commands and words[0] != "quit":
            words.pop(0)
        if not words:
            if line.strip():
                self._remark(f"unknown command: {line.strip()[:80]!r}")
            return True
        if words[0] == "quit":
            return False
        try:
            self._commands[words[0]](words[1:])
        except CommandError as error:
            self._remark(str(error))
        return True

    def close(self) -> None:
        """Stop what is being done; what was begun is answered still."""
        self._stop()
        self._engine.close()

    def _uci(self, _: Sequence[str]) -> None:
        self._say(f"id name Knightshift {__version__}")
        self._say("id author the Knightshift authors")
        for option in described():
            self._say(option)
        self._say("uciok")

    def _isready(self, _: Sequence[str]) -> None:
        """At once in the midst of a search; else when all is done that was asked for before: a program that
        is told that its network cannot be read must hear of it before its clock runs."""
        if self._doing is not None and self._doing.under_way:
            self._say("readyok")
        else:
            self._engine.submit(lambda: self._say("readyok"))

    def _setoption(self, words: Sequence[str]) -> None:
        wish = read_setoption(words)
        if wish.name.lower() == CLEAR_HASH.lower():
            self._engine.new_game()
            return
        self._options = changed(self._options, wish)
        self._engine.adopt(self._options)
        if wish.name.lower() == EVAL_FILE.lower():  # no other option may change who judges
            self._engine.judge_by(self._options.network)
        self._board.chess960 = self._options.chess960

    def _position(self, words: Sequence[str]) -> None:
        self._board = read_position(words, chess960=self._options.chess960)

    def _go(self, words: Sequence[str]) -> None:
        go = read_go(words, self._board)
        for text in go.remarks:
            self._remark(text)
        self._stop()  # a program that did not wait for the best move gets it now
        if go.perft is not None:
            self._doing = count = Perft(self._board.copy(), go.perft)
            self._engine.perft(count)
            return
        self._doing = search = Search(go, self._board.copy(), self._options)
        self._engine.search(search)

    def _stop(self) -> None:
        if self._doing is not None:
            self._doing.stop()

    def _ponderhit(self) -> None:
        if isinstance(self._doing, Search):
            self._doing.ponderhit()

    def _show_board(self) -> None:
        for row in str(self._board).splitlines():
            self._say(row)
        self._say(f"Fen: {self._board.fen(shredder=self._board.chess960)}")

    def _show_evaluation(self) -> None:
        rows = breakdown(self._board)
        for family in dict.fromkeys(row.family for row in rows):
            of_family = [row for row in rows if row.family == family]
            middlegame, endgame = (
                sum(row.white[half] - row.black[half] for row in of_family) for half in (0, 1)
            )
            self._say(f"{family:<14} middlegame {middlegame:+6d}  endgame {endgame:+6d}")
        self._say(f"Phase {game_phase(self._board)} of 256")
        self._say(f"Evaluation: {evaluate(self._board) / 100:+.2f} (White's side)")

    def _remark(self, text: str) -> None:
        self._say(remark(text))
