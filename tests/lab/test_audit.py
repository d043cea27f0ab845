from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.errors import UserError
from bot.events import Side
from bot.lab.audit import Audit, agreed_scores_of, audit, draw_sample, ends_of
from bot.lab.audit_command import lines
from bot.lab.records import MoveRecord, PairRecord, PairSpec, Result, RunHeader
from tests.lab import run_kit

PAIRS = 6
PLIES = 4
HEADER = replace(run_kit.header("A", "B", pairs=PAIRS), max_plies=PLIES)
SPECS = run_kit.specs(HEADER)


def legal(spec: PairSpec, plies: int = PLIES) -> PairRecord:
    """Games of legal moves, the same for both players, drawn by maximum length."""
    import chess

    board = chess.Board(spec.opening.fen)
    moves = []
    for _ in range(plies):
        move = sorted(board.legal_moves, key=chess.Move.uci)[spec.index % 3]
        board.push(move)
        moves.append(move.uci())
    record = run_kit.pair(spec, 1, moves=moves)
    games = tuple(
        replace(game, ending="maximum length", moves=tuple(MoveRecord(move, 1) for move in moves))
        for game in record.games
    )
    return replace(record, games=(games[0], games[1]))


RECORDS = tuple(map(legal, SPECS))


def audited(
    records: Sequence[PairRecord],
    again: Sequence[PairRecord] = RECORDS,
    sample: Sequence[PairRecord] = (),
    header: RunHeader = HEADER,
) -> Audit:
    played = {record.spec.pair_id: record for record in again}
    return audit(
        header,
        records,
        openings=run_kit.OPENINGS,
        ends=ends_of(header),
        sample=sample,
        replay=lambda spec: played[spec.pair_id],
    )


def test_a_journal_as_it_should_be() -> None:
    found = audited(RECORDS, sample=RECORDS)

    assert (found.faults, found.repeated, found.unconfirmed, found.exit_code) == ((), 0, (), 0)
    assert (found.tried, found.replayed) == (PAIRS, PAIRS)


def test_pairs_that_are_owed_are_no_fault() -> None:
    found = audited(RECORDS[:2])

    assert (found.missing, found.faults) == (4, ())


def test_a_replay_that_differs_is_named() -> None:
    other = legal(replace(SPECS[1], index=2))
    found = audited(RECORDS, [*RECORDS[:1], replace(other, spec=SPECS[1])], sample=RECORDS[:2])
    fault, _ = found.faults  # game 2 differs as well

    assert fault.startswith("pair 2 (A - B, ")
    assert "played again, game 1 has " in fault
    assert fault.endswith(" at ply 1")
    assert (found.tried, found.replayed, found.exit_code) == (2, 1, 1)


def test_a_replay_that_is_longer_is_named() -> None:
    found = audited(RECORDS[:1], [legal(SPECS[0], plies=5)], sample=RECORDS[:1])

    assert (
        "game 1 is 1/2-1/2 (maximum length) after 5 plies instead of 1/2-1/2 (maximum length) after 4"
        in (found.faults[0])
    )


@pytest.mark.parametrize(
    "spec",
    [
        replace(SPECS[0], seed=7),
        replace(SPECS[0], index=1),
        replace(SPECS[0], index=99),
        replace(SPECS[0], opening=SPECS[1].opening),
    ],
)
def test_a_pair_that_the_seed_does_not_put_there_is_named(spec: PairSpec) -> None:
    record = replace(legal(spec), spec=spec)

    assert "it is not the pair that seed 1 puts there" in audited([record]).faults[0]


def test_what_is_not_legal_is_named() -> None:
    record = run_kit.pair(SPECS[0], 1, moves=("a1a8",))

    assert audited([record]).faults[0].endswith("game 1: ply 1, a1a8, is not legal")


@pytest.mark.parametrize(
    ("result", "said"),
    [("1-0", "the result is 1-0, and 0-1 by the rules (checkmate)"), ("0-1", None)],
)
def test_a_result_must_be_that_of_the_board(result: Result, said: str | None) -> None:
    """Fool's mate, after an opening that is none."""
    start = replace(run_kit.OPENINGS[0], fen="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    moves = ("f2f3", "e7e5", "g2g4", "d8h4")
    record = run_kit.pair(replace(SPECS[0], opening=start), results=(result, "0-1"), moves=moves)
    games = tuple(
        replace(game, ending="checkmate", moves=tuple(MoveRecord(m, 1) for m in moves))
        for game in record.games
    )
    faults = audited(
        [replace(record, games=(games[0], games[1]))], header=replace(HEADER, max_plies=9)
    ).faults

    assert [fault.split(": ", 1)[1] for fault in faults if "game 1" in fault] == ([said] if said else [])


def test_pairs_that_repeat_others_are_counted() -> None:
    again = replace(RECORDS[0], spec=replace(RECORDS[0].spec, index=1, pair_id="other"))
    found = audited([RECORDS[0], again])

    assert (found.repeated, found.exit_code) == (2, 1)


def test_one_repeated_game_in_a_pair_is_found() -> None:
    """Only whole pairs were compared."""
    half = replace(RECORDS[1], games=(RECORDS[0].games[0], RECORDS[1].games[1]))
    half = replace(half, spec=replace(half.spec, opening=RECORDS[0].spec.opening))

    assert audited([RECORDS[0], half]).repeated == 1


def test_what_was_not_played_again_is_not_called_good() -> None:
    """A journal of which nothing was replayed was "Nothing is wrong with it.", exit code 0."""
    found = audit(
        HEADER, RECORDS, openings=(), ends=ends_of(HEADER), sample=RECORDS, replay=None, why_not="time"
    )

    assert found.faults == ()
    assert [each.split()[0] for each in found.unconfirmed] == ["The", "No"]
    assert found.exit_code == 2
    said = lines(found)[-1]
    assert said.startswith("Nothing wrong was found, but not everything could be checked.")
    assert said.endswith("but not whether its players would play them.")


def test_what_is_good_is_called_so_and_what_is_twice_is_not() -> None:
    again = replace(RECORDS[0], spec=replace(RECORDS[0].spec, index=1, pair_id="other"))

    assert lines(audited(RECORDS, sample=RECORDS))[-1] == "Nothing is wrong with it."
    assert lines(audited([RECORDS[0], again]))[-1] == "Something is wrong."


def crashed(record: PairRecord, plies: int) -> PairRecord:
    """Whose first game ended so, by a fault of the one to move."""
    one = record.games[0]
    by: Side = "white" if (plies % 2 == 0) is (record.spec.opening.fen.split()[1] == "w") else "black"
    lost = replace(
        one,
        result="0-1" if by == "white" else "1-0",
        ending="crash",
        fault="crash",
        fault_by=by,
        detail="it broke",
        moves=one.moves[:plies],
    )
    return replace(record, games=(lost, record.games[1]))


def test_a_fault_that_comes_again_is_confirmed() -> None:
    faulty = [crashed(RECORDS[0], 2), *RECORDS[1:]]
    found = audited(faulty, faulty, sample=draw_sample(faulty, 0.5, 1))

    assert (found.exit_code, found.replayed, found.tried) == (0, 4, 4)


def test_a_fault_that_was_invented_is_not_confirmed() -> None:
    """Pairs with faults were never played again, so one could be made up."""
    faulty = [crashed(RECORDS[0], 2), *RECORDS[1:]]
    found = audited(faulty, RECORDS, sample=draw_sample(faulty, 0.01, 1))

    assert (found.exit_code, found.faults) == (2, ())
    assert "after 2 plies, did not come again: it could not be confirmed" in found.unconfirmed[0]


def test_a_fault_behind_other_moves_is_wrong() -> None:
    other = legal(replace(SPECS[1], index=2, opening=SPECS[0].opening))
    before = replace(crashed(other, 2), spec=SPECS[0])

    assert "instead of" in audited([before], RECORDS, sample=[before]).faults[0]


def test_faulty_pairs_that_are_left_are_counted() -> None:
    faulty = [crashed(record, 2) for record in RECORDS]
    found = audited(faulty, faulty, sample=faulty[:4])

    assert found.unconfirmed == ("2 more pairs with faults were not played again",)


def test_moves_that_took_longer_than_their_pair_are_wrong() -> None:
    one = RECORDS[0].games[0]
    slow = replace(one, moves=tuple(replace(move, time_ms=5_000) for move in one.moves))

    assert (
        "its moves took 20004 ms, and the whole pair 1000 ms"
        in (audited([replace(RECORDS[0], games=(slow, RECORDS[0].games[1]))]).faults[0])
    )


def test_a_sample_has_one_pair_at_least_and_all_that_have_faults() -> None:
    faulty = [run_kit.pair(spec, 2, fault="crash") for spec in SPECS[:3]]

    assert len(draw_sample(RECORDS, 0.01, 1)) == 1
    assert len(draw_sample(RECORDS, 0.5, 1)) == 3
    assert draw_sample(RECORDS, 0.5, 1) == draw_sample(RECORDS, 0.5, 1)
    assert draw_sample(faulty, 0.01, 1) == tuple(faulty)
    with pytest.raises(UserError, match="--share is 2"):
        draw_sample(RECORDS, 2, 1)


def test_rules_of_another_version_are_refused() -> None:
    assert agreed_scores_of(HEADER) is False
    with pytest.raises(UserError, match="rules that this version does not have: by lot"):
        agreed_scores_of(replace(HEADER, adjudication="by lot"))
