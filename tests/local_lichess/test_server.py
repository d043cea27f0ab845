"""The server as an object: start, stop, time, waiting, and its foreground form."""

from __future__ import annotations

import queue
import socket
import threading

import pytest
import requests

from bot.local_lichess import LocalLichess, Refusal, Settings, serve
from bot.local_lichess.__main__ import main
from bot.local_lichess.players import Draw, ListPlayer, Play, Resign, SilentPlayer
from bot.timing.clock import VirtualClock
from tests.local_lichess.wire_kit import DEADLINE_S, Client


def test_a_stop_waits_for_no_stream_and_ends_those_that_are_open_in_due_form() -> None:
    server = LocalLichess()
    server.add_account("Knight", "BOT", token="lip_knight")
    server.start()
    with Client(server.url, "lip_knight") as knight:
        streams = [knight.stream("/api/stream/event")]
        server.wait_until(lambda: server.lobby.feeds.is_online("knight"))
        server.stop()  # one that waited for the streams, which do not end, would raise
        assert streams[0].rest() == []
        assert streams[0].how_it_ended == "clean"
    with pytest.raises(requests.ConnectionError):
        requests.get(server.url + "/api/account", timeout=DEADLINE_S)


def test_stopping_twice_or_without_a_start_is_fine() -> None:
    server = LocalLichess()
    server.stop()
    server.stop()
    with LocalLichess() as running:
        port = running.port
    running.stop()
    with socket.create_server(("127.0.0.1", port)):
        pass  # the port is free again


def test_a_port_in_use_is_an_error_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(OSError, match="in use"):
        LocalLichess(port=taken.getsockname()[1])


def test_two_servers_at_once_do_not_meet() -> None:
    with LocalLichess() as one, LocalLichess() as two:
        one.add_account("Knight", "BOT", token="lip_knight")
        assert requests.get(one.url + "/api/user/knight", timeout=DEADLINE_S).status_code == 200
        assert requests.get(two.url + "/api/user/knight", timeout=DEADLINE_S).status_code == 404


def test_time_on_the_server_is_the_clock_that_is_handed_in() -> None:
    clock = VirtualClock()
    with LocalLichess(clock=clock) as server, Client(server.url, "lip_knight") as knight:
        server.add_account("Knight", "BOT", token="lip_knight")
        server.add_account("Rival")
        stream = knight.stream("/api/stream/event")
        server.wait_until(lambda: server.lobby.feeds.is_online("knight"))
        challenge_id = server.challenge("rival", "knight", limit_s=60, increment_s=0, color="white")
        assert stream.until("challenge")["challenge"]["id"] == challenge_id
        clock.advance(7)
        assert stream.raw_line() == b"\n"
        clock.advance(13)
        challenge = server.lobby.challenges.book.find(challenge_id)
        assert challenge is not None
        server.wait_until(lambda: challenge.status == "offline")
        server.attach("rival", ListPlayer(["e2e4"], then=()))
        knight.post(f"/api/challenge/{challenge_id}/accept")
        server.wait_until(lambda: server.game(challenge_id).ply == 1)
        knight.post(f"/api/bot/game/{challenge_id}/move/e7e5")
        clock.advance(80)
        over = server.wait_game_over(challenge_id)
        assert (over.status, over.winner) == ("outoftime", "black")
        stream.close()


def test_the_same_seed_gives_the_same_ids_and_colours() -> None:
    def first_games(seed: int) -> list[tuple[str, str]]:
        with LocalLichess(seed=seed) as server:
            server.add_account("Knight", "BOT")
            server.add_account("Rival")
            server.attach("knight", SilentPlayer())
            ids = [server.challenge("rival", "knight", days=1, limit_s=None) for _ in range(4)]
            server.wait_until(lambda: len(server.games()) == 4)
            return [(game_id, server.game(game_id).white) for game_id in ids]

    assert first_games(1) == first_games(1) != first_games(2)


def test_waiting_for_what_does_not_come() -> None:
    with LocalLichess() as server, pytest.raises(TimeoutError, match=r"within 0\.05 s"):
        server.wait_until(lambda: False, timeout_s=0.05)


def test_an_error_in_what_is_waited_for_comes_to_the_one_who_waits() -> None:
    with LocalLichess() as server, pytest.raises(LookupError, match="no game 'nosuchid'"):
        server.wait_game_over("nosuchid")


def test_helpers_refuse_as_the_server_does() -> None:
    with LocalLichess() as server:
        server.add_account("Knight", "BOT")
        server.add_account("Rival")
        with pytest.raises(Refusal, match="No such user: ghost"):
            server.challenge("rival", "ghost")
        with pytest.raises(LookupError, match="no account 'ghost'"):
            server.challenge("ghost", "knight")
        with pytest.raises(ValueError, match="already an account"):
            server.add_account("knight")


def test_a_look_at_a_game() -> None:
    with LocalLichess() as server:
        server.add_account("Knight", "BOT")
        server.add_account("Rival")
        server.attach("knight", ListPlayer(["e7e5", "d8h4"]))
        server.attach("rival", ListPlayer(["f2f3", "g2g4"]))
        game_id = server.challenge("rival", "knight", color="white")
        game = server.wait_game_over(game_id)
        assert (game.status, game.winner, game.ply) == ("mate", "black", 4)
        assert (game.side_of("knight"), game.opponent_of("knight")) == ("black", "rival")
        with pytest.raises(LookupError):
            game.side_of("ghost")
        assert [known.id for known in server.games()] == [game_id]
    assert "Qh4#" in server.pgn(game_id), "what was played can be read after the stop too"


def test_acting_as_a_player_from_outside() -> None:
    with LocalLichess() as server:
        for name, title in (("Knight", "BOT"), ("Rival", None)):
            server.add_account(name, title)
            server.attach(name, SilentPlayer())
        game_id = server.challenge("rival", "knight", color="white")
        server.wait_until(lambda: len(server.games()) == 1)
        for name, uci in (("rival", "e2e4"), ("knight", "e7e5")):
            server.act(name, game_id, Play(uci))
        with pytest.raises(Refusal, match="Not your turn"):
            server.act("knight", game_id, Play("d7d5"))
        server.act("knight", game_id, Draw())
        assert server.game(game_id).draw_offered_by == "black"
        server.act("rival", game_id, Resign())
        assert server.game(game_id).winner == "black"


def test_settings_reach_the_games() -> None:
    castling = ["e2e4", "g1f3", "f1c4", "e1g1"]
    for settings, written in ((Settings(), "e1g1"), (Settings(king_takes_rook=True), "e1h1")):
        with LocalLichess(settings=settings) as server:
            server.add_account("Knight", "BOT")
            server.add_account("Rival")
            server.attach("rival", ListPlayer(castling))
            server.attach("knight", ListPlayer(["e7e5", "b8c6", "g8f6"]))
            game_id = server.challenge("rival", "knight", color="white")
            assert server.wait_game_over(game_id).moves[6] == written


# --- in the foreground ----------------------------------------------------------------------------------


def test_serve_says_where_it_is_and_how_to_challenge() -> None:
    said: list[str] = []

    def look(server: LocalLichess) -> None:
        with Client(server.url, "lip_guest") as guest, Client(server.url, "lip_knight") as knight:
            form = {"clock.limit": 300, "clock.increment": 3, "color": "white"}
            game_id = guest.post("/api/challenge/knight", data=form).json()["id"]
            assert knight.post(f"/api/challenge/{game_id}/accept").status_code == 200
            assert guest.post(f"/api/board/game/{game_id}/move/e2e4").status_code == 200
        assert f"A local Lichess is at {server.url} (Ctrl-C ends it)." in said
        assert any(f"{server.url}/api/challenge/knight" in line for line in said)

    serve(say=said.append, port=0, until=look)
    assert any("lip_knight" in line for line in said)


def test_serve_lets_the_guest_play_at_random() -> None:
    greeted: queue.SimpleQueue[str] = queue.SimpleQueue()

    def come_online() -> None:  # beside `serve`, which waits for that
        url = greeted.get(timeout=DEADLINE_S).split()[5]
        with Client(url, "lip_knight") as knight:
            stream = knight.stream("/api/stream/event")
            for _ in range(2):
                challenge = stream.until("challenge")["challenge"]
                assert challenge["challenger"]["id"] == "guest"
                knight.post(f"/api/challenge/{challenge['id']}/accept")
                stream.until("gameFinish" if resigns(knight, challenge["id"]) else "gameStart")
            stream.close()

    def resigns(knight: Client, game_id: str) -> bool:
        return knight.post(f"/api/bot/game/{game_id}/resign").status_code == 200

    def until(server: LocalLichess) -> None:
        server.wait_until(lambda: len(server.games()) == 2 and all(game.is_over for game in server.games()))

    bot = threading.Thread(target=come_online, daemon=True)
    bot.start()
    serve(say=greeted.put, port=0, random_games=2, until=until)
    bot.join(DEADLINE_S)
    assert not bot.is_alive()


def test_the_command_names_a_port_in_use(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["--port", str(port)]) == 2
    assert f"cannot listen on 127.0.0.1:{port}: Address already in use" in capsys.readouterr().err
