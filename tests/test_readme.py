"""What README says is so: its commands exist, its examples run, its places are there."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from bot.cli import app
from bot.config import parse
from bot.local_lichess.serve import greeting
from bot.strategies import registry

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^ *```{language}\n(.*?)^ *```", README, re.MULTILINE | re.DOTALL)


def knightshift(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )


def test_the_strategy_of_ten_lines_plays_the_move_that_it_should(tmp_path: Path) -> None:
    (source,) = blocks("python")
    assert len(source.strip().splitlines()) <= 13
    (tmp_path / "hungry.py").write_text(source, encoding="utf-8")
    (command,) = (block for block in blocks("sh") if "knightshift move" in block)
    fen = command.split('"')[1]
    answer = knightshift("move", fen, "--strategy", "hungry:play", cwd=tmp_path)
    assert (answer.stdout, answer.stderr, answer.returncode) == ("e4d5\n", "", 0)


def all_verbs(verbs: dict[str, Any], before: str = "") -> Iterator[str]:
    """The full name of every verb, but of groups that do nothing by themselves."""
    for name, verb in verbs.items():
        within = getattr(verb, "commands", {})
        if not within or getattr(verb, "invoke_without_command", False):
            yield f"{before}{name}"
        yield from all_verbs(within, f"{before}{name} ")


def verb_of(line: str) -> list[str]:
    """The words of a command line that name what is to be done."""
    verb, within = list[str](), getattr(typer.main.get_command(app), "commands", {})
    for word in line.split()[1:]:
        if word not in within:
            break
        verb.append(word)
        within = getattr(within[word], "commands", {})
    return verb


def test_every_command_is_in_the_table_and_the_other_way_round() -> None:
    group = typer.main.get_command(app)
    verbs = getattr(group, "commands", {})
    names = set(all_verbs(verbs))
    table = set(re.findall(r"^\| `knightshift ([a-z ]+)`", README, re.MULTILINE))
    assert table == names


@pytest.mark.parametrize("line", [line.strip() for block in blocks("sh") for line in block.splitlines()])
def test_every_shell_line_is_a_command_of_ours(line: str) -> None:
    line = line.partition("  #")[0].strip()
    if line.startswith("knightshift "):
        answer = knightshift(*verb_of(line), "--help", cwd=ROOT)
        assert answer.returncode == 0
        for option in re.findall(r"(--[a-z-]+)", line):
            assert option in answer.stdout
    elif line.startswith("dask "):
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        assert any("distributed" in need for need in extras["optional-dependencies"]["cluster"])
    elif line.startswith("make "):
        target = line.split()[1]
        assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    elif line.startswith("curl "):
        said = "\n".join(greeting("http://127.0.0.1:8080"))
        assert line in said
    elif line.startswith("printf "):
        text = line.split("'")[1].replace("\\n", "\n")
        assert parse(text).strategy.name == "select_move"
    else:
        assert line.startswith("cp config.yml.example ")
        assert (ROOT / "config.yml.example").is_file()


def test_every_place_of_the_layout_is_there() -> None:
    layout = README.split("## Layout")[1]
    places = re.findall(r"`((?:bot|tests|systemd)/[\w/.]*)`", layout)
    assert len(places) > 15
    assert [place for place in places if not (ROOT / place).exists()] == []


def test_the_strategies_that_ship_are_named() -> None:
    table = README.split("These strategies ship")[1].split("##")[0]
    assert set(re.findall(r"^\| `(\w+)`", table, re.MULTILINE)) == set(registry.names())
