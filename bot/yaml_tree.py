"""YAML text → a tree whose every node knows its line.

Only what a configuration needs: mappings, lists, and scalars, in one document. Anchors, aliases, tags and
duplicate keys are refused, so a file can neither blow up nor mean something else than it seems to. A plain
scalar keeps its text beside its value; numbers are decimal (YAML 1.2), so `1:30`, `010` and dates stay text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

MAX_CHARACTERS = 256 * 1024
MAX_DEPTH = 20

_INT = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]{1,3})?")
_BOOLS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_NOTHING = ("", "~", "null", "Null", "NULL")
#: What YAML allows in a file, with tabs, line ends and the byte order mark.
_NOT_YAML = re.compile("[^\x09\x0a\x0d\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong at a line (from 1). `path` is the keys that lead there."""

    line: int
    message: str
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scalar:
    """One value: what was written, and what it reads as. Quoted text is always a str."""

    line: int
    text: str
    value: str | int | float | bool | None
    is_quoted: bool = False


@dataclass(frozen=True, slots=True)
class Sequence:
    line: int
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Mapping:
    """`lines` has the line of each key."""

    line: int
    entries: dict[str, Node] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)


Node = Scalar | Sequence | Mapping


def read_tree(text: str) -> tuple[Node | None, tuple[Fault, ...]]:
    """The tree of `text`, and its faults. No tree: the text is not YAML (one fault), or empty (no fault).

    Never raises, and quotes nothing of the text but its keys: any of it may be a secret.
    """
    if len(text) > MAX_CHARACTERS:
        return None, (Fault(1, f"found more than {MAX_CHARACTERS} characters: this is no configuration"),)
    odd = _NOT_YAML.search(text)
    if odd is not None:
        line = text.count("\n", 0, odd.start()) + 1
        return None, (Fault(line, f"found the character U+{ord(odd[0]):04X}, which YAML does not allow"),)
    builder = _Builder(yaml.parse(text, yaml.SafeLoader))
    try:
        return builder.document(), tuple(builder.faults)
    except _RefusedError as refused:
        return None, (refused.fault,)
    except yaml.MarkedYAMLError as error:
        return None, (_syntax_fault(error),)
    except (yaml.YAMLError, ValueError, OverflowError):  # the latter two: escapes such as "\UFFFFFFFF"
        return None, (Fault(builder.line, "found text that is not YAML, here or in the next line"),)


def classify(text: str) -> str | int | float | bool | None:
    """What a plain (unquoted) scalar reads as."""
    if text in _NOTHING:
        return None
    if text in (text.lower(), text.upper(), text.capitalize()) and text.lower() in _BOOLS:
        return _BOOLS[text.lower()]
    if _INT.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


class _RefusedError(Exception):
    def __init__(self, fault: Fault) -> None:
        self.fault = fault


class _Builder:
    """Builds the tree from the parser's events."""

    def __init__(self, events: Iterator[yaml.Event]) -> None:
        self._events = events
        self.line = 1  # of the latest event
        self.faults: list[Fault] = []

    def document(self) -> Node | None:
        self._next()  # the start of the stream
        if isinstance(self._next(), yaml.StreamEndEvent):
            return None
        root = self._node(self._next(), ())
        self._next()  # the end of the document
        after = self._next()
        if not isinstance(after, yaml.StreamEndEvent):
            raise _RefusedError(Fault(_line(after), "found a second document, expected one to a file"))
        if isinstance(root, Scalar) and root.value is None and not root.text:
            return None
        return root

    def _next(self) -> yaml.Event:
        event = next(self._events)
        self.line = _line(event)
        return event

    def _node(self, event: yaml.Event, path: tuple[str, ...], depth: int = 0) -> Node:
        line = _line(event)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise _RefusedError(
                Fault(line, "found an anchor or alias (& or *): quote the value, or write it out", path)
            )
        if getattr(event, "tag", None) is not None:
            raise _RefusedError(Fault(line, "found a tag (!): quote the value, or leave the tag out", path))
        if depth > MAX_DEPTH:
            raise _RefusedError(Fault(line, f"found more than {MAX_DEPTH} levels of nesting"))
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, path)
        if isinstance(event, yaml.SequenceStartEvent):
            items = []
            while not isinstance(event := self._next(), yaml.SequenceEndEvent):
                items.append(self._node(event, path, depth + 1))
            return Sequence(line, tuple(items))
        return self._mapping(line, path, depth)

    def _mapping(self, line: int, path: tuple[str, ...], depth: int) -> Mapping:
        mapping = Mapping(line)
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key = self._node(event, path, depth + 1)
            if not isinstance(key, Scalar):
                raise _RefusedError(
                    Fault(key.line, "found a list or mapping for a key; {{ or [[ need quotes", path)
                )
            here = (*path, key.text)
            value = self._node(self._next(), here, depth + 1)
            if key.text in mapping.lines:
                first = mapping.lines[key.text]
                self.faults.append(Fault(key.line, f"found twice: the first is in line {first}", here))
                continue
            mapping.entries[key.text] = value
            mapping.lines[key.text] = key.line
        return mapping

    def _scalar(self, event: yaml.ScalarEvent, path: tuple[str, ...]) -> Scalar:
        line = _line(event)
        text: str = event.value
        if any(not c.isprintable() and c not in "\n\t\r" for c in text):
            raise _RefusedError(
                Fault(line, "found a control character (is it a backslash in double quotes?)", path)
            )
        if event.style is not None:
            return Scalar(line, text, text, is_quoted=True)
        return Scalar(line, text, classify(text))


def _line(event: yaml.Event) -> int:
    mark = event.start_mark
    return 1 if mark is None else int(mark.line) + 1


#: Part of the parser's context, part of its problem, and our words for it. The first that fits.
_PLAINLY = (
    ("", r"found character '\t'", "found a tab, expected spaces: YAML is indented with spaces only"),
    ("quoted scalar", "found unexpected end of stream", "found a quote that is opened and never closed"),
    ("quoted scalar", "document separator", "found a quote that is opened and never closed"),
    ("double-quoted scalar", "", "found a backslash that is no escape: double it, or use single quotes"),
    ("simple key", "could not find", "found no `key: value` (is the colon missing, or the space after it?)"),
    ("", "mapping values are not", "found a second colon or a wrong indentation, here or one line above"),
    ("", "sequence entries are not", "found a list in the line of its key: begin it below, or use [ ]"),
    ("flow node", "<stream end>", "found a [ or { that is never closed"),
    ("", "expected the node content", "found punctuation where a value should be: put the value in quotes"),
    ("block", "expected <block end>", "found a line that is not indented like the lines above it"),
    ("flow sequence", "", "found a [ without its ], or a missing comma"),
    ("flow mapping", "", "found a { without its }, or a missing comma"),
    ("", "cannot start any token", "found a character that cannot begin a value: put the value in quotes"),
    ("", "found undefined tag handle", "found a tag (!): quote the value, or leave the tag out"),
)
_AT_THE_BEGINNING = ("quoted scalar", "simple key", "flow")


def _syntax_fault(error: yaml.MarkedYAMLError) -> Fault:
    context, problem = error.context or "", error.problem or ""
    mark = error.problem_mark
    if error.context_mark is not None and any(word in context for word in _AT_THE_BEGINNING):
        mark = error.context_mark
    line = 1 if mark is None else int(mark.line) + 1
    for in_context, in_problem, message in _PLAINLY:
        if in_context in context and in_problem in problem:
            return Fault(line, message)
    # The rest of the parser's words, without what it quotes from the text.
    told = re.sub(r"[\"'].*", "…", problem, flags=re.DOTALL) or "unreadable"
    return Fault(line, f"found text that is not YAML: {told}")
