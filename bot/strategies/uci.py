"""Any UCI engine as a strategy: `uci:stockfish:UCI_Elo=2000` on a command line.

In the configuration: name `uci`, and the options `command`, `nodes`, `depth`, `movetime` (ms), `threads`,
`hash` (MiB) and whatever the engine itself has. In an engine's option names capitals do not count, and `_`
stands for a space: `Skill_Level=5`. With UCI_Elo given, UCI_LimitStrength is set as well. A program that PATH
does not have is looked for in the folders for games.

Without `nodes`, `depth` or `movetime` the engine gets the clocks, and without clocks what the turn allows. An
engine that dies fails the turn; the next one begins with a new one.
"""

from __future__ import annotations

import re
import shlex
from typing import cast

import chess
import chess.engine

from bot.errors import StrategyError, StrategyNameError
from bot.strategies.contract import Strategy, Thought, Turn
from bot.strategies.options import Option
from bot.strategies.programs import find_program
from bot.strategies.reach import check_reach

#: An engine that has not said what it is by then is none.
START_S = 30.0
#: python-chess tells an engine that a game is new when this changes.
_FIRST_GAME = "the first game"
#: How python-chess quotes a best move that is not legal.
_ILLEGAL = re.compile(r"uci: '([^']*)'")


def uci(
    *,
    command: str,
    nodes: int | None = None,
    depth: int | None = None,
    movetime: int | None = None,
    threads: int | None = None,
    hash: int | None = None,
    **options: Option,
) -> Strategy:
    """Start the engine. Raises StrategyNameError when it does not start, or does not have an option."""
    check_reach("uci", nodes=nodes, depth=depth, movetime=movetime)
    limit = chess.engine.Limit(nodes=nodes, depth=depth, time=None if movetime is None else movetime / 1000)
    given = {**options, **{n: v for n, v in (("Threads", threads), ("Hash", hash)) if v is not None}}
    if "uci elo" in map(_plain, given):
        given = {"UCI_LimitStrength": True, **given}
    engine = UciEngine(command, given, limit)
    engine.start()
    return engine


class UciEngine:
    """See the module. `limit` may be empty."""

    def __init__(self, command: str, options: dict[str, Option], limit: chess.engine.Limit) -> None:
        self._command = command
        self._options = options
        self._limit = limit
        self._engine: chess.engine.SimpleEngine | None = None
        self._first_game: str | None = None  # the game that this engine was begun for

    def start(self) -> chess.engine.SimpleEngine:
        """Start the engine, whether or not one runs. Raises StrategyNameError."""
        words = shlex.split(self._command)
        if not words:
            raise StrategyNameError("uci: the option 'command' must name a program")
        try:
            program = find_program(words[0]) or words[0]
            engine = chess.engine.SimpleEngine.popen_uci([program, *words[1:]], timeout=START_S)
        except FileNotFoundError:
            raise StrategyNameError(f"uci: there is no program {words[0]!r}") from None
        except PermissionError:
            raise StrategyNameError(f"uci: {words[0]!r} is not a program that may be run") from None
        except TimeoutError:
            raise StrategyNameError(
                f"uci: {self._command!r} did not answer `uci` within {START_S:g} s"
            ) from None
        except (chess.engine.EngineError, OSError) as error:
            raise StrategyNameError(f"uci: {self._command!r} is no UCI engine: {error}") from None
        try:
            engine.configure(_named(engine, self._options))
        except chess.engine.EngineError as error:
            engine.close()
            raise StrategyNameError(f"uci: {self._command!r}: {error}") from None
        except StrategyNameError:
            engine.close()
            raise
        try:
            _begin_game(engine)
        except (chess.engine.EngineError, TimeoutError) as error:
            engine.close()
            raise StrategyNameError(f"uci: {self._command!r} is not ready: {error or 'no answer'}") from None
        self._engine, self._first_game = engine, None
        return engine

    def close(self) -> None:
        """End the engine. Where a strategy has a process of its own, that ends it too."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def __call__(self, turn: Turn) -> None:
        engine = self._engine or self.start()
        board = turn.board()
        if self._first_game is None:
            self._first_game = turn.game_id
        game = _FIRST_GAME if turn.game_id == self._first_game else turn.game_id
        try:
            found = engine.play(board, self._limit_of(turn), game=game, info=chess.engine.INFO_ALL)
        except chess.engine.EngineTerminatedError as error:
            self.close()
            raise StrategyError(f"the engine {self._command!r} died: {error}") from None
        except chess.engine.EngineError as error:
            illegal = _ILLEGAL.search(str(error))
            if illegal is None:
                raise StrategyError(f"the engine {self._command!r}: {error}") from None
            turn.play_move(illegal[1])  # raises: the turn ends as for any other illegal move
            return
        if (thought := _thought(found.info)) is not None:
            turn.tell(thought)
        if found.move:  # it may also have none, or the null move
            turn.play_move(board.uci(found.move))

    def _limit_of(self, turn: Turn) -> chess.engine.Limit:
        if self._limit.nodes or self._limit.depth or self._limit.time:
            return self._limit
        clocks = turn.clocks
        if clocks.white_ms is None or clocks.black_ms is None:
            return chess.engine.Limit(time=turn.limit.soft_ms / 1000)
        return chess.engine.Limit(
            white_clock=clocks.white_ms / 1000,
            black_clock=clocks.black_ms / 1000,
            white_inc=clocks.white_increment_ms / 1000,
            black_inc=clocks.black_increment_ms / 1000,
        )


def _begin_game(engine: chess.engine.SimpleEngine) -> None:
    """Tell the engine of its first game, and wait until it is ready: with large tables that takes longer than
    a short move, and python-chess would leave it to the first turn."""
    protocol = cast(chess.engine.UciProtocol, engine.protocol)  # popen_uci has made it

    def begin() -> None:
        protocol.send_line("ucinewgame")
        protocol.first_game, protocol.game = False, _FIRST_GAME

    protocol.loop.call_soon_threadsafe(begin)
    engine.ping()


def _thought(info: chess.engine.InfoDict) -> Thought | None:
    score, depth = info.get("score"), info.get("depth")
    if score is None or depth is None:
        return None
    return Thought(
        depth=depth,
        nodes=info.get("nodes", 0),
        time_ms=round(info.get("time", 0.0) * 1000),
        score_cp=score.relative.score(),
        mate_in=score.relative.mate(),
        pv=tuple(move.uci() for move in info.get("pv", [])),
    )


def _named(
    engine: chess.engine.SimpleEngine, options: dict[str, Option]
) -> dict[str, str | int | bool | None]:
    """`options` under the names that the engine has for them. Raises StrategyNameError."""
    known = {_plain(name): name for name in engine.options}
    for name in options:
        if _plain(name) not in known:
            settable = [each for each in engine.options if not engine.options[each].is_managed()]
            raise StrategyNameError(
                f"uci: the engine has no option {name!r}; it has {', '.join(sorted(settable)) or 'none'}"
            )
    # UCI has no fractions; what was written with one is a text.
    return {
        known[_plain(name)]: str(value) if isinstance(value, float) else value
        for name, value in options.items()
    }


def _plain(name: str) -> str:
    return name.replace("_", " ").lower()
