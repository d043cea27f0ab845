"""Whether a journal can be believed: its pairs are those of its header, its games can have ended as they say,
and a sample of them comes out the same when it is played again."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from bot.errors import UserError
from bot.lab.adjudication import in_words
from bot.lab.duplicates import mirrored, repeated_games
from bot.lab.game_check import Ends, wrong_with
from bot.lab.openings import Opening, opening_hash
from bot.lab.records import PairRecord, PairSpec, RunHeader
from bot.lab.schedule import pairings, schedule

#: Plays a pair once more.
Replay = Callable[[PairSpec], PairRecord]
#: Of the pairs with faults so many are played again at most: a stall takes its time.
MOST_FAULTY = 20


@dataclass(frozen=True, slots=True)
class Audit:
    """`faults`: what should not be, one line each. `repeated`: games that are earlier ones, move for move.
    `replayed`: how many pairs came out the same, of how many that were `tried`. `unconfirmed`: what could not
    be checked, one line each. `notes`: what is worth knowing."""

    pairs: int
    missing: int
    faults: tuple[str, ...]
    repeated: int
    replayed: int
    tried: int
    unconfirmed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """0: all is as it should be. 1: something is not, or is there twice. 2: nothing wrong was found, but
        not everything could be checked."""
        if self.faults or self.repeated:
            return 1
        return 2 if self.unconfirmed or not self.tried else 0


def audit(
    header: RunHeader,
    records: Sequence[PairRecord],
    *,
    openings: Sequence[Opening],
    ends: Ends,
    sample: Sequence[PairRecord],
    replay: Replay | None,
    why_not: str | None = None,
) -> Audit:
    """Look at `records`, in schedule order; play those of `sample` again.

    `openings`: those of the run, as far as they can be had. `ends`: see `ends_of`. `replay` None: nothing is
    played, because of `why_not`.
    """
    faults = [*_schedule_faults(header, records, openings), *_game_faults(records, ends)]
    unconfirmed = list(_unchecked(header, records, openings, ends, why_not))
    replayed = 0
    for record in sample if replay is not None else ():
        found = _Comparison(record, replay(record.spec)) if replay is not None else None
        if found is None or found.same:
            replayed += 1
        faults += [f"{_name(record)}: played again, {each}" for each in found.differences] if found else []
        unconfirmed += [f"{_name(record)}: {each}" for each in found.not_again] if found else []
    left = sum(not record.clean for record in records) - sum(not record.clean for record in sample)
    if replay is not None and left:
        unconfirmed.append(f"{left} more pairs with faults were not played again")
    planned = len(pairings(header.players, header.mode)) * header.pairs
    return Audit(
        pairs=len(records),
        missing=planned - len(records),
        faults=tuple(faults),
        repeated=sum(repeated for _, repeated in repeated_games(records)),
        replayed=replayed,
        tried=len(sample) if replay is not None else 0,
        unconfirmed=tuple(unconfirmed),
        notes=tuple(_notes(records)),
    )


def draw_sample(records: Sequence[PairRecord], share: float, seed: int) -> tuple[PairRecord, ...]:
    """`share` of `records` by lot, one at least; and those with a fault, up to MOST_FAULTY of them.

    Raises UserError for a share that is none.
    """
    if not 0 < share <= 1:
        raise UserError(f"--share is {share:g}; it must be above 0, and 1 at most")
    lot = random.Random(seed)
    clean = [record for record in records if record.clean]
    faulty = [record for record in records if not record.clean]
    count = min(len(clean), max(1, round(share * len(records))))
    drawn = lot.sample(clean, count) + lot.sample(faulty, min(len(faulty), MOST_FAULTY))
    return tuple(sorted(drawn, key=lambda record: record.spec.index))


def ends_of(header: RunHeader) -> Ends:
    """What could end the games of a run, as its header has it; no tables are at hand."""
    known = header.adjudication in (in_words("rules"), in_words("agreed scores"))
    return Ends(
        max_plies=header.max_plies,
        agreed_scores=agreed_scores_of(header) if known else None,
        tables=header.tablebase is not None,
    )


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


def _unchecked(
    header: RunHeader,
    records: Sequence[PairRecord],
    openings: Sequence[Opening],
    ends: Ends,
    why_not: str | None,
) -> Iterator[str]:
    if opening_hash(openings) != header.openings_hash:
        yield (
            f"The openings ({header.opening_source}, hash {header.openings_hash}) are not at hand, so "
            "their order was not looked at; --openings names their file"
        )
    if ends.agreed_scores is None:
        yield f"Games were ended by rules that this version does not have: {header.adjudication}"
    endings = Counter(game.ending for record in records for game in record.games if game.fault is None)
    for ending, count in endings.items():
        if ends.allowed(ending) and not ends.shown(ending):
            yield f"{count} games ended by {ending!r}, which cannot be checked here"
    if why_not is not None:
        yield f"No pair was played again, for its games depend on {why_not}"
    elif not records:
        yield "No pair was played again, for there is none"


def _notes(records: Sequence[PairRecord]) -> Iterator[str]:
    same = mirrored(records)
    if same:
        yield (
            f"In {same} of {len(records)} pairs both games are the same one, with the players on the other "
            "side: they move alike, and such a pair is always even"
        )


def _bare(spec: PairSpec) -> PairSpec:
    """Without the opening's name, which decides nothing."""
    return replace(spec, opening=Opening(spec.opening.fen))


def _game_faults(records: Iterable[PairRecord], ends: Ends) -> Iterator[str]:
    for record in records:
        for number, game in enumerate(record.games, start=1):
            wrong = wrong_with(game, record.spec.opening.fen, ends)
            if wrong is not None:
                yield f"{_name(record)}, game {number}: {wrong}"
        thought_ms = sum(move.time_ms for game in record.games for move in game.moves)
        moves = sum(len(game.moves) for game in record.games)
        if thought_ms > record.duration_ms + moves:  # each is rounded
            yield (
                f"{_name(record)}: its moves took {thought_ms} ms, and the whole pair {record.duration_ms} ms"
            )


class _Comparison:
    """A pair as it was written down, and as it came out again. `differences`: what should have been the same.
    `not_again`: faults that did not come again, as those do that were no fault of the player."""

    def __init__(self, before: PairRecord, again: PairRecord) -> None:
        self.differences: list[str] = []
        self.not_again: list[str] = []
        for number, (old, new) in enumerate(zip(before.games, again.games, strict=True), start=1):
            was = [move.uci for move in old.moves]
            now = [move.uci for move in new.moves]
            place = next((n for n, (one, two) in enumerate(zip(was, now, strict=False)) if one != two), None)
            if place is not None:
                self.differences.append(
                    f"game {number} has {now[place]} instead of {was[place]} at ply {place + 1}"
                )
            elif old.fault is not None and (old.fault, old.fault_by, was) != (new.fault, new.fault_by, now):
                self.not_again.append(
                    f"{old.fault} of {old.white if old.fault_by == 'white' else old.black} in game {number}, "
                    f"after {len(was)} plies, did not come again: it could not be confirmed"
                )
            elif new.fault is not None and old.fault is None:
                self.not_again.append(
                    f"game {number} ended by {new.fault} when it was played again: it could not be confirmed"
                )
            elif (old.result, old.ending, len(was)) != (new.result, new.ending, len(now)):
                self.differences.append(
                    f"game {number} is {new.result} ({new.ending}) after {len(now)} plies instead of "
                    f"{old.result} ({old.ending}) after {len(was)}"
                )

    @property
    def same(self) -> bool:
        return not self.differences and not self.not_again


def _name(record: PairRecord) -> str:
    spec = record.spec
    return f"pair {spec.index + 1} ({spec.first} - {spec.second}, {spec.pair_id})"
