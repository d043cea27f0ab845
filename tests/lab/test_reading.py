from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.lab.journal import JournalError
from bot.lab.reading import read_run
from tests.lab import run_kit

HEADER = run_kit.header("A", "B", pairs=3)


def journal(folder: Path, change: tuple[str, str] = ("", "")) -> Path:
    """With `change` made in its third line."""
    lines: list[dict[str, object]] = [{"header": HEADER.to_json()}]
    lines += [{"pair": record.to_json()} for record in run_kit.played(HEADER, (2, 1, 0))]
    texts = [json.dumps(line) for line in lines]
    assert change[0] in texts[2]
    texts[2] = texts[2].replace(*change)
    path = folder / "journal.jsonl"
    path.write_text("".join(f"{text}\n" for text in texts))
    return path


def test_a_journal_as_it_should_be(tmp_path: Path) -> None:
    assert len(read_run(journal(tmp_path)).records) == 3


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('"B"', '"C"'), "3: a pair of A and C; the players of the run are A, B"),
        (('"fen": "', '"fen": "rubbish '), "3: spec.opening.fen 'rubbish "),
        (('"moves": [["', '"moves": [["\\ud800'), r"3: '\\ud800.*' is no move"),
        (('"detail": null', '"detail": "\\ud800"'), r"3: games\[0\]\.detail must be text"),
    ],
)
def test_what_no_run_has_is_named_with_its_line(tmp_path: Path, change: tuple[str, str], said: str) -> None:
    with pytest.raises(JournalError, match=rf"journal\.jsonl:{said}"):
        read_run(journal(tmp_path, change))
