"""``UploadStore`` over SQL: dropped files, their drafts, and publishing in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, Row, Table, select, update

from core.adapters import sql_audit
from core.adapters.sql_engine import insert, reading, writing
from core.adapters.sql_open_drafts import open_drafts_on
from core.adapters.sql_publish import publish_within, unpublish_within
from core.adapters.sql_registry import SqlRegistry
from core.adapters.sql_schema_uploads import upload_drafts, upload_files
from core.errors import NotFound, StaleVersion
from core.knowledge.upload_models import DraftState, DroppedFile, FullDraft, UploadDraft
from core.knowledge.upload_store import Publication
from core.knowledge.views import OpenDraft
from core.models.source import DocumentVersion
from core.ports import Clock

Stale = Callable[[str, datetime], bool]
"""Whether a claim by this process, made then, holds no longer."""


class SqlUploads:
    """Safe to share by threads. ``registry`` is the one whose documents are published into."""

    def __init__(
        self, engine: Engine, clock: Clock, registry: SqlRegistry, *, stale: Stale
    ) -> None:
        self._engine, self._clock = engine, clock
        self._registry, self._stale = registry, stale

    # -- dropped files --------------------------------------------------------------------------

    def add_file(self, file: DroppedFile, data: bytes) -> DroppedFile:
        twin = select(upload_files.c.body).where(
            upload_files.c.tenant_id == file.tenant_id,
            upload_files.c.bytes_hash == file.bytes_hash,
            upload_files.c.state.in_(("waiting", "reading")),
        )
        with writing(self._engine) as connection:
            for body in connection.execute(twin).scalars():
                known = DroppedFile.model_validate_json(body)
                if (known.name, known.uploaded_by) == (file.name, file.uploaded_by):
                    return known
            connection.execute(
                insert(connection, upload_files).values(
                    file_id=file.file_id,
                    tenant_id=file.tenant_id,
                    state=file.state,
                    bytes_hash=file.bytes_hash,
                    body=file.model_dump_json(),
                    data=data,
                )
            )
            self._audit(
                connection,
                file.tenant_id,
                file.uploaded_by,
                "upload.received",
                file.file_id,
                {"name": file.name, "size": file.size, "bytes_hash": file.bytes_hash},
            )
        return file

    def files(self, tenant_id: str) -> tuple[DroppedFile, ...]:
        wanted = (
            select(upload_files.c.body)
            .where(
                upload_files.c.tenant_id == tenant_id,
                upload_files.c.state.in_(("waiting", "reading", "failed")),
            )
            .order_by(upload_files.c.position.desc())
        )
        with reading(self._engine) as connection:
            bodies = connection.execute(wanted).scalars()
            return tuple(DroppedFile.model_validate_json(body) for body in bodies)

    def claim_file(self, process: str) -> tuple[DroppedFile, bytes] | None:
        waiting = upload_files.c.state.in_(("waiting", "reading"))
        if not self._any(upload_files, waiting):
            return None
        with writing(self._engine) as connection:
            for row in self._claimable(connection, upload_files, waiting, 1):
                file = DroppedFile.model_validate_json(row.body).model_copy(
                    update={"state": "reading"}
                )
                self._claim(
                    connection,
                    upload_files,
                    row.position,
                    process,
                    state="reading",
                    body=file.model_dump_json(),
                )
                return file, row.data or b""
        return None

    def finish_file(self, file: DroppedFile, drafts: Sequence[FullDraft]) -> None:
        with writing(self._engine) as connection:
            self._put_file(connection, file)
            for full in drafts:
                self._insert(connection, full)
            payload = {
                "name": file.name,
                "state": file.state,
                "documents": file.documents,
                "reason": file.reason,
            }
            self._audit(
                connection, file.tenant_id, file.uploaded_by, "upload.read", file.file_id, payload
            )

    def dismiss_file(self, file: DroppedFile, *, actor: str) -> None:
        with writing(self._engine) as connection:
            self._put_file(connection, file.model_copy(update={"state": "dismissed"}))
            payload = {"name": file.name, "reason": file.reason}
            self._audit(
                connection, file.tenant_id, actor, "upload.dismissed", file.file_id, payload
            )

    def _put_file(self, connection: Connection, file: DroppedFile) -> None:
        done = (
            update(upload_files)
            .where(upload_files.c.file_id == file.file_id)
            .values(
                state=file.state,
                body=file.model_dump_json(),
                data=None,
                claimed_by=None,
                claimed_at=None,
            )
        )
        connection.execute(done)

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

    def _insert(self, connection: Connection, full: FullDraft) -> None:
        draft = full.draft
        connection.execute(
            insert(connection, upload_drafts).values(
                upload_id=draft.upload_id,
                tenant_id=draft.tenant_id,
                file_id=draft.file_id,
                version=full.version.model_dump_json(),
                **_columns(draft),
            )
        )

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
            .values(claimed_by=None, claimed_at=None, **_columns(draft))
        ).rowcount
        return bool(changed)

    def _any(self, table: Table, which: Any) -> bool:
        """Whether there is work at all: nearly always not, so no lock is taken for nothing."""
        with reading(self._engine) as connection:
            return (
                connection.execute(select(table.c.position).where(which).limit(1)).first()
                is not None
            )

    def _claimable(
        self, connection: Connection, table: Table, which: Any, limit: int
    ) -> list[Row[Any]]:
        claims = select(table.c.position, table.c.claimed_by, table.c.claimed_at)
        free = [
            row.position
            for row in connection.execute(claims.where(which).order_by(table.c.position))
            if row.claimed_by is None or self._stale(row.claimed_by, row.claimed_at)
        ][:limit]
        wanted = select(table).where(table.c.position.in_(free)).order_by(table.c.position)
        return list(connection.execute(wanted))

    def _claim(
        self, connection: Connection, table: Table, position: int, process: str, **values: Any
    ) -> None:
        claimed = {"claimed_by": process, "claimed_at": self._clock.now(), **values}
        connection.execute(update(table).where(table.c.position == position).values(claimed))

    def _audit_draft(self, connection: Connection, draft: UploadDraft, event: str) -> None:
        payload = {"item": draft.item, "file": draft.file_name, "state": draft.state}
        self._audit(connection, draft.tenant_id, draft.updated_by, event, draft.upload_id, payload)

    def _audit(
        self,
        connection: Connection,
        tenant_id: str,
        actor: str,
        kind: str,
        subject_id: str,
        payload: dict[str, Any],
    ) -> None:
        entry = sql_audit.Entry(tenant_id, actor, kind, "source", subject_id, payload)
        sql_audit.append(connection, self._clock, [entry])


def _columns(draft: UploadDraft) -> dict[str, Any]:
    return {
        "state": draft.state,
        "revision": draft.revision,
        "updated_at": draft.updated_at,
        "body": draft.model_dump_json(),
    }


def _full(row: Row[Any]) -> FullDraft:
    return FullDraft(
        draft=UploadDraft.model_validate_json(row.body),
        version=DocumentVersion.model_validate_json(row.version),
    )
