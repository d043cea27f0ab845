"""A comparison as it is promised before its first game: what is claimed, how it is tested, when that is
decided.

The file is YAML with a hash over its content; the order of its keys, and its comments, do not count. Who
changes it afterwards changes the hash, and `seals`, one for each part, say which part it was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self, get_args

import yaml

from bot.errors import UserError
from bot.lab.json_fields import Fields, RecordError
from bot.lab.records import RunHeader
from bot.lab.stats.counts import FEW_PAIRS
from bot.lab.stats.sprt import Scale, Sprt

SCHEMA = 1
#: A larger share of the games that end by a fault makes a run invalid.
MOST_FORFEITS = 0.01

EXCLUSION = (
    f"No pair is left out. A game that ends by a fault (crash, stall, illegal move, time loss ...) counts as "
    f"lost by whose fault it is; more than {MOST_FORFEITS:.0%} of such games make the run invalid, and so do "
    f"games that are copies of others, missing pairs, and games that were not played as registered."
)


@dataclass(frozen=True, slots=True)
class FixedTest:
    """So many `pairs`, no more and no fewer. `alpha`: the risk of accepting where the candidate is no better.
    `effect`: the least difference in Elo that would matter."""

    pairs: int
    alpha: float = 0.05
    effect: float = 0.0

    @property
    def most_pairs(self) -> int:
        return self.pairs

    @property
    def decision(self) -> str:
        return (
            f"After all {self.pairs} pairs. Accepted: the one-sided sign-flip test over the scores of the "
            f"pairs, for the candidate (the first player), gives p < {self.alpha:g}. Otherwise rejected: "
            "the upper end of the 95 % interval of the Elo difference (Student's t over pairs; Wilson's "
            f"over games where the pairs show no spread; the wider of both below {FEW_PAIRS} pairs) is below "
            f"{self.effect:g} Elo. Otherwise inconclusive."
        )

    def to_json(self) -> dict[str, object]:
        return {"kind": "fixed", **asdict(self)}


@dataclass(frozen=True, slots=True)
class SprtTest:
    """A sequential test, for `max_pairs` pairs at most."""

    sprt: Sprt
    max_pairs: int

    @property
    def most_pairs(self) -> int:
        return self.max_pairs

    @property
    def decision(self) -> str:
        sprt = self.sprt
        return (
            "After each pair, in the order of the schedule and in no other, the exact generalised "
            f"log-likelihood ratio of {sprt.elo1:g} against {sprt.elo0:g} Elo ({sprt.scale}, pentanomial, "
            f"the candidate's view). Accepted at {sprt.upper:.4f} or above, rejected at {sprt.lower:.4f} "
            f"or below, whichever comes first; inconclusive when neither has come after {self.max_pairs} "
            "pairs."
        )

    def to_json(self) -> dict[str, object]:
        return {"kind": "sprt", **asdict(self.sprt), "max_pairs": self.max_pairs}


Test = FixedTest | SprtTest


@dataclass(frozen=True, slots=True)
class Registration:
    """`run` is the header that the journal must have, but for when it was begun and for the registration's
    own hash. `options` are those it is played with (see `lab run`). `created`: ISO 8601, UTC. `replaces`: the
    hash of an earlier registration of the same comparison, or None."""

    created: str
    hypothesis: str
    test: Test
    run: RunHeader
    options: Mapping[str, object]
    replaces: str | None = None

    @property
    def candidate(self) -> str:
        return self.run.players[0]

    @property
    def baseline(self) -> str:
        return self.run.players[1]

    def content(self) -> dict[str, object]:
        """All of it, as JSON values; that is what is hashed."""
        return {
            "schema": SCHEMA,
            "created": self.created,
            "hypothesis": self.hypothesis,
            "players": {"candidate": self.candidate, "baseline": self.baseline},
            "test": self.test.to_json(),
            "decision": self.test.decision,
            "exclusion": EXCLUSION,
            "run": self.run.to_json(),
            "options": dict(self.options),
            "replaces": self.replaces,
        }

    @property
    def sha256(self) -> str:
        return sha256_of(self.content())

    def to_text(self) -> str:
        """The file."""
        content = self.content()
        head = (
            "# A comparison, registered before its first game. Any change shows: the hash covers all of it.\n"
            "# Play it with `knightshift lab run` and the name of this file.\n"
        )
        body = {"registration": content, "seals": seals_of(content), "sha256": self.sha256}
        return head + yaml.safe_dump(body, sort_keys=False, allow_unicode=True, width=100)

    @classmethod
    def from_text(cls, text: str, where: str) -> Self:
        """Read a file, YAML or JSON; `where` names it in messages.

        Raises TamperedError when the content is not what was hashed, UserError for what is no registration.
        """
        content = _checked(text, where)
        try:
            return cls._from_content(content)
        except (RecordError, ValueError) as error:
            raise UserError(f"{where}: {error}") from error

    @classmethod
    def _from_content(cls, content: Mapping[str, object]) -> Self:
        if content.get("schema") != SCHEMA:
            raise ValueError(f"registration.schema is {content.get('schema')!r}; this version reads {SCHEMA}")
        fields = Fields(
            {n: v for n, v in content.items() if n in cls.__dataclass_fields__}, "registration", cls
        )
        options = fields.any("options")
        found = cls(
            created=fields.text("created"),
            hypothesis=fields.text("hypothesis"),
            test=_test(fields.any("test")),
            run=RunHeader.from_json(fields.any("run")),
            options=options if isinstance(options, dict) else {},
            replaces=fields.text_or_none("replaces"),
        )
        if found.run.mode != "match" or len(found.run.players) != 2:
            raise ValueError(f"registration.run must be a match of two players, found {found.run.mode}")
        stated = {name: content.get(name) for name in found.content()}
        for name, value in found.content().items():
            if stated[name] != value:
                raise ValueError(
                    f"registration.{name} is {str(stated[name])[:80]!r}; "
                    f"this version would do {str(value)[:80]!r}"
                )
        return found


class TamperedError(UserError):
    """A registration that is not as it was written."""


def read_registration(path: Path) -> Registration:
    """Raises UserError for a file that cannot be read or is none, TamperedError for one that was changed."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UserError(f"registration {path}: cannot be read: {why}") from error
    return Registration.from_text(text, f"registration {path}")


def sha256_of(value: object) -> str:
    """Of JSON values, whatever the order of their keys."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def seals_of(content: Mapping[str, object]) -> dict[str, str]:
    """A short hash of each part."""
    return {name: sha256_of([name, value])[:8] for name, value in content.items()}


def _checked(text: str, where: str) -> Mapping[str, object]:
    try:
        found = json.loads(text) if text.lstrip().startswith("{") else yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UserError(f"{where}: it is neither YAML nor JSON: {' '.join(str(error).split())}") from error
    if not isinstance(found, dict) or not isinstance(found.get("registration"), dict):
        raise UserError(f"{where}: there is no registration in it; `knightshift lab register` writes one")
    content: dict[str, object] = found["registration"]
    stated, seals = found.get("sha256"), found.get("seals")
    try:
        actual, now = sha256_of(content), seals_of(content)
    except (TypeError, ValueError, RecursionError) as error:
        raise TamperedError(f"{where}: it has been changed since it was written: {error}") from error
    if stated == actual:
        return content
    before = seals if isinstance(seals, dict) else {}
    parts = sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
    what = f"in {', '.join(parts)}" if parts else "in its hash"
    raise TamperedError(
        f"{where}: it has been changed since it was written, {what}: its sha256 is {actual[:16]}…, "
        f"stated is {str(stated)[:16]}…"
    )


def _test(value: object) -> Test:
    kind = value.get("kind") if isinstance(value, dict) else None
    numbers = (
        {name: each for name, each in value.items() if name != "kind"} if isinstance(value, dict) else {}
    )
    if kind == "fixed":
        fields = Fields(numbers, "registration.test", FixedTest)
        return fixed_test(fields.whole("pairs", least=1), _number(fields, "alpha"), _number(fields, "effect"))
    if kind == "sprt":
        most = Fields(
            {"max_pairs": numbers.pop("max_pairs", None), "sprt": None}, "registration.test", SprtTest
        )
        fields = Fields(numbers, "registration.test", Sprt)
        sprt = Sprt(
            _number(fields, "elo0"),
            _number(fields, "elo1"),
            _number(fields, "alpha"),
            _number(fields, "beta"),
            scale=fields.one_of("scale", get_args(Scale)),
        )
        return SprtTest(sprt, most.whole("max_pairs", least=1))
    raise ValueError(f"registration.test.kind is {kind!r}; it must be fixed or sprt")


def fixed_test(pairs: int, alpha: float, effect: float) -> FixedTest:
    """Raises ValueError for what decides nothing."""
    if not 0 < alpha < 0.5:
        raise ValueError(f"alpha must be between 0 and 0.5, not {alpha:g}")
    if 0.5**pairs >= alpha:
        raise ValueError(f"{pairs} pairs cannot give p < {alpha:g}, not even if all are won: take more")
    return FixedTest(pairs, alpha, effect)


def _number(fields: Fields, name: str) -> float:
    value = fields.any(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RecordError(f"registration.test.{name} must be a number, found {value!r}")
    return float(value)
