"""What the server notices by itself: absence, first moves that do not come, and games nobody plays."""

from __future__ import annotations

import pytest

from bot.local_lichess.clocks import DAY_MS, Correspondence, Realtime, TimeControl, Unlimited
from bot.local_lichess.refusal import Refusal
from tests.local_lichess.game_kit import AI, BOT, HUMAN, T0, Table, refusal_of, table

LONG = Realtime(600, 0)  # rapid: patience is doubled
BLITZ = Realtime(300, 0)


def away(
    time_control: TimeControl = BLITZ,
    *,
    moves: str = "e2e4 e7e5",
    variant: str = "standard",
    rules: tuple[str, ...] = (),
    source: str = "friend",
    left: bool = False,
) -> Table:
    """A game in which White is here, and Black has gone away right after the last of `moves`."""
    t = table(white=BOT, time_control=time_control, variant=variant, rules=rules, source=source)
    t.game.connected("white", t.now_ms)
    t.game.connected("black", t.now_ms)
    t.play(moves)
    t.game.disconnected("black", t.now_ms, left=left)
    t.game.drain()
    return t


def countdown(t: Table, seconds: int) -> list[tuple[int, object]]:
    """What White hears of Black's absence, ticking every 100 ms: (seconds from now, claimWinInSeconds)."""
    heard = []
    start_ms = t.now_ms
    for _ in range(seconds * 10):
        t.tick_after(100)
        heard += [
            ((t.now_ms - start_ms) // 1000, line["claimWinInSeconds"])
            for line in t.lines("opponentGone", to="white")
        ]
    return heard


def test_the_countdown_is_told_every_five_seconds_once_it_has_been_away_for_five() -> None:
    t = away(moves="e2e4 e7e5 g1f3")  # away from 3 s on, looked at 5 s, 10 s, 15 s, ...
    assert countdown(t, 45) == [(7, 33), (12, 28), (17, 23), (22, 18), (27, 13), (32, 8), (37, 3), (42, 0)]
    assert t.result() == ("started", None)


@pytest.mark.parametrize(
    ("time_control", "first"), [(LONG, 73), (Realtime(1800, 0), 113), (Realtime(60, 0), 33), (BLITZ, 33)]
)
def test_patience_is_longer_in_slower_games(time_control: TimeControl, first: int) -> None:
    t = away(time_control, moves="e2e4 e7e5 g1f3")
    assert countdown(t, 10)[0] == (7, first)


def test_patience_is_short_with_whoever_left_on_purpose() -> None:
    t = away(moves="e2e4 e7e5 g1f3", left=True)
    assert countdown(t, 13) == [(2, 8), (7, 3), (12, 0)]


def test_patience_is_a_third_with_whoever_is_lost() -> None:
    down_a_queen = "e2e4 d7d5 e4d5 d8d5 b1c3 a7a6 c3d5"
    t = away(moves=down_a_queen)
    assert countdown(t, 9)[0] == (8, 5)  # a third of 40 s


def test_material_says_nothing_in_antichess() -> None:
    t = away(moves="e2e3 b7b5 f1b5 c8a6 b5a6", variant="antichess")
    assert countdown(t, 10) == [(10, 30)]


def test_a_countdown_the_clock_will_not_outlive_is_not_told() -> None:
    t = away(Realtime(40, 0), moves="e2e4 e7e5 g1f3")
    assert countdown(t, 30) == [], "40 s on the clock against 40 s of patience and 3 s more"
    ahead = away(Realtime(60, 0), moves="e2e4 e7e5 g1f3")
    assert countdown(ahead, 10)[0] == (7, 33)


def test_nothing_is_told_when_both_are_away_or_nobody_is() -> None:
    t = away(moves="e2e4 e7e5 g1f3")
    t.game.disconnected("white", t.now_ms)
    assert countdown(t, 60) == []
    here = away(moves="e2e4 e7e5 g1f3")
    here.game.connected("black", here.now_ms)
    assert countdown(here, 60) == []


def test_who_comes_back_in_time_is_not_announced_and_later_is() -> None:
    t = away(moves="e2e4 e7e5 g1f3")
    countdown(t, 30)
    t.game.connected("black", t.now_ms)
    assert t.game.drain() == []
    t.game.disconnected("black", t.now_ms)
    countdown(t, 50)
    t.game.connected("black", t.now_ms)
    (emitted,) = t.game.drain()
    assert (emitted.to, emitted.line) == ("white", {"type": "opponentGone", "gone": False})


def test_one_of_two_streams_is_enough_to_be_here() -> None:
    t = away(moves="e2e4 e7e5 g1f3")
    t.game.connected("black", t.now_ms)
    t.game.connected("black", t.now_ms)
    t.game.disconnected("black", t.now_ms)
    assert countdown(t, 60) == []
    t.game.disconnected("black", t.now_ms)
    assert countdown(t, 60) != []
    with pytest.raises(ValueError, match="more often"):
        t.game.disconnected("black", t.now_ms)


def test_whoever_never_came_is_away_from_the_start() -> None:
    t = table(white=BOT, time_control=BLITZ)
    t.game.connected("white", t.now_ms)
    t.play("e2e4 e7e5 g1f3", think_ms=15_000)
    t.game.drain()
    assert countdown(t, 5) == [(0, 0), (5, 0)]
    t.game.claim_victory("white", t.now_ms)
    assert t.result() == ("timeout", "white")


def test_victory_is_granted_once_the_countdown_has_run_out() -> None:
    t = away(moves="e2e4 e7e5 g1f3")
    t.wait(39_999)
    with pytest.raises(Refusal) as refused:
        t.game.claim_victory("white", t.now_ms)
    assert refusal_of(refused) == (400, "You cannot claim the win on this game")
    t.wait(1)
    t.game.claim_victory("white", t.now_ms)
    assert t.result() == ("timeout", "white")
    (final,) = t.lines("gameState")
    assert (final["status"], final["winner"]) == ("timeout", "white")


def test_on_ones_own_turn_a_claim_does_nothing() -> None:
    t = away(moves="e2e4 e7e5")
    t.wait(60_000)
    t.game.claim_victory("white", t.now_ms)
    assert t.result() == ("started", None)
    with pytest.raises(Refusal) as refused:
        t.game.claim_draw("white", t.now_ms)
    assert refusal_of(refused) == (400, "You cannot claim draw on this game")


def test_a_draw_can_be_claimed_instead() -> None:
    t = away(moves="e2e4 e7e5 g1f3")
    with pytest.raises(Refusal):
        t.game.claim_draw("white", t.now_ms)
    t.wait(40_000)
    t.game.claim_draw("white", t.now_ms)
    assert t.result() == ("timeout", None)


def test_a_claim_without_mating_material_wins_nothing() -> None:
    t = table(variant="fromPosition", initial_fen="7k/8/8/8/8/8/r7/7K w - - 0 1", time_control=BLITZ)
    t.play("h1g1 a2b2 g1h1")
    t.wait(60_000)
    t.game.claim_victory("white", t.now_ms)
    assert t.result() == ("timeout", None)


@pytest.mark.parametrize(
    "t",
    [
        away(rules=("noClaimWin",), moves="e2e4 e7e5 g1f3"),
        away(source="swiss", moves="e2e4 e7e5 g1f3"),
        away(Unlimited(), moves="e2e4 e7e5 g1f3"),
        away(Correspondence(1), moves="e2e4 e7e5 g1f3"),
        away(moves="e2e4"),
    ],
    ids=["noClaimWin", "swiss", "unlimited", "correspondence", "unplayed"],
)
def test_where_nobody_can_claim_nobody_is_told_either(t: Table) -> None:
    assert countdown(t, 60) == []
    t.game.claim_victory("white", t.now_ms)
    assert t.result() == ("started", None)


def test_the_ai_is_always_here() -> None:
    t = table(white=BOT, black=AI, time_control=BLITZ, source="ai")
    t.game.connected("white", t.now_ms)
    t.play("e2e4 e7e5 g1f3")
    t.game.drain()
    assert countdown(t, 60) == []
    assert t.game.presence["black"].is_here


@pytest.mark.parametrize(
    ("source", "limit_s", "variant", "seconds"),
    [
        ("lobby", 15, "standard", 15),
        ("lobby", 60, "standard", 20),
        ("lobby", 180, "standard", 25),
        ("pool", 600, "standard", 30),
        ("lobby", 1800, "standard", 35),
        ("lobby", 180, "chess960", 31.25),
        ("arena", 180, "standard", 21),
    ],
)
def test_first_moves_are_waited_for_by_speed(source: str, limit_s: int, variant: str, seconds: float) -> None:
    fen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1" if variant == "chess960" else None
    t = table(source=source, time_control=Realtime(limit_s, 0), variant=variant, initial_fen=fen)
    wait_ms = int(seconds * 1000)
    t.wait(4_000)
    assert t.state()["expiration"] == {"idleMillis": 4_000, "millisToMove": wait_ms}
    t.now_ms = T0 + wait_ms - 1
    t.game.tick(t.now_ms)
    assert t.result() == ("started", None)
    t.tick_after(1)
    assert t.game.is_over


def test_without_a_first_move_a_lobby_game_is_aborted_with_a_word() -> None:
    t = table(source="lobby")
    t.play("e2e4")
    t.tick_after(24_999)
    assert t.result() == ("started", None), "each first move has its own time"
    t.game.drain()
    t.tick_after(1)
    assert t.result() == ("aborted", None)
    assert t.said() == ["Game aborted by server"]


@pytest.mark.parametrize(("moves", "winner"), [("", "black"), ("e2e4", "white")])
@pytest.mark.parametrize(("source", "rules"), [("arena", ()), ("lobby", ("noAbort",))])
def test_the_sluggard_loses_where_nobody_may_back_out(
    moves: str, winner: str, source: str, rules: tuple[str, ...]
) -> None:
    t = table(source=source, rules=rules)
    t.play(moves)
    t.tick_after(60_000)
    assert t.result() == ("noStart", winner)


@pytest.mark.parametrize("source", ["friend", "api", "ai"])
def test_direct_games_wait_for_ever_for_a_first_move(source: str) -> None:
    t = table(source=source, black=AI if source == "ai" else HUMAN, white=BOT)
    assert "expiration" not in t.state()
    t.tick_after(DAY_MS - 1)
    assert t.result() == ("started", None)


def test_a_clocked_game_unplayed_for_a_day_is_deleted_without_a_word() -> None:
    t = table()
    t.play("e2e4")
    t.game.drain()
    assert t.game.next_event_ms() == t.now_ms + DAY_MS
    t.tick_after(DAY_MS)
    assert (t.game.is_deleted, t.game.is_over, t.game.status) == (True, True, "started")
    assert t.game.drain() == []


def test_a_clockless_game_is_given_up_after_three_weeks() -> None:
    unplayed, played = table(time_control=Unlimited()), table(time_control=Unlimited())
    played.play("e2e4 e7e5 g1f3")
    for t in (unplayed, played):
        t.tick_after(21 * DAY_MS - 1)
        assert t.result() == ("started", None)
        t.tick_after(1)
    assert unplayed.result() == ("aborted", None)
    assert played.result() == ("resign", "white")


def test_ticking_at_the_next_event_only_is_as_good_as_ticking_all_the_time() -> None:
    def lazily(t: Table, until_ms: int) -> None:
        while (event_ms := t.game.next_event_ms()) is not None and event_ms <= until_ms:
            t.now_ms = max(t.now_ms, event_ms)
            t.game.tick(t.now_ms)

    def busily(t: Table, until_ms: int) -> None:
        while t.now_ms < until_ms:
            t.tick_after(100)

    told = []
    for advance in (lazily, busily):
        t = away(Realtime(120, 0), moves="e2e4 e7e5 g1f3")
        advance(t, T0 + 200_000)
        emitted = t.game.drain()
        told.append([(e.to, e.line) for e in emitted])
        assert t.result() == ("outoftime", "white")
    assert told[0] == told[1]
    assert len(told[0]) > 8
