"""What owners do with their sources. Pages and the command line call it.

A change is stored with its audit event first; retrieval checks every candidate against that store
again, so it holds at once, and the index follows.
"""

from __future__ import annotations

from datetime import date
from typing import Unpack

from core.errors import BadInput, IntegrityBroken, NotAllowed, NotFound, TryAgainLater, Unavailable
from core.knowledge.duplicate_finder import DuplicateFinder, DuplicateFindings
from core.knowledge.reading import ReaderParts, SourceReader
from core.knowledge.upload_desk import UploadDesk
from core.knowledge.views import SourceListing, SourcePage
from core.models.review import SourceFlag
from core.models.source import DocumentVersion
from core.sources.chunk import chunk


class KnowledgeShelf(SourceReader):
    """The sources as one signed-in user may see and change them; stateless, thread-safe.

    An owner changes what names them or their department as owner; supervisors and administrators
    change whatever they may read; others get ``NotAllowed``. Without an ``index`` changes are only
    stored. ``tokens`` is the counter that documents were cut with when they were taken in.
    """

    def __init__(
        self,
        *,
        uploads: UploadDesk | None = None,
        finder: DuplicateFinder | None = None,
        **parts: Unpack[ReaderParts],
    ) -> None:
        super().__init__(**parts)
        self.uploads = uploads
        """Taking documents in; ``None`` for people who may not."""
        self._finder = finder

    def mark_reviewed(
        self, source_id: str, document_id: str, note: str = "", *, content_hash: str | None = None
    ) -> SourcePage:
        """The version is still right, as of today.

        Raises ``NotFound``, and ``StaleVersion`` when the text is no longer the one with
        ``content_hash`` (the one that was read).
        """
        listing = self._changeable(document_id)
        if listing.source_id != source_id:
            raise NotFound(f"{document_id!r} is no version of {source_id!r}.")
        if listing.withdrawn:
            raise BadInput(f"{document_id} is withdrawn; there is nothing to review.")
        # Retrieval reads the review date from the registry: the index need not follow.
        self._registry.mark_reviewed(
            document_id,
            on=self._today(),
            note=note,
            actor=self.user.user_id,
            content_hash=content_hash,
        )
        return self.source(source_id, document_id)

    def mark_reviewed_version(self, document_id: str, *, note: str = "") -> SourcePage:
        """``mark_reviewed`` by the version's id alone."""
        return self.mark_reviewed(self._changeable(document_id).source_id, document_id, note)

    def supersede(self, document_id: str, by: str, on: date | None = None) -> SourcePage:
        """A newer version replaces this one; ``on`` is the first day it no longer holds (today).

        Raises ``BadInput`` when that day lies before its first, or ``by`` cannot replace anything.
        """
        old, new = self._changeable(document_id), self._changeable(by)
        if old.withdrawn or new.withdrawn:
            raise BadInput("A withdrawn version neither replaces another nor needs replacing.")
        if new.governance.status != "active":
            raise BadInput(
                f"{by} is {new.governance.status}: only an active version replaces another."
            )
        today = self._today()
        self._registry.supersede(
            document_id, by=by, on=on or today, today=today, actor=self.user.user_id
        )
        for name in (document_id, by):
            self._index_again(self._document(name))
        return self.source(old.source_id)

    def withdraw(self, document_id: str, reason: str) -> SourcePage:
        """Take a version out of use at once, and prove that the index holds nothing of it.

        Raises ``BadInput`` without a reason, ``TryAgainLater`` when the version is withdrawn but
        its passages could not be removed yet (retrieval leaves it out all the same).
        """
        listing = self._changeable(document_id)
        if not reason.strip():
            raise BadInput("Say why the version is withdrawn.")
        self._registry.withdraw(document_id, reason=reason.strip(), actor=self.user.user_id)
        self._remove_from_index(document_id)
        return self.source(listing.source_id, document_id)

    def close_flag(self, flag_id: str, resolution: str) -> SourceFlag:
        """Say how a flag was settled; of a task on two sources both flags are.

        Either source's owner may. Raises ``BadInput`` without words, ``NotFound``, ``NotAllowed``.
        """
        if not resolution.strip():
            raise BadInput("Say how it was settled.")
        flag = next((f for f in self.flags() if f.flag_id == flag_id), None)
        if flag is None:
            raise NotFound(f"There is no flag {flag_id!r} on a source you may read.")
        self._changeable(flag.document_id)
        self._registry.close_flag(
            self._context.tenant_id, flag_id, resolution=resolution.strip(), actor=self.user.user_id
        )
        return next(f for f in self.flags() if f.flag_id == flag_id)

    def may_settle(self, flag: SourceFlag) -> bool:
        """Whether this user answers for the flagged version."""
        return flag.state == "open" and self._may_change(self._listing(flag.document_id))

    def duplicates(self) -> DuplicateFindings:
        """Texts in several sources I may open; looking for them goes on beside the caller.

        Raises ``NotAllowed`` for people who own no sources.
        """
        self._owners_only("the duplicates")
        if self._finder is None:
            return DuplicateFindings(phase="failed", words="There is nothing to look with.")
        return self._finder.look(self._context)

    def look_for_duplicates_again(self) -> None:
        """Drop what was found for my rights."""
        if self._finder is not None:
            self._finder.forget(self._context)

    def dismiss_quarantined(self, path: str, reason: str) -> None:
        """Take a file off the quarantine. Raises ``BadInput`` without a reason, ``NotFound``."""
        if not reason.strip():
            raise BadInput("Say why nothing needs to be done about it.")
        if path not in {file.path for file in self.quarantine()}:
            raise NotFound(f"{path} is not in the quarantine any more.")
        self._registry.dismiss_quarantined(
            self._context.tenant_id, path, reason=reason.strip(), actor=self.user.user_id
        )

    def _changeable(self, document_id: str) -> SourceListing:
        listing = self._listing(document_id)
        if not self._may_change(listing):
            raise NotAllowed(f"{document_id} belongs to {listing.governance.owner}; ask them.")
        return listing

    def _index_again(self, version: DocumentVersion) -> None:
        if self._index is None:
            return
        self._index.replace_document(version.document_id, chunk(version, self._tokens))
        self._registry.mark_indexed([version.document_id], self._index.version())

    def _remove_from_index(self, document_id: str) -> None:
        if self._index is None:
            return
        try:
            self._index.remove_document(document_id)
            left = self._index.passages_of(document_id)
        except Unavailable as error:
            raise TryAgainLater(
                f"{document_id} is withdrawn and no longer used, but its passages are still in "
                f"the index ({error}). Withdraw it again to remove them."
            ) from error
        if left:
            raise IntegrityBroken(f"{len(left)} passages of {document_id} are still in the index.")
