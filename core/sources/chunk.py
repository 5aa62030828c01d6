"""Cuts a document version into passages along its structure, never across its meaning.

A passage stays inside one top section, keeps lists, tables and code whole where they fit, and
repeats a sentence only where a boundary cuts a paragraph.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import NamedTuple

from core.models.source import DocumentVersion, Passage, PassageKind
from core.ports import TokenCounter
from core.sources.blocks import Block, blocks_of, items_of, table_header
from core.sources.chunk_facts import key_of, page_of
from core.sources.measure import WordEstimate, mostly_chinese, sentence_spans, size

CHUNKER_VERSION = "structure-1"
"""Raised whenever the same text would be cut differently: the index must then be rebuilt."""

TARGET_WORDS = 180
MAX_TOKENS = 254  # what the default encoder reads, less the marks that open and close a text
_TINY_WORDS = 40
_LABEL_WORDS = 6
_MAX_CONTEXT_WORDS = 40
_LONGEST = 4_000  # characters; no need to count words or tokens beyond


class Section(NamedTuple):
    """Blocks under one heading path; ``start`` is where the heading line begins."""

    path: tuple[str, ...]
    start: int
    blocks: tuple[Block, ...]


class Piece(NamedTuple):
    """A span that will be a passage, with what must be said beside it."""

    start: int
    end: int
    kind: PassageKind
    header: str = ""


def chunk(version: DocumentVersion, tokens: TokenCounter | None = None) -> tuple[Passage, ...]:
    """The passages of a version in order; none for a text without words."""
    cutter = _Cutter(version, tokens or WordEstimate())
    return tuple(
        _passage(version, ordinal, piece, path)
        for ordinal, (piece, path) in enumerate(cutter.pieces())
    )


def context_of(title: str, path: tuple[str, ...], header: str = "") -> str:
    """What is read beside a passage: title › headings, and a table's header row."""
    parts = [title, *path] if not path or path[0] != title else list(path)
    line = " › ".join(part for part in parts if part)
    words = line.split()
    if len(words) > _MAX_CONTEXT_WORDS:
        line = " ".join(words[:_MAX_CONTEXT_WORDS])
    return f"{line}\n{header}" if header else line


def _passage(
    version: DocumentVersion, ordinal: int, piece: Piece, path: tuple[str, ...]
) -> Passage:
    text = version.text[piece.start : piece.end]
    context = context_of(version.title, path, piece.header)
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
        text_key=key_of(text, path, piece.header),
        governance=version.governance,
    )


class _Cutter:
    """Sections first, tiny ones joined, then blocks packed up to the target."""

    def __init__(self, version: DocumentVersion, tokens: TokenCounter) -> None:
        self._text = version.text
        self._title = version.title
        self._tokens = tokens
        self._room = MAX_TOKENS
        self._depth = 0

    def pieces(self) -> Iterator[tuple[Piece, tuple[str, ...]]]:
        sections = [s for s in _sections(self._text, self._title) if s.blocks]
        self._depth = len(_common([s.path for s in sections if s.path]))
        for group in self._joined(sections):
            path = _common([section.path for section in group])
            context = self._tokens.count(context_of(self._title, path))
            self._room = max(MAX_TOKENS // 2, MAX_TOKENS - context)
            for piece in self._packed(group):
                yield self._trimmed(piece), path

    def _trimmed(self, piece: Piece) -> Piece:
        text = self._text[piece.start : piece.end]
        start = piece.start + len(text) - len(text.lstrip())
        return piece._replace(start=start, end=start + len(text.strip()))

    def _joined(self, sections: list[Section]) -> list[list[Section]]:
        groups: list[list[Section]] = []
        for section in sections:
            if groups and self._may_join(groups[-1], section):
                groups[-1].append(section)
            else:
                groups.append([section])
        return groups

    def _may_join(self, group: list[Section], section: Section) -> bool:
        first, last = group[0], group[-1]
        top = self._depth + 1
        if len(first.path) < top or first.path[:top] != section.path[:top]:
            return False
        child = section.path[: len(first.path)] == first.path
        sibling = first.path[:-1] == section.path[:-1]
        if not (child or sibling):
            return False
        before = self._text[first.start : last.blocks[-1].end]
        after = self._text[section.start : section.blocks[-1].end]
        tiny = min(size(before), size(after)) < _TINY_WORDS
        return tiny and self._fits(self._text[first.start : section.blocks[-1].end])

    def _packed(self, group: list[Section]) -> Iterator[Piece]:
        if len(group) > 1:
            yield Piece(group[0].start, group[-1].blocks[-1].end, "prose")
            return
        pending: list[Piece] = []
        for piece in self._parts(group[0].blocks):
            if pending and not self._fits_together(pending, piece):
                yield _merged(pending)
                pending = []
            pending.append(piece)
        if pending:
            yield _merged(pending)

    def _fits_together(self, pending: list[Piece], piece: Piece) -> bool:
        overlapping = piece.start < pending[-1].end
        return not overlapping and self._fits(self._text[pending[0].start : piece.end])

    def _parts(self, blocks: tuple[Block, ...]) -> Iterator[Piece]:
        """Blocks that fit, or the parts of those that do not; a lead-in stays with its list."""
        number = 0
        while number < len(blocks):
            start = blocks[number].start
            if self._leads_in(blocks, number):
                number += 1
            yield from self._block(blocks[number], start)
            number += 1

    def _leads_in(self, blocks: tuple[Block, ...], number: int) -> bool:
        """Whether a block announces the next: a short line, or one that ends with a colon."""
        if number + 1 >= len(blocks) or blocks[number].kind != "prose":
            return False
        said = self._text[blocks[number].start : blocks[number].end].rstrip()
        if size(said) > _TINY_WORDS:
            return False
        if said.endswith((":", "：")):
            return True
        return size(said) <= _LABEL_WORDS and "\n" not in said and said[-1].isalnum()

    def _block(self, block: Block, start: int) -> Iterator[Piece]:
        """The block from ``start``, where its lead-in begins if it has one."""
        if self._fits(self._text[start : block.end]):
            yield Piece(start, block.end, block.kind)
        elif block.kind == "prose":
            yield from self._sentences(start, block.end)
        else:
            yield from self._items(block, start)

    def _items(self, block: Block, start: int) -> Iterator[Piece]:
        header = table_header(self._text, block) if block.kind == "table" else ""
        end, needed = start, ""
        for left, right in items_of(self._text, block):
            if end > start and not self._fits(needed + self._text[start:right]):
                yield from self._sized(Piece(start, end, block.kind, needed))
                start, needed = left, header
            end = right
        yield from self._sized(Piece(start, end, block.kind, needed))

    def _sized(self, piece: Piece) -> Iterator[Piece]:
        """One item alone may still be too long."""
        if self._fits(self._text[piece.start : piece.end]):
            yield piece
        else:
            for part in self._sentences(piece.start, piece.end):
                yield part._replace(kind=piece.kind, header=piece.header)

    def _sentences(self, start: int, end: int) -> Iterator[Piece]:
        """A long paragraph, cut between sentences, the last one said again at the next start."""
        spans = sentence_spans(self._text, start, end)
        spans = [part for span in _covering(spans, start, end) for part in self._shortened(*span)]
        first = 0
        for number in range(1, len(spans) + 1):
            whole = number == len(spans)
            if not whole and self._fits(self._text[spans[first][0] : spans[number][1]]):
                continue
            yield Piece(spans[first][0], spans[number - 1][1], "prose")
            if whole:
                return
            repeated = number - 1 > first and self._fits(
                self._text[spans[number - 1][0] : spans[number][1]]
            )
            first = number - 1 if repeated else number

    def _shortened(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """A sentence beyond any limit is cut at blanks, or anywhere if there are none."""
        while not self._fits(self._text[start:end]):
            low, high = start + 1, min(end, start + _LONGEST)
            while low < high:
                middle = (low + high + 1) // 2
                if self._fits(self._text[start:middle]):
                    low = middle
                else:
                    high = middle - 1
            blank = self._text.rfind(" ", start + 1, low)
            cut = blank if blank > start + (low - start) // 2 else low
            yield start, cut
            start = cut + (len(self._text[cut:end]) - len(self._text[cut:end].lstrip()))
        if start < end:
            yield start, end

    def _fits(self, text: str) -> bool:
        if len(text) > _LONGEST or size(text) > TARGET_WORDS * 1.1:
            return False
        if mostly_chinese(text):
            return True  # sized by characters: the encoder has no say in Chinese
        return self._tokens.count(text) <= self._room


def _sections(text: str, title: str) -> list[Section]:
    """Blocks under their heading path. A first heading that repeats the title opens no section."""
    path: list[tuple[int, str]] = []
    sections: list[Section] = []
    start, held, heading = 0, list[Block](), None
    for block in blocks_of(text):
        if not block.level:
            held.append(block)
            continue
        if heading and not held and block.level <= heading.level:
            held.append(heading)  # nothing stands under it: it is all there is to find
        sections.append(_section(path, start, held))
        start, held, heading = block.start, [], block
        path = [(level, name) for level, name in path if level < block.level]
        path.append((block.level, block.title))
    held = held or [heading] if heading else held
    sections.append(_section(path, start, held))
    return [_untitled(section, title) for section in sections]


def _section(path: list[tuple[int, str]], start: int, blocks: list[Block]) -> Section:
    return Section(tuple(name for _, name in path), start, tuple(blocks))


def _untitled(section: Section, title: str) -> Section:
    if section.path and section.path[0].casefold() == title.casefold():
        return section._replace(path=section.path[1:])
    return section


def _common(paths: list[tuple[str, ...]]) -> tuple[str, ...]:
    shared: list[str] = []
    for names in zip(*paths, strict=False):
        if len(set(names)) > 1:
            break
        shared.append(names[0])
    return tuple(shared)


def _merged(pieces: list[Piece]) -> Piece:
    kinds = {piece.kind for piece in pieces}
    kind: PassageKind = kinds.pop() if len(kinds) == 1 else "prose"
    return Piece(pieces[0].start, pieces[-1].end, kind, pieces[0].header)


def _covering(spans: list[tuple[int, int]], start: int, end: int) -> list[tuple[int, int]]:
    """Sentence spans stretched so that no visible character between them is lost."""
    if not spans:
        return [(start, end)]
    starts = [start, *(left for left, _ in spans[1:])]
    return list(zip(starts, [*starts[1:], end], strict=True))
