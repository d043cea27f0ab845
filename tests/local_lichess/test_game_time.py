"""Clocks: what a move costs and earns, and when a flag falls."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.local_lichess.clocks import DAY_MS, UNLIMITED_MS, Correspondence, Realtime, Unlimited, speed_of
from bot.local_lichess.refusal import Refusal
from tests.local_lichess.game_kit import BOT, HUMAN, T0, bare, refusal_of, table


@pytest.mark.parametrize(
    ("limit_s", "increment_s", "speed"),
    [
        (15, 0, "ultraBullet"),
        (29, 0, "ultraBullet"),
        (30, 0, "bullet"),
        (0, 1, "bullet"),
        (60, 2, "bullet"),
        (179, 0, "bullet"),
        (180, 0, "blitz"),
        (300, 4, "blitz"),
        (480, 0, "rapid"),
        (900, 14, "rapid"),
        (1500, 0, "classical"),
        (60, 60, "classical"),
    ],
)
def test_speed_is_by_the_time_of_forty_moves(limit_s: int, increment_s: int, speed: str) -> None:
    assert speed_of(Realtime(limit_s, increment_s)) == speed


def test_without_a_clock_it_is_correspondence() -> None:
    assert speed_of(Correspondence(1)) == speed_of(Unlimited()) == "correspondence"


def test_the_first_move_of_each_side_is_free_and_earns_nothing() -> None:
    t = table(time_control=Realtime(60, 5))
    t.wait(50_000)
    t.play("e2e4", think_ms=50_000)
    assert t.left() == (60_000, 60_000)
    t.play("e7e5", think_ms=300_000)
    assert t.left() == (60_000, 60_000)


def test_from_then_on_thinking_costs_and_moving_earns_the_increment() -> None:
    t = table(time_control=Realtime(60, 5))
    t.play("e2e4 e7e5")
    t.wait(7_000)
    assert t.left() == (53_000, 60_000), "running time is taken off the side to move"
    t.play("g1f3", think_ms=3_000)
    assert t.left() == (55_000, 60_000)
    t.play("b8c6", think_ms=20_000)
    assert t.left() == (55_000, 45_000)


@given(
    limit_s=st.integers(1, 600),
    increment_s=st.integers(0, 10),
    thinks=st.lists(st.integers(0, 20_000), min_size=2, max_size=30),
)
def test_what_is_left_is_what_there_was_less_thought_plus_increments(
    limit_s: int, increment_s: int, thinks: list[int]
) -> None:
    t = table(time_control=Realtime(limit_s, increment_s))
    expected = {"white": limit_s * 1000, "black": limit_s * 1000}
    moves = ("g1f3", "g8f6", "f3g1", "f6g8")
    for ply, think_ms in enumerate(thinks[:15]):
        side = t.game.turn
        t.wait(think_ms)
        t.game.move(side, moves[ply % 4], t.now_ms)
        if ply >= 2:
            if think_ms >= expected[side]:
                assert t.game.status == "outoftime"
                assert t.game.ply == ply, "the late move is not played"
                return
            expected[side] += increment_s * 1000 - think_ms
        assert t.left() == (expected["white"], expected["black"])
    assert t.game.status == "started"


@pytest.mark.parametrize(("increment_s", "start_ms"), [(1, 3_000), (3, 3_000), (10, 10_000)])
def test_a_base_time_of_nothing_starts_at_the_increment_or_three_seconds(
    increment_s: int, start_ms: int
) -> None:
    t = table(time_control=Realtime(0, increment_s))
    assert t.left() == (start_ms, start_ms)
    full = t.game.full_json(t.now_ms)
    assert full["clock"] == {"initial": 0, "increment": increment_s * 1000}


def test_the_move_that_ends_the_game_earns_no_increment() -> None:
    t = table(time_control=Realtime(60, 5))
    t.play("f2f3 e7e5 g2g4")
    t.play("d8h4", think_ms=2_000)
    assert t.left() == (64_000, 58_000)


def test_a_clock_stands_still_once_the_game_is_over() -> None:
    t = table(time_control=Realtime(60, 0))
    t.play("e2e4 e7e5")
    t.wait(10_000)
    t.game.resign("black", t.now_ms)
    t.wait(30_000)
    assert t.left() == (50_000, 60_000)


def test_a_move_at_the_last_millisecond_counts_and_one_later_loses_without_an_error() -> None:
    t = table(time_control=Realtime(10, 0))
    t.play("e2e4 e7e5")
    t.play("g1f3", think_ms=9_999)
    assert t.left() == (1, 10_000)
    t.game.drain()
    t.play("b8c6", think_ms=10_000)
    (final,) = t.lines("gameState")
    assert (final["status"], final["winner"], final["btime"]) == ("outoftime", "white", 0)
    assert final["moves"] == "e2e4 e7e5 g1f3"


def test_an_illegal_move_within_the_grace_is_refused_and_after_it_loses() -> None:
    t = table(time_control=Realtime(10, 0), flag_grace_ms=2_000)
    t.play("e2e4 e7e5")
    t.wait(11_999)
    with pytest.raises(Refusal) as refused:
        t.game.move("white", "e4e6", t.now_ms)
    assert refusal_of(refused) == (400, "Piece on e4 cannot move to e6")
    t.wait(1)
    t.game.move("white", "e4e6", t.now_ms)
    assert t.result() == ("outoftime", "black")


def test_a_flag_does_not_fall_before_both_have_moved() -> None:
    t = table(time_control=Realtime(10, 0), white=BOT)
    t.game.connected("white", t.now_ms)
    t.play("e2e4")
    t.tick_after(3_600_000)
    t.play("e7e5")
    assert t.result() == ("started", None)


def test_a_bots_stream_looks_every_seven_seconds_and_leaves_the_grace() -> None:
    t = table(time_control=Realtime(10, 0), white=BOT, black=HUMAN)
    t.game.connected("white", T0 + 500)  # looks at 7.5 s, 14.5 s, 21.5 s, ...
    t.game.connected("black", T0)
    t.play("e2e4 e7e5")  # the clock runs from 2 s, the flag falls at 12 s, the grace is over at 14 s
    assert t.game.next_event_ms() == T0 + 14_500
    t.now_ms = T0 + 14_499
    t.game.tick(t.now_ms)
    assert t.result() == ("started", None)
    assert t.left() == (0, 10_000), "nobody has noticed yet"
    t.tick_after(1)
    assert t.result() == ("outoftime", "black")


def test_a_bot_that_has_just_connected_looks_after_one_period_not_at_once() -> None:
    t = table(time_control=Realtime(1, 0), white=BOT, flag_grace_ms=0)
    t.play("e2e4 e7e5")  # the flag falls at 3 s, the sweep comes at 10 s
    t.game.connected("white", T0 + 2_500)
    assert t.game.next_event_ms() == T0 + 5_000, "White is here and Black is not"
    t.game.connected("black", T0 + 2_500)
    assert t.game.next_event_ms() == T0 + 9_500


def test_between_humans_the_sweep_notices() -> None:
    t = table(time_control=Realtime(10, 0))
    t.game.connected("white", t.now_ms)
    t.play("e2e4 e7e5")
    t.now_ms = T0 + 19_999
    t.game.tick(t.now_ms)
    assert t.result() == ("started", None)
    t.tick_after(1)
    assert t.result() == ("outoftime", "black")


def test_the_grace_is_a_parameter() -> None:
    t = table(time_control=Realtime(10, 0), white=BOT, flag_grace_ms=0)
    t.game.connected("white", T0)
    t.game.connected("black", T0)
    t.play("e2e4 e7e5")  # the flag falls at 12 s
    assert t.game.next_event_ms() == T0 + 14_000
    t.play("g1f3 g8f6", think_ms=2_000)  # now at 14 s
    assert t.game.next_event_ms() == T0 + 14_000
    t.now_ms = T0 + 13_999
    t.game.tick(t.now_ms)
    assert t.result() == ("started", None)
    t.tick_after(1)
    assert t.result() == ("outoftime", "black")


def test_a_page_reports_a_flag_and_is_believed_once_the_grace_is_over() -> None:
    t = table(time_control=Realtime(10, 0))
    t.play("e2e4 e7e5")
    t.wait(11_999)
    t.game.report_flag(t.now_ms)
    assert t.result() == ("started", None)
    t.wait(1)
    t.game.report_flag(t.now_ms)
    assert t.result() == ("outoftime", "black")


def test_out_of_time_against_a_bare_king_has_no_winner() -> None:
    t = bare("7k/8/8/8/8/8/R7/K7 w - - 0 1")
    t.play("a2b2 h8g8")
    t.play("b2c2", think_ms=10**6)
    assert t.result() == ("outoftime", None)


def test_out_of_time_while_the_opponent_offers_a_draw_is_a_draw() -> None:
    t = table(time_control=Realtime(10, 0))
    t.play("e2e4 e7e5 g1f3")
    t.draw("white")
    t.game.drain()
    t.tick_after(60_000)
    assert t.result() == ("draw", None)
    assert t.said() == ["Draw offer accepted"]


def test_out_of_time_while_offering_a_draw_oneself_loses() -> None:
    t = table(time_control=Realtime(10, 0))
    t.play("e2e4 e7e5")
    t.draw("white")
    t.tick_after(60_000)
    assert t.result() == ("outoftime", "black")


def test_more_time_goes_to_the_opponent_and_is_told() -> None:
    t = table(time_control=Realtime(60, 0))
    t.play("e2e4 e7e5")
    t.game.drain()
    t.game.add_time("white", 15, t.now_ms)
    assert t.left() == (60_000, 75_000)
    assert t.said() == ["Black + 15 seconds"]
    t.game.add_time("black", 15, t.now_ms)
    (state,) = t.lines("gameState")
    assert state["wtime"] == 75_000
    assert t.game.chat_json() == [], "such lines are not kept"


@pytest.mark.parametrize(
    ("limit_s", "rules", "takebacks"), [(7_200, (), True), (60, ("noGiveTime",), True), (60, (), False)]
)
def test_no_more_time_above_two_hours_or_where_it_is_not_wanted(
    limit_s: int, rules: tuple[str, ...], takebacks: bool
) -> None:
    t = table(time_control=Realtime(limit_s, 0), rules=rules, takebacks=takebacks)
    t.game.add_time("white", 15, t.now_ms)
    assert t.game.drain() == []
    assert t.left() == (limit_s * 1000, limit_s * 1000)


def test_days_run_from_the_start_and_anew_with_each_move() -> None:
    t = table(time_control=Correspondence(2))
    t.wait(DAY_MS)
    assert t.left() == (DAY_MS, 2 * DAY_MS)
    assert "daysPerTurn" in t.game.full_json(t.now_ms)
    t.play("e2e4", think_ms=DAY_MS // 2)
    assert t.left() == (2 * DAY_MS, 2 * DAY_MS)
    t.wait(DAY_MS)
    assert t.left() == (2 * DAY_MS, DAY_MS)
    t.tick_after(DAY_MS + 10_000)
    assert t.result() == ("outoftime", "white")
    assert t.left() == (2 * DAY_MS, 0)


def test_more_time_gives_a_correspondence_turn_anew() -> None:
    t = table(time_control=Correspondence(2))
    t.play("e2e4 e7e5")
    t.wait(DAY_MS)
    t.game.drain()
    t.game.add_time("white", 15, t.now_ms)
    assert t.left() == (DAY_MS, 2 * DAY_MS), "it is White who thinks"
    assert t.game.drain() == []
    t.game.add_time("black", 15, t.now_ms)
    assert t.left() == (2 * DAY_MS, 2 * DAY_MS)
    assert len(t.lines("gameState")) == 1


def test_without_a_clock_both_always_have_the_largest_number() -> None:
    t = table(time_control=Unlimited())
    t.play("e2e4 e7e5", think_ms=DAY_MS)
    assert t.left() == (UNLIMITED_MS, UNLIMITED_MS) == (2_147_483_647, 2_147_483_647)
    t.game.add_time("white", 15, t.now_ms)
    t.tick_after(20 * DAY_MS)
    assert t.result() == ("started", None)
    assert len(t.lines("gameState")) == 2
