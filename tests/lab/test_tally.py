"""The running count."""

from __future__ import annotations

from dataclasses import replace

from bot.lab.records import PairRecord
from bot.lab.tally import Count, Tally
from tests.lab.kit import a_pair, a_spec


def tally(players: tuple[str, ...], *pairs: PairRecord) -> Tally:
    made = Tally(players)
    for pair in pairs:
        made.add(pair)
    return made


def test_games_count_for_both_players() -> None:
    made = tally(("a", "b"), a_pair(a_spec(), "1-0", "1/2-1/2"), a_pair(a_spec(1), "0-1", "1-0"))
    assert made.counts == {"a": Count(1, 1, 2), "b": Count(2, 1, 1)}
    assert made.in_one_line() == "a 1.5 : 2.5 b (+1 =1 -2)"


def test_a_fault_counts_for_whoever_made_it() -> None:
    pair = a_pair(a_spec(), "1-0", "1-0")
    broken = replace(pair.games[0], fault="crash", fault_by="black")
    made = tally(("a", "b"), replace(pair, games=(broken, pair.games[1])))
    assert (made.counts["a"].faults, made.counts["b"].faults) == (0, 1)


def test_of_a_field_the_leaders_are_named() -> None:
    players = ("a", "b", "c", "d", "e")
    made = tally(players, a_pair(a_spec(first="e", second="b"), "1-0", "0-1"))
    assert made.in_one_line() == "e 100%, a -, b 0%, c - ..."


def test_before_the_first_pair_there_is_nothing_to_divide() -> None:
    assert tally(("a", "b", "c")).in_one_line() == "a -, b -, c -"
