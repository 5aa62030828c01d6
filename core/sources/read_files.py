"""Readers for Markdown, plain text and HTML files: one document a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from core.errors import BadSource
from core.sources.blocks import blocks_of
from core.sources.clean_html import page_title, read_page, refuse_broken
from core.sources.decoding import decode, guess_note
from core.sources.documents import Found, FoundDocument, Source
from core.sources.front_matter import read_front_matter, refuse_unknown

_SEPARATORS = re.compile(r"[_\-\s]+")


def read_markdown(source: Source) -> Iterator[Found]:
    """A Markdown or MDX file with or without front matter."""
    item, name = source.item, source.name
    text, said = _read(source)
    fields, body = read_front_matter(item, text)
    ignored = refuse_unknown(item, fields)
    title = _text(item, fields, "title") or _first_heading(text[body:]) or title_from(name)
    document_id = _text(item, fields, "id") or name
    yield FoundDocument(
        item=item,
        document_id=document_id,
        source_id=_text(item, fields, "source_id") or document_id,
        title=title,
        original=text,
        body=body,
        fields=fields,
        warnings=(*said, *(f"front-matter key {key!r} means nothing here" for key in ignored)),
    )


def read_plain(source: Source) -> Iterator[Found]:
    """A plain text file; its name gives the title."""
    text, said = _read(source)
    yield FoundDocument(
        item=source.item,
        document_id=source.name,
        source_id=source.name,
        title=title_from(source.name),
        original=text,
        media_type="text/plain",
        warnings=said,
    )


def read_html(source: Source) -> Iterator[Found]:
    """An HTML page; its ``title`` element, first heading or name gives the title."""
    text, said = _read(source)
    refuse_broken(source.item, text)
    page = read_page(text)
    yield FoundDocument(
        item=source.item,
        document_id=source.name,
        source_id=source.name,
        title=page_title(page) or title_from(source.name),
        original=text,
        media_type="text/html",
        warnings=said,
        cleaned=page.cleaned,
    )


def title_from(name: str) -> str:
    """A readable title from a file name."""
    stem = _SEPARATORS.sub(" ", PurePosixPath(name).stem).strip()
    return stem[:1].upper() + stem[1:] if stem else name


def _read(source: Source) -> tuple[str, tuple[str, ...]]:
    text, guessed = decode(source.item, source.bytes(source.limits.file_bytes))
    return text, (guess_note(guessed),) if guessed else ()


def _first_heading(text: str) -> str:
    return next((b.title for b in blocks_of(text[:20_000]) if b.level == 1 and b.title), "")


def _text(item: str, fields: dict[str, Any], key: str) -> str:
    value = fields.get(key)
    if isinstance(value, (list, dict)):
        raise BadSource(item, f"{key!r} must be one text", f"write `{key}: text`")
    return "" if value is None else str(value).strip()
