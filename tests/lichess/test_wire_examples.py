"""The examples of the official API description, read by our parsers.

They are read from a checkout beside the repository; the shapes themselves are also in `test_wire`, invented.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.events import (
    ChallengeCanceled,
    ChallengeDeclined,
    ChallengeReceived,
    ChatLine,
    GameFinish,
    GameFull,
    GameInfo,
    GameStart,
    GameState,
    OpponentGone,
    Player,
    RealTime,
    TokenInfo,
    Unlimited,
)
from bot.lichess.answers import parse_account, parse_ongoing, parse_token_info
from bot.lichess.wire import parse_account_line, parse_game_line

SPECS = Path(__file__).parents[3] / "shared/data/lichess-api-spec/doc/specs"

pytestmark = pytest.mark.skipif(
    not SPECS.is_dir(), reason="the official API description is not checked out beside the repository"
)


def load(name: str) -> Any:
    return yaml.safe_load((SPECS / name).read_text(encoding="utf-8"))


def example(name: str) -> Any:
    return load(f"examples/{name}.json.yaml")["value"]


def test_challenge() -> None:
    event = parse_account_line(example("stream-challenge"))
    assert isinstance(event, ChallengeReceived)
    assert event.bot_compatible is False
    challenge = event.challenge
    assert (challenge.id, challenge.status, challenge.variant) == ("jWAgu6ga", "created", "standard")
    assert (challenge.speed, challenge.rated, challenge.time_control) == (
        "correspondence",
        False,
        Unlimited(),
    )
    assert (challenge.color, challenge.final_color, challenge.rules) == ("random", "black", ())
    assert challenge.challenger == Player("adriana", "Adriana", rating=734)
    assert challenge.dest == Player("gabriela", "Gabriela", rating=1528, provisional=True)


def test_challenges_that_went_away() -> None:
    canceled = parse_account_line(example("stream-challengeCanceled"))
    assert isinstance(canceled, ChallengeCanceled)
    assert (canceled.challenge.id, canceled.challenge.status) == ("BO2kXa9v", "canceled")
    assert canceled.challenge.challenger == Player("elena", "Elena", title="WNM", rating=2307)

    declined = parse_account_line(example("stream-challengeDeclined"))
    assert isinstance(declined, ChallengeDeclined)
    assert declined.reason_key == "generic"
    assert declined.reason == "I'm not accepting challenges at the moment."


def test_games_against_people() -> None:
    start = parse_account_line(example("stream-gameStart"))
    assert start == GameStart(
        GameInfo(
            id="0FgNPGRz",
            color="white",
            opponent=Player("aaron", "Aaron", rating=776),
            variant="standard",
            speed="blitz",
            rated=True,
            status="started",
            fen="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            source="friend",
            is_my_turn=True,
            seconds_left=300,
            bot_compatible=False,
        )
    )
    finish = parse_account_line(example("stream-gameFinish"))
    assert isinstance(finish, GameFinish)
    assert (finish.game.status, finish.game.winner, finish.game.has_moved) == ("resign", "black", True)


def test_games_against_the_machine() -> None:
    start = parse_account_line(example("stream-gameStart-ai"))
    assert isinstance(start, GameStart)
    assert start.game.opponent == Player(None, "Stockfish level 1", ai_level=1)
    assert (start.game.source, start.game.seconds_left) == ("ai", None)
    finish = parse_account_line(example("stream-gameFinish-ai"))
    assert isinstance(finish, GameFinish)
    assert (finish.game.status, finish.game.winner) == ("aborted", None)


@pytest.mark.parametrize(
    ("name", "final_color"),
    [("createChallenge", "white"), ("showOneChallenge", "white"), ("openEndedChallenge", "black")],
)
def test_challenges_as_answers(name: str, final_color: str) -> None:
    body = example(f"challenges-{name}")
    event = parse_account_line({"type": "challenge", "challenge": body})
    assert isinstance(event, ChallengeReceived)
    assert (event.challenge.id, event.challenge.final_color) == (body["id"], final_color)
    assert event.bot_compatible is None
    assert (event.challenge.challenger is None) == (name == "openEndedChallenge")


def test_list_of_challenges() -> None:
    incoming = example("challenges-listYourChallenges")["in"]
    assert len(incoming) == 1
    event = parse_account_line({"type": "challenge", "challenge": incoming[0]})
    assert isinstance(event, ChallengeReceived)
    assert event.challenge.challenger == Player("bobby", "Bobby", rating=1630)


def test_challenge_of_the_schema() -> None:
    event = parse_account_line(
        {"type": "challenge", "challenge": load("schemas/ChallengeJson.yaml")["example"]}
    )
    assert isinstance(event, ChallengeReceived)
    assert event.challenge.time_control == RealTime(limit_s=600, increment_s=0)
    assert event.challenge.challenger == Player("bot1", "Bot1", title="BOT", rating=1500, provisional=True)


def test_game_full() -> None:
    event = parse_game_line(load("schemas/GameFullEvent.yaml")["example"])
    assert event == GameFull(
        id="BEOucQJo",
        variant="standard",
        speed="rapid",
        rated=False,
        white=Player("bobby", "Bobby", rating=1751),
        black=Player("mary", "Mary", rating=1021),
        initial_fen="startpos",
        state=GameState(("d2d3",), 900_000, 900_000, 0, 0),
        clock_initial_ms=900_000,
        clock_increment_ms=0,
        created_at_ms=1745112707998,
    )


def test_game_state() -> None:
    event = parse_game_line(load("schemas/GameStateEvent.yaml")["example"])
    assert isinstance(event, GameState)
    assert event.moves == tuple(
        "e2e4 c7c5 f2f4 d7d6 g1f3 b8c6 f1c4 g8f6 d2d3 g7g6 e1g1 f8g7 b1c3".split()  # noqa: SIM905  as it is said
    )
    assert (event.wtime_ms, event.btime_ms, event.winc_ms, event.binc_ms) == (
        7_598_040,
        8_395_220,
        10_000,
        10_000,
    )
    assert not any((event.wdraw, event.bdraw, event.wtakeback, event.btakeback, event.is_over))


def test_chat_and_leaving() -> None:
    chat = parse_game_line(load("schemas/ChatLineEvent.yaml")["example"])
    assert chat == ChatLine("player", "thibault", "Good luck, have fun")
    assert parse_game_line(load("schemas/OpponentGoneEvent.yaml")["example"]) == OpponentGone(True, 8)


def test_every_event_example_is_an_event_of_its_type() -> None:
    named = {
        "challenge": ChallengeReceived,
        "challengeCanceled": ChallengeCanceled,
        "challengeDeclined": ChallengeDeclined,
        "gameStart": GameStart,
        "gameFinish": GameFinish,
    }
    files = sorted((SPECS / "examples").glob("stream-*.json.yaml"))
    assert len(files) >= 7
    for file in files:
        value = yaml.safe_load(file.read_text(encoding="utf-8"))["value"]
        assert type(parse_account_line(value)) is named[value["type"]], file.name


def test_ongoing_games() -> None:
    answers = load("tags/games/api-account-playing.yaml")["get"]["responses"]
    (game,) = parse_ongoing(answers["200"]["content"]["application/json"]["schema"]["example"])
    assert isinstance(game, GameInfo)
    assert (game.id, game.color, game.speed, game.seconds_left) == (
        "rCRw1AuO",
        "black",
        "correspondence",
        1209600,
    )
    assert (game.status, game.is_my_turn, game.has_moved) == ("started", False, True)
    assert game.opponent == Player("philippe", "Philippe", rating=1790)


def test_account_and_token() -> None:
    account = parse_account(example("account-getMyProfile"))
    assert (account.id, account.username, account.is_bot, account.games_played) == (
        "bobby",
        "Bobby",
        False,
        4841,
    )
    tokens = example("oauth-testMultipleOauthTokens")
    info = parse_token_info(tokens, "lip_jose")
    assert isinstance(info, TokenInfo)
    assert (info.user_id, info.expires_at_ms) == ("jose", None)
    assert {"bot:play", "challenge:read"} <= set(info.scopes)
    assert parse_token_info(tokens, "lip_badToken") is None
