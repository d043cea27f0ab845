"""Options become the keyword arguments that a strategy's code asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import pytest

from bot.errors import StrategyNameError
from bot.strategies.options import Option, bind_options, coerce

if TYPE_CHECKING:
    from nowhere import Unknown  # type: ignore[import-not-found]  # as strategies have it for type checkers only


class Player:
    def __init__(
        self, depth: int, *, style: str = "calm", share: float = 0.5, book: bool = False
    ) -> None: ...


def play(turn: object, depth: int = 2, seed: int | None = None) -> None: ...


def make(*, anything: object = None, guessed: Any = 3, plain=1.5) -> None: ...  # type: ignore[no-untyped-def]  # unannotated on purpose


def greedy(**options: object) -> None: ...


def for_checkers(*, depth: Unknown = 3) -> None: ...


def test_options_become_what_the_annotations_say() -> None:
    found = bind_options("x", Player, {"depth": "3", "style": 7, "share": 1, "book": "yes"})
    assert found == {"depth": 3, "style": "7", "share": 1.0, "book": True}
    assert isinstance(found["share"], float)


def test_the_turn_is_no_option() -> None:
    assert bind_options("x", play, {"depth": 4}) == {"depth": 4}
    with pytest.raises(StrategyNameError, match=r"^x: unknown option 'turn'; allowed: depth, seed$"):
        bind_options("x", play, {"turn": 4})


def test_an_unknown_option_names_those_there_are() -> None:
    with pytest.raises(
        StrategyNameError, match=r"^x: unknown option 'deep'; allowed: depth, style, share, book$"
    ):
        bind_options("x", Player, {"depth": 1, "deep": 2})


def test_a_missing_option_is_named() -> None:
    with pytest.raises(StrategyNameError, match="the option 'depth' must be given"):
        bind_options("x", Player, {})


def test_any_option_goes_where_any_is_taken() -> None:
    assert bind_options("x", greedy, {"what": "ever", "n": 3}) == {"what": "ever", "n": 3}


def test_a_default_says_the_type_where_no_annotation_does() -> None:
    assert bind_options("x", make, {"plain": "2"}) == {"plain": 2.0}
    assert bind_options("x", make, {"anything": "2", "guessed": "2"}) == {"anything": "2", "guessed": "2"}


def test_an_annotation_for_type_checkers_only_is_no_obstacle() -> None:
    assert bind_options("x", for_checkers, {"depth": 5}) == {"depth": 5}


@pytest.mark.parametrize(
    ("value", "kind", "result"),
    [
        ("12", int, 12),
        (12.0, int, 12),
        ("0.25", float, 0.25),
        (3, float, 3.0),
        ("off", bool, False),
        (1, bool, True),
        (True, str, "true"),
        ("none", int | None, None),
        ("4", int | None, 4),
        ("x", int | str, "x"),
        ("a", Literal["a", "b"], "a"),
        ("a", list[str], "a"),
        ("a", object, "a"),
    ],
)
def test_coercion(value: Option, kind: object, result: object) -> None:
    found = coerce("o", value, kind)
    assert found == result
    assert type(found) is type(result)


@pytest.mark.parametrize(
    ("value", "kind", "named"),
    [
        ("deep", int, "int"),
        (2.5, int, "int"),
        (True, int, "int"),
        ("fast", float, "float"),
        (True, float, "float"),
        ("perhaps", bool, "bool"),
        (2, bool, "bool"),
        ("x", int | None, "int"),
        ("x", int | float, "int or float"),
        ("none", int, "int"),
    ],
)
def test_a_wrong_value_says_what_is_wanted(value: Option, kind: object, named: str) -> None:
    with pytest.raises(StrategyNameError) as caught:
        coerce("random: option 'seed'", value, kind)
    assert str(caught.value) == f"random: option 'seed' must be {named}, not {value!r}"
