"""Sentences with exact offsets. Lists, headings, table rows and line breaks end a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import sentencex

from core.text.language import cjk_share


class Span(NamedTuple):
    """A piece of a text: ``source[start:end] == text``."""

    start: int
    end: int
    text: str


_MARKER = re.compile(
    r"[ \t]*(?:(?:#{1,6}|>+|[-*+•·▪◦–—]|\d{1,3}[.)](?!\d)|\(?[a-zA-Z\d]\)|"
    r"[（(]?[一二三四五六七八九十]{1,3}[、）)])[ \t]+"
    r"|\d{1,2}、|[一二三四五六七八九十]{1,3}、)+"
)
_TABLE_ROW = re.compile(r"[ \t]*\|.*\|[ \t]*$")
_TERMINAL = re.compile(r"[.!?。！？:：;；|]['\"”’)\]*_]*[ \t]*$")
_WRAP_LENGTH = 60
"""A line this long that stops in mid-sentence was wrapped, not ended."""


@lru_cache(maxsize=1024)
def split_sentences(text: str) -> tuple[Span, ...]:
    """The sentences of ``text`` in order, without list markers and surrounding space.

    Every span is an exact slice of ``text``. Lines without a letter or digit are left out.
    """
    spans: list[Span] = []
    for start, end in _blocks(text):
        for left, right in _segments(text, start, end):
            if span := _trimmed(text, left, right):
                spans.append(span)
    return tuple(spans)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Runs of lines that may hold a sentence across a line break."""
    begin: int | None = None
    previous = ""
    position = 0
    for line in text.splitlines(keepends=True):
        bare = line.rstrip("\r\n\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
        if begin is not None and not _continues(previous, bare):
            yield begin, position
            begin = None
        if begin is None and bare.strip():
            begin = position
        previous = bare
        position += len(line)
    if begin is not None:
        yield begin, position


def _continues(previous: str, line: str) -> bool:
    """Whether ``line`` carries on the sentence ``previous`` broke off."""
    stripped = line.strip()
    if not stripped or _MARKER.match(line) or _TABLE_ROW.match(line):
        return False
    if _TERMINAL.search(previous) or _TABLE_ROW.match(previous):
        return False
    if previous.lstrip().startswith("#"):
        return False
    return stripped[0].islower() or len(previous.strip()) >= _WRAP_LENGTH


def _segments(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    block = text[start:end]
    if _TABLE_ROW.match(block.rstrip()):
        yield start, end
        return
    if marker := _MARKER.match(block):
        start += marker.end()
        block = text[start:end]
    language = "zh" if cjk_share(block) > 0.2 else "en"
    position = start
    for piece in sentencex.segment(language, block):
        yield position, position + len(piece)
        position += len(piece)
    if position != end:  # the segmenter changed characters: keep the rest as one sentence
        yield min(position, end), end


def _trimmed(text: str, start: int, end: int) -> Span | None:
    while start < end and (text[start].isspace() or text[start] == "|"):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] == "|"):
        end -= 1
    piece = text[start:end]
    if not any(ch.isalnum() for ch in piece):
        return None
    return Span(start, end, piece)
