"""`knightshift demo`: a Lichess, the bot and a challenger on this machine, playing whole games to look at."""

from __future__ import annotations

import json
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import chess
import requests
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from bot.board_view import clock_text, draw_board
from bot.events import Side
from bot.local_lichess import AccountHandle, LocalLichess
from bot.local_lichess.players import StrategyPlayer
from bot.service_process import service_process
from bot.strategies import registry
from bot.timing.clock import SystemClock
from bot.warm_command import run_warm
from bot.warming import COMPILED

BOT, CHALLENGER = "Knight", "Guest"
CLOCK_LIMIT_S, CLOCK_INCREMENT_S = 180, 2
#: The service is up well within this time, even on a slow machine.
START_S = 60.0

PROBLEM = 1


def run_demo(*, games: int, strategy: str, opponent: str, seed: int, pace_s: float) -> int:
    """Play `games` games, the bot's colour alternating; returns the exit code.

    `pace_s`: how long, in seconds, a terminal shows each position. Raises StrategyNameError before anything
    is started.
    """
    spec = registry.parse_spec(strategy)
    challenger_plays = registry.load(registry.parse_spec(opponent, search_path=(str(Path.cwd()),)))
    console = Console()
    if spec.name == COMPILED:
        run_warm(console, SystemClock())  # where that fails, classical plays for it
    with (
        LocalLichess(seed=seed) as server,
        tempfile.TemporaryDirectory(prefix="knightshift-demo-") as folder,
    ):
        bot = server.add_account(BOT, title="BOT", scopes=("bot:play",))
        guest = server.add_account(CHALLENGER, scopes=("challenge:write", "board:play"))
        server.attach(guest.name, StrategyPlayer(challenger_plays))
        console.print(f"A Lichess of our own at {server.url}; {BOT} plays [bold]{strategy}[/].")
        settings = {"url": server.url, "token": bot.token, "strategy": _strategy_setting(strategy)}
        with service_process(Path(folder), settings) as service:
            try:
                server.wait_until(lambda: server.lobby.feeds.is_online(bot.id), START_S)
            except TimeoutError:
                console.print(f"[red]The bot did not come online.[/]\n{service.tail()}")
                return PROBLEM
            for number in range(games):
                bots_side: Side = "white" if number % 2 == 0 else "black"
                console.print(f"\n[bold]Game {number + 1} of {games}[/]: {BOT} has the {bots_side} pieces.")
                if not _play_one(server, _People(guest, bot), bots_side, _Screen(console, pace_s)):
                    console.print(f"[red]The game did not end by the rules.[/]\n{service.tail()}")
                    return PROBLEM
            exit_code = service.stop()
        console.print(f"\nThe bot was told to stop, and ended with exit code {exit_code}.")
        return 0 if exit_code == 0 else PROBLEM


def _strategy_setting(strategy: str) -> Mapping[str, object]:
    """As in config.yml; a script is looked for where the demo was started."""
    spec = registry.parse_spec(strategy)
    name = str(Path(spec.name).resolve()) if spec.name.endswith(".py") else spec.name
    return {"name": name, "options": dict(spec.options)}


@dataclass(frozen=True, slots=True)
class _People:
    guest: AccountHandle
    bot: AccountHandle


@dataclass(frozen=True, slots=True)
class _Screen:
    console: Console
    pace_s: float


# --- one game, watched over HTTP as the challenger sees it --------------------------------------------


def _play_one(server: LocalLichess, people: _People, bots_side: Side, screen: _Screen) -> bool:
    guest, bot, console = people.guest, people.bot, screen.console
    challengers_side: Literal["white", "black"] = "black" if bots_side == "white" else "white"
    session = requests.Session()
    session.trust_env = False
    session.headers["Authorization"] = f"Bearer {guest.token}"
    with session:
        answer = session.post(
            f"{server.url}/api/challenge/{bot.name}",
            data={
                "clock.limit": CLOCK_LIMIT_S,
                "clock.increment": CLOCK_INCREMENT_S,
                "color": challengers_side,
                "rated": "false",
            },
            timeout=10,
        )
        answer.raise_for_status()
        game_id = answer.json()["id"]
        try:
            server.wait_until(lambda: any(game.id == game_id for game in server.games()), START_S)
        except TimeoutError:
            return False
        final = _watch(session, f"{server.url}/api/board/game/stream/{game_id}", bots_side, screen)
        pgn = session.get(
            f"{server.url}/game/export/{game_id}", headers={"Accept": "application/x-chess-pgn"}, timeout=10
        ).text
    console.print(f"\n{_result_line(final, bots_side)}\n")
    console.print(Text(pgn.strip()))  # as it is, to be copied
    return bool(final) and final["status"] not in ("started", "created", "aborted", "outoftime", "timeout")


def _watch(session: requests.Session, url: str, bots_side: Side, screen: _Screen) -> dict[str, Any]:
    """Follow the game's stream at `url` to its end; returns the last state."""
    console = screen.console
    board, state = chess.Board(), dict[str, Any]()
    stream = session.get(url, stream=True, timeout=(5, 30))
    pause = threading.Event()
    with stream, Live(console=console, transient=True, auto_refresh=False) as live:
        for line in stream.iter_lines(chunk_size=None):
            if not line:
                continue
            message = json.loads(line)
            if message["type"] not in ("gameFull", "gameState"):
                continue
            state = message.get("state", message)
            moves = state["moves"].split()
            _follow(board, moves, state, console)
            live.update(
                _scene(board, state, bots_side, colours=console.color_system is not None), refresh=True
            )
            if console.is_terminal and screen.pace_s:
                pause.wait(screen.pace_s)
            if state["status"] not in ("created", "started"):
                break
    console.print(_scene(board, state, bots_side, colours=console.color_system is not None))
    return state


def _follow(board: chess.Board, moves: list[str], state: dict[str, Any], console: Console) -> None:
    """Bring `board` to the position after `moves`; where there is no terminal, a line for each new move."""
    for uci in moves[len(board.move_stack) :]:
        move = board.parse_uci(uci)
        if not console.is_terminal:
            dots = "." if board.turn == chess.WHITE else "..."
            left_ms = state["wtime"] if board.turn == chess.WHITE else state["btime"]
            line = f"{board.fullmove_number:>4}{dots} {board.san(move):<8} {clock_text(left_ms):>6}"
            console.print(line, highlight=False)
        board.push(move)


def _scene(board: chess.Board, state: dict[str, Any], bots_side: Side, *, colours: bool) -> Group:
    names = {bots_side: f"{BOT} (bot)", ("black" if bots_side == "white" else "white"): CHALLENGER}
    seen_from = chess.WHITE if bots_side == "white" else chess.BLACK

    def line(side: Side) -> Text:
        turn = (board.turn == chess.WHITE) == (side == "white")
        mark = "▸ " if turn and state.get("status") == "started" else "  "
        left_ms = state.get("wtime" if side == "white" else "btime", 0)
        return Text(f" {mark}{names[side]:<16}{clock_text(left_ms):>8}", style="bold" if turn else "")

    top: Side = "black" if bots_side == "white" else "white"
    return Group(
        line(top),
        draw_board(board, seen_from=seen_from, colours=colours),
        line(bots_side),
        _last_moves(board),
    )


def _last_moves(board: chess.Board, count: int = 8) -> Text:
    """The newest moves, in the notation people read."""
    start = board.copy()
    undone = [start.pop() for _ in range(min(count, len(board.move_stack)))]
    words: list[str] = []
    for move in reversed(undone):
        number = f"{start.fullmove_number}." if start.turn == chess.WHITE else ""
        if not words and not number:
            number = f"{start.fullmove_number}..."
        words.append(f"{number}{start.san(move)}")
        start.push(move)
    return Text("   " + " ".join(words), style="dim")


def _result_line(final: dict[str, Any], bots_side: Side) -> str:
    winner = final.get("winner")
    if winner is None:
        return f"Draw ({final.get('status', 'unknown')})."
    who = BOT if winner == bots_side else CHALLENGER
    return f"{who} wins as {winner} ({final['status']})."
