"""`lab rescore` as people have it: what it keeps, that it goes on, and what it refuses."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
from rich.console import Console

from bot.errors import BenchError, UserError
from bot.learning.positions import POSITION, encoded, from_board, read_file, read_header
from bot.learning.rescore import Job, Rescorer, Rescoring
from bot.learning.rescore_command import run_rescore
from tests.learning.generate_kit import BY_HAND, generator, make, write_network

NODES, EVERY = 400, 3

pytestmark = pytest.mark.timeout(240)  # processes that load the engine; a busy machine takes its time


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two files of positions; only read."""
    folder = tmp_path_factory.mktemp("games") / "data"
    by = generator()
    for shard in range(2):
        make(folder, 60, shard=shard, by=by)
    return folder


def rescore(
    out: Path, *sources: Path, nodes: int = NODES, every: int = EVERY, network: str = "none"
) -> tuple[int, str, str]:
    """Within this process; returns the exit code, and what was printed on both streams."""
    stream, err = io.StringIO(), io.StringIO()
    code = run_rescore(
        sources,
        out=out,
        nodes=nodes,
        every=every,
        network=network,
        processes=1,
        console=Console(file=stream, width=300),
        stderr=err,
    )
    return code, stream.getvalue(), err.getvalue()


def test_some_of_the_positions_with_the_scores_of_deeper_searches(games: Path, tmp_path: Path) -> None:
    out = tmp_path / "deeper"
    code, told, _ = rescore(out, games)

    assert code == 0
    assert sorted(path.name for path in out.iterdir()) == sorted(path.name for path in games.iterdir())
    changed = 0
    for path in sorted(games.iterdir()):
        of, before = read_file(path)
        header, found = read_file(out / path.name)
        expected = before[::EVERY].copy()
        assert len(found) <= len(expected)
        expected = expected[np.isin(expected["occupied"], found["occupied"])]
        for name in ("occupied", "men", "result", "turn", "ply"):
            assert np.array_equal(found[name], expected[name]), name
        changed += int((found["score"] != expected["score"]).sum())
        assert header.settings == {
            "nodes": NODES,
            "every": EVERY,
            "of": {**of.origin, "positions": len(before)},
        }
        assert header.counts == {
            "positions": len(found),
            "decisive": len(before[::EVERY]) - len(found),
            "void": 0,
        }
        assert (header.seed, header.shard, header.network) == (of.seed, of.shard, "none")
    assert changed > 20
    assert told.startswith(
        f"{sum(len(read_file(path)[1]) for path in out.iterdir()):,} positions in 2 files, of "
    )


def test_a_deeper_search_is_nearer_to_a_much_deeper_one(games: Path, tmp_path: Path) -> None:
    apart = []
    source = sorted(games.iterdir())[0]
    for nodes in (60, 3_000, 60_000):
        Rescorer(Rescoring.here(nodes=nodes, every=1, judge=BY_HAND)).make(
            Job(source, tmp_path / f"{nodes}.positions"), lambda _: None
        )
    scores = [
        {record["occupied"]: int(record["score"]) for record in read_file(tmp_path / f"{nodes}.positions")[1]}
        for nodes in (60, 3_000, 60_000)
    ]
    common = set.intersection(*map(set, scores))
    assert len(common) > 40
    for shallower in scores[:2]:
        apart.append(np.median([abs(shallower[each] - scores[2][each]) for each in common]))
    assert apart[1] < apart[0]


def test_it_goes_on_where_it_was_and_makes_the_same(games: Path, tmp_path: Path) -> None:
    whole, halted = tmp_path / "whole", tmp_path / "halted"
    rescore(whole, games)
    first, second = sorted(games.iterdir())
    rescore(halted, first)
    written = (halted / first.name).stat().st_mtime_ns
    (halted / f"{second.name}.tmp").write_bytes(b"half of it")
    code, told, _ = rescore(halted, games)

    assert code == 0
    assert {path.name: path.read_bytes() for path in halted.iterdir()} == {
        path.name: path.read_bytes() for path in whole.iterdir()
    }
    assert (halted / first.name).stat().st_mtime_ns == written
    assert "New: " in told
    assert "New: " not in rescore(halted, games)[1]


@pytest.mark.parametrize("change", [{"nodes": 401}, {"every": 2}, {"network": "default"}])
def test_what_was_made_otherwise_is_not_mixed_with(
    games: Path, tmp_path: Path, change: dict[str, Any]
) -> None:
    out = tmp_path / "deeper"
    first = sorted(games.iterdir())[0]
    rescore(out, first)
    before = (out / first.name).read_bytes()
    with pytest.raises(UserError, match=r"was made of other positions, .*; choose another --out"):
        rescore(out, games, **change)
    assert (out / first.name).read_bytes() == before


def test_a_source_that_has_grown_is_not_taken_for_done(games: Path, tmp_path: Path) -> None:
    source, out = tmp_path / "data", tmp_path / "deeper"
    make(source, 30, by=generator())
    rescore(out, source)
    make(source, 300, by=generator())
    with pytest.raises(UserError, match="of fewer or more of them"):
        rescore(out, source)


def test_few_nodes_and_few_positions_are_enough(games: Path, tmp_path: Path) -> None:
    """With 20 nodes at most hardly a search came to an end, and its position was left out."""
    rescore(tmp_path / "shallow", games, nodes=1, every=1)
    for path in games.iterdir():
        counts = read_header(tmp_path / "shallow" / path.name).counts
        assert counts["void"] == 0
        assert counts["positions"] > 0.9 * len(read_file(path)[1])
    _, told, _ = rescore(tmp_path / "sparse", games, every=10**6)
    assert told.startswith("2 positions in 2 files, of ")
    empty = tmp_path / "empty.positions"
    source = sorted(games.iterdir())[0]
    empty.write_bytes(encoded(replace(read_header(source), counts={"positions": 0}), np.empty(0, POSITION)))
    assert rescore(tmp_path / "none", empty)[1].startswith("0 positions in 1 files, of 0")


def test_processes_and_order_make_no_difference(games: Path, tmp_path: Path) -> None:
    """The table and what was learnt were of the positions before: a score was of its neighbours as well."""
    source = sorted(games.iterdir())[0]
    by = Rescorer(Rescoring.here(nodes=NODES, every=1, judge=BY_HAND))
    by.make(Job(source, tmp_path / "all.positions"), lambda _: None)
    header, found = read_file(source)
    last = tmp_path / "last.positions"
    last.write_bytes(encoded(replace(header, counts={"positions": 1}), found[-1:]))
    by.make(Job(last, tmp_path / "alone.positions"), lambda _: None)
    alone = read_file(tmp_path / "alone.positions")[1]
    assert alone[0] == read_file(tmp_path / "all.positions")[1][-1]


def test_what_is_no_position_is_named(games: Path, tmp_path: Path) -> None:
    source = tmp_path / "one.positions"
    header, found = read_file(sorted(games.iterdir())[0])
    wrong = from_board(chess.Board("4k3/8/8/8/8/8/8/4RK2 w - - 0 1"), score=0, result=1)
    source.write_bytes(encoded(header, np.concatenate([found[:-1], np.array([wrong], POSITION)])))
    by = Rescorer(Rescoring.here(nodes=NODES, every=1, judge=BY_HAND))
    with pytest.raises(BenchError, match=rf"position {len(found) - 1}: the side that waits is in check"):
        by.make(Job(source, tmp_path / "out.positions"), lambda _: None)


def test_what_would_be_lost_is_refused(games: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="would be written over; choose another --out"):
        rescore(games, games)
    other = tmp_path / "other"
    make(other, 30, by=generator())
    with pytest.raises(UserError, match="have one name; take them one after the other"):
        rescore(tmp_path / "out", games, other)
    with pytest.raises(UserError, match="there is no such file"):
        rescore(tmp_path / "out", tmp_path / "nowhere")
    assert not (tmp_path / "out").exists()


def test_a_file_that_is_damaged_meanwhile_is_named(games: Path, tmp_path: Path) -> None:
    source = tmp_path / "one.positions"
    source.write_bytes(sorted(games.iterdir())[0].read_bytes())
    by = Rescorer(Rescoring.here(nodes=NODES, every=EVERY, judge=BY_HAND))
    source.write_bytes(source.read_bytes()[:-5])
    with pytest.raises(BenchError, match=r"one\.positions is cut short"):
        by.make(Job(source, tmp_path / "out.positions"), lambda _: None)
    assert not (tmp_path / "out.positions").exists()


def test_another_network_scores_otherwise_and_is_named(games: Path, tmp_path: Path) -> None:
    name = write_network(tmp_path / "other.npz")
    rescore(tmp_path / "out", games, network=str(tmp_path / "other.npz"))
    source = sorted(games.iterdir())[0]
    assert read_header(tmp_path / "out" / source.name).network == name
