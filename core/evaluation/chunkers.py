"""Three common ways to cut a text, to be measured against: by length, recursively, by meaning.

Each returns spans of the text. They know nothing of headings, lists or tables, as is usual.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from core.models.source import DocumentVersion, Passage
from core.ports import Encoder
from core.sources.measure import sentence_spans, size
from core.text.language import CJK

Spans = list[tuple[int, int]]
Chunker = Callable[[DocumentVersion], tuple[Passage, ...]]

WORDS = 220
OVERLAP = 33  # words, 15 %
_UNIT = re.compile(rf"[{CJK}]|[^\s{CJK}]+")
_SEPARATORS = (r"\n[ \t]*\n", r"\n", r"(?<=[.!?])\s|(?<=[。！？])", r"\s", r"")
_DISTANT = 90  # percentile of the distances between neighbours at which a text is cut
_ROOM = 0.6  # a word is at most as long as this many characters of Chinese


def fixed(text: str, *, words: int = WORDS, overlap: int = OVERLAP) -> Spans:
    """Windows of ``words``, each beginning ``overlap`` words before the last one ended."""
    units = [match.span() for match in _UNIT.finditer(text)]
    weights = [_ROOM if text[a] > "\u2e80" else 1.0 for a, _ in units]
    spans: Spans = []
    first = 0
    while first < len(units):
        last = _reach(weights, first, words)
        spans.append((units[first][0], units[last][1]))
        if last + 1 >= len(units):
            break
        back = last + 1
        while back > first + 1 and sum(weights[back : last + 1]) < overlap:
            back -= 1
        first = back
    return spans


def recursive(text: str, *, words: int = WORDS, overlap: int = OVERLAP) -> Spans:
    """Paragraphs, else lines, else sentences, else words, joined up to ``words`` with overlap."""
    parts = list(_parts(text, 0, len(text), 0, words))
    spans: Spans = []
    held: Spans = []
    for part in parts:
        if held and size(text[held[0][0] : part[1]]) > words:
            spans.append((held[0][0], held[-1][1]))
            while held and (
                size(text[held[0][0] : held[-1][1]]) > overlap
                or size(text[held[0][0] : part[1]]) > words
            ):
                held.pop(0)
        held.append(part)
    if held:
        spans.append((held[0][0], held[-1][1]))
    return spans


def by_meaning(text: str, encoder: Encoder, *, words: int = WORDS) -> Spans:
    """Cut where neighbouring sentences, each read with its neighbours, are least alike.

    Stretches beyond ``words`` are cut again between sentences.
    """
    sentences = sentence_spans(text, 0, len(text))
    if len(sentences) < 2:
        return sentences
    around = [
        text[sentences[max(0, at - 1)][0] : sentences[min(len(sentences) - 1, at + 1)][1]]
        for at in range(len(sentences))
    ]
    vectors = encoder.encode(around)
    distances = 1.0 - np.sum(vectors[:-1] * vectors[1:], axis=1)
    limit = float(np.percentile(distances, _DISTANT))
    spans: Spans = []
    start = sentences[0][0]
    for (here, there), distance in zip(pairwise(sentences), distances, strict=True):
        if distance > limit or size(text[start : there[1]]) > words:
            spans.append((start, here[1]))
            start = there[0]
    spans.append((start, sentences[-1][1]))
    return spans


def as_passages(version: DocumentVersion, spans: Sequence[tuple[int, int]]) -> tuple[Passage, ...]:
    """Spans as passages with nothing but the title beside them."""
    found: list[Passage] = []
    for start, end in spans:
        text = version.text[start:end].strip()
        if not any(letter.isalnum() for letter in text):
            continue
        start += len(version.text[start:end]) - len(version.text[start:end].lstrip())
        found.append(
            Passage(
                chunk_id=f"{version.document_id}::{len(found):04d}",
                document_id=version.document_id,
                source_id=version.source_id,
                tenant_id=version.tenant_id,
                ordinal=len(found),
                text=text,
                context=version.title,
                title=version.title,
                char_start=start,
                char_end=start + len(text),
                content_hash=hashlib.sha256(f"{version.title}\0{text}".encode()).hexdigest(),
                governance=version.governance,
            )
        )
    return tuple(found)


def _reach(weights: Sequence[float], first: int, words: int) -> int:
    total, last = 0.0, first
    for at in range(first, len(weights)):
        total += weights[at]
        if total > words:
            break
        last = at
    return last


def _parts(text: str, start: int, end: int, level: int, words: int) -> Iterator[tuple[int, int]]:
    if size(text[start:end]) <= words or level >= len(_SEPARATORS):
        if text[start:end].strip():
            yield start, end
        return
    place = start
    for match in re.compile(_SEPARATORS[level]).finditer(text, start, end):
        if match.end() > place:
            yield from _parts(text, place, match.end(), level + 1, words)
            place = match.end()
    if place < end:
        yield from _parts(text, place, end, level + 1, words)
