"""What is kept of an upload between the drop and the publication. Nothing of it is searched."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from core.models.base import Model
from core.models.source import DocumentVersion

FileState = Literal["waiting", "reading", "read", "failed", "dismissed"]
DraftState = Literal["needs_metadata", "ready", "queued", "published", "discarded", "failed"]

NEW_SOURCE = "\x00new"
"""The choice that an upload is a source of its own. No source id holds a NUL."""

OPEN: tuple[DraftState, ...] = ("needs_metadata", "ready", "queued", "failed")
"""States in which a draft still waits for a person or for its publication."""


class DroppedFile(Model):
    """A file as it was dropped; its bytes are kept until they are read.

    ``process`` names who reads it. A failed one says why and what to do.
    """

    file_id: str
    tenant_id: str
    name: str
    bytes_hash: str
    size: int
    uploaded_by: str
    uploaded_at: datetime
    state: FileState = "waiting"
    reason: str = ""
    fix: str = ""
    warnings: tuple[str, ...] = ()
    documents: int = 0


class Overlap(Model):
    """A stored version that shares sentences with an upload: ``shared`` of ``of_new``."""

    document_id: str
    shared: int
    of_new: int
    of_old: int


class Repeat(Model):
    """A stretch of an upload that stands word for word in stored versions."""

    start: int
    end: int
    document_ids: tuple[str, ...]


class Replaced(Model):
    """What publishing changed on the version before, so that it can be undone."""

    document_id: str
    before: str
    after: str


class UploadDraft(Model):
    """One document of a dropped file on its way to publication, without its text.

    ``preset`` are the fields set from the rights of whoever dropped it, ``stated`` those the file
    gives, ``edited`` what a person typed over both; all as text. ``problem`` says what went wrong
    when it was read or published. ``source_choice`` is a source id, ``NEW_SOURCE``, or empty for
    what is suggested.
    """

    upload_id: str
    tenant_id: str
    file_id: str
    file_name: str
    item: str
    title: str
    uploaded_by: str
    created_at: datetime
    updated_by: str
    updated_at: datetime
    revision: int = 1
    state: DraftState = "needs_metadata"
    named_id: str = ""
    named_source: str = ""
    preset: dict[str, str] = Field(default_factory=dict)
    stated: dict[str, str] = Field(default_factory=dict)
    edited: dict[str, str] = Field(default_factory=dict)
    source_choice: str = ""
    language: str = "en"
    words: int = 0
    warnings: tuple[str, ...] = ()
    overlaps: tuple[Overlap, ...] = ()
    repeats: tuple[Repeat, ...] = ()
    problem: str = ""
    identical: bool = False
    quarantined: str = ""
    """The path it is quarantined under, for one that is put right on the screen."""
    queued_by: str = ""
    batch_id: str = ""
    document_id: str = ""
    source_id: str = ""
    replaced: Replaced | None = None

    @property
    def access(self) -> dict[str, str]:
        """What it says about who may read it."""
        given = {**self.preset, **self.stated, **self.edited}
        return {n: given.get(n, "") for n in ("classification", "acl_policy_id")}

    def changed(self, **values: Any) -> UploadDraft:
        """A validated copy with other values."""
        return UploadDraft.model_validate({**self.model_dump(), **values})


class FullDraft(Model):
    """A draft with the version it was read into; the version's governance is a placeholder."""

    draft: UploadDraft
    version: DocumentVersion
