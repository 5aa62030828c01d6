"""What stands in a text that a reader of the page would not see: characters without ink, comments,
markup that hides its text, and text beside pictures and links."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from core.text.concealed import Concealed
from core.text.hidden_markup import hides_element

_TAG_RUN = re.compile("(?<!\U0001f3f4)[\U000e0000-\U000e007f]{2,}")
_BITS = re.compile("[\u200b\u200c\u200d\u2060\u2062\u2063\u2064\ufeff]{8,}")
_BETWEEN = re.compile("\\w[\u200b\u200c\u2060\u2062\u2063\u2064\ufeff\u00ad]\\w")
_VARIATION = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}")
_REORDERED = re.compile("[\u202d\u202e\u2066-\u2068]([^\u202c\u2069\n]{3,400})[\u202c\u2069\n]?")
_COMMENTS = (("<!--", "-->"), ("{/*", "*/}"))
_MARKDOWN_COMMENT = re.compile(
    r"^[ ]{0,3}\[(?://|comment|_|\s*)\]:[ \t]*(?:#|<>)?[ \t]*[\"'(](.{3,800}?)[\"')][ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_OPENING = re.compile(r"<([a-zA-Z][\w-]{0,20})((?:\s|/)[^<>]{0,2000})?>")
_ATTRIBUTE = re.compile(
    r"(?<![\w-])(alt|title|aria-label|placeholder|content|summary|data-[\w-]{1,30})\s*=\s*"
    r"(?:\"([^\"<>]{4,1000})\"|'([^'<>]{4,1000})')",
    re.IGNORECASE,
)
_IMAGE = re.compile(r"!\[([^\[\]\n]{4,600})\](?=\(|\[)")
_LINK_TITLE = re.compile(r"\]\(\s*[^()\s]{0,500}\s+(?:\"([^\"\n]{4,600})\"|'([^'\n]{4,600})')\s*\)")
_DEFINITION_TITLE = re.compile(
    r"^[ ]{0,3}\[[^\[\]\n]{1,80}\]:[ \t]*\S{1,500}[ \t]+(?:\"([^\"\n]{4,600})\"|'([^'\n]{4,600})'"
    r"|\(([^()\n]{4,600})\))[ \t]*$",
    re.MULTILINE,
)
_TAGS = "hidden in Unicode tag characters"
_ZERO_WIDTH = "hidden in zero-width characters"
_SELECTORS = "hidden in variation selectors"
WITHOUT_INK = frozenset({_TAGS, _ZERO_WIDTH, _SELECTORS})
"""Runs of characters that no keyboard and no word processor makes."""
_LEAST_BITS = 16
_MAX_ELEMENTS, _MAX_HIDDEN = 4000, 6000
_DENSE = 6


def find_hidden(text: str) -> tuple[Concealed, ...]:
    """Every hidden piece with its exact place, what it says and where it was hidden."""
    found: list[Concealed] = []
    if not text.isascii():
        found += _without_ink(text)
    if "<" in text or "{/*" in text:
        found += _comments(text)
        found += _elements(text)
        found += _attributes(text)
    if "](" in text or "]:" in text or "![" in text:
        found += _beside_links(text)
    return tuple(found)


def _without_ink(text: str) -> Iterator[Concealed]:
    for run in _TAG_RUN.finditer(text):
        plain = "".join(chr(ord(ch) - 0xE0000) for ch in run[0] if 0x20 <= ord(ch) - 0xE0000 < 0x7F)
        yield Concealed(*run.span(), plain, _TAGS)
    for run in _BITS.finditer(text):
        if len(run[0]) >= _LEAST_BITS:
            yield Concealed(*run.span(), _from_bits(run[0]), _ZERO_WIDTH)
    for run in _VARIATION.finditer(text):
        plain = bytes(_selector(ch) for ch in run[0]).decode("utf-8", "replace")
        yield Concealed(*run.span(), plain, _SELECTORS)
    if len(_BETWEEN.findall(text)) >= _DENSE:
        yield Concealed(0, len(text), "", "broken up by zero-width characters", shown=True)
    for run in _REORDERED.finditer(text):
        yield Concealed(*run.span(), run[1][::-1], "turned around by direction marks")


def _selector(ch: str) -> int:
    code = ord(ch)
    return code - 0xFE00 if code < 0xE0000 else (code - 0xE0100 + 16) & 0xFF


def _from_bits(run: str) -> str:
    """Two kinds of characters as bits of 8 or 7, in either reading; empty if none gives words."""
    kinds = sorted(set(run), key=run.index)
    for zero in kinds[:2]:
        bits = "".join("0" if ch == zero else "1" for ch in run)
        for width in (8, 7):
            codes = [int(bits[i : i + width], 2) for i in range(0, len(bits) - width + 1, width)]
            if codes and all(0x20 <= code < 0x7F for code in codes):
                return "".join(map(chr, codes))
    return ""


def _comments(text: str) -> Iterator[Concealed]:
    """Comments of HTML and MDX; one that is never closed hides the rest."""
    for opening, closing in _COMMENTS:
        start = text.find(opening)
        while start >= 0:
            inner = start + len(opening)
            close = text.find(closing, inner)
            end = len(text) if close < 0 else close + len(closing)
            if plain := text[inner : close if close >= 0 else end].strip():
                yield Concealed(start, end, plain, "hidden in an HTML comment")
            start = text.find(opening, end)


def _elements(text: str) -> Iterator[Concealed]:
    """Elements whose own attributes hide them; what nests in one is counted once."""
    done = 0
    for number, tag in enumerate(_OPENING.finditer(text)):
        if number >= _MAX_ELEMENTS:
            return
        if tag.start() < done or not tag[2]:
            continue
        if where := hides_element(tag[1], tag[2]):
            close = text.find(f"</{tag[1]}", tag.end(), tag.end() + _MAX_HIDDEN)
            end = close if close >= 0 else min(len(text), tag.end() + _MAX_HIDDEN)
            plain = re.sub(r"<[^<>]*>", " ", html.unescape(text[tag.end() : end])).strip()
            done = end
            if plain:
                yield Concealed(tag.start(), end, plain, where)


def _attributes(text: str) -> Iterator[Concealed]:
    for match in _ATTRIBUTE.finditer(text):
        name = match[1].lower()
        where = "hidden in alternative text" if name == "alt" else f"hidden in a {name} attribute"
        yield Concealed(*match.span(), html.unescape(match[2] or match[3]), where, shown=True)


def _beside_links(text: str) -> Iterator[Concealed]:
    for match in _IMAGE.finditer(text):
        yield Concealed(*match.span(), match[1], "hidden in alternative text", shown=True)
    for match in _LINK_TITLE.finditer(text):
        yield Concealed(*match.span(), match[1] or match[2], "hidden in a link title", shown=True)
    for match in _MARKDOWN_COMMENT.finditer(text):
        yield Concealed(*match.span(), match[1], "hidden in a Markdown comment")
    for match in _DEFINITION_TITLE.finditer(text):
        plain = match[1] or match[2] or match[3]
        yield Concealed(*match.span(), plain, "hidden in a link definition", shown=True)
