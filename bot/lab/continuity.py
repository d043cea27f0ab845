"""Whether a journal only ever grew: what a run's history saw of it, against what is there now.

Each event of the history holds how many pairs the journal had, and a hash over all of its bytes up to there.
A pair that was taken out, altered, moved or put in since is a beginning that does not hash to what was seen.

What this proves: the journal and the history that lie in the folder belong together; who changes one of them
alone is found out, and so is who begins the journal anew or loses the history. What it cannot prove: that
nobody has written both anew, kept a copy from before and gone back to it, or played the same registration in
another folder and shows the better one. Against that helps only what lies out of reach: the journal's hash,
or the folder, handed to somebody else or committed while the run goes on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bot.lab.history import Event


@dataclass
class JournalHash:
    """Of the journal at `path`, as far as it was read; it need not exist."""

    path: Path
    pairs: int = 0
    _lines: int = 0
    _size: int = 0
    _hash: hashlib._Hash = field(default_factory=hashlib.sha256)

    @property
    def digest(self) -> str:
        """Of the header and the first `pairs` pairs."""
        return self._hash.hexdigest()[:32]

    def read_on(self) -> Iterator[str]:
        """Take in the whole lines that have been added; yields the digest after the header, and after each
        pair. Raises OSError."""
        try:
            with self.path.open("rb") as file:
                file.seek(self._size)
                *lines, _ = file.read().split(b"\n")
        except FileNotFoundError:
            return
        for line in lines:
            self._hash.update(line + b"\n")
            self._size += len(line) + 1
            self.pairs = self._lines
            self._lines += 1
            yield self.digest

    def now(self) -> tuple[int, str]:
        """How many pairs there are, and the digest of it all. Raises OSError."""
        for _ in self.read_on():
            pass
        return self.pairs, self.digest


def digests(path: Path) -> tuple[str, ...]:
    """Of the journal at `path` with no pair, with the first, with the first two ...; empty without a journal.

    Raises OSError.
    """
    return tuple(JournalHash(path).read_on())


def breaches(events: Sequence[Event], seen: Sequence[str]) -> tuple[str, ...]:
    """In what a journal, of which `seen` are the `digests`, is not the one that `events` tell of. Pure.

    A journal may have one pair more than was written down: power may go between the two.
    """
    there = max(0, len(seen) - 1)
    if not any(event.what != "looked at" for event in events):
        if not there:
            return ()
        return (f"the history of the run is missing: nothing tells where {_pairs(there)} come from",)
    found = []
    known = looked = 0
    begun = False
    for event in events:
        if event.what == "looked at":  # by another process, perhaps while the next pair was written
            looked = max(looked, event.pairs)
            continue
        least = max(known, looked) if event.what == "begun" else known
        if event.pairs < least:
            found.append(f"pairs have vanished: {least} were there, and {event.pairs} on {event.at}")
        elif event.pairs > max(known, looked) + begun:
            found.append(
                f"pairs came from elsewhere: {known} were there, and of a sudden {event.pairs} on {event.at}"
            )
        known, begun = event.pairs, True
    if there < max(known, looked):
        found.append(f"pairs have vanished: {max(known, looked)} were there, and now there are {there}")
    elif there > max(known, looked) + 1:
        found.append(f"pairs came from elsewhere: the history ends with {known}, and now there are {there}")
    for event in events:
        if event.pairs < len(seen) and event.journal != seen[event.pairs]:
            found.append(
                f"the journal was changed: its first {_pairs(event.pairs)} are not those of {event.at}"
            )
            break
    return tuple(dict.fromkeys(found))


def _pairs(number: int) -> str:
    return f"{number} pair{'' if number == 1 else 's'}"
