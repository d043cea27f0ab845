"""Faults of everything at once, of strategies and of opponents. Like `test_faults`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.local_lichess import GameSnapshot
from bot.local_lichess.fault import Fault, Kind, Where, at
from bot.local_lichess.players import Action, At, Leave, Takeback
from bot.nursery import Nursery
from bot.settings import ChallengeSettings
from tests.e2e.fault_kit import BOTH_COLORS, LIMIT_S, Color, JumpingClock, is_paced, row
from tests.e2e.kit import Shuffler, wait_ply
from tests.e2e.live_bot import TIMEOUTS, Manners
from tests.hosting import wait_until, warm_nursery


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with warm_nursery() as nursery:
        yield nursery


# --- everything at once ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "status"),
    [(at("move"), 502), (at("game_stream", event="gameState"), 0)],
    ids=["at a move, 502s", "at a state, resets"],
)
def test_an_outage_breaks_every_stream_at_once(nursery: Nursery, where: Where, status: int) -> None:
    outage = Fault(Kind.OUTAGE, where, after=3, seconds=1.2, status=status)
    with row(nursery, outage) as world:
        for game_id in [world.challenge(color) for color in BOTH_COLORS]:
            world.finish(game_id)
            assert is_paced(world.posts(game_id))
        assert world.script.counts() == {Kind.OUTAGE: 1}


def test_a_deploy_credits_the_clocks(nursery: Nursery) -> None:
    deploy = Fault(Kind.DEPLOY, at("move"), after=2, seconds=1.0, status=503)
    with row(nursery, deploy, delay_s=0.2) as world:
        for game_id in [world.challenge(color) for color in BOTH_COLORS]:
            game = world.finish(game_id)
            assert min(game.white_ms, game.black_ms) > (LIMIT_S + 5) * 1000


# --- chat -----------------------------------------------------------------------------------------------

CHAT = at("chat", "chat_read")
#: So long an answer about chat is waited for: no move may be.
CHAT_S = 12.0
CHAT_FAULTS = {
    "429 in HTML": Fault(Kind.ANSWER, CHAT, status=429, shape="html", times=None),
    "429 that names a time": Fault(Kind.ANSWER, CHAT, status=429, shape="limit", times=2, seconds=1),
    "503 in HTML": Fault(Kind.ANSWER, CHAT, status=503, shape="html", times=None),
    "400": Fault(Kind.ANSWER, at("chat"), status=400, shape="text", times=None),
    "a reset": Fault(Kind.DROP, at("chat"), times=None),
    "nothing": Fault(Kind.HANG, at("chat_read"), seconds=CHAT_S),
    "half of it, after the effect": Fault(Kind.GARBLE_ANSWER, CHAT, times=None),
}


@pytest.mark.parametrize("fault", CHAT_FAULTS)
def test_no_move_waits_for_chat(nursery: Nursery, fault: str) -> None:
    patient = replace(TIMEOUTS, read_s=CHAT_S)
    polite = Manners(greeting="Hello {opponent}", farewell="Bye {opponent}", timeouts=patient)
    with row(nursery, CHAT_FAULTS[fault], manners=polite, probe=False) as world:
        for game_id in [world.challenge(color) for color in BOTH_COLORS]:
            game = world.finish(game_id)
            assert world.refused_posts(game) == 0
            (opened,) = (asked for asked in world.requests("game_stream") if asked.path.endswith(game_id))
            first = world.posts(game_id)[0]
            assert first.arrived_s < opened.arrived_s + CHAT_S, "the clock does not tell this"
        wait_until(lambda: bool(world.script.fired), "the chat, which may come after the game")


# --- strategies -----------------------------------------------------------------------------------------

LOST = Fault(Kind.LOSE_ANSWER, at("move"), times=None)
BROKEN = Fault(Kind.RESET, at("game_stream", event="gameState"), after=1)

#: Strategy, and what else goes wrong meanwhile.
MISBEHAVING: Mapping[str, Sequence[Fault]] = {
    "grows": (),
    "makes_noise": (),
    "is_slow": (BROKEN,),
    "two_moves": (LOST,),
    "illegal_move": (BROKEN,),
    "no_move": (LOST, BROKEN),
    "dies_by_sigkill": (LOST,),
    "dies_by_segfault": (BROKEN,),
    "dies_and_leaves_an_engine": (LOST, BROKEN),
}


@pytest.mark.parametrize("strategy", MISBEHAVING)
def test_a_strategy_misbehaves_and_that_is_not_all(nursery: Nursery, strategy: str) -> None:
    manners = Manners(strategy=f"tests.e2e.misbehaving_always:{strategy}", memory_limit_mib=400)
    with row(nursery, manners=manners) as world:
        for game in world.play_both(*MISBEHAVING[strategy]):
            assert world.refused_posts(game) == 0


# --- opponents ------------------------------------------------------------------------------------------


def gone_and_claimed(nursery: Nursery, *faults: Fault, fen: str | None = None) -> list[GameSnapshot]:
    """Both opponents leave at their second move; how the games end."""
    clock = JumpingClock()
    leaves: Mapping[int, Sequence[Action]] = {ply: (Leave(),) for ply in (2, 3)}
    manners = Manners(challenge=ChallengeSettings(variants=("standard", "fromPosition")))
    with row(
        nursery, *faults, opponent=At(leaves, Shuffler()), manners=manners, clock=clock, probe=False
    ) as w:
        wishes: dict[str, Any] = {} if fen is None else {"variant": "fromPosition", "fen": fen}
        ids = [w.challenge(color, **wishes) for color in BOTH_COLORS]
        for game_id, ply in zip(ids, (3, 2), strict=True):
            wait_ply(w.server, game_id, ply)

        def all_over() -> bool:
            clock.jump(0.5)  # half a minute passes on the server in a second of ours
            return all(w.server.game(game_id).is_over for game_id in ids)

        wait_until(all_over, "claimed")
        wait_until(lambda: not w.bot.ledger.slots, "all slots are free again")
        assert all(fault.kind in w.script.counts() for fault in faults)
        return [w.server.game(game_id) for game_id in ids]


CLAIM_FAULTS = {
    "no fault": (),
    "the claim is reset": (Fault(Kind.DROP, at("claim_victory"), times=2),),
    "the claim answers 503": (Fault(Kind.ANSWER, at("claim_victory"), status=503, times=2),),
    "the answer to the claim is lost": (Fault(Kind.LOSE_ANSWER, at("claim_victory"), times=2),),
    "an early word of it is null": (
        Fault(Kind.NULL, at("game_stream", event="opponentGone"), times=2, fields=("claimWinInSeconds",)),
    ),
}


@pytest.mark.parametrize("fault", CLAIM_FAULTS)
def test_the_win_is_claimed_when_the_opponent_has_left(nursery: Nursery, fault: str) -> None:
    for game, color in zip(gone_and_claimed(nursery, *CLAIM_FAULTS[fault]), BOTH_COLORS, strict=True):
        assert (game.status, game.winner) == ("timeout", color)


def test_a_draw_is_claimed_where_the_bot_cannot_mate(nursery: Nursery) -> None:
    white, black = gone_and_claimed(nursery, fen="4k3/8/8/8/8/8/7R/4K3 w - - 0 1")
    assert (white.status, white.winner) == ("timeout", "white")
    assert (black.status, black.winner) == ("timeout", None)


@pytest.mark.parametrize("bot_plays", BOTH_COLORS)
def test_a_takeback_makes_the_move_list_shorter(nursery: Nursery, bot_plays: Color) -> None:
    with row(nursery, delay_s=0.3) as world:
        game_id = world.challenge(bot_plays)
        wait_ply(world.server, game_id, 4 + (bot_plays == "white"))

        def take_back() -> int:
            world.server.act(world.rivals[bot_plays].name, game_id, Takeback())
            before = world.server.game(game_id).ply
            world.server.act(world.knight.name, game_id, Takeback())
            return before - world.server.game(game_id).ply

        assert world.server.on_loop(take_back) == 2
        world.finish(game_id)


def test_a_takeback_of_the_move_that_the_bot_thinks_about(nursery: Nursery) -> None:
    """What it finds is for a position that is gone."""
    manners = Manners(strategy="tests.e2e.misbehaving_always:is_slow")
    with row(nursery, manners=manners, delay_s=0.1) as world:
        game_id = world.challenge("white")
        wait_ply(world.server, game_id, 2)

        def take_back() -> list[str]:
            for name in (world.rivals["white"].name, world.knight.name):
                world.server.act(name, game_id, Takeback())
            return list(world.server.game(game_id).moves)

        assert world.server.on_loop(take_back) == ["b1a3"]
        world.finish(game_id)
        assert world.refused_posts(world.server.game(game_id)) == 0


def test_a_good_move_that_is_refused_is_sent_again(nursery: Nursery) -> None:
    """400 means: look again. The position is as it was, and it is still the bot's move."""
    with row(nursery) as world:
        world.play_both(Fault(Kind.ANSWER, at("move"), status=400, shape="text", after=1))
