from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.errors import UserError
from bot.lab.audit import Audit, agreed_scores_of, audit, draw_sample
from bot.lab.records import MoveRecord, PairRecord, PairSpec, Result
from tests.lab import run_kit

PAIRS = 6
HEADER = run_kit.header("A", "B", pairs=PAIRS)
SPECS = run_kit.specs(HEADER)


def legal(spec: PairSpec, plies: int = 4) -> PairRecord:
    """Games of legal moves, the same for both players, broken off as drawn."""
    import chess

    board = chess.Board(spec.opening.fen)
    moves = []
    for _ in range(plies):
        move = sorted(board.legal_moves, key=chess.Move.uci)[spec.index % 3]
        board.push(move)
        moves.append(move.uci())
    record = run_kit.pair(spec, 1, moves=moves)
    games = tuple(replace(game, moves=tuple(MoveRecord(move, 1) for move in moves)) for game in record.games)
    return replace(record, games=(games[0], games[1]))


RECORDS = tuple(map(legal, SPECS))


def audited(
    records: Sequence[PairRecord],
    again: Sequence[PairRecord] = RECORDS,
    sample: Sequence[PairRecord] = (),
) -> Audit:
    played = {record.spec.pair_id: record for record in again}
    return audit(
        HEADER,
        records,
        openings=run_kit.OPENINGS,
        sample=sample,
        replay=lambda spec: played[spec.pair_id],
    )


def test_a_journal_as_it_should_be() -> None:
    found = audited(RECORDS, sample=RECORDS)

    assert (found.faults, found.duplicates, found.notes, found.exit_code) == ((), 0, (), 0)
    assert (found.tried, found.replayed) == (PAIRS, PAIRS)


def test_pairs_that_are_owed_are_no_fault() -> None:
    found = audited(RECORDS[:2])

    assert (found.missing, found.exit_code) == (4, 0)


def test_a_replay_that_differs_is_named() -> None:
    other = legal(replace(SPECS[1], index=2))
    found = audited(RECORDS, [*RECORDS[:1], replace(other, spec=SPECS[1])], sample=RECORDS[:2])
    (fault,) = found.faults

    assert fault.startswith("pair 2 (A - B, ")
    assert "played again, game 1 has " in fault
    assert fault.endswith(" at ply 1")
    assert (found.tried, found.replayed, found.exit_code) == (2, 1, 1)


def test_a_replay_that_is_longer_is_named() -> None:
    found = audited(RECORDS[:1], [legal(SPECS[0], plies=5)], sample=RECORDS[:1])

    assert "game 1 is 1/2-1/2 after 5 plies instead of 1/2-1/2 after 4" in found.faults[0]


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
    faults = audited([replace(record, games=(games[0], games[1]))]).faults

    assert [fault.split(": ", 1)[1] for fault in faults if "game 1" in fault] == ([said] if said else [])


def test_pairs_that_repeat_others_are_counted() -> None:
    again = replace(RECORDS[0], spec=replace(RECORDS[0].spec, index=1, pair_id="other"))
    found = audited([RECORDS[0], again])

    assert (found.duplicates, found.exit_code) == (1, 1)


def test_openings_that_are_not_at_hand_are_a_note() -> None:
    found = audit(HEADER, RECORDS, openings=(), sample=(), replay=None, why_not="time")

    assert found.faults == ()
    assert [note.split()[0] for note in found.notes] == ["The", "No"]


def test_a_sample_has_one_pair_at_least_and_no_faults() -> None:
    faulty = [run_kit.pair(spec, 2, fault="crash") for spec in SPECS[:3]]

    assert len(draw_sample(RECORDS, 0.01, 1)) == 1
    assert len(draw_sample(RECORDS, 0.5, 1)) == 3
    assert draw_sample(RECORDS, 0.5, 1) == draw_sample(RECORDS, 0.5, 1)
    assert draw_sample(faulty, 1, 1) == ()
    with pytest.raises(UserError, match="--share is 2"):
        draw_sample(RECORDS, 2, 1)


def test_rules_of_another_version_are_refused() -> None:
    assert agreed_scores_of(HEADER) is False
    with pytest.raises(UserError, match="rules that this version does not have: by lot"):
        agreed_scores_of(replace(HEADER, adjudication="by lot"))
