"""Playing: what is refused, how games end by themselves, and what the streams hear of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.local_lichess.game import MAX_PLIES
from bot.local_lichess.refusal import Refusal
from tests.local_lichess.game_kit import AI, BOT, HUMAN, OTHER_HUMAN, WALKERS, bare, refusal_of, table, walk

SHUFFLE = "g1f3 g8f6 f3g1 f6g8"


@pytest.mark.parametrize(
    "text", ["xyz", "0000", "e2e9", "e7e8p", "E2E4", "e2-e4", "K@e4", "p@e4", "e2e4qq", ""]
)
def test_what_is_no_uci_is_refused_by_name(text: str) -> None:
    t = table()
    with pytest.raises(Refusal) as refused:
        t.game.move("white", text, t.now_ms)
    assert refusal_of(refused) == (400, f"Invalid UCI: {text}")
    assert t.game.ply == 0


@pytest.mark.parametrize(
    ("uci", "error"),
    [
        ("e2e5", "Piece on e2 cannot move to e5"),
        ("e4e5", "No piece on e4"),
        ("e7e5", "Not my piece on e7"),
        ("e2e4q", "Piece on e2 cannot promote to queen"),
        ("N@e4", "Can't drop knight on e4"),
    ],
)
def test_an_illegal_move_is_refused_and_says_why(uci: str, error: str) -> None:
    t = table()
    with pytest.raises(Refusal) as refused:
        t.game.move("white", uci, t.now_ms)
    assert refusal_of(refused) == (400, error)
    assert t.game.drain() == []


def test_only_the_side_to_move_moves() -> None:
    t = table()
    with pytest.raises(Refusal) as refused:
        t.game.move("black", "e7e5", t.now_ms)
    assert refusal_of(refused) == (400, "Not your turn, or game already over")
    t.play("e2e4")
    with pytest.raises(Refusal) as refused:
        t.game.move("white", "e2e4", t.now_ms)
    assert refusal_of(refused) == (400, "Not your turn, or game already over")


def test_after_the_end_nothing_is_possible() -> None:
    t = table()
    t.play("f2f3 e7e5 g2g4 d8h4")
    t.game.drain()
    calls: list[tuple[Callable[[], None], str]] = [
        (lambda: t.game.move("white", "a2a3", t.now_ms), "Not your turn, or game already over"),
        (lambda: t.game.abort("white", t.now_ms), "This game can no longer be aborted"),
        (lambda: t.game.resign("white", t.now_ms), "This game cannot be resigned"),
        (lambda: t.game.claim_draw("white", t.now_ms), "You cannot claim draw on this game"),
    ]
    for call, error in calls:
        with pytest.raises(Refusal) as refused:
            call()
        assert refusal_of(refused) == (400, error)
    t.draw("white")
    t.takeback("white")
    t.game.claim_victory("white", t.now_ms)
    t.game.add_time("white", 15, t.now_ms)
    t.tick_after(10**9)
    assert t.game.drain() == []
    assert t.result() == ("mate", "black")
    assert t.game.legal_moves() == []
    assert t.game.next_event_ms() is None


def test_every_move_pushes_the_whole_list_to_both() -> None:
    t = table()
    t.play("e2e4 e7e5 g1f3")
    states = t.lines("gameState")
    assert [state["moves"] for state in states] == ["e2e4", "e2e4 e7e5", "e2e4 e7e5 g1f3"]
    assert {state["status"] for state in states} == {"started"}


def test_the_move_that_ends_the_game_pushes_one_final_state() -> None:
    t = table()
    t.play("f2f3 e7e5 g2g4")
    t.game.drain()
    t.play("d8h4")
    (final,) = t.lines("gameState")
    assert final["moves"] == "f2f3 e7e5 g2g4 d8h4"
    assert (final["status"], final["winner"]) == ("mate", "black")


@pytest.mark.parametrize("moves", ["", "e2e4"])
def test_either_side_may_abort_before_both_have_moved(moves: str) -> None:
    t = table()
    t.play(moves)
    t.game.drain()
    t.game.abort("black", t.now_ms)
    (final,) = t.lines("gameState")
    assert final["status"] == "aborted"
    assert "winner" not in final


def test_with_both_moved_a_game_cannot_be_aborted() -> None:
    t = table()
    t.play("e2e4 e7e5")
    with pytest.raises(Refusal) as refused:
        t.game.abort("white", t.now_ms)
    assert refusal_of(refused) == (400, "This game can no longer be aborted")


def test_resigning_before_both_have_moved_aborts() -> None:
    t = table()
    t.play("e2e4")
    t.game.resign("white", t.now_ms)
    assert t.result() == ("aborted", None)


def test_resigning_loses_whoever_is_to_move() -> None:
    t = table()
    t.play("e2e4 e7e5")
    t.game.resign("black", t.now_ms)
    assert t.result() == ("resign", "white")


def test_no_abort_forbids_calling_off_and_resigning_too() -> None:
    t = table(rules=("noAbort",))
    for call, error in (
        (t.game.abort, "This game can no longer be aborted"),
        (t.game.resign, "This game cannot be resigned"),
    ):
        with pytest.raises(Refusal) as refused:
            call("white", t.now_ms)
        assert refusal_of(refused) == (400, error)
    t.play("e2e4 e7e5")
    t.game.resign("white", t.now_ms)
    assert t.result() == ("resign", "black")


def test_the_server_may_abort_at_any_time() -> None:
    t = table()
    t.play("e2e4 e7e5 g1f3")
    t.game.abort_by_server(t.now_ms)
    assert t.result() == ("aborted", None)
    t.game.abort_by_server(t.now_ms)
    assert len(t.lines("gameState")) == 4


def test_stalemate_has_no_winner() -> None:
    t = bare("k7/8/8/1Q6/8/8/8/7K w - - 0 1")
    t.play("b5b6")
    assert t.result() == ("stalemate", None)


def test_insufficient_material_on_both_sides_draws() -> None:
    t = bare("8/8/8/3k4/4p3/3B4/8/K7 w - - 0 1")
    assert t.result() == ("started", None)
    t.play("d3e4")
    assert t.result() == ("draw", None)


def test_the_hundredth_quiet_half_move_draws() -> None:
    t = bare("7k/8/8/8/8/8/R7/K7 w - - 98 80")
    t.play("a2b2")
    assert t.result() == ("started", None)
    t.play("h8g8")
    assert t.result() == ("draw", None)


def test_mate_on_the_hundredth_half_move_is_mate() -> None:
    t = bare("7k/8/6K1/8/8/8/R7/8 w - - 99 80")
    t.play("a2a8")
    assert t.result() == ("mate", "white")


def test_threefold_ends_a_game_with_a_bot_at_once_after_telling_of_the_move() -> None:
    t = table(white=BOT)
    t.play(SHUFFLE)
    t.play("g1f3 g8f6 f3g1")
    assert t.result() == ("started", None)
    t.game.drain()
    t.play("f6g8")
    assert t.result() == ("draw", None)
    assert [state["status"] for state in t.lines("gameState")] == ["started", "draw"]


def test_between_humans_threefold_must_be_claimed_and_fivefold_need_not() -> None:
    t = table()
    t.play(f"{SHUFFLE} {SHUFFLE} {SHUFFLE}")
    assert t.result() == ("started", None)
    t.play("g1f3 g8f6 f3g1")
    assert t.result() == ("started", None)
    t.play("f6g8")
    assert t.result() == ("draw", None)


def test_a_human_claims_threefold_by_offering_a_draw() -> None:
    t = table()
    t.play(f"{SHUFFLE} {SHUFFLE}")
    t.game.drain()
    t.draw("black")
    assert t.result() == ("draw", None)
    assert t.said() == []


def test_an_offer_of_late_claims_threefold_for_humans() -> None:
    t = table()
    t.play(SHUFFLE)
    t.draw("white")
    t.play(SHUFFLE)
    assert t.result() == ("draw", None)


def test_the_claim_is_not_heard_from_whoever_may_not_offer() -> None:
    t = table()
    t.play("e2e4 e7e5")
    t.draw("white")
    t.draw("black", yes=False)
    t.play(f"{SHUFFLE} {SHUFFLE}")
    assert t.result() == ("draw", None), "an offer within 20 plies claims by itself"


def test_a_position_with_other_castling_rights_is_another() -> None:
    t = table(white=BOT)
    t.play("e2e4 e7e5 e1e2 e8e7 e2e1 e7e8 e1e2 e8e7 e2e1 e7e8 e1e2")
    assert t.result() == ("started", None), "here for the third time, but first with Black free to castle"
    t.play("e8e7")
    assert t.result() == ("draw", None)


def test_nobody_moves_after_600_plies() -> None:
    t = bare(WALKERS)
    walk(t, MAX_PLIES + 1)
    assert (t.game.ply, t.result()) == (601, ("started", None))
    t.play(t.game.legal_moves()[0])
    assert t.result() == ("draw", None)
    assert t.game.ply == 601


def test_against_the_ai_draws_cannot_be_offered_and_takebacks_need_no_leave() -> None:
    t = table(white=BOT, black=AI, source="ai")
    t.play("e2e4 e7e5 g1f3 b8c6")
    t.game.drain()
    t.draw("white")
    assert t.game.drain() == []
    t.takeback("white")
    assert t.game.moves == ("e2e4", "e7e5")
    assert t.said() == []


def test_links_from_bots_and_strangers_in_the_players_room_are_swallowed() -> None:
    t = table(white=BOT, black=HUMAN)
    t.game.chat("MyBot", "player", "see https://example.org", t.now_ms)
    t.game.chat("Watcher", "player", "hello", t.now_ms)
    assert t.game.drain() == []
    t.game.chat("Rival", "player", "see https://example.org", t.now_ms)
    t.game.chat("Watcher", "spectator", "nice game", t.now_ms)
    t.game.chat("mybot", "player", "good luck", t.now_ms)
    lines = t.lines("chatLine")
    assert [(line["room"], line["username"], line["text"]) for line in lines] == [
        ("player", "Rival", "see https://example.org"),
        ("spectator", "Watcher", "nice game"),
        ("player", "MyBot", "good luck"),
    ]
    assert t.game.chat_json() == [
        {"text": "see https://example.org", "user": "Rival"},
        {"text": "good luck", "user": "MyBot"},
    ]


@pytest.mark.parametrize(
    ("room", "text", "field"), [("player", "", "text"), ("player", "x" * 141, "text"), ("team", "hi", "room")]
)
def test_a_bad_chat_line_is_a_form_fault(room: str, text: str, field: str) -> None:
    t = table()
    with pytest.raises(Refusal) as refused:
        t.game.chat("Rival", room, text, t.now_ms)
    assert refused.value.status == 400
    assert refused.value.body[field] == refused.value.body["error"][field]  # type: ignore[index]  # an object here
    t.game.chat("Rival", "player", "x" * 140, t.now_ms)
    assert len(t.lines("chatLine")) == 1


def test_seats_are_found_by_user_id_and_the_ai_by_none() -> None:
    t = table(white=HUMAN, black=OTHER_HUMAN)
    assert (t.game.side_of("rival"), t.game.side_of("third"), t.game.side_of("")) == ("white", "black", None)
    assert table(white=AI).game.side_of("") is None
