"""A whole game of every variant, over HTTP and by a bot in its own process, ends as its rules say."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest

from bot.local_lichess import LocalLichess
from bot.position import replay
from tests.e2e.kit import (
    PATIENCE_S,
    VARIANTS,
    assert_posted_once,
    challenge_at_once,
    ended_by_the_rules,
    own_moves,
    random_player,
    serving,
    wait_all_over,
)

#: Random games may take hundreds of moves; with this seed of the server's none of the ten does.
SEED = int(os.environ.get("SEED","1"))

#: Where a game begins, in the two variants that do not say so themselves.
POSITIONS = {
    "chess960": "nqrbbkrn/pppppppp/8/8/8/8/PPPPPPPP/NQRBBKRN w KQkq - 0 1",
    "fromPosition": "r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R b KQkq - 0 12",
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LocalLichess, dict[str, str]]]:
    """A server on which one bot has played a game of every variant, all ten at once: variant → game id."""
    with LocalLichess(seed=SEED) as server:
        bot = server.add_account("Knight", title="BOT")
        challenges = []
        for number, variant in enumerate(VARIANTS):
            person = server.add_account(f"Lover_of_{variant}")
            server.attach(person.name, random_player(seed=SEED))
            wishes = {
                "limit_s": 600,
                "increment_s": 5,
                "color": "black" if number % 2 == 0 else "white",
                "variant": variant,
                "fen": POSITIONS.get(variant),
            }
            challenges.append((person, wishes))
        with serving(
            server,
            bot,
            tmp_path_factory.mktemp("variants"),
            strategy="random",
            challenge={"variants": VARIANTS},
            games={"max_simultaneous": len(VARIANTS)},
        ):
            ids = challenge_at_once(server, bot, challenges)
            wait_all_over(server, ids, 2 * PATIENCE_S)
        yield server, dict(zip(VARIANTS, ids, strict=True))


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_whole_game_ends_by_the_rules(
    played: tuple[LocalLichess, dict[str, str]], variant: str
) -> None:
    server, ids = played
    game = server.game(ids[variant])
    assert game.variant == variant
    assert ended_by_the_rules(game), game.status
    assert_posted_once(server, game, "knight")


def test_the_colours_alternated(played: tuple[LocalLichess, dict[str, str]]) -> None:
    server, ids = played
    sides = [server.game(ids[variant]).side_of("knight") for variant in VARIANTS]
    assert sides == ["white", "black"] * 5


def test_the_game_lists_replay_to_the_end(played: tuple[LocalLichess, dict[str, str]]) -> None:
    """Our own rules agree with the server's on each final position."""
    server, ids = played
    for variant in VARIANTS:
        game = server.game(ids[variant])
        initial = POSITIONS.get(variant, "startpos")
        assert replay(variant, initial, game.moves).epd() == chess_epd(variant, game.fen), variant


def chess_epd(variant: str, fen: str) -> str:
    from bot.position import new_board

    return new_board(variant, fen).epd()
