"""What readers hand on: one document as found, before it is cleaned and cut."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, Protocol

from pydantic import Field

from core.models.base import Model
from core.models.source import IngestFailure

MediaType = Literal["text/markdown", "text/plain", "text/html"]


class FoundDocument(Model):
    """A document as a file or row gives it.

    ``item`` names it in messages and in quarantine. ``fields`` holds governance fields by name;
    ``body`` is where its text starts in ``original``, after front matter.
    """

    item: str
    document_id: str
    source_id: str
    title: str
    original: str
    body: int = 0
    media_type: MediaType = "text/markdown"
    fields: dict[str, Any] = Field(default_factory=dict)
    warnings: tuple[str, ...] = ()


class Warned(Model):
    """Something worth saying that did not stop anything."""

    item: str
    message: str


Found = FoundDocument | IngestFailure | Warned


class Reader(Protocol):
    """Reads one decoded file. A bad part of it becomes an ``IngestFailure``; the rest goes on."""

    def __call__(self, item: str, name: str, text: str) -> Iterator[Found]:
        """``item`` names the file in messages; ``name`` is its default document id."""
        ...
