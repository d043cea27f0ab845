"""A strategy with every kind of fault. The tests copy this file beside a config.yml, so it stands on its own.

What it does wrong depends on who sits opposite; it does it at one or two of its moves, and else plays on.
"""

from __future__ import annotations

import os
import random
import signal
import time

import chess

from bot.strategies.contract import Turn

#: Own moves, counted from 0, at which the fault shows; hanging takes its time, so it is done once.
FAULTY_MOVES = (1, 3)
HANGING = ("hangs", "plays_and_hangs")


def faulty_moves(fault: str) -> tuple[int, ...]:
    return FAULTY_MOVES[:1] if fault in HANGING else FAULTY_MOVES


def faulty(turn: Turn) -> None:
    if len(turn.moves) // 2 in faulty_moves(turn.opponent.name):
        {**FAULTS, **SPREADING}[turn.opponent.name](turn)
    else:
        play(turn)


def fallback(turn: Turn) -> None:
    """Steps in well, except where nothing works."""
    if turn.opponent.name == "all_fails":
        raise RuntimeError("the fallback is no better")
    turn.play_move(random.choice(turn.simulate_move(turn.fen)["legal_moves"]))


def play(turn: Turn) -> None:
    """To and fro, so that a game of two like this ends by repetition."""
    board = turn.board()
    back = turn.moves[-2][2:4] + turn.moves[-2][0:2] if len(turn.moves) >= 2 else ""
    moves = {board.uci(move): move for move in board.legal_moves}
    quiet = sorted(uci for uci, move in moves.items() if not board.is_zeroing(move))
    turn.play_move(back if back in moves else (quiet or sorted(moves))[0])


def raises(turn: Turn) -> None:
    raise ValueError("no idea\nwhat to play")


def returns(turn: Turn) -> None:
    turn.simulate_move(turn.fen)


def plays_illegally(turn: Turn) -> None:
    turn.play_move("e1e8")


def plays_nonsense(turn: Turn) -> None:
    turn.play_move("Nf3")


def plays_for_the_other_side(turn: Turn) -> None:
    board = turn.board()
    board.push(chess.Move.null())
    turn.play_move(next(iter(board.legal_moves)).uci())


def plays_twice(turn: Turn) -> None:
    play(turn)
    play(turn)


def hangs(turn: Turn) -> None:
    time.sleep(3600)


def thinks_for_ever(turn: Turn) -> None:
    """Deaf to everything but SIGKILL."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.write(2, b"thinking for ever\n")
    while True:
        time.sleep(3600)


def plays_and_hangs(turn: Turn) -> None:
    play(turn)
    time.sleep(3600)


def plays_and_raises(turn: Turn) -> None:
    play(turn)
    raise ValueError("too late to matter")


def exits(turn: Turn) -> None:
    raise SystemExit("enough")


def dies(turn: Turn) -> None:
    os.write(2, b"these are my last words\n")
    os._exit(7)


def plays_and_dies(turn: Turn) -> None:
    play(turn)
    os._exit(8)


def aborts(turn: Turn) -> None:
    os.abort()


def closes_everything(turn: Turn) -> None:
    os.closerange(0, 256)


def kills_its_parent(turn: Turn) -> None:
    """The process server that all strategies of the bot come from."""
    os.kill(os.getppid(), 9)
    time.sleep(3600)


def prints_a_lot(turn: Turn) -> None:
    for _ in range(2000):
        print("noise " * 20)  # noqa: T201  the fault under test
    raise ValueError("and then nothing")


FAULTS = {
    fault.__name__: fault
    for fault in (
        raises,
        returns,
        plays_illegally,
        plays_nonsense,
        plays_for_the_other_side,
        plays_twice,
        hangs,
        plays_and_hangs,
        plays_and_raises,
        exits,
        dies,
        plays_and_dies,
        aborts,
        closes_everything,
        prints_a_lot,
    )
}
FAULTS["all_fails"] = raises

#: Ends other games' strategies too, so it gets a bot of its own.
SPREADING = {kills_its_parent.__name__: kills_its_parent}
