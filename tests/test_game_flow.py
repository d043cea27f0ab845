"""The flow of a game, in virtual time: what is asked, sent, retried and dropped."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.errors import (
    ConnectionTroubleError,
    NotFoundError,
    RateLimitedError,
    RefusedError,
    ServerTroubleError,
)
from bot.events import UNLIMITED_MS, ChatLine, GameState, KeepAlive, OpponentGone, Player, Unreadable
from bot.game_knowledge import FlowSettings
from bot.game_messages import (
    Ask,
    Chose,
    Committed,
    Errand,
    Finished,
    FinishReported,
    MoveAnswered,
    PostMove,
    Prepare,
    Report,
    Resynchronise,
    Role,
    Say,
    StopThinking,
    ThinkerFailed,
    ThinkerReady,
    TurnReported,
    Withdraw,
)
from bot.strategies.contract import Thought
from bot.stream_reader import ReaderDied, StreamLost, StreamOpened, StreamRefused
from bot.thinking import BENCHED_AFTER
from tests.flow_kit import BOT, RIVAL, Table, full, kinds, only, state

ILLEGAL = RefusedError("Not your turn, or game already over", status=400)


ROLES: tuple[Role, ...] = ("strategy", "fallback")


def white_to_move() -> Table:
    table = Table()
    table.hear(full())
    return table


def test_the_strategy_is_asked_with_all_the_facts_of_the_turn() -> None:
    table = Table()
    ask = only(Ask, table.hear(full("e2e4 e7e5", ms=120_000)))
    facts = ask.facts
    assert (ask.role, facts.color, facts.moves) == ("strategy", "white", ("e2e4", "e7e5"))
    assert facts.fen == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    assert facts.initial_fen.startswith("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w")
    assert (facts.clocks.white_ms, facts.clocks.white_increment_ms) == (120_000, 2_000)
    assert facts.opponent == RIVAL


def test_nothing_is_asked_on_the_opponents_turn_and_the_answering_move_asks() -> None:
    table = Table()
    assert table.hear(full(white=RIVAL, black=BOT)) == ()
    ask = only(Ask, table.hear(state("e2e4")))
    assert (ask.facts.color, ask.facts.opponent) == ("black", RIVAL)


def test_a_chosen_move_is_posted_once_and_the_debt_ends_when_the_stream_shows_it() -> None:
    table = white_to_move()
    post = only(PostMove, table.hear(Chose("strategy", 1, "e2e4")))
    assert (post.move, post.ply) == ("e2e4", 0)
    assert table.hear(MoveAnswered(1, None, 12)) == ()
    assert table.hear(state("e2e4")) == ()
    assert table.flow.debt is None
    assert table.wait(50) == ()


def test_the_stream_may_show_the_move_before_its_answer_comes() -> None:
    table = white_to_move()
    table.hear(Chose("strategy", 1, "e2e4"))
    table.hear(state("e2e4 e7e5"))
    assert table.asked().ask_id == 2
    assert table.hear(MoveAnswered(1, ConnectionTroubleError("reset"), 12)) == ()
    assert table.posted() == ["e2e4"]


@pytest.mark.parametrize(
    "error",
    [
        ConnectionTroubleError("reset"),
        ServerTroubleError("bad gateway", status=502),
        RateLimitedError("slow down", retry_after_s=None),
        RateLimitedError("slow down", retry_after_s=600.0),
    ],
)
def test_an_unanswered_move_is_owed_until_the_stream_shows_it(error: ConnectionTroubleError) -> None:
    table = white_to_move()
    table.hear(Chose("strategy", 1, "e2e4"))
    gaps = []
    for _ in range(6):
        table.hear(MoveAnswered(1, error, 12))
        before, sent = table.now, len(table.posted())
        while len(table.posted()) == sent:
            table.wait(0.05)
        gaps.append(table.now - before)
    assert set(table.posted()) == {"e2e4"}
    assert all(0.2 < gap <= 2.1 for gap in gaps), "paced, and never left for long: the clock runs"
    table.hear(state("e2e4"))
    table.hear(MoveAnswered(1, error, 12))
    assert table.wait(50) == ()


def test_no_second_request_while_one_is_under_way() -> None:
    table = white_to_move()
    table.hear(Chose("strategy", 1, "e2e4"))
    table.wait(30)
    table.hear(full())
    table.hear(state())
    assert table.posted() == ["e2e4"]


def test_a_refused_move_resynchronises_and_the_stream_says_it_was_played() -> None:
    table = white_to_move()
    table.hear(Chose("strategy", 1, "e2e4"))
    assert "Resynchronise" in kinds(table.hear(MoveAnswered(1, ILLEGAL, 12)))
    table.hear(StreamLost("closed", 0.5))
    table.hear(StreamOpened())
    table.hear(full("e2e4"))
    assert table.posted() == ["e2e4"]
    assert table.flow.debt is None


def test_a_refused_move_of_a_position_that_still_stands_is_sent_once_more_and_then_replaced() -> None:
    """Our rules know it to be legal, so a first refusal is likelier a stumble of the server's."""
    table = white_to_move()
    table.hear(Chose("strategy", 1, "e2e4"))
    for _ in range(2):
        table.hear(MoveAnswered(1, ILLEGAL, 12))
        table.hear(StreamLost("closed", 0.5))
        table.hear(StreamOpened())
        table.hear(full())
    first, second, third = table.posted()
    assert (first, second) == ("e2e4", "e2e4")
    assert third != "e2e4"


def test_a_full_state_from_before_the_refusal_sends_nothing() -> None:
    """Such a state may be older than the move: acting on it would move in the next position."""
    table = white_to_move()
    table.hear(Chose("strategy", 1, "e2e4"))
    table.hear(MoveAnswered(1, ILLEGAL, 12))
    table.hear(full())  # was under way already
    assert table.posted() == ["e2e4"]
    assert kinds(table.hear(StreamOpened())) == [
        "Resynchronise"
    ]  # opened before the refusal: not to be trusted
    table.hear(full())
    assert table.posted() == ["e2e4"]


def test_every_legal_move_refused_is_said_and_does_not_spin() -> None:
    table = Table()
    table.hear(full(initial_fen="k7/8/8/8/8/8/6q1/K7 w - - 0 1", variant="fromPosition"))
    legal = [move.uci() for move in table.asked().facts.board().legal_moves]
    table.hear(Chose("strategy", table.asked().ask_id, legal[0]))
    for _ in range(len(legal) + 1):
        table.hear(MoveAnswered(table.asked().ask_id, ILLEGAL, 5))
        table.hear(StreamLost("closed", 0.5))
        table.hear(StreamOpened())
        table.hear(full(initial_fen="k7/8/8/8/8/8/6q1/K7 w - - 0 1", variant="fromPosition"))
    assert sorted(table.posted()[1:]) == sorted(legal)
    assert any(isinstance(done, Report) and "every legal move" in done.text for done in table.done)
    table.wait(300)


def test_a_move_answered_but_not_shown_is_looked_into_and_sent_again() -> None:
    table = white_to_move()
    table.hear(Chose("strategy", 1, "e2e4"))
    table.hear(MoveAnswered(1, None, 12))
    assert kinds(table.wait(6)) == ["Resynchronise"]
    table.hear(StreamLost("closed", 0.5))
    table.hear(StreamOpened())
    table.hear(full())
    assert table.posted() == ["e2e4", "e2e4"]


@pytest.mark.parametrize(("ms", "patience_s"), [(300_000, 5.0), (60_000, 3.0), (5_000, 1.0)])
def test_the_stream_gets_less_time_to_show_a_move_where_the_clock_is_short(
    ms: int, patience_s: float
) -> None:
    table = Table()
    table.hear(full(ms=ms))
    table.hear(Chose("strategy", 1, "e2e4"))
    table.hear(MoveAnswered(1, None, 12))
    assert table.wait(patience_s - 0.1) == ()
    assert kinds(table.wait(0.2)) == ["Resynchronise"]
    assert table.wait(4.0) == (), "the reopening itself gets its time"


@pytest.mark.parametrize("nonsense", ["e2e5", "", "xyz", "0000", "e7e5", "e1g1"])
def test_an_illegal_choice_never_reaches_lichess_and_the_fallback_plays(nonsense: str) -> None:
    table = white_to_move()
    actions = table.hear(Chose("strategy", 1, nonsense))
    ask = only(Ask, actions)
    assert ask.role == "fallback"
    assert table.posted() == []
    table.hear(Chose("fallback", ask.ask_id, "d2d4"))
    assert table.posted() == ["d2d4"]


def test_a_failed_strategy_is_reported_in_one_line_and_the_fallback_plays() -> None:
    table = white_to_move()
    actions = table.hear(ThinkerFailed("strategy", 1, "exit code 3", died=True))
    report = only(Report, actions)
    assert (report.level, report.text) == ("warning", "strategy: exit code 3; the fallback plays")
    assert only(Ask, actions).role == "fallback"


def test_what_the_strategy_thought_is_told_with_its_move() -> None:
    table = white_to_move()
    thought = Thought(depth=6, nodes=12_345, time_ms=80, score_cp=-34, pv=("e2e4", "e7e5"))
    table.wait(0.5)
    report = only(Report, table.hear(Chose("strategy", 1, "e2e4", thought=thought)))
    assert report.text == "e2e4 after 0.50 s (depth 6, -0.34, 12,345 nodes)"


def test_when_the_fallback_fails_too_any_legal_move_is_played() -> None:
    table = white_to_move()
    table.hear(ThinkerFailed("strategy", 1, "exit code 3", died=True))
    table.hear(ThinkerFailed("fallback", 2, "exit code 4", died=True))
    (move,) = table.posted()
    assert move in [legal.uci() for legal in table.asked().facts.board().legal_moves]


def test_with_no_time_for_a_fallback_any_legal_move_is_played_at_once() -> None:
    table = Table()
    table.hear(full("e2e4 e7e5", ms=900))
    actions = table.hear(ThinkerFailed("strategy", 1, "exit code 3", died=True))
    assert [kind for kind in kinds(actions) if kind != "Report"] == ["PostMove"]


def test_a_hanging_strategy_is_stopped_at_its_deadline_and_the_move_comes_before_the_flag() -> None:
    table = Table()
    for role in ROLES:
        table.hear(ThinkerReady(role))
    table.hear(full("e2e4 e7e5", ms=20_000))
    start = table.now
    while not table.posted():
        table.wait(0.1)
        assert table.now - start < 19.0
    stopped = [action.role for action in table.done if isinstance(action, StopThinking)]
    assert stopped == ["strategy", "fallback"]


def test_a_strategy_that_is_still_loading_is_not_killed_for_it() -> None:
    """Killed and started afresh at every turn it would never be loaded."""
    table = Table()
    table.hear(full("e2e4 e7e5", ms=60_000))
    (ask,) = [action for action in table.done if isinstance(action, Ask)]
    done = table.wait(ask.facts.limit.hard_ms / 1000)
    assert only(Withdraw, done) == Withdraw("strategy")
    assert only(Ask, done).role == "fallback"
    assert not [action for action in done if isinstance(action, StopThinking)]


def test_the_fallback_plays_at_once_while_the_strategy_goes_on_loading() -> None:
    table = late_strategy()
    actions = table.hear(state("e2e4 e7e5 g1f3 b8c6"))
    assert only(Ask, actions).role == "fallback"
    assert only(Prepare, actions) == Prepare("strategy")  # should it have died meanwhile


def test_a_strategy_that_has_loaded_late_plays_from_then_on() -> None:
    table = late_strategy()
    table.hear(ThinkerReady("strategy"))
    assert only(Ask, table.hear(state("e2e4 e7e5 g1f3 b8c6"))).role == "strategy"


def test_without_a_clock_the_strategy_may_take_its_time_to_load_each_time() -> None:
    table = Table()
    table.hear(full("e2e4 e7e5", clock=False))
    table.wait(60.0)
    table.hear(Chose("fallback", table.asked().ask_id, "g1f3"))
    assert only(Ask, table.hear(state("e2e4 e7e5 g1f3 b8c6"))).role == "strategy"


def late_strategy() -> Table:
    """The strategy was not loaded in time, and the fallback has played g1f3."""
    table = Table()
    table.hear(full("e2e4 e7e5", ms=60_000))
    table.wait(table.asked().facts.limit.hard_ms / 1000)
    table.hear(Chose("fallback", table.asked().ask_id, "g1f3"))
    return table


def test_a_strategy_that_hangs_every_turn_does_not_cost_the_game_its_clock() -> None:
    """In a game without an increment each hang costs a tenth of what is left."""
    table = Table()
    moves, clock_ms = "", 60_000
    cycle = "g1f3 g8f6 f3g1 f6g8"
    for turn in range(40):
        for role in ROLES:
            table.hear(ThinkerReady(role))
        before = table.now
        table.hear(full(moves, ms=clock_ms) if turn == 0 else state(moves, ms=clock_ms))
        while (ask := table.asked()).role == "strategy":
            table.wait(0.1)
        ours, theirs = cycle.split()[2 * (turn % 2) : 2 * (turn % 2) + 2]
        table.hear(Chose("fallback", ask.ask_id, ours))
        clock_ms -= round((table.now - before) * 1000)
        table.hear(state(f"{moves} {ours}".strip(), ms=clock_ms))
        moves = f"{moves} {ours} {theirs}".strip()
    assert clock_ms > 35_000
    assert sum(isinstance(action, StopThinking) for action in table.done) == BENCHED_AFTER
    told = [action.text for action in table.done if isinstance(action, Report) and action.level == "error"]
    assert told == ["strategy: its time ran out 3 times in a row: the fallback plays the rest of this game"]


def test_one_good_turn_and_the_hangs_before_it_are_forgotten() -> None:
    table = Table()
    table.hear(ThinkerReady("strategy"))
    table.flow = replace(table.flow, misses=BENCHED_AFTER - 1)
    table.hear(full("e2e4 e7e5"))
    table.hear(Chose("strategy", table.asked().ask_id, "g1f3"))
    assert table.flow.misses == 0


def test_two_calls_of_play_move_count_as_none() -> None:
    table = white_to_move()
    table.hear(Committed("strategy", 1, "e2e4"))
    actions = table.hear(ThinkerFailed("strategy", 1, "play_move was called twice", died=False))
    assert only(Ask, actions).role == "fallback"
    table.hear(Chose("fallback", 2, "d2d4"))
    assert table.posted() == ["d2d4"]


def test_a_committed_move_survives_the_crash_and_the_hang_of_its_strategy() -> None:
    table = white_to_move()
    table.hear(Committed("strategy", 1, "e2e4"))
    table.hear(ThinkerFailed("strategy", 1, "killed by signal 11", died=True))
    assert table.posted() == ["e2e4"]
    table = white_to_move()
    table.hear(Committed("strategy", 1, "d2d4"))
    done = table.wait(100)
    assert kinds(done)[0] == "StopThinking"
    assert table.posted() == ["d2d4"]


def test_a_takeback_stops_the_thinking_on_the_old_position() -> None:
    table = Table()
    table.hear(full("e2e4 e7e5"))
    old = table.asked()
    actions = table.hear(state("e2e4"))  # the opponent took back: their turn again
    assert "StopThinking" in kinds(actions)
    assert table.hear(Chose("strategy", old.ask_id, "g1f3")) == ()
    actions = table.hear(state(""))  # and we take back as well: a new turn of ours
    assert only(Ask, actions).facts.moves == ()
    assert table.posted() == []


def test_draw_offers_and_time_gifts_do_not_ask_again() -> None:
    table = white_to_move()
    assert table.hear(state("", bdraw=True)) == ()
    assert table.hear(state("", ms=195_000)) == ()
    table.hear(Chose("strategy", 1, "e2e4"))
    assert table.hear(state("", bdraw=True)) == ()
    assert table.posted() == ["e2e4"]


@pytest.mark.parametrize("status", ["mate", "resign", "aborted", "outoftime", "draw", "aStatusOfTheFuture"])
def test_any_status_but_started_ends_the_game(status: str) -> None:
    table = white_to_move()
    actions = table.hear(state("e2e4", status=status))
    assert only(Finished, actions).status == status
    assert "StopThinking" in kinds(actions)
    assert table.hear(state("")) == ()
    assert table.wait(1000) == ()


def test_a_game_that_is_over_already_ends_with_its_first_line() -> None:
    assert kinds(Table().hear(full("e2e4", status="resign"))) == ["Finished"]


def test_a_lost_stream_is_not_the_end_of_the_game() -> None:
    table = white_to_move()
    assert only(Report, table.hear(StreamLost("the server ended it", 0.5))).level == "warning"
    table.hear(StreamOpened())
    table.hear(full())
    table.hear(Chose("strategy", 1, "e2e4"))
    assert table.posted() == ["e2e4"], "the thinking that had begun was kept"


def test_a_game_lichess_does_not_know_is_let_go() -> None:
    actions = white_to_move().hear(StreamRefused(NotFoundError("No such game", status=404)))
    assert only(Finished, actions).status == "unknownFinish"


def test_a_line_that_got_lost_is_noticed_by_what_lichess_says_of_the_game() -> None:
    table = Table()
    table.hear(full("e2e4"))
    table.wait(20)
    assert kinds(table.hear(TurnReported(table.now - 0.1))) == ["Resynchronise"]


def test_a_first_line_that_got_lost_is_noticed_too() -> None:
    table = Table()
    table.hear(StreamOpened())
    assert table.hear(TurnReported(table.now - 0.1)) == (), "it may be on its way"
    table.wait(20)
    assert kinds(table.hear(TurnReported(table.now - 0.1))) == ["Resynchronise"]


def test_a_list_that_is_older_than_the_stream_says_nothing_new() -> None:
    table = Table()
    table.hear(full("e2e4"))
    assert table.hear(TurnReported(table.now - 0.1)) == (), "the move was made while the list was on its way"
    assert Table().hear(TurnReported(1000.0)) == (), "the stream is not even open"


def test_a_move_that_is_owed_already_needs_no_reminder() -> None:
    table = white_to_move()
    table.wait(1)
    assert table.hear(TurnReported(table.now - 0.1)) == ()


def test_a_dead_reader_ends_the_session_loudly() -> None:
    actions = white_to_move().hear(ReaderDied("KeyError: 'x'"))
    assert only(Report, actions).level == "error"
    assert only(Finished, actions).status == "unknownFinish"


def test_the_end_named_by_the_event_stream_counts_when_the_games_own_stream_stays_silent() -> None:
    table = white_to_move()
    assert table.hear(FinishReported("mate", sure=True)) == ()
    assert Finished("mate") in table.wait(10)
    table = white_to_move()
    assert kinds(table.hear(FinishReported("unknownFinish", sure=False))) == ["Resynchronise"]
    assert table.flow.over is None


def test_an_opponent_who_never_moves_is_aborted_after_the_stated_time() -> None:
    table = Table(FlowSettings("knight", abort_unmoved_after_s=60))
    table.hear(full(white=RIVAL, black=BOT))
    assert table.wait(59.9) == ()
    assert Errand("abort") in table.wait(0.2)


def test_an_abort_that_came_to_nothing_is_asked_for_again_at_the_same_pace() -> None:
    """The request may be lost, and the server has no timer of its own for such a game."""
    table = Table(FlowSettings("knight", abort_unmoved_after_s=60))
    table.hear(full(white=RIVAL, black=BOT))
    assert table.wait(601).count(Errand("abort")) == 10
    table.hear(state("e2e4"))
    table.hear(state("e2e4 e7e5"))
    assert Errand("abort") not in table.wait(600)


def test_where_nobody_is_in_a_hurry_a_day_may_pass_before_the_first_move() -> None:
    """Games of several days a move were aborted after a minute."""
    table = Table(FlowSettings("knight", abort_unmoved_after_s=60))
    table.hear(full(white=RIVAL, black=BOT, clock=False))
    assert Errand("abort") not in table.wait(23 * 3600)
    assert table.wait(2 * 3600).count(Errand("abort")) >= 1


def test_the_wait_for_blacks_first_move_counts_from_our_own() -> None:
    table = Table(FlowSettings("knight", abort_unmoved_after_s=60))
    table.hear(full())
    table.wait(40)
    table.hear(Chose("strategy", 1, "e2e4"))
    table.hear(MoveAnswered(1, None, 10))
    table.hear(state("e2e4"))
    assert table.wait(59.9) == ()
    assert Errand("abort") in table.wait(0.2)


def test_no_abort_once_both_have_moved_or_while_we_think_ourselves() -> None:
    table = Table(FlowSettings("knight", abort_unmoved_after_s=1))
    table.hear(full("e2e4 e7e5 g1f3", clock=False))
    assert table.wait(1000) == ()
    table = Table(FlowSettings("knight", abort_unmoved_after_s=1))
    table.hear(full())
    assert Errand("abort") not in table.wait(1.5)


def test_the_win_is_claimed_at_zero_and_a_draw_where_we_cannot_mate() -> None:
    table = Table()
    table.hear(full("e2e4 e7e5 g1f3"))
    assert table.hear(OpponentGone(True, 8)) == ()
    assert only(Errand, table.hear(OpponentGone(True, 0))).kind == "claim_victory"
    assert table.hear(OpponentGone(False)) == ()
    bare_king = Table()
    bare_king.hear(full(initial_fen="7k/8/8/8/8/8/7r/K7 b - - 0 1", variant="fromPosition"))
    assert only(Errand, bare_king.hear(OpponentGone(True, 0))).kind == "claim_draw"


def test_a_move_list_that_cannot_be_replayed_is_said_and_asked_again_once() -> None:
    table = white_to_move()
    actions = table.hear(state("e2e4 e2e4"))
    assert "Resynchronise" in kinds(actions)
    assert "Resynchronise" not in kinds(table.hear(full("e2e4 e2e4")))


def test_a_state_before_the_whole_game_asks_for_the_whole_game() -> None:
    assert isinstance(Table().hear(state())[0], Resynchronise)


def test_chat_and_odd_lines_are_logged_and_change_nothing() -> None:
    table = white_to_move()
    before = table.flow
    assert kinds(table.hear(ChatLine("player", "Rival", "hi"))) == ["Report"]
    assert kinds(table.hear(Unreadable("an event of unknown type 'x'", harmless=True))) == ["Report"]
    assert table.hear(KeepAlive()) == ()
    assert table.flow == before


def test_a_line_that_may_have_been_a_state_is_asked_for_again() -> None:
    """Otherwise a turn of ours that it announced would never be taken."""
    table = Table()
    assert kinds(table.hear(Unreadable('not JSON: \'{"type":"gameFu\''))) == ["Report", "Resynchronise"]
    table.hear(full(white=RIVAL, black=BOT))
    assert kinds(table.hear(Unreadable("no text in 'moves': None"))) == ["Report", "Resynchronise"]


def test_a_shorter_move_list_is_played_on_and_checked() -> None:
    """It may be a takeback, or an old line that a newer one has overtaken; only the whole game tells."""
    table = Table()
    table.hear(full("e2e4 e7e5", white=RIVAL, black=BOT))
    table.hear(state("e2e4 e7e5 g1f3"))
    assert kinds(table.hear(state("e2e4 e7e5"))) == ["StopThinking", "Resynchronise"]
    table.hear(StreamLost("closed", 0.5))
    table.hear(StreamOpened())
    assert only(Ask, table.hear(full("e2e4 e7e5 g1f3", white=RIVAL, black=BOT))).facts.moves[-1] == "g1f3"


def test_a_game_that_was_over_when_we_came_gets_no_farewell() -> None:
    """It was said when the game ended; such a game is met again when old news of it come late."""
    table = Table(FlowSettings("knight", greeting="Hello", farewell="Bye"))
    assert kinds(table.hear(full("e2e4 e7e5", status="resign"))) == ["Finished"]


def test_times_that_are_missing_are_the_last_ones_known() -> None:
    table = Table()
    gone = GameState(("e2e4", "e7e5"), UNLIMITED_MS, UNLIMITED_MS, 0, 0)
    table.hear(full("", ms=90_000))
    table.hear(gone)
    clocks = table.asked().facts.clocks
    assert (clocks.white_ms, clocks.black_ms) == (90_000, 90_000)
    late = Table()
    late.hear(replace(full("e2e4 e7e5"), state=gone))
    assert late.asked().facts.clocks.white_ms == 180_000, "what the game began with"
    assert late.asked().facts.limit.hard_ms < 180_000


@pytest.mark.parametrize(
    ("white", "black", "ours"),
    [
        (BOT, RIVAL, True),
        (RIVAL, BOT, False),
        (Player(None, ""), RIVAL, True),
        (RIVAL, Player(None, ""), False),
        (Player(None, "Knight"), Player(None, ""), True),
        (Player(None, ""), Player(None, "Knight"), False),
        (Player(None, "Rival"), Player(None, "Anonymous"), False),
        (Player(None, "Anonymous"), Player(None, "Rival"), True),
        (Player(None, "Stockfish level 3", ai_level=3), Player(None, ""), False),
        (Player(None, ""), Player(None, "Stockfish level 3", ai_level=3), True),
    ],
)
def test_our_side_is_known_even_if_the_game_does_not_name_us(
    white: Player, black: Player, ours: bool
) -> None:
    table = Table()
    assert ("Ask" in kinds(table.hear(full(white=white, black=black)))) == ours


def test_a_game_without_a_clock_has_a_limit_of_its_own() -> None:
    table = Table()
    ask = only(Ask, table.hear(full(clock=False)))
    assert ask.facts.clocks.white_ms is None
    assert 0 < ask.facts.limit.hard_ms <= 60_000


def test_castling_is_sent_as_lichess_wants_it() -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    for variant, sent in (("standard", "e1g1"), ("fromPosition", "e1h1"), ("chess960", "e1h1")):
        table = Table()
        table.hear(full(variant=variant, initial_fen=fen))
        table.hear(Chose("strategy", 1, "e1g1"))
        assert table.posted() == [sent]


def test_what_a_move_costs_is_learned_and_taken_from_what_the_strategy_may_use() -> None:
    table = Table()
    table.hear(full("e2e4 e7e5", ms=3_000))
    first = table.asked().facts.limit
    table.hear(Chose("strategy", 1, "g1f3"))
    table.hear(MoveAnswered(1, None, 400))
    table.hear(state("e2e4 e7e5 g1f3 b8c6", ms=3_000))
    second = table.asked().facts.limit
    assert table.flow.overhead.ms == 400 + 4 * 200
    assert second.hard_ms + 1_200 < 3_000
    assert second.hard_ms < first.hard_ms


def test_a_late_answer_to_a_move_that_the_stream_has_shown_does_not_make_the_bot_hurry() -> None:
    table = white_to_move()
    table.hear(Chose("strategy", 1, "e2e4"))
    table.now += 0.1
    table.hear(state("e2e4"))
    assert table.flow.overhead.mean_ms == 100
    table.now += 5
    table.hear(MoveAnswered(1, None, 5_000))
    table.hear(MoveAnswered(1, ConnectionTroubleError("timed out"), 5_000))
    assert table.flow.overhead.mean_ms == 100


def test_a_move_first_seen_after_a_break_of_the_stream_teaches_nothing() -> None:
    table = white_to_move()
    table.hear(Chose("strategy", 1, "e2e4"))
    table.now += 3
    table.hear(full("e2e4"))
    assert table.flow.overhead.mean_ms is None


def test_a_request_that_was_never_answered_teaches_nothing() -> None:
    table = white_to_move()
    table.hear(Chose("strategy", 1, "e2e4"))
    table.hear(MoveAnswered(1, ConnectionTroubleError("timed out"), 5_000))
    assert table.flow.overhead.mean_ms is None


def polite() -> Table:
    return Table(
        FlowSettings("knight", greeting="Hello {opponent}, I am {me}.", farewell="Good game, {opponent}!")
    )


def test_the_greeting_is_said_once_and_after_the_move_was_asked_for() -> None:
    table = polite()
    actions = table.hear(full())
    assert kinds(actions) == ["Ask", "Say"]
    assert only(Say, actions) == Say("player", "Hello Rival, I am Knight.", once=True)
    table.hear(StreamLost("reset", 0.5))
    table.hear(StreamOpened())
    assert table.hear(full()) == ()


def test_the_farewell_follows_a_game_that_was_played_and_no_other() -> None:
    table = polite()
    table.hear(full())
    assert Say("player", "Good game, Rival!", once=False) in table.hear(state("e2e4", status="resign"))
    for status in ("aborted", "unknownFinish"):
        table = polite()
        table.hear(full())
        assert "Say" not in kinds(table.hear(state("e2e4", status=status)))
    assert "Say" not in kinds(polite().hear(full("e2e4", status="aborted")))


def test_an_empty_greeting_says_nothing_and_a_long_one_is_cut_to_what_lichess_takes() -> None:
    assert "Say" not in kinds(Table(FlowSettings("knight", greeting=" ")).hear(full()))
    table = Table(FlowSettings("knight", greeting="{opponent}" * 40))
    assert len(only(Say, table.hear(full())).text) == 140


def test_a_stream_that_lost_its_first_line_is_reopened_and_not_waited_for() -> None:
    """In a storm of faults games stood still for minutes: the stream lived, but its first line was lost."""
    table = Table()
    table.hear(StreamOpened())
    assert table.wait(4.9) == ()
    assert kinds(table.wait(0.2)) == ["Resynchronise"]
    table.hear(StreamLost("closed", 0.5))
    assert table.wait(20) == (), "nothing is open"
    table.hear(StreamOpened())
    table.hear(full())
    assert "Resynchronise" not in kinds(table.wait(4.9))
