"""Requests and answers over real HTTP: authentication, bodies, challenges, every refusal."""

from __future__ import annotations

import pytest

from tests.local_lichess.people_kit import BLITZ, People, error_of
from tests.local_lichess.wire_kit import Client

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
