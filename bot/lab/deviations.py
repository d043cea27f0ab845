"""In what a run differs from what was registered. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.lab.continuity import breaches
from bot.lab.history import Event
from bot.lab.records import PairRecord, RunHeader
from bot.lab.registration import Registration

#: What says only when, or from which copy of the same code, and by what name: told, and no more.
HARMLESS = ("created", "version", "commit", "opening_source")


@dataclass(frozen=True, slots=True)
class Deviation:
    """`breaks`: this is not the registered run, whatever it shows."""

    text: str
    breaks: bool = False


def deviations(
    registration: Registration,
    header: RunHeader,
    records: Sequence[PairRecord],
    events: Sequence[Event],
    seen: Sequence[str],
) -> tuple[Deviation, ...]:
    """All of them, those that break the run first. `seen`: the journal's `continuity.digests`."""
    found = [
        *_of_header(registration, header),
        *(Deviation(each, breaks=True) for each in breaches(events, seen)),
        *_of_events(events),
    ]
    if header.created < registration.created:
        found.append(
            Deviation(
                f"the journal was begun {header.created}, before the registration ({registration.created})",
                breaks=True,
            )
        )
    surplus = len(records) - registration.test.most_pairs
    if surplus > 0:
        found.append(Deviation(f"{surplus} more pairs were played than registered; they do not count"))
    return tuple(sorted(found, key=lambda each: not each.breaks))


def _of_header(registration: Registration, header: RunHeader) -> list[Deviation]:
    if header.registration != registration.sha256:
        stated = "none" if header.registration is None else f"{header.registration[:16]}…"
        found = [
            Deviation(
                f"the journal belongs to another registration: its hash is {stated}, this one's is "
                f"{registration.sha256[:16]}…",
                breaks=True,
            )
        ]
    else:
        found = []
    planned, played = registration.run.to_json(), header.to_json()
    for name, value in planned.items():
        if name in ("created", "registration") or played[name] == value:
            continue
        found.append(
            Deviation(f"{name}: registered {value}, played {played[name]}", breaks=name not in HARMLESS)
        )
    return found


def _of_events(events: Sequence[Event]) -> list[Deviation]:
    found = []
    for event in events:
        if event.what == "looked at":
            found.append(Deviation(f"looked at before the end, after {event.pairs} pairs ({event.at})"))
        if event.what == "stopped by hand":
            found.append(Deviation(f"stopped by hand after {event.pairs} pairs ({event.at})"))
    lost, playing = 0, False
    for event in events:
        lost += playing and event.what == "begun"
        playing = event.what in ("begun", "played") or (playing and event.what == "looked at")
    if lost:
        found.append(Deviation(f"broke off without a word {lost} time{'s' if lost > 1 else ''}, and went on"))
    return found
