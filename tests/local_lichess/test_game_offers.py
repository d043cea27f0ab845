"""Draw and takeback manners."""

from __future__ import annotations

import pytest

from bot.local_lichess.clocks import Realtime
from bot.local_lichess.refusal import Refusal
from tests.local_lichess.game_kit import WALKERS, bare, table, walk

OPENING = "e2e4 e7e5"
SHUFFLE = "g1f3 g8f6 f3g1 f6g8"


def test_an_offer_is_told_in_both_rooms_and_pushed() -> None:
    t = table()
    t.play(OPENING)
    t.game.drain()
    t.draw("white")
    emitted = [e.line for e in t.game.drain()]
    assert [(line["type"], line.get("room"), line.get("username"), line.get("text")) for line in emitted] == [
        ("chatLine", "spectator", "lichess", "White offers draw"),
        ("chatLine", "player", "lichess", "White offers draw"),
        ("gameState", None, None, None),
    ]
    assert emitted[-1]["wdraw"] is True
    assert "bdraw" not in emitted[-1]


def test_accepting_draws_by_agreement() -> None:
    t = table()
    t.play(OPENING)
    t.draw("white")
    t.game.drain()
    t.draw("black")
    assert t.result() == ("draw", None)
    assert t.said() == ["Draw offer accepted"]


@pytest.mark.parametrize("moves", ["", "e2e4"])
def test_before_both_have_moved_offers_are_ignored(moves: str) -> None:
    t = table()
    t.play(moves)
    t.game.drain()
    t.draw("white")
    t.draw("black")
    assert t.game.drain() == []


def test_declining_is_said_but_no_state_is_pushed() -> None:
    t = table()
    t.play(OPENING)
    t.draw("white")
    t.game.drain()
    t.draw("black", yes=False)
    assert [e.line["type"] for e in t.game.drain()] == ["chatLine", "chatLine"]
    assert "wdraw" not in t.state()


def test_withdrawing_ones_own_offer() -> None:
    t = table()
    t.play(OPENING)
    t.draw("white")
    t.game.drain()
    t.draw("white", yes=False)
    assert t.said() == ["Draw offer canceled"]
    t.draw("black")
    assert t.result() == ("started", None), "nothing is left to accept"


def test_moving_declines_the_opponents_offer_and_keeps_ones_own() -> None:
    t = table()
    t.play(OPENING)
    t.draw("black")
    t.play("g1f3")
    assert "bdraw" not in t.state()
    assert "White declines draw" in t.said()
    t.play("b8c6")
    t.draw("white")
    t.play("f1b5")
    assert t.state()["wdraw"] is True


def test_a_side_offers_again_only_after_twenty_plies() -> None:
    t = table()
    t.play(OPENING)
    t.draw("white")
    t.draw("black", yes=False)
    quiet = (
        "a2a3 a7a6 b2b3 b7b6 c2c3 c7c6 d2d3 d7d6 f2f3 f7f6 g2g3 g7g6 h2h3 h7h6 a3a4 a6a5 h3h4 h6h5 c3c4 c6c5"
    )
    t.play(quiet)
    assert t.game.ply == 22
    t.draw("white")
    assert "wdraw" not in t.state()
    t.draw("black")
    assert t.state()["bdraw"] is True, "the other side is free to"
    t.play("g1e2")
    t.draw("white")
    assert t.state()["wdraw"] is True


def test_no_early_draw_waits_for_ply_sixty() -> None:
    t = table(variant="fromPosition", initial_fen=WALKERS, rules=("noEarlyDraw",))
    walk(t, 59)
    t.draw("black")
    assert "bdraw" not in t.state()
    walk(t, 60)
    t.draw("black")
    assert t.state()["bdraw"] is True


def test_offering_when_the_opponent_cannot_mate_ends_the_game() -> None:
    t = bare("7k/8/8/8/8/8/R7/K7 w - - 0 1")
    t.play("a2b2 h8g8")
    t.draw("black")
    assert t.result() == ("started", None), "the other side can mate"
    t.draw("black", yes=False)
    t.draw("white")
    assert t.result() == ("insufficientMaterialClaim", None)


def test_a_move_with_an_offer_offers_and_is_played() -> None:
    t = table()
    t.play(OPENING)
    t.game.drain()
    t.game.move("white", "g1f3", t.now_ms, offering_draw=True)
    states = t.lines("gameState")
    assert [(state["moves"], state["wdraw"]) for state in states] == [
        ("e2e4 e7e5", True),
        ("e2e4 e7e5 g1f3", True),
    ]


def test_a_move_with_an_offer_accepts_one_instead() -> None:
    t = table()
    t.play(OPENING)
    t.draw("black")
    t.game.move("white", "g1f3", t.now_ms, offering_draw=True)
    assert t.result() == ("draw", None)
    assert t.game.moves == ("e2e4", "e7e5")


def test_an_illegal_move_with_an_offer_has_offered_all_the_same() -> None:
    t = table()
    t.play(OPENING)
    with pytest.raises(Refusal):
        t.game.move("white", "e4e6", t.now_ms, offering_draw=True)
    assert t.state()["wdraw"] is True


def test_a_first_move_with_an_offer_is_just_a_move() -> None:
    t = table()
    t.game.move("white", "e2e4", t.now_ms, offering_draw=True)
    assert t.game.moves == ("e2e4",)
    assert "wdraw" not in t.state()


# --- takebacks ----------------------------------------------------------------------------------------------


def test_a_takeback_proposed_after_ones_own_move_takes_back_one() -> None:
    t = table(time_control=Realtime(60, 0))
    t.play(OPENING)
    t.play("g1f3", think_ms=5_000)
    t.game.drain()
    t.takeback("white")
    (proposal,) = t.lines("gameState")
    assert proposal["wtakeback"] is True
    t.takeback("white")
    assert t.game.drain() == [], "it is on the table already"
    t.wait(2_000)
    t.takeback("black")
    (state,) = t.lines("gameState")
    assert state["moves"] == "e2e4 e7e5"
    assert "wtakeback" not in state
    assert (state["wtime"], state["btime"]) == (55_000, 60_000), "White's five seconds are not given back"
    assert t.game.turn == "white"
    assert t.game.fen.split()[0] == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"


def test_a_takeback_proposed_on_ones_turn_takes_back_two() -> None:
    t = table(time_control=Realtime(60, 0))
    t.play(OPENING)
    t.play("g1f3 b8c6", think_ms=5_000)
    t.takeback("white")
    t.game.drain()
    t.takeback("black")
    assert t.game.moves == ("e2e4", "e7e5")
    assert t.game.turn == "white"
    t.wait(4_000)
    assert t.left() == (51_000, 55_000), "the clock of the side to move runs on"
    assert t.said() == ["Takeback accepted"]
    assert t.game.chat_json() == [{"text": "Takeback accepted", "user": "lichess"}]


def test_a_game_can_be_taken_back_to_its_start_and_played_again() -> None:
    t = table()
    t.play(OPENING)
    t.takeback("white")
    t.takeback("black")
    assert t.game.ply == 0
    t.play("d2d4 d7d5 c2c4")
    assert t.game.moves == ("d2d4", "d7d5", "c2c4")
    assert len(t.game.clock_history_ms) == 3


def test_before_both_have_moved_nothing_can_be_taken_back() -> None:
    t = table()
    t.play("e2e4")
    t.game.drain()
    t.takeback("white")
    assert t.game.drain() == []


@pytest.mark.parametrize("source", ["arena", "swiss", "simul"])
def test_no_takebacks_in_tournaments(source: str) -> None:
    t = table(source=source)
    t.play(OPENING)
    t.game.drain()
    t.takeback("white")
    assert t.game.drain() == []


def test_no_takebacks_where_a_preference_forbids_them() -> None:
    t = table(takebacks=False)
    t.play(OPENING)
    t.game.drain()
    t.takeback("white")
    assert t.game.drain() == []


@pytest.mark.parametrize(
    ("answering", "text"), [("black", "Takeback declined"), ("white", "Takeback canceled")]
)
def test_turning_a_takeback_down_pushes_a_state(answering: str, text: str) -> None:
    t = table()
    t.play(OPENING)
    t.takeback("white")
    t.game.drain()
    t.takeback("black" if answering == "black" else "white", yes=False)
    emitted = [e.line for e in t.game.drain()]
    assert [line["type"] for line in emitted] == ["chatLine", "chatLine", "gameState"]
    assert emitted[0]["text"] == text
    assert "wtakeback" not in emitted[-1]
    assert {"text": text, "user": "lichess"} not in t.game.chat_json()


def test_moving_turns_the_opponents_takeback_down() -> None:
    t = table()
    t.play(OPENING)
    t.play("g1f3")
    t.takeback("white")
    t.game.drain()
    t.play("b8c6")
    states = t.lines("gameState")
    assert [(state["moves"], "wtakeback" in state) for state in states] == [
        ("e2e4 e7e5 g1f3 b8c6", True),
        ("e2e4 e7e5 g1f3 b8c6", False),
    ]


def test_refused_takebacks_are_throttled_by_ten_seconds_times_the_square() -> None:
    t = table()
    t.play(OPENING)
    for refusals in (1, 2, 3):
        t.takeback("white")
        t.takeback("black", yes=False)
        t.game.drain()
        t.wait(10_000 * refusals**2)
        t.takeback("white")
        assert t.game.drain() == [], f"too early after refusal {refusals}"
        t.wait(1)
    t.takeback("white")
    assert t.state()["wtakeback"] is True
    t.takeback("black")
    t.play("e2e4 e7e5 g1f3")
    t.takeback("white")
    assert t.state()["wtakeback"] is True, "an accepted one makes the past forgotten"


def test_a_repetition_taken_back_has_not_occurred() -> None:
    t = table()
    t.play(f"{SHUFFLE} {SHUFFLE}")
    assert t.game.occurrences() == 3
    t.takeback("black")
    t.takeback("white")
    t.play("f6g8")
    assert t.game.occurrences() == 3
