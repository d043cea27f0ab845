"""A game as the bot API shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.local_lichess.clocks import Correspondence, Realtime, Unlimited
from bot.local_lichess.notation import squares_of
from bot.local_lichess.rules import VARIANTS
from bot.local_lichess.seats import Color, Seat, other

if TYPE_CHECKING:
    from bot.local_lichess.game_facts import ChatLine, GameFacts

Json = dict[str, object]

STATUS_IDS = {
    "created": 10,
    "started": 20,
    "aborted": 25,
    "mate": 30,
    "resign": 31,
    "stalemate": 32,
    "timeout": 33,
    "draw": 34,
    "outoftime": 35,
    "cheat": 36,
    "noStart": 37,
    "unknownFinish": 38,
    "insufficientMaterialClaim": 39,
    "variantEnd": 60,
}
_SPEED_NAMES = {
    "ultraBullet": "UltraBullet",
    "bullet": "Bullet",
    "blitz": "Blitz",
    "rapid": "Rapid",
    "classical": "Classical",
    "correspondence": "Correspondence",
}


def state_json(game: GameFacts, now_ms: int) -> Json:
    """A `gameState` line."""
    increment_ms = game.time_control.increment_ms if isinstance(game.time_control, Realtime) else 0
    state: Json = {
        "type": "gameState",
        "moves": " ".join(game.moves),
        "wtime": game.clock.remaining_ms("white", now_ms),
        "btime": game.clock.remaining_ms("black", now_ms),
        "winc": increment_ms,
        "binc": increment_ms,
        "status": game.status,
    }
    if game.winner is not None:
        state["winner"] = game.winner
    state |= game.offers.flags()
    if game.is_expirable:
        state["expiration"] = {"idleMillis": now_ms - game.moved_ms, "millisToMove": game.first_move_ms}
    if game.rematch_id is not None:
        state["rematch"] = game.rematch_id
    return state


def full_json(game: GameFacts, now_ms: int) -> Json:
    """The `gameFull` line."""
    variant = VARIANTS[game.variant]
    full: Json = {
        "type": "gameFull",
        "id": game.id,
        "variant": {"key": variant.key, "name": variant.name, "short": variant.short},
        "speed": game.speed,
        "perf": {"name": perf_name(game)},
        "rated": game.rated,
        "createdAt": game.created_ms,
        "white": _seat_json(game.white),
        "black": _seat_json(game.black),
        "initialFen": game.initial_fen or "startpos",
    }
    match game.time_control:
        case Realtime() as clock:
            full["clock"] = {"initial": clock.initial_ms, "increment": clock.increment_ms}
        case Correspondence(days):
            full["daysPerTurn"] = days
        case Unlimited():
            pass
    full["state"] = state_json(game, now_ms)
    return full


def chat_line_json(line: ChatLine) -> Json:
    return {"type": "chatLine", "room": line.room, "username": line.username, "text": line.text}


def opponent_gone_json(claim_win_in_s: int | None) -> Json:
    """None: the opponent is back."""
    if claim_win_in_s is None:
        return {"type": "opponentGone", "gone": False}
    return {"type": "opponentGone", "gone": True, "claimWinInSeconds": claim_win_in_s}


def playing_json(game: GameFacts, side: Color, now_ms: int) -> Json:
    """The `game` of `gameStart` and `gameFinish`, and an entry of `nowPlaying`."""
    variant = VARIANTS[game.variant]
    info: Json = {
        "fullId": game.full_ids[side],
        "gameId": game.id,
        "id": game.id,
        "fen": game.fen,
        "color": side,
        "lastMove": squares_of(game.moves[-1]) if game.ply else "",
        "source": game.source,
        "status": {"id": STATUS_IDS[game.status], "name": game.status},
        "variant": {"key": variant.key, "name": variant.name},
        "speed": game.speed,
        "perf": game.perf,
        "rated": game.rated,
        "hasMoved": game.has_moved(side),
        "opponent": _opponent_json(game, other(side)),
        "isMyTurn": not game.is_over and game.turn == side,
    }
    if game.has_clock or (isinstance(game.time_control, Correspondence) and not game.is_over):
        info["secondsLeft"] = (game.clock.remaining_ms(side, now_ms) + 500) // 1000
    if game.winner is not None:
        info["winner"] = game.winner
    diff = game.rating_diff(side)
    if diff is not None:
        info["ratingDiff"] = diff
    info["rating"] = game.seat(side).rating
    info["compat"] = {"bot": game.seat(side).is_bot and game.bot_compatible, "board": game.board_compatible}
    return info


def perf_name(game: GameFacts) -> str:
    """The perf for people, such as "Blitz" or "King of the Hill"."""
    return _SPEED_NAMES[game.perf] if game.perf in _SPEED_NAMES else VARIANTS[game.perf].name


def _seat_json(seat: Seat) -> Json:
    if seat.is_ai:
        return {"aiLevel": seat.ai_level}
    shown: Json = {"id": seat.id, "name": seat.name, "title": seat.title, "rating": seat.rating}
    if seat.provisional:
        shown["provisional"] = True
    return shown


def _opponent_json(game: GameFacts, side: Color) -> Json:
    seat = game.seat(side)
    if seat.is_ai:
        return {"id": None, "username": f"Stockfish level {seat.ai_level}", "ai": seat.ai_level}
    shown: Json = {"id": seat.id, "username": seat.name, "rating": seat.rating}
    diff = game.rating_diff(side)
    if diff is not None:
        shown["ratingDiff"] = diff
    return shown
