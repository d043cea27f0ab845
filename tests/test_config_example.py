"""The example configuration says what the code does: same keys, same defaults, same limits."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.config import load, parse
from bot.config_schema import ROOT, Wanted, wanted_at
from bot.errors import ConfigError
from bot.settings import Settings, StrategySettings
from bot.yaml_tree import Mapping, Node, read_tree

EXAMPLE = Path(__file__).parent.parent / "config.yml.example"
TEXT = EXAMPLE.read_text(encoding="utf-8")
UNITS = {"_s": "seconds", "_ms": "milliseconds", "_days": "days"}


def documented() -> dict[tuple[str, ...], str]:
    """Each key, also those commented out, and the comments that belong to it.

    These are the comment behind its value and the block of comments above; keys without an empty line between
    them share that block.
    """
    found: dict[tuple[str, ...], str] = {}
    section, block, after_key = "", "", False
    for line in TEXT.splitlines():
        key = re.match(r"(# |  |)([a-z_]+):(?: |$)(.*)", line)
        if key is not None and (not key[1].startswith("#") or key[2] in Settings.model_fields):
            section = "" if key[1] != "  " else section
            path = (section, key[2]) if section else (key[2],)
            found[path] = f"{block} {key[3].partition('#')[2]}"
            section = key[2] if not key[3] else section
            after_key = True
        elif line.lstrip().startswith("#"):
            block = f"{'' if after_key else block} {line.lstrip()[1:].strip()}"
            after_key = False
        else:
            assert line == "", f"a line of the example that is neither key, comment nor empty: {line!r}"
            block = ""
    return found


def all_keys(wanted: Wanted = ROOT, above: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    keys: list[tuple[str, ...]] = []
    for name in wanted.keys:
        keys.append((*above, name))
        below = wanted.under(name)
        if below is not None and below.section not in (None, StrategySettings):
            keys += all_keys(below, (*above, name))
    return keys


LEAVES = [path for path in all_keys() if (wanted := wanted_at(path)) is not None and not wanted.may_be_bare]


def test_the_example_gives_the_defaults_exactly() -> None:
    assert parse(TEXT) == Settings()


def test_every_key_is_in_the_example_and_no_other() -> None:
    assert sorted(documented()) == sorted(all_keys())


def test_a_key_is_commented_out_only_where_the_default_is_its_absence() -> None:
    tree, _ = read_tree(TEXT)
    absent = {path for path in all_keys() if not is_in(tree, path)}
    assert absent == {("token",), ("token_file",)}
    assert Settings().token is None
    assert Settings().token_file is None


@pytest.mark.parametrize("path", LEAVES, ids=".".join)
def test_the_limits_and_choices_in_the_comments_are_those_of_the_code(path: tuple[str, ...]) -> None:
    wanted, comment = wanted_at(path), documented()[path]
    assert wanted is not None
    assert comment.strip(), "every key has a comment"
    if wanted.kind is int:
        low, high = wanted.limits
        unit = next((unit for end, unit in UNITS.items() if path[-1].endswith(end)), "")
        assert re.search(rf"\b{unit}(, )?{low} to {high}\b", comment)
    item = wanted.under(0)
    if item is not None and item.choices:
        assert f"One or more of: {', '.join(item.choices)}." in comment
    if wanted.choices:
        assert f"One of: {', '.join(wanted.choices)}." in comment
    if wanted.kind is bool:
        assert "true or false" in comment


@pytest.mark.parametrize("path", LEAVES, ids=".".join)
def test_the_settings_refuse_what_lies_outside_of_the_documented_limits(path: tuple[str, ...]) -> None:
    numbers = re.search(r"(\d+) to (\d+)", documented()[path])
    wanted = wanted_at(path)
    assert wanted is not None
    assert (numbers is not None) == (wanted.kind is int)
    if numbers is None:
        return
    low, high = int(numbers[1]), int(numbers[2])
    for value in (low, high):
        section = getattr(parse(f"{path[0]}: {{{path[1]}: {value}}}"), path[0])
        assert getattr(section, path[1]) == value
    for value in (low - 1, high + 1):
        with pytest.raises(
            ConfigError, match=f"found {value}, expected a whole number.* from {low} to {high}"
        ):
            parse(f"{path[0]}: {{{path[1]}: {value}}}")


def test_the_token_of_the_example_is_a_placeholder(tmp_path: Path) -> None:
    uncommented = TEXT.replace("# token: ", "token: ")
    assert uncommented != TEXT
    with pytest.raises(ConfigError, match="only the placeholder of a token; make one"):
        parse(uncommented)
    file = tmp_path / "config.yml"
    file.write_text(TEXT)
    with pytest.raises(ConfigError, match="token: found none"):
        load(file, {})
    assert load(file, {"LICHESS_BOT_TOKEN": "lip_abc"}).warnings == ()


def test_the_values_inside_of_comments_are_accepted() -> None:
    assert parse("challenge: {time_controls: [3+2, 0.5+1, 10+0]}").challenge.time_controls[1] == "0.5+1"
    assert "[3+2, 0.5+1, 10+0]" in TEXT
    long_form = "".join(re.findall(r"^#  ( .*\n)", TEXT, re.MULTILINE))
    short_form = re.search(r"as in (random:seed=7)", TEXT)
    assert short_form is not None
    assert parse(long_form) == parse(f"strategy: {short_form[1]}")
    assert parse(long_form) != Settings()


def is_in(node: Node | None, path: tuple[str, ...]) -> bool:
    for key in path:
        if not isinstance(node, Mapping) or key not in node.entries:
            return False
        node = node.entries[key]
    return True
