"""The numbers and bullets that Word computes for paragraphs of a list, and outline levels."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any, NamedTuple

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_PLACE = re.compile(r"%([1-9])")
_ROMAN = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
_MOST_STYLES = 20  # in a chain of styles, one based on the next


class Level(NamedTuple):
    """How one depth of a list is numbered."""

    kind: str
    pattern: str
    start: int


class Mark(NamedTuple):
    """What stands before a paragraph of a list: its label and its depth from 0."""

    label: str
    depth: int


class Styles:
    """What paragraph styles say of outline, numbering and hiding, along their chains."""

    def __init__(self, styles: Any) -> None:
        found = [] if styles is None else styles.iter(_W + "style")
        self._styles = {style.get(_W + "styleId"): style for style in found}

    def property(self, paragraph: Any, name: str) -> Any:
        """The element ``name`` of the paragraph's properties, its own or its style's."""
        own = paragraph.find(_W + "pPr")
        if own is not None and (element := own.find(_W + name)) is not None:
            return element
        for style in self._chain(paragraph):
            properties = style.find(_W + "pPr")
            if properties is not None and (element := properties.find(_W + name)) is not None:
                return element
        return None

    def name(self, paragraph: Any) -> str:
        """The built-in name of the paragraph's style, in small letters; empty without one."""
        for style in self._chain(paragraph):
            name = style.find(_W + "name")
            return str(name.get(_W + "val") or "").lower() if name is not None else ""
        return ""

    def level(self, paragraph: Any) -> int:
        """The outline level from 1; 0 for text."""
        outline = self.property(paragraph, "outlineLvl")
        value = outline.get(_W + "val") if outline is not None else None
        if value is None or not value.isdigit():
            numbered = re.fullmatch(r"heading (\d)", self.name(paragraph))
            return int(numbered.group(1)) if numbered else 0
        return int(value) + 1 if int(value) < 9 else 0

    def hidden(self) -> frozenset[str]:
        """Ids of styles whose text is not shown."""
        from core.sources.docx_text import hides

        return frozenset(k for k, s in self._styles.items() if k and hides(s.find(_W + "rPr")))

    def _chain(self, paragraph: Any) -> list[Any]:
        own = paragraph.find(_W + "pPr")
        named = own.find(_W + "pStyle") if own is not None else None
        chain: list[Any] = []
        style = self._styles.get(named.get(_W + "val")) if named is not None else None
        while style is not None and len(chain) < _MOST_STYLES:
            chain.append(style)
            based = style.find(_W + "basedOn")
            style = self._styles.get(based.get(_W + "val")) if based is not None else None
        return chain


class Numbers:
    """Counts along the document, as Word does when it shows it."""

    def __init__(self, numbering: Any, styles: Styles) -> None:
        self._styles = styles
        self._levels: dict[str, dict[int, Level]] = {}
        self._abstract: dict[str, str] = {}
        self._counts: dict[str, dict[int, int]] = defaultdict(dict)
        if numbering is not None:
            for one in numbering.iter(_W + "abstractNum"):
                self._levels[one.get(_W + "abstractNumId")] = dict(_levels(one))
            for one in numbering.iter(_W + "num"):
                link = one.find(_W + "abstractNumId")
                if link is not None:
                    self._abstract[one.get(_W + "numId")] = link.get(_W + "val")

    def listed(self, paragraph: Any) -> bool:
        """Whether a paragraph is in a list; counts nothing."""
        return self._place(paragraph) is not None

    def mark(self, paragraph: Any) -> Mark | None:
        """The label before a paragraph; ``None`` when it is in no list."""
        place = self._place(paragraph)
        if place is None:
            return None
        list_id, depth = place
        levels = self._levels.get(list_id, {})
        level = levels.get(depth, Level("bullet", "", 1))
        if level.kind in ("bullet", "none"):
            return Mark("-" if level.kind == "bullet" else "", depth)
        counts = self._counts[list_id]
        counts[depth] = counts.get(depth, level.start - 1) + 1
        for deeper in [d for d in counts if d > depth]:
            del counts[deeper]

        def number(match: re.Match[str]) -> str:
            at = int(match.group(1)) - 1
            of = levels.get(at, level)
            return _spelled(counts.get(at, of.start), of.kind)

        return Mark(_PLACE.sub(number, level.pattern).strip(), depth)

    def _place(self, paragraph: Any) -> tuple[str, int] | None:
        numbered = self._styles.property(paragraph, "numPr")
        if numbered is None:
            return None
        link, depth = numbered.find(_W + "numId"), numbered.find(_W + "ilvl")
        value = link.get(_W + "val") if link is not None else "0"
        list_id = self._abstract.get(value or "0")
        if list_id is None:
            return None  # numId 0 takes a paragraph out of its list
        level = depth.get(_W + "val") if depth is not None else "0"
        return list_id, int(level) if (level or "").isdigit() else 0


def _levels(abstract: Any) -> list[tuple[int, Level]]:
    levels = []
    for level in abstract.findall(_W + "lvl"):
        kind, pattern, start = (level.find(_W + n) for n in ("numFmt", "lvlText", "start"))
        first = start.get(_W + "val") if start is not None else "1"
        levels.append(
            (
                int(level.get(_W + "ilvl") or 0),
                Level(
                    kind.get(_W + "val") if kind is not None else "decimal",
                    pattern.get(_W + "val") or "" if pattern is not None else "",
                    int(first) if (first or "").isdigit() else 1,
                ),
            )
        )
    return levels


def _spelled(number: int, kind: str) -> str:
    if kind in ("lowerLetter", "upperLetter") and number > 0:
        letter = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 % 5 + 1)
        return letter.upper() if kind == "upperLetter" else letter
    if kind in ("lowerRoman", "upperRoman") and 0 < number < 50:
        roman, left = "", number
        for value, sign in ((40, "xl"), *_ROMAN):
            while left >= value:
                roman, left = roman + sign, left - value
        return roman.upper() if kind == "upperRoman" else roman
    return str(number)
