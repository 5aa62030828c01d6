"""What an owner does to a stored version. Each change and its audit event are one transaction."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlalchemy import Connection, Engine, Row, delete, select, update

from core.adapters import sql_audit
from core.adapters.sql_documents import (
    OwnerChanges,
    came_into_force,
    changes_of,
    find_rows,
    listed,
    listing_of,
    stated_fields,
    version_of,
)
from core.adapters.sql_engine import reading, writing
from core.adapters.sql_owner_flags import close_within
from core.adapters.sql_reverse_ledger import SqlReverseLedger
from core.adapters.sql_schema import documents, quarantine
from core.errors import BadInput, NotFound, StaleVersion
from core.knowledge.views import QuarantinedFile, SourceListing
from core.models.review import SourceFlag
from core.models.source import DocumentVersion, Governance
from core.ports import Clock


class OwnerVerbs(SqlReverseLedger):
    """The part of the catalog that owners use."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        super().__init__(engine)
        self._clock = clock

    def list_sources(
        self, tenant_id: str, source_id: str | None = None
    ) -> tuple[SourceListing, ...]:
        wanted = listed().where(documents.c.tenant_id == tenant_id)
        if source_id is not None:
            wanted = wanted.where(documents.c.source_id == source_id)
        with reading(self._engine) as connection:
            found = [(listing_of(row), row) for row in connection.execute(wanted)]
        found.sort(key=lambda p: (p[0].source_id, *came_into_force(p[0].governance, p[1])))
        return tuple(listing for listing, _ in found)

    def quarantined(self, tenant_id: str) -> tuple[QuarantinedFile, ...]:
        wanted = select(quarantine).where(quarantine.c.tenant_id == tenant_id)
        with reading(self._engine) as connection:
            rows = connection.execute(wanted.order_by(quarantine.c.since.desc(), quarantine.c.path))
            return tuple(
                QuarantinedFile(
                    path=row.path,
                    reason=row.reason,
                    fix=row.fix,
                    since=row.since,
                    taken_in_by=row.actor,
                    can_fix=row.found is not None,
                    stated=stated_fields(row.found),
                )
                for row in rows
            )

    def quarantined_document(self, tenant_id: str, path: str) -> str | None:
        wanted = select(quarantine.c.found).where(
            quarantine.c.tenant_id == tenant_id, quarantine.c.path == path
        )
        with reading(self._engine) as connection:
            return connection.execute(wanted).scalar_one_or_none()

    def dismiss_quarantined(self, tenant_id: str, path: str, *, reason: str, actor: str) -> None:
        row = (quarantine.c.tenant_id == tenant_id, quarantine.c.path == path)
        with writing(self._engine) as connection:
            if not connection.execute(delete(quarantine).where(*row)).rowcount:
                raise NotFound(f"{path!r} is not in the quarantine any more.")
            event = sql_audit.Entry(
                tenant_id, actor, "source.quarantine_dismissed", "source", path, {"reason": reason}
            )
            sql_audit.append(connection, self._clock, [event])

    def close_flag(
        self, tenant_id: str, flag_id: str, *, resolution: str, actor: str
    ) -> SourceFlag:
        with writing(self._engine) as connection:
            return close_within(
                connection, self._clock, tenant_id, flag_id, resolution=resolution, actor=actor
            )

    def mark_reviewed(
        self,
        document_id: str,
        *,
        on: date,
        note: str,
        actor: str,
        content_hash: str | None = None,
    ) -> DocumentVersion:
        with writing(self._engine) as connection:
            row = _row(connection, document_id)
            if content_hash is not None and content_hash != row.content_hash:
                raise StaleVersion(
                    f"{document_id} changed since you read it. Read it again before you mark it."
                )
            return self._change(
                connection, row, "source.reviewed", actor, {"note": note}, last_reviewed=on
            )

    def supersede(self, document_id: str, *, by: str, on: date, today: date, actor: str) -> None:
        with writing(self._engine) as connection:
            self.supersede_within(connection, document_id, by=by, on=on, today=today, actor=actor)

    def supersede_within(
        self,
        connection: Connection,
        document_id: str,
        *,
        by: str,
        on: date,
        today: date,
        actor: str,
    ) -> None:
        """``supersede`` as a part of the caller's write transaction."""
        if document_id == by:
            raise BadInput("A version cannot supersede itself. Name the newer version.")
        old, new = _row(connection, document_id), _row(connection, by)
        if old.tenant_id != new.tenant_id:
            raise NotFound(f"There is no document {by!r}.")
        changes: dict[str, Any] = {"valid_to": on}
        if on <= today:
            changes["status"] = "superseded"
        self._change(connection, old, "source.superseded", actor, {"by": by}, **changes)
        self._change(
            connection,
            new,
            "source.supersedes",
            actor,
            {"supersedes": document_id},
            supersedes=document_id,
        )

    def withdraw(self, document_id: str, *, reason: str, actor: str) -> DocumentVersion:
        with writing(self._engine) as connection:
            return self.withdraw_within(connection, document_id, reason=reason, actor=actor)

    def withdraw_within(
        self, connection: Connection, document_id: str, *, reason: str, actor: str
    ) -> DocumentVersion:
        """``withdraw`` as a part of the caller's write transaction."""
        row = _row(connection, document_id)
        if row.withdrawn:
            return version_of(row)
        return self._change(
            connection,
            row,
            "source.withdrawn",
            actor,
            {"reason": reason},
            withdrawn=True,
            status="archived",
            withdrawn_reason=reason,
        )

    def reinstate_within(
        self, connection: Connection, document_id: str, before: OwnerChanges, *, actor: str
    ) -> None:
        """Put a superseded version back to what its owner's changes were before."""
        row = _row(connection, document_id)
        self._change(
            connection, row, "source.reinstated", actor, {}, **before.model_dump(exclude_none=False)
        )

    def _change(
        self,
        connection: Connection,
        row: Row[Any],
        kind: str,
        actor: str,
        details: dict[str, Any],
        *,
        withdrawn: bool | None = None,
        **changed: Any,
    ) -> DocumentVersion:
        before = changes_of(row)
        after = OwnerChanges.model_validate({**before.model_dump(), **changed})
        _check_dates(row, after)
        connection.execute(
            update(documents)
            .where(documents.c.document_id == row.document_id)
            .values(
                owner_changes=after.model_dump_json(exclude_defaults=True),
                revision=documents.c.revision + 1,
                withdrawn=row.withdrawn if withdrawn is None else withdrawn,
            )
        )
        payload = {
            "document_id": row.document_id,
            "content_hash": row.content_hash,
            **details,
            "before": before.model_dump(mode="json", include=set(changed)),
            "after": after.model_dump(mode="json", include=set(changed)),
        }
        event = sql_audit.Entry(row.tenant_id, actor, kind, "source", row.source_id, payload)
        sql_audit.append(connection, self._clock, [event])
        return version_of(_row(connection, row.document_id))


def _row(connection: Connection, document_id: str) -> Row[Any]:
    rows = find_rows(connection, select(documents), [document_id])
    if not rows:
        raise NotFound(f"There is no document {document_id!r}.")
    return rows[0]


def _check_dates(row: Row[Any], changes: OwnerChanges) -> None:
    try:
        changes.over(Governance.model_validate_json(row.governance))
    except ValueError as error:
        raise BadInput(
            f"{row.document_id} would end before it begins. Choose a later day."
        ) from error
