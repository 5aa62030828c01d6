"""Finds the documents under the given paths and decodes them. Bad ones are values, not ends."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from core.errors import BadSource
from core.models.source import IngestFailure
from core.sources.documents import Found, Reader, Warned
from core.sources.read_files import read_html, read_markdown, read_plain
from core.sources.read_jsonl import read_rows

MAX_BYTES = 20_000_000
"""Default limit for one file of one document. Files of rows have a limit for each row instead."""

READERS: dict[str, Reader] = {
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".mdx": read_markdown,
    ".txt": read_plain,
    ".text": read_plain,
    ".html": read_html,
    ".htm": read_html,
}
_ROWS = {".jsonl", ".ndjson"}
KNOWN = ", ".join(sorted({*READERS, *_ROWS}))
_MAGIC = {
    b"%PDF": "a PDF",
    b"PK\x03\x04": "a ZIP or Office file",
    b"\xd0\xcf\x11\xe0": "an old Office file",
    b"\x89PNG": "an image",
    b"\xff\xd8\xff": "an image",
    b"GIF8": "an image",
    b"\x7fELF": "a program",
    b"\x1f\x8b": "a compressed file",
}
_AS_TEXT = "save it as Markdown, HTML or plain text"


class _File(NamedTuple):
    path: Path
    item: str
    name: str


def load(paths: Sequence[Path], *, max_bytes: int = MAX_BYTES) -> Iterator[Found]:
    """Every document, failure and warning under ``paths``, in a stable order.

    Folders are searched in sorted order without hidden files; links are followed only to places
    inside the folder. A default document id is the path below the folder given.
    """
    for path in paths:
        if path.is_dir():
            for found in _walk(path):
                yield from _read(found, max_bytes) if isinstance(found, _File) else [found]
        elif path.is_file():
            yield from _given(path, max_bytes)
        elif path.exists():
            yield _not_a_file(said(path))
        else:
            yield IngestFailure(
                path=said(path), reason="there is no such file or folder", fix="check the path"
            )


def said(path: Path | str) -> str:
    """A path as text that can be stored and printed: bytes that are not UTF-8 become U+FFFD."""
    return os.fsencode(path).decode("utf-8", "replace")


def _not_a_file(item: str) -> IngestFailure:
    """Reading a pipe or a device would never end."""
    return IngestFailure(
        path=item, reason="it is a device or a pipe, not a file", fix="save the text as a file"
    )


def decode(item: str, data: bytes) -> str:
    """The text of a file. Raises ``BadSource`` for binary data and unknown encodings."""
    if not data.strip():
        raise BadSource(item, "the file is empty", "add the text or delete the file")
    for magic, what in _MAGIC.items():
        if data.startswith(magic):
            raise BadSource(item, f"the file is {what}, not text", _AS_TEXT)
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if b"\0" in data and not wide:
        raise BadSource(item, "the file is binary, not text", _AS_TEXT)
    try:
        return data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadSource(
            item, f"the file is not UTF-8 (byte {error.start})", "save it as UTF-8"
        ) from error


def _given(path: Path, max_bytes: int) -> Iterator[Found]:
    """A file named by the user must be readable; in a folder an unknown one is just passed by."""
    if path.suffix.lower() in READERS or path.suffix.lower() in _ROWS:
        yield from _read(_File(path, said(path), said(path.name)), max_bytes)
    else:
        yield IngestFailure(
            path=said(path),
            reason=f"files of type {path.suffix or 'unknown'!r} cannot be read",
            fix=f"{_AS_TEXT} ({KNOWN})",
        )


def _walk(root: Path) -> Iterator[_File | Warned]:
    home = root.resolve()
    for folder, names, files in os.walk(root, followlinks=False):
        names[:] = sorted(name for name in names if not name.startswith("."))
        for name in sorted(name for name in files if not name.startswith(".")):
            path = Path(folder) / name
            if path.is_symlink() and not path.resolve().is_relative_to(home):
                yield Warned(item=said(path), message="a link to outside the folder was left out")
            elif path.suffix.lower() in READERS or path.suffix.lower() in _ROWS:
                yield _File(path, said(path), said(path.relative_to(root).as_posix()))
            else:
                yield Warned(item=said(path), message=f"not read: only {KNOWN} files are")


def _read(file: _File, max_bytes: int) -> Iterator[Found]:
    if file.path.exists() and not file.path.is_file():
        yield _not_a_file(file.item)
        return
    try:
        if file.path.suffix.lower() in _ROWS:
            yield from read_rows(file.item, _lines(file))
        else:
            text = decode(file.item, _bytes(file, max_bytes))
            yield from READERS[file.path.suffix.lower()](file.item, file.name, text)
    except BadSource as error:
        yield IngestFailure(path=file.item, reason=error.reason, fix=error.fix)
    except OSError as error:
        yield IngestFailure(
            path=file.item,
            reason=f"the file cannot be read ({error.strerror})",
            fix="check that it exists and that you may read it",
        )


def _bytes(file: _File, max_bytes: int) -> bytes:
    length = file.path.stat().st_size
    if length > max_bytes:
        raise BadSource(
            file.item,
            f"the file is too large ({length:,} bytes; the limit is {max_bytes:,})",
            "split it into documents",
        )
    return file.path.read_bytes()


def _lines(file: _File) -> Iterator[str]:
    """Lines one at a time, so that a file of any length can be read."""
    with file.path.open("rb") as stream:
        head = stream.read(4)
        if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            yield from decode(file.item, head + stream.read()).split("\n")
            return
        stream.seek(0)
        empty = True
        for line in stream:
            if line.strip():
                empty = False
                yield decode(file.item, line)
            else:
                yield ""
        if empty:
            raise BadSource(file.item, "the file is empty", "add rows or delete the file")
