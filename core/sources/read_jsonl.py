"""Reader for JSON lines: ``{"id", "title", "text", …governance fields}``, one document a row."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from core.errors import BadSource
from core.models.source import IngestFailure
from core.sources.clean_html import refuse_broken
from core.sources.documents import Found, FoundDocument, Warned
from core.sources.front_matter import read_front_matter
from core.sources.governance import FIELDS, IDENTITY, suspicious_key
from core.sources.read_files import title_from

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
MAX_ROW = 20_000_000
_SHAPE = 'write one object a line: {"id": "…", "title": "…", "text": "…"}'


def read_rows(item: str, lines: Iterable[str]) -> Iterator[Found]:
    """The documents of a file; a bad line is a failure named ``item:line``, the rest goes on."""
    ignored: set[str] = set()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place = f"{item}:{number}"
        try:
            row = _object(place, line)
            yield _document(place, row)
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


def _document(place: str, row: dict[str, Any]) -> FoundDocument:
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


def _name(place: str, row: dict[str, Any], key: str) -> str:
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


def _short(error: Exception) -> str:
    return str(error)[:80]
