"""Finds the documents under the given paths and has them read. Bad ones are values, not ends."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.errors import BadSource
from core.models.source import IngestFailure
from core.sources.beside import Collections, described, is_beside
from core.sources.documents import Found, Warned
from core.sources.hidden import UNPRINTABLE
from core.sources.limits import MAX_BYTES, ReadLimits
from core.sources.parse import FileToRead, Parser
from core.sources.readers import KNOWN, READERS, suffix_of

__all__ = ["MAX_BYTES", "list_files", "load", "said"]

_AS_TEXT = "save it as Markdown, HTML or plain text"

Listed = FileToRead | IngestFailure | Warned
"""A file to read, or what there is to say instead."""


def load(
    paths: Sequence[Path], *, max_bytes: int = MAX_BYTES, parser: Parser | None = None
) -> Iterator[Found]:
    """Every document, failure and warning under ``paths``, in a stable order.

    Folders are searched in sorted order without hidden files; links are followed only to places
    inside the folder. A default document id is the path below the folder given. Each file is read
    in a process of its own, which reads ahead while the caller works; ``parser`` is used instead
    of a new one when given, with its own limits.
    """
    if parser is not None:
        yield from _read(parser, list_files(paths))
        return
    with Parser(ReadLimits(file_bytes=max_bytes)) as own:
        yield from _read(own, list_files(paths))


def list_files(paths: Sequence[Path]) -> Iterator[Listed]:
    """The files that ``load`` reads, with the governance beside them, and what it passes by."""
    collections = Collections()
    for path in paths:
        if path.is_dir():
            for listed in _walk(path):
                yield from _with_governance(collections, listed)
        else:
            yield from _with_governance(collections, _given(path))


def said(path: Path | str) -> str:
    """A path as text that can be stored and printed.

    Bytes that are not UTF-8, terminal codes and marks that reorder text become U+FFFD.
    """
    return UNPRINTABLE.sub("\ufffd", os.fsencode(path).decode("utf-8", "replace"))


def _read(parser: Parser, listed: Iterator[Listed]) -> Iterator[Found]:
    """Runs of files are handed over together, so that they are read ahead."""
    rest = iter(listed)
    others: list[IngestFailure | Warned] = []

    def run() -> Iterator[FileToRead]:
        for thing in rest:
            if not isinstance(thing, FileToRead):
                others.append(thing)
                return
            yield thing

    while True:
        yield from parser.parse_files(run())
        if not others:
            return
        yield others.pop()


def _with_governance(collections: Collections, listed: Listed) -> Iterator[Listed]:
    if not isinstance(listed, FileToRead):
        yield listed
        return
    try:
        yield listed._replace(beside=collections.of(listed.path))
    except BadSource as error:
        for bad in collections.unsaid():
            yield IngestFailure(path=bad.item, reason=bad.reason, fix=bad.fix)
        yield IngestFailure(path=listed.item, reason=error.reason, fix=error.fix)


def _given(path: Path) -> Listed:
    """A file named by the user must be readable; in a folder an unknown one is just passed by."""
    item = said(path)
    if not path.exists():
        return IngestFailure(
            path=item, reason="there is no such file or folder", fix="check the path"
        )
    if not path.is_file():
        return _not_a_file(item)
    if is_beside(path.name):
        return IngestFailure(
            path=item,
            reason="it describes other files and is no document",
            fix="name the files it describes instead",
        )
    if suffix_of(path.name) in READERS:
        return FileToRead(path, item, said(path.name))
    return IngestFailure(
        path=item,
        reason=f"files of type {path.suffix or 'unknown'!r} cannot be read",
        fix=f"{_AS_TEXT} ({KNOWN})",
    )


def _walk(root: Path) -> Iterator[Listed]:
    home = root.resolve()
    for folder, names, files in os.walk(root, followlinks=False):
        names[:] = sorted(name for name in names if not name.startswith("."))
        for name in sorted(name for name in files if not name.startswith(".")):
            path = Path(folder) / name
            if is_beside(name):
                yield from _lone_sidecar(path)
            else:
                yield _listed(path, home, said(path.relative_to(root).as_posix()))


def _listed(path: Path, home: Path, name: str) -> Listed:
    item = said(path)
    if path.is_symlink() and not path.exists():
        return IngestFailure(path=item, reason="the link leads nowhere", fix="repair or remove it")
    if path.is_symlink() and not path.resolve().is_relative_to(home):
        return Warned(item=item, message="a link to outside the folder was left out")
    if suffix_of(path.name) not in READERS:
        return Warned(item=item, message=f"not read: only {KNOWN} files are")
    if path.exists() and not path.is_file():
        return _not_a_file(item)
    return FileToRead(path, item, name)


def _lone_sidecar(path: Path) -> Iterator[Listed]:
    file = described(path)
    if file is not None and not file.exists():
        yield Warned(item=said(path), message=f"there is no file {said(file.name)} beside it")


def _not_a_file(item: str) -> IngestFailure:
    """Reading a pipe or a device would never end."""
    return IngestFailure(
        path=item, reason="it is a device or a pipe, not a file", fix="save the text as a file"
    )
