"""The only door for text from outside: passages, tickets, drafts, what a model wrote, file names.

Streamlit's markdown is not plain text: it fetches images, links addresses, turns ``$5 and $6`` into
mathematics and ``:red[x]`` into colour, and escaping does not hold all of that back (addresses and
icons are replaced after parsing). So outside text is drawn as HTML built from escaped pieces: an
``Html`` can only be made by ``el``, ``text`` and ``marked`` here, which escape every string they
are given. ``label`` is for the few places (button labels, tab names) where Streamlit takes markdown
only. The page's Content-Security-Policy is the second wall.
"""

from __future__ import annotations

import html
import string
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import streamlit as st

_TAGS = frozenset(
    [
        "a",
        "b",
        "br",
        "code",
        "del",
        "details",
        "div",
        "em",
        "h3",
        "h4",
        "hr",
        "i",
        "ins",
        "li",
        "mark",
        "ol",
        "p",
        "pre",
        "s",
        "section",
        "small",
        "span",
        "strong",
        "summary",
        "kbd",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "ul",
        "dl",
        "dt",
        "dd",
    ]
)
_ATTRIBUTES = frozenset(
    ("cls", "title", "href", "id", "aria_label", "role", "data_until", "data_since")
)
_VOID = frozenset(("br", "hr"))
_MARKDOWN = frozenset(string.punctuation)
_WORD_JOINER = "\u2060"
_JOIN_AFTER = frozenset(":@/-<>")


@dataclass(frozen=True)
class Html:
    """HTML whose every outside character went through ``html.escape``."""

    source: str


Piece = str | Html | None


def text(value: object) -> Html:
    """``value`` as text, whatever it contains."""
    return Html(html.escape(str(value), quote=True))


def el(tag: str, *children: Piece, **attributes: str | None) -> Html:
    """One element. Strings are escaped; attributes are few, and addresses stay on this server."""
    if tag not in _TAGS:
        raise ValueError(f"element {tag!r} is not among those the console draws")
    shown = "".join(_attribute(n, v) for n, v in attributes.items() if v is not None)
    if tag in _VOID:
        return Html(f"<{tag}{shown}>")
    return Html(f"<{tag}{shown}>{join(children).source}</{tag}>")


def join(pieces: Iterable[Piece]) -> Html:
    """Pieces one after another, ``None`` left out."""
    return Html("".join(_source(piece) for piece in pieces if piece is not None))


def marked(value: str, spans: Sequence[tuple[int, int]], cls: str = "cs-mark") -> Html:
    """``value`` with the character spans wrapped in ``<mark>``; bad spans are ignored."""
    pieces: list[Piece] = []
    at = 0
    for start, end in _tidy(spans, len(value)):
        pieces += [value[at:start], el("mark", value[start:end], cls=cls)]
        at = end
    return join([*pieces, value[at:]])


def spans_of(value: str, quotes: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """Where each quote first stands in ``value``; quotes that do not occur are left out."""
    found = ((value.find(quote), quote) for quote in quotes if quote)
    return tuple((at, at + len(quote)) for at, quote in found if at >= 0)


def show(piece: Html, *, width: str | int = "stretch") -> None:
    """Draw a piece on the page."""
    st.html(piece.source, width=width)  # type: ignore[arg-type]


def label(value: object, limit: int = 90) -> str:
    """``value`` for a place that takes markdown only: escaped, and no link or icon formed."""
    flat = " ".join(str(value).split())
    short = flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"
    return "".join(_plain(sign) for sign in short)


def _plain(sign: str) -> str:
    if sign == ".":
        return f"{_WORD_JOINER}\\."
    if sign not in _MARKDOWN:
        return sign
    return f"\\{sign}{_WORD_JOINER}" if sign in _JOIN_AFTER else f"\\{sign}"


def _source(piece: str | Html) -> str:
    return piece.source if isinstance(piece, Html) else html.escape(piece, quote=True)


def _attribute(name: str, value: str) -> str:
    if name not in _ATTRIBUTES:
        raise ValueError(f"attribute {name!r} is not among those the console draws")
    if name == "href" and (not value.startswith("/") or value.startswith(("//", "/\\"))):
        raise ValueError("an address must stay on this server")
    shown = "class" if name == "cls" else name.replace("_", "-")
    return f' {shown}="{html.escape(value, quote=True)}"'


def _tidy(spans: Sequence[tuple[int, int]], length: int) -> list[tuple[int, int]]:
    """Sorted, clipped, overlaps merged."""
    tidy: list[tuple[int, int]] = []
    for start, end in sorted((max(0, a), min(b, length)) for a, b in spans):
        if start >= end:
            continue
        if tidy and start <= tidy[-1][1]:
            tidy[-1] = (tidy[-1][0], max(tidy[-1][1], end))
        else:
            tidy.append((start, end))
    return tidy
