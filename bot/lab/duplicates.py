"""Games that repeat earlier ones move for move. Pure.

Players that leave nothing to chance play the same game whenever they meet from the same position: it tells
something once, however often it is played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bot.lab.records import PairRecord


def repeated_games(records: Iterable[PairRecord]) -> Iterator[tuple[PairRecord, int]]:
    """Each of `records`, in their order, and how many of its two games are those of an earlier one: the same
    colours, opening, moves and result."""
    seen: set[tuple[str, str, str, str]] = set()
    for record in records:
        played = {
            (game.white, game.black, game.result, moves)
            for game, moves in zip(record.games, record.moves_hash, strict=True)
        }
        yield record, len(played & seen)
        seen |= played


def distinct(records: Iterable[PairRecord]) -> tuple[PairRecord, ...]:
    """Those of which neither game repeats an earlier one. Where one does, the other has lost its counterpart
    with colours swapped, so that the pair as a whole tells nothing that could be counted as one."""
    return tuple(record for record, repeated in repeated_games(records) if not repeated)


def mirrored(records: Sequence[PairRecord]) -> int:
    """How many pairs have the same game twice, each player once on either side of it: they move alike."""
    return sum(len(set(record.moves_hash)) == 1 for record in records)
