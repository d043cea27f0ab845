"""An independent client, berserk as it is, works against the server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import berserk
import pytest
from berserk.exceptions import ResponseError

from bot.local_lichess import LocalLichess, OutgoingChallenge, challenge_form
from bot.local_lichess.players import ListPlayer, SilentPlayer

SCOPES = ("bot:play", "board:play", "challenge:read", "challenge:write", "follow:write")


@dataclass
class Setup:
    server: LocalLichess
    knight: Any  # berserk.Client: its TypedDicts do not cover what is sent
    rival: Any


@pytest.fixture
def setup() -> Iterator[Setup]:
    with LocalLichess(keep_alive_s=0.1) as server:
        sessions = []
        clients = []
        for name, title in (("Knight", "BOT"), ("Rival", None)):
            session = berserk.TokenSession(server.add_account(name, title, SCOPES).token)
            session.trust_env = False
            sessions.append(session)
            clients.append(berserk.Client(session, base_url=server.url))
        yield Setup(server, *clients)
        for session in sessions:
            session.close()


def test_the_account_and_the_token(setup: Setup) -> None:
    account = setup.knight.account.get()
    assert account["title"] == "BOT"
    assert account["createdAt"].tzinfo is not None
    token = setup.server.add_account("Other").token
    assert setup.knight.oauth.test_tokens(token, "lip_bad")[token]["userId"] == "other"
    setup.rival.account.upgrade_to_bot()
    assert setup.rival.account.get()["title"] == "BOT"


def test_people(setup: Setup) -> None:
    stream = setup.knight.bots.stream_incoming_events()
    setup.server.attach("rival", SilentPlayer(), challenges=[OutgoingChallenge("knight", challenge_form())])
    assert next(stream)["type"] == "challenge"
    assert [bot["id"] for bot in setup.rival.bots.get_online_bots()] == ["knight"]
    statuses = setup.rival.users.get_realtime_statuses("knight", "rival")
    assert statuses[0]["online"] is True
    assert setup.rival.users.get_public_data("knight")["username"] == "Knight"
    setup.rival.relations.follow("knight")
    stream.close()


def test_a_game_from_challenge_to_export(setup: Setup) -> None:
    events = setup.knight.bots.stream_incoming_events()
    challenge = setup.rival.challenges.create(
        "Knight", rated=True, clock_limit=180, clock_increment=2, color="white"
    )
    received = next(events)
    assert received["challenge"]["id"] == challenge["id"]
    assert received["challenge"]["rated"] is True
    setup.knight.bots.accept_challenge(challenge["id"])
    assert next(events)["type"] == "gameStart"
    (ongoing,) = setup.knight.games.get_ongoing()
    game_id = ongoing["gameId"]

    states = setup.knight.bots.stream_game_state(game_id)
    assert next(states)["state"]["wtime"] == 180_000
    for uci in ("f2f3", "e7e5", "g2g4"):
        client = setup.rival.board if setup.server.game(game_id).ply % 2 == 0 else setup.knight.bots
        client.make_move(game_id, uci)
    setup.knight.bots.post_message(game_id, "thanks")
    lines = [next(states) for _ in range(4)]
    assert [line["moves"] for line in lines[:3]] == ["f2f3", "f2f3 e7e5", "f2f3 e7e5 g2g4"]
    assert isinstance(lines[0]["wtime"], timedelta)
    assert lines[3] == {"type": "chatLine", "room": "player", "username": "Knight", "text": "thanks"}
    setup.knight.bots.make_move(game_id, "d8h4")
    (final,) = list(states)
    assert (final["status"], final["winner"]) == ("mate", "black")
    assert next(events)["type"] == "gameFinish"
    assert "Qh4#" in setup.knight.games.export(game_id, as_pgn=True)
    assert setup.knight.games.export(game_id)["players"]["black"]["user"]["title"] == "BOT"
    events.close()


def test_declining_cancelling_and_listing(setup: Setup) -> None:
    first = setup.rival.challenges.create("Knight", rated=False, days=2)
    setup.knight.bots.decline_challenge(first["id"], reason="later")
    second = setup.rival.challenges.create("Knight", rated=False, clock_limit=60, clock_increment=0)
    assert [c["id"] for c in setup.knight.challenges.get_mine()["in"]] == [second["id"]]
    setup.rival.challenges.cancel(second["id"])
    with pytest.raises(ResponseError) as caught:
        setup.knight.bots.accept_challenge(second["id"])
    assert caught.value.status_code == 400
    assert caught.value.cause == {"error": "The challenge has been canceled."}


def test_abort_resign_and_time(setup: Setup) -> None:
    setup.server.attach("rival", ListPlayer(["e2e4", "g1f3"], then=()))
    games: list[str] = []
    for _ in range(2):
        challenge = setup.knight.challenges.create(
            "rival", rated=False, clock_limit=180, clock_increment=0, color="black"
        )
        setup.server.wait_until(lambda: len(setup.server.games()) > len(games))
        games.append(challenge["id"])
    setup.knight.bots.abort_game(games[0])
    setup.knight.challenges.add_time_to_opponent_clock(games[1], 15)
    setup.server.wait_until(lambda: setup.server.game(games[1]).ply == 1)
    setup.knight.bots.make_move(games[1], "e7e5")
    setup.knight.bots.resign_game(games[1])
    assert [setup.server.game(game).status for game in games] == ["aborted", "resign"]


def test_the_ai(setup: Setup) -> None:
    started = setup.knight.challenges.create_ai(level=1, clock_limit=180, clock_increment=0, color="white")
    states = setup.knight.bots.stream_game_state(started["id"])
    assert next(states)["black"] == {"aiLevel": 1}
    setup.knight.bots.make_move(started["id"], "e2e4")
    assert next(states)["moves"] == "e2e4"
    assert len(next(states)["moves"].split()) == 2
    states.close()
