"""Lines of the two streams → events, on invented examples in Lichess's shapes, good and bad."""

from __future__ import annotations

import dataclasses
import json
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.events import (
    UNLIMITED_MS,
    AccountEvent,
    Challenge,
    ChallengeCanceled,
    ChallengeDeclined,
    ChallengeReceived,
    ChatLine,
    Correspondence,
    GameEvent,
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

Json = dict[str, Any]

START: Json = {
    "type": "gameStart",
    "game": {
        "fullId": "Qr7tUv2xab3d",
        "gameId": "Qr7tUv2x",
        "id": "Qr7tUv2x",
        "fen": "8/8/8/4k3/8/4K3/4P3/8 b - - 3 61",
        "color": "black",
        "lastMove": "e4e3",
        "source": "friend",
        "status": {"id": 20, "name": "started"},
        "variant": {"key": "standard", "name": "Standard"},
        "speed": "rapid",
        "perf": "rapid",
        "rated": True,
        "hasMoved": True,
        "opponent": {"id": "walnut", "username": "Walnut", "rating": 1911},
        "isMyTurn": True,
        "secondsLeft": 77,
        "compat": {"bot": True, "board": False},
    },
}
CHALLENGE: Json = {
    "type": "challenge",
    "challenge": {
        "id": "pL4nK9sZ",
        "url": "https://lichess.org/pL4nK9sZ",
        "status": "created",
        "challenger": {"id": "walnut", "name": "Walnut", "title": "BOT", "rating": 1911, "provisional": True},
        "destUser": {"id": "shifty", "name": "Shifty", "title": "BOT", "rating": 2001, "online": True},
        "variant": {"key": "chess960", "name": "Chess960", "short": "960"},
        "rated": True,
        "speed": "blitz",
        "timeControl": {"type": "clock", "limit": 240, "increment": 3, "show": "4+3"},
        "color": "white",
        "finalColor": "white",
        "perf": {"icon": "", "name": "Chess960"},
        "initialFen": "bqnb1rkr/pppppppp/5n2/8/8/5N2/PPPPPPPP/BQNB1RKR w HFhf - 2 2",
        "rematchOf": "aaaabbbb",
        "rules": ["noAbort", 7],
    },
    "compat": {"bot": True, "board": True},
}
FULL: Json = {
    "type": "gameFull",
    "id": "Qr7tUv2x",
    "variant": {"key": "kingOfTheHill", "name": "King of the Hill", "short": "KotH"},
    "speed": "blitz",
    "perf": {"name": "King of the Hill"},
    "rated": True,
    "createdAt": 1751234567890,
    "white": {"id": "walnut", "name": "Walnut", "title": None, "rating": 1911, "provisional": True},
    "black": {"id": "SHIFTY", "name": "Shifty", "title": "BOT", "rating": 2001},
    "initialFen": "startpos",
    "clock": {"initial": 180000, "increment": 2000},
    "tournamentId": "arena123",
    "state": {
        "type": "gameState",
        "moves": "e2e4 e7e5",
        "wtime": 179000,
        "btime": 178500,
        "winc": 2000,
        "binc": 2000,
        "status": "started",
    },
}
STATE: Json = {
    "type": "gameState",
    "moves": "e2e4 e7e5 g1f3",
    "wtime": 65432,
    "btime": 54321,
    "winc": 1000,
    "binc": 1500,
    "status": "draw",
    "wdraw": True,
    "bdraw": False,
    "btakeback": True,
    "rematch": "nextGame",
}
CHAT: Json = {"type": "chatLine", "room": "spectator", "username": "Walnut", "text": "hello there"}
GONE: Json = {"type": "opponentGone", "gone": True, "claimWinInSeconds": 11}


def line(value: object) -> bytes:
    return json.dumps(value).encode()


def without(value: Json, *path: str) -> Json:
    """A deep copy of `value` that lacks the field at `path`."""
    copy: Json = json.loads(json.dumps(value))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return copy


def with_(value: Json, new: object, *path: str) -> Json:
    copy: Json = json.loads(json.dumps(value))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = new
    return copy


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


def test_an_id_that_would_become_another_path_is_no_id() -> None:
    for odd in ("", "..", "a/b", "a b", "a%2e", "a\n", "a?b", "é", "x" * 65, 7, None):
        game = {"gameId": odd}
        assert isinstance(parse_game_info(game), Unreadable), odd
    assert isinstance(parse_game_info(["no", "object"]), Unreadable)
    assert started(with_(START, "../../account", "game", "gameId")).id == "Qr7tUv2x"  # the second one said


# --- whatever the bytes are -----------------------------------------------------------------------------

ALL = [START, with_(START, "gameFinish", "type"), CHALLENGE, FULL, STATE, CHAT, GONE]
ODD: st.SearchStrategy[object] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["white", "clock", 10**400, -1, "\ud800", {}, []]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def places(value: object, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """The paths of all fields, at every depth."""
    if not isinstance(value, dict):
        return []
    return [p for key, inner in value.items() for p in ((*path, key), *places(inner, (*path, key)))]


@st.composite
def shuffled(draw: st.DrawFn) -> Json:
    """A good event with some fields gone or of another type."""
    event: Json = json.loads(json.dumps(draw(st.sampled_from(ALL))))
    for _ in range(draw(st.integers(1, 4))):
        if not event:
            break
        path = draw(st.sampled_from(places(event)))
        if draw(st.booleans()):
            event = without(event, *path)
            continue
        inner = event
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = draw(ODD)
        if path == ("type",):
            event["type"] = draw(st.sampled_from([e["type"] for e in ALL]))
    return event


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """The bytes of a good event, cut short or with bytes replaced."""
    data = bytearray(line(draw(st.sampled_from(ALL))))
    for _ in range(draw(st.integers(0, 5))):
        data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
    return bytes(data[: draw(st.integers(0, len(data)))])


def storable(value: object) -> bool:
    """Whether a log or a database can take it, and arithmetic too."""
    match value:
        case dict():
            return all(storable(inner) for inner in value.values())
        case tuple():
            return all(storable(inner) for inner in value)
        case int():
            return abs(value) <= 2**53
        case str():
            return value.encode("utf-8", "replace").decode("utf-8") == value
    return value is None


def sound(event: AccountEvent | GameEvent) -> bool:
    """Whether everything in the event can be stored, logged and reckoned with."""
    assert storable(dataclasses.asdict(event))
    if isinstance(event, Unreadable):
        assert len(event.why.splitlines()) == 1
        assert len(event.why) < 250
    if isinstance(event, GameFull):
        return sound(event.state)
    if isinstance(event, GameState):
        assert all(
            0 <= ms <= UNLIMITED_MS for ms in (event.wtime_ms, event.btime_ms, event.winc_ms, event.binc_ms)
        )
    return True


@given(shuffled())
def test_no_shuffled_event_raises(event: Json) -> None:
    assert sound(parse_account_line(event))
    assert sound(parse_game_line(event))


@given(damaged() | st.binary())
def test_no_damaged_line_raises(data: bytes) -> None:
    assert sound(parse_account_line(data))
    assert sound(parse_game_line(data))


@given(st.integers(1, 3000))
def test_no_depth_raises(depth: int) -> None:
    deep = b'{"type":' + b'{"a":[' * depth + b"]}" * depth + b"}"
    assert isinstance(parse_account_line(deep), Unreadable)
    assert isinstance(parse_game_line(deep), Unreadable)
