"""A game as it is exported: PGN, and JSON."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bot.local_lichess.clocks import Correspondence, Realtime, Unlimited
from bot.local_lichess.game_views import perf_name
from bot.local_lichess.rules import VARIANTS
from bot.local_lichess.seats import COLORS, Color

if TYPE_CHECKING:
    from bot.local_lichess.game_facts import GameFacts

Json = dict[str, object]

_TERMINATIONS = {
    "created": "Unterminated",
    "started": "Unterminated",
    "aborted": "Abandoned",
    "noStart": "Abandoned",
    "timeout": "Time forfeit",
    "outoftime": "Time forfeit",
    "insufficientMaterialClaim": "Insufficient material",
    "cheat": "Rules infraction",
    "unknownFinish": "Unknown",
}
_WITH_FEN_TAG = frozenset({"chess960", "fromPosition", "horde", "racingKings"})


def pgn(game: GameFacts, *, base_url: str) -> str:
    """Tags and moves; what the mover had left after each move as a clock comment."""
    tags = "".join(f'[{name} "{value}"]\n' for name, value in _tags(game, base_url).items())
    return f"{tags}\n{' '.join([*_movetext(game), _result(game)])}\n\n"


def export_json(game: GameFacts) -> Json:
    """The JSON of GET /game/export/{id}."""
    export: Json = {
        "id": game.id,
        "rated": game.rated,
        "variant": game.variant,
        "speed": game.speed,
        "perf": game.perf,
        "createdAt": game.created_ms,
        "lastMoveAt": game.moved_ms,
        "status": game.status,
        "source": game.source,
        "players": {side: _player_json(game, side) for side in COLORS},
    }
    if game.initial_fen is not None:
        export["initialFen"] = game.initial_fen
    if game.winner is not None:
        export["winner"] = game.winner
    export["moves"] = " ".join(_sans(game))
    match game.time_control:
        case Realtime(limit_s, increment_s):
            export["clocks"] = [left_ms // 10 for left_ms in game.clock_history_ms]
            export["clock"] = {
                "initial": limit_s,
                "increment": increment_s,
                "totalTime": limit_s + 40 * increment_s,
            }
        case Correspondence(days):
            export["daysPerTurn"] = days
        case Unlimited():
            pass
    return export


def _tags(game: GameFacts, base_url: str) -> dict[str, str]:
    created = datetime.fromtimestamp(game.created_ms / 1000, UTC)
    date = created.strftime("%Y.%m.%d")
    mode = "rated" if game.rated else "casual"
    tags = {
        "Event": f"{mode} {perf_name(game).lower()} game",
        "Site": f"{base_url}/{game.id}",
        "GameId": game.id,
        "Date": date,
        "Round": "-",
        "White": _name(game, "white"),
        "Black": _name(game, "black"),
        "Result": _result(game),
        "UTCDate": date,
        "UTCTime": created.strftime("%H:%M:%S"),
    }
    for side in COLORS:
        seat = game.seat(side)
        tags[f"{side.capitalize()}Elo"] = "?" if seat.is_ai else str(seat.rating)
    for side in COLORS:
        diff = game.rating_diff(side)
        if diff is not None:
            tags[f"{side.capitalize()}RatingDiff"] = f"{diff:+d}"
    for side in COLORS:
        title = game.seat(side).title
        if title is not None:
            tags[f"{side.capitalize()}Title"] = title
    tags["Variant"] = VARIANTS[game.variant].name
    tags["TimeControl"] = _time_control(game)
    tags["Termination"] = _TERMINATIONS.get(game.status, "Normal")
    if game.initial_fen is not None or game.variant in _WITH_FEN_TAG:
        tags["FEN"] = game.initial_fen or VARIANTS[game.variant].board().fen()
        tags["SetUp"] = "1"
    return tags


def _movetext(game: GameFacts) -> list[str]:
    words = []
    number = game.board.root().fullmove_number
    white_moves = game.start_color == "white"
    must_number = True
    for ply, san in enumerate(_sans(game)):
        if white_moves or must_number:
            words.append(f"{number}." if white_moves else f"{number}...")
        words.append(san)
        if game.has_clock:
            words.append(f"{{ [%clk {_h_mm_ss(game.clock_history_ms[ply])}] }}")
        must_number = game.has_clock  # a comment in between hides whose move it is
        number += not white_moves
        white_moves = not white_moves
    return words


def _sans(game: GameFacts) -> list[str]:
    board = game.board.root()
    sans = []
    for move in game.board.move_stack:
        sans.append(board.san(move))
        board.push(move)
    return sans


def _result(game: GameFacts) -> str:
    if not game.is_over or game.is_aborted or game.is_deleted:
        return "*"
    return {"white": "1-0", "black": "0-1", None: "1/2-1/2"}[game.winner]


def _name(game: GameFacts, side: Color) -> str:
    seat = game.seat(side)
    return f"lichess AI level {seat.ai_level}" if seat.is_ai else seat.name


def _time_control(game: GameFacts) -> str:
    match game.time_control:
        case Realtime(limit_s, increment_s):
            return f"{limit_s}+{increment_s}"
        case Correspondence(days):
            return f"{days} day{'s' if days > 1 else ''} per move"
        case Unlimited():
            return "-"


def _h_mm_ss(left_ms: int) -> str:
    seconds = (left_ms + 500) // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def _player_json(game: GameFacts, side: Color) -> Json:
    seat = game.seat(side)
    if seat.is_ai:
        return {"aiLevel": seat.ai_level}
    user: Json = {"name": seat.name, "id": seat.id}
    if seat.title is not None:
        user["title"] = seat.title
    player: Json = {"user": user, "rating": seat.rating}
    if seat.provisional:
        player["provisional"] = True
    diff = game.rating_diff(side)
    if diff is not None:
        player["ratingDiff"] = diff
    return player
