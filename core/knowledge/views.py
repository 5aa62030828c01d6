"""What the knowledge screen shows: frozen values, ready to lay out."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

from pydantic import Field

from core.models.base import Model
from core.models.review import CaseState, SourceFlag
from core.models.source import DocumentVersion, FreshnessState, Governance, VersionStatus

DiffPart = tuple[Literal["same", "added", "removed"], str]


class SourceListing(Model):
    """A document version without its text. ``withdrawn`` ones are kept for the record only."""

    document_id: str
    source_id: str
    tenant_id: str
    title: str
    governance: Governance
    content_hash: str
    withdrawn: bool = False
    withdrawn_reason: str = ""


class SourceRow(Model):
    """One line of the owner's list: the version in force of one source.

    ``words`` says the state ("stale by 110 days, 14 replies in the last 30 days"). ``urgency`` only
    orders: demand times risk times age.
    """

    source_id: str
    document_id: str
    title: str
    version: str
    owner: str
    authority: str
    state: FreshnessState
    words: str
    last_reviewed: date | None
    due_on: date | None
    replies_last_30_days: int
    open_flags: int = 0
    urgency: float = 0.0
    can_change: bool = False


class VersionRow(Model):
    """One version on the source's line, oldest first. ``words`` says what it is now."""

    document_id: str
    version: str
    status: VersionStatus
    valid_from: date | None
    valid_to: date | None
    withdrawn: bool
    words: str
    replies: int


class PassageRow(Model):
    """A passage as indexed: ``text == document.text[char_start:char_end]``."""

    chunk_id: str
    heading_path: tuple[str, ...]
    char_start: int
    char_end: int
    text: str
    replies: int = 0


class LeaningReply(Model):
    """An approved reply that leans on a version, through which passages, and where it is now."""

    disposition_id: str
    case_id: str
    subject: str
    approved_by: str
    approved_at: datetime
    case_state: CaseState
    chunk_ids: tuple[str, ...]


class SourcePage(Model):
    """A source as its owner opens it, at one of its versions."""

    source_id: str
    row: SourceRow
    versions: tuple[VersionRow, ...]
    document: DocumentVersion
    withdrawn: bool
    passages: tuple[PassageRow, ...]
    replies: tuple[LeaningReply, ...]
    flags: tuple[SourceFlag, ...]


class QuarantinedFile(Model):
    """A file or row that was not taken in, why, and what to do about it."""

    path: str
    reason: str
    fix: str
    since: datetime
    taken_in_by: str
    can_fix: bool = False
    """The text was read and only its metadata is bad: it can be put right on the screen."""
    stated: dict[str, str] = Field(default_factory=dict)
    """What the file itself says about who may read it."""


class OpenDraft(Model):
    """A draft reply that nobody approved yet and that leans on a version."""

    case_id: str
    draft_id: str
    subject: str
    case_state: CaseState
