"""The ledger of the account, in virtual time: slots are leases, and Lichess outranks us."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.account import LEASE_S, RECONCILE_PLAYING_S, RECONCILE_S, Account
from bot.account_messages import (
    AcceptAnswered,
    AcceptChallenge,
    Command,
    DeclineChallenge,
    Leave,
    LookUpGames,
    OngoingGames,
    RemindSession,
    Report,
    SessionEnded,
    StartSession,
    StopRequested,
    TellSession,
    Tick,
    TokenRefused,
)
from bot.errors import ConnectionTroubleError, NotAllowedError
from bot.events import (
    Challenge,
    ChallengeCanceled,
    ChallengeReceived,
    GameFinish,
    GameInfo,
    GameStart,
    KeepAlive,
    Player,
    RealTime,
    Unreadable,
)
from bot.settings import ChallengeSettings, GameSettings
from bot.stream_reader import ReaderDied, StreamLost, StreamOpened, StreamRefused


def account(*, games: int = 2, deadline_s: float = 60.0) -> Account:
    settings = GameSettings(max_simultaneous=games, max_per_opponent=1)
    return Account("knight", ChallengeSettings(), settings, deadline_s)


def challenge(challenge_id: str, who: str = "rival") -> ChallengeReceived:
    return ChallengeReceived(
        Challenge(
            id=challenge_id,
            status="created",
            challenger=Player(who, who.title(), None, 1500),
            dest=Player("knight", "Knight", "BOT", 1500),
            variant="standard",
            rated=False,
            speed="blitz",
            time_control=RealTime(180, 2),
        )
    )


def game(game_id: str, who: str = "rival", *, compatible: bool | None = True) -> GameInfo:
    return GameInfo(
        game_id,
        "white",
        Player(who, who.title()),
        "standard",
        "blitz",
        False,
        "started",
        bot_compatible=compatible,
    )


def without_reports(commands: Sequence[Command]) -> list[Command]:
    return [command for command in commands if not isinstance(command, Report)]


def test_a_welcome_challenge_is_accepted_and_its_slot_reserved() -> None:
    bot = account()
    assert without_reports(bot.step(challenge("c1"), 0.0)) == [AcceptChallenge("c1")]
    assert list(bot.slots) == ["c1"]


def test_a_replayed_challenge_is_not_accepted_twice() -> None:
    bot = account()
    bot.step(challenge("c1"), 0.0)
    assert bot.step(challenge("c1"), 1.0) == []


def test_challenges_beyond_the_slots_are_declined_for_later() -> None:
    bot = account(games=2)
    for number in range(2):
        bot.step(challenge(f"c{number}", f"rival{number}"), 0.0)
    assert without_reports(bot.step(challenge("c3", "third"), 0.0)) == [DeclineChallenge("c3", "later")]


def test_a_second_game_with_the_same_opponent_is_declined_for_later() -> None:
    bot = account()
    bot.step(GameStart(game("g1", "rival")), 0.0)
    assert without_reports(bot.step(challenge("c1", "rival"), 0.0)) == [DeclineChallenge("c1", "later")]


def test_a_challenge_of_our_own_keeps_a_slot_for_its_game() -> None:
    ledger = account(games=1)
    ledger.step(challenge("c1", "knight"), 0.0)
    assert isinstance(ledger.step(challenge("c2"), 1.0)[-1], DeclineChallenge)
    commands = without_reports(ledger.step(GameStart(game("c1")), 2.0))
    assert [type(command) for command in commands] == [StartSession]  # in that slot: it is not one too many


def test_a_challenge_of_our_own_that_comes_to_nothing_gives_the_slot_back_quietly() -> None:
    ledger = account(games=1)
    ledger.step(challenge("c1", "knight"), 0.0)
    assert ledger.step(Tick(), LEASE_S) == []
    assert without_reports(ledger.step(challenge("c2"), LEASE_S + 1)) == [AcceptChallenge("c2")]


def test_a_token_that_is_good_no_longer_ends_the_service() -> None:
    refused = TokenRefused(NotAllowedError("ongoing games: HTTP 401, No such token", status=401))
    report, leave = account().step(refused, 0.0)
    assert isinstance(report, Report)
    assert "No such token" in report.text
    assert leave == Leave("not_allowed")


def test_the_accepted_challenge_becomes_the_game_in_the_same_slot() -> None:
    bot = account()
    bot.step(challenge("c1"), 0.0)
    bot.step(AcceptAnswered("c1", None), 0.1)
    assert without_reports(bot.step(GameStart(game("c1")), 0.2)) == [StartSession(game("c1"))]
    assert list(bot.slots) == ["c1"]
    assert bot.step(Tick(), 10 * LEASE_S) == []


def test_accepted_but_never_started_gives_the_slot_back() -> None:
    bot = account()
    bot.step(challenge("c1"), 0.0)
    assert bot.next_wake() == LEASE_S
    assert without_reports(bot.step(Tick(), LEASE_S)) == [LookUpGames()]
    assert bot.slots == {}


def test_a_late_failed_answer_does_not_take_the_slot_of_a_running_game() -> None:
    bot = account()
    bot.step(challenge("c1"), 0.0)
    bot.step(GameStart(game("c1")), 0.5)
    bot.step(AcceptAnswered("c1", ConnectionTroubleError("reset")), 1.0)
    assert list(bot.slots) == ["c1"]


def test_a_canceled_challenge_gives_the_slot_back_but_not_that_of_a_game() -> None:
    bot = account()
    bot.step(challenge("c1"), 0.0)
    bot.step(ChallengeCanceled(challenge("c1").challenge), 0.1)
    assert bot.slots == {}
    bot.step(GameStart(game("c2")), 0.2)
    bot.step(ChallengeCanceled(challenge("c2").challenge), 0.3)
    assert list(bot.slots) == ["c2"]


def test_a_replayed_start_starts_nothing_twice() -> None:
    bot = account()
    assert StartSession(game("g1")) in bot.step(GameStart(game("g1")), 0.0)
    assert bot.step(GameStart(game("g1")), 1.0) == []


def test_a_game_that_bots_cannot_play_is_left_alone() -> None:
    bot = account()
    assert without_reports(bot.step(GameStart(game("g1", compatible=False)), 0.0)) == []
    assert bot.slots == {}


def test_games_beyond_the_slots_are_played_all_the_same() -> None:
    bot = account(games=1)
    bot.step(GameStart(game("g1", "a")), 0.0)
    assert StartSession(game("g2", "b")) in bot.step(GameStart(game("g2", "b")), 0.0)


def test_the_end_of_a_session_frees_the_slot() -> None:
    bot = account(games=1)
    bot.step(GameStart(game("g1")), 0.0)
    bot.step(SessionEnded("g1", "mate"), 5.0)
    assert bot.slots == {}
    assert AcceptChallenge("c1") in bot.step(challenge("c1"), 6.0)


def test_a_session_that_failed_is_looked_for_again() -> None:
    bot = account()
    bot.step(StreamOpened(), 0.0)
    bot.step(GameStart(game("g1")), 0.0)
    bot.step(SessionEnded("g1", "failed"), 10.0)
    wake = bot.next_wake()
    assert wake is not None
    assert 10.0 < wake < 20.0
    assert LookUpGames() in bot.step(Tick(), wake)


def test_the_finish_on_the_event_stream_is_passed_on_to_the_session() -> None:
    bot = account()
    assert bot.step(GameFinish(game("unknown")), 0.0) == []
    bot.step(GameStart(game("g1")), 0.0)
    assert bot.step(GameFinish(game("g1")), 1.0) == [TellSession("g1", "started", sure=True)]


def test_a_rematch_is_accepted_while_the_session_of_the_game_before_it_is_still_ending() -> None:
    bot = account(games=1)
    bot.step(GameStart(game("g1", "rival")), 0.0)
    bot.step(GameFinish(game("g1", "rival")), 1.0)
    assert AcceptChallenge("c1") in bot.step(challenge("c1", "rival"), 1.0)
    bot.step(SessionEnded("g1", "mate"), 1.1)
    assert list(bot.slots) == ["c1"]


def test_every_connection_and_a_slow_timer_reconcile() -> None:
    bot = account()
    assert LookUpGames() in bot.step(StreamOpened(), 0.0)
    assert bot.next_wake() == RECONCILE_S
    assert LookUpGames() in bot.step(Tick(), RECONCILE_S)
    assert bot.next_wake() == 2 * RECONCILE_S


def test_a_game_nobody_plays_is_picked_up_and_one_no_longer_listed_is_asked_about() -> None:
    bot = account(games=4)
    bot.step(GameStart(game("old")), 0.0)
    bot.step(GameStart(game("young")), 20.0)
    commands = bot.step(OngoingGames((game("missed"),), asked_at=10.0), 30.0)
    assert without_reports(commands) == [
        StartSession(game("missed")),
        TellSession("old", "unknownFinish", sure=False),
    ]


def test_while_a_game_is_played_the_timer_is_not_so_slow() -> None:
    bot = account()
    bot.step(StreamOpened(), 0.0)
    bot.step(GameStart(game("g1")), 100.0)
    assert bot.next_wake() == 100.0 + RECONCILE_PLAYING_S
    assert LookUpGames() in bot.step(Tick(), 120.0)
    bot.step(StreamOpened(), 130.0)
    assert bot.next_wake() == 130.0 + RECONCILE_PLAYING_S
    bot.step(SessionEnded("g1", "mate"), 140.0)
    assert LookUpGames() in bot.step(Tick(), 150.0)
    assert bot.next_wake() == 150.0 + RECONCILE_S


def test_a_session_is_reminded_of_its_move_and_nobody_else() -> None:
    bot = account(games=4)
    for name in ("mine", "theirs"):
        bot.step(GameStart(game(name)), 0.0)
    bot.step(challenge("promised"), 5.0)
    listed = (replace(game("mine"), is_my_turn=True), game("theirs"))
    commands = bot.step(OngoingGames(listed, asked_at=10.0), 10.1)
    assert without_reports(commands) == [RemindSession("mine", 10.0)]


def test_a_list_that_was_cut_says_nothing_of_games_that_are_not_on_it() -> None:
    bot = account()
    bot.step(GameStart(game("old")), 0.0)
    many = tuple(game(f"g{number}", f"rival{number}") for number in range(50))
    commands = bot.step(OngoingGames(many, asked_at=10.0), 10.0)
    assert not any(isinstance(command, TellSession) for command in commands)


def test_stop_with_no_game_leaves_at_once() -> None:
    assert without_reports(account().step(StopRequested(), 0.0)) == [Leave("stopped")]


def test_stop_drains_and_declines_and_leaves_with_the_last_game() -> None:
    bot = account()
    bot.step(GameStart(game("g1")), 0.0)
    assert without_reports(bot.step(StopRequested(), 1.0)) == []
    assert without_reports(bot.step(challenge("c1", "other"), 2.0)) == [DeclineChallenge("c1", "later")]
    assert bot.step(SessionEnded("g1", "mate"), 3.0) == [Leave("stopped")]


def test_the_drain_ends_at_its_deadline_and_a_second_signal_ends_it_at_once() -> None:
    bot = account(deadline_s=60.0)
    bot.step(GameStart(game("g1")), 0.0)
    bot.step(StopRequested(), 1.0)
    assert without_reports(bot.step(Tick(), 60.9)) == []
    assert Leave("stopped") in bot.step(Tick(), 61.0)
    bot = account()
    bot.step(GameStart(game("g1")), 0.0)
    bot.step(StopRequested(), 1.0)
    assert Leave("stopped") in bot.step(StopRequested(), 1.1)


def test_a_refused_stream_is_not_allowed_and_a_dead_reader_is_a_failure() -> None:
    refused = StreamRefused(NotAllowedError("No such token", status=401))
    assert Leave("not_allowed") in account().step(refused, 0.0)
    assert Leave("failed") in account().step(ReaderDied("KeyError"), 0.0)


def test_a_second_copy_elsewhere_is_recognised_by_the_stream_being_taken_over() -> None:
    bot = account()
    ended = StreamLost("the server ended it", 1.0, ended_by_server=True)
    said = [len(bot.step(ended, now)) for now in (0.0, 100.0, 200.0, 300.0, 400.0, 500.0)]
    assert said == [1, 1, 2, 1, 1, 2], "said, but not with every loss"
    bot = account()
    seldom = [len(bot.step(ended, now)) for now in (0.0, 400.0, 800.0, 1200.0)]
    assert seldom == [1, 1, 1, 1]
    broken = [len(bot.step(StreamLost("reset", 1.0), now)) for now in (2000.0, 2001.0, 2002.0)]
    assert broken == [1, 1, 1]


def test_odd_lines_and_lost_streams_are_said_and_change_nothing() -> None:
    bot = account()
    for message in (Unreadable("not JSON"), StreamLost("reset", 1.5)):
        (report,) = bot.step(message, 0.0)
        assert isinstance(report, Report)
        assert report.level == "warning"
    assert bot.step(KeepAlive(), 0.0) == []
    assert bot.slots == {}
