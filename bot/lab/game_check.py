"""Whether a game can have ended as its record says: played over by the rules, without its players. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import chess

from bot.lab.adjudication import AgreedScores, Ending, Tablebase, by_tablebase, by_the_rules
from bot.lab.records import GameRecord, MoveRecord
from bot.strategies.contract import Thought

MAXIMUM, AGREED, TABLES = "maximum length", "agreed scores", "tablebase"
#: How a game can end by the rules of chess; see `adjudication.by_the_rules`.
BY_RULES = frozenset(
    {
        "checkmate",
        "stalemate",
        "insufficient material",
        "threefold repetition",
        "fivefold repetition",
        "fifty moves",
        "seventyfive moves",
    }
)
#: Of the largest tables that there are.
MOST_MEN = 7


@dataclass(frozen=True, slots=True)
class Ends:
    """What ended games besides the rules of chess. `tables`: a tablebase was used; `at_hand`: it can be asked
    here, up to `most_men`. `agreed_scores` None: by rules that this version does not have."""

    max_plies: int
    agreed_scores: bool | None
    tables: bool
    at_hand: Tablebase | None = None
    most_men: int = 0

    def allowed(self, ending: str) -> bool:
        return (
            ending in BY_RULES
            or ending == MAXIMUM
            or (ending == AGREED and self.agreed_scores is True)
            or (ending == TABLES and self.tables)
            or self.agreed_scores is None
        )

    def shown(self, ending: str) -> bool:
        """Whether such an ending can be checked here."""
        return (
            ending in BY_RULES
            or ending == MAXIMUM
            or (ending == AGREED and self.agreed_scores is True)
            or (ending == TABLES and self.at_hand is not None)
        )


def wrong_with(game: GameRecord, fen: str, ends: Ends) -> str | None:
    """What cannot be, in a few words; None where it can. `fen`: of the opening."""
    try:
        board = chess.Board(fen)
    except ValueError:
        return f"its opening {fen!r} is no position"
    if len(game.moves) > ends.max_plies:
        return f"{len(game.moves)} plies, where {ends.max_plies} are the most"
    agreed = AgreedScores() if ends.agreed_scores else None
    over = _over(board, ends, 0)
    for ply, move in enumerate(game.moves, start=1):
        if over is not None:
            return f"ply {ply} comes after the end of the game ({over.why}, {over.result})"
        try:
            board.push(board.parse_uci(move.uci))
        except ValueError:
            return f"ply {ply}, {move.uci}, is not legal"
        over = _over(board, ends, ply)
        if agreed is not None:
            over = over or agreed.after(board, _thought(move))
    if game.fault is not None:
        return _wrong_with_fault(game, board, over)
    if over is None:
        return _wrong_with_open_end(game, board, ends)
    if game.result != over.result:
        return f"the result is {game.result}, and {over.result} by the rules ({over.why})"
    if game.ending != over.why:
        return f"the ending is {game.ending!r}, and on the board it is {over.why!r}"
    return None


def _over(board: chess.Board, ends: Ends, plies: int) -> Ending | None:
    """As the referee has it."""
    over = by_the_rules(board)
    if over is None and ends.at_hand is not None:
        over = by_tablebase(board, ends.at_hand, ends.most_men)
    if over is None and plies >= ends.max_plies:
        # Tables that are not at hand may have decided it in the same moment.
        unknown = ends.tables and ends.at_hand is None and chess.popcount(board.occupied) <= MOST_MEN
        over = None if unknown else Ending("1/2-1/2", MAXIMUM)
    return over


def _wrong_with_fault(game: GameRecord, board: chess.Board, over: Ending | None) -> str | None:
    guilty = "1-0" if game.fault_by == "black" else "0-1"
    if game.result != guilty:
        return f"{game.fault} by {game.fault_by} loses the game, and the result is {game.result}"
    if game.ending != game.fault:
        return f"the ending is {game.ending!r}, and the fault is {game.fault!r}"
    if over is not None:
        return f"{game.fault} by {game.fault_by} comes after the end of the game ({over.why}, {over.result})"
    if game.fault == "not loaded":
        return "a player that was not loaded has let the game begin" if game.moves else None
    if (board.turn == chess.WHITE) is not (game.fault_by == "white"):
        return f"{game.fault} by {game.fault_by}, and it was the other side's turn"
    return None


def _wrong_with_open_end(game: GameRecord, board: chess.Board, ends: Ends) -> str | None:
    """For a position in which nothing that can be checked here has ended the game."""
    if not ends.allowed(game.ending):
        return f"the ending is {game.ending!r}, which is none that this run can have"
    if ends.shown(game.ending) and not (game.ending == MAXIMUM and len(game.moves) == ends.max_plies):
        return f"the ending is {game.ending!r} after {len(game.moves)} plies, and there the game is not over"
    if game.ending == MAXIMUM and game.result != "1/2-1/2":
        return f"the result is {game.result}, and 1/2-1/2 by the rules ({MAXIMUM})"
    men = chess.popcount(board.occupied)
    if game.ending == TABLES and (men > MOST_MEN or board.castling_rights):
        return f"the ending is {TABLES!r}, and there is none for the {men} men on the board"
    return None


def _thought(move: MoveRecord) -> Thought | None:
    if move.score_cp is None and move.mate_in is None:
        return None
    return Thought(move.depth or 0, move.nodes or 0, move.time_ms, move.score_cp, move.mate_in)
