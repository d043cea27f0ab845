"""What became of a game, as far as the bot is to blame for it."""

from __future__ import annotations

from bot.local_lichess import GameSnapshot


def lost_to_plumbing(game: GameSnapshot, bot_id: str) -> str | None:
    """Why a game in which the opponent neither leaves, aborts nor resigns was not played to its end, or None.

    The opponent's flag is the opponent's own affair.
    """
    if not game.is_over:
        return "not finished"
    if game.status in ("aborted", "noStart", "timeout", "unknownFinish"):
        return game.status
    bots_side = game.side_of(bot_id)
    if game.status == "outoftime" and _to_move(game) == bots_side:
        return "our flag fell"
    if game.status == "resign" and game.winner != bots_side:
        return "we resigned"
    return None


def _to_move(game: GameSnapshot) -> str:
    return "white" if game.fen.split()[1] == "w" else "black"
