"""Requests and answers over real HTTP: authentication, bodies, every action, every refusal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
import requests

from bot.local_lichess import LocalLichess
from tests.local_lichess.wire_kit import Client

BLITZ = {"clock.limit": 180, "clock.increment": 2}


@dataclass
class People:
    server: LocalLichess
    knight: Client
    rival: Client
    nobody: Client

    def game(self, **more: object) -> str:
        """A game of the rival, who has White, against the knight."""
        form = {**BLITZ, "color": "white", **more}
        game_id = str(self.rival.post("/api/challenge/knight", data=form).json()["id"])
        assert self.knight.post(f"/api/challenge/{game_id}/accept").json() == {"ok": True}
        return game_id

    def play(self, game_id: str, moves: str) -> None:
        for number, uci in enumerate(moves.split()):
            api, client = ("bot", self.knight) if number % 2 else ("board", self.rival)
            assert client.post(f"/api/{api}/game/{game_id}/move/{uci}").json() == {"ok": True}


@pytest.fixture
def people() -> Iterator[People]:
    with LocalLichess(keep_alive_s=0.2) as server:
        knight = server.add_account("Knight", "BOT", rating=1902)
        rival = server.add_account("Rival")
        with (
            Client(server.url, knight.token) as as_knight,
            Client(server.url, rival.token) as as_rival,
            Client(server.url) as as_nobody,
        ):
            yield People(server, as_knight, as_rival, as_nobody)


def error_of(response: requests.Response) -> tuple[int, object]:
    return response.status_code, response.json()["error"]


# --- who asks -------------------------------------------------------------------------------------------


def test_no_token_a_wrong_token_and_a_missing_scope(people: People) -> None:
    assert error_of(people.nobody.get("/api/account")) == (401, "Missing authorization header")
    with Client(people.server.url, "lip_wrong") as stranger:
        assert error_of(stranger.get("/api/account")) == (401, "No such token")
    response = people.rival.post("/api/bot/account/upgrade")
    assert error_of(response) == (403, "Missing scope: bot:play")
    assert response.headers["X-OAuth-Scopes"] == "board:play, challenge:read, challenge:write, follow:write"
    assert response.headers["X-Accepted-OAuth-Scopes"] == "bot:play"


def test_a_user_agent_that_names_somebody_else(people: People) -> None:
    with Client(people.server.url, "lip_none", user_agent="x") as client:
        client.session.headers.update(people.knight.session.headers)
        client.session.headers["User-Agent"] = "bot/1.0 user:Rival"
        assert error_of(client.get("/api/account")) == (
            401,
            "The user in the user-agent doesn't match the token bearer",
        )
        client.session.headers["User-Agent"] = "bot/1.0 user:Knight"
        assert client.get("/api/account").status_code == 200


def test_a_good_answer_names_the_scopes_too(people: People) -> None:
    response = people.knight.get("/api/account")
    assert response.json()["id"] == "knight"
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["X-OAuth-Scopes"] == "bot:play, challenge:read, challenge:write"
    assert response.headers["X-Accepted-OAuth-Scopes"] == ""
    assert response.headers["Access-Control-Allow-Origin"] == "*"


def test_token_test_takes_plain_text_and_no_token(people: People) -> None:
    token = str(people.knight.session.headers["Authorization"]).split()[1]
    response = people.nobody.post("/api/token/test", data=f"{token},lip_bad")
    assert response.json() == {
        token: {"userId": "knight", "scopes": "bot:play,challenge:read,challenge:write", "expires": None},
        "lip_bad": None,
    }


def test_a_revoked_token(people: People) -> None:
    response = people.knight.session.delete(people.server.url + "/api/token", timeout=5)
    assert (response.status_code, response.content) == (204, b"")
    assert error_of(people.knight.get("/api/account")) == (401, "No such token")


def test_reading_challenges_takes_challenge_read(people: People) -> None:
    token = people.server.add_account("Bare", "BOT", ("bot:play",)).token
    with Client(people.server.url, token) as bare:
        assert error_of(bare.get("/api/challenge")) == (403, "Missing scope: challenge:read")
        assert bare.post("/api/challenge/knight", json=BLITZ).status_code == 200


# --- what is public -------------------------------------------------------------------------------------


def test_public_answers(people: People) -> None:
    assert people.nobody.get("/api/user/KNIGHT").json()["username"] == "Knight"
    assert error_of(people.nobody.get("/api/user/ghost")) == (404, "Not found")
    assert people.nobody.get("/api/users/status?ids=knight,ghost").json() == [
        {"id": "knight", "name": "Knight", "title": "BOT"}
    ]
    assert people.nobody.get("/api/bot/online").content == b""


def test_what_does_not_exist(people: People) -> None:
    assert error_of(people.nobody.get("/api/nothing")) == (404, "Not found")
    assert error_of(people.nobody.post("/api/account")) == (404, "Not found")
    assert error_of(people.knight.post("/api/bot/game/whatever/castle/long")) == (404, "No such command")


# --- bodies ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["form", "json", "nested", "nulls", "texts"])
def test_a_challenge_in_every_encoding(people: People, how: str) -> None:
    bodies: dict[str, dict[str, object]] = {
        "form": {"data": {**BLITZ, "rated": "true", "color": "white"}},
        "json": {"json": {**BLITZ, "rated": True, "color": "white"}},
        "nested": {"json": {"clock": {"limit": 180, "increment": 2}, "rated": True, "color": "white"}},
        "nulls": {
            "json": {**BLITZ, "rated": True, "color": "white", "days": None, "fen": None, "variant": None}
        },
        "texts": {"json": {"clock.limit": "180", "clock.increment": "2", "rated": "true", "color": "white"}},
    }
    challenge = people.rival.post("/api/challenge/knight", **bodies[how]).json()
    assert challenge["timeControl"] == {"type": "clock", "limit": 180, "increment": 2, "show": "3+2"}
    assert challenge["rated"] is True
    assert challenge["finalColor"] == "white"
    assert challenge["direction"] == "out"
    assert challenge["variant"]["key"] == "standard"


def test_a_body_that_is_no_json(people: People) -> None:
    response = people.rival.post(
        "/api/challenge/knight", data="{nope", headers={"Content-Type": "application/json"}
    )
    assert response.status_code == 400


def test_a_form_at_fault_comes_doubled(people: People) -> None:
    response = people.rival.post("/api/challenge/knight", data={"clock.limit": 7, "clock.increment": 0})
    assert response.status_code == 400
    assert response.json() == {
        "error": {"clock.limit": ["Invalid value"]},
        "clock.limit": ["Invalid value"],
    }


def test_decline_reasons_in_both_encodings(people: People) -> None:
    for more in ({"json": {"reason": "tooFast"}}, {"data": {"reason": "tooFast"}}):
        challenge_id = people.rival.post("/api/challenge/knight", data=BLITZ).json()["id"]
        assert people.knight.post(f"/api/challenge/{challenge_id}/decline", **more).json() == {"ok": True}
        shown = people.knight.get(f"/api/challenge/{challenge_id}/show").json()
        assert shown["status"] == "declined"
        assert shown["declineReasonKey"] == "toofast"


# --- challenges -----------------------------------------------------------------------------------------


def test_listing_and_cancelling(people: People) -> None:
    challenge_id = people.rival.post("/api/challenge/knight", data=BLITZ).json()["id"]
    assert [c["id"] for c in people.knight.get("/api/challenge").json()["in"]] == [challenge_id]
    assert people.rival.post(f"/api/challenge/{challenge_id}/cancel").json() == {"ok": True}
    assert people.knight.get("/api/challenge").json() == {"in": [], "out": []}
    assert error_of(people.knight.post(f"/api/challenge/{challenge_id}/accept")) == (
        400,
        "The challenge has been canceled.",
    )


def test_a_game_against_the_ai(people: People) -> None:
    response = people.knight.post("/api/challenge/ai", json={**BLITZ, "level": 2, "color": "white"})
    assert response.status_code == 201
    started = response.json()
    assert started["source"] == "ai"
    assert started["player"] == "white"
    assert started["fullId"].startswith(started["id"])
    assert people.knight.post(f"/api/bot/game/{started['id']}/move/e2e4").json() == {"ok": True}
    people.server.wait_until(lambda: people.server.game(started["id"]).ply == 2)


# --- playing --------------------------------------------------------------------------------------------


def test_a_whole_game_through_both_apis(people: People) -> None:
    game_id = people.game()
    people.play(game_id, "f2f3 e7e5 g2g4 d8h4")
    game = people.server.game(game_id)
    assert (game.status, game.winner) == ("mate", "black")
    assert error_of(people.knight.post(f"/api/bot/game/{game_id}/resign")) == (
        400,
        "This game cannot be resigned",
    )


@pytest.mark.parametrize(
    ("uci", "error"),
    [
        ("e7e5", "Not your turn, or game already over"),
        ("e9e5", "Invalid UCI: e9e5"),
    ],
)
def test_moves_that_are_refused(people: People, uci: str, error: str) -> None:
    game_id = people.game()
    assert error_of(people.knight.post(f"/api/bot/game/{game_id}/move/{uci}")) == (400, error)


def test_an_illegal_move(people: People) -> None:
    game_id = people.game()
    people.play(game_id, "e2e4")
    status, error = error_of(people.knight.post(f"/api/bot/game/{game_id}/move/e7e3"))
    assert status == 400
    assert "e7" in str(error)
    assert people.server.game(game_id).moves == ("e2e4",)


def test_who_may_use_which_api(people: People) -> None:
    game_id = people.game()
    assert error_of(people.knight.post("/api/bot/game/nosuchid/abort")) == (404, "No such game")
    assert people.knight.post(f"/api/board/game/{game_id}/abort").status_code == 403
    both = people.server.add_account("Both", None, ("bot:play", "board:play")).token
    with Client(people.server.url, both) as client:
        status, error = error_of(client.post(f"/api/bot/game/{game_id}/abort"))
        assert status == 400
        assert "Bot account" in str(error)
        assert error_of(client.post(f"/api/board/game/{game_id}/abort")) == (404, "Not your game")


def test_abort_resign_and_berserk(people: People) -> None:
    first, second = people.game(), people.game()
    assert people.knight.post(f"/api/bot/game/{first}/abort").json() == {"ok": True}
    assert people.server.game(first).status == "aborted"
    assert error_of(people.knight.post(f"/api/bot/game/{second}/berserk")) == (400, "Cannot berserk")
    people.play(second, "e2e4 e7e5")
    assert error_of(people.knight.post(f"/api/bot/game/{second}/abort")) == (
        400,
        "This game can no longer be aborted",
    )
    assert people.rival.post(f"/api/board/game/{second}/resign").json() == {"ok": True}
    assert people.server.game(second).winner == "black"


@pytest.mark.parametrize("yes", ["yes", "true", "1", "on"])
def test_a_draw_by_agreement(people: People, yes: str) -> None:
    game_id = people.game()
    people.play(game_id, "e2e4 e7e5")
    assert people.rival.post(f"/api/board/game/{game_id}/draw/yes").json() == {"ok": True}
    assert people.server.game(game_id).draw_offered_by == "white"
    assert people.knight.post(f"/api/bot/game/{game_id}/draw/{yes}").json() == {"ok": True}
    assert people.server.game(game_id).status == "draw"


def test_a_draw_declined_and_one_offered_with_a_move(people: People) -> None:
    game_id = people.game()
    people.play(game_id, "e2e4 e7e5")
    people.rival.post(f"/api/board/game/{game_id}/draw/yes")
    assert people.knight.post(f"/api/bot/game/{game_id}/draw/no").json() == {"ok": True}
    assert people.server.game(game_id).draw_offered_by is None
    people.play(game_id, "g1f3")
    people.knight.post(f"/api/bot/game/{game_id}/move/b8c6?offeringDraw=true")
    assert people.server.game(game_id).draw_offered_by == "black"


def test_a_takeback(people: People) -> None:
    game_id = people.game()
    people.play(game_id, "e2e4 e7e5")
    assert people.rival.post(f"/api/board/game/{game_id}/takeback/yes").json() == {"ok": True}
    assert people.server.game(game_id).takeback_proposed_by == "white"
    assert people.knight.post(f"/api/bot/game/{game_id}/takeback/yes").json() == {"ok": True}
    assert people.server.game(game_id).moves == ()


def test_claims_are_refused_while_the_opponent_is_there(people: People) -> None:
    game_id = people.game()
    people.play(game_id, "e2e4 e7e5 g1f3 b8c6")
    stream = people.rival.stream(f"/api/board/game/stream/{game_id}")
    stream.until("gameFull")
    assert error_of(people.knight.post(f"/api/bot/game/{game_id}/claim-victory")) == (
        400,
        "You cannot claim the win on this game",
    )
    assert error_of(people.knight.post(f"/api/bot/game/{game_id}/claim-draw")) == (
        400,
        "You cannot claim draw on this game",
    )
    stream.close()


def test_chat(people: People) -> None:
    game_id = people.game()
    path = f"/api/bot/game/{game_id}/chat"
    assert people.knight.post(path, json={"room": "player", "text": "hello"}).json() == {"ok": True}
    assert people.knight.post(path, data={"room": "spectator", "text": "hi all"}).json() == {"ok": True}
    assert people.knight.get(path).json() == [{"text": "hello", "user": "Knight"}]
    long = people.knight.post(path, json={"room": "player", "text": "x" * 141})
    assert long.status_code == 400
    assert "text" in long.json()
    assert people.knight.post(path, json={"room": "player", "text": None}).status_code == 400


def test_giving_time(people: People) -> None:
    game_id = people.game()
    assert people.knight.post(f"/api/round/{game_id}/add-time/15").json() == {"ok": True}
    assert people.server.game(game_id).white_ms == 195_000
    assert people.knight.post(f"/api/round/{game_id}/add-time/x").status_code == 404


def test_the_export_in_both_formats(people: People) -> None:
    game_id = people.game()
    people.play(game_id, "f2f3 e7e5 g2g4 d8h4")
    pgn = people.nobody.get(f"/game/export/{game_id}")
    assert pgn.headers["Content-Type"].startswith("application/x-chess-pgn")
    assert "Qh4#" in pgn.text
    assert f'[Site "{people.server.url}/{game_id}"]' in pgn.text
    exported = people.nobody.get(
        f"/game/export/{game_id}?pgnInJson=true", headers={"Accept": "application/json"}
    ).json()
    assert exported["id"] == game_id
    assert exported["status"] == "mate"
    assert exported["pgn"] == pgn.text
    assert error_of(people.nobody.get("/game/export/nosuchid")) == (404, "Not found")


def test_ongoing_games(people: People) -> None:
    game_id = people.game()
    playing = people.knight.get("/api/account/playing?nb=5").json()
    assert [game["gameId"] for game in playing["nowPlaying"]] == [game_id]
    assert people.knight.get("/api/account/playing?nb=many").status_code == 404


def test_following_makes_challenges_free(people: People) -> None:
    assert people.rival.post("/api/rel/follow/knight").json() == {"ok": True}
    for _ in range(6):
        assert people.knight.post("/api/challenge/rival", data=BLITZ).status_code == 200
    assert people.rival.post("/api/rel/unfollow/knight").json() == {"ok": True}
    answers = [people.knight.post("/api/challenge/rival", data=BLITZ) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    assert answers[-1].json()["ratelimit"]["key"] == "challenge.create.user"


def test_the_log_counts_requests(people: People) -> None:
    game_id = people.game()
    people.play(game_id, "e2e4")
    people.knight.post(f"/api/bot/game/{game_id}/move/e7e3")
    moves = [entry for entry in people.server.request_log() if entry.endpoint == "move"]
    assert [(entry.account_id, entry.status, entry.method) for entry in moves] == [
        ("rival", 200, "POST"),
        ("knight", 400, "POST"),
    ]
    assert moves[0].path == f"/api/board/game/{game_id}/move/e2e4"
    assert moves[0].arrived_s <= moves[1].arrived_s
