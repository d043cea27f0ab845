"""The games of a journal as PGN, with what the players told of each move in its comment. Pure.

A comment reads `+0.31/8 0.123s, n=1200`: the score in pawns from the side of the player that moved (`+M3`: it
mates in three), depth in plies, time in seconds, nodes. It is the way of cutechess and fastchess, whose tools
can read these files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import chess

from bot.errors import UserError
from bot.lab.records import GameRecord, MoveRecord, PairRecord, RunHeader

#: For the tag Termination, in the standard's words.
_TERMINATIONS = {
    "time loss": "time forfeit",
    "stall": "time forfeit",
    "illegal move": "rules infraction",
    "two moves": "rules infraction",
    "no move": "rules infraction",
    "crash": "abandoned",
    "not loaded": "abandoned",
}
_ADJUDICATED = ("maximum length", "tablebase", "agreed scores")
_WIDTH = 100


def pgn(header: RunHeader, records: Iterable[PairRecord]) -> Iterator[str]:
    """One text for each game of `records`, each with an empty line at its end.

    Raises UserError for a move that cannot have been played.
    """
    for record in records:
        for number, game in enumerate(record.games, start=1):
            try:
                yield _game(header, record, number, game)
            except ValueError as error:
                raise UserError(
                    f"pair {record.spec.index + 1}, game {number}: no game has such a move: {error}"
                ) from error


def comment(move: MoveRecord) -> str:
    """What is said about a move, without the braces."""
    told = []
    if move.mate_in is not None:
        told.append(f"{'+' if move.mate_in > 0 else '-'}M{abs(move.mate_in)}")
    elif move.score_cp is not None:
        told.append(f"{move.score_cp / 100:+.2f}")
    score = f"{told[0]}/{move.depth or 0} " if told else ""
    nodes = "" if move.nodes is None else f", n={move.nodes}"
    return f"{score}{move.time_ms / 1000:.3f}s{nodes}"


def _game(header: RunHeader, record: PairRecord, number: int, game: GameRecord) -> str:
    opening = record.spec.opening
    tags = {
        "Event": f"Knightshift {header.mode}, seed {header.seed}",
        "Site": "?",
        "Date": header.created[:10].replace("-", "."),
        "Round": f"{record.spec.index + 1}.{number}",
        "White": game.white,
        "Black": game.black,
        "Result": game.result,
        "ECO": opening.eco,
        "Opening": opening.name,
        "SetUp": "1",
        "FEN": opening.fen,
        "PlyCount": str(len(game.moves)),
        "Termination": _termination(game),
        "Ending": game.ending if game.fault is None else f"{game.fault} by {game.fault_by}",
        "Detail": game.detail or "",
    }
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items() if value]
    return "\n".join([*lines, "", *_wrapped(_movetext(opening.fen, game)), "", ""])


def _termination(game: GameRecord) -> str:
    if game.fault is not None:
        return _TERMINATIONS[game.fault]
    return "adjudication" if game.ending in _ADJUDICATED else "normal"


def _movetext(fen: str, game: GameRecord) -> Iterator[str]:
    board = chess.Board(fen)
    for ply, move in enumerate(game.moves):
        if board.turn == chess.WHITE:
            yield f"{board.fullmove_number}."
        elif ply == 0:
            yield f"{board.fullmove_number}..."
        yield board.san_and_push(board.parse_uci(move.uci))
        yield from f"{{{comment(move)}}}".split()
        if board.turn == chess.BLACK and ply + 1 < len(game.moves):
            yield f"{board.fullmove_number}..."
    yield game.result


def _wrapped(words: Iterable[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > _WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line


def _escaped(text: str) -> str:
    return (
        "".join(char if char.isprintable() else " " for char in text)
        .replace("\\", "\\\\")
        .replace('"', '\\"')
    )
