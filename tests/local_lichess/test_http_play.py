"""Playing over real HTTP: every action of a game, through both APIs."""

from __future__ import annotations

import pytest

from tests.local_lichess.people_kit import BLITZ, People, error_of
from tests.local_lichess.wire_kit import Client


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
