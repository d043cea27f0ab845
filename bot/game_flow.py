"""What to do in one game: (flow, message, now) → (flow, actions). Pure: no clock, no I/O, no thread.

The move is owed from the state that asks for it until the stream shows it or the game is over. A debt is
tied to its move list: whatever was thought, chosen or refused for another list is dropped unseen
(`owed_move`, with `thinking` and `move_posting`).
`now` is monotonic seconds throughout.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import chess

from bot.conversation import filled
from bot.errors import NotFoundError, PositionError
from bot.events import (
    ChatLine,
    GameFull,
    GameState,
    KeepAlive,
    OpponentGone,
    Side,
    Unreadable,
)
from bot.game_knowledge import Flow, Step, our_side, with_times
from bot.game_messages import (
    Action,
    Chose,
    Committed,
    Errand,
    Finished,
    FinishReported,
    GameMessage,
    MoveAnswered,
    Report,
    Resynchronise,
    Say,
    ThinkerFailed,
    ThinkerReady,
    Tick,
    TurnReported,
)
from bot.move_posting import SHOWN_WITHIN_S, on_answer
from bot.owed_move import debt_wakes, drop_debt, learn_cost, move_doubt, on_debt_tick, still_owed
from bot.position import position_after
from bot.stream_reader import ReaderDied, StreamLost, StreamOpened, StreamRefused
from bot.thinking import incur_debt, on_chose, on_committed, on_failed, on_ready

#: A game stream begins with the whole game; one that has not done so by then has lost its first line.
FIRST_LINE_S = 5.0
#: In a correspondence or unlimited game a day without a first move is too long.
UNHURRIED_ABORT_S = 86_400.0


def next_wake(flow: Flow) -> float | None:
    """The monotonic second at which a Tick is wanted, or None when only a message can change anything."""
    if flow.over is not None:
        return None
    if flow.debt is not None:
        times: list[float | None] = [*debt_wakes(flow.debt), flow.end_by, flow.full_by]
    else:
        times = [flow.abort_at, flow.end_by, flow.full_by]
    return min((at for at in times if at is not None), default=None)


def step(flow: Flow, message: GameMessage, now: float) -> Step:
    """Take one message at `now` and say what follows."""
    if flow.over is not None:
        return flow, ()
    match message:
        case GameFull():
            if flow.full is None and message.state.is_over:  # somebody's stale news; it was not played here
                return _finish(flow, Finished(message.state.status, message.state.winner))
            greeting = _greeting(flow, message)
            flow = replace(flow, full=message, full_by=None)
            flow, actions = _on_state(flow, message, message.state, now, fresh=True)
            return flow, (*actions, *greeting)
        case GameState():
            if flow.full is None:
                return flow, (Resynchronise("a state came before the whole game"),)
            return _on_state(flow, flow.full, message, now, fresh=False)
        case OpponentGone():
            return _on_gone(flow, message)
        case ThinkerReady():
            return on_ready(flow, message)
        case Chose():
            return on_chose(flow, message, now)
        case Committed():
            return on_committed(flow, message)
        case ThinkerFailed():
            return on_failed(flow, message, now)
        case MoveAnswered():
            return on_answer(flow, message, now)
        case FinishReported(status, sure):
            if sure:  # the game's own stream says more; wait for it, but not for ever
                return replace(flow, end_reported=Finished(status), end_by=now + SHOWN_WITHIN_S), ()
            return flow, (Resynchronise("Lichess no longer lists this game"),)
        case TurnReported(asked_at):
            if flow.heard_at is None or flow.debt is not None or flow.heard_at >= asked_at:
                return flow, ()
            return flow, (Resynchronise("Lichess waits for our move, and nothing has asked for it"),)
        case StreamRefused(error):
            level: Literal["info", "error"] = "info" if isinstance(error, NotFoundError) else "error"
            flow, actions = _finish(flow, Finished("unknownFinish"))
            return flow, (Report(level, f"Lichess will not show this game: {error}"), *actions)
        case ReaderDied(why):
            flow, actions = _finish(flow, Finished("unknownFinish"))
            return flow, (Report("error", f"the game's reader failed: {why}"), *actions)
        case StreamLost(why, retry_in_s):
            report = Report("warning", f"game stream lost ({why}); reopening in {retry_in_s:.1f} s")
            return move_doubt(replace(flow, full_by=None), "asked", "lost"), (report,)
        case StreamOpened():
            flow = replace(flow, heard_at=now, full_by=now + FIRST_LINE_S)
            if flow.debt is not None and flow.debt.doubt == "asked":
                return flow, (Resynchronise("this stream was opened before the refusal"),)
            return move_doubt(flow, "lost", "reopened"), ()
        case Unreadable(why, harmless):
            report = Report("warning", f"a line of the game stream was ignored: {why}")
            # It may have been the state in which it became our turn.
            return flow, (report,) if harmless else (report, Resynchronise("a line could not be read"))
        case ChatLine(room, username, text):
            return flow, (Report("info", f"chat ({room}) {username}: {text}"),)
        case Tick():
            return _on_tick(flow, now)
        case KeepAlive():
            return flow, ()


# --- the state of the game ----------------------------------------------------------------------------


def _on_state(flow: Flow, full: GameFull, state: GameState, now: float, *, fresh: bool) -> Step:
    flow = _abort_timer(flow, full, state, now)
    state = with_times(flow, full, state)
    before, flow = flow.state, replace(flow, state=state, heard_at=now)
    if state.is_over:
        return _finish(flow, Finished(state.status, state.winner))
    if flow.debt is not None and flow.debt.moves == state.moves:
        return still_owed(flow, flow.debt, now, fresh=fresh)
    flow, dropped = drop_debt(flow if fresh else learn_cost(flow, state, now))
    if not fresh and before is not None and len(state.moves) < len(before.moves):
        # A takeback; or a line that was overtaken by a newer one, and then we would wait for ever.
        dropped = (*dropped, Resynchronise("the move list has become shorter"))
    try:
        board = position_after(full.variant, full.initial_fen, state.moves)
    except PositionError as error:
        # A fresh full state that cannot be replayed will not get better by asking again.
        actions: tuple[Action, ...] = (Report("error", f"the move list cannot be replayed: {error}"),)
        return flow, (*dropped, *actions, *(() if fresh else (Resynchronise("unreadable move list"),)))
    if _side_to_move(board) != our_side(flow, full) or not any(board.legal_moves):
        return flow, dropped
    flow, asked = incur_debt(flow, full, state, board, now)
    return flow, (*dropped, *asked)


def _abort_timer(flow: Flow, full: GameFull, state: GameState, now: float) -> Flow:
    """A challenge game has no first-move timer on the server: the bot itself must end the wait."""
    if state.is_over or len(state.moves) >= 2:
        return replace(flow, abort_at=None)
    if flow.state is None or len(flow.state.moves) != len(state.moves):
        return replace(flow, abort_at=now + _patience_s(flow, full))
    return flow


def _patience_s(flow: Flow, full: GameFull) -> float:
    """How long the opponent's first move may take, in seconds."""
    patience_s = flow.settings.abort_unmoved_after_s
    return patience_s if full.clock_initial_ms is not None else max(patience_s, UNHURRIED_ABORT_S)


def _on_gone(flow: Flow, message: OpponentGone) -> Step:
    if not message.gone or message.claim_win_in_s != 0 or flow.full is None or flow.state is None:
        return flow, ()
    try:
        board = position_after(flow.full.variant, flow.full.initial_fen, flow.state.moves)
    except PositionError:
        return flow, ()  # reported when the state came
    ours = chess.WHITE if our_side(flow, flow.full) == "white" else chess.BLACK
    if board.has_insufficient_material(ours):
        return flow, (
            Report("info", "the opponent left and we cannot mate: claiming a draw"),
            Errand("claim_draw"),
        )
    return flow, (Report("info", "the opponent left: claiming the win"), Errand("claim_victory"))


def _on_tick(flow: Flow, now: float) -> Step:
    if flow.end_by is not None and flow.end_reported is not None and now >= flow.end_by:
        return _finish(flow, flow.end_reported)
    actions: tuple[Action, ...] = ()
    if flow.full_by is not None and now >= flow.full_by:
        flow = replace(flow, full_by=now + FIRST_LINE_S)
        actions = (Resynchronise("its first line did not come"),)
    if flow.abort_at is not None and now >= flow.abort_at and flow.debt is None:
        # Asked again if it comes to nothing: nobody but us will ever end this game.
        flow = replace(flow, abort_at=now + flow.settings.abort_unmoved_after_s)
        actions += (Report("info", "the opponent has not made a first move: aborting"), Errand("abort"))
    debt = flow.debt
    if debt is None:
        return flow, actions
    flow, more = on_debt_tick(flow, debt, now)
    return flow, (*actions, *more)


# --- small things ------------------------------------------------------------------------------------


def _finish(flow: Flow, finished: Finished) -> Step:
    flow, dropped = drop_debt(flow)
    return replace(flow, over=finished, abort_at=None), (*dropped, *_farewell(flow, finished), finished)


def _greeting(flow: Flow, full: GameFull) -> tuple[Action, ...]:
    """With the first full state of a game that goes on."""
    if flow.full is not None or full.state.is_over:
        return ()
    text = filled(flow.settings.greeting, full, our_side(flow, full))
    return () if text is None else (Say("player", text, once=True),)


def _farewell(flow: Flow, finished: Finished) -> tuple[Action, ...]:
    """After a game that was played: neither an aborted one nor one that we only lost sight of."""
    if flow.full is None or finished.status in ("aborted", "unknownFinish"):
        return ()
    text = filled(flow.settings.farewell, flow.full, our_side(flow, flow.full))
    return () if text is None else (Say("player", text, once=False),)


def _side_to_move(board: chess.Board) -> Side:
    return "white" if board.turn == chess.WHITE else "black"
