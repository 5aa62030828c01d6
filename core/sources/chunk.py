"""Cuts a document version into passages along its structure, never across its meaning.

A passage stays inside one top section. Lists, tables and code stay whole where they fit, a rule
with its exception, a term with its definition, a question with its answer. What a passage can no
longer show, such as the header of its rows or the sentence that announces its list, is said in
its context. A sentence is repeated only where a boundary cuts a paragraph.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from core.models.source import DocumentVersion, Passage
from core.ports import TokenCounter
from core.sources.chunk_cut import Piece, Room, Weight, pieces_of
from core.sources.chunk_facts import key_of, page_of
from core.sources.chunk_sections import Section, common_path, grouped, sections_of
from core.sources.chunk_units import Unit, units_of
from core.sources.measure import WordEstimate, size, weight_in
from core.text.language import detect_language

CHUNKER_VERSION = "structure-4"
"""Raised whenever the same text would be cut differently: the index must then be rebuilt."""

TARGET_WORDS, CHINESE_TARGET_WORDS = 90, 150
"""Wanted length. Short passages are the sharper for an encoder; Chinese, which the default encoder
hardly reads, is found by its words, and there an answer is more often whole in a longer one."""
WHOLE_WORDS, CHINESE_WHOLE_WORDS = 120, 200
"""A section, or a tiny one with its neighbours, is not divided up to this length."""
MAX_WORDS = 200
"""The most a passage takes to keep together what must not be parted."""
MAX_TOKENS = 254  # what the default encoder reads, less the marks that open and close a text
_MAX_LEAD_TOKENS = 64
_MAX_CONTEXT_WORDS = 40
_SAMPLE = 10_000  # characters that show a text's language
_LONGEST = 4_000  # characters; no need to count words or tokens beyond


def chunk(version: DocumentVersion, tokens: TokenCounter | None = None) -> tuple[Passage, ...]:
    """The passages of a version in order; none for a text without words."""
    cutter = _Cutter(version, tokens or WordEstimate())
    return tuple(
        _passage(version, ordinal, piece, path)
        for ordinal, (piece, path) in enumerate(cutter.pieces())
    )


def context_of(title: str, path: tuple[str, ...], lead: str = "") -> str:
    """What is read beside a passage: title › headings, then what it can no longer show itself."""
    parts = [title, *path] if not path or path[0] != title else list(path)
    line = " › ".join(part for part in parts if part)
    words = line.split()
    if len(words) > _MAX_CONTEXT_WORDS:
        line = " ".join(words[:_MAX_CONTEXT_WORDS])
    return f"{line}\n{lead}" if lead else line


def _passage(
    version: DocumentVersion, ordinal: int, piece: Piece, path: tuple[str, ...]
) -> Passage:
    text = version.text[piece.start : piece.end]
    context = context_of(version.title, path, piece.lead)
    digest = hashlib.sha256(f"{context}\0{text}".encode()).hexdigest()
    return Passage(
        chunk_id=f"{version.document_id}::{ordinal:04d}",
        document_id=version.document_id,
        source_id=version.source_id,
        tenant_id=version.tenant_id,
        ordinal=ordinal,
        text=text,
        context=context,
        title=version.title,
        heading_path=path,
        kind=piece.kind,
        char_start=piece.start,
        char_end=piece.end,
        page_start=page_of(version.page_starts, piece.start),
        page_end=page_of(version.page_starts, piece.end - 1),
        content_hash=digest,
        text_key=key_of(text, path, piece.lead),
        governance=version.governance,
    )


class _Cutter:
    """Sections first, tiny ones joined; then each is divided where it costs least."""

    def __init__(self, version: DocumentVersion, tokens: TokenCounter) -> None:
        self._text = version.text
        self._title = version.title
        self._tokens = tokens
        self._room = float(MAX_TOKENS)
        chinese = detect_language(version.text[:_SAMPLE]) == "zh"
        self._target = CHINESE_TARGET_WORDS if chinese else TARGET_WORDS
        self._most_whole = CHINESE_WHOLE_WORDS if chinese else WHOLE_WORDS

    def pieces(self) -> Iterator[tuple[Piece, tuple[str, ...]]]:
        sections = sections_of(self._text, self._title)
        for group in grouped(sections, self._text, self._whole):
            path = common_path([section.path for section in group])
            context = weight_in(self._tokens, context_of(self._title, path))
            self._room = max(MAX_TOKENS / 2, MAX_TOKENS - context)
            for piece in self._divided(group):
                trimmed = self._trimmed(piece)
                if trimmed.start < trimmed.end:
                    yield self._led(trimmed), path

    def _divided(self, group: list[Section]) -> list[Piece]:
        blocks = [block for section in group for block in section.blocks]
        start = group[0].start if len(group) > 1 else blocks[0].start
        if self._whole(start, blocks[-1].end):
            kinds = {block.kind for block in blocks}
            whole = kinds.pop() if len(group) == len(kinds) == 1 else "prose"
            return [Piece(start, blocks[-1].end, whole)]
        units = units_of(self._text, blocks, self._fits)
        room = Room(self._room, MAX_WORDS, self._target)
        return pieces_of(units, self._weights(units), room, self._lead_weight)

    def _weights(self, units: list[Unit]) -> list[Weight]:
        ends = [*(unit.start for unit in units[1:]), units[-1].end]
        texts = [self._text[u.start : end] for u, end in zip(units, ends, strict=True)]
        return [Weight(weight_in(self._tokens, text), size(text)) for text in texts]

    def _lead_weight(self, lead: str) -> float:
        return min(weight_in(self._tokens, lead), _MAX_LEAD_TOKENS)

    def _trimmed(self, piece: Piece) -> Piece:
        text = self._text[piece.start : piece.end]
        start = piece.start + len(text) - len(text.lstrip())
        return piece._replace(start=start, end=start + len(text.strip()))

    def _led(self, piece: Piece) -> Piece:
        """What is said beside a passage is cut to what the encoder still reads."""
        if not piece.lead:
            return piece
        text = self._text[piece.start : piece.end]
        left = min(_MAX_LEAD_TOKENS, self._room - weight_in(self._tokens, text))
        lead = piece.lead
        while lead and weight_in(self._tokens, lead) > left:
            lead = lead[: len(lead) * 3 // 4].rpartition(" ")[0]
        return piece._replace(lead=lead)

    def _whole(self, start: int, end: int) -> bool:
        return self._fits(start, end, self._most_whole)

    def _fits(self, start: int, end: int, most: int = MAX_WORDS) -> bool:
        if end - start > _LONGEST:
            return False
        if end - start <= most < self._room:
            return True  # a token or a word has at least one character
        text = self._text[start:end]
        return size(text) <= most and weight_in(self._tokens, text) <= self._room
