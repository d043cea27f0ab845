"""Every variant: how it ends, and whole games at random."""

from __future__ import annotations

import io
import random

import chess
import chess.pgn
import chess.variant
import pytest

from bot.local_lichess.notation import lichess_fen
from bot.local_lichess.rules import VARIANTS, can_win, chess960_fen, is_materially_lost, new_board
from bot.local_lichess.seats import Color
from tests.local_lichess.game_kit import Table, table


@pytest.mark.parametrize(
    ("variant", "fen", "moves", "status", "winner"),
    [
        ("kingOfTheHill", "7k/8/8/8/8/3K4/8/7R w - - 0 1", "d3d4", "variantEnd", "white"),
        ("kingOfTheHill", "7k/8/8/8/8/8/8/K7 w - - 0 1", "a1b1", "started", None),
        ("threeCheck", "7k/8/8/8/8/8/8/KR6 w - - 0 1 +2+0", "b1h1", "variantEnd", "white"),
        ("threeCheck", "7k/8/8/8/8/8/8/KR6 w - - 0 1 +1+0", "b1h1", "started", None),
        ("threeCheck", "7k/6pp/8/8/8/8/8/KR6 w - - 0 1 +2+0", "b1b8", "mate", "white"),
        ("atomic", "4k3/3p4/8/8/8/8/8/K2R4 w - - 0 1", "d1d7", "variantEnd", "white"),
        ("atomic", "7k/6pp/8/8/8/8/8/K2R4 w - - 0 1", "d1d8", "mate", "white"),
        ("antichess", "8/8/8/8/8/p7/1P6/8 w - - 0 1", "b2a3", "variantEnd", "black"),
        ("antichess", "8/8/8/p7/8/8/P7/8 w - - 0 1", "a2a4", "variantEnd", "black"),
        ("horde", "4k3/8/8/8/8/3q4/4P3/8 b - - 0 1", "d3e2", "variantEnd", "black"),
        ("horde", "k7/8/1PP5/8/8/8/8/3Q4 w - - 0 1", "d1d8", "mate", "white"),
        ("racingKings", "8/k6K/8/8/8/8/8/8 w - - 0 1", "h7h8", "started", None),
        ("racingKings", "8/k6K/8/8/8/8/8/8 w - - 0 1", "h7h8 a7a8", "draw", None),
        ("racingKings", "8/k6K/8/8/8/8/8/8 w - - 0 1", "h7h8 a7a6", "variantEnd", "white"),
        ("racingKings", "8/7K/k7/8/8/8/8/8 w - - 0 1", "h7h8", "variantEnd", "white"),
        ("racingKings", "8/k7/7K/8/8/8/8/8 b - - 0 1", "a7a8", "variantEnd", "black"),
        ("racingKings", "2R5/k6K/8/8/8/8/8/8 w - - 0 1", "h7h8", "variantEnd", "white"),
        ("crazyhouse", "6rk/6pp/8/8/8/8/8/K7/N w - - 0 1", "N@f7", "mate", "white"),
        ("standard", None, "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7", "mate", "white"),
    ],
)
def test_an_ending_of_each_variant(
    variant: str, fen: str | None, moves: str, status: str, winner: Color | None
) -> None:
    t = table(variant=variant, initial_fen=fen)
    t.play(moves)
    assert t.result() == (status, winner)


def test_a_crazyhouse_check_that_a_drop_can_parry_is_no_mate() -> None:
    t = table(variant="crazyhouse", initial_fen="7k/6pp/8/8/8/8/8/K2R4/n w - - 0 1")
    t.play("d1d8")
    assert t.result() == ("started", None)
    t.play("N@e8")
    assert t.game.fen.split()[0] == "3Rn2k/6pp/8/8/8/8/8/K7/"


def test_fifty_quiet_moves_mean_nothing_in_crazyhouse() -> None:
    t = table(variant="crazyhouse", initial_fen="7k/8/8/8/8/8/R7/K7/ w - - 98 80")
    t.play("a2b2 h8g8 b2b3 g8h8")
    assert t.result() == ("started", None)


@pytest.mark.parametrize("key", [key for key in VARIANTS if key not in ("chess960", "fromPosition")])
def test_without_a_fen_a_variant_has_its_own_start(key: str) -> None:
    board = new_board(key, None)
    assert board.fen() == VARIANTS[key].board().fen()
    assert table(variant=key).game.full_json(0)["initialFen"] == "startpos"


@pytest.mark.parametrize(
    ("key", "fen", "message"),
    [
        ("chess960", None, "a chess960 game needs an initial FEN"),
        ("fromPosition", None, "a fromPosition game needs an initial FEN"),
        ("fromPosition", "nonsense", "expected"),
        ("fromPosition", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "nothing is left to play"),
        ("bughouse", None, "unknown variant 'bughouse'; known: standard, chess960"),
    ],
)
def test_what_cannot_be_played_is_refused(key: str, fen: str | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        new_board(key, fen)


def test_the_chess960_starts_are_numbered() -> None:
    assert chess960_fen(518) == chess.STARTING_FEN
    assert len({chess960_fen(number) for number in range(960)}) == 960
    with pytest.raises(ValueError, match="960"):
        chess960_fen(960)


def test_what_can_still_win() -> None:
    board = chess.Board("7k/8/8/8/8/8/R7/K7 w - - 0 1")
    assert (can_win(board, "white"), can_win(board, "black")) == (True, False)
    hill = chess.variant.KingOfTheHillBoard("7k/8/8/8/8/8/8/K7 w - - 0 1")
    assert (can_win(hill, "white"), can_win(hill, "black")) == (True, True)


@pytest.mark.parametrize(
    ("fen", "lost"),
    [("7k/8/8/8/8/8/R7/K7", "black"), ("np5k/8/8/8/8/8/8/K7", "white"), ("n6k/8/8/8/8/8/8/K7", None)],
)
def test_four_pawns_worth_is_lost(fen: str, lost: str | None) -> None:
    board = chess.Board(f"{fen} w - - 0 1")
    sides: tuple[Color, Color] = ("white", "black")
    assert [side for side in sides if is_materially_lost("standard", board, side)] == ([lost] if lost else [])
    assert not any(is_materially_lost("crazyhouse", board, side) for side in sides)


# --- whole games ------------------------------------------------------------------------------------


def _random_move(t: Table, rng: random.Random) -> str:
    """Captures more often than not, so that games come to an end."""
    moves = t.game.legal_moves()
    captures = [move for move in moves if t.game.board.is_capture(t.game.board.parse_uci(move))]
    return rng.choice(captures if captures and rng.random() < 0.5 else moves)


def _start_of(variant: str, rng: random.Random) -> str | None:
    if variant == "chess960":
        return chess960_fen(rng.randrange(960))
    return "r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R b KQkq - 3 12" if variant == "fromPosition" else None


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_random_game_keeps_its_word_to_the_end(variant: str, seed: int) -> None:
    rng = random.Random(f"{variant} {seed}")
    fen = _start_of(variant, rng)
    t = table(variant=variant, initial_fen=fen)
    plain = VARIANTS[variant].board(fen or VARIANTS[variant].board().fen(), chess960=True)
    while not t.game.is_over:
        reread = type(plain)(t.game.fen, chess960=plain.chess960)
        assert reread.fen() == plain.fen(), "its FEN is read as the position that python-chess has"
        assert lichess_fen(reread) == t.game.fen
        assert _outcome(plain) is None
        uci = _random_move(t, rng)
        assert len(t.game.legal_moves()) == plain.legal_moves.count()
        t.play(uci, think_ms=rng.randrange(300))
        if t.game.status == "outoftime" or t.game.ply < plain.ply() + 1 - t.game.board.root().ply():
            break
        plain.push_uci(uci)
    assert t.game.is_over
    last = t.lines("gameState")[-1]
    assert last["moves"] == " ".join(t.game.moves)
    assert (last["status"], last.get("winner")) == t.result()
    expected = _outcome(plain)
    if expected is not None:
        assert t.result() == expected
    else:
        assert t.game.status in ("draw", "outoftime"), "fifty moves, too long, or the clock"
    _check_pgn(t, plain)


def _outcome(board: chess.Board) -> tuple[str, Color | None] | None:
    """What python-chess makes of a position, in Lichess's words; the draws it does not call are left out."""
    outcome = board.outcome()
    if outcome is None:
        return None
    winner: Color | None = None if outcome.winner is None else "white" if outcome.winner else "black"
    match outcome.termination:
        case chess.Termination.CHECKMATE:
            return "mate", winner
        case chess.Termination.STALEMATE:
            return "stalemate", winner
        case chess.Termination.VARIANT_WIN | chess.Termination.VARIANT_LOSS:
            return "variantEnd", winner
        case _:
            return "draw", None


def _check_pgn(t: Table, plain: chess.Board) -> None:
    """chess.pgn reads the same game, the clocks too."""
    read = chess.pgn.read_game(io.StringIO(t.game.pgn(t.now_ms)))
    assert read is not None
    assert read.errors == []
    assert len(list(read.mainline())) == t.game.ply
    assert read.end().board().fen() == t.game.board.fen()
    assert read.headers["Result"] == {"white": "1-0", "black": "0-1", None: "1/2-1/2"}[t.game.winner]
    clocks = [round(node.clock()) for node in read.mainline() if node.clock() is not None]  # type: ignore[arg-type]  # not None
    assert clocks == [(left_ms + 500) // 1000 for left_ms in t.game.clock_history_ms]
    assert t.game.export_json(t.now_ms)["moves"] == " ".join(node.san() for node in read.mainline())
    assert read.board().ply() == plain.root().ply()
