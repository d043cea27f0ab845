"""Whole pairs, with players in processes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.errors import BenchError
from bot.lab.fingerprint import player_hash
from bot.lab.openings import all_openings
from bot.lab.pair_player import PairPlayer, PlayerChangedError, PlaySettings, most_men
from bot.lab.player import PlayerSpec
from bot.lab.records import PairRecord, PairSpec
from bot.lab.schedule import schedule
from bot.nursery import Nursery
from bot.timing.clock import SystemClock
from tests.hosting import warm_nursery
from tests.lab.kit import ROOT, settings

BAD = "tests.lab.players:"


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with warm_nursery() as nursery:
        yield nursery


def pair_of(first: str, second: str) -> PairSpec:
    return schedule((first, second), "match", 1, all_openings(), 5)[0]


def played(nursery: Nursery, spec: PairSpec, with_settings: PlaySettings) -> PairRecord:
    player = PairPlayer(with_settings, nursery=nursery, clock=SystemClock(), worker="here")
    return player.play(spec)


def test_both_have_white_once_and_begin_from_the_opening(nursery: Nursery) -> None:
    spec = pair_of("greedy", "random")
    record = played(nursery, spec, settings("greedy", "random", max_plies=10))
    assert record.spec == spec
    assert [(game.white, game.black) for game in record.games] == [("greedy", "random"), ("random", "greedy")]
    assert record.worker == "here"
    assert record.clean
    assert all(game.ending == "maximum length" and len(game.moves) == 10 for game in record.games)
    assert {move.uci for game in record.games for move in game.moves[:1]} <= legal_in(spec)


def legal_in(spec: PairSpec) -> set[str]:
    import chess

    return {move.uci() for move in chess.Board(spec.opening.fen).legal_moves}


def test_a_pair_depends_on_its_spec_alone(nursery: Nursery) -> None:
    first, second = "random", "classical:nodes=40"
    spec = pair_of(first, second)
    both = [played(nursery, spec, settings(first, second, max_plies=16)).moves_hash for _ in range(2)]
    assert both[0] == both[1]
    assert both[0][0] != both[0][1]
    other = replace(spec, seed=spec.seed + 1)
    assert played(nursery, other, settings(first, second, max_plies=16)).moves_hash != both[0]


def test_a_fault_ends_its_game_and_not_the_pair(nursery: Nursery) -> None:
    """It plays its first move, and raises in the second."""
    bad = f"{BAD}raises_in_its_second_turn"
    record = played(nursery, pair_of(bad, "random"), settings(bad, "random", max_plies=10))
    assert [(game.result, game.fault, game.fault_by) for game in record.games] == [
        ("0-1", "crash", "white"),
        ("1-0", "crash", "black"),
    ]
    assert [len(game.moves) for game in record.games] == [2, 3]
    assert record.games[0].detail is not None
    assert "players.py" in record.games[0].detail
    assert record.score == 0
    assert not record.clean


def test_who_is_not_loaded_has_lost(nursery: Nursery) -> None:
    absent = "tests.lab.players:nobody"
    record = played(nursery, pair_of("random", absent), settings("random", absent))
    assert [(game.result, game.ending, game.fault_by, game.moves) for game in record.games] == [
        ("1-0", "not loaded", "black", ()),
        ("0-1", "not loaded", "white", ()),
    ]
    assert record.games[0].detail is not None
    assert "has no 'nobody'" in record.games[0].detail


def test_a_player_that_hangs_has_stalled(nursery: Nursery) -> None:
    bad = f"{BAD}hangs"
    record = played(nursery, pair_of(bad, "random"), settings(bad, "random", stall_ms=3_000))
    assert [game.fault for game in record.games] == ["stall", "stall"]
    assert record.games[1].detail is not None
    assert record.games[1].detail.startswith("no move after 3.")


def killer(tmp_path: Path, whom: str, times: int) -> str:
    return f"{BAD}kills:whom={whom},times={times},marks={tmp_path / 'marks'}"


@pytest.mark.parametrize("whom", ["own", "server"])
def test_a_death_that_may_have_come_from_outside_costs_nobody_a_game(tmp_path: Path, whom: str) -> None:
    """Its process, or the process server, got SIGKILL from somebody: the pair is simply played again."""
    bad = killer(tmp_path, whom, times=1)
    with warm_nursery() as nursery:
        record = played(nursery, pair_of(bad, "random"), settings(bad, "random", max_plies=6))
    assert (tmp_path / "marks").read_text() == "x"
    assert record.clean
    assert [game.ending for game in record.games] == ["maximum length"] * 2


def test_a_process_that_is_killed_each_time_has_crashed(nursery: Nursery, tmp_path: Path) -> None:
    bad = killer(tmp_path, "own", times=99)
    record = played(nursery, pair_of(bad, "random"), settings(bad, "random", max_plies=6))
    assert (tmp_path / "marks").read_text() == "xxx"
    assert [(game.fault, game.fault_by) for game in record.games] == [("crash", "white"), ("crash", "black")]
    assert record.games[0].detail is not None
    assert "SIGKILL" in record.games[0].detail
    assert record.games[0].detail.endswith("and it was so when the pair was played before")


def test_a_process_server_that_dies_each_time_is_charged_to_nobody(tmp_path: Path) -> None:
    bad = killer(tmp_path, "server", times=99)
    with (
        warm_nursery() as nursery,
        pytest.raises(BenchError, match="interrupted again and again: the process server"),
    ):
        played(nursery, pair_of(bad, "random"), settings(bad, "random", max_plies=6))


def test_a_script_plays_as_it_is(nursery: Nursery, tmp_path: Path) -> None:
    script = tmp_path / "mine.py"
    script.write_text("play_move(sorted(simulate_move(fen)['legal_moves'])[0])\n", encoding="utf-8")
    record = played(nursery, pair_of(str(script), "random"), settings(str(script), "random", max_plies=6))
    assert record.clean
    assert record.games[0].moves[0].uci == min(legal_in(record.spec))


def test_the_men_of_tables_are_counted_by_their_names(tmp_path: Path) -> None:
    for name in ("KQvK.rtbw", "KRPvKR.rtbw", "KQvK.rtbz", "notes.txt"):
        (tmp_path / name).touch()
    assert most_men(tmp_path) == 5
    assert most_men(ROOT / "bot") == 0


def with_codes(*players: str, folder: Path) -> PlaySettings:
    """As the plan of a run has them."""
    specs = tuple(PlayerSpec.parse(player, search_path=(str(folder),)) for player in players)
    codes = tuple(player_hash(spec.strategy) for spec in specs)
    return replace(settings("random"), players=specs, max_plies=4, player_codes=codes)


@pytest.mark.parametrize("after", ["another", None])
@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("compiled:network={}", "swap.npz"),
        ("{}", "mine.py"),
        ("mine:play", "mine.py"),
        (f"uci:{sys.executable} {{}}", "engine.py"),
        (f"uci:{sys.executable}:EvalFile={{}}", "mine.nnue"),
    ],
)
def test_a_file_swapped_while_a_run_goes_on_was_played_as_the_same_player(
    nursery: Nursery, tmp_path: Path, label: str, name: str, after: str | None
) -> None:
    file = tmp_path / name
    file.write_text("one")
    label = label.format(file)
    of_run = with_codes("random", label, folder=tmp_path)
    if after is None:
        file.unlink()
    else:
        file.write_text(after)
    with pytest.raises(
        PlayerChangedError, match=r"was changed while the run went on: .*same command goes on"
    ):
        played(nursery, pair_of("random", label), of_run)


def test_a_file_swapped_in_the_midst_of_a_pair_is_no_result(nursery: Nursery, tmp_path: Path) -> None:
    script = tmp_path / "mine.py"
    script.write_text(
        f"open({str(script)!r}, 'a').write('# more')\nplay_move(min(simulate_move(fen)['legal_moves']))\n"
    )
    of_run = with_codes(str(script), "random", folder=tmp_path)
    with pytest.raises(PlayerChangedError, match=rf"mine\.py was changed .*: {script} \(hash \w+, now \w+\)"):
        played(nursery, pair_of(str(script), "random"), of_run)


def test_players_that_stay_what_they_are_play(nursery: Nursery, tmp_path: Path) -> None:
    script = tmp_path / "mine.py"
    script.write_text("play_move(min(simulate_move(fen)['legal_moves']))\n")
    record = played(
        nursery, pair_of(str(script), "random"), with_codes(str(script), "random", folder=tmp_path)
    )
    assert record.clean
