"""Scripted players: what they decide, and that the server carries it out."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import chess
import pytest

from bot.local_lichess import LocalLichess, OutgoingChallenge, challenge_form
from bot.local_lichess.players import (
    Abort,
    Action,
    Answers,
    At,
    Draw,
    Leave,
    ListPlayer,
    Play,
    RandomPlayer,
    Resign,
    Say,
    SilentPlayer,
    Situation,
    StrategyPlayer,
    Takeback,
)
from bot.local_lichess.seats import Seat

if TYPE_CHECKING:
    from bot.strategies.contract import Turn

MOVES = ["e2e4", "g1f3", "f1c4", "d2d3"]
REPLIES = ["e7e5", "b8c6", "g8f6", "d7d6"]


@pytest.fixture
def server() -> Iterator[LocalLichess]:
    """A rival with White against a bot."""
    with LocalLichess() as server:
        server.add_account("Knight", "BOT")
        server.add_account("Rival")
        yield server


def situation(moves: Sequence[str] = (), **more: bool) -> Situation:
    return Situation(
        game_id="abcdefgh",
        side="white" if len(moves) % 2 == 0 else "black",
        variant="standard",
        initial_fen=chess.STARTING_FEN,
        moves=tuple(moves),
        speed="blitz",
        rated=False,
        opponent=Seat("rival", "Rival"),
        opponent_offers_draw=more.get("draw", False),
        opponent_proposes_takeback=more.get("takeback", False),
    )


BOARD = chess.Board()


# --- decisions ------------------------------------------------------------------------------------------


def test_a_random_player_is_legal_and_repeatable() -> None:
    def moves(seed: int) -> list[Sequence[Action]]:
        player = RandomPlayer(random.Random(seed))
        return [player.on_turn(BOARD, situation()) for _ in range(10)]

    assert moves(1) == moves(1) != moves(2)
    for actions in moves(1):
        (play,) = actions
        assert isinstance(play, Play)
        assert chess.Move.from_uci(play.uci) in BOARD.legal_moves


def test_a_list_is_played_by_the_number_of_own_moves() -> None:
    player = ListPlayer(["e7e5", "b8c6"], then=(Draw(),))
    assert player.on_turn(BOARD, situation(["e2e4"])) == (Play("e7e5"),)
    assert player.on_turn(BOARD, situation(["e2e4", "e7e5", "g1f3"])) == (Play("b8c6"),)
    assert player.on_turn(BOARD, situation(["e2e4"])) == (Play("e7e5"),), "after a takeback again"
    assert player.on_turn(BOARD, situation(["a"] * 5)) == (Draw(),)


def test_at_a_ply_more_is_done_once_a_game() -> None:
    player = At({0: [Draw(), Say("hello")]}, ListPlayer(MOVES))
    assert player.on_turn(BOARD, situation()) == (Draw(), Say("hello"), Play("e2e4"))
    assert player.on_turn(BOARD, situation()) == (Play("e2e4"),)


def test_a_takeback_is_proposed_after_the_move_and_nobody_moves_after_resigning() -> None:
    assert At({0: [Takeback()]}, ListPlayer(MOVES)).on_turn(BOARD, situation()) == (
        Play("e2e4"),
        Takeback(),
    )
    for last in (Resign(), Abort(), Leave()):
        assert At({0: [last]}, ListPlayer(MOVES)).on_turn(BOARD, situation()) == (last,)


def test_answers_come_first_and_a_yes_is_all() -> None:
    player = Answers(ListPlayer(MOVES), draws=False, takebacks=True)
    assert player.on_turn(BOARD, situation()) == (Play("e2e4"),)
    assert player.on_turn(BOARD, situation(draw=True)) == (Draw(False), Play("e2e4"))
    assert player.on_turn(BOARD, situation(takeback=True)) == (Takeback(True),)
    assert player.on_wait(situation(draw=True, takeback=True)) == (Draw(False), Takeback(True))
    assert Answers(ListPlayer(MOVES)).on_wait(situation(draw=True, takeback=True)) == ()


# --- in games -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["standard", "chess960", "crazyhouse", "antichess", "threeCheck"])
def test_two_random_players_play_a_variant_to_its_end(server: LocalLichess, variant: str) -> None:
    server.attach("knight", RandomPlayer(random.Random(1)))
    server.attach("rival", RandomPlayer(random.Random(2)))
    game_id = server.challenge("rival", "knight", variant=variant)
    game = server.wait_game_over(game_id, timeout_s=40)
    assert game.status in ("mate", "stalemate", "draw", "variantEnd")
    assert game.variant == variant
    assert game.ply > 4


def test_resigning_at_a_ply(server: LocalLichess) -> None:
    server.attach("rival", At({4: [Say("well played"), Resign()]}, ListPlayer(MOVES)))
    server.attach("knight", ListPlayer(REPLIES))
    game = server.wait_game_over(server.challenge("rival", "knight", color="white"))
    assert (game.status, game.winner, game.ply) == ("resign", "black", 4)
    assert ("Rival", "well played") in game.chat


def test_a_draw_offer_is_answered(server: LocalLichess) -> None:
    server.attach("rival", At({4: [Draw()]}, ListPlayer(MOVES)))
    server.attach("knight", Answers(ListPlayer(REPLIES), draws=True))
    game = server.wait_game_over(server.challenge("rival", "knight", color="white"))
    assert (game.status, game.winner) == ("draw", None)


def test_a_takeback_is_granted_and_the_game_goes_on(server: LocalLichess) -> None:
    server.attach("rival", At({2: [Takeback()]}, ListPlayer(MOVES)))
    server.attach("knight", Answers(ListPlayer(REPLIES), takebacks=True))
    game = server.wait_game_over(server.challenge("rival", "knight", color="white"))
    assert ("lichess", "Takeback accepted") in game.chat
    assert (game.status, game.ply) == ("resign", 8), "the list was played to its end all the same"


def test_leaving_makes_a_claim_possible(server: LocalLichess) -> None:
    server.attach("rival", At({4: [Leave()]}, ListPlayer(MOVES)))
    server.attach("knight", ListPlayer(REPLIES))
    game_id = server.challenge("rival", "knight", color="white")
    server.wait_until(lambda: server.game(game_id).ply == 4)
    room = server.lobby.rooms.find(game_id)
    assert room is not None
    server.wait_until(lambda: not room.game.presence["white"].is_here)
    assert room.game.presence["black"].is_here


def test_challenges_are_sent_one_after_the_other(server: LocalLichess) -> None:
    form = challenge_form(color="white")
    server.attach("knight", At({1: [Resign()]}, SilentPlayer()))
    server.attach("rival", ListPlayer(MOVES), challenges=[OutgoingChallenge("knight", form)] * 3)
    server.wait_until(lambda: [game.status for game in server.games()] == ["aborted"] * 3)


def test_the_next_challenge_is_sent_when_one_is_declined(server: LocalLichess) -> None:
    form = challenge_form(color="white")
    server.attach("rival", SilentPlayer(), challenges=[OutgoingChallenge("knight", form)] * 2)
    book, knight = server.lobby.challenges.book, server.lobby.accounts.get("knight")
    server.wait_until(lambda: len(book.incoming(knight)) == 1)
    first = book.incoming(knight)[0].id
    server.on_loop(lambda: server.lobby.challenges.decline(knight, first, "later"))
    server.wait_until(lambda: len(book.incoming(knight)) == 1 and book.incoming(knight)[0].id != first)


def test_a_challenge_that_is_refused_is_said(server: LocalLichess, caplog: pytest.LogCaptureFixture) -> None:
    server.attach("rival", SilentPlayer(), challenges=[OutgoingChallenge("ghost", {})])
    server.wait_until(lambda: "Rival cannot challenge ghost: 400" in caplog.text)


def test_an_account_that_does_not_accept(server: LocalLichess) -> None:
    server.attach("knight", SilentPlayer(), accepts=False)
    first = server.challenge("rival", "knight")
    server.add_account("Bishop", "BOT")
    server.attach("bishop", SilentPlayer())
    second = server.challenge("rival", "bishop")
    server.wait_until(lambda: len(server.games()) == 1)
    assert server.games()[0].id == second
    challenge = server.lobby.challenges.book.find(first)
    assert challenge is not None
    assert challenge.status == "created"


def test_a_player_that_breaks_the_rules_resigns_and_says_so(
    server: LocalLichess, caplog: pytest.LogCaptureFixture
) -> None:
    server.attach("rival", ListPlayer(["e2e4", "e4e6"]))
    server.attach("knight", ListPlayer(REPLIES))
    game = server.wait_game_over(server.challenge("rival", "knight", color="white"))
    assert (game.status, game.winner, game.moves) == ("resign", "black", ("e2e4", "e7e5"))
    assert f"the player of white in {game.id} failed and resigns" in caplog.text


def test_a_strategy_plays_in_a_thread_of_its_own(server: LocalLichess) -> None:
    turns: list[Turn] = []
    threads: set[str] = set()

    def first_move(turn: Turn) -> None:
        turns.append(turn)
        threads.add(threading.current_thread().name)
        turn.play_move(sorted(turn.simulate_move(turn.fen)["legal_moves"])[0])

    server.attach("knight", StrategyPlayer(first_move, move_ms=500))
    server.attach("rival", ListPlayer(MOVES[:2]))
    game = server.wait_game_over(server.challenge("rival", "knight", color="white"))
    assert game.moves == ("e2e4", "a7a5", "g1f3", "a5a4")
    assert threads == {"scripted-player"}
    first, second = turns
    assert (first.game_id, first.color, first.moves) == (game.id, "black", ("e2e4",))
    assert second.moves == ("e2e4", "a7a5", "g1f3")
    assert second.initial_fen == chess.STARTING_FEN
    assert (first.opponent.id, first.opponent.name) == ("rival", "Rival")
    assert first.limit.soft_ms == 500
    assert first.clocks.white_ms == 180_000
    assert first.clocks.white_increment_ms == 2000


def test_a_strategy_that_never_returns_does_not_hold_up_the_server() -> None:
    release = threading.Event()

    def ponder(_turn: Turn) -> None:
        release.wait()

    with LocalLichess() as server:
        server.add_account("Knight", "BOT")
        server.add_account("Rival")
        server.attach("knight", StrategyPlayer(ponder))
        game_id = server.challenge("rival", "knight", color="black")
        server.wait_until(lambda: any(t.name == "scripted-player" for t in threading.enumerate()))
        assert server.game(game_id).ply == 0
    release.set()  # after the stop
