"""Imports point one way: words ← pure core ← adapters ← the path ← app, cli. Read from the sources."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

BOT = Path(__file__).parent.parent / "bot"

WORDS = {"bot.events", "bot.errors", "bot.timing", "bot.timing.clock", "bot.timing.backoff"}
PURE = {
    "bot.move_list",
    "bot.position",
    "bot.simulate_move",
    "bot.slot",
    "bot.challenge_policy",
    "bot.account",
    "bot.account_messages",
    "bot.game_flow",
    "bot.game_knowledge",
    "bot.game_messages",
    "bot.move_posting",
    "bot.owed_move",
    "bot.thinking",
    "bot.timing.budget",
    "bot.search",
    "bot.search.alphabeta",
    "bot.search.deepening",
    "bot.search.plain",
    "bot.lab.standings",
    "bot.lab.stats.bradley_terry",
    "bot.lab.stats.counts",
    "bot.lab.stats.cross_table",
    "bot.lab.stats.davidson",
    "bot.lab.stats.elo",
    "bot.lab.stats.intervals",
    "bot.lab.stats.power",
    "bot.lab.stats.ratings",
    "bot.lab.stats.sign_flip",
    "bot.lab.stats.sprt",
    "bot.lab.stats.sprt_plan",
    "bot.lichess.wire",
    "bot.lichess.pacing",
    "bot.local_lichess.game",
    "bot.evaluation",
}
#: What decides must not be able to act: no sockets, processes, files, clocks or randomness of its own.
ACTING = {
    "requests",
    "berserk",
    "socket",
    "subprocess",
    "multiprocessing",
    "time",
    "os",
    "asyncio",
    "urllib3",
}
TIME_READERS = {"time.time", "time.sleep", "time.monotonic", "time.perf_counter", "datetime.now"}
SHELLS = {"bot.app", "bot.cli", "bot.service", "bot.demo", "bot.check"}


def module_name(path: Path) -> str:
    parts = path.relative_to(BOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


SOURCES = {module_name(path): path for path in sorted(BOT.rglob("*.py"))}


@cache
def tree(name: str) -> ast.Module:
    return ast.parse(SOURCES[name].read_text(encoding="utf-8"))


@cache
def imports(name: str) -> frozenset[str]:
    found: set[str] = set()
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(found)


def reached(name: str) -> frozenset[str]:
    """All modules of ours that `name` imports, directly or not."""
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        for found in imports(waiting.pop()) & SOURCES.keys() - seen:
            seen.add(found)
            waiting.append(found)
    return frozenset(seen)


def starts_with(names: frozenset[str], *prefixes: str) -> set[str]:
    return {name for name in names if any(name == p or name.startswith(p + ".") for p in prefixes)}


def test_the_rules_name_modules_that_exist() -> None:
    assert not (WORDS | PURE | SHELLS) - SOURCES.keys()


@pytest.mark.parametrize("name", sorted(WORDS))
def test_words_import_only_words(name: str) -> None:
    assert reached(name) <= WORDS | {"bot"}


@pytest.mark.parametrize("name", sorted(PURE))
def test_what_decides_cannot_act(name: str) -> None:
    assert not starts_with(imports(name), *ACTING)
    assert not reached(name) & SHELLS


@pytest.mark.parametrize("name", [name for name in SOURCES if name.startswith("bot.local_lichess")])
def test_the_local_lichess_shares_nothing_with_the_client(name: str) -> None:
    """A server that used our parser could not catch its bugs."""
    assert not starts_with(imports(name), "bot.lichess", "bot.position", "bot.app")


@pytest.mark.parametrize("name", [name for name in SOURCES if name.startswith("bot.strategies")])
def test_strategies_see_neither_the_client_nor_the_configuration(name: str) -> None:
    assert not starts_with(
        reached(name), "bot.lichess", "bot.config", "bot.settings", "bot.app", "bot.service"
    )


@pytest.mark.parametrize("name", sorted(SOURCES.keys() - SHELLS - {"bot.__main__"}))
def test_only_the_composition_root_and_the_commands_import_the_shells(name: str) -> None:
    if not name.startswith("bot.bench"):
        assert not imports(name) & SHELLS


def test_only_play_move_posts_a_move() -> None:
    callers = [
        name
        for name in SOURCES
        if not name.startswith("bot.local_lichess")
        for node in ast.walk(tree(name))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("move", "make_move")
        and "mover" in ast.unparse(node.func.value).lower()
    ]
    assert callers == ["bot.play_move"]


def test_only_the_clock_reads_the_time_of_day_or_sleeps() -> None:
    guilty = [
        f"{name}:{node.lineno}"
        for name in SOURCES
        if name != "bot.timing.clock"
        for node in ast.walk(tree(name))
        if isinstance(node, ast.Attribute) and ast.unparse(node) in TIME_READERS
    ]
    assert guilty == []


def test_the_main_process_imports_no_strategy_and_no_numba() -> None:
    probe = (
        "import sys, bot.app, bot.cli\n"
        "print(*[name for name in sys.modules if name in ('numba', 'numpy', 'bot.strategies.select_move')])"
    )
    loaded = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert loaded.stdout.split() == []


def test_a_verb_loads_what_it_needs_only_once_it_is_called() -> None:
    """An option's bound, taken from where the engine's protocol is, had every verb load chess."""
    heavy = ("chess", "numpy", "numba", "berserk")
    probe = f"import sys, bot.cli\nprint(*[name for name in {heavy} if name in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert loaded.stdout.split() == []
