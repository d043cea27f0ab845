"""`knightshift explain`: a position, and what each term of the evaluation makes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import chess
import chess.variant
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.board_view import draw_board, shows_signs
from bot.errors import PositionError, UserError
from bot.evaluation import Pair, Row, breakdown, evaluate, game_phase, taper
from bot.evaluation.phase import OPENING
from bot.position import new_board

_NOTHING = (0, 0)


def run_explain(
    fen: str,
    variant: str,
    *,
    console: Console,
    every_term: bool = False,
    look_ahead: Callable[[chess.Board], None] | None = None,
) -> int:
    """Print the position `fen` and its evaluation; returns the exit code.

    Terms that are nothing to either side are left out, unless `every_term`. `look_ahead` is called last, if
    the game is not over, to print what comes of the position. Raises UserError for a FEN or a variant that
    cannot be read.
    """
    try:
        board = new_board(variant, fen)
    except PositionError as error:
        raise UserError(str(error)) from error
    letters = not shows_signs(console.encoding)
    console.print(draw_board(board, colours=console.color_system is not None, letters=letters))
    console.print()
    if isinstance(board, chess.variant.CrazyhouseBoard):
        console.print(_in_hand(board), highlight=False)
    ending = ending_line(board)
    if ending is not None:
        console.print(ending, highlight=False)
        return 0
    rows = breakdown(board)
    phase = game_phase(board)
    shown = (
        rows if every_term else tuple(row for row in rows if (row.white, row.black) != (_NOTHING, _NOTHING))
    )
    console.print(f"{_name(board.turn)} to move. {phase_line(phase)}", highlight=False)
    console.print(_table(shown, rows, phase, evaluate(board), zero="0" if letters else "·"))
    for note in _notes(len(rows) - len(shown)):
        console.print(Text(note, style="dim"))
    console.print(Text(verdict(evaluate(board)), style="bold"))
    if look_ahead is not None:
        console.print()
        look_ahead(board)
    return 0


def ending_line(board: chess.Board) -> str | None:
    """How the game has ended, or None while it goes on."""
    outcome = board.outcome()
    if outcome is None:
        return None
    how = _ENDINGS.get(outcome.termination, outcome.termination.name.replace("_", " ").capitalize())
    who = "a draw" if outcome.winner is None else f"{_name(outcome.winner)} wins"
    return f"The game is over. {how}: {who} ({outcome.result()})."


def phase_line(phase: int) -> str:
    """The phase in words: what share of each number the middlegame's and the endgame's scores have."""
    if phase == OPENING:
        return f"Phase {phase} of {OPENING}: all middlegame (mg), no endgame (eg)."
    if phase == 0:
        return f"Phase 0 of {OPENING}: no middlegame (mg), all endgame (eg)."
    return f"Phase {phase} of {OPENING}: {phase / OPENING:.0%} middlegame (mg), the rest endgame (eg)."


def verdict(score: int) -> str:
    """The last line: who is ahead, and by how much."""
    if score == 0:
        return "Even: 0 centipawns."
    return f"{_name(score > 0)} is ahead by {abs(score)} centipawns ({score / 100:+.2f} from White's side)."


_ENDINGS = {
    chess.Termination.CHECKMATE: "Checkmate",
    chess.Termination.STALEMATE: "Stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "Neither side has the material to win",
    chess.Termination.SEVENTYFIVE_MOVES: "75 moves without a capture or a pawn's move",
    chess.Termination.VARIANT_WIN: "By the rules of the variant",
    chess.Termination.VARIANT_LOSS: "By the rules of the variant",
    chess.Termination.VARIANT_DRAW: "By the rules of the variant",
}


def _name(color: chess.Color) -> str:
    return "White" if color else "Black"


def _in_hand(board: chess.variant.CrazyhouseBoard) -> str:
    white, black = (str(board.pockets[color]).upper() or "nothing" for color in chess.COLORS)
    return f"In hand: White {white}, Black {black}."


def _notes(left_out: int) -> Iterable[str]:
    yield "Centipawns, each rounded by itself: sums can be off by one or two."
    if left_out:
        terms = "term is" if left_out == 1 else "terms are"
        yield f"{left_out} {terms} nothing to either side here; --all shows them."


def _table(shown: Sequence[Row], rows: Sequence[Row], phase: int, score: int, *, zero: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("", overflow="fold")
    for head in ("White\nmg", "\neg", "\ntapered", "Black\nmg", "\neg", "\ntapered", "White\n- Black"):
        table.add_column(head, justify="right", overflow="fold")
    for family in dict.fromkeys(row.family for row in shown):
        members = [row for row in rows if row.family == family]
        table.add_row(
            *_cells(
                family, _sum(row.white for row in members), _sum(row.black for row in members), phase, zero
            ),
            style="bold",
        )
        for row in shown:
            if row.family == family:
                table.add_row(*_cells(f"  {row.term}", row.white, row.black, phase, zero))
    table.add_section()
    total = _cells("total", _sum(row.white for row in rows), _sum(row.black for row in rows), phase, zero)
    table.add_row(*total[:-1], _signed(score, zero), style="bold")
    return table


def _cells(name: str, white: Pair, black: Pair, phase: int, zero: str) -> list[str]:
    difference = taper(white[0] - black[0], white[1] - black[1], phase)
    sides = [
        str(number) if number else zero for side in (white, black) for number in (*side, taper(*side, phase))
    ]
    return [name, *sides, _signed(difference, zero)]


def _signed(number: int, zero: str) -> str:
    return f"{number:+d}" if number else zero


def _sum(pairs: Iterable[Pair]) -> Pair:
    middlegame = endgame = 0
    for pair in pairs:
        middlegame += pair[0]
        endgame += pair[1]
    return middlegame, endgame
