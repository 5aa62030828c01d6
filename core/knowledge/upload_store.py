"""What uploads need from storage. Every change and its audit event are one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Protocol

from core.knowledge.upload_models import DraftState, DroppedFile, FullDraft, UploadDraft
from core.knowledge.views import OpenDraft
from core.models.base import Model
from core.models.source import DocumentVersion


class Publication(Model):
    """A version to publish in one step: stored, marked indexed, the one before superseded.

    ``replaces`` is the version before and ``on`` the first day it no longer holds.
    """

    draft: UploadDraft
    version: DocumentVersion
    replaces: str = ""
    on: date | None = None


class UploadStore(Protocol):
    """Dropped files and the drafts read from them."""

    def add_file(self, file: DroppedFile, data: bytes) -> DroppedFile:
        """Keep a file to be read. The same bytes under the same name, still open, come back."""
        ...

    def files(self, tenant_id: str) -> tuple[DroppedFile, ...]:
        """Files that wait, are being read or failed; newest first."""
        ...

    def claim_file(self, process: str) -> tuple[DroppedFile, bytes] | None:
        """The next file to read, now this process's; ``None`` when there is none.

        One that another process claimed comes when that process has been silent for long.
        """
        ...

    def finish_file(self, file: DroppedFile, drafts: Sequence[FullDraft]) -> None:
        """Store what was read and let the bytes go."""
        ...

    def dismiss_file(self, file: DroppedFile, *, actor: str) -> None:
        """Take a failed file off the list."""
        ...

    def add_draft(self, full: FullDraft) -> None:
        """Store a draft that came from elsewhere than a dropped file."""
        ...

    def drafts(
        self, tenant_id: str, states: Sequence[DraftState] | None = None
    ) -> tuple[UploadDraft, ...]:
        """Drafts in these states, newest change first."""
        ...

    def draft(self, upload_id: str) -> FullDraft | None:
        """One draft with its text."""
        ...

    def save(self, draft: UploadDraft, *, seen: int, event: str = "") -> UploadDraft:
        """Store ``draft`` over the revision ``seen``; ``event`` is audited when given.

        Raises ``StaleVersion`` when it changed meanwhile, ``NotFound``.
        """
        ...

    def save_all(self, drafts: Sequence[UploadDraft], *, event: str) -> int:
        """``save`` many at once, each over its own revision; those that changed are left alone.

        Returns how many were stored.
        """
        ...

    def claim_queued(self, process: str, limit: int) -> tuple[FullDraft, ...]:
        """Queued drafts, oldest first, now this process's to publish."""
        ...

    def release(self, process: str) -> None:
        """Give back what this process claimed and did not finish."""
        ...

    def publish(self, publication: Publication, *, index_version: str, actor: str) -> UploadDraft:
        """All of it or nothing. Raises ``BadSource``, ``BadInput``, ``StaleVersion``."""
        ...

    def unpublish(self, draft: UploadDraft, *, reason: str, actor: str) -> UploadDraft:
        """Withdraw the published version and put the one before back as it was."""
        ...

    def open_drafts(self, tenant_id: str, document_id: str) -> tuple[OpenDraft, ...]:
        """Drafts of open cases that lean on a version, newest first."""
        ...
