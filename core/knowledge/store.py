"""What the owners' screens need from storage, beside the registry that retrieval uses."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Protocol

from core.knowledge.views import LeaningReply, QuarantinedFile, SourceListing
from core.models.base import Model
from core.models.review import SourceFlag
from core.models.source import DocumentVersion
from core.ports import DocumentRegistry


class Demand(Model):
    """How much a version was leaned on: approved replies, and their sum weighted by case risk."""

    replies: int = 0
    weighted: int = 0


class ReverseLedger(Protocol):
    """Which approved replies lean on which document version."""

    def demand(self, tenant_id: str, *, since: datetime) -> Mapping[str, Demand]:
        """By document id; versions nothing leaned on are absent."""
        ...

    def replies(self, document_id: str) -> tuple[LeaningReply, ...]:
        """Approved replies that lean on a version, newest first; undone ones do not count."""
        ...

    def flags(self, tenant_id: str, source_id: str | None = None) -> tuple[SourceFlag, ...]:
        """Flags raised where passages were used, newest first."""
        ...


class SourceCatalog(DocumentRegistry, ReverseLedger, Protocol):
    """The registry with what owners see and do; a change and its audit event are one transaction.

    An owner's change (review, status, withdrawal) holds for exactly the content it was made on: the
    same file taken in again keeps it, a changed file brings its own governance.
    """

    def list_sources(
        self, tenant_id: str, source_id: str | None = None
    ) -> tuple[SourceListing, ...]:
        """A tenant's versions (of one source) without their texts, by source, oldest first."""
        ...

    def mark_reviewed(
        self,
        document_id: str,
        *,
        on: date,
        note: str,
        actor: str,
        content_hash: str | None = None,
    ) -> DocumentVersion:
        """The version is still right as of ``on``.

        Raises ``NotFound``; ``StaleVersion`` when ``content_hash``, the one that was read, is no
        longer the stored one.
        """
        ...

    def supersede(self, document_id: str, *, by: str, on: date, today: date, actor: str) -> None:
        """A version gives way to ``by``; ``on`` is the first day it no longer holds.

        Its status changes at once unless ``on`` lies after ``today``. Raises ``NotFound`` or
        ``BadInput``.
        """
        ...

    def withdraw(self, document_id: str, *, reason: str, actor: str) -> DocumentVersion:
        """Take a version out of use: archived, and no longer ``live``. Raises ``NotFound``.

        A version withdrawn already stays as it is, without another event.
        """
        ...

    def close_flag(
        self, tenant_id: str, flag_id: str, *, resolution: str, actor: str
    ) -> SourceFlag:
        """A flag is settled, and with one side of a conflict the other.

        Raises ``NotFound``; one that is settled already stays as it is, without another event.
        """
        ...

    def quarantined(self, tenant_id: str) -> tuple[QuarantinedFile, ...]:
        """Files that could not be taken in, newest first."""
        ...

    def quarantined_document(self, tenant_id: str, path: str) -> str | None:
        """A quarantined document as it was read, as JSON; ``None`` when it could not be read."""
        ...

    def dismiss_quarantined(self, tenant_id: str, path: str, *, reason: str, actor: str) -> None:
        """Take a file off the quarantine though nothing was done. Raises ``NotFound``."""
        ...
