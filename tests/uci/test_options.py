"""Options are told of as the protocol wants, and take what they said they take."""

from __future__ import annotations

import pytest

from bot.uci.commands import CommandError, SetOption
from bot.uci.options import Options, changed, described


def test_every_option_is_told_of_with_its_default() -> None:
    assert described() == [
        "option name Hash type spin default 16 min 1 max 65536",
        "option name Threads type spin default 1 min 1 max 64",
        "option name Ponder type check default false",
        "option name MultiPV type spin default 1 min 1 max 218",
        "option name UCI_Chess960 type check default false",
        "option name Move Overhead type spin default 30 min 0 max 5000",
        "option name Contempt type spin default 0 min -200 max 200",
        "option name EvalFile type string default default",
        "option name Clear Hash type button",
    ]


def test_options_are_set_by_name_whatever_the_capitals() -> None:
    options = Options()
    for name, value in (
        ("hash", "64"),
        ("MOVE overhead", "100"),
        ("UCI_Chess960", "True"),
        ("Contempt", "-7"),
        ("evalfile", "My Net.npz"),
    ):
        options = changed(options, SetOption(name, value))
    assert options == Options(
        hash_mib=64, overhead_ms=100, chess960=True, contempt_cp=-7, network="My Net.npz"
    )


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("Hash", "0", "Hash is a whole number from 1 to 65536, not '0'"),
        ("Hash", "", "Hash is a whole number from 1 to 65536, not ''"),
        ("Threads", "many", "Threads is a whole number from 1 to 64, not 'many'"),
        ("EvalFile", "", "EvalFile is the name or file of a network, or none"),
        ("Ponder", "1", "Ponder is true or false, not '1'"),
        ("Hasch", "16", "there is no option 'Hasch'; there are: Hash, Threads,"),
    ],
)
def test_what_an_option_does_not_take_is_refused(name: str, value: str, complaint: str) -> None:
    with pytest.raises(CommandError) as caught:
        changed(Options(), SetOption(name, value))
    assert complaint in str(caught.value)
