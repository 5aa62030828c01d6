"""What a signed-in user does with uploads. Pages call it; stateless, thread-safe."""

from __future__ import annotations

import hashlib

from core.errors import BadInput, NotAllowed, NotFound, NotReady
from core.knowledge.upload_form import LABELS
from core.knowledge.upload_look import UploadLook
from core.knowledge.upload_match import Known
from core.knowledge.upload_models import NEW_SOURCE, OPEN, DroppedFile, FullDraft, UploadDraft
from core.knowledge.upload_views import UploadList
from core.knowledge.upload_worker import Work
from core.sources.documents import FoundDocument

_SHOWN_PUBLISHED = 20
_LONGEST_VALUE = 2_000
_QUEUED = "upload.queued"


class UploadDesk(UploadLook):
    """Dropping, filling in, publishing and taking back, each within the person's rights."""

    # -- dropping and listing -------------------------------------------------------------------

    def receive(self, name: str, data: bytes) -> DroppedFile:
        """Keep a dropped file and have it read. Raises ``BadInput`` for one that is too large."""
        most = self.limits.max_file_mb * 1024 * 1024
        if len(data) > most:
            raise BadInput(f"{name} is larger than {self.limits.max_file_mb} MB. Split it.")
        if not data:
            raise BadInput(f"{name} is empty. Add the text and drop it again.")
        file = DroppedFile(
            file_id=self._ids.new("file"),
            tenant_id=self._tenant,
            name=_plain_name(name),
            bytes_hash=hashlib.sha256(data).hexdigest(),
            size=len(data),
            uploaded_by=self._me,
            uploaded_at=self._clock.now(),
        )
        kept = self._store.add_file(file, data)
        self._worker.wake()
        return kept

    def uploads(self) -> UploadList:
        """What waits and what was published lately. Work that nobody does is taken up again."""
        files = tuple(f for f in self._store.files(self._tenant) if f.uploaded_by == self._me)
        drafts = [d for d in self._store.drafts(self._tenant, OPEN) if self._may_open(d)]
        published = [
            d for d in self._store.drafts(self._tenant, ("published",)) if self._may_open(d)
        ][:_SHOWN_PUBLISHED]
        if any(f.state != "failed" for f in files) or any(d.state == "queued" for d in drafts):
            self._keep_working()
        return UploadList(
            files=files,
            drafts=tuple(self._row(d) for d in drafts),
            published=tuple(self._row(d) for d in published),
        )

    def beyond_rights(self) -> frozenset[str]:
        """Ids of uploads and dropped files that this user may not know of."""
        drafts = self._store.drafts(self._tenant, (*OPEN, "published", "discarded"))
        opened = [d for d in drafts if self._may_open(d)]
        shown = {d.upload_id for d in opened} | {d.file_id for d in opened}
        every = {d.upload_id for d in drafts} | {d.file_id for d in drafts}
        files = {f.file_id for f in self._store.files(self._tenant) if f.uploaded_by != self._me}
        return frozenset((every | files) - shown - {""})

    def work(self) -> Work:
        """What is being read and published in this process."""
        return self._worker.work()

    def try_again(self) -> None:
        """Take up what waits."""
        self._worker.wake()

    def dismiss_file(self, file_id: str) -> None:
        """Take one of my failed files off the list. Raises ``NotFound``."""
        file = next((f for f in self._store.files(self._tenant) if f.file_id == file_id), None)
        if file is None or file.uploaded_by != self._me:
            raise NotFound("That file is not on your list any more.")
        if file.state != "failed":
            raise BadInput(f"{file.name} is still being read.")
        self._store.dismiss_file(file, actor=self._me)

    def _keep_working(self) -> None:
        work = self._worker.work()
        if not work.running and not work.trouble:
            self._worker.wake()

    # -- one draft ------------------------------------------------------------------------------

    def edit(self, upload_id: str, name: str, value: str) -> None:
        """Set one field of the form; it is kept at once. Raises ``BadInput``, ``NotFound``."""
        if name not in LABELS:
            raise BadInput(f"There is no field {name!r}.")
        full = self._changeable(upload_id)
        value = value.replace("\0", "").strip()
        if len(value) > _LONGEST_VALUE:
            raise BadInput(f"{LABELS[name]} is longer than {_LONGEST_VALUE} characters.")
        sources = self._sources()
        if self._plan(full, sources).values[name] != value:
            self._keep(full, sources, edited={**full.draft.edited, name: value})

    def choose_source(self, upload_id: str, source_id: str) -> None:
        """It is a new version of this source, or (``NEW_SOURCE``) one of its own."""
        full = self._changeable(upload_id)
        sources = self._sources()
        if source_id != NEW_SOURCE and source_id not in sources.held:
            raise NotFound(f"There is no source {source_id!r}.")
        if source_id != self._plan(full, sources).chosen:
            self._keep(full, sources, source_choice=source_id)

    def share_fields(self, upload_id: str) -> int:
        """Give the other open drafts of the same drop this one's metadata, but for title, version
        and what they replace; returns how many were changed.
        """
        full = self._full(upload_id)
        sources = self._sources()
        values = self._plan(full, sources).values
        shared = {n: v for n, v in values.items() if n not in ("title", "version", "language")}
        siblings = self._siblings(full.draft)
        for draft in siblings:
            other = self._store.draft(draft.upload_id)
            if other is not None:
                self._keep(other, sources, edited={**other.draft.edited, **shared})
        return len(siblings)

    def discard(self, upload_id: str) -> None:
        """Put a draft away; nothing of it is published."""
        full = self._changeable(upload_id)
        self._save(full.draft, "upload.discarded", state="discarded")

    def discard_identical(self) -> int:
        """Put away every draft that is published already, word for word; returns how many."""
        waiting = self._store.drafts(self._tenant, ("needs_metadata",))
        now = self._clock.now()
        put_away = [
            d.changed(state="discarded", updated_by=self._me, updated_at=now)
            for d in waiting
            if d.identical and self._may_open(d)
        ]
        return self._store.save_all(put_away, event="upload.discarded") if put_away else 0

    # -- publishing -----------------------------------------------------------------------------

    def publish(self, upload_id: str, *, revision: int) -> None:
        """Queue a draft to be published. Raises ``NotReady`` naming what stands against it,
        ``StaleVersion`` when the draft changed since it was seen at ``revision``.
        """
        full = self._changeable(upload_id)
        plan = self._plan(full, self._sources())
        if plan.blocking:
            findings = tuple(f"{p.reason}: {p.fix}" for p in plan.blocking)
            raise NotReady(f"{full.draft.title} cannot be published yet.", findings)
        queued = self._queued(full.draft, self._ids.new("batch"))
        self._store.save(queued, seen=revision, event=_QUEUED)
        self._worker.expect(1)
        self._worker.wake()

    def publish_ready(self) -> int:
        """Queue every draft that is ready and that I may open; returns how many."""
        ready = [d for d in self._store.drafts(self._tenant, ("ready",)) if self._may_open(d)]
        batch = self._ids.new("batch")
        # What somebody changed this very moment is theirs to publish.
        queued = self._store.save_all([self._queued(d, batch) for d in ready], event=_QUEUED)
        if queued:
            self._worker.expect(queued)
            self._worker.wake()
        return queued

    def undo(self, upload_id: str, reason: str = "") -> None:
        """Take back what was published: withdraw it and reinstate the version before."""
        full = self._full(upload_id)
        if not self._may_undo(full.draft):
            raise NotAllowed("Only who published it, or a supervisor, takes it back.")
        words = reason.strip() or "published by mistake"
        self._publisher().undo(full.draft, reason=words, actor=self._me)

    def fix_quarantined(self, path: str) -> str:
        """Open a quarantined document as a draft with its text and fields; returns its id.

        Raises ``NotFound`` when it could not be read or this person may not see it.
        """
        for draft in self._store.drafts(self._tenant, OPEN):
            if draft.quarantined == path and self._may_open(draft):
                return draft.upload_id
        kept = self._registry.quarantined_document(self._tenant, path)
        row = next((q for q in self._registry.quarantined(self._tenant) if q.path == path), None)
        if kept is None or row is None:
            raise NotFound(f"{path} could not be read: fix the file and take it in again.")
        full = self._reader().from_found(
            FoundDocument.model_validate_json(kept), tenant_id=self._tenant, actor=self._me
        )
        if row.taken_in_by != self._me and not self._covers(full.draft):
            raise NotFound(f"{path} is not in your quarantine.")
        draft = full.draft.changed(file_name=path, quarantined=path)
        self._store.add_draft(full.model_copy(update={"draft": draft}))
        return draft.upload_id

    def _keep(self, full: FullDraft, sources: Known, **changes: object) -> None:
        changed = full.model_copy(update={"draft": full.draft.changed(**changes, problem="")})
        plan = self._plan(changed, sources)
        self._save(changed.draft, "", state=plan.state, identical=plan.identical)

    def _save(self, draft: UploadDraft, event: str, **changes: object) -> UploadDraft:
        saved = draft.changed(updated_by=self._me, updated_at=self._clock.now(), **changes)
        return self._store.save(saved, seen=draft.revision, event=event)

    def _queued(self, draft: UploadDraft, batch: str) -> UploadDraft:
        return draft.changed(
            state="queued",
            queued_by=self._me,
            batch_id=batch,
            problem="",
            updated_by=self._me,
            updated_at=self._clock.now(),
        )


def _plain_name(name: str) -> str:
    """The last part of a name as browsers send it, without signs that cannot be printed."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    kept = "".join(sign for sign in last if sign.isprintable()).strip()
    return kept[-200:] or "unnamed"
