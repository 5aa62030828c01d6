"""Reader for DOCX: headings, lists and tables in order, as a reader of the document sees them."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

from core.errors import BadSource
from core.sources.documents import Found, FoundDocument, Source
from core.sources.docx_numbers import Mark, Numbers, Styles
from core.sources.docx_text import Words, all_bold
from core.sources.packed import checked_archive
from core.sources.read_files import title_from
from core.sources.render import Rendering, heading, one_line, table

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HOLDERS = {_W + name for name in ("sdt", "sdtContent", "customXml", "ins", "moveTo", "body")}
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_DEEPEST = 50
_LONGEST_BOLD = 90  # characters
_ENDED = re.compile(r"[.!?:;,。！？：；，]$")


def read_docx(source: Source) -> Iterator[Found]:
    """The document that a Word file is. Raises ``BadSource``."""
    import docx  # in the parsing process only

    data = checked_archive(source)
    try:
        document = docx.Document(io.BytesIO(data))
    except (KeyError, ValueError) as error:
        raise BadSource(
            source.item, "the file is not a Word document", "save it as .docx in Word"
        ) from error
    yield _Reading(source, document).found()


class _Reading:
    """Walks the body of one document."""

    def __init__(self, source: Source, document: Any) -> None:
        self._source, self._document = source, document
        parts = {rel.reltype.rpartition("/")[2]: rel for rel in _relations(document.part)}
        self._styles = Styles(_element(parts.get("styles")))
        self._numbers = Numbers(_element(parts.get("numbering")), self._styles)
        self._words = Words(self._styles.hidden())
        self._comments = "comments" in parts
        self._notes = [parts[name] for name in ("footnotes", "endnotes") if name in parts]
        self._out = Rendering()
        self._title = ""
        self._has_headings = any(
            self._styles.level(p) for p in document.element.body.iter(_W + "p")
        )
        self._below_title = 0
        self._list = ""
        self._contents = False
        self._cells = 0

    def found(self) -> FoundDocument:
        """The document with everything in its body, then its notes."""
        for element in _children(self._document.element.body):
            self._element(element, self._out)
        self._write_notes()
        name = self._source.name
        return FoundDocument(
            item=self._source.item,
            document_id=name,
            source_id=name,
            title=self._title or title_from(name),
            original=self._out.text,
            media_type=_TYPE,
            warnings=tuple(self._warnings()),
        )

    def _element(self, element: Any, out: Rendering) -> None:
        if element.tag == _W + "p":
            self._paragraph(element, out)
        elif element.tag == _W + "tbl":
            self._table(element, out)
        self._source.alive()

    def _paragraph(self, element: Any, out: Rendering) -> None:
        if self._styles.name(element).startswith("toc "):
            self._contents = True
            return
        seen = self._words.of(element)
        text = seen.text.strip()
        mark = self._numbers.mark(element) if text else None
        level = self._level(element)
        if text and level:
            numbered = f"{mark.label} {text}" if mark and mark.label not in ("", "-") else text
            self._heading(numbered, level, out)
        elif text and mark:
            self._item(text, mark, out)
        elif text:
            out.block(text)
            self._list = ""
        for box in seen.boxes:
            for inner in _children(box):
                self._element(inner, out)

    def _item(self, text: str, mark: Mark, out: Rendering) -> None:
        """A bullet after a number at the same depth begins another list."""
        line = f"{'  ' * min(mark.depth, 8)}{mark.label} {one_line(text)}" if mark.label else text
        kind = "bullets" if mark.label == "-" else "numbers"
        goes_on = self._list and (mark.depth or self._list == kind)
        if goes_on:
            out.more("\n" + line)
        else:
            out.block(line)
            self._list = kind

    def _level(self, element: Any) -> int:
        """Headings stand below the title where the document has one."""
        if self._styles.name(element) == "title":
            self._below_title = 1
            return 1
        level = self._styles.level(element) or self._bold_level(element)
        return level + self._below_title if level else 0

    def _bold_level(self, element: Any) -> int:
        """Where nobody used heading styles, short bold lines are what people take for headings."""
        if self._has_headings or not all_bold(element):
            return 0
        text = "".join(t.text or "" for t in element.iter(_W + "t")).strip()
        mark = self._numbers.listed(element)
        return 0 if mark or len(text) > _LONGEST_BOLD or _ENDED.search(text) else 1

    def _heading(self, text: str, level: int, out: Rendering) -> None:
        self._list = ""
        if level == 1 and not self._title:
            self._title = one_line(text)
        out.block(heading(text, level))

    def _table(self, element: Any, out: Rendering) -> None:
        self._list = ""
        rows = [row for row in self._rows(element) if any(cell.strip() for cell in row)]
        width = max((len(row) for row in rows), default=0)
        if width == 1 or len(rows) == 1:  # laid out in a table, but none
            for row in rows:
                for cell in row:
                    out.block(cell.strip())
        else:
            out.block(table(rows))

    def _rows(self, element: Any) -> list[list[str]]:
        rows: list[list[str]] = []
        above: dict[int, str] = {}
        for row in (e for e in _children(element) if e.tag == _W + "tr"):
            properties = row.find(_W + "trPr")
            if properties is not None and properties.find(_W + "del") is not None:
                self._words.deleted = True
                continue
            rows.append(self._row(row, above))
        return rows

    def _row(self, row: Any, above: dict[int, str]) -> list[str]:
        """A cell merged with the one above says the same again: a row is read on its own."""
        cells: list[str] = []
        for cell in (e for e in _children(row) if e.tag == _W + "tc"):
            self._count_cell()
            properties = cell.find(_W + "tcPr")
            span = _number(properties, "gridSpan")
            merged = properties.find(_W + "vMerge") if properties is not None else None
            goes_on = merged is not None and merged.get(_W + "val") != "restart"
            text = above.get(len(cells), "") if goes_on else self._cell(cell)
            above[len(cells)] = text
            cells += [text, *[""] * (min(span, 200) - 1)]
        return cells

    def _cell(self, cell: Any) -> str:
        said: list[str] = []
        for element in cell.iter(_W + "p"):
            text = self._words.of(element).text
            mark = self._numbers.mark(element) if text.strip() else None
            said.append(f"{mark.label} {text}" if mark else text)
        return " ".join(one_line(text) for text in said if text.strip())

    def _count_cell(self) -> None:
        self._cells += 1
        limit = self._source.limits.cells
        if self._cells > limit:
            raise BadSource(
                self._source.item, f"its tables have more than {limit:,} cells", "split it"
            )

    def _write_notes(self) -> None:
        for relation in self._notes:
            for note in _element(relation):
                number = note.get(_W + "id") or ""
                text = " ".join(self._words.of(p).text.strip() for p in note.iter(_W + "p"))
                if text.strip() and number.isdigit():
                    self._out.block(f"[{number}] {one_line(text)}")

    def _warnings(self) -> Iterator[str]:
        if self._words.deleted:
            yield "tracked deletions were dropped"
        if self._words.hidden:
            yield "hidden text was dropped"
        if self._words.commented or self._comments:
            yield "comments were dropped"
        if self._contents:
            yield "the table of contents was left out"
        edges = {one_line(p.text) for p in _edges(self._document) if p.text.strip()}
        if edges:
            named = "; ".join(repr(text[:60]) for text in sorted(edges)[:5])
            yield f"page headers and footers were left out: {named}"


def _children(element: Any) -> Iterator[Any]:
    """Blocks of a body, through what only wraps them."""
    stack = [iter(element)]
    while stack:
        child = next(stack[-1], None)
        if child is None:
            stack.pop()
        elif child.tag in _HOLDERS and len(stack) < _DEEPEST:
            stack.append(iter(child))
        elif isinstance(child.tag, str):
            yield child


def _relations(part: Any) -> list[Any]:
    return [rel for rel in part.rels.values() if not rel.is_external]


def _element(relation: Any) -> Any:
    from docx.oxml.parser import parse_xml  # does not resolve entities

    return None if relation is None else parse_xml(relation.target_part.blob)


def _edges(document: Any) -> Iterator[Any]:
    for section in list(document.sections)[:50]:
        for edge in (section.header, section.footer):
            if not edge.is_linked_to_previous:
                yield from edge.paragraphs


def _number(properties: Any, name: str) -> int:
    element = properties.find(_W + name) if properties is not None else None
    value = element.get(_W + "val") if element is not None else "1"
    return int(value) if (value or "").isdigit() else 1
