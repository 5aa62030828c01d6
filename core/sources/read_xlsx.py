"""Reader for XLSX: each sheet a section, its rows a table, values as the sheet shows them."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from typing import Any

from core.errors import BadSource
from core.sources.documents import Found, FoundDocument, Source
from core.sources.packed import checked_archive
from core.sources.read_files import title_from
from core.sources.render import Rendering, heading, table
from core.sources.shown import shown

_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_MOST_ROWS = 1_100_000  # a little more than a sheet can have
_ALIVE_ROWS = 2_000
_MOST_NAMED = 10
_UNCOMPUTED = re.compile(
    rb"<c\b[^>]*?\br=\"([A-Z]{1,3}\d{1,7})\"[^>/]*>\s*<f\b(?:[^>]*/>|[^>]*>[^<]*</f>)\s*"
    rb"(?:<v\s*/>|<v>\s*</v>)?\s*</c>"
)


def read_xlsx(source: Source) -> Iterator[Found]:
    """The document that a workbook is. Raises ``BadSource``."""
    import openpyxl  # in the parsing process only

    data = checked_archive(source)
    try:
        book = openpyxl.load_workbook(
            io.BytesIO(data), read_only=True, data_only=True, keep_links=False
        )
    except (KeyError, OSError) as error:
        raise BadSource(
            source.item, "the file is not a workbook", "save it as .xlsx in Excel"
        ) from error
    try:
        yield _Reading(source, data, book).found()
    finally:
        book.close()


class _Reading:
    """Reads one workbook, sheet by sheet."""

    def __init__(self, source: Source, data: bytes, book: Any) -> None:
        self._source, self._data, self._book = source, data, book
        self._out = Rendering()
        self._cells = 0
        self._uncomputed: list[str] = []

    def found(self) -> FoundDocument:
        """The document with every sheet that can be seen."""
        hidden: list[str] = []
        for sheet in self._book.worksheets:
            if sheet.sheet_state != "visible":
                hidden.append(sheet.title)
            else:
                self._sheet(sheet)
        warnings = []
        if hidden:
            warnings.append(
                f"hidden sheets were left out: {', '.join(map(repr, hidden[:_MOST_NAMED]))}"
            )
        if self._uncomputed:
            named = ", ".join(self._uncomputed[:_MOST_NAMED])
            warnings.append(
                f"formulas without a stored value were left out ({named}): "
                "open it in Excel and save it"
            )
        title = str(self._book.properties.title or "").strip()
        return FoundDocument(
            item=self._source.item,
            document_id=self._source.name,
            source_id=self._source.name,
            title=title or title_from(self._source.name),
            original=self._out.text,
            media_type=_TYPE,
            warnings=tuple(warnings),
        )

    def _sheet(self, sheet: Any) -> None:
        groups = list(_groups(self._rows(sheet)))
        if not groups:
            return
        self._out.block(heading(sheet.title, 2))
        for group in groups:
            self._group(group)
        self._note_uncomputed(sheet)

    def _group(self, rows: list[list[str]]) -> None:
        """Rows between empty ones: lines above a table, then the table."""
        wide = max(sum(bool(cell) for cell in row) for row in rows)
        while rows and wide > 1 and sum(bool(cell) for cell in rows[0]) == 1:
            self._out.block(next(cell for cell in rows[0] if cell))
            rows = rows[1:]
        if wide == 1:
            self._out.block("\n".join(cell for row in rows for cell in row if cell))
        else:
            self._out.block(table(rows))

    def _rows(self, sheet: Any) -> Iterator[list[str]]:
        sheet.reset_dimensions()  # what it says of its size may be wrong
        for number, row in enumerate(sheet.iter_rows()):
            self._cells += len(row)
            if number > _MOST_ROWS or self._cells > self._source.limits.cells:
                raise BadSource(
                    self._source.item,
                    f"the workbook has more than {self._source.limits.cells:,} cells",
                    "split it, or keep the sheets that matter",
                )
            if number % _ALIVE_ROWS == 0:
                self._source.alive()
            yield [shown(cell) for cell in row]

    def _note_uncomputed(self, sheet: Any) -> None:
        with zipfile.ZipFile(io.BytesIO(self._data)) as archive:
            written = archive.read(sheet._worksheet_path)
        if b"<f" in written:
            for match in _UNCOMPUTED.finditer(written):
                self._uncomputed.append(f"{sheet.title}!{match.group(1).decode()}")


def _groups(rows: Iterator[list[str]]) -> Iterator[list[list[str]]]:
    group: list[list[str]] = []
    for row in rows:
        if any(row):
            group.append(row)
        elif group:
            yield group
            group = []
    if group:
        yield group
