"""What `--only` names."""

from __future__ import annotations

import pytest

from bot.errors import UserError
from bot.learning.naming import chosen

KNOWN = ("table", "killers", "history")


@pytest.mark.parametrize(
    ("only", "found"),
    [(None, KNOWN), ("killers", ("killers",)), ("history, table,history", ("table", "history"))],
)
def test_it_is_in_the_order_of_what_there_is(only: str | None, found: tuple[str, ...]) -> None:
    assert chosen(only, iter(KNOWN), "technique") == found


@pytest.mark.parametrize(("only", "wrong"), [("killers,magic", "magic"), ("", ""), ("table,", "")])
def test_what_there_is_not_is_told_with_what_there_is(only: str, wrong: str) -> None:
    with pytest.raises(
        UserError, match=rf"^--only: no technique '{wrong}'; there are table, killers, history$"
    ):
        chosen(only, KNOWN, "technique")
