"""A chess board for the terminal."""

from __future__ import annotations

import chess
from rich.style import Style
from rich.text import Text

LIGHT, DARK = "#e8d9b5", "#a9825a"
LIGHT_MARKED, DARK_MARKED = "#cdd26a", "#aaa23a"
#: On coloured squares the filled signs serve both sides: the hollow ones are hard to tell apart there.
SIGNS = {"p": "♟", "n": "♞", "b": "♝", "r": "♜", "q": "♛", "k": "♚"}


def draw_board(
    board: chess.Board,
    *,
    seen_from: chess.Color = chess.WHITE,
    colours: bool = True,
    letters: bool = False,
) -> Text:
    """Nine lines: the ranks from the viewer's far side, then the files; the last move is marked.

    Without `colours` White has the hollow signs, and dots stand for the dark squares. With `letters` the men
    are letters, White's the capital ones, and everything is ASCII: for what cannot show the signs.
    """
    marked = (
        {board.peek().from_square, board.peek().to_square} if board.move_stack and board.peek() else set()
    )
    ranks = range(7, -1, -1) if seen_from else range(8)
    files = range(8) if seen_from else range(7, -1, -1)
    text = Text()
    for rank in ranks:
        text.append(f" {rank + 1} ", style="dim")
        for file in files:
            square = chess.square(file, rank)
            is_light = (file + rank) % 2 == 1
            paper = (
                (LIGHT_MARKED if is_light else DARK_MARKED)
                if square in marked
                else (LIGHT if is_light else DARK)
            )
            piece = board.piece_at(square)
            ink = "#ffffff" if piece is not None and piece.color == chess.WHITE else "#101010"
            if not colours:
                empty = " " if is_light else "." if letters else "·"
                man = "" if piece is None else piece.symbol() if letters else piece.unicode_symbol()
                text.append(f" {man or empty} ")
                continue
            if piece is None:
                sign = "   "
            else:
                sign = f" {piece.symbol() if letters else SIGNS[piece.symbol().lower()]} "
            text.append(sign, style=Style(color=ink, bgcolor=paper, bold=True))
        text.append("\n")
    names = "  ".join(chess.FILE_NAMES[file] for file in files)
    text.append(f"    {names}", style="dim")
    return text


def shows_signs(encoding: str) -> bool:
    """Whether what is written in `encoding` can hold the signs of the men, and the dots."""
    try:
        "".join((*SIGNS.values(), *chess.UNICODE_PIECE_SYMBOLS.values(), "·")).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def clock_text(milliseconds: int) -> str:
    """`2:05`, or `0:09.4` in the last ten seconds."""
    seconds = max(0, milliseconds) / 1000
    if seconds < 10:
        return f"0:{seconds:04.1f}"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"
