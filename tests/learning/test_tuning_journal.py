"""The journal of a tuning: what is read from it is what was written, and nothing else goes unnoticed."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.engine.tunables import TUNABLES
from bot.learning.judge import Judge
from bot.learning.spsa import Settings, Spsa
from bot.learning.tuning_journal import (
    Iteration,
    TuningJournalError,
    begin_or_resume,
    header_of,
    write_iteration,
)
from bot.learning.tuning_pairs import Terms

SETTINGS = Settings(TUNABLES[:3], pairs=30, batch=4, seed=5)
TERMS = Terms(seed=5, nodes=50, judge=Judge())
HEADER = header_of(SETTINGS, TERMS, {})


def written(path: Path, iterations: int) -> Spsa:
    """A journal with so many of the eight iterations, by lot."""
    spsa, rng = Spsa(SETTINGS), random.Random(8)
    begin_or_resume(path, HEADER, spsa)
    for number in range(1, iterations + 1):
        trial = spsa.trial(number)
        points = [(rng.randrange(3), rng.randrange(3)) for _ in SETTINGS.pairs_of(number)]
        iteration = Iteration(number, trial.plus, trial.minus, points)
        write_iteration(path, iteration)
        spsa.take(iteration.won_more)
    return spsa


def resumed(path: Path, header: dict[str, Any] = HEADER) -> Spsa:
    spsa = Spsa(SETTINGS)
    begin_or_resume(path, header, spsa)
    return spsa


@pytest.mark.parametrize("iterations", [0, 1, 5, 8])
def test_what_is_read_is_what_was_played(tmp_path: Path, iterations: int) -> None:
    path = tmp_path / "tuning.jsonl"
    spsa = written(path, iterations)
    before = path.read_bytes()
    again = resumed(path)
    assert again.history == spsa.history
    assert again.iterations == iterations
    assert path.read_bytes() == before


@pytest.mark.parametrize("torn", [b'{"iteration":{"numb', b"\0\0\0\0", b"{}"])
def test_a_torn_line_is_dropped_and_written_over(tmp_path: Path, torn: bytes) -> None:
    path, whole = tmp_path / "tuning.jsonl", tmp_path / "whole.jsonl"
    written(whole, 2)
    lines = whole.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2]) + torn)
    spsa = resumed(path)
    assert spsa.iterations == 1
    trial, points = spsa.trial(2), json.loads(lines[2])["iteration"]["points"]
    write_iteration(path, Iteration(2, trial.plus, trial.minus, points))
    assert path.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("torn", [b"", b'{"head', b"\0\0"])
def test_without_a_whole_header_it_begins_anew(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "tuning.jsonl"
    path.write_bytes(torn)
    assert resumed(path).iterations == 0
    assert json.loads(path.read_bytes()) == {"header": HEADER}


def test_what_is_no_journal_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "tuning.jsonl"
    path.write_bytes(b"my diary")
    with pytest.raises(TuningJournalError, match=r"tuning\.jsonl:1: this is no journal of a tuning"):
        resumed(path)
    assert path.read_bytes() == b"my diary"


def test_one_of_another_tuning_is_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "tuning.jsonl"
    written(path, 2)
    before = path.read_bytes()
    first, last = TUNABLES[0], TUNABLES[3]
    other = header_of(
        replace(SETTINGS, pairs=31, tunables=(replace(first, value=first.value + 1), *TUNABLES[1:3])),
        replace(TERMS, nodes=60),
        {last.name: last.least},
    )
    with pytest.raises(TuningJournalError) as refused:
        resumed(path, other)
    bounds = f"least {first.least}, most {first.most}, step {first.step}"
    assert str(refused.value) == (
        f"{path} was begun with pairs 30 (now 31), nodes 50 (now 60), "
        f"fixed.{last.name} none (now [{last.least}]), "
        f"tunables.{first.name} [start {first.value}, {bounds}] (now [start {first.value + 1}, {bounds}]); "
        "choose another --out"
    )
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("line", "change", "told"),
    [
        (1, lambda _: b"rubbish", "it is damaged: "),
        (1, lambda _: b'{"header":7}', "the header must be an object, found 7"),
        (1, lambda _: b'{"iteration":{}}', 'expected {"header": ...}'),
        (3, lambda _: b"\xff\xfe", "it is damaged: "),
        (3, lambda _: b"", "it is damaged: "),
        (3, lambda _: b'{"header":{}}', 'expected {"iteration": ...}'),
        (3, lambda _: b'{"iteration":[]}', "iteration must be an object, found []"),
        (3, lambda text: text.replace(b'"number":2', b'"number":1'), "iteration 2 should be here, found 1"),
        (3, lambda text: text.replace(b'"plus"', b'"other"'), "iteration.other is not known"),
        (3, lambda text: text.replace(b'"plus":{"', b'"plus":{"x'), "iteration.plus is not what follows"),
        (3, lambda text: text.replace(b'"minus":{"', b'"minus":{"x'), "iteration.minus is not what follows"),
        (3, lambda text: text[: text.rindex(b",[")] + b"]}}", "iteration.points must be of 4 pairs, found 3"),
        (3, lambda text: text.replace(b'"points":[[', b'"points":[[7'), "must be a whole number from 0 to 2"),
        (3, lambda text: text.replace(b'"points":[[', b'"points":[[1,'), "of two games a pair, found [1, "),
        (3, lambda text: text.replace(b'"points":[[', b'"points":9,"x":[['), "iteration.x is not known"),
    ],
)
def test_rubbish_is_told_with_its_file_and_line(tmp_path: Path, line: int, change: Any, told: str) -> None:
    path = tmp_path / "tuning.jsonl"
    written(path, 4)
    lines = path.read_bytes().split(b"\n")
    lines[line - 1] = change(lines[line - 1])
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(TuningJournalError) as refused:
        resumed(path)
    assert str(refused.value).startswith(f"{path}:{line}: ")
    assert told in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


def test_a_result_that_was_changed_is_found_where_it_matters(tmp_path: Path) -> None:
    """What is played afterwards does not follow from it."""
    path = tmp_path / "tuning.jsonl"
    tunables = tuple(replace(each, least=0, most=100_000) for each in TUNABLES[:3])
    settings = replace(SETTINGS, rate=0.9, tunables=tunables)
    spsa, header = Spsa(settings), header_of(settings, TERMS, {})
    begin_or_resume(path, header, spsa)
    for number in (1, 2, 3):
        trial = spsa.trial(number)
        iteration = Iteration(number, trial.plus, trial.minus, [(2, 2)] * 4)
        write_iteration(path, iteration)
        spsa.take(iteration.won_more)
    lines = path.read_bytes().split(b"\n")
    lines[1] = lines[1].replace(b"[2,2]", b"[0,0]")
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(TuningJournalError, match=r":4: iteration\.plus is not what follows from the lines"):
        begin_or_resume(path, header, Spsa(settings))


def test_more_iterations_than_there_are_is_rubbish(tmp_path: Path) -> None:
    path = tmp_path / "tuning.jsonl"
    written(path, 8)
    with path.open("ab") as file:
        file.write(path.read_bytes().splitlines(keepends=True)[-1])
    with pytest.raises(TuningJournalError, match=r":10: there are only 8 iterations"):
        resumed(path)
