"""Writes what was read from a file that is no text as Markdown, keeping count of its pages."""

from __future__ import annotations

import re
from collections.abc import Sequence

_BLANKS = re.compile(r"\s+")

Row = Sequence[str]


class Rendering:
    """A Markdown text under construction."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self.page_starts: list[int] = []

    @property
    def text(self) -> str:
        """What was written so far."""
        return "".join(self._pieces)

    @property
    def text_length(self) -> int:
        """Characters written so far."""
        return self._length

    def block(self, text: str) -> None:
        """A block of its own, with an empty line before it; nothing for an empty text."""
        if text.strip():
            self._add("\n\n" if self._length else "")
            self._add(text)

    def more(self, text: str) -> None:
        """Text that goes on where the last block ended."""
        self._add(text)

    def page(self, number: int, *, gap: int = 0) -> None:
        """Page ``number`` (from 1) begins with what is written next, after ``gap`` characters."""
        while len(self.page_starts) < number:
            self.page_starts.append(self._length + gap)

    def _add(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)


def one_line(text: str) -> str:
    """Text of a cell or a heading: line ends and runs of blanks become one blank."""
    return _BLANKS.sub(" ", text).strip()


def heading(text: str, level: int) -> str:
    """A heading; level 1 is the highest, 6 the deepest Markdown has."""
    words = one_line(text)
    return f"{'#' * min(max(level, 1), 6)} {words}" if words else ""


def table(rows: Sequence[Row]) -> str:
    """A Markdown table whose first row is the header; empty rows and columns are left out."""
    lines = table_lines(rows)
    return "\n".join(line for line in lines if line)


def table_lines(rows: Sequence[Row]) -> list[str]:
    """A line for each row, empty for an empty row; the first one brings the rule below it."""
    columns = _filled(rows)
    lines = [
        "| " + " | ".join(_cell(row[n]) if n < len(row) else "" for n in columns) + " |"
        if any(cell.strip() for cell in row)
        else ""
        for row in rows
    ]
    first = next((n for n, line in enumerate(lines) if line), None)
    if first is not None:
        lines[first] += "\n|" + " --- |" * len(columns)
    return lines


def _cell(text: str) -> str:
    return one_line(text).replace("|", "\\|")


def _filled(rows: Sequence[Row]) -> list[int]:
    widest = max((len(row) for row in rows), default=0)
    return [n for n in range(widest) if any(n < len(row) and row[n].strip() for row in rows)]
