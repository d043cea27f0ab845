"""What a game does to ratings: plain Elo, standing in for Glicko-2."""

from __future__ import annotations

from bot.local_lichess.seats import COLORS, Color, Seat, other

_K = 20
_K_PROVISIONAL = 60


def rating_diffs(white: Seat, black: Seat, winner: Color | None) -> dict[Color, int]:
    """Rating points won or lost by each side; `winner` None is a draw."""
    seats: dict[Color, Seat] = {"white": white, "black": black}
    return {side: _diff(seats[side], seats[other(side)], _score(side, winner)) for side in COLORS}


def _score(side: Color, winner: Color | None) -> float:
    return 0.5 if winner is None else float(side == winner)


def _diff(player: Seat, opponent: Seat, score: float) -> int:
    expected = 1 / (1 + 10 ** ((opponent.rating - player.rating) / 400))
    return round((_K_PROVISIONAL if player.provisional else _K) * (score - expected))
