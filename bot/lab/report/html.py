"""The few HTML elements that a report is made of. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.lab.report.svg import text_of


@dataclass(frozen=True, slots=True)
class Markup:
    """Text that is HTML already."""

    text: str


BREAKS = frozenset(":,;_/ ")
BREAK = re.compile("([:,;_/ ])")
#: What may stand in a cell: plain text is escaped, markup is not.
Content = str | Markup


def markup(content: Content) -> str:
    return content.text if isinstance(content, Markup) else text_of(content)


def name(text: str) -> Markup:
    """A player's name, that may be broken behind its marks and nowhere else."""
    return Markup("".join(f"{part}<wbr/>" if part in BREAKS else text_of(part) for part in BREAK.split(text)))


def section(title: str, *parts: str, key: str) -> str:
    """A part of the page with a heading; `key` is its anchor."""
    return f'<section id="{key}"><h2>{text_of(title)}</h2>{"".join(parts)}</section>'


def paragraph(content: Content, kind: str = "") -> str:
    return f"<p{_kind(kind)}>{markup(content)}</p>"


def table(
    head: Sequence[str], rows: Iterable[Sequence[Content]], *, texts: Iterable[int] = (), kind: str = ""
) -> str:
    """A table that scrolls by itself where it is too wide, with a shade on the side where there is more, and
    its first column standing still. The first column names the row; columns `texts`
    hold words, the others numbers."""
    words = set(texts)
    heads = "".join(
        f'<th scope="col"{_kind("text" if place in words else "")}>{text_of(name)}</th>'
        for place, name in enumerate(head)
    )
    lines = "".join(
        "<tr>"
        + "".join(
            f'<th scope="row">{markup(cell)}</th>'
            if place == 0
            else f"<td{_kind('text' if place in words else '')}>{markup(cell)}</td>"
            for place, cell in enumerate(row)
        )
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="scroll" tabindex="0"><table{_kind(kind)}><thead><tr>{heads}</tr></thead>'
        f"<tbody>{lines}</tbody></table></div>"
    )


def definitions(rows: Iterable[tuple[str, Content]]) -> str:
    inner = "".join(f"<dt>{text_of(name)}</dt><dd>{markup(value)}</dd>" for name, value in rows)
    return f"<dl>{inner}</dl>"


def bullets(items: Iterable[Content]) -> str:
    inner = "".join(f"<li>{markup(item)}</li>" for item in items)
    return f"<ul>{inner}</ul>" if inner else ""


def legend(names: Sequence[str]) -> str:
    """Names of colours, in their order."""
    inner = "".join(
        f'<li><span class="swatch swatch-{place % 10}"></span>{text_of(name)}</li>'
        for place, name in enumerate(names)
    )
    return f'<ul class="legend">{inner}</ul>'


def folded(summary: str, *parts: str) -> str:
    return f"<details><summary>{text_of(summary)}</summary>{''.join(parts)}</details>"


def _kind(kind: str) -> str:
    return f' class="{kind}"' if kind else ""
