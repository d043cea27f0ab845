"""The local Lichess in the foreground, with a bot's account and a human's."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable

from bot.local_lichess.hosts import OutgoingChallenge
from bot.local_lichess.players import RandomPlayer
from bot.local_lichess.server import LocalLichess
from bot.local_lichess.terms import challenge_form
from bot.timing.clock import Clock

BOT_NAME, BOT_TOKEN = "knight", "lip_knight"
HUMAN_NAME, HUMAN_TOKEN = "guest", "lip_guest"
DEFAULT_PORT = 8080


def serve(
    *,
    say: Callable[[str], None],
    clock: Clock | None = None,
    port: int = DEFAULT_PORT,
    random_games: int = 0,
    seed: int = 0,
    until: Callable[[LocalLichess], None] | None = None,
) -> None:
    """Serve on 127.0.0.1:`port` until Ctrl-C, or until `until` returns. `say` gets the lines to print.

    `random_games`: once the bot is online, the guest challenges it to so many games, one after the other, and
    plays random moves. OSError when the port is taken.
    """
    server = LocalLichess(clock=clock, port=port, seed=seed)
    with server:
        server.add_account(BOT_NAME, "BOT", token=BOT_TOKEN)
        server.add_account(HUMAN_NAME, token=HUMAN_TOKEN)
        for line in greeting(server.url, random_games):
            say(line)
        try:
            if random_games > 0:
                _play_at_random(server, random_games, seed)
            (until or _for_ever)(server)
        except KeyboardInterrupt:
            say("Stopped.")


def greeting(url: str, random_games: int = 0) -> list[str]:
    """What the person at the keyboard needs to know, with lines to paste into a shell."""
    curl = f"curl -H 'Authorization: Bearer {HUMAN_TOKEN}'"
    lines = [
        f"A local Lichess is at {url} (Ctrl-C ends it).",
        f"  account {BOT_NAME}, a BOT: token {BOT_TOKEN}",
        f"  account {HUMAN_NAME}, a human: token {HUMAN_TOKEN}",
        "",
    ]
    if random_games > 0:
        lines += [
            f"Start a bot on the token {BOT_TOKEN}: {HUMAN_NAME} then challenges it"
            f" to {random_games} game(s) and plays at random. To watch one, use the last line but one below.",
            "",
        ]
    return [
        *lines,
        f"Challenge the bot as {HUMAN_NAME} (the answer has the id of the game to be):",
        f"  {curl} -d clock.limit=300 -d clock.increment=3 -d color=white {url}/api/challenge/{BOT_NAME}",
        "Follow the game, and move in it:",
        f"  {curl} -N {url}/api/board/game/stream/ID",
        f"  {curl} -X POST {url}/api/board/game/ID/move/e2e4",
        "Have the result:",
        f"  curl {url}/game/export/ID",
    ]


def _play_at_random(server: LocalLichess, games: int, seed: int) -> None:
    server.wait_until(lambda: server.lobby.feeds.is_online(BOT_NAME), timeout_s=None)
    challenges = [OutgoingChallenge(BOT_NAME, challenge_form(limit_s=300, increment_s=3))] * games
    server.attach(HUMAN_NAME, RandomPlayer(random.Random(seed)), challenges=challenges)


def _for_ever(_server: LocalLichess) -> None:
    threading.Event().wait()
