"""Lines of the two streams → events, on invented examples in Lichess's shapes, good and bad."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.events import (
    UNLIMITED_MS,
    Challenge,
    ChallengeCanceled,
    ChallengeDeclined,
    ChallengeReceived,
    ChatLine,
    Correspondence,
    GameFinish,
    GameFull,
    GameInfo,
    GameStart,
    GameState,
    KeepAlive,
    OpponentGone,
    Player,
    RealTime,
    Unlimited,
    Unreadable,
)
from bot.lichess.wire import parse_account_line, parse_game_info, parse_game_line
from tests.lichess.wire_lines import CHALLENGE, CHAT, FULL, GONE, START, STATE, Json, line, with_, without


def state(value: Json) -> GameState:
    parsed = parse_game_line(value)
    assert isinstance(parsed, GameState)
    return parsed


def full(value: Json) -> GameFull:
    parsed = parse_game_line(value)
    assert isinstance(parsed, GameFull)
    return parsed


def started(value: Json) -> GameInfo:
    parsed = parse_account_line(value)
    assert isinstance(parsed, GameStart)
    return parsed.game


def challenged(value: Json) -> Challenge:
    parsed = parse_account_line(value)
    assert isinstance(parsed, ChallengeReceived)
    return parsed.challenge


# --- whole events -----------------------------------------------------------------------------------------


def test_game_start() -> None:
    assert parse_account_line(line(START)) == GameStart(
        GameInfo(
            id="Qr7tUv2x",
            color="black",
            opponent=Player(id="walnut", name="Walnut", rating=1911),
            variant="standard",
            speed="rapid",
            rated=True,
            status="started",
            fen="8/8/8/4k3/8/4K3/4P3/8 b - - 3 61",
            source="friend",
            is_my_turn=True,
            has_moved=True,
            seconds_left=77,
            winner=None,
            tournament_id=None,
            bot_compatible=True,
        )
    )


def test_game_finish_has_a_winner_and_a_final_status() -> None:
    finish = with_(START, "gameFinish", "type")
    finish["game"] |= {"status": {"id": 30, "name": "mate"}, "winner": "white", "ratingDiff": -4}
    parsed = parse_account_line(line(finish))
    assert isinstance(parsed, GameFinish)
    assert (parsed.game.status, parsed.game.winner) == ("mate", "white")


def test_challenge() -> None:
    assert parse_account_line(line(CHALLENGE)) == ChallengeReceived(
        Challenge(
            id="pL4nK9sZ",
            status="created",
            challenger=Player("walnut", "Walnut", title="BOT", rating=1911, provisional=True),
            dest=Player("shifty", "Shifty", title="BOT", rating=2001),
            variant="chess960",
            rated=True,
            speed="blitz",
            time_control=RealTime(limit_s=240, increment_s=3),
            color="white",
            final_color="white",
            initial_fen="bqnb1rkr/pppppppp/5n2/8/8/5N2/PPPPPPPP/BQNB1RKR w HFhf - 2 2",
            rematch_of="aaaabbbb",
            rules=("noAbort",),
        ),
        bot_compatible=True,
    )


def test_challenge_that_went_away() -> None:
    canceled = with_(with_(CHALLENGE, "challengeCanceled", "type"), "canceled", "challenge", "status")
    parsed = parse_account_line(line(canceled))
    assert isinstance(parsed, ChallengeCanceled)
    assert (parsed.challenge.id, parsed.challenge.status) == ("pL4nK9sZ", "canceled")

    declined = with_(CHALLENGE, "challengeDeclined", "type")
    declined["challenge"] |= {"declineReason": "Too fast for me.", "declineReasonKey": "toofast"}
    answer = parse_account_line(line(declined))
    assert isinstance(answer, ChallengeDeclined)
    assert (answer.reason, answer.reason_key) == ("Too fast for me.", "toofast")


def test_game_full() -> None:
    assert parse_game_line(line(FULL)) == GameFull(
        id="Qr7tUv2x",
        variant="kingOfTheHill",
        speed="blitz",
        rated=True,
        white=Player("walnut", "Walnut", rating=1911, provisional=True),
        black=Player("shifty", "Shifty", title="BOT", rating=2001),
        initial_fen="startpos",
        state=GameState(("e2e4", "e7e5"), 179000, 178500, 2000, 2000),
        clock_initial_ms=180000,
        clock_increment_ms=2000,
        days_per_turn=None,
        created_at_ms=1751234567890,
        tournament_id="arena123",
    )


def test_game_state() -> None:
    assert parse_game_line(line(STATE)) == GameState(
        moves=("e2e4", "e7e5", "g1f3"),
        wtime_ms=65432,
        btime_ms=54321,
        winc_ms=1000,
        binc_ms=1500,
        status="draw",
        winner=None,
        wdraw=True,
        bdraw=False,
        wtakeback=False,
        btakeback=True,
        rematch="nextGame",
    )


def test_chat_and_leaving() -> None:
    assert parse_game_line(line(CHAT)) == ChatLine("spectator", "Walnut", "hello there")
    assert parse_game_line(line(GONE)) == OpponentGone(True, 11)
    assert parse_game_line(b'{"type":"opponentGone","gone":false}') == OpponentGone(False, None)


@pytest.mark.parametrize("blank", [b"", b"\n", b" \r\n", ""])
def test_blank_lines_are_signs_of_life(blank: bytes | str) -> None:
    assert parse_account_line(blank) == parse_game_line(blank) == KeepAlive()


# --- shapes that differ -----------------------------------------------------------------------------------


def test_challenges_without_sides_compat_or_clock() -> None:
    replayed = without(CHALLENGE, "compat")
    assert parse_account_line(replayed) == ChallengeReceived(challenged(CHALLENGE), bot_compatible=None)
    nobody = with_(with_(CHALLENGE, None, "challenge", "challenger"), None, "challenge", "destUser")
    assert (challenged(nobody).challenger, challenged(nobody).dest) == (None, None)
    for wire, control in (
        ({"type": "correspondence", "daysPerTurn": 3}, Correspondence(3)),
        ({"type": "unlimited"}, Unlimited()),
        ({"type": "clock", "limit": 60}, RealTime(60, 0)),
    ):
        assert challenged(with_(CHALLENGE, wire, "challenge", "timeControl")).time_control == control


def test_variants_and_speeds_of_the_future_are_kept_as_they_are_called() -> None:
    odd = with_(
        with_(CHALLENGE, {"key": "hexachess"}, "challenge", "variant"), "glacial", "challenge", "speed"
    )
    assert (challenged(odd).variant, challenged(odd).speed) == ("hexachess", "glacial")
    assert full(with_(FULL, "hexachess", "variant")).variant == "hexachess"
    # What has no name at all is not taken for standard chess when somebody asks us to play it.
    assert challenged(without(CHALLENGE, "challenge", "variant")).variant == "unknown"


def test_both_shapes_of_perf_read_the_same() -> None:
    assert started(with_(START, {"name": "Rapid"}, "game", "perf")) == started(START)
    assert full(with_(FULL, "blitz", "perf")) == full(FULL)


def test_machines_and_strangers_at_the_board() -> None:
    machine = full(with_(FULL, {"aiLevel": 3}, "white")).white
    assert machine == Player(id=None, name="Stockfish level 3", ai_level=3)
    assert machine.is_bot
    opponent = {"id": None, "username": "Stockfish level 8", "ai": 8}
    assert started(with_(START, opponent, "game", "opponent")).opponent == Player(
        id=None, name="Stockfish level 8", ai_level=8
    )
    assert full(with_(FULL, {}, "white")).white == Player(id=None, name="Anonymous")
    assert not full(with_(FULL, {}, "white")).white.is_bot


def test_times_in_every_unit_that_clients_hand_around() -> None:
    as_int = state(STATE)
    as_delta = with_(STATE, 0, "wtime")
    as_delta["wtime"] = timedelta(milliseconds=65432)
    assert state(as_delta) == as_int
    assert state(with_(STATE, 65432.9, "wtime")) == as_int
    assert state(with_(STATE, -5, "wtime")).wtime_ms == 0
    assert state(with_(STATE, 10**15, "wtime")).wtime_ms == UNLIMITED_MS
    as_delta["wtime"] = timedelta(days=3000)
    assert state(as_delta).wtime_ms == UNLIMITED_MS


@pytest.mark.parametrize("no_time", [None, True, "65432", [], float("nan"), float("inf")])
def test_a_time_that_is_none_means_no_clock(no_time: object) -> None:
    assert state(STATE | {"wtime": no_time}).wtime_ms == UNLIMITED_MS
    assert state(STATE | {"winc": no_time}).winc_ms == 0


def test_absent_and_null_fields_mean_what_their_absence_means() -> None:
    least = state({"type": "gameState", "moves": ""})
    assert least == GameState((), UNLIMITED_MS, UNLIMITED_MS, 0, 0)
    assert state({"type": "gameState", "moves": "", "winner": None, "status": None, "wdraw": None}) == least
    assert full({"type": "gameFull", "id": "abcd1234", "state": {"moves": "e2e4"}}) == GameFull(
        id="abcd1234",
        variant="standard",
        speed="unknown",
        rated=False,
        white=Player(None, "Anonymous"),
        black=Player(None, "Anonymous"),
        initial_fen="startpos",
        state=GameState(("e2e4",), UNLIMITED_MS, UNLIMITED_MS, 0, 0),
    )
    game = started({"type": "gameStart", "game": {"gameId": "abcd1234"}})
    assert (game.id, game.status, game.seconds_left, game.fen) == ("abcd1234", "started", None, None)


def test_status_as_word_or_as_object() -> None:
    assert state(with_(STATE, {"id": 30, "name": "mate"}, "status")).status == "mate"
    assert started(with_(START, "started", "game", "status")).status == "started"
    assert state(with_(STATE, "abandonedOnMars", "status")).is_over


def test_a_lone_surrogate_does_not_survive_to_break_the_log() -> None:
    parsed = parse_game_line(rb'{"type":"chatLine","room":"player","username":"x","text":"a\ud83db"}')
    assert parsed == ChatLine("player", "x", "a?b")


# --- what cannot be read --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (b"{", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"9" * 5000, "not JSON"),
        (b"[1]", "not a JSON object"),
        (b"null", "not a JSON object"),
        (b"{}", "an event of unknown type None"),
        (b'{"type":"gameStart"}', "no object in 'game'"),
        (line({"type": "somethingNew", "game": {}}), "an event of unknown type 'somethingNew'"),
        (line(without(CHALLENGE, "challenge", "id")), "no id in id"),
        (line(without(CHALLENGE, "challenge", "timeControl")), "no object in 'timeControl'"),
        (line(with_(CHALLENGE, {"type": "hourglass"}, "challenge", "timeControl")), "no time control"),
        (line(with_(CHALLENGE, {"type": "clock"}, "challenge", "timeControl")), "no time control"),
    ],
)
def test_account_lines_that_are_no_events(bad: bytes, why: str) -> None:
    parsed = parse_account_line(bad)
    assert isinstance(parsed, Unreadable)
    assert parsed.why.startswith(why)


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (b'{"type":"gameFull","id":"Qr7tUv2x","sta', "not JSON"),
        (line(without(STATE, "moves")), "no text in 'moves'"),
        (line(with_(STATE, ["e2e4"], "moves")), "no text in 'moves'"),
        (line(without(FULL, "state")), "no object in 'state'"),
        (line(without(FULL, "state", "moves")), "no text in 'moves'"),
        (line(with_(FULL, "a/b", "id")), "no id in id/gameId: 'a/b'"),
        (line(without(CHAT, "text")), "no text in 'text'"),
        (line(START), "an event of unknown type 'gameStart'"),
    ],
)
def test_game_lines_that_are_no_events(bad: bytes, why: str) -> None:
    parsed = parse_game_line(bad)
    assert isinstance(parsed, Unreadable)
    assert parsed.why.startswith(why)


def test_only_what_cannot_have_been_a_start_or_a_state_is_harmless() -> None:
    accounts = {
        b"{": False,
        b"{}": False,
        line(with_(START, None, "type")): False,
        line(without(START, "game")): False,
        line({"type": "somethingNew"}): True,
        line(without(CHALLENGE, "challenge", "id")): True,
    }
    games = {
        b"{": False,
        line(without(STATE, "type")): False,
        line(without(STATE, "moves")): False,
        line({"type": "somethingNew"}): True,
        line(without(CHAT, "text")): True,
    }
    for parse, lines in ((parse_account_line, accounts), (parse_game_line, games)):
        for odd, harmless in lines.items():
            parsed = parse(odd)
            assert isinstance(parsed, Unreadable)
            assert parsed.harmless == harmless, odd


def test_an_id_that_would_become_another_path_is_no_id() -> None:
    for odd in ("", "..", "a/b", "a b", "a%2e", "a\n", "a?b", "é", "x" * 65, 7, None):
        game = {"gameId": odd}
        assert isinstance(parse_game_info(game), Unreadable), odd
    assert isinstance(parse_game_info(["no", "object"]), Unreadable)
    assert started(with_(START, "../../account", "game", "gameId")).id == "Qr7tUv2x"  # the second one said
