"""Whether a journal can be believed: its pairs are those of its header, its games are legal, and a sample of
them comes out the same when it is played again."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import chess

from bot.errors import UserError
from bot.lab.adjudication import by_the_rules, in_words
from bot.lab.openings import Opening, opening_hash
from bot.lab.records import GameRecord, PairRecord, PairSpec, RunHeader
from bot.lab.schedule import pairings, schedule

#: Plays a pair once more.
Replay = Callable[[PairSpec], PairRecord]


@dataclass(frozen=True, slots=True)
class Audit:
    """`faults`: what should not be, one line each. `duplicates`: pairs that repeat others move for move.
    `replayed`: how many pairs came out the same, of how many that were `tried`. `notes`: what was not looked
    at, and why."""

    pairs: int
    missing: int
    faults: tuple[str, ...]
    duplicates: int
    replayed: int
    tried: int
    notes: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """0, or 1 when something should not be, or is there twice."""
        return 1 if self.faults or self.duplicates else 0


def audit(
    header: RunHeader,
    records: Sequence[PairRecord],
    *,
    openings: Sequence[Opening],
    sample: Sequence[PairRecord],
    replay: Replay | None,
    why_not: str | None = None,
) -> Audit:
    """Look at `records`, in schedule order; play those of `sample` again.

    `openings`: those of the run, as far as they can be had. `replay` None: nothing is played, because of
    `why_not`.
    """
    faults = [*_schedule_faults(header, records, openings), *_game_faults(header, records)]
    replayed = 0
    for record in sample if replay is not None else ():
        difference = _difference(record, replay(record.spec)) if replay is not None else None
        if difference is None:
            replayed += 1
        else:
            faults.append(f"{_name(record)}: played again, {difference}")
    planned = len(pairings(header.players, header.mode)) * header.pairs
    return Audit(
        pairs=len(records),
        missing=planned - len(records),
        faults=tuple(faults),
        duplicates=len(records) - len({_played(record) for record in records}),
        replayed=replayed,
        tried=len(sample) if replay is not None else 0,
        notes=tuple(_notes(header, openings, why_not)),
    )


def draw_sample(records: Sequence[PairRecord], share: float, seed: int) -> tuple[PairRecord, ...]:
    """`share` of `records` by lot, one at least; those without a fault, for a crash need not come again.

    Raises UserError for a share that is none.
    """
    if not 0 < share <= 1:
        raise UserError(f"--share is {share:g}; it must be above 0, and 1 at most")
    clean = [record for record in records if record.clean]
    count = min(len(clean), max(1, round(share * len(records))))
    drawn = random.Random(seed).sample(clean, count)
    return tuple(sorted(drawn, key=lambda record: record.spec.index))


def agreed_scores_of(header: RunHeader) -> bool:
    """Whether games were ended by scores. Raises UserError for rules that are not those of this version."""
    if header.adjudication == in_words("rules"):
        return False
    if header.adjudication == in_words("agreed scores"):
        return True
    raise UserError(f"games were ended by rules that this version does not have: {header.adjudication}")


def _schedule_faults(
    header: RunHeader, records: Sequence[PairRecord], openings: Sequence[Opening]
) -> Iterator[str]:
    """Pairs that are not where the header's seed puts them."""
    known = opening_hash(openings) == header.openings_hash
    if known:
        planned = schedule(header.players, header.mode, header.pairs, openings, header.seed)
    met = pairings(header.players, header.mode)
    for record in records:
        spec = record.spec
        if known:
            right = spec.index < len(planned) and _bare(planned[spec.index]) == _bare(spec)
        else:
            right = (
                spec.index < len(met) * header.pairs
                and (spec.first, spec.second) == met[spec.index % len(met)]
            )
        if not right:
            yield f"{_name(record)}: it is not the pair that seed {header.seed} puts there"


def _notes(header: RunHeader, openings: Sequence[Opening], why_not: str | None) -> Iterator[str]:
    if opening_hash(openings) != header.openings_hash:
        yield (
            f"The openings ({header.opening_source}, hash {header.openings_hash}) are not at hand, so "
            "their order was not looked at; --openings names their file"
        )
    if why_not is not None:
        yield f"No pair was played again, for its games depend on {why_not}"


def _bare(spec: PairSpec) -> PairSpec:
    """Without the opening's name, which decides nothing."""
    return replace(spec, opening=Opening(spec.opening.fen))


def _game_faults(header: RunHeader, records: Sequence[PairRecord]) -> Iterator[str]:
    for record in records:
        for number, game in enumerate(record.games, start=1):
            wrong = _wrong_with(game, record.spec.opening.fen, header.max_plies)
            if wrong is not None:
                yield f"{_name(record)}, game {number}: {wrong}"


def _wrong_with(game: GameRecord, fen: str, max_plies: int) -> str | None:
    board = chess.Board(fen)
    for ply, move in enumerate(game.moves, start=1):
        try:
            board.push(board.parse_uci(move.uci))
        except ValueError:
            return f"ply {ply}, {move.uci}, is not legal"
    if len(game.moves) > max_plies:
        return f"{len(game.moves)} plies, where {max_plies} are the most"
    over = by_the_rules(board)
    if over is not None and game.fault is None and over.result != game.result:
        return f"the result is {game.result}, and {over.result} by the rules ({over.why})"
    if over is None and game.ending == "checkmate":
        return "it ended by checkmate, and there is none on the board"
    return None


def _difference(before: PairRecord, again: PairRecord) -> str | None:
    for number, (old, new) in enumerate(zip(before.games, again.games, strict=True), start=1):
        moves = [(move.uci, other.uci) for move, other in zip(old.moves, new.moves, strict=False)]
        for ply, (was, now) in enumerate(moves, start=1):
            if was != now:
                return f"game {number} has {now} instead of {was} at ply {ply}"
        if (old.result, len(old.moves)) != (new.result, len(new.moves)):
            return (
                f"game {number} is {new.result} after {len(new.moves)} plies instead of {old.result} after "
                f"{len(old.moves)}"
            )
    return None


def _played(record: PairRecord) -> frozenset[tuple[str, str, str]]:
    return frozenset(
        (game.white, game.black, moves) for game, moves in zip(record.games, record.moves_hash, strict=True)
    )


def _name(record: PairRecord) -> str:
    spec = record.spec
    return f"pair {spec.index + 1} ({spec.first} - {spec.second}, {spec.pair_id})"
