"""Governed documents, their versions, and the passages cut from them."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

from pydantic import Field, model_validator

from core.models.access import Classification
from core.models.base import Model
from core.models.request import Language

Authority = Literal[
    "official_policy",
    "approved_procedure",
    "case_record",
    "draft",
    "faq",
    "user_upload",
    "community_forum",
]
VersionStatus = Literal["active", "draft", "superseded", "archived"]
FreshnessState = Literal["fresh", "due_soon", "stale", "unknown"]
PassageKind = Literal["prose", "list", "table", "code"]


class Governance(Model):
    """What is known of a document version besides its text.

    ``permission_tag`` is ``PUBLIC``, ``INTERNAL_ONLY``, ``CONFIDENTIAL_DEPT_<X>`` or
    ``PERSONAL_DATA_PII``. ``signed`` says whether somebody answers for it: an unsigned FAQ or
    draft ranks below a signed one. ``scope_note`` is set when a version says it covers only a
    special case. Dates are local calendar days; ``valid_to`` is the first day it no longer holds.
    """

    owner: str
    authority: Authority = "faq"
    status: VersionStatus = "active"
    version: str = "1"
    signed: bool = True
    valid_from: date | None = None
    valid_to: date | None = None
    last_reviewed: date | None = None
    review_sla_days: int = Field(default=90, ge=1)
    classification: Classification = "public"
    permission_tag: str = "PUBLIC"
    acl_policy_id: str = "public"
    department: str = ""
    region: str = ""
    product: str = ""
    language: Language = "en"
    supersedes: str | None = None
    scope_note: str = ""
    source_type: Literal[
        "CONFLUENCE_PAGE",
        "SALESFORCE_CASE",
        "SHAREPOINT_DOCX",
        "INTERNAL_DB_TABLE",
        "FILE",
        "WEB_PAGE",
    ] = "FILE"
    uri: str = ""

    @model_validator(mode="after")
    def _dates_in_order(self) -> Governance:
        if self.valid_from and self.valid_to and self.valid_to < self.valid_from:
            raise ValueError("valid_to lies before valid_from")
        return self


class SpanMap(Model):
    """Maps character offsets of the cleaned text back to the original text.

    ``anchors`` are ``(clean_offset, original_offset)`` pairs in rising order: between two anchors
    both texts advance together. ``core.sources.clean`` builds it and looks offsets up.
    """

    anchors: tuple[tuple[int, int], ...] = ((0, 0),)


class DocumentVersion(Model):
    """One dated version of a governed document.

    ``source_id`` names the document through all its versions; ``document_id`` names this version
    and is what the ingested file or row called itself. ``text`` is the cleaned text that passages
    are exact spans of; ``original_text`` the decoded input. ``content_hash`` covers text and
    governance, so an unchanged re-ingest is recognised.
    """

    document_id: str
    source_id: str
    tenant_id: str
    title: str
    text: str
    original_text: str
    span_map: SpanMap = SpanMap()
    media_type: str = "text/markdown"
    governance: Governance
    page_starts: tuple[int, ...] = ()
    """Offsets in ``text`` where each page begins, page 1 first; empty for a text without pages."""
    content_hash: str
    ingested_at: datetime | None = None


class StoredState(Model):
    """A stored version without its text: how often it changed, and where it stands.

    ``indexed`` says that its passages were written to the index as it is now.
    """

    document_id: str
    tenant_id: str
    revision: int
    withdrawn: bool
    indexed: bool


class Passage(Model):
    """The unit of retrieval: ``text == version.text[char_start:char_end]``, always.

    ``context`` is what the encoder and the full-text index read besides the text (title and
    heading path, a table's header row); it is never quoted.
    """

    chunk_id: str
    document_id: str
    source_id: str
    tenant_id: str
    ordinal: int
    text: str
    context: str
    title: str
    heading_path: tuple[str, ...] = ()
    kind: PassageKind = "prose"
    char_start: int
    char_end: int
    page_start: int | None = None
    page_end: int | None = None
    content_hash: str
    text_key: str = ""
    """Equal for passages that say the same in other spacing, case or marks; never over values."""
    governance: Governance


class IngestFailure(Model):
    """A file or row that was not taken in, why, and what to do about it."""

    path: str
    reason: str
    fix: str = ""


class IngestProgress(Model):
    """How far an ingest or a rebuild is, told after each document and each batch written.

    ``total`` is the number of documents that a first look counted, ``None`` when it could not
    tell; ``documents`` may pass it (a mail brings its attachments along). ``seconds_left`` is
    ``None`` until there is something to go by.
    """

    phase: Literal["reading", "finishing", "done"] = "reading"
    documents: int = 0
    """Documents handled so far, whatever became of them."""
    total: int | None = None
    passages: int = 0
    """Passages written so far."""
    encoded: int = 0
    """Passages that needed a new vector; the others kept the one they had."""
    unchanged: int = 0
    failed: int = 0
    item: str = ""
    """The file or row handled last."""
    seconds: float = 0.0
    passages_per_second: float = 0.0
    seconds_left: float | None = None


class IngestReport(Model):
    """What an ingest did. ``unchanged`` counts documents already stored with the same hash."""

    documents: int = 0
    passages: int = 0
    unchanged: int = 0
    duplicates: int = 0
    """Passages whose text was already there in another document."""
    encoded: int = 0
    """Passages that needed a new vector; the others kept the one they had."""
    missing: tuple[str, ...] = ()
    """Ids of stored documents whose file or row was given before and is not there any more."""
    withdrawn: tuple[str, ...] = ()
    """Those of them that were withdrawn, because that was asked for."""
    failed: tuple[IngestFailure, ...] = ()
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0
