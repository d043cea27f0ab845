"""The API description Lichess publishes, as validators; and a recorder of what a server says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import referencing
import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from referencing.jsonschema import DRAFT202012

from tests.local_lichess.wire_kit import Client, Stream

SPEC = Path(__file__).resolve().parents[3] / "shared" / "data" / "lichess-api-spec" / "doc" / "specs"
ROOT_FILE = SPEC / "lichess-api.yaml"

EVENT_SCHEMAS = {
    "challenge": "ChallengeEvent",
    "challengeCanceled": "ChallengeCanceledEvent",
    "challengeDeclined": "ChallengeDeclinedEvent",
    "gameStart": "GameStartEvent",
    "gameFinish": "GameFinishEvent",
    "gameFull": "GameFullEvent",
    "gameState": "GameStateEvent",
    "chatLine": "ChatLineEvent",
    "opponentGone": "OpponentGoneEvent",
}


@dataclass(frozen=True)
class Said:
    """One thing the server said: an answer ("GET /api/account 200") or an event ("event gameFull")."""

    what: str
    value: Any
    validator: Draft202012Validator

    def complaints(self) -> list[str]:
        """What the description finds wrong, as "place in the JSON: complaint"."""
        return [_complaint(error) for error in self.validator.iter_errors(self.value)]


@dataclass
class Recorder:
    """Asks with the templates of the description, and keeps every answer and every stream."""

    said: list[Said] = field(default_factory=list)
    streams: list[Stream] = field(default_factory=list)
    undescribed: set[str] = field(default_factory=set)  # answers the description is silent about

    def ask(self, client: Client, method: str, template: str, *parts: object, **more: Any) -> Any:
        """The answer, parsed. `parts` fill the braces of the template; `query` is appended."""
        remaining = iter(parts)
        path = re.sub(r"\{\w+\}", lambda _: str(next(remaining)), template) + more.pop("query", "")
        response = client.session.request(method, client.url + path, timeout=20, **more)
        kind = response.headers.get("Content-Type", "").split(";")[0]
        values: list[Any] = [response.text]
        if kind == "application/json":
            values = [response.json()]
        elif kind == "application/x-ndjson":
            values = [json.loads(line) for line in response.text.splitlines() if line]
        what = f"{method} {template} {response.status_code}"
        validator = answer_validator(method, template, response.status_code, kind)
        if validator is None:
            self.undescribed.add(what)
        else:
            self.said += [Said(what, value, validator) for value in values]
        return values[0] if len(values) == 1 else values

    def get(self, client: Client, template: str, *parts: object, **more: Any) -> Any:
        return self.ask(client, "GET", template, *parts, **more)

    def post(self, client: Client, template: str, *parts: object, **more: Any) -> Any:
        return self.ask(client, "POST", template, *parts, **more)

    def stream(self, client: Client, path: str) -> Stream:
        self.streams.append(client.stream(path))
        return self.streams[-1]

    def events(self) -> Iterator[Said]:
        """Every line of every stream."""
        for stream in self.streams:
            for line in stream.seen:
                if line.strip():
                    message = json.loads(line)
                    yield Said(f"event {message['type']}", message, event_validator(message["type"]))


def answer_validator(method: str, template: str, status: int, kind: str) -> Draft202012Validator | None:
    """For one answer; refusals it does not list are errors like any other. None: it is silent."""
    reference = _load(ROOT_FILE.as_uri())["paths"].get(template, {}).get("$ref")
    if reference is None:
        return None
    file = (ROOT_FILE.parent / reference).resolve()
    operation = _load(file.as_uri()).get(method.lower())
    if operation is None:
        return None
    answer = operation["responses"].get(str(status))
    if answer is None:
        return schema_validator("Error") if status >= 400 else None
    content = answer.get("content", {})
    if not content:
        return None
    described = kind if kind in content else next(iter(content))
    pointer = "/".join(
        part.replace("~", "~0").replace("/", "~1")
        for part in (method.lower(), "responses", str(status), "content", described, "schema")
    )
    return _validator(file, f"/{pointer}")


def event_validator(kind: str) -> Draft202012Validator:
    """KeyError for a type of event the description does not know."""
    return schema_validator(EVENT_SCHEMAS[kind])


def schema_validator(name: str) -> Draft202012Validator:
    return _validator(SPEC / "schemas" / f"{name}.yaml", "")


def listed_fields(name: str) -> set[str]:
    """The fields the description lists for an object."""
    return set(_load((SPEC / "schemas" / f"{name}.yaml").as_uri())["properties"])


@cache
def _load(uri: str) -> Any:
    return yaml.safe_load(Path(uri.removeprefix("file://")).read_text(encoding="utf-8"))


def _retrieve(uri: str) -> referencing.Resource[Any]:
    return DRAFT202012.create_resource(_load(uri))


def _validator(file: Path, pointer: str) -> Draft202012Validator:
    registry: referencing.Registry[Any] = referencing.Registry(
        retrieve=_retrieve  # type: ignore[call-arg]  # attrs gives the field another name
    )
    return Draft202012Validator({"$ref": f"{file.as_uri()}#{pointer}"}, registry=registry)


def _complaint(error: ValidationError) -> str:
    return f"{'/'.join(str(part) for part in error.absolute_path)}: {error.message}"
