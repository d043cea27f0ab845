"""What is shown of a game."""

from __future__ import annotations

import io
from typing import cast

import chess.pgn
import pytest

from bot.local_lichess.clocks import DAY_MS, Correspondence, Realtime, Unlimited
from bot.local_lichess.game_views import STATUS_IDS
from bot.local_lichess.rating import rating_diffs
from bot.local_lichess.seats import Seat
from tests.local_lichess.game_kit import AI, BOT, HUMAN, OTHER_HUMAN, T0, table

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
MATE = "f2f3 e7e5 g2g4 d8h4"


def test_the_first_line_of_a_stream() -> None:
    t = table(
        white=BOT,
        black=Seat("newbie", "Newbie", rating=1500, provisional=True),
        time_control=Realtime(180, 2),
    )
    assert t.game.full_json(t.now_ms) == {
        "type": "gameFull",
        "id": "Ab3dEf7h",
        "variant": {"key": "standard", "name": "Standard", "short": "Std"},
        "speed": "blitz",
        "perf": {"name": "Blitz"},
        "rated": False,
        "createdAt": T0,
        "white": {"id": "mybot", "name": "MyBot", "title": "BOT", "rating": 1900},
        "black": {"id": "newbie", "name": "Newbie", "title": None, "rating": 1500, "provisional": True},
        "initialFen": "startpos",
        "clock": {"initial": 180_000, "increment": 2_000},
        "state": {
            "type": "gameState",
            "moves": "",
            "wtime": 180_000,
            "btime": 180_000,
            "winc": 2_000,
            "binc": 2_000,
            "status": "started",
        },
    }


def test_the_clock_is_left_out_where_there_is_none() -> None:
    days = table(time_control=Correspondence(3)).game.full_json(T0)
    assert "clock" not in days
    assert days["daysPerTurn"] == 3
    assert (days["speed"], days["perf"]) == ("correspondence", {"name": "Correspondence"})
    unlimited = table(time_control=Unlimited()).game.full_json(T0)
    assert "clock" not in unlimited
    assert "daysPerTurn" not in unlimited
    state = cast(dict[str, object], unlimited["state"])
    assert (state["winc"], state["binc"]) == (0, 0)


def test_a_variant_is_its_own_perf_but_a_position_is_not() -> None:
    hill = table(variant="kingOfTheHill").game
    assert (hill.perf, hill.full_json(T0)["perf"]) == ("kingOfTheHill", {"name": "King of the Hill"})
    assert table(variant="fromPosition", initial_fen=START.replace("P/R", "P/1")).game.perf == "blitz"


def test_the_ai_has_a_level_and_nothing_else() -> None:
    t = table(white=BOT, black=AI, source="ai")
    assert t.game.full_json(T0)["black"] == {"aiLevel": 3}
    info = t.game.playing_json("white", T0)
    assert info["opponent"] == {"id": None, "username": "Stockfish level 3", "ai": 3}


def test_the_game_as_its_start_is_announced() -> None:
    t = table(white=BOT, black=HUMAN, time_control=Realtime(180, 2))
    assert t.game.playing_json("white", t.now_ms) == {
        "fullId": "Ab3dEf7hwwww",
        "gameId": "Ab3dEf7h",
        "id": "Ab3dEf7h",
        "fen": START,
        "color": "white",
        "lastMove": "",
        "source": "friend",
        "status": {"id": 20, "name": "started"},
        "variant": {"key": "standard", "name": "Standard"},
        "speed": "blitz",
        "perf": "blitz",
        "rated": False,
        "hasMoved": False,
        "opponent": {"id": "rival", "username": "Rival", "rating": 1800},
        "isMyTurn": True,
        "secondsLeft": 180,
        "rating": 1900,
        "compat": {"bot": True, "board": True},
    }
    theirs = t.game.playing_json("black", t.now_ms)
    assert (theirs["color"], theirs["isMyTurn"], theirs["fullId"]) == ("black", False, "Ab3dEf7hbbbb")
    assert theirs["compat"] == {"bot": False, "board": True}


def test_the_game_in_the_middle() -> None:
    t = table(white=BOT, black=HUMAN, time_control=Realtime(60, 0))
    t.play("e2e4 e7e5")
    t.play("g1f3", think_ms=10_400)
    t.wait(2_600)
    info = t.game.playing_json("black", t.now_ms)
    assert (info["lastMove"], info["isMyTurn"], info["hasMoved"]) == ("g1f3", True, True)
    assert info["secondsLeft"] == 57
    assert t.game.playing_json("white", t.now_ms)["secondsLeft"] == 50


def test_seconds_left_by_days_and_without_a_clock() -> None:
    days = table(time_control=Correspondence(3))
    days.wait(DAY_MS)
    assert days.game.playing_json("white", days.now_ms)["secondsLeft"] == 2 * 86_400
    assert "secondsLeft" not in table(time_control=Unlimited()).game.playing_json("white", T0)


def test_has_moved_is_each_sides_own_also_when_black_begins() -> None:
    t = table(variant="fromPosition", initial_fen="7k/8/8/8/8/8/R7/K7 b - - 0 1")
    t.play("h8g8")
    assert [t.game.playing_json(side, t.now_ms)["hasMoved"] for side in ("white", "black")] == [False, True]
    t.play("a2b2")
    assert t.game.playing_json("white", t.now_ms)["hasMoved"] is True


def test_the_game_as_its_end_is_announced() -> None:
    t = table(white=BOT, black=HUMAN, rated=True)
    t.play(MATE)
    info = t.game.playing_json("white", t.now_ms)
    assert (info["status"], info["winner"]) == ({"id": 30, "name": "mate"}, "black")
    assert (info["isMyTurn"], info["ratingDiff"]) == (False, -13)
    assert info["opponent"] == {"id": "rival", "username": "Rival", "rating": 1800, "ratingDiff": 13}


def test_statuses_have_the_numbers_of_the_api() -> None:
    assert STATUS_IDS == {
        "created": 10,
        "started": 20,
        "aborted": 25,
        "mate": 30,
        "resign": 31,
        "stalemate": 32,
        "timeout": 33,
        "draw": 34,
        "outoftime": 35,
        "cheat": 36,
        "noStart": 37,
        "unknownFinish": 38,
        "insufficientMaterialClaim": 39,
        "variantEnd": 60,
    }


@pytest.mark.parametrize("rated", [True, False])
def test_an_aborted_or_casual_game_moves_no_rating(rated: bool) -> None:
    t = table(rated=rated)
    t.play("e2e4")
    t.game.abort("white", t.now_ms)
    info = t.game.playing_json("white", t.now_ms)
    assert info["status"] == {"id": 25, "name": "aborted"}
    assert "ratingDiff" not in info
    assert "winner" not in info
    assert table(rated=True).game.rating_diff("white") is None, "nor does one that goes on"


@pytest.mark.parametrize(("rated", "black"), [(False, HUMAN), (True, AI)])
def test_a_finished_game_that_is_casual_or_against_the_ai_moves_none_either(rated: bool, black: Seat) -> None:
    t = table(white=BOT, black=black, rated=rated)
    t.play(MATE)
    assert t.game.rating_diff("white") is None


def test_a_rated_game_the_server_calls_off_moves_none() -> None:
    t = table(rated=True)
    t.play("e2e4 e7e5 g1f3")
    t.game.abort_by_server(t.now_ms)
    assert t.game.rating_diff("white") is None


def test_elo() -> None:
    even = Seat("a", "A", rating=1500), Seat("b", "B", rating=1500)
    assert rating_diffs(*even, "white") == {"white": 10, "black": -10}
    assert rating_diffs(*even, None) == {"white": 0, "black": 0}
    strong, new = Seat("a", "A", rating=1900), Seat("b", "B", rating=1500, provisional=True)
    assert rating_diffs(strong, new, "black") == {"white": -18, "black": 55}
    assert rating_diffs(strong, new, None) == {"white": -8, "black": 25}


@pytest.mark.parametrize(
    ("limit_s", "source", "bot", "board"),
    [
        (180, "friend", True, True),
        (60, "friend", True, False),
        (15, "friend", False, False),
        (180, "lobby", False, False),
        (180, "ai", True, True),
        (180, "api", True, True),
    ],
)
def test_who_may_play_through_which_api(limit_s: int, source: str, bot: bool, board: bool) -> None:
    game = table(white=BOT, time_control=Realtime(limit_s, 0), source=source).game
    assert game.playing_json("white", T0)["compat"] == {"bot": bot, "board": board}


def test_a_rematch_is_named_once_there_is_one() -> None:
    t = table()
    t.play(MATE)
    assert "rematch" not in t.state()
    t.game.rematch_id = "Zx9yWv8u"
    assert t.state()["rematch"] == "Zx9yWv8u"


def test_pgn_of_a_game() -> None:
    t = table(white=BOT, black=OTHER_HUMAN, rated=True, time_control=Realtime(180, 2))
    t.play(MATE, think_ms=1_600)
    assert t.game.pgn(t.now_ms, base_url="http://127.0.0.1:8080") == (
        '[Event "rated blitz game"]\n'
        '[Site "http://127.0.0.1:8080/Ab3dEf7h"]\n'
        '[GameId "Ab3dEf7h"]\n'
        '[Date "2025.06.15"]\n'
        '[Round "-"]\n'
        '[White "MyBot"]\n'
        '[Black "Third"]\n'
        '[Result "0-1"]\n'
        '[UTCDate "2025.06.15"]\n'
        '[UTCTime "15:06:40"]\n'
        '[WhiteElo "1900"]\n'
        '[BlackElo "2300"]\n'
        '[WhiteRatingDiff "-2"]\n'
        '[BlackRatingDiff "+2"]\n'
        '[WhiteTitle "BOT"]\n'
        '[BlackTitle "FM"]\n'
        '[Variant "Standard"]\n'
        '[TimeControl "180+2"]\n'
        '[Termination "Normal"]\n'
        "\n"
        "1. f3 { [%clk 0:03:00] } 1... e5 { [%clk 0:03:00] } "
        "2. g4 { [%clk 0:03:00] } 2... Qh4# { [%clk 0:02:58] } 0-1\n\n"
    )


@pytest.mark.parametrize(
    ("ending", "result", "termination"),
    [
        ("", "*", "Unterminated"),
        ("abort", "*", "Abandoned"),
        ("resign", "0-1", "Normal"),
        ("flag", "0-1", "Time forfeit"),
    ],
)
def test_result_and_termination(ending: str, result: str, termination: str) -> None:
    t = table()
    if ending == "abort":
        t.game.abort("white", t.now_ms)
    else:
        t.play("e2e4 e7e5")
    if ending == "resign":
        t.game.resign("white", t.now_ms)
    if ending == "flag":
        t.tick_after(10**6)
    read = chess.pgn.read_headers(io.StringIO(t.game.pgn(t.now_ms)))
    assert read is not None
    assert (read["Result"], read["Termination"]) == (result, termination)


@pytest.mark.parametrize(
    ("variant", "fen", "tagged"),
    [
        ("standard", None, None),
        ("crazyhouse", None, None),
        ("horde", None, "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1"),
        ("racingKings", None, "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1"),
        ("chess960", START, START),
        ("fromPosition", "7k/8/8/8/8/8/R7/K7 b - - 0 9", "7k/8/8/8/8/8/R7/K7 b - - 0 9"),
    ],
)
def test_pgn_has_a_fen_where_the_start_is_not_the_usual_one(
    variant: str, fen: str | None, tagged: str | None
) -> None:
    read = chess.pgn.read_headers(io.StringIO(table(variant=variant, initial_fen=fen).game.pgn(T0)))
    assert read is not None
    assert read.get("FEN") == tagged
    assert read.get("SetUp") == (None if tagged is None else "1")


def test_pgn_without_a_clock_numbers_whites_moves_only() -> None:
    t = table(
        time_control=Correspondence(1), variant="fromPosition", initial_fen="7k/8/8/8/8/8/R7/K7 b - - 0 9"
    )
    t.play("h8g8 a2b2 g8h8 b2a2")
    pgn = t.game.pgn(t.now_ms)
    assert pgn.endswith("\n\n9... Kg8 10. Rb2 Kh8 11. Ra2 *\n\n")
    assert '[TimeControl "1 day per move"]' in pgn


def test_export_says_who_is_provisional() -> None:
    game = table(black=Seat("newbie", "Newbie", rating=1500, provisional=True)).game
    assert game.export_json(T0)["players"] == {
        "white": {"user": {"name": "Rival", "id": "rival"}, "rating": 1800},
        "black": {"user": {"name": "Newbie", "id": "newbie"}, "rating": 1500, "provisional": True},
    }


def test_export_as_json() -> None:
    t = table(white=BOT, black=AI, source="ai", time_control=Realtime(180, 2))
    t.play(MATE)
    assert t.game.export_json(t.now_ms) == {
        "id": "Ab3dEf7h",
        "rated": False,
        "variant": "standard",
        "speed": "blitz",
        "perf": "blitz",
        "createdAt": T0,
        "lastMoveAt": T0 + 4_000,
        "status": "mate",
        "source": "ai",
        "players": {
            "white": {"user": {"name": "MyBot", "id": "mybot", "title": "BOT"}, "rating": 1900},
            "black": {"aiLevel": 3},
        },
        "winner": "black",
        "moves": "f3 e5 g4 Qh4#",
        "clocks": [18_000, 18_000, 18_100, 17_900],
        "clock": {"initial": 180, "increment": 2, "totalTime": 260},
    }
