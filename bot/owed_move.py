"""The move that is owed: who is asked for it, what is sent, and when again. Pure.

It is owed from the state that asks for it until the stream shows it or the game is over.
"""

from __future__ import annotations

from dataclasses import replace

import chess

from bot.errors import RateLimitedError, RefusedError
from bot.events import UNLIMITED_MS, GameFull, GameState
from bot.game_knowledge import Debt, Doubt, Flow, Step, our_side
from bot.game_messages import (
    Action,
    Ask,
    Chose,
    Committed,
    MoveAnswered,
    PostMove,
    Report,
    Resynchronise,
    Role,
    StopThinking,
    ThinkerFailed,
)
from bot.position import new_board, position_after, to_uci
from bot.strategies.contract import Clocks, Thought, TimeLimit, TurnFacts
from bot.timing.budget import limits

#: A retry of a move that got no clear answer waits this long: 0.25 s, 0.5 s, 1 s ... 2 s.
FIRST_RETRY_S, LAST_RETRY_S = 0.25, 2.0
#: A move that was answered 200 must show on the stream within this time, else the stream is reopened; sooner
#: where the clock is short, but no sooner than this.
SHOWN_WITHIN_S, SHOWN_WITHIN_LEAST_S = 5.0, 1.0
#: The wait for it may take this share of what is left on the clock.
SHOWN_WITHIN_SHARE = 0.05
#: With less time than this left a fallback strategy is not worth asking: any legal move, at once.
FALLBACK_WORTH_MS = 400
#: The fallback never gets longer than this.
FALLBACK_LIMIT_MS = 5_000


# --- the debt ----------------------------------------------------------------------------------------


def incur_debt(flow: Flow, full: GameFull, state: GameState, board: chess.Board, now: float) -> Step:
    clocks = _clocks(full, state)
    color = our_side(flow, full)
    limit = limits(
        clocks,
        color,
        overhead_ms=flow.overhead.ms,
        moves_played=len(state.moves) // 2,
        speed=full.speed,
    )
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
    debt = Debt(
        ask_id=flow.last_ask_id + 1,
        moves=state.moves,
        facts=facts,
        asked_at=now,
        deadline=now + limit.hard_ms / 1000,
    )
    flow = replace(flow, debt=debt, last_ask_id=debt.ask_id)
    return flow, (Ask("strategy", debt.ask_id, facts),)


def drop_debt(flow: Flow) -> Step:
    debt = flow.debt
    if debt is None:
        return flow, ()
    flow = replace(flow, debt=None)
    if debt.stage == "chosen":
        return flow, ()
    return flow, (StopThinking(debt.stage),)


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
            return _post(flow, replace(debt, doubted=move), move, now)
        return _next_best(flow, replace(debt, refused=debt.refused | {move}), now)
    if debt.doubt == "none" and debt.shown_by is not None:
        return _post(flow, debt, move, now)
    return flow, ()


def move_doubt(flow: Flow, before: Doubt, after: Doubt) -> Flow:
    debt = flow.debt
    return flow if debt is None or debt.doubt != before else replace(flow, debt=replace(debt, doubt=after))


# --- thinking ----------------------------------------------------------------------------------------


def _debt_asked(flow: Flow, role: Role, ask_id: int | None) -> Debt | None:
    """The present debt, if `role` is thinking about it under this number."""
    debt = flow.debt
    return debt if debt is not None and debt.ask_id == ask_id and debt.stage == role else None


def on_chose(flow: Flow, message: Chose, now: float) -> Step:
    debt = _debt_asked(flow, message.role, message.ask_id)
    if debt is None:
        return flow, ()
    notes: tuple[Action, ...] = ()
    if message.note is not None:
        notes = (Report("warning", f"{message.role}, after play_move: {message.note}"),)
    flow, actions = _choose(flow, debt, message.move, now, message.thought)
    return flow, (*notes, *actions)


def _choose(flow: Flow, debt: Debt, move: str, now: float, thought: Thought | None = None) -> Step:
    """POST `move`, unless it is not legal here: nothing illegal ever reaches Lichess."""
    board = _position(debt)
    try:
        uci = to_uci(board, board.parse_uci(move))
    except ValueError:
        return _next_thinker(flow, debt, f"{move!r} is not a legal move in {debt.facts.fen}", now)
    if uci in debt.refused:
        return _next_thinker(flow, debt, f"Lichess refused {uci} here already", now)
    flow, actions = _post(flow, debt, uci, now)
    found = "" if thought is None else f" ({thought})"
    return flow, (*actions, Report("info", f"{uci} after {now - debt.asked_at:.2f} s{found}"))


def on_committed(flow: Flow, message: Committed) -> Step:
    """Keep the move, in case that the strategy does not come back."""
    debt = _debt_asked(flow, message.role, message.ask_id)
    return (flow, ()) if debt is None else (replace(flow, debt=replace(debt, committed=message.move)), ())


def on_failed(flow: Flow, message: ThinkerFailed, now: float) -> Step:
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
    left_ms = _time_left_ms(debt, now)
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
    flow, actions = _next_best(flow, debt, now)
    return flow, (Report("warning", f"{who}: {why}; playing any legal move"), *actions)


def _next_best(flow: Flow, debt: Debt, now: float) -> Step:
    """Any legal move that the server has not refused yet. When all were, wait for the stream."""
    board = _position(debt)
    for move in board.legal_moves:
        uci = to_uci(board, move)
        if uci not in debt.refused:
            return _post(flow, replace(debt, attempts=0), uci, now)
    flow = replace(flow, debt=replace(debt, stage="chosen", move=None, retry_at=None, shown_by=now + 60.0))
    return flow, (Report("error", "Lichess refused every legal move of this position"),)


def _position(debt: Debt) -> chess.Board:
    return position_after(debt.facts.variant, debt.facts.initial_fen, debt.facts.moves)


def _time_left_ms(debt: Debt, now: float) -> int | None:
    """What our clock will show at `now`, or None when the game has no clock."""
    clocks = debt.facts.clocks
    at_start = clocks.white_ms if debt.facts.color == "white" else clocks.black_ms
    return None if at_start is None else at_start - round((now - debt.asked_at) * 1000)


def _fallback_limit(left_ms: int | None, overhead_ms: int) -> TimeLimit | None:
    """Half of what is left, within bounds; None when that is not worth a start."""
    usable_ms = FALLBACK_LIMIT_MS if left_ms is None else min(FALLBACK_LIMIT_MS, (left_ms - overhead_ms) // 2)
    return None if usable_ms < FALLBACK_WORTH_MS else TimeLimit(soft_ms=usable_ms // 2, hard_ms=usable_ms)


# --- posting -----------------------------------------------------------------------------------------


def _post(flow: Flow, debt: Debt, move: str, now: float) -> Step:
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
    left_ms = _time_left_ms(debt, now)
    if left_ms is None:
        return SHOWN_WITHIN_S
    return max(SHOWN_WITHIN_LEAST_S, min(SHOWN_WITHIN_S, SHOWN_WITHIN_SHARE * left_ms / 1000))


def _on_deadline(flow: Flow, debt: Debt, role: Role, now: float) -> Step:
    if debt.committed is not None:
        warning = Report("warning", f"{role} called play_move but did not return: stopped")
        flow, actions = _choose(flow, debt, debt.committed, now)
        return flow, (StopThinking(role), warning, *actions)
    spent_s = now - debt.asked_at
    flow, actions = _next_thinker(flow, debt, f"no move after {spent_s:.1f} s", now)
    return flow, (StopThinking(role), *actions)


def on_debt_tick(flow: Flow, debt: Debt, now: float) -> Step:
    """Time passed while a move is owed."""
    if debt.stage != "chosen" and now >= debt.deadline:
        return _on_deadline(flow, debt, debt.stage, now)
    if debt.retry_at is not None and debt.move is not None and now >= debt.retry_at:
        return _post(flow, debt, debt.move, now)
    if debt.shown_by is not None and now >= debt.shown_by:
        flow = replace(flow, debt=replace(debt, shown_by=now + SHOWN_WITHIN_S))
        return flow, (Resynchronise(f"{debt.move} was sent, but the stream does not show it"),)
    return flow, ()


def debt_wakes(debt: Debt) -> list[float]:
    """The monotonic seconds at which time alone changes something."""
    thinking = [] if debt.stage == "chosen" else [debt.deadline]
    return thinking + [at for at in (debt.retry_at, debt.shown_by) if at is not None]


def _clocks(full: GameFull, state: GameState) -> Clocks:
    no_clock = full.clock_initial_ms is None and full.days_per_turn is None
    if no_clock or UNLIMITED_MS in (state.wtime_ms, state.btime_ms):
        return Clocks()
    return Clocks(state.wtime_ms, state.btime_ms, state.winc_ms, state.binc_ms)
