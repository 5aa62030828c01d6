"""What a reader of a Word paragraph sees: no deletions, no hidden runs, no field codes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_OFF = {"0", "false", "off"}
_SMALLEST = 3  # half points
_WHITE = {"FFFFFF", "white"}


class Seen(NamedTuple):
    """The text of a paragraph, and the text boxes anchored in it."""

    text: str
    boxes: tuple[Any, ...]


class Words:
    """Reads paragraphs, and remembers what it left out. ``hidden_styles`` are ids of styles."""

    def __init__(self, hidden_styles: frozenset[str] = frozenset()) -> None:
        self._hidden_styles = hidden_styles
        self.deleted = False
        self.hidden = False
        self.commented = False

    def of(self, paragraph: Any) -> Seen:
        """The text of a paragraph element."""
        boxes: list[Any] = []
        text = "".join(self._inside(paragraph, boxes))
        return Seen(text, tuple(boxes))

    def _inside(self, element: Any, boxes: list[Any]) -> Iterator[str]:
        """Depth first without recursion: nesting is the file's choice."""
        stack = [iter(element)]
        while stack:
            child = next(stack[-1], None)
            if child is None:
                stack.pop()
                continue
            tag = child.tag
            if not isinstance(tag, str) or self._dropped(tag, child):
                continue
            if tag == _W + "txbxContent":
                boxes.append(child)
            elif (text := _text(tag, child)) is not None:
                yield text
            else:
                stack.append(iter(child))

    def _dropped(self, tag: str, element: Any) -> bool:
        if tag in (_W + "del", _W + "moveFrom", _W + "delText"):
            self.deleted = True
            return True
        if tag in (_W + "commentReference", _W + "commentRangeStart"):
            self.commented = True
            return True
        if tag == _W + "r" and self._invisible(element):
            self.hidden = self.hidden or any(e.text for e in element.iter(_W + "t"))
            return True
        # What is meant for programs that cannot show the choice before it.
        return tag in (_MC + "Fallback", _W + "instrText", _W + "pPr", _W + "rPr")

    def _invisible(self, run: Any) -> bool:
        properties = run.find(_W + "rPr")
        if properties is None:
            return False
        if any(_on(properties.find(_W + name)) for name in ("vanish", "webHidden", "specVanish")):
            return True
        style = properties.find(_W + "rStyle")
        if style is not None and style.get(_W + "val") in self._hidden_styles:
            return True
        size = properties.find(_W + "sz")
        points = str(size.get(_W + "val")) if size is not None else ""
        if points.isdigit() and int(points) < _SMALLEST:
            return True
        return _white_on_white(properties)


def hides(properties: Any) -> bool:
    """Whether the run properties of a style hide text."""
    return properties is not None and _on(properties.find(_W + "vanish"))


def all_bold(paragraph: Any) -> bool:
    """Whether every letter of a paragraph is set in bold."""
    runs = [
        r for r in paragraph.iter(_W + "r") if any((t.text or "").strip() for t in r.iter(_W + "t"))
    ]
    return bool(runs) and all(
        (own := run.find(_W + "rPr")) is not None and _on(own.find(_W + "b")) for run in runs
    )


def _on(switch: Any) -> bool:
    return switch is not None and (switch.get(_W + "val") or "1").lower() not in _OFF


def _white_on_white(properties: Any) -> bool:
    color = properties.find(_W + "color")
    if color is None or color.get(_W + "val") not in _WHITE:
        return False
    if properties.find(_W + "highlight") is not None or _shaded(properties):
        return False
    for around in properties.iterancestors(_W + "p", _W + "tc", _W + "tbl"):
        own = around.find(f"{around.tag}Pr")
        if own is not None and _shaded(own):
            return False
    return not any(True for _ in properties.iterancestors(_W + "tbl"))  # a style may shade it


def _shaded(properties: Any) -> bool:
    shade = properties.find(_W + "shd")
    return shade is not None and shade.get(_W + "fill") not in (None, "auto", *_WHITE)


def _text(tag: str, element: Any) -> str | None:
    if tag in (_W + "t", _MATH + "t"):
        return element.text or ""
    if tag in (_W + "br", _W + "cr"):
        return "\n"
    if tag in (_W + "tab", _W + "ptab"):
        return "\t"
    if tag == _W + "noBreakHyphen":
        return "-"
    if tag in (_W + "footnoteReference", _W + "endnoteReference"):
        return f"[{element.get(_W + 'id')}]"
    return None
