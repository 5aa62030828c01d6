"""``UploadStore`` over SQL: dropped files, their drafts, and publishing in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, select, update

from core.adapters.sql_engine import reading, writing
from core.adapters.sql_open_drafts import open_drafts_on
from core.adapters.sql_publish import publish_within, unpublish_within
from core.adapters.sql_schema_uploads import upload_drafts, upload_files
from core.adapters.sql_upload_files import SqlUploadFiles, columns
from core.errors import NotFound, StaleVersion
from core.knowledge.upload_models import DraftState, FullDraft, UploadDraft
from core.knowledge.upload_store import Publication
from core.knowledge.views import OpenDraft
from core.models.source import DocumentVersion


class SqlUploads(SqlUploadFiles):
    """Safe to share by threads. ``registry`` is the one whose documents are published into."""

    # -- drafts ---------------------------------------------------------------------------------

    def add_draft(self, full: FullDraft) -> None:
        with writing(self._engine) as connection:
            self._insert(connection, full)
            draft = full.draft
            payload = {"item": draft.item, "file": draft.file_name}
            self._audit(
                connection,
                draft.tenant_id,
                draft.uploaded_by,
                "upload.opened",
                draft.upload_id,
                payload,
            )

    def drafts(
        self, tenant_id: str, states: Sequence[DraftState] | None = None
    ) -> tuple[UploadDraft, ...]:
        wanted = select(upload_drafts.c.body).where(upload_drafts.c.tenant_id == tenant_id)
        if states is not None:
            wanted = wanted.where(upload_drafts.c.state.in_(states))
        order = (upload_drafts.c.updated_at.desc(), upload_drafts.c.position)
        with reading(self._engine) as connection:
            bodies = connection.execute(wanted.order_by(*order)).scalars()
            return tuple(UploadDraft.model_validate_json(body) for body in bodies)

    def draft(self, upload_id: str) -> FullDraft | None:
        wanted = select(upload_drafts).where(upload_drafts.c.upload_id == upload_id)
        with reading(self._engine) as connection:
            row = connection.execute(wanted).one_or_none()
        return None if row is None else _full(row)

    def save(self, draft: UploadDraft, *, seen: int, event: str = "") -> UploadDraft:
        saved = draft.model_copy(update={"revision": seen + 1})
        with writing(self._engine) as connection:
            self._replace(connection, saved, seen)
            if event:
                self._audit_draft(connection, draft, event)
        return saved

    def save_all(self, drafts: Sequence[UploadDraft], *, event: str) -> int:
        stored = 0
        with writing(self._engine) as connection:
            for draft in drafts:
                saved = draft.model_copy(update={"revision": draft.revision + 1})
                if self._changed(connection, saved, draft.revision):
                    stored += 1
                    self._audit_draft(connection, draft, event)
        return stored

    def claim_queued(self, process: str, limit: int) -> tuple[FullDraft, ...]:
        queued = upload_drafts.c.state == "queued"
        if not self._any(upload_drafts, queued):
            return ()
        with writing(self._engine) as connection:
            rows = self._claimable(connection, upload_drafts, queued, limit)
            for row in rows:
                self._claim(connection, upload_drafts, row.position, process)
        return tuple(_full(row) for row in rows)

    def release(self, process: str) -> None:
        with writing(self._engine) as connection:
            for table in (upload_files, upload_drafts):
                connection.execute(
                    update(table)
                    .where(table.c.claimed_by == process)
                    .values(claimed_by=None, claimed_at=None)
                )

    def publish(self, publication: Publication, *, index_version: str, actor: str) -> UploadDraft:
        draft = publication.draft
        with writing(self._engine) as connection:
            saved = publish_within(
                connection,
                self._registry,
                publication,
                index_version=index_version,
                actor=actor,
                now=self._clock.now(),
            )
            self._replace(connection, saved, draft.revision)
            payload = {
                "file": draft.file_name,
                "document_id": saved.document_id,
                "replaces": publication.replaces,
                "on": publication.on.isoformat() if publication.on else None,
            }
            self._audit(
                connection, draft.tenant_id, actor, "upload.published", draft.upload_id, payload
            )
        return saved

    def unpublish(self, draft: UploadDraft, *, reason: str, actor: str) -> UploadDraft:
        with writing(self._engine) as connection:
            saved = unpublish_within(
                connection,
                self._registry,
                draft,
                reason=reason,
                actor=actor,
                now=self._clock.now(),
            )
            self._replace(connection, saved, draft.revision)
            payload = {"document_id": draft.document_id, "reason": reason}
            self._audit(
                connection, draft.tenant_id, actor, "upload.undone", draft.upload_id, payload
            )
        return saved

    def open_drafts(self, tenant_id: str, document_id: str) -> tuple[OpenDraft, ...]:
        with reading(self._engine) as connection:
            return open_drafts_on(connection, tenant_id, document_id)

    # -- rows -----------------------------------------------------------------------------------

    def _replace(self, connection: Connection, draft: UploadDraft, seen: int) -> None:
        if self._changed(connection, draft, seen):
            return
        named = select(upload_drafts.c.upload_id)
        if connection.execute(named.where(upload_drafts.c.upload_id == draft.upload_id)).first():
            raise StaleVersion(f"{draft.title} was changed meanwhile. Look at it again.")
        raise NotFound(f"There is no upload {draft.upload_id!r}.")

    def _changed(self, connection: Connection, draft: UploadDraft, seen: int) -> bool:
        changed = connection.execute(
            update(upload_drafts)
            .where(upload_drafts.c.upload_id == draft.upload_id, upload_drafts.c.revision == seen)
            .values(claimed_by=None, claimed_at=None, **columns(draft))
        ).rowcount
        return bool(changed)

    def _audit_draft(self, connection: Connection, draft: UploadDraft, event: str) -> None:
        payload = {"item": draft.item, "file": draft.file_name, "state": draft.state}
        self._audit(connection, draft.tenant_id, draft.updated_by, event, draft.upload_id, payload)


def _full(row: Row[Any]) -> FullDraft:
    return FullDraft(
        draft=UploadDraft.model_validate_json(row.body),
        version=DocumentVersion.model_validate_json(row.version),
    )
