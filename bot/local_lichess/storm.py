"""Faults at random: anything may go wrong at any time, and the same seed makes the same choices.

Which requests and lines there are depends on timing, so two runs with one seed are alike, not equal.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from bot.local_lichess import spoilt_lines
from bot.local_lichess.faults import Fault, FaultsAtWork, Kind, Occasion, kinds_of
from bot.local_lichess.seam import Call
from bot.local_lichess.troubled_answers import RATE_LIMIT_SHAPES, SHAPES

#: Taken for granted by every client, and with a wrong one nothing can be played.
_SPARED_FIELDS = ("variant", "variant.key", "initialFen")
#: One fault in so many is an outage or a deploy.
_ONE_OUTAGE_IN = 100


class Storm(FaultsAtWork):
    """At each occasion something goes wrong with the probability `rate`, or that of `rates` for its endpoint.

    `longest_s` bounds every wait, in seconds; an outage lasts up to three times as long. `kinds`: only these.
    `spared` endpoints work as ever.
    """

    def __init__(
        self,
        seed: int,
        rate: float,
        *,
        rates: Mapping[str, float] | None = None,
        kinds: Sequence[Kind] = tuple(Kind),
        longest_s: float = 1.0,
        spared: Sequence[str] = ("token_test",),
    ) -> None:
        super().__init__()
        self._rng = random.Random(seed)
        self._rate = rate
        self._rates = dict(rates or {})
        self._kinds = frozenset(kinds)
        self._longest_s = longest_s
        self._spared = frozenset(spared)
        self._over = False

    def end(self) -> None:
        """Fair weather from now on. From any thread."""
        self._over = True

    def _due(self, occasion: Occasion, call: Call, line: bytes | None) -> Fault | None:
        rng = self._rng
        if self._over or call.endpoint in self._spared:
            return None
        if rng.random() >= self._rates.get(call.endpoint, self._rate):
            return None
        outages = [kind for kind in (Kind.OUTAGE, Kind.DEPLOY) if kind in self._kinds]
        if outages and occasion != "effect" and rng.randrange(_ONE_OUTAGE_IN) == 0:
            seconds = rng.uniform(0, 3 * self._longest_s)
            return Fault(rng.choice(outages), seconds=seconds, status=rng.choice((0, 502, 503)))
        possible = [kind for kind in kinds_of(occasion) if kind in self._kinds]
        if not possible:
            return None
        kind = rng.choice(possible)
        status = rng.choice((429, 500, 502, 503, 504))
        return Fault(
            kind,
            seconds=rng.uniform(0, self._longest_s),
            status=status,
            shape=rng.choice(RATE_LIMIT_SHAPES if status == 429 else SHAPES),
            fields=() if line is None else self._fields(line),
        )

    def _fields(self, line: bytes) -> tuple[str, ...]:
        fields = spoilt_lines.any_field(line, self._rng)
        return tuple(field for field in fields if field not in _SPARED_FIELDS)
