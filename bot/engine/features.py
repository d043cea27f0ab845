"""The techniques of the search, by name. Each can be switched off in `S.features`, so that its worth can be
measured; what is listed here is what there is."""

from __future__ import annotations

from collections.abc import Iterable

NAMES = (
    "table",  # scores of the transposition table cut; its moves are always tried first
    "null_move",  # who may pass and still is too strong need not move
    "reverse_futility",  # far above the window, near the leaves: no search
    "razoring",  # far below it: quiescence only
    "futility",  # quiet moves cannot make up for what is missing
    "late_move_pruning",  # late quiet moves near the leaves are left out
    "exchange_pruning",  # moves that lose material near the leaves are left out
    "history_pruning",  # quiet moves that never worked are left out near the leaves
    "reductions",  # late moves are searched less deep at first
    "singular",  # the only good move is searched deeper
    "check_extension",  # moves that give check are searched deeper
    "internal_reduction",  # a node without a table's move is searched less deep
    "probcut",  # a capture that is far too good in a shallow search is taken to be
    "killers",  # quiet moves that refuted at this ply are tried early
    "counter_move",  # and the one that refuted the move before
    "continuation",  # history of pairs of moves
    "capture_history",
    "correction",  # evaluations are corrected by what searches of such pawns have found
    "delta_pruning",  # captures that cannot reach the window are left out of quiescence
    "evasion_pruning",  # one way out of check is enough for quiescence, but for captures
    "quiescence_table",  # quiescence looks into the table, too
    "deeper",  # a late move that turns out much better is searched deeper than others
    "piece_correction",  # evaluations are corrected by each side's pieces, too
    "quiescence_checks",  # and begins with quiet moves that give check, too
    "fading",  # evaluations fade towards a draw by the fifty-move rule
    "endings",  # and shrink in endings that more material does not win
)
ALL = (1 << len(NAMES)) - 1

(
    TABLE_CUTS,
    NULL_MOVE,
    REVERSE_FUTILITY,
    RAZORING,
    FUTILITY,
    LATE_MOVE_PRUNING,
    EXCHANGE_PRUNING,
    HISTORY_PRUNING,
    REDUCTIONS,
    SINGULAR,
    CHECK_EXTENSION,
    INTERNAL_REDUCTION,
    PROBCUT,
    KILLERS,
    COUNTER_MOVE,
    CONTINUATION,
    CAPTURE_HISTORY,
    CORRECTION,
    DELTA_PRUNING,
    EVASION_PRUNING,
    QUIESCENCE_TABLE,
    DEEPER,
    PIECE_CORRECTION,
    QUIESCENCE_CHECKS,
    FADING,
    ENDINGS,
) = (1 << number for number in range(len(NAMES)))


def without(names: Iterable[str]) -> int:
    """All features but these. Raises ValueError, listing them all, for a name that is none."""
    word = ALL
    for name in names:
        if name not in NAMES:
            raise ValueError(f"unknown feature {name!r}; there are: {', '.join(NAMES)}")
        word &= ~(1 << NAMES.index(name))
    return word
