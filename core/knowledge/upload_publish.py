"""Publishes queued drafts: searchable the moment they are stored, or not at all.

The order makes that so. First the passages go into the index, where nobody finds them: retrieval
drops what the registry does not know. Then one transaction stores the version as indexed, ends the
version before, and writes the audit events. Whatever fails before it leaves the passages to be
removed; what fails after it (the old version's dates in the index) is only tidiness, for retrieval
reads status and dates from the registry.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import NamedTuple

from core.errors import BadInput, Conflicted, CountersignError, NotFound
from core.knowledge.store import SourceCatalog
from core.knowledge.upload_form import Asker, AskerOf
from core.knowledge.upload_match import Known
from core.knowledge.upload_models import FullDraft, Replaced, UploadDraft
from core.knowledge.upload_plan import plan_of, publication_of, readable, texts
from core.knowledge.upload_store import Publication, UploadStore
from core.models.source import Passage
from core.ports import Clock, TokenCounter
from core.sources.chunk import chunk
from core.sources.intake import IntakeIndex

log = logging.getLogger("countersign.knowledge")


class Outcome(NamedTuple):
    """What became of a draft: published with so many passages, or refused."""

    draft: UploadDraft
    passages: int


class _Cut(NamedTuple):
    publication: Publication
    passages: tuple[Passage, ...]


class Publisher:
    """Publishes drafts with the rights of whoever asked for it, as they are now."""

    def __init__(
        self,
        *,
        store: UploadStore,
        registry: SourceCatalog,
        index: IntakeIndex,
        tokens: TokenCounter | None,
        asker_of: AskerOf,
        clock: Clock,
    ) -> None:
        self._store, self._registry, self._index = store, registry, index
        self._tokens, self._asker_of, self._clock = tokens, asker_of, clock

    def publish(self, batch: Sequence[FullDraft]) -> tuple[Outcome, ...]:
        """Publish what may be published; the rest goes back to its owner with the reason.

        Raises ``Unavailable`` when the index or the database is away: nothing of the batch that
        was not stored by then is published.
        """
        outcomes: list[Outcome] = []
        cuts: list[_Cut] = []
        known: dict[str, Known] = {}
        for full in batch:
            found = self._cut(full, cuts, known)
            if isinstance(found, _Cut):
                cuts.append(found)
            else:
                outcomes.append(Outcome(found, 0))
        if cuts:
            self._index.prepare([passage for cut in cuts for passage in cut.passages])
            with self._index.writing():
                self._index.replace_documents(
                    [(c.publication.version.document_id, c.passages) for c in cuts]
                )
                written = self._index.version()
                stored = [self._store_one(cut, written) for cut in cuts]
                self._index_again([o.draft.replaced for o in stored if o.draft.replaced])
                outcomes += stored
        return tuple(outcomes)

    def _cut(
        self, full: FullDraft, before: Sequence[_Cut], known: dict[str, Known]
    ) -> _Cut | UploadDraft:
        """The version and its passages; the draft as sent back when it may not be published."""
        try:
            asker = self._asker_of(full.draft.queued_by)
            name = asker.user.user_id
            if name not in known:
                known[name] = readable(self._registry, asker)
            publication = self._publication(full, asker, known[name])
            self._refuse_twin(publication, before)
        except CountersignError as error:
            return self._send_back(full.draft, str(error))
        return _Cut(publication, chunk(publication.version, self._tokens))

    def _publication(self, full: FullDraft, asker: Asker, sources: Known) -> Publication:
        plan = plan_of(full, asker, sources, texts(self._registry))
        if plan.blocking:
            first = plan.blocking[0]
            raise BadInput(f"{first.reason}: {first.fix}")
        return publication_of(full, plan, asker, self._registry)

    def _refuse_twin(self, publication: Publication, before: Sequence[_Cut]) -> None:
        """Two uploads of one source, or under one id, wait for each other."""
        for cut in before:
            other = cut.publication
            same_id = other.version.document_id == publication.version.document_id
            if same_id or other.version.source_id == publication.version.source_id:
                raise Conflicted(
                    f"{other.draft.title} of the same drop became a version of that source. "
                    "Look at it again, then publish it."
                )

    def _store_one(self, cut: _Cut, index_version: str) -> Outcome:
        publication = cut.publication
        name = publication.version.document_id
        try:
            saved = self._store.publish(
                publication,
                index_version=index_version,
                actor=publication.draft.queued_by,
            )
        except (BadInput, Conflicted, NotFound) as error:
            self._index.remove_document(name)
            return Outcome(self._send_back(publication.draft, str(error)), 0)
        if saved.quarantined:
            self._registry.clear_quarantine(saved.tenant_id, saved.quarantined)
        return Outcome(saved, len(cut.passages))

    def _send_back(self, draft: UploadDraft, reason: str) -> UploadDraft:
        changed = draft.changed(
            state="needs_metadata", problem=reason, updated_at=self._clock.now(), queued_by=""
        )
        return self._store.save(changed, seen=draft.revision, event="upload.sent_back")

    def _index_again(self, changed: Sequence[Replaced]) -> None:
        """Bring the index up to a changed status. Failing is logged: retrieval does not need it."""
        names = [replaced.document_id for replaced in changed]
        if not names:
            return
        try:
            versions = [v for name in names if (v := self._registry.get(name)) is not None]
            self._index.replace_documents(
                [(v.document_id, chunk(v, self._tokens)) for v in versions]
            )
            self._registry.mark_indexed(names, self._index.version())
        except CountersignError as error:
            log.warning("%s keep their old dates in the index: %s", names, error)

    def undo(self, draft: UploadDraft, *, reason: str, actor: str) -> UploadDraft:
        """Withdraw what was published and reinstate what it replaced, in one transaction."""
        saved = self._store.unpublish(draft, reason=reason, actor=actor)
        try:
            self._index.remove_document(draft.document_id)
        except CountersignError as error:
            log.warning("%s is withdrawn but still in the index: %s", draft.document_id, error)
        if draft.replaced is not None:
            self._index_again([draft.replaced])
        return saved

    def finish(self) -> None:
        """Fold what was added into the search indexes."""
        self._index.finish()
