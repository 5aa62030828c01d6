"""Where documents came from, and what of them the index should hold. Part of the registry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Row, bindparam, func, select, update

from core.adapters import sql_audit
from core.adapters.sql_documents import body_of, changes_of, find_rows, version_of
from core.adapters.sql_engine import reading, writing
from core.adapters.sql_owner_verbs import OwnerVerbs
from core.adapters.sql_schema import documents, quarantine, run_evidence
from core.errors import NotFound
from core.models.source import DocumentVersion, SpanMap, StoredState

_PAGE = 200
"""Versions read at a time when all of them are wanted."""


class Intake(OwnerVerbs):
    """The part of the registry that ingest and index maintenance use."""

    def stored(self) -> Iterator[DocumentVersion]:
        """Every version of every tenant that is not withdrawn, by id, read one page at a time."""
        last = ""
        while True:
            page = (
                select(documents)
                .where(documents.c.withdrawn.is_(False), documents.c.document_id > last)
                .order_by(documents.c.document_id)
                .limit(_PAGE)
            )
            with reading(self._engine) as connection:
                rows = list(connection.execute(page))
            if not rows:
                return
            yield from map(version_of, rows)
            last = rows[-1].document_id

    def states(self) -> tuple[StoredState, ...]:
        """Every version of every tenant, withdrawn or not, without its text, by id."""
        wanted = select(
            documents.c.document_id,
            documents.c.tenant_id,
            documents.c.revision,
            documents.c.withdrawn,
            (documents.c.indexed_hash == documents.c.content_hash).label("indexed"),
        ).order_by(documents.c.document_id)
        with reading(self._engine) as connection:
            return tuple(
                StoredState(
                    document_id=row.document_id,
                    tenant_id=row.tenant_id,
                    revision=row.revision,
                    withdrawn=row.withdrawn,
                    indexed=bool(row.indexed),
                )
                for row in connection.execute(wanted)
            )

    def came_from(self, origins: Mapping[str, str]) -> None:
        """Remember the absolute path (of the file, or file and row) each version was read from."""
        wanted = select(documents.c.document_id, documents.c.origin)
        with reading(self._engine) as connection:
            rows = find_rows(connection, wanted, origins)
        moved = [
            {"moved_id": row.document_id, "moved_to": origins[row.document_id]}
            for row in rows
            if row.origin != origins[row.document_id]
        ]
        if moved:
            move = (
                update(documents)
                .where(documents.c.document_id == bindparam("moved_id"))
                .values(origin=bindparam("moved_to"))
            )
            with writing(self._engine) as connection:
                connection.execute(move, moved)

    def below(self, tenant_id: str, place: str) -> dict[str, str]:
        """Versions read from ``place`` or from files below it that are not withdrawn: id, path."""
        wanted = select(documents.c.document_id, documents.c.origin).where(
            documents.c.tenant_id == tenant_id,
            documents.c.withdrawn.is_(False),
            documents.c.origin.is_not(None),
        )
        starts = (place.rstrip("/") + "/", place + ":")
        with reading(self._engine) as connection:
            return {
                row.document_id: row.origin
                for row in connection.execute(wanted.order_by(documents.c.document_id))
                if row.origin == place or row.origin.startswith(starts)
            }

    def retire(self, document_ids: Sequence[str], *, reason: str, actor: str) -> None:
        """Withdraw versions whose file is gone. The same content taken in again brings them back.

        (A version that its owner withdrew stays withdrawn until its content changes.)
        """
        with writing(self._engine) as connection:
            rows = find_rows(connection, select(documents), document_ids)
            gone = [row for row in rows if not row.withdrawn]
            for row in gone:
                changes = changes_of(row).model_copy(
                    update={"withdrawn_reason": reason, "retired": True}
                )
                connection.execute(
                    update(documents)
                    .where(documents.c.document_id == row.document_id)
                    .values(
                        owner_changes=changes.model_dump_json(exclude_defaults=True),
                        revision=documents.c.revision + 1,
                        withdrawn=True,
                        indexed_hash=None,
                    )
                )
            events = [_retired_event(row, reason, actor) for row in gone]
            sql_audit.append(connection, self._clock, events)

    def owners(self, document_ids: Iterable[str]) -> dict[str, tuple[str, str]]:
        """Tenant and source of those ids that are stored."""
        wanted = select(documents.c.document_id, documents.c.tenant_id, documents.c.source_id)
        with reading(self._engine) as connection:
            rows = find_rows(connection, wanted, document_ids)
        return {row.document_id: (row.tenant_id, row.source_id) for row in rows}

    def in_quarantine(self, tenant_id: str) -> frozenset[str]:
        """Paths of the tenant's files and rows that could not be taken in."""
        wanted = select(quarantine.c.path).where(quarantine.c.tenant_id == tenant_id)
        with reading(self._engine) as connection:
            return frozenset(connection.execute(wanted).scalars())

    def withdrawn_among(self, document_ids: Iterable[str]) -> frozenset[str]:
        """Those of the ids that are withdrawn."""
        wanted = select(documents.c.document_id).where(documents.c.withdrawn.is_(True))
        with reading(self._engine) as connection:
            return frozenset(row.document_id for row in find_rows(connection, wanted, document_ids))

    def erase(self, document_id: str, *, reason: str, actor: str) -> int:
        """Forget a version's title and text for good; returns how many stored answers quote it.

        Its id, hash, dates and events stay, so that the audit can say what was erased. The same
        content taken in again stays out. Raises ``NotFound``.
        """
        with writing(self._engine) as connection:
            rows = find_rows(connection, select(documents), [document_id])
            if not rows:
                raise NotFound(f"There is no document {document_id!r}.")
            row = rows[0]
            quoting = connection.execute(
                select(func.count(run_evidence.c.trace_id.distinct())).where(
                    run_evidence.c.document_id == document_id
                )
            ).scalar_one()
            blank = version_of(row).model_copy(
                update={"text": "", "original_text": "", "span_map": SpanMap(), "page_starts": ()}
            )
            changes = changes_of(row).model_copy(
                update={"status": "archived", "withdrawn_reason": reason, "retired": False}
            )
            connection.execute(
                update(documents)
                .where(documents.c.document_id == document_id)
                .values(
                    title="(erased)",
                    body=body_of(blank),
                    owner_changes=changes.model_dump_json(exclude_defaults=True),
                    indexed_hash=documents.c.content_hash,
                    revision=documents.c.revision + 1,
                    withdrawn=True,
                )
            )
            payload = {
                "document_id": document_id,
                "content_hash": row.content_hash,
                "reason": reason,
                "answers_that_quote_it": int(quoting),
            }
            event = sql_audit.Entry(
                row.tenant_id, actor, "source.erased", "source", row.source_id, payload
            )
            sql_audit.append(connection, self._clock, [event])
        return int(quoting)

    def note(
        self,
        tenant_id: str,
        *,
        actor: str,
        kind: str,
        subject_id: str,
        payload: dict[str, Any],
    ) -> None:
        """Write an audit event about the index, under the subject ``system``."""
        event = sql_audit.Entry(tenant_id, actor, kind, "system", subject_id, payload)
        with writing(self._engine) as connection:
            sql_audit.append(connection, self._clock, [event])


def _retired_event(row: Row[Any], reason: str, actor: str) -> sql_audit.Entry:
    payload = {
        "document_id": row.document_id,
        "content_hash": row.content_hash,
        "reason": reason,
        "came_from": row.origin,
        "comes_back_with_its_file": True,
    }
    return sql_audit.Entry(
        row.tenant_id, actor, "source.withdrawn", "source", row.source_id, payload
    )
