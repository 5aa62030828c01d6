"""HTML as a reader sees it, in Markdown shape, every character traced to the page it came from."""

from __future__ import annotations

import html
import re
from collections import Counter
from html.parser import HTMLParser
from itertools import islice

import numpy as np

from core.errors import BadSource
from core.models.base import Model
from core.sources.clean import Cleaned, tidied
from core.sources.hidden import has_background, hidden_selectors, hides
from core.sources.traced import Traced

_SKIPPED = {
    "script",
    "style",
    "noscript",
    "template",
    "nav",
    "svg",
    "iframe",
    "object",
    "select",
    "head",
    "math",
    "canvas",
    "audio",
    "video",
}
_VOID = {
    "area",
    "base",
    "br",
    "col",
    "embed",
    "hr",
    "img",
    "input",
    "link",
    "meta",
    "source",
    "track",
    "wbr",
}
_BLOCKS = {
    "p",
    "div",
    "section",
    "article",
    "main",
    "header",
    "footer",
    "aside",
    "table",
    "ul",
    "ol",
    "dl",
    "blockquote",
    "figure",
    "figcaption",
    "address",
    "form",
    "fieldset",
    "details",
    "summary",
    "body",
    "caption",
}
_SELF_CLOSING = {"p", "li", "tr", "td", "th", "dt", "dd"}
_LINES = {"tr", "dt", "dd", "br"}
_HEADING = re.compile(r"h([1-6])")
_BLANK = re.compile(r"\s+")


_UNCLOSED = re.compile(r"<[^<>]*(?=<|\Z)")
_MAX_UNCLOSED = 2_000


class Page(Model):
    """The title of a page and its readable text."""

    title: str
    cleaned: Cleaned


def read_page(original: str) -> Page:
    """The readable part of an HTML page. Never raises, however broken the markup."""
    reader = _Reader(original)
    opened = original.rfind("<!--")
    if opened >= 0 and "-->" not in original[opened:]:  # browsers show nothing after it
        reader.dropped = True
        reader.feed(original[:opened])
    else:
        reader.feed(original)
    reader.close()
    cleaned = tidied(reader.traced())
    if reader.dropped:
        cleaned = cleaned.model_copy(
            update={"warnings": (*cleaned.warnings, "hidden elements were dropped")}
        )
    return Page(title=_BLANK.sub(" ", reader.title).strip(), cleaned=cleaned)


class _Reader(HTMLParser):
    """Gathers visible text; block elements become Markdown lines."""

    def __init__(self, original: str) -> None:
        super().__init__(convert_charrefs=False)
        self._lines = [0, *(m.end() for m in re.finditer("\n", original))]
        self._hidden_by_css = hidden_selectors(
            "\n".join(re.findall(r"<style[^>]*>(.*?)</style", original, re.S | re.I))
        )
        self._open: list[tuple[str, bool, bool]] = []  # (tag, readable, coloured)
        self._open_tags = Counter[str]()
        self._text: list[str] = []
        self._origins: list[int] = []
        self._lists: list[str] = []
        self._cells = 0
        self._rows = 0
        self._preformatted = 0
        self._in_title = False
        self.title = ""
        self.dropped = False

    def traced(self) -> Traced:
        return Traced("".join(self._text), np.asarray(self._origins, dtype=np.int64))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self._close_implied(tag)
        readable, coloured = self._surroundings()
        hidden = hides(attributes, coloured=coloured) or self._hidden_by_sheet(attributes)
        self.dropped = self.dropped or (hidden and tag not in _SKIPPED)
        if tag == "title" and not self.title:
            self._in_title = True
        if readable and not hidden:
            self._begin(tag)
        if tag in _VOID:
            return
        coloured = coloured or has_background(attributes.get("style") or "")
        self._open.append((tag, readable and not hidden and tag not in _SKIPPED, coloured))
        self._open_tags[tag] += 1

    def _close_implied(self, tag: str) -> None:
        """Authors leave out end tags that the next tag implies."""
        top = self._open[-1][0] if self._open else ""
        if (top == tag and tag in _SELF_CLOSING) or (top == "p" and tag in _BLOCKS):
            self.handle_endtag(top)

    def handle_endtag(self, tag: str) -> None:
        self._in_title = self._in_title and tag != "title"
        if not self._open_tags[tag]:  # counted, not searched for: a page may be deep
            return
        name, readable = "", False
        while name != tag:
            name, readable, _ = self._open.pop()
            self._open_tags[name] -= 1
        if readable:
            self._finish(tag)

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title += data
        elif self._surroundings()[0]:
            self._write(data, self._offset())

    def handle_entityref(self, name: str) -> None:
        self._reference(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._reference(f"&#{name};")

    def _reference(self, reference: str) -> None:
        if self._in_title:
            self.title += html.unescape(reference)
        elif self._surroundings()[0]:
            self._place(html.unescape(reference), self._offset())

    def _begin(self, tag: str) -> None:
        if heading := _HEADING.fullmatch(tag):
            self._break(2)
            self._place("#" * int(heading.group(1)) + " ", self._offset())
        elif tag == "pre":
            self._break(2)
            self._place("```\n", self._offset())
            self._preformatted += 1
        elif tag == "li":
            self._item()
        elif tag in {"td", "th"}:
            self._place("| " if not self._cells else " | ", self._offset())
            self._cells += 1
        elif tag in _BLOCKS or tag in _LINES:
            self._block(tag)

    def _block(self, tag: str) -> None:
        if tag in {"ul", "ol"}:
            self._lists.append(tag)
        if tag == "table":
            self._rows = 0
        in_cell, after_bullet = bool(self._cells), self._tail(2) in {"- ", ". "}
        if in_cell:
            self._space()
        elif not after_bullet:
            self._break(1 if tag in _LINES or len(self._lists) > 1 else 2)

    def _item(self) -> None:
        self._break(1)
        depth = max(0, len(self._lists) - 1)
        bullet = "1. " if self._lists and self._lists[-1] == "ol" else "- "
        self._place("  " * depth + bullet, self._offset())

    def _finish(self, tag: str) -> None:
        if tag == "pre":
            self._preformatted = max(0, self._preformatted - 1)
            self._break(1)
            self._place("```", self._offset())
        if tag in {"ul", "ol"} and self._lists:
            self._lists.pop()
        if tag == "tr" and self._cells:
            self._end_row()
        elif tag == "li":
            self._break(1)
        elif tag in _BLOCKS or _HEADING.fullmatch(tag) or tag == "pre":
            self._space() if self._cells else self._break(1 if self._lists else 2)

    def _end_row(self) -> None:
        self._place(" |\n", self._offset())
        if self._rows == 0:
            self._place("|" + " --- |" * self._cells + "\n", self._offset())
        self._rows += 1
        self._cells = 0

    def _write(self, data: str, origin: int) -> None:
        if self._preformatted:
            self._place(data, origin, follow=True)
            return
        place = 0
        for blank in _BLANK.finditer(data):
            self._place(data[place : blank.start()], origin + place, follow=True)
            self._space(origin + blank.start())
            place = blank.end()
        self._place(data[place:], origin + place, follow=True)

    def _place(self, text: str, origin: int, *, follow: bool = False) -> None:
        self._text.extend(text)
        self._origins.extend(range(origin, origin + len(text)) if follow else [origin] * len(text))

    def _space(self, origin: int | None = None) -> None:
        if self._text and self._text[-1] not in " \n":
            self._place(" ", self._offset() if origin is None else origin)

    def _break(self, count: int) -> None:
        while self._text and self._text[-1] == " " and self._tail(2) not in {"- ", ". "}:
            self._text.pop()
            self._origins.pop()
        missing = count - (len(tail := self._tail(count)) - len(tail.rstrip("\n")))
        if self._text and missing > 0:
            self._place("\n" * missing, self._offset())

    def _tail(self, count: int) -> str:
        return "".join(self._text[-count:])

    def _offset(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def _surroundings(self) -> tuple[bool, bool]:
        return (self._open[-1][1], self._open[-1][2]) if self._open else (True, False)

    def _hidden_by_sheet(self, attributes: dict[str, str | None]) -> bool:
        names = {f".{name}" for name in (attributes.get("class") or "").split()}
        return bool(self._hidden_by_css & (names | {f"#{attributes.get('id')}"}))


def refuse_broken(item: str, original: str) -> None:
    """Raises ``BadSource`` for markup so broken that reading it would take forever."""
    broken = sum(1 for _ in islice(_UNCLOSED.finditer(original), _MAX_UNCLOSED + 1))
    if broken > _MAX_UNCLOSED:
        raise BadSource(item, "thousands of tags are never closed", "repair the HTML")


def page_title(page: Page) -> str:
    """The page's title, else its first heading of level 1, else empty."""
    heading = re.search(r"^# (.+)$", page.cleaned.text, re.MULTILINE)
    return page.title or (heading.group(1).strip() if heading else "")
