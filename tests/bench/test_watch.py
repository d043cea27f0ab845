"""What the watch makes of lines and requests: latencies, moves taken twice, moves into the unknown."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

from bot.bench.watch import Watch
from bot.local_lichess import Answer, Call, Cut
from bot.local_lichess.seam import OK
from bot.timing.clock import VirtualClock

STREAM = Call("GET", "/api/bot/game/stream/game0001", "game_stream", "knight", "game0001")


def post(uci: str) -> Call:
    return Call("POST", f"/api/bot/game/game0001/move/{uci}", "move", "knight", "game0001")


class Board:
    """The server's side of one game."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.watch = Watch(clock=self.clock, moves_of=lambda _: tuple(self.moves))
        self.moves: list[str] = []

    def shows(self, line: bytes | None = None) -> None:
        state = json.dumps({"type": "gameState", "moves": " ".join(self.moves)}).encode()
        assert asyncio.run(self.watch.line(STREAM, line or state)) == (line or state,)

    def takes(self, uci: str, *, arrives_after_s: float = 0.0) -> None:
        call = post(uci)
        self.clock.advance(arrives_after_s)
        assert asyncio.run(self.watch.before(call)) is None
        self.moves.append(uci)
        assert asyncio.run(self.watch.after(call, OK)) is OK


def test_a_reply_is_timed_from_the_first_line_that_shows_its_position() -> None:
    game = Board()
    game.shows()
    game.clock.advance(1.0)
    game.shows()  # the same once more: a draw offer, say
    game.takes("e2e4", arrives_after_s=0.5)
    (reply,) = game.watch.replies
    assert (reply.game_id, reply.ply, reply.after_s, reply.arrived_s) == ("game0001", 0, 1.5, 1.5)
    assert game.watch.duplicates == 0


def test_the_whole_game_shows_a_position_too() -> None:
    game = Board()
    game.shows(b'{"type":"gameFull","state":{"type":"gameState","moves":""}}\n')
    game.takes("e2e4")
    assert len(game.watch.replies) == 1


def test_a_move_in_a_position_that_was_never_shown_is_a_ghost() -> None:
    game = Board()
    game.shows()
    game.takes("g1f3")
    game.moves.append("g8f6")
    game.takes("f3g1")  # a retry, of what was meant for another position
    assert (game.watch.ghosts, game.watch.duplicates) == (1, 1)


def test_rubbish_shows_nothing() -> None:
    game = Board()
    for line in (b"\n", b'{"type":"gameState","mov', b"[]", b'{"type":"gameState"}', b'{"moves":null}'):
        game.shows(line)
    game.takes("e2e4")
    assert game.watch.ghosts == 1


def test_two_moves_for_one_ply_are_a_duplicate() -> None:
    game = Board()
    game.shows()
    game.takes("e2e4")
    game.moves.pop()
    game.takes("e2e4")
    assert game.watch.duplicates == 1


def test_a_move_that_came_too_late_to_be_played_is_none() -> None:
    game = Board()
    game.shows()
    asyncio.run(game.watch.before(post("e2e4")))
    asyncio.run(game.watch.after(post("e2e4"), OK))  # 200, but the flag had fallen
    assert (game.watch.replies, game.watch.duplicates, game.watch.refused) == ([], 0, 0)


def test_refusals_are_counted_and_errands_are_not() -> None:
    game = Board()
    asyncio.run(game.watch.after(post("e2e4"), Answer(400, b"{}")))
    abort = Call("POST", "/api/bot/game/game0001/abort", "abort", "knight", "game0001")
    asyncio.run(game.watch.after(abort, Answer(400, b"{}")))
    assert game.watch.refused == 1


class _Swallows:
    """Faults that keep every line back, refuse every request, and tear every answer."""

    async def before(self, call: Call) -> Answer | Cut | None:  # noqa: ARG002  the protocol's
        return Answer(503, b"")

    async def after(self, call: Call, answer: Answer) -> Answer | Cut:  # noqa: ARG002  the protocol's
        return Cut.RESET

    async def line(self, call: Call, line: bytes) -> Sequence[bytes | Cut]:  # noqa: ARG002  the protocol's
        return ()


def test_faults_have_the_last_word_and_what_they_swallow_was_not_shown() -> None:
    watch = Watch(clock=VirtualClock(), inner=_Swallows(), moves_of=lambda _: ("e2e4",))
    assert asyncio.run(watch.line(STREAM, b'{"type":"gameState","moves":""}\n')) == ()
    assert asyncio.run(watch.before(post("e2e4"))) == Answer(503, b"")
    assert asyncio.run(watch.after(post("e2e4"), OK)) is Cut.RESET
    assert watch.ghosts == 1
