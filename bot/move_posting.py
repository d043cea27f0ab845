"""The POST of an owed move: sent, answered, sent again. Pure.

A retry is tied to its position, and paced; nothing here ever thinks.
"""

from __future__ import annotations

from dataclasses import replace

import chess

from bot.errors import RateLimitedError, RefusedError
from bot.game_knowledge import Debt, Flow, Step
from bot.game_messages import MoveAnswered, PostMove, Report, Resynchronise
from bot.position import position_after, to_uci

#: A retry of a move that got no clear answer waits this long: 0.25 s, 0.5 s, 1 s ... 2 s.
FIRST_RETRY_S, LAST_RETRY_S = 0.25, 2.0
#: A move that was answered 200 must show on the stream within this time, else the stream is reopened; sooner
#: where the clock is short, but no sooner than this.
SHOWN_WITHIN_S, SHOWN_WITHIN_LEAST_S = 5.0, 1.0
#: The wait for it may take this share of what is left on the clock.
SHOWN_WITHIN_SHARE = 0.05


def post(flow: Flow, debt: Debt, move: str, now: float) -> Step:
    """Send `move`: for the first time, or again in the same position."""
    debt = replace(
        debt,
        stage="chosen",
        move=move,
        committed=None,
        in_flight=True,
        posted_at=now,
        attempts=debt.attempts + 1,
        retry_at=None,
        shown_by=None,
    )
    return replace(flow, debt=debt), (PostMove(debt.ask_id, move, len(debt.moves)),)


def post_any_legal(flow: Flow, debt: Debt, now: float) -> Step:
    """Any legal move that the server has not refused yet. When all were, wait for the stream."""
    board = position_of(debt)
    for move in board.legal_moves:
        uci = to_uci(board, move)
        if uci not in debt.refused:
            return post(flow, replace(debt, attempts=0), uci, now)
    flow = replace(flow, debt=replace(debt, stage="chosen", move=None, retry_at=None, shown_by=now + 60.0))
    return flow, (Report("error", "Lichess refused every legal move of this position"),)


def on_answer(flow: Flow, message: MoveAnswered, now: float) -> Step:
    debt = flow.debt
    if debt is None or debt.ask_id != message.ask_id or not debt.in_flight:
        return flow, ()  # the stream has shown the move already
    debt = replace(debt, in_flight=False)
    error = message.error
    if error is None:
        flow = replace(flow, overhead=flow.overhead.observe(message.took_ms))
        return replace(flow, debt=replace(debt, shown_by=now + _shown_within_s(debt, now))), ()
    if isinstance(error, RefusedError):
        # Not our turn, over, illegal, or not ours: only the stream knows which.
        flow = replace(flow, debt=replace(debt, doubt="asked", shown_by=now + SHOWN_WITHIN_S))
        report = Report("warning", f"Lichess refused {debt.move}: {error}")
        return flow, (report, Resynchronise("a move was refused"))
    wait_s = min(LAST_RETRY_S, FIRST_RETRY_S * 2.0 ** min(debt.attempts - 1, 10))
    if isinstance(error, RateLimitedError):
        wait_s = max(wait_s, 1.0)
    report = Report("warning", f"{debt.move} was not answered ({error}); again in {wait_s:.2f} s")
    return replace(flow, debt=replace(debt, retry_at=now + wait_s)), (report,)


def _shown_within_s(debt: Debt, now: float) -> float:
    """How long the stream may take to show a move before it is reopened, in seconds."""
    left_ms = time_left_ms(debt, now)
    if left_ms is None:
        return SHOWN_WITHIN_S
    return max(SHOWN_WITHIN_LEAST_S, min(SHOWN_WITHIN_S, SHOWN_WITHIN_SHARE * left_ms / 1000))


def position_of(debt: Debt) -> chess.Board:
    return position_after(debt.facts.variant, debt.facts.initial_fen, debt.facts.moves)


def time_left_ms(debt: Debt, now: float) -> int | None:
    """What our clock will show at `now`, or None when the game has no clock."""
    clocks = debt.facts.clocks
    at_start = clocks.white_ms if debt.facts.color == "white" else clocks.black_ms
    return None if at_start is None else at_start - round((now - debt.asked_at) * 1000)
