"""Dropped files over SQL, and the claims by which processes share the work on uploads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, Row, Table, select, update

from core.adapters import sql_audit
from core.adapters.sql_engine import insert, reading, writing
from core.adapters.sql_registry import SqlRegistry
from core.adapters.sql_schema_uploads import upload_drafts, upload_files
from core.knowledge.upload_models import DroppedFile, FullDraft, UploadDraft
from core.ports import Clock

Stale = Callable[[str, datetime], bool]
"""Whether a claim by this process, made then, holds no longer."""


class SqlUploadFiles:
    """The part of ``UploadStore`` that files live in."""

    def __init__(
        self, engine: Engine, clock: Clock, registry: SqlRegistry, *, stale: Stale
    ) -> None:
        self._engine, self._clock = engine, clock
        self._registry, self._stale = registry, stale

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

    def _insert(self, connection: Connection, full: FullDraft) -> None:
        draft = full.draft
        connection.execute(
            insert(connection, upload_drafts).values(
                upload_id=draft.upload_id,
                tenant_id=draft.tenant_id,
                file_id=draft.file_id,
                version=full.version.model_dump_json(),
                **columns(draft),
            )
        )

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


def columns(draft: UploadDraft) -> dict[str, Any]:
    return {
        "state": draft.state,
        "revision": draft.revision,
        "updated_at": draft.updated_at,
        "body": draft.model_dump_json(),
    }
