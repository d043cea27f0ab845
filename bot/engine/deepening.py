"""Iterative deepening: one ply deeper each time, line after line, until time or depth is spent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import chess

from bot.engine.found import Found, legal_line, outside
from bot.engine.scores import MATE
from bot.search.patience import Patience

#: Such a mate, in plies, is the shortest: every move of the root was tried, and every answer to it.
SHORTEST_MATE = 2


class Iterations(Protocol):
    """What a searcher does for it; its methods of these names say what they mean."""

    @property
    def elapsed_s(self) -> float: ...

    @property
    def nodes(self) -> int: ...

    @property
    def seldepth(self) -> int: ...

    def hashfull(self) -> int: ...

    def iterate(
        self, depth: int, expected: int, left_out: list[int], on_bound: Callable[[int], None]
    ) -> tuple[int, list[int], bool]: ...

    def engine_move(self, move: chess.Move, board: chess.Board) -> int: ...

    def likeliest(self, left_out: list[int]) -> int: ...

    def has_time(self, patience: Patience) -> bool: ...

    def is_timed(self) -> bool: ...

    def is_early(self) -> bool: ...


class Deepening:
    """One search, from its first iteration to its last; see `searcher.Searcher.search` for what is given."""

    def __init__(
        self,
        searcher: Iterations,
        board: chess.Board,
        lines: int,
        among: tuple[chess.Move, ...],
        report: Callable[[Found], None] | None,
    ) -> None:
        legal = list(board.legal_moves)
        if not legal:
            raise ValueError(f"no legal move in {board.fen()}")
        chosen = [move for move in legal if not among or move in among]
        if not chosen:
            raise ValueError(f"none of the moves is legal in {board.fen()}")
        self._searcher = searcher
        self._board = board
        self._report = report
        self._never = [searcher.engine_move(move, board) for move in legal if move not in chosen]
        self._patience = Patience()
        unsearched = legal_line([searcher.likeliest(self._never)], board) or (chosen[0],)
        self._best = [
            Found(unsearched[0], 0, 0, 0.0, score_cp=0, line=n + 1) for n in range(min(lines, len(chosen)))
        ]
        self._scores = [0] * len(self._best)

    def deepen(self, most: int) -> Found:
        """Search until a limit is reached, or nothing can be found any more."""
        for depth in range(1, most + 1):
            before = self._best[0].move
            if not self._iteration(depth):
                break
            score = self._scores[0]
            if self._searcher.is_early():
                self._patience = Patience(score=score)
            else:
                self._patience = self._patience.iteration(score, changed=self._best[0].move != before)
            if len(self._best) == 1 and self._is_settled(MATE - abs(score), depth):
                break
            if not self._searcher.has_time(self._patience):
                break
        searcher = self._searcher
        return replace(self._best[0], nodes=searcher.nodes, elapsed_s=searcher.elapsed_s)

    def _is_settled(self, mate: int, depth: int) -> bool:
        """Whether a mate in so many plies ends the search.

        A deeper one may find a shorter mate, as moves are left out and reduced on the way to it. With a clock
        that is not worth the time; without, it is what was asked for.
        """
        return mate <= SHORTEST_MATE or (mate <= depth and self._searcher.is_timed())

    def _iteration(self, depth: int) -> bool:
        """Search so deep, each line in turn; False when it was stopped in its midst."""
        searcher = self._searcher
        left_out = list(self._never)
        for number in range(len(self._best)):
            score, line, finished = searcher.iterate(
                depth, self._scores[number], left_out, self._bound(number)
            )
            moves = legal_line(line, self._board)
            if not moves:  # stopped before any move was found to be the best
                return False
            if finished:
                self._scores[number] = score
            self._take(number, depth, moves, finished=finished)
            if not finished:
                return False
            left_out.append(line[0])
        return True

    def _take(self, number: int, depth: int, moves: tuple[chess.Move, ...], *, finished: bool) -> None:
        searcher, before = self._searcher, self._best[number]
        cp, mate_in = outside(self._scores[number])
        found = Found(
            moves[0],
            depth if finished else before.depth,
            searcher.nodes,
            searcher.elapsed_s,
            cp,
            mate_in,
            moves,
            searcher.seldepth,
            searcher.hashfull(),
            number + 1,
        )
        self._best[number] = found
        if self._report is not None and finished:
            self._report(found)

    def _bound(self, number: int) -> Callable[[int], None]:
        def note(score: int) -> None:
            if number == 0:
                self._patience = self._patience.warned(score)

        return note
