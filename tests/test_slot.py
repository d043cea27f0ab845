"""Slots are leases, in virtual time: whatever comes of a promise or a game too many, the slot comes back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.account import LEASE_S, RECONCILE_S, STARTED_WITHIN_S, Account
from bot.account_messages import (
    AbortAnswered,
    AbortGame,
    AcceptAnswered,
    AcceptChallenge,
    Command,
    Leave,
    LookUpGames,
    OngoingGames,
    SessionEnded,
    StartSession,
    StopRequested,
    Tick,
)
from bot.errors import (
    ConnectionTroubleError,
    LichessError,
    NotFoundError,
    RateLimitedError,
    RefusedError,
    ServerTroubleError,
)
from bot.events import ChallengeCanceled, GameInfo, GameStart, KeepAlive, Unreadable
from bot.stream_reader import StreamOpened
from tests.test_account import account, challenge, game, without_reports

# --- promises -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "error",
    [
        NotFoundError("Not found", status=404),
        RateLimitedError("slow down", retry_after_s=600.0),
        LichessError("not sent"),
    ],
)
def test_an_accept_that_failed_gives_the_slot_back_and_looks_for_the_game(error: LichessError) -> None:
    bot = account()
    bot.step(challenge("c1"), 0.0)
    assert without_reports(bot.step(AcceptAnswered("c1", error), 1.0)) == [LookUpGames()]
    assert bot.slots == {}


@pytest.mark.parametrize(
    "error", [ConnectionTroubleError("reset"), ServerTroubleError("bad gateway", status=502)]
)
def test_an_accept_that_may_have_worked_keeps_its_slot_and_is_repeated(error: LichessError) -> None:
    bot = account()
    bot.step(challenge("c1"), 0.0)
    assert without_reports(bot.step(AcceptAnswered("c1", error), 1.0)) == [LookUpGames()]
    assert list(bot.slots) == ["c1"]
    again = bot.step(Tick(), 1.0 + STARTED_WITHIN_S)
    assert again == [LookUpGames(), AcceptChallenge("c1")]
    bot.step(AcceptAnswered("c1", error), 4.5)
    assert AcceptChallenge("c1") in bot.step(Tick(), 4.5 + STARTED_WITHIN_S)
    bot.step(AcceptAnswered("c1", NotFoundError("Not found", status=404)), 8.0)
    assert bot.slots == {}


def test_an_accept_that_may_have_worked_is_not_repeated_for_ever_nor_while_draining() -> None:
    reset = ConnectionTroubleError("reset")
    bot = account()
    bot.step(challenge("c1"), 0.0)
    for now in range(1, 29):
        bot.step(AcceptAnswered("c1", reset), float(now))
    bot.step(Tick(), LEASE_S)
    assert bot.slots == {}
    bot = account()
    bot.step(challenge("c1"), 0.0)
    bot.step(AcceptAnswered("c1", reset), 1.0)
    bot.step(StopRequested(), 2.0)
    assert bot.step(Tick(), 1.0 + STARTED_WITHIN_S) == [LookUpGames()]


def test_an_accept_that_worked_though_its_answer_was_lost_is_not_repeated() -> None:
    bot = account()
    bot.step(challenge("c1"), 0.0)
    bot.step(AcceptAnswered("c1", ConnectionTroubleError("reset")), 1.0)
    bot.step(GameStart(game("c1")), 1.1)
    assert bot.step(Tick(), 1.0 + STARTED_WITHIN_S) == []


def test_an_accepted_game_whose_start_got_lost_is_asked_for_soon() -> None:
    bot = account()
    bot.step(challenge("c1"), 0.0)
    assert bot.step(AcceptAnswered("c1", None), 1.0) == []
    assert bot.next_wake() == 1.0 + STARTED_WITHIN_S
    assert bot.step(Tick(), 1.0 + STARTED_WITHIN_S) == [LookUpGames()]
    assert bot.next_wake() == LEASE_S, "asked once"
    assert StartSession(game("c1")) in bot.step(OngoingGames((game("c1"),), 4.0), 4.1)


def test_a_start_that_came_is_not_asked_for() -> None:
    bot = account()
    bot.step(challenge("c1"), 0.0)
    bot.step(AcceptAnswered("c1", None), 0.1)
    bot.step(GameStart(game("c1")), 0.2)
    assert bot.step(Tick(), 0.1 + STARTED_WITHIN_S) == []


def test_a_line_that_may_have_been_a_start_is_asked_about() -> None:
    bot = account()
    bot.step(StreamOpened(), 0.0)
    bot.step(Unreadable("an event of unknown type 'new'", harmless=True), 1.0)
    assert bot.next_wake() == RECONCILE_S
    bot.step(Unreadable("not JSON"), 2.0)
    wake = bot.next_wake()
    assert wake is not None
    assert 2.0 < wake < 5.0
    assert LookUpGames() in bot.step(Tick(), wake)


def test_a_drain_does_not_wait_for_a_promise_that_came_to_nothing() -> None:
    for end in (
        ChallengeCanceled(challenge("c1").challenge),
        AcceptAnswered("c1", NotFoundError("Not found", status=404)),
        Tick(),
    ):
        bot = account(deadline_s=900.0)
        bot.step(challenge("c1"), 0.0)
        assert without_reports(bot.step(StopRequested(), 1.0)) == []
        assert bot.step(end, LEASE_S)[-1] == Leave("stopped")
        assert Leave("stopped") not in bot.step(KeepAlive(), LEASE_S), "said once"


# --- games too many -------------------------------------------------------------------------------------

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
ONE_MOVED = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
BOTH_MOVED = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"


def one_too_many(fen: str | None) -> tuple[Account, GameInfo, list[Command]]:
    bot = account(games=1)
    bot.step(GameStart(game("g1", "a")), 0.0)
    extra = replace(game("g2", "b"), fen=fen)
    return bot, extra, without_reports(bot.step(GameStart(extra), 1.0))


@pytest.mark.parametrize("fen", [START, ONE_MOVED])
def test_a_game_too_many_is_aborted_while_that_is_possible(fen: str) -> None:
    bot, extra, commands = one_too_many(fen)
    assert commands == [AbortGame(extra)]
    assert bot.step(GameStart(extra), 1.1) == [], "replayed"
    assert bot.step(AbortAnswered(extra, None), 1.2) == []
    assert list(bot.slots) == ["g1"]
    bot.step(SessionEnded("g1", "mate"), 2.0)
    assert AcceptChallenge("c1") in bot.step(challenge("c1"), 3.0)


@pytest.mark.parametrize("fen", [BOTH_MOVED, None, "not a position"])
def test_a_game_too_many_that_has_begun_is_played(fen: str | None) -> None:
    _, extra, commands = one_too_many(fen)
    assert commands == [StartSession(extra)]


def test_a_game_too_many_that_cannot_be_aborted_is_played() -> None:
    bot, extra, _ = one_too_many(START)
    refused = RefusedError("This game can no longer be aborted", status=400)
    assert without_reports(bot.step(AbortAnswered(extra, refused), 1.2)) == [StartSession(extra)]
    assert sorted(bot.slots) == ["g1", "g2"]
    assert bot.step(AbortAnswered(extra, refused), 1.3) == []


def test_the_accepted_game_is_not_one_too_many() -> None:
    bot = account(games=1)
    bot.step(challenge("c1"), 0.0)
    start = GameStart(replace(game("c1"), fen=START))
    assert StartSession(start.game) in bot.step(start, 0.1)
