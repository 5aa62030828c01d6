"""Reader for CSV and TSV: a table, or a document a row where there are ``id`` and ``text``."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator

from core.errors import BadSource
from core.models.source import IngestFailure
from core.sources.decoding import decode, guess_note
from core.sources.documents import Found, FoundDocument, Source, Warned
from core.sources.governance import FIELDS, IDENTITY
from core.sources.read_files import title_from
from core.sources.read_jsonl import MAX_ROW, document_of
from core.sources.render import table

_DELIMITERS = ",;\t|"
_SAMPLE_ROWS = 50
_SAMPLE = 200_000  # characters


def read_csv(source: Source) -> Iterator[Found]:
    """The table, or the documents, of a file of separated values. Raises ``BadSource``."""
    csv.field_size_limit(MAX_ROW)
    data = source.bytes(source.limits.binary_bytes)
    text, guessed = decode(source.item, data)
    said = (guess_note(guessed),) if guessed else ()
    delimiter = _delimiter(source.name, text)
    rows = _rows(source, text, delimiter)
    header = [cell.strip() for _, row in zip(range(1), rows, strict=False) for cell in row]
    if source.depth == 0 and {"id", "text"} <= set(header):
        for warning in said:
            yield Warned(item=source.item, message=warning)
        yield from _documents(source, header, rows)
    else:
        yield _table(source, [header, *rows], said)


def _rows(source: Source, text: str, delimiter: str) -> Iterator[list[str]]:
    cells = 0
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            cells += len(row)
            if cells > source.limits.cells:
                raise BadSource(
                    source.item,
                    f"the table has more than {source.limits.cells:,} cells",
                    "split it, or keep the columns that matter",
                )
            if any(cell.strip() for cell in row):
                yield row
    except csv.Error as error:
        raise BadSource(
            source.item, f"it is not a table of separated values ({error})", "export it again"
        ) from error


def _delimiter(name: str, text: str) -> str:
    """The sign that parts most rows into the same number of cells, more than one."""
    if name.lower().endswith(".tsv"):
        return "\t"
    sample = text[:_SAMPLE]
    return max(_DELIMITERS, key=lambda sign: _evenness(sample, sign))


def _evenness(sample: str, delimiter: str) -> tuple[float, int]:
    widths = Counter[int]()
    try:
        for _, row in zip(
            range(_SAMPLE_ROWS),
            csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter),
            strict=False,
        ):
            if row:
                widths[len(row)] += 1
    except csv.Error:
        return 0.0, 0
    width, count = max(widths.items(), key=lambda pair: (pair[0] > 1, pair[1]), default=(1, 0))
    return (count / sum(widths.values()), width) if width > 1 else (0.0, 0)


def _table(source: Source, rows: list[list[str]], said: tuple[str, ...]) -> FoundDocument:
    title = title_from(source.name)
    return FoundDocument(
        item=source.item,
        document_id=source.name,
        source_id=source.name,
        title=title,
        original=table(rows),
        media_type="text/csv",
        warnings=said,
    )


def _documents(source: Source, header: list[str], rows: Iterator[list[str]]) -> Iterator[Found]:
    """One document a row; what an empty cell would say is not said."""
    if repeated := [name for name, count in Counter(header).items() if count > 1 and name]:
        raise BadSource(
            source.item, f"two columns are named {repeated[0]!r}", "name each column once"
        )
    ignored: set[str] = set()
    number = 1
    for number, row in enumerate(rows, start=2):
        place = f"{source.item}:{number}"
        try:
            if len(row) > len(header):
                raise BadSource(place, "the row has more cells than columns", "quote the commas")
            values = {
                name: cell.strip() if name != "text" else cell
                for name, cell in zip(header, row, strict=False)
                if cell.strip()
            }
            yield document_of(place, values)
        except BadSource as error:
            yield IngestFailure(path=place, reason=error.reason, fix=error.fix)
        else:
            ignored = set(header) - FIELDS - IDENTITY - {"text", ""}
    if number == 1:
        raise BadSource(source.item, "there are no rows below the names of its columns", "add rows")
    if ignored:
        names = ", ".join(sorted(ignored))
        yield Warned(
            item=source.item, message=f"fields that mean nothing here were left out: {names}"
        )
