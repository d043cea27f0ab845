"""A whole game of every variant, over HTTP and by a bot in its own process, ends as its rules say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.local_lichess import GameSnapshot, LocalLichess
from bot.position import new_board, replay
from tests.e2e.kit import (
    VARIANTS,
    Shuffler,
    assert_posted_once,
    challenge_at_once,
    ended_by_the_rules,
    own_module,
    own_moves,
    random_player,
    serving,
    wait_all_over,
)

#: Where a game begins, in the two variants that do not say so themselves.
POSITIONS = {
    "chess960": "nqrbbkrn/pppppppp/8/8/8/8/PPPPPPPP/NQRBBKRN w KQkq - 0 1",
    "fromPosition": "r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R b KQkq - 0 12",
}

#: Seeds of the opponents. Any will do, but most random games take hundreds of moves, and these do not.
SERVER_SEED = 1
SEEDS = {
    "standard": 26,
    "chess960": 55,
    "fromPosition": 10,
    "crazyhouse": 34,
    "antichess": 22,
    "atomic": 21,
    "horde": 35,
    "kingOfTheHill": 26,
    "racingKings": 35,
    "threeCheck": 35,
}


@dataclass(frozen=True)
class Played:
    server: LocalLichess
    games: dict[str, GameSnapshot]  # by variant


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """One bot has played a game of every variant, all ten at once, and its colours alternate."""
    with LocalLichess(seed=SERVER_SEED) as server:
        bot = server.add_account("Knight", title="BOT")
        challenges = []
        for number, variant in enumerate(VARIANTS):
            person = server.add_account(f"Lover_of_{variant}")
            server.attach(person.name, random_player(SEEDS[variant]))
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
            wait_all_over(server, ids)
        yield Played(server, {v: server.game(game_id) for v, game_id in zip(VARIANTS, ids, strict=True)})


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_whole_game_ends_by_the_rules(played: Played, variant: str) -> None:
    game = played.games[variant]
    assert game.variant == variant
    assert ended_by_the_rules(game), game.status
    assert_posted_once(played.server, game, "knight")


@pytest.mark.parametrize("variant", VARIANTS)
def test_our_rules_arrive_where_the_servers_do(played: Played, variant: str) -> None:
    game = played.games[variant]
    final = replay(variant, POSITIONS.get(variant, "startpos"), game.moves)
    assert final.fen() == new_board(variant, game.fen).fen()
    assert final.is_game_over(claim_draw=True)


def test_the_colours_alternated(played: Played) -> None:
    assert [game.side_of("knight") for game in played.games.values()] == ["white", "black"] * 5


def test_castling_is_sent_in_the_notation_of_each_variant(server: LocalLichess, tmp_path: Path) -> None:
    bot = server.add_account("Knight", title="BOT")
    castling = {"standard": "e1g1", "chess960": "f1g1", "fromPosition": "e1h1"}
    positions = {**POSITIONS, "fromPosition": "4k3/8/8/8/8/8/8/4K2R w K - 0 1"}
    challenges = []
    for variant in castling:
        person = server.add_account(f"Lover_of_{variant}")
        server.attach(person.name, Shuffler())
        wishes = {"color": "black", "variant": variant, "fen": positions.get(variant)}
        challenges.append((person, wishes))
    own_module(tmp_path, "mine")
    settings: dict[str, Any] = {"strategy": "mine:castles", "challenge": {"variants": list(castling)}}
    with serving(server, bot, tmp_path, **settings) as process:
        ids = challenge_at_once(server, bot, challenges)
        wait_all_over(server, ids)
    assert process.complaints() == []
    for game_id, (variant, uci) in zip(ids, castling.items(), strict=True):
        game = server.game(game_id)
        assert uci in own_moves(game, bot.id), variant
        assert ended_by_the_rules(game)
        assert_posted_once(server, game, bot.id)
