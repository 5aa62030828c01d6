"""The sections of a text: its blocks under their headings, tiny neighbours together."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from core.sources.blocks import Block, blocks_of
from core.sources.measure import size

TINY_WORDS = 40


class Section(NamedTuple):
    """Blocks under one heading path; ``start`` is where the heading line begins."""

    path: tuple[str, ...]
    start: int
    blocks: tuple[Block, ...]

    @property
    def end(self) -> int:
        """Where its last block ends."""
        return self.blocks[-1].end


def sections_of(text: str, title: str) -> list[Section]:
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
    return [_untitled(section, title) for section in sections if section.blocks]


def grouped(
    sections: list[Section], text: str, fits: Callable[[int, int], bool]
) -> list[list[Section]]:
    """Sections in order, tiny ones with a neighbour below the same top section while they fit."""
    depth = len(common_path([s.path for s in sections if s.path]))
    groups: list[list[Section]] = []
    for section in sections:
        if groups and _related(groups[-1][0], section, depth + 1):
            first, last = groups[-1][0], groups[-1][-1]
            before, after = text[first.start : last.end], text[section.start : section.end]
            tiny = min(size(before), size(after)) < TINY_WORDS
            if tiny and fits(first.start, section.end):
                groups[-1].append(section)
                continue
        groups.append([section])
    return groups


def common_path(paths: list[tuple[str, ...]]) -> tuple[str, ...]:
    """The headings that all paths begin with."""
    shared: list[str] = []
    for names in zip(*paths, strict=False):
        if len(set(names)) > 1:
            break
        shared.append(names[0])
    return tuple(shared)


def _related(first: Section, section: Section, top: int) -> bool:
    """Child or sibling, under the same top section."""
    if len(first.path) < top or first.path[:top] != section.path[:top]:
        return False
    child = section.path[: len(first.path)] == first.path
    return child or first.path[:-1] == section.path[:-1]


def _section(path: list[tuple[int, str]], start: int, blocks: list[Block]) -> Section:
    return Section(tuple(name for _, name in path), start, tuple(blocks))


def _untitled(section: Section, title: str) -> Section:
    if section.path and section.path[0].casefold() == title.casefold():
        return section._replace(path=section.path[1:])
    return section
