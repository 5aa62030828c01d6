"""Which reader reads which file, and the one door through which all of them are called."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import cast

from core.errors import BadSource
from core.models.source import IngestFailure
from core.sources.cleaning import cleaned_text
from core.sources.documents import Found, FoundDocument, Reader, Source

_MODULES = {
    "core.sources.read_files:read_markdown": (".md", ".markdown", ".mdx"),
    "core.sources.read_files:read_plain": (".txt", ".text"),
    "core.sources.read_files:read_html": (".html", ".htm"),
    "core.sources.read_jsonl:read_jsonl": (".jsonl", ".ndjson"),
    "core.sources.read_csv:read_csv": (".csv", ".tsv"),
    "core.sources.read_pdf:read_pdf": (".pdf",),
    "core.sources.read_docx:read_docx": (".docx",),
    "core.sources.read_xlsx:read_xlsx": (".xlsx",),
    "core.sources.read_mail:read_mail": (".eml",),
}
READERS = {suffix: place for place, suffixes in _MODULES.items() for suffix in suffixes}
"""Suffix → ``module:function`` of its reader, imported when first needed: format libraries cost
time and memory that nobody else should pay for."""
ROWS = frozenset({".jsonl", ".ndjson", ".csv", ".tsv"})
"""Files that may hold a document a row, so that no length is too long for them."""
KNOWN = ", ".join(sorted(READERS))
_BROKEN = "open it in its own program and save it again, or save it as Markdown or plain text"


def suffix_of(name: str) -> str:
    """The suffix that decides how a file is read."""
    return PurePosixPath(name.replace("\\", "/")).suffix.lower()


def reader_for(name: str) -> Reader | None:
    """The reader of a file by its name; ``None`` where there is none."""
    place = READERS.get(suffix_of(name))
    if place is None:
        return None
    module, function = place.split(":")
    return cast(Reader, getattr(importlib.import_module(module), function))


def read(source: Source) -> Iterator[Found]:
    """Everything found in a file, cleaned. Never raises but for lack of memory.

    Whatever a reader or the library behind it trips over costs that file alone.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield from _read(source)
    except BadSource as error:
        yield IngestFailure(path=error.item, reason=error.reason, fix=error.fix)
    except OSError as error:
        yield IngestFailure(
            path=source.item,
            reason=f"the file cannot be read ({error.strerror or error})",
            fix="check that it exists and that you may read it",
        )
    except MemoryError:
        raise
    except RecursionError:
        yield IngestFailure(
            path=source.item, reason="the file is nested too deeply", fix="flatten it"
        )
    except Exception as error:  # noqa: BLE001 - libraries raise anything at a broken file
        kind = type(error).__name__
        yield IngestFailure(path=source.item, reason=f"the file is broken ({kind})", fix=_BROKEN)


def _read(source: Source) -> Iterator[Found]:
    reader = reader_for(source.name)
    if reader is None:
        raise BadSource(
            source.item,
            f"files of type {suffix_of(source.name) or 'unknown'!r} cannot be read",
            f"save it as Markdown, HTML or plain text ({KNOWN})",
        )
    for found in reader(source):
        yield _cleaned(source, found) if isinstance(found, FoundDocument) else found


def _cleaned(source: Source, found: FoundDocument) -> Found:
    if len(found.original) > source.limits.text_chars:
        return IngestFailure(
            path=found.item,
            reason=f"it holds more than {source.limits.text_chars:,} characters of text",
            fix="split it into documents",
        )
    return found.model_copy(update={"cleaned": cleaned_text(found)})
