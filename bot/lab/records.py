"""What the lab writes down: frozen values, and their JSON. Pure.

`to_json` gives what `json.dumps` takes; `from_json` is strict: a missing, unknown or unfit field raises
RecordError, which names it.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Self, get_args

from bot.events import Side
from bot.lab.json_fields import MOST, Fields, RecordError, shown, within
from bot.lab.openings import Opening

#: Raised whenever a journal of before can no longer be read as it stands.
SCHEMA = 1

Result = Literal["1-0", "0-1", "1/2-1/2"]
Fault = Literal["crash", "stall", "illegal move", "no move", "two moves", "time loss", "not loaded"]
Mode = Literal["match", "round-robin", "gauntlet"]

RESULTS: tuple[Result, ...] = get_args(Result)
FAULTS: tuple[Fault, ...] = get_args(Fault)
MODES: tuple[Mode, ...] = get_args(Mode)
SIDES: tuple[Side, ...] = get_args(Side)

#: More games than this no machine plays, and no program of this kind should try to hold.
MOST_PAIRS = 1_000_000
MOST_SEED = 2**63 - 1
MOST_PLIES = 100_000

#: Least and most of what is known of a move: milliseconds, centipawns, moves, plies, nodes.
BOUNDS: Mapping[str, tuple[int, int]] = {
    "time_ms": (0, 10**12),
    "score_cp": (-(10**9), 10**9),
    "mate_in": (-(10**6), 10**6),
    "depth": (0, 10**6),
    "nodes": (0, MOST),
}

#: Points of White.
POINTS: Mapping[Result, float] = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}


@dataclass(frozen=True, slots=True)
class PairSpec:
    """Two games to be played from one opening: in game 1 `first` has White, in game 2 `second`.

    `index` is the place in the schedule, from 0. `first` and `second` are players as typed. `seed` is all the
    chance there is in a pair; `pair_id` says the same of the whole pair in twelve hexadecimal digits.
    """

    index: int
    pair_id: str
    first: str
    second: str
    opening: Opening
    seed: int

    def to_json(self) -> dict[str, object]:
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, value: object) -> Self:
        """Raises RecordError."""
        fields = Fields(value, "spec", cls)
        opening = Fields(fields.any("opening"), "spec.opening", Opening)
        return cls(
            index=fields.whole("index", most=MOST_PAIRS - 1),
            pair_id=fields.text("pair_id"),
            first=fields.text("first"),
            second=fields.text("second"),
            opening=Opening(opening.text("fen"), opening.text("eco"), opening.text("name")),
            seed=fields.whole("seed", most=MOST_SEED),
        )


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """One move, and what its player told of it: the score from its own side in centipawns, or `mate_in` moves
    (negative: being mated); depth in plies. `time_ms` is what the referee measured."""

    uci: str
    time_ms: int
    score_cp: int | None = None
    mate_in: int | None = None
    depth: int | None = None
    nodes: int | None = None

    def to_json(self) -> list[object]:
        """A list in the order of the fields, without the Nones at its end: a journal is mostly moves."""
        values: list[object] = [self.uci, self.time_ms, self.score_cp, self.mate_in, self.depth, self.nodes]
        while values[-1] is None:
            values.pop()
        return values

    @classmethod
    def from_json(cls, value: object, where: str = "move") -> Self:
        """Raises RecordError."""
        if (
            not isinstance(value, list)
            or not 2 <= len(value) <= len(MOVE_FIELDS)
            or type(value[0]) is not str
        ):
            raise RecordError(
                f"{where} must be a list of {', '.join(MOVE_FIELDS)}: a text, whole numbers; "
                f"found {shown(value)}"
            )
        uci, time_ms, *told = value
        within(f"{where}.time_ms", time_ms, *BOUNDS["time_ms"])
        for name, number in zip(MOVE_FIELDS[2:], told, strict=False):
            if number is not None:
                within(f"{where}.{name}", number, *BOUNDS[name])
        return cls(uci, time_ms, *told)


def fitting(name: str, told: int | None) -> int | None:
    """What a player has told of a move, under that name; None where it cannot be true."""
    least, most = BOUNDS[name]
    return told if told is not None and least <= told <= most else None


MOVE_FIELDS = tuple(field.name for field in dataclasses.fields(MoveRecord))


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game. `ending` is how it ended, in a few words ("checkmate", "maximum length" ..., or the fault).

    `fault`: what the player with the pieces `fault_by` did wrong, and lost the game by; `detail`: one line.
    """

    white: str
    black: str
    result: Result
    ending: str
    fault: Fault | None
    fault_by: Side | None
    detail: str | None
    moves: tuple[MoveRecord, ...]

    def points(self, side: Side) -> float:
        """1, 0.5 or 0."""
        white = POINTS[self.result]
        return white if side == "white" else 1 - white

    def to_json(self) -> dict[str, object]:
        return {
            "white": self.white,
            "black": self.black,
            "result": self.result,
            "ending": self.ending,
            "fault": self.fault,
            "fault_by": self.fault_by,
            "detail": self.detail,
            "moves": [move.to_json() for move in self.moves],
        }

    @classmethod
    def from_json(cls, value: object, where: str = "game") -> Self:
        """Raises RecordError."""
        fields = Fields(value, where, cls)
        fault = fields.one_of_or_none("fault", FAULTS)
        fault_by = fields.one_of_or_none("fault_by", SIDES)
        if (fault is None) is not (fault_by is None):
            raise RecordError(f"{where}: a fault and who is to blame for it (fault_by) go together")
        result = fields.one_of("result", RESULTS)
        if fault_by is not None and result != ("0-1" if fault_by == "white" else "1-0"):
            raise RecordError(f"{where}.result is {result}, and it was {fault_by} that lost by a fault")
        return cls(
            white=fields.text("white"),
            black=fields.text("black"),
            result=result,
            ending=fields.text("ending"),
            fault=fault,
            fault_by=fault_by,
            detail=fields.text_or_none("detail"),
            moves=tuple(
                MoveRecord.from_json(move, f"{where}.moves[{number}]")
                for number, move in enumerate(fields.items("moves"))
            ),
        )


@dataclass(frozen=True, slots=True)
class PairRecord:
    """A finished pair. `duration_ms` and `worker` say how long it took, and where."""

    spec: PairSpec
    games: tuple[GameRecord, GameRecord]
    duration_ms: int
    worker: str

    @property
    def score(self) -> float:
        """Points of `first` in the two games: 0, 0.5, 1, 1.5 or 2."""
        return self.games[0].points("white") + self.games[1].points("black")

    @property
    def clean(self) -> bool:
        """No fault in either game."""
        return all(game.fault is None for game in self.games)

    @property
    def moves_hash(self) -> tuple[str, str]:
        """Of each game, a hash of its opening and moves: equal ones are the same game, whoever played it."""
        first, second = (
            hashlib.sha256(" ".join((self.spec.opening.fen, *(m.uci for m in game.moves))).encode())
            for game in self.games
        )
        return first.hexdigest()[:16], second.hexdigest()[:16]

    def to_json(self) -> dict[str, object]:
        return {
            "spec": self.spec.to_json(),
            "games": [game.to_json() for game in self.games],
            "duration_ms": self.duration_ms,
            "worker": self.worker,
        }

    @classmethod
    def from_json(cls, value: object) -> Self:
        """Raises RecordError."""
        fields = Fields(value, "pair", cls)
        spec = PairSpec.from_json(fields.any("spec"))
        games = [GameRecord.from_json(game, f"games[{n}]") for n, game in enumerate(fields.items("games"))]
        players = [(game.white, game.black) for game in games]
        if players != [(spec.first, spec.second), (spec.second, spec.first)]:
            raise RecordError(
                f"pair.games must be {spec.first} - {spec.second} and its return, not {players}"
            )
        return cls(
            spec=spec,
            games=(games[0], games[1]),
            duration_ms=fields.whole("duration_ms"),
            worker=fields.text("worker"),
        )


@dataclass(frozen=True, slots=True)
class RunHeader:
    """Everything that defines a run. Two headers with the same `identity` define the same games.

    `created` is ISO 8601, UTC. `commit`: of the project's own working copy, None outside of one. `code` is a
    hash of all sources that can change a game, `player_codes` one of each player's own file or program
    (None: it ships with the project). `budget`, `adjudication`: in the words of the options. `tablebase`: a
    folder or None. `registration`: sha256 of the registration that the run belongs to, or None.
    """

    schema: int
    created: str
    version: str
    commit: str | None
    code: str
    players: tuple[str, ...]
    player_codes: tuple[str | None, ...]
    mode: Mode
    pairs: int
    seed: int
    opening_source: str
    openings_hash: str
    budget: str
    adjudication: str
    max_plies: int
    tablebase: str | None
    registration: str | None = None

    @property
    def identity(self) -> dict[str, object]:
        """All fields but those that only say when, and from which copy of the same code."""
        return {
            name: value
            for name, value in self.to_json().items()
            if name not in ("created", "version", "commit")
        }

    def to_json(self) -> dict[str, object]:
        values = dataclasses.asdict(self)
        return values | {"players": list(self.players), "player_codes": list(self.player_codes)}

    @classmethod
    def from_json(cls, value: object) -> Self:
        """Raises RecordError; for another schema it says nothing else."""
        if isinstance(value, dict) and value.get("schema") != SCHEMA:
            raise RecordError(f"header.schema is {shown(value.get('schema'))}; this version reads {SCHEMA}")
        fields = Fields(value, "header", cls)
        players, codes = fields.texts("players"), fields.texts_or_none("player_codes")
        mode = fields.one_of("mode", MODES)
        if len(set(players)) != len(players) or len(players) < 2 or (mode == "match" and len(players) > 2):
            raise RecordError(f"header.players are none that play a {mode}: {shown(players)}")
        if len(codes) != len(players):
            raise RecordError(
                f"header.player_codes must be one for each player: {len(players)}, found {len(codes)}"
            )
        met = count_pairings(mode, len(players))
        return cls(
            schema=fields.whole("schema"),
            created=_moment(fields.text("created")),
            version=fields.text("version"),
            commit=fields.text_or_none("commit"),
            code=fields.text("code"),
            players=tuple(players),
            player_codes=tuple(codes),
            mode=mode,
            pairs=fields.whole("pairs", least=1, most=MOST_PAIRS // met),
            seed=fields.whole("seed", most=MOST_SEED),
            opening_source=fields.text("opening_source"),
            openings_hash=fields.text("openings_hash"),
            budget=fields.text("budget"),
            adjudication=fields.text("adjudication"),
            max_plies=fields.whole("max_plies", least=1, most=MOST_PLIES),
            tablebase=fields.text_or_none("tablebase"),
            registration=fields.text_or_none("registration"),
        )


def count_pairings(mode: Mode, players: int) -> int:
    """How many pairings there are between so many players."""
    if mode == "gauntlet":
        return players - 1
    return players * (players - 1) // 2


def _moment(text: str) -> str:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        raise RecordError(f"header.created must be a moment in ISO 8601, found {shown(text)}") from None
    return text
