"""The text of a configuration → settings, or every fault: where, what was found, what is allowed. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from bot.access_token import MALFORMED
from bot.config_schema import ROOT, Wanted, sections, wanted_at
from bot.settings import Settings
from bot.wording import did_you_mean, one_line, quoted
from bot.yaml_tree import Fault, Mapping, Node, Scalar, Sequence, classify, read_tree

#: The value of this key is never shown.
_SECRET = ("token",)


@dataclass(frozen=True, slots=True)
class Examined:
    """What came of a text: its settings unless there are faults, and the tree it was read from."""

    settings: Settings | None
    faults: tuple[Fault, ...]
    root: Mapping

    def text_of(self, key: str) -> str | None:
        """What is written as the value of a top-level key; None when it is absent, empty or no scalar."""
        node = self.root.entries.get(key)
        return node.text if isinstance(node, Scalar) and node.value is not None else None

    def line_of(self, key: str) -> int:
        """The line of a top-level key, from 1; 1 for one that is absent."""
        return self.root.lines.get(key, 1)


def examine(text: str) -> Examined:
    """Read `text`. Never raises; the faults are in the order of their lines, and show no token."""
    tree, faults = read_tree(text)
    if not isinstance(tree, Mapping):
        return Examined(None, faults or (_no_mapping(tree),), Mapping(1))
    settings, more = _validate(tree)
    in_order = sorted({*faults, *more}, key=lambda fault: (fault.line, fault.path, fault.message))
    return Examined(None if in_order else settings, tuple(in_order), tree)


def _no_mapping(tree: Node | None) -> Fault:
    allowed = "expected lines of `key: value`, such as `strategy: select_move`"
    if tree is None:
        return Fault(1, f"found nothing, {allowed}")
    if isinstance(tree, Sequence):
        return Fault(tree.line, f"found a list, {allowed}")
    # The text itself may be a token, so it is not shown.
    return Fault(tree.line, f"found text only, {allowed} (is the space after a colon missing?)")


def _validate(tree: Mapping) -> tuple[Settings | None, list[Fault]]:
    try:
        return Settings.model_validate(_plain(tree, ROOT)), []
    except ValidationError as error:
        details = error.errors(include_url=False)
    return None, [_fault(tree, each) for each in details if not _is_echo(tree, each)]


def _is_echo(tree: Mapping, detail: ErrorDetails) -> bool:
    """pydantic calls a list too short when its items are refused, which is said of each of them already."""
    node = _locate(tree, detail["loc"])[2]
    return detail["type"] == "too_short" and isinstance(node, Sequence) and bool(node.items)


def _plain(node: Node, wanted: Wanted | None) -> object:
    """`node` as the plain values that the models take."""
    if isinstance(node, Mapping):
        return {key: _plain(value, wanted and wanted.under(key)) for key, value in node.entries.items()}
    if isinstance(node, Sequence):
        return tuple(_plain(item, wanted and wanted.under(index)) for index, item in enumerate(node.items))
    if node.value is None:
        return {} if wanted is not None and wanted.may_be_bare else None
    return node.text if wanted is not None and wanted.takes_text else node.value


def _fault(tree: Mapping, detail: ErrorDetails) -> Fault:
    """One complaint of pydantic's in our words, at the deepest place of the tree that it leads to."""
    line, path, node = _locate(tree, detail["loc"])
    keys = tuple(key for key in path if isinstance(key, str))
    if detail["type"] == "extra_forbidden":
        return Fault(line, _unknown(keys), keys)
    wanted = wanted_at(path)
    if detail["type"] == "missing":
        name = str(detail["loc"][-1])
        return Fault(line, f"found no {name}, expected {wanted_at((*path, name))}", keys)
    said = _said(detail)
    if keys[:1] == _SECRET:
        return Fault(line, said or MALFORMED, keys)
    if said is not None and not said.startswith("expected"):
        return Fault(line, one_line(said, 400), keys)
    allowed = said or f"expected {wanted}{_hint(node, wanted)}"
    return Fault(line, f"found {_shown(node)}, {allowed}", keys)


def _locate(tree: Mapping, loc: tuple[str | int, ...]) -> tuple[int, tuple[str | int, ...], Node]:
    """Follow `loc` as far as it leads: the line, the path that was gone, and the node there."""
    line = tree.line
    path: list[str | int] = []
    here: Node = tree
    for step in loc:
        if isinstance(here, Mapping) and isinstance(step, str) and step in here.entries:
            line, here = here.lines[step], here.entries[step]
        elif isinstance(here, Sequence) and isinstance(step, int) and step < len(here.items):
            here = here.items[step]
            line = here.line
        else:
            break
        path.append(step)
    return line, tuple(path), here


def _said(detail: ErrorDetails) -> str | None:
    """The words of a validator of ours."""
    error = detail.get("ctx", {}).get("error")
    return str(error) if isinstance(error, ValueError) else None


def _shown(node: Node) -> str:
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list" if node.items else "an empty list"
    if node.value is None:
        return "nothing"
    return quoted(node.text) if isinstance(node.value, str) else one_line(node.text)


def _hint(node: Node, wanted: Wanted | None) -> str:
    if wanted is None or not isinstance(node, Scalar):
        return ""
    if node.is_quoted and not wanted.takes_text and not isinstance(classify(node.text), str):
        return ", without quotes"
    return did_you_mean(node.text, wanted.choices)


def _unknown(keys: tuple[str, ...]) -> str:
    *above, key = keys
    here = wanted_at(tuple(above))
    known = () if here is None else here.keys
    homes = [name for name, keys_there in sections() if key in keys_there]
    if homes:
        place = f"under {homes[0]}" if homes[0] else "at the top of the file, not indented"
        return f"unknown key here: it belongs {place}"
    hint = did_you_mean(key, known)
    return f"unknown key{hint}" if hint else f"unknown key, expected one of {', '.join(known)}"
