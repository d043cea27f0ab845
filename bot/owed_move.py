"""The move that is owed, from the state that asks for it until the stream shows it or the game is over. Pure.

Who is asked for it is `thinking`'s; how it is sent, `move_posting`'s.
"""

from __future__ import annotations

from dataclasses import replace

from bot.events import GameState
from bot.game_knowledge import Debt, Doubt, Flow, Step, stopped
from bot.game_messages import Resynchronise
from bot.move_posting import SHOWN_WITHIN_S, post, post_any_legal
from bot.thinking import on_deadline


def drop_debt(flow: Flow) -> Step:
    debt = flow.debt
    if debt is None:
        return flow, ()
    flow = replace(flow, debt=None)
    if debt.stage == "chosen":
        return flow, ()
    flow, stop = stopped(flow, debt.stage)
    return flow, (stop,)


def learn_cost(flow: Flow, state: GameState, now: float) -> Flow:
    """What a move costs shows here if the stream was faster with it than the answer, which may come late."""
    debt = flow.debt
    if debt is None or not debt.in_flight or state.moves[:-1] != debt.moves:
        return flow
    return replace(flow, overhead=flow.overhead.observe(round((now - debt.posted_at) * 1000)))


def still_owed(flow: Flow, debt: Debt, now: float, *, fresh: bool) -> Step:
    """The same position again: a draw offer, a time gift, a duplicate, or the truth after a reopening."""
    move = debt.move
    if not fresh or move is None or debt.in_flight:
        return flow, ()
    if debt.doubt == "reopened":
        # It really is our turn in this position. Something came in between, or the server does not like the
        # move; and any other is likely to be a worse one.
        debt = replace(debt, doubt="none")
        if debt.doubted is None:
            return post(flow, replace(debt, doubted=move), move, now)
        return post_any_legal(flow, replace(debt, refused=debt.refused | {move}), now)
    if debt.doubt == "none" and debt.shown_by is not None:
        return post(flow, debt, move, now)
    return flow, ()


def move_doubt(flow: Flow, before: Doubt, after: Doubt) -> Flow:
    debt = flow.debt
    return flow if debt is None or debt.doubt != before else replace(flow, debt=replace(debt, doubt=after))


def on_debt_tick(flow: Flow, debt: Debt, now: float) -> Step:
    """Time passed while a move is owed."""
    if debt.stage != "chosen" and now >= debt.deadline:
        return on_deadline(flow, debt, debt.stage, now)
    if debt.retry_at is not None and debt.move is not None and now >= debt.retry_at:
        return post(flow, debt, debt.move, now)
    if debt.shown_by is not None and now >= debt.shown_by:
        flow = replace(flow, debt=replace(debt, shown_by=now + SHOWN_WITHIN_S))
        return flow, (Resynchronise(f"{debt.move} was sent, but the stream does not show it"),)
    return flow, ()


def debt_wakes(debt: Debt) -> list[float]:
    """The monotonic seconds at which time alone changes something."""
    thinking = [] if debt.stage == "chosen" else [debt.deadline]
    return thinking + [at for at in (debt.retry_at, debt.shown_by) if at is not None]
