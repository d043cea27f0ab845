"""What to do in one game: (flow, message, now) → (flow, actions). Pure: no clock, no I/O, no thread.

The move is owed from the state that asks for it until the stream shows it or the game is over. A debt is
tied to its move list: whatever was thought, chosen or refused for another list is dropped unseen.
`now` is monotonic seconds throughout.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import chess

from bot.errors import NotFoundError, PositionError, RateLimitedError, RefusedError
from bot.events import (
    UNLIMITED_MS,
    ChatLine,
    GameFull,
    GameState,
    KeepAlive,
    OpponentGone,
    Side,
    Unreadable,
)
from bot.game_messages import (
    Action,
    Ask,
    Chose,
    Committed,
    Errand,
    Finished,
    FinishReported,
    GameMessage,
    MoveAnswered,
    PostMove,
    Report,
    Resynchronise,
    Role,
    StopThinking,
    ThinkerFailed,
    Tick,
)
from bot.position import replay, to_uci
from bot.strategies.contract import Clocks, TimeLimit, TurnFacts
from bot.stream_reader import ReaderDied, StreamLost, StreamOpened, StreamRefused
from bot.timing.budget import limits

#: A retry of a move that got no clear answer waits this long: 0.25 s, 0.5 s, 1 s ... 2 s.
FIRST_RETRY_S, LAST_RETRY_S = 0.25, 2.0
#: A move that was answered 200 must show on the stream within this time, else the stream is reopened.
SHOWN_WITHIN_S = 5.0
#: With less time than this left a fallback strategy is not worth asking: any legal move, at once.
FALLBACK_WORTH_MS = 400
#: The fallback never gets longer than this.
FALLBACK_LIMIT_MS = 5_000

Stage = Literal["strategy", "fallback", "chosen"]

#: After a refused move only a stream opened since then tells the truth: a full state that was already under
#: way could make us send a second move for a position that has passed. Hence lost first, then reopened.
Doubt = Literal["none", "asked", "lost", "reopened"]


@dataclass(frozen=True, slots=True)
class FlowSettings:
    bot_id: str  # lower case
    move_overhead_ms: int = 250
    abort_unmoved_after_s: float = 60.0


@dataclass(frozen=True, slots=True)
class Debt:
    """A move that is owed to the position after `moves`."""

    ask_id: int
    moves: tuple[str, ...]
    facts: TurnFacts
    asked_at: float
    deadline: float  # when the present thinker loses the turn
    stage: Stage = "strategy"
    committed: str | None = None  # play_move was called; the strategy has not returned yet
    move: str | None = None  # chosen: this is what is POSTed
    in_flight: bool = False
    attempts: int = 0
    retry_at: float | None = None
    shown_by: float | None = None  # answered 200: the stream must show it by then
    refused: frozenset[str] = frozenset()  # moves that the server called illegal here
    doubt: Doubt = "none"


@dataclass(frozen=True, slots=True)
class Flow:
    """All that is known about one game."""

    game_id: str
    settings: FlowSettings
    full: GameFull | None = None
    state: GameState | None = None
    debt: Debt | None = None
    last_ask_id: int = 0
    abort_at: float | None = None  # None: nothing to abort, or asked already
    end_reported: Finished | None = None  # by the event stream; taken for true at `end_by`
    end_by: float | None = None
    over: Finished | None = None


Step = tuple[Flow, tuple[Action, ...]]


def next_wake(flow: Flow) -> float | None:
    """The monotonic second at which a Tick is wanted, or None when only a message can change anything."""
    if flow.over is not None:
        return None
    debt = flow.debt
    if debt is None:
        times = [] if flow.abort_at is None else [flow.abort_at]
    else:
        times = []
        if debt.stage != "chosen":
            times.append(debt.deadline)
        times.extend(at for at in (debt.retry_at, debt.shown_by) if at is not None)
    if flow.end_by is not None:
        times.append(flow.end_by)
    return min(times, default=None)


def step(flow: Flow, message: GameMessage, now: float) -> Step:
    """Take one message at `now` and say what follows."""
    if flow.over is not None:
        return flow, ()
    match message:
        case GameFull():
            return _on_state(replace(flow, full=message), message, message.state, now, fresh=True)
        case GameState():
            if flow.full is None:
                return flow, (Resynchronise("a state came before the whole game"),)
            return _on_state(flow, flow.full, message, now, fresh=False)
        case OpponentGone():
            return _on_gone(flow, message)
        case Chose():
            return _on_chose(flow, message, now)
        case Committed():
            debt = _debt_asked(flow, message.role, message.ask_id)
            return (
                (flow, ())
                if debt is None
                else (replace(flow, debt=replace(debt, committed=message.move)), ())
            )
        case ThinkerFailed():
            return _on_failed(flow, message, now)
        case MoveAnswered():
            return _on_answer(flow, message, now)
        case FinishReported(status, sure):
            if sure:  # the game's own stream says more; wait for it, but not for ever
                return replace(flow, end_reported=Finished(status), end_by=now + SHOWN_WITHIN_S), ()
            return flow, (Resynchronise("Lichess no longer lists this game"),)
        case StreamRefused(error):
            level: Literal["info", "error"] = "info" if isinstance(error, NotFoundError) else "error"
            flow, actions = _finish(flow, Finished("unknownFinish"))
            return flow, (Report(level, f"Lichess will not show this game: {error}"), *actions)
        case ReaderDied(why):
            flow, actions = _finish(flow, Finished("unknownFinish"))
            return flow, (Report("error", f"the game's reader failed: {why}"), *actions)
        case StreamLost(why, retry_in_s):
            report = Report("warning", f"game stream lost ({why}); reopening in {retry_in_s:.1f} s")
            return _move_doubt(flow, "asked", "lost"), (report,)
        case StreamOpened():
            if flow.debt is not None and flow.debt.doubt == "asked":
                return flow, (Resynchronise("this stream was opened before the refusal"),)
            return _move_doubt(flow, "lost", "reopened"), ()
        case Unreadable(why):
            return flow, (Report("warning", f"a line of the game stream was ignored: {why}"),)
        case ChatLine(room, username, text):
            return flow, (Report("info", f"chat ({room}) {username}: {text}"),)
        case Tick():
            return _on_tick(flow, now)
        case KeepAlive():
            return flow, ()


# --- the state of the game ----------------------------------------------------------------------------


def _on_state(flow: Flow, full: GameFull, state: GameState, now: float, *, fresh: bool) -> Step:
    flow = _abort_timer(flow, state, now)
    flow = replace(flow, state=state)
    if state.is_over:
        return _finish(flow, Finished(state.status, state.winner))
    if flow.debt is not None and flow.debt.moves == state.moves:
        return _still_owed(flow, flow.debt, now, fresh=fresh)
    flow, dropped = _drop_debt(flow)
    try:
        board = replay(full.variant, full.initial_fen, state.moves)
    except PositionError as error:
        # A fresh full state that cannot be replayed will not get better by asking again.
        actions: tuple[Action, ...] = (Report("error", f"the move list cannot be replayed: {error}"),)
        return flow, (*dropped, *actions, *(() if fresh else (Resynchronise("unreadable move list"),)))
    if _side_to_move(board) != _our_side(flow, full) or not any(board.legal_moves):
        return flow, dropped
    flow, asked = _incur_debt(flow, full, state, board, now)
    return flow, (*dropped, *asked)


def _incur_debt(flow: Flow, full: GameFull, state: GameState, board: chess.Board, now: float) -> Step:
    clocks = _clocks(full, state)
    color = _our_side(flow, full)
    limit = limits(
        clocks,
        color,
        overhead_ms=flow.settings.move_overhead_ms,
        moves_played=len(state.moves) // 2,
        speed=full.speed,
    )
    root = board.root()
    facts = TurnFacts(
        game_id=flow.game_id,
        fen=board.fen(),
        color=color,
        variant=full.variant,
        initial_fen=root.fen(),
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


def _still_owed(flow: Flow, debt: Debt, now: float, *, fresh: bool) -> Step:
    """The same position again: a draw offer, a time gift, a duplicate, or the truth after a reopening."""
    if not fresh or debt.move is None or debt.in_flight:
        return flow, ()
    if debt.doubt == "reopened":
        # It really is our turn in this position, so it was the move that the server did not like.
        return _next_best(flow, replace(debt, doubt="none", refused=debt.refused | {debt.move}), now)
    if debt.doubt == "none" and debt.shown_by is not None:
        return _post(flow, debt, debt.move)
    return flow, ()


def _drop_debt(flow: Flow) -> Step:
    debt = flow.debt
    if debt is None:
        return flow, ()
    flow = replace(flow, debt=None)
    if debt.stage == "chosen":
        return flow, ()
    return flow, (StopThinking(debt.stage),)


def _abort_timer(flow: Flow, state: GameState, now: float) -> Flow:
    """A challenge game has no first-move timer on the server: the bot itself must end the wait."""
    if state.is_over or len(state.moves) >= 2:
        return replace(flow, abort_at=None)
    if flow.state is None or len(flow.state.moves) != len(state.moves):
        return replace(flow, abort_at=now + flow.settings.abort_unmoved_after_s)
    return flow


def _on_gone(flow: Flow, message: OpponentGone) -> Step:
    if not message.gone or message.claim_win_in_s != 0 or flow.full is None or flow.state is None:
        return flow, ()
    try:
        board = replay(flow.full.variant, flow.full.initial_fen, flow.state.moves)
    except PositionError:
        return flow, ()  # reported when the state came
    ours = chess.WHITE if _our_side(flow, flow.full) == "white" else chess.BLACK
    if board.has_insufficient_material(ours):
        return flow, (
            Report("info", "the opponent left and we cannot mate: claiming a draw"),
            Errand("claim_draw"),
        )
    return flow, (Report("info", "the opponent left: claiming the win"), Errand("claim_victory"))


def _move_doubt(flow: Flow, before: Doubt, after: Doubt) -> Flow:
    debt = flow.debt
    return flow if debt is None or debt.doubt != before else replace(flow, debt=replace(debt, doubt=after))


# --- thinking ----------------------------------------------------------------------------------------


def _debt_asked(flow: Flow, role: Role, ask_id: int | None) -> Debt | None:
    """The present debt, if `role` is thinking about it under this number."""
    debt = flow.debt
    return debt if debt is not None and debt.ask_id == ask_id and debt.stage == role else None


def _on_chose(flow: Flow, message: Chose, now: float) -> Step:
    debt = _debt_asked(flow, message.role, message.ask_id)
    if debt is None:
        return flow, ()
    notes: tuple[Action, ...] = ()
    if message.note is not None:
        notes = (Report("warning", f"{message.role}, after play_move: {message.note}"),)
    flow, actions = _choose(flow, debt, message.move, now)
    return flow, (*notes, *actions)


def _choose(flow: Flow, debt: Debt, move: str, now: float) -> Step:
    """POST `move`, unless it is not legal here: nothing illegal ever reaches Lichess."""
    board = debt.facts.board()
    try:
        uci = to_uci(board, board.parse_uci(move))
    except ValueError:
        return _next_thinker(flow, debt, f"{move!r} is not a legal move in {debt.facts.fen}", now)
    if uci in debt.refused:
        return _next_thinker(flow, debt, f"Lichess refused {uci} here already", now)
    return _post(flow, debt, uci)


def _on_failed(flow: Flow, message: ThinkerFailed, now: float) -> Step:
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
    limit = _fallback_limit(left_ms, flow.settings.move_overhead_ms)
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
    board = debt.facts.board()
    for move in board.legal_moves:
        uci = to_uci(board, move)
        if uci not in debt.refused:
            return _post(flow, replace(debt, attempts=0), uci)
    flow = replace(flow, debt=replace(debt, stage="chosen", move=None, retry_at=None, shown_by=now + 60.0))
    return flow, (Report("error", "Lichess refused every legal move of this position"),)


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


def _post(flow: Flow, debt: Debt, move: str) -> Step:
    """Send `move`: for the first time, or again in the same position."""
    debt = replace(
        debt,
        stage="chosen",
        move=move,
        committed=None,
        in_flight=True,
        attempts=debt.attempts + 1,
        retry_at=None,
        shown_by=None,
    )
    return replace(flow, debt=debt), (PostMove(debt.ask_id, move, len(debt.moves)),)


def _on_answer(flow: Flow, message: MoveAnswered, now: float) -> Step:
    debt = flow.debt
    if debt is None or debt.ask_id != message.ask_id or not debt.in_flight:
        return flow, ()
    debt = replace(debt, in_flight=False)
    error = message.error
    if error is None:
        return replace(flow, debt=replace(debt, shown_by=now + SHOWN_WITHIN_S)), ()
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


def _on_tick(flow: Flow, now: float) -> Step:
    if flow.end_by is not None and flow.end_reported is not None and now >= flow.end_by:
        return _finish(flow, flow.end_reported)
    actions: tuple[Action, ...] = ()
    if flow.abort_at is not None and now >= flow.abort_at and flow.debt is None:
        flow = replace(flow, abort_at=None)
        actions = (Report("info", "the opponent has not made a first move: aborting"), Errand("abort"))
    debt = flow.debt
    if debt is None:
        return flow, actions
    if debt.stage != "chosen" and now >= debt.deadline:
        flow, more = _on_deadline(flow, debt, debt.stage, now)
    elif debt.retry_at is not None and debt.move is not None and now >= debt.retry_at:
        flow, more = _post(flow, debt, debt.move)
    elif debt.shown_by is not None and now >= debt.shown_by:
        flow = replace(flow, debt=replace(debt, shown_by=now + SHOWN_WITHIN_S))
        more = (Resynchronise(f"{debt.move} was sent, but the stream does not show it"),)
    else:
        return flow, actions
    return flow, (*actions, *more)


def _on_deadline(flow: Flow, debt: Debt, role: Role, now: float) -> Step:
    if debt.committed is not None:
        warning = Report("warning", f"{role} called play_move but did not return: stopped")
        flow, actions = _choose(flow, debt, debt.committed, now)
        return flow, (StopThinking(role), warning, *actions)
    spent_s = now - debt.asked_at
    flow, actions = _next_thinker(flow, debt, f"no move after {spent_s:.1f} s", now)
    return flow, (StopThinking(role), *actions)


# --- small things ------------------------------------------------------------------------------------


def _finish(flow: Flow, finished: Finished) -> Step:
    flow, dropped = _drop_debt(flow)
    return replace(flow, over=finished, abort_at=None), (*dropped, finished)


def _our_side(flow: Flow, full: GameFull) -> Side:
    return "white" if full.white.id == flow.settings.bot_id else "black"


def _side_to_move(board: chess.Board) -> Side:
    return "white" if board.turn == chess.WHITE else "black"


def _clocks(full: GameFull, state: GameState) -> Clocks:
    no_clock = full.clock_initial_ms is None and full.days_per_turn is None
    if no_clock or UNLIMITED_MS in (state.wtime_ms, state.btime_ms):
        return Clocks()
    return Clocks(state.wtime_ms, state.btime_ms, state.winc_ms, state.binc_ms)
