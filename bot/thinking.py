"""Who is asked for an owed move, for how long, and who steps in. Pure.

First the strategy; when it fails its turn, or its time is up, the fallback; when that fails too, any legal
move. A strategy that lets its time run out again and again would lose the game by it, so it is benched.
"""

from __future__ import annotations

from dataclasses import replace

import chess

from bot.events import UNLIMITED_MS, GameFull, GameState
from bot.game_knowledge import Debt, Flow, Step, our_side, stopped
from bot.game_messages import (
    Action,
    Ask,
    Chose,
    Committed,
    Prepare,
    Report,
    Role,
    ThinkerFailed,
    ThinkerReady,
    Withdraw,
)
from bot.move_posting import position_of, post, post_any_legal, time_left_ms
from bot.position import new_board, to_uci
from bot.strategies.contract import Clocks, Thought, TimeLimit, TurnFacts
from bot.timing.budget import limits

#: With less time than this left a fallback strategy is not worth asking: any legal move, at once.
FALLBACK_WORTH_MS = 400
#: The fallback never gets longer than this.
FALLBACK_LIMIT_MS = 5_000
#: After so many turns in a row in which its time ran out, the strategy plays no more in this game. Each may
#: cost a fifth of the clock, so after the first its limit is halved, and after the second halved again.
BENCHED_AFTER = 3


def incur_debt(flow: Flow, full: GameFull, state: GameState, board: chess.Board, now: float) -> Step:
    clocks = _clocks(full, state)
    color = our_side(flow, full)
    limit = limits(
        clocks,
        color,
        overhead_ms=flow.overhead.ms,
        usual_overhead_ms=flow.overhead.usual_ms,
        moves_played=len(state.moves) // 2,
        speed=full.speed,
        first_is_free=True,
    )
    if flow.misses and clocks.white_ms is not None:  # it is trusted with less and less of the game's time
        hard_ms = max(1, limit.hard_ms >> min(flow.misses, BENCHED_AFTER))
        limit = TimeLimit(min(limit.soft_ms, hard_ms), hard_ms)
    facts = TurnFacts(
        game_id=flow.game_id,
        fen=board.fen(),
        color=color,
        variant=full.variant,
        initial_fen=new_board(full.variant, full.initial_fen).fen(),
        moves=state.moves,
        clocks=clocks,
        limit=limit,
        opponent=full.black if color == "white" else full.white,
        speed=full.speed,
        rated=full.rated,
    )
    role, actions = _who_plays(flow, has_clock=clocks.white_ms is not None)
    debt = Debt(
        ask_id=flow.last_ask_id + 1,
        moves=state.moves,
        facts=facts,
        asked_at=now,
        deadline=now + limit.hard_ms / 1000,
        stage=role,
    )
    flow = replace(flow, debt=debt, last_ask_id=debt.ask_id)
    return flow, (*actions, Ask(role, debt.ask_id, facts))


def _who_plays(flow: Flow, *, has_clock: bool) -> tuple[Role, tuple[Action, ...]]:
    """The strategy, unless it has wasted too much of this game's time already."""
    if flow.misses >= BENCHED_AFTER and has_clock:
        return "fallback", ()
    if flow.is_late and has_clock and "strategy" not in flow.ready:
        return "fallback", (Prepare("strategy"), Report("info", "still loading: the fallback plays"))
    return "strategy", ()


def on_ready(flow: Flow, message: ThinkerReady) -> Step:
    return replace(flow, ready=flow.ready | {message.role}), ()


def _debt_asked(flow: Flow, role: Role, ask_id: int | None) -> Debt | None:
    """The present debt, if `role` is thinking about it under this number."""
    debt = flow.debt
    return debt if debt is not None and debt.ask_id == ask_id and debt.stage == role else None


def on_chose(flow: Flow, message: Chose, now: float) -> Step:
    debt = _debt_asked(flow, message.role, message.ask_id)
    if debt is None:
        return flow, ()
    notes: tuple[Action, ...] = ()
    if message.role == "strategy":
        flow = replace(flow, misses=0)
    if message.note is not None:
        notes = (Report("warning", f"{message.role}, after play_move: {message.note}"),)
    flow, actions = _choose(flow, debt, message.move, now, message.thought)
    return flow, (*notes, *actions)


def _choose(flow: Flow, debt: Debt, move: str, now: float, thought: Thought | None = None) -> Step:
    """POST `move`, unless it is not legal here: nothing illegal ever reaches Lichess."""
    board = position_of(debt)
    try:
        uci = to_uci(board, board.parse_uci(move))
    except ValueError:
        return _next_thinker(flow, debt, f"{move!r} is not a legal move in {debt.facts.fen}", now)
    if uci in debt.refused:
        return _next_thinker(flow, debt, f"Lichess refused {uci} here already", now)
    flow, actions = post(flow, debt, uci, now)
    found = "" if thought is None else f" ({thought})"
    return flow, (*actions, Report("info", f"{uci} after {now - debt.asked_at:.2f} s{found}"))


def on_committed(flow: Flow, message: Committed) -> Step:
    """Keep the move, in case that the strategy does not come back."""
    debt = _debt_asked(flow, message.role, message.ask_id)
    return (flow, ()) if debt is None else (replace(flow, debt=replace(debt, committed=message.move)), ())


def on_failed(flow: Flow, message: ThinkerFailed, now: float) -> Step:
    if message.died:
        flow = replace(flow, ready=flow.ready - {message.role})
    debt = _debt_asked(flow, message.role, message.ask_id)
    if debt is None:
        return flow, (
            Report("warning", f"{message.role}: {message.reason}"),
        ) if message.ask_id is None else ()
    if debt.committed is not None and message.died:
        warning = Report("warning", f"{message.role}, after play_move: {message.reason}")
        flow, actions = _choose(flow, debt, debt.committed, now)
        return flow, (warning, *actions)
    return _next_thinker(flow, debt, message.reason, now)


def _next_thinker(flow: Flow, debt: Debt, why: str, now: float) -> Step:
    """The present thinker is out: the fallback while there is time, else any legal move."""
    left_ms = time_left_ms(debt, now)
    limit = _fallback_limit(left_ms, flow.overhead.ms)
    if debt.stage == "strategy" and limit is not None:
        ask_id = flow.last_ask_id + 1
        facts = replace(debt.facts, limit=limit)
        debt = replace(
            debt,
            ask_id=ask_id,
            facts=facts,
            stage="fallback",
            committed=None,
            deadline=now + limit.hard_ms / 1000,
        )
        flow = replace(flow, debt=debt, last_ask_id=ask_id)
        return flow, (
            Report("warning", f"strategy: {why}; the fallback plays"),
            Ask("fallback", ask_id, facts),
        )
    who = "strategy" if debt.stage == "strategy" else "fallback"
    flow, actions = post_any_legal(flow, debt, now)
    return flow, (Report("warning", f"{who}: {why}; playing any legal move"), *actions)


def on_deadline(flow: Flow, debt: Debt, role: Role, now: float) -> Step:
    """The time of the present thinker is up."""
    if role not in flow.ready and debt.committed is None:
        # Killed now, it would have to begin again at the next turn, and would never be done.
        flow, actions = _next_thinker(replace(flow, is_late=True), debt, "not loaded yet", now)
        return flow, (Withdraw(role), *actions)
    flow, stop = stopped(flow, role)
    if role == "strategy":
        flow = replace(flow, misses=flow.misses + 1)
    if debt.committed is not None:
        warning = Report("warning", f"{role} called play_move but did not return: stopped")
        flow, actions = _choose(flow, debt, debt.committed, now)
        return flow, (stop, warning, *actions)
    spent_s = now - debt.asked_at
    flow, actions = _next_thinker(flow, debt, f"no move after {spent_s:.1f} s", now)
    if role == "strategy" and flow.misses == BENCHED_AFTER and debt.facts.clocks.white_ms is not None:
        benched = f"its time ran out {BENCHED_AFTER} times in a row: the fallback plays the rest of this game"
        actions = (*actions, Report("error", f"strategy: {benched}"))
    return flow, (stop, *actions)


def _fallback_limit(left_ms: int | None, overhead_ms: int) -> TimeLimit | None:
    """Half of what is left, within bounds; None when that is not worth a start."""
    usable_ms = FALLBACK_LIMIT_MS if left_ms is None else min(FALLBACK_LIMIT_MS, (left_ms - overhead_ms) // 2)
    return None if usable_ms < FALLBACK_WORTH_MS else TimeLimit(soft_ms=usable_ms // 2, hard_ms=usable_ms)


def _clocks(full: GameFull, state: GameState) -> Clocks:
    no_clock = full.clock_initial_ms is None and full.days_per_turn is None
    if no_clock or UNLIMITED_MS in (state.wtime_ms, state.btime_ms):
        return Clocks()
    return Clocks(state.wtime_ms, state.btime_ms, state.winc_ms, state.binc_ms)
