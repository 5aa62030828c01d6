"""What the knowledge views share: pages of long lists, empty states, text with its tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import TypeVar

import streamlit as st

from pages.components.cards import table
from pages.components.untrusted import Html, Piece, el, join, show
from pages.components.words import count

T = TypeVar("T")
_PER_PAGE = 40
_RULE = re.compile(r"^\s*\|?[\s:|-]+\|?\s*$")
_HEADING = re.compile(r"^#{1,6}\s+")
_LONGEST_SHOWN = 120_000


_PLACES = ("source", "document", "passage", "upload")


def go(**place: str) -> None:
    """Change the address to one place of the screen; none is the view chosen last."""
    for name in _PLACES:
        if name in st.query_params and name not in place:
            del st.query_params[name]
    for name, value in place.items():
        st.query_params[name] = value


def paged(rows: Sequence[T], where: str, per_page: int = _PER_PAGE) -> Sequence[T]:
    """The rows of the page in view, with a pager when there are more."""
    pages = -(-len(rows) // per_page)
    if pages < 2:
        return rows
    with st.container(horizontal=True, vertical_alignment="center"):
        number = st.pagination(pages, key=f"page-{where}")
        show(el("div", f"{len(rows)} in all", cls="cs-soft"), width="content")
    return rows[(number - 1) * per_page : number * per_page]


def empty(words: str, more: str = "") -> None:
    """Nothing here, and what to do about it."""
    under = el("div", more) if more else None
    show(el("div", el("div", words, cls="big"), under, cls="cs-empty"))


def text_with_tables(text: str) -> Html:
    """A document's text, its tables drawn as tables; the end of a very long one left out."""
    shown = text[:_LONGEST_SHOWN]
    pieces: list[Piece] = []
    for is_table, lines in groupby(shown.split("\n"), key=_is_row):
        block = list(lines)
        if is_table and len(block) > 1:
            pieces.append(table_of(block))
        else:
            pieces += _prose(block)
    left = len(text) - len(shown)
    if left:
        pieces.append(el("div", f"… and {count(left, 'character')} more.", cls="cs-soft"))
    return join(pieces)


def _prose(lines: Sequence[str]) -> list[Html]:
    """Lines of text, headings set as headings."""
    pieces: list[Html] = []
    for is_heading, group in groupby(lines, key=lambda line: bool(_HEADING.match(line))):
        if is_heading:
            pieces += [el("h4", _HEADING.sub("", line)) for line in group]
        elif body := "\n".join(group).strip("\n"):
            pieces.append(el("div", body, cls="cs-doc"))
    return pieces


def table_of(lines: Sequence[str]) -> Html:
    """Rows of a Markdown table as a table."""
    rows = [_cells(line) for line in lines if not _RULE.match(line)]
    if not rows:
        return el("div", "\n".join(lines), cls="cs-doc")
    return table(rows[0], rows[1:])


def _is_row(line: str) -> bool:
    return line.lstrip().startswith("|")


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inner)]
