from __future__ import annotations

from pathlib import Path

import pytest

from bot.lab.continuity import JournalHash, breaches, digests
from bot.lab.history import Event, What

LINES = [b'{"header": {}}\n', *(b'{"pair": %d}\n' % number for number in range(8))]


def written(folder: Path, *lines: bytes) -> Path:
    path = folder / "journal.jsonl"
    path.write_bytes(b"".join(lines))
    return path


def seen(folder: Path, *lines: bytes) -> tuple[str, ...]:
    return digests(written(folder, *lines))


def told(hashes: tuple[str, ...], *events: tuple[What, int]) -> tuple[Event, ...]:
    return tuple(Event(f"t{n}", what, pairs, hashes[pairs]) for n, (what, pairs) in enumerate(events))


def whole(hashes: tuple[str, ...]) -> tuple[Event, ...]:
    """Of a run in one go."""
    played = [("played", pairs) for pairs in range(1, len(hashes))]
    return told(hashes, ("begun", 0), *played, ("finished", len(hashes) - 1))  # type: ignore[arg-type]  # literals


def test_a_journal_is_hashed_line_by_line_as_it_grows(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    reader = JournalHash(path)
    assert reader.now()[0] == 0
    hashes = seen(tmp_path, *LINES)
    path.write_bytes(LINES[0])
    assert reader.now() == (0, hashes[0])
    path.write_bytes(b"".join([*LINES[:4], b'{"torn'])[:])
    assert reader.now() == (3, hashes[3])
    path.write_bytes(b"".join(LINES))
    assert reader.now() == (8, hashes[8])
    assert len(set(hashes)) == 9


def test_a_run_in_one_go_or_in_several_is_whole(tmp_path: Path) -> None:
    hashes = seen(tmp_path, *LINES)

    assert breaches((), ()) == ()
    assert breaches((), hashes[:1]) == ()
    assert breaches(whole(hashes), hashes) == ()
    # Power went between a pair and the word about it, twice.
    gaps = told(
        hashes, ("begun", 0), ("begun", 1), ("played", 2), ("looked at", 3), ("begun", 3), ("played", 4)
    )
    assert breaches(gaps, hashes[:6]) == ()


def test_unwelcome_pairs_taken_out_are_noticed_before_they_are_played_again(tmp_path: Path) -> None:
    """A run was finished; pairs were deleted from its journal; it was run again; nothing was said of it."""
    events = whole(seen(tmp_path, *LINES))
    cut = seen(tmp_path, *LINES[:3], *LINES[5:])

    assert breaches(events, cut) == (
        "pairs have vanished: 8 were there, and now there are 6",
        "the journal was changed: its first 3 pairs are not those of t3",
    )


def test_and_after_they_were_played_again(tmp_path: Path) -> None:
    events = whole(seen(tmp_path, *LINES))
    again = seen(tmp_path, *LINES[:3], *LINES[5:], b'{"pair": 22}\n', b'{"pair": 33}\n')
    gone_on = (*events, *told(again, ("begun", 6), ("played", 7), ("played", 8), ("finished", 8)))
    found = breaches(gone_on, again)

    assert found[0].startswith("pairs have vanished: 8 were there, and 6 on ")
    assert found[1] == "the journal was changed: its first 3 pairs are not those of t3"


def test_a_killed_run_keeps_no_secret_either(tmp_path: Path) -> None:
    """kill -9 after an unwelcome pair, and its line deleted: the history saw it."""
    hashes = seen(tmp_path, *LINES[:5])
    events = told(hashes, ("begun", 0), ("played", 1), ("played", 2), ("played", 3), ("played", 4))

    assert breaches(events, hashes[:4]) == ("pairs have vanished: 4 were there, and now there are 3",)


@pytest.mark.parametrize("line", range(9))
def test_any_line_that_was_altered_is_noticed(tmp_path: Path, line: int) -> None:
    events = whole(seen(tmp_path, *LINES))
    altered = [each if place != line else each.replace(b"}", b" }") for place, each in enumerate(LINES)]

    pairs = "1 pair" if line == 1 else f"{line} pairs"
    said = f"the journal was changed: its first {pairs} are not those of t{line}"
    assert breaches(events, seen(tmp_path, *altered)) == (said,)


def test_pairs_from_elsewhere_are_noticed(tmp_path: Path) -> None:
    hashes = seen(tmp_path, *LINES)
    stopped = told(hashes, ("begun", 0), ("played", 1), ("stopped by hand", 1))

    assert breaches(stopped, hashes) == (
        "pairs came from elsewhere: the history ends with 1, and now there are 8",
    )
    went_on = (*stopped, *told(hashes, ("begun", 7), ("played", 8), ("finished", 8)))
    assert breaches(went_on, hashes) == ("pairs came from elsewhere: 1 were there, and of a sudden 7 on t0",)


def test_a_history_that_is_gone_is_noticed_and_so_is_one_begun_anew(tmp_path: Path) -> None:
    hashes = seen(tmp_path, *LINES)
    missing = "the history of the run is missing: nothing tells where 8 pairs come from"

    assert breaches((), hashes) == (missing,)
    assert breaches(told(hashes, ("looked at", 8)), hashes) == (missing,)
    assert breaches(told(hashes, ("begun", 7), ("played", 8), ("finished", 8)), hashes) == (
        "pairs came from elsewhere: 0 were there, and of a sudden 7 on t0",
    )


def test_a_journal_begun_anew_beside_its_history_is_noticed(tmp_path: Path) -> None:
    events = whole(seen(tmp_path, *LINES))

    assert breaches(events, ()) == ("pairs have vanished: 8 were there, and now there are 0",)
