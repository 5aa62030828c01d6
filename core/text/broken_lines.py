"""Sentences broken over lines: a word to a line, or words parted by a hyphen at a line's end.

A person reads on over the break; rules that read a line at a time do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.text.concealed import Concealed

_LINE = re.compile(r"[^\n]*\S[^\n]*")
_PARAGRAPH = re.compile(r"[^\n]+(?:\n[^\n]+)*")
_PARTED = re.compile(r"(?<=[^\W\d_])-[^\S\n]*\n\s*(?=[^\W\d_])")
_SHORT, _LEAST = 2, 4
"""Words to a line, and such lines one after another, that make a sentence set on end."""
_LINES, _OVER_LINES = 300, 40
_LETTERS, _OVER_LETTERS = 3000, 600
"""Long stretches are read in overlapping pieces: of one piece only so much is read."""
_WHERE = "broken over lines"


def find_broken(text: str) -> tuple[Concealed, ...]:
    """Each such stretch with what it says in one line. Lists, menus and tables are none."""
    if "\n" not in text:
        return ()
    return (*_set_on_end(text), *_hyphenated(text))


def _set_on_end(text: str) -> Iterator[Concealed]:
    lines = list(_LINE.finditer(text))
    at = 0
    while at < len(lines):
        first = at
        while at < len(lines) and _reads_on(lines[at][0]):
            at += 1
        if at - first >= _LEAST:
            # The line before may hold the first word.
            for begin in range(max(0, first - 1), at, _LINES):
                run = lines[begin : min(at, begin + _LINES + _OVER_LINES)]
                start, end = run[0].start(), run[-1].end()
                yield Concealed(start, end, " ".join(text[start:end].split()), _WHERE, shown=True)
        at = max(at, first + 1)


def _reads_on(line: str) -> bool:
    """Whether a line is a word or two in the middle of a sentence."""
    words = line.split()
    return len(words) <= _SHORT and words[0][0].islower()


def _hyphenated(text: str) -> Iterator[Concealed]:
    for paragraph in _PARAGRAPH.finditer(text):
        for start in range(*paragraph.span(), _LETTERS):
            end = min(paragraph.end(), start + _LETTERS + _OVER_LETTERS)
            joined = _PARTED.sub("", text[start:end])
            if len(joined) < end - start:
                yield Concealed(start, end, " ".join(joined.split()), _WHERE, shown=True)
