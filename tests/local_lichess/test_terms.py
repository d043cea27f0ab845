"""The fields of a challenge: what is allowed, what is changed without a word, what is refused how."""

from __future__ import annotations

import chess
import pytest

from bot.local_lichess.clocks import Correspondence, Realtime, Unlimited
from bot.local_lichess.refusal import Refusal
from bot.local_lichess.terms import Terms, is_true, read_ai_level, read_terms


def blitz(**fields: str) -> dict[str, str]:
    return {
        "clock.limit": "180",
        "clock.increment": "2",
        **{k.replace("_", "."): v for k, v in fields.items()},
    }


def faults_of(form: dict[str, str]) -> object:
    with pytest.raises(Refusal) as caught:
        read_terms(form)
    assert caught.value.status == 400
    body = dict(caught.value.body)
    faults = body.pop("error")
    assert faults == body, "every fault stands twice"
    return faults


def test_defaults_are_a_casual_game_without_a_clock() -> None:
    assert read_terms({}) == Terms("standard", rated=False, color="random", time_control=Unlimited())


def test_a_clock_wins_over_days() -> None:
    assert read_terms(blitz(days="3")).time_control == Realtime(180, 2)
    assert read_terms({"days": "3"}).time_control == Correspondence(3)


@pytest.mark.parametrize("limit", ["0", "15", "30", "45", "60", "90", "120", "10800"])
def test_the_limits_lichess_allows(limit: str) -> None:
    form = {"clock.limit": limit, "clock.increment": "1"}
    assert read_terms(form).time_control == Realtime(int(limit), 1)


@pytest.mark.parametrize(
    ("form", "field"),
    [
        (blitz(clock_limit="100"), "clock.limit"),
        (blitz(clock_limit="10860"), "clock.limit"),
        (blitz(clock_limit="-60"), "clock.limit"),
        (blitz(clock_limit="fast"), "clock.limit"),
        (blitz(clock_increment="61"), "clock.increment"),
        (blitz(clock_increment="-1"), "clock.increment"),
        ({"clock.limit": "60"}, "clock.increment"),
        ({"clock.increment": "1"}, "clock.limit"),
        ({"days": "4"}, "days"),
        (blitz(color="green"), "color"),
        (blitz(variant="checkers"), "variant"),
        (blitz(rules="noAbort,noFun"), "rules"),
        (blitz(variant="fromPosition"), "global"),
        (blitz(fen="8/8/8/8 w - - 0 1"), "global"),
        (blitz(fen="8/8/8/8/8/8/8/8 w - - 0 1"), "global"),
        (blitz(fen="7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), "global"),  # stalemate: nothing left to play
        (blitz(variant="chess960", fen="r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), "global"),
        (blitz(fen="4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", rated="true"), "global"),
    ],
)
def test_a_form_at_fault_names_the_field_twice(form: dict[str, str], field: str) -> None:
    faults = faults_of(form)
    assert isinstance(faults, dict)
    assert list(faults) == [field]
    assert isinstance(faults[field], list)


def test_all_faults_are_named_at_once() -> None:
    faults = faults_of({"clock.limit": "1", "clock.increment": "99", "color": "x"})
    assert isinstance(faults, dict)
    assert set(faults) == {"clock.limit", "clock.increment", "color"}


def test_a_position_makes_a_standard_game_one_from_a_position() -> None:
    fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"
    terms = read_terms(blitz(fen=fen))
    assert (terms.variant, terms.initial_fen) == ("fromPosition", fen)
    assert read_terms(blitz(fen=chess.STARTING_FEN)) == read_terms(blitz())


def test_a_chess960_start_position_is_kept() -> None:
    fen = chess.Board.from_chess960_pos(77).fen()
    assert read_terms(blitz(variant="chess960", fen=fen)).initial_fen == fen


@pytest.mark.parametrize(
    ("form", "rated"),
    [
        (blitz(rated="true"), True),
        ({"clock.limit": "0", "clock.increment": "1", "rated": "true"}, True),
        ({"clock.limit": "15", "clock.increment": "0", "variant": "atomic", "rated": "true"}, False),
        ({"clock.limit": "0", "clock.increment": "1", "variant": "atomic", "rated": "true"}, False),
        ({"clock.limit": "60", "clock.increment": "0", "variant": "atomic", "rated": "true"}, True),
        ({"days": "1", "rated": "true"}, True),
        ({"days": "1", "variant": "atomic", "rated": "true"}, False),
        ({"rated": "true"}, False),
    ],
)
def test_a_fast_variant_and_a_clockless_game_become_casual(form: dict[str, str], rated: bool) -> None:
    assert read_terms(form).rated is rated


def test_compatibility() -> None:
    assert not Terms(time_control=Realtime(15)).bot_compatible
    assert Terms(time_control=Realtime(30)).bot_compatible
    assert Terms(time_control=Realtime(0, 1)).bot_compatible
    assert not Terms(time_control=Realtime(60)).board_compatible
    assert Terms(time_control=Realtime(180)).board_compatible
    assert Terms().bot_compatible


@pytest.mark.parametrize("text", ["yes", "true", "1", "on", "True"])
def test_true(text: str) -> None:
    assert is_true(text)


@pytest.mark.parametrize("text", ["no", "false", "0", "", None, "y"])
def test_anything_else_is_false(text: str | None) -> None:
    assert not is_true(text)


def test_the_level_of_the_ai() -> None:
    assert read_ai_level({"level": "3"}) == 3
    for form in ({}, {"level": "9"}, {"level": "0"}, {"level": "strong"}):
        with pytest.raises(Refusal) as caught:
            read_ai_level(form)
        assert "level" in caught.value.body
