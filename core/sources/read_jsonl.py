"""Reader for JSON lines: ``{"id", "title", "text", …governance fields}``, one document a row."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO

from core.errors import BadSource
from core.models.source import IngestFailure
from core.sources.clean_html import refuse_broken
from core.sources.decoding import decode, is_wide, refuse_binary
from core.sources.documents import Found, FoundDocument, Source, Warned
from core.sources.front_matter import read_front_matter
from core.sources.governance import FIELDS, IDENTITY, suspicious_key
from core.sources.read_files import title_from

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
MAX_ROW = 20_000_000  # characters
_LONGEST_LINE = 4 * MAX_ROW + 2  # bytes
_SHAPE = 'write one object a line: {"id": "…", "title": "…", "text": "…"}'


def read_jsonl(source: Source) -> Iterator[Found]:
    """A file of rows, one at a time, so that it may be of any length."""
    return read_rows(source.item, _lines(source))


def read_rows(item: str, lines: Iterable[str]) -> Iterator[Found]:
    """The documents of a file; a bad line is a failure named ``item:line``, the rest goes on."""
    ignored: set[str] = set()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place = f"{item}:{number}"
        try:
            row = _object(place, line)
            yield document_of(place, row)
        except BadSource as error:
            yield IngestFailure(path=place, reason=error.reason, fix=error.fix)
        else:
            ignored |= set(row) - FIELDS - IDENTITY - {"text"}
    if ignored:
        names = ", ".join(sorted(ignored))
        yield Warned(item=item, message=f"fields that mean nothing here were left out: {names}")


def _object(place: str, line: str) -> dict[str, Any]:
    if len(line) > MAX_ROW:
        raise BadSource(place, f"the row is longer than {MAX_ROW:,} characters", "split it")
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadSource(place, f"not a line of JSON ({_short(error)})", _SHAPE) from error
    if not isinstance(row, dict):
        raise BadSource(place, "not a JSON object", _SHAPE)
    return {key: _storable(value) for key, value in row.items()}


def document_of(place: str, row: Mapping[str, Any]) -> FoundDocument:
    """The document that a row of fields is. Raises ``BadSource`` naming ``place``."""
    document_id = _name(place, row, "id")
    if not document_id:
        raise BadSource(place, "the row has no id", _SHAPE)
    text = row.get("text")
    if not isinstance(text, str) or not text.strip():
        raise BadSource(place, "the row has no text", _SHAPE)
    if text.count("\ufffd") * 20 > len(text):
        raise BadSource(place, "the text is binary data or badly decoded", "export it as UTF-8")
    if near := suspicious_key(list(row)):
        raise BadSource(place, f"unknown field {near[0]!r}", f"did you mean {near[1]!r}?")
    if _is_page(text):
        refuse_broken(place, text)
    embedded = _embedded(place, text)
    title = _name(place, row, "title") or str(embedded[0].get("title") or "").strip()
    return FoundDocument(
        item=place,
        document_id=document_id,
        source_id=_name(place, row, "source_id") or document_id,
        title=title or title_from(document_id),
        original=text,
        body=embedded[1],
        media_type="text/html" if _is_page(text) else "text/markdown",
        fields={key: value for key, value in row.items() if key in FIELDS},
    )


def _embedded(place: str, text: str) -> tuple[dict[str, Any], int]:
    """Front matter inside a row's text gives at most a title; the row itself governs."""
    try:
        return read_front_matter(place, text)
    except BadSource:
        return {}, 0


def _name(place: str, row: Mapping[str, Any], key: str) -> str:
    value = row.get(key)
    if value is None:
        return ""
    if not isinstance(value, (str, int)) or isinstance(value, bool):
        raise BadSource(place, f"{key!r} is neither text nor a number", _SHAPE)
    return str(value).strip() if key != "id" else str(value)


def _is_page(text: str) -> bool:
    return text.lstrip()[:200].lower().startswith(("<!doctype html", "<html"))


def _storable(value: Any) -> Any:
    """JSON can spell characters that no store keeps: halves of pairs, and NUL."""
    return _UNSTORABLE.sub("\ufffd", value) if isinstance(value, str) else value


def _lines(source: Source) -> Iterator[str]:
    with source.open() as stream:
        head = stream.read(4)
        if is_wide(head):
            yield from decode(source.item, head + stream.read(source.limits.file_bytes)).text.split(
                "\n"
            )
            return
        stream.seek(0)
        empty = True
        while line := stream.readline(_LONGEST_LINE):
            text = _line(source.item, line)
            empty = empty and not text.strip()
            yield text
            if len(line) == _LONGEST_LINE and not line.endswith(b"\n"):
                _skip_line(stream)
        if empty:
            raise BadSource(source.item, "the file is empty", "add rows or delete the file")


def _line(item: str, line: bytes) -> str:
    """Rows are UTF-8: one row is too little to tell another encoding by."""
    if len(line) == _LONGEST_LINE:
        return line.decode("utf-8", "replace")  # too long to be read, and refused as that
    refuse_binary(item, line)
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadSource(
            item, f"the file is not UTF-8 (byte {error.start} of a row)", "save it as UTF-8"
        ) from error


def _skip_line(stream: BinaryIO) -> None:
    """The rest of an endless line, without ever holding it."""
    while (piece := stream.readline(1_000_000)) and not piece.endswith(b"\n"):
        pass


def _short(error: Exception) -> str:
    return str(error)[:80]
