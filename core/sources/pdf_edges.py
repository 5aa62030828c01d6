"""Lines of a PDF that belong to its pages and not to its text: headers, footers, contents."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from core.sources.pdf_page import PageContent, Part, TextLine

_PAGE_NUMBER = re.compile(
    r"(?:page|seite|p\.?|第)?\s*[-–—]?\s*(?:\d{1,4}|[ivxl]{1,6})\s*[-–—]?"
    r"\s*(?:(?:of|/|von|共)\s*\d{1,4})?\s*页?",
    re.IGNORECASE,
)
_OWN_NUMBER = re.compile(
    r"^(\d{1,4})\b|\b(\d{1,4})$|(?:\bpage|\bseite|第)\s*(\d{1,4})", re.IGNORECASE
)
_LEADERS = re.compile(r"(?:\s?[.·…]){5,}\s*(?:\d{1,4}|[ivxl]{1,6})$|(?:\s?\.){12,}$", re.IGNORECASE)
_CONTENTS = re.compile(
    r"(?:table of )?contents|inhalt(?:sverzeichnis)?|目\s*录|目\s*次", re.IGNORECASE
)
_LAST = 200  # characters of a line that are looked at for the dots before a page number
_EDGE = 0.12  # of the page's height, where running headers and footers stand
_OFTEN = 3  # pages that bear the same line; fewer where that is half of them

_Key = tuple[str, float]
"""A line and the size it is set in: a title may say what a running header repeats."""


def without_running(pages: Sequence[PageContent]) -> tuple[list[list[Part]], tuple[str, ...]]:
    """The parts of each page without running lines and page numbers, and what they were."""
    running, ahead = _running_lines(pages), _numbers_ahead(pages)
    left_out: set[str] = set()
    kept: list[list[Part]] = []
    for number, page in enumerate(pages):
        kept.append([])
        for part in page.parts:
            if isinstance(part, TextLine) and _at_edge(part, page):
                numbered = ahead is not None and number + ahead in _numbers(part)
                if _key(part) in running or numbered:
                    left_out.add(re.sub(r"\d+", "#", part.text))
                    continue
                if _PAGE_NUMBER.fullmatch(part.text.strip()):
                    continue
            kept[-1].append(part)
    plain = [_without_contents(parts) for parts in kept]
    if plain != kept:
        left_out.add("table of contents")
    return plain, tuple(sorted(left_out))


def _running_lines(pages: Sequence[PageContent]) -> set[_Key]:
    counts = Counter(key for page in pages for key in {_key(line) for line in _edge_lines(page)})
    least = max(2, min(_OFTEN, len(pages) / 2))
    return {key for key, count in counts.items() if count >= least}


def _numbers_ahead(pages: Sequence[PageContent]) -> int | None:
    """By how much the numbers printed on pages run ahead of counting; ``None`` without any."""
    counts = Counter(
        printed - number
        for number, page in enumerate(pages)
        for printed in {n for line in _edge_lines(page) for n in _numbers(line)}
    )
    ahead, count = counts.most_common(1)[0] if counts else (0, 0)
    return ahead if count >= max(_OFTEN, len(pages) / 2) else None


def _numbers(line: TextLine) -> set[int]:
    return {int(n) for match in _OWN_NUMBER.finditer(line.text) for n in match.groups() if n}


def _edge_lines(page: PageContent) -> Iterator[TextLine]:
    return (p for p in page.parts if isinstance(p, TextLine) and _at_edge(p, page))


def _at_edge(line: TextLine, page: PageContent) -> bool:
    edge = _EDGE * page.height
    return line.bottom < edge or line.top > page.height - edge


def _key(line: TextLine) -> _Key:
    return line.text, line.size


def _without_contents(parts: list[Part]) -> list[Part]:
    """A table of contents repeats every heading and says nothing of what is below it."""
    listed = [isinstance(p, TextLine) and bool(_LEADERS.search(p.text[-_LAST:])) for p in parts]
    if not any(listed):
        return parts
    return [
        part
        for part, is_listed in zip(parts, listed, strict=True)
        if not is_listed
        and not (isinstance(part, TextLine) and _CONTENTS.fullmatch(part.text.strip()))
    ]
