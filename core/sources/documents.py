"""What readers take and hand on: a file to read, and each document found in it."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any, BinaryIO, Literal, Protocol

from pydantic import Field, field_validator

from core.errors import BadSource
from core.models.base import Model
from core.models.source import IngestFailure
from core.sources.clean import Cleaned
from core.sources.limits import ReadLimits

MediaType = Literal[
    "text/markdown",
    "text/plain",
    "text/html",
    "text/csv",
    "application/pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "message/rfc822",
]


class FoundDocument(Model):
    """A document as a file or row gives it.

    ``item`` names it in messages and in quarantine. ``fields`` holds governance fields by name;
    ``fallback`` those that hold where nothing else states them. ``body`` is where its text starts
    in ``original``, after front matter; the ``original`` of a file that is not text is a Markdown
    rendering of it. ``page_starts`` are offsets in ``original``, page 1 first. ``cleaned`` is its
    cleaned text where the reading process made it.
    """

    item: str
    document_id: str
    source_id: str
    title: str
    original: str
    body: int = 0
    media_type: MediaType = "text/markdown"
    fields: dict[str, Any] = Field(default_factory=dict)
    fallback: dict[str, Any] = Field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    page_starts: tuple[int, ...] = ()
    cleaned: Cleaned | None = None

    @field_validator("fields", "fallback", mode="before")
    @classmethod
    def _plain(cls, value: object) -> object:
        return plain(value)


class Warned(Model):
    """Something worth saying that did not stop anything."""

    item: str
    message: str


Found = FoundDocument | IngestFailure | Warned


class Source:
    """One file to read: where its bytes are, what to call it, and what it may cost.

    ``item`` names it in messages; ``name`` is its default document id and its suffix says its
    type. ``alive`` is called at each sign of progress. ``depth`` counts the mails around it.
    """

    def __init__(
        self,
        item: str,
        name: str,
        where: Path | bytes,
        limits: ReadLimits,
        *,
        alive: Callable[[], None] = lambda: None,
        depth: int = 0,
    ) -> None:
        self.item, self.name, self.limits = item, name, limits
        self.alive, self.depth = alive, depth
        self._where = where

    def open(self) -> BinaryIO:
        """The bytes as a stream; the caller closes it."""
        if isinstance(self._where, bytes):
            return io.BytesIO(self._where)
        return self._where.open("rb")

    def bytes(self, most: int) -> bytes:
        """All bytes. Raises ``BadSource`` when there are more than ``most``, or none."""
        length = len(self._where) if isinstance(self._where, bytes) else self._where.stat().st_size
        if length > most:
            raise BadSource(
                self.item,
                f"the file is too large ({length:,} bytes; the limit is {most:,})",
                "split it into documents",
            )
        with self.open() as stream:
            data = stream.read(most + 1)
        if not data.strip():
            raise BadSource(self.item, "the file is empty", "add the text or delete the file")
        return data


class Reader(Protocol):
    """Reads one file. A bad part of it becomes an ``IngestFailure``; the rest goes on."""

    def __call__(self, source: Source) -> Iterator[Found]:
        """Raises ``BadSource`` when nothing of the file can be read."""
        ...


def plain(value: object) -> object:
    """``value`` as JSON can hold it: dates as YYYY-MM-DD, what JSON has no word for as text."""
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [plain(inner) for inner in value]
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return value if value - value == 0 else str(value)  # not a number, or endless
    if value is None or isinstance(value, (str, int)):
        return value
    return str(value)
