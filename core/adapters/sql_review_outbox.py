"""The outbox, and the audit chain as a review transaction sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select, update

from core.adapters import sql_audit
from core.adapters.sql_schema import cases, outbox
from core.adapters.sql_transaction import SqlTransaction
from core.errors import Conflicted, NotFound, StaleVersion
from core.models.review import AuditEvent, OutboxItem, OutboxState
from core.review.chain import Head
from core.review.store import SubjectKind


class OutboxPart(SqlTransaction):
    """The part of a review transaction that deliveries live in."""

    def add_outbox(self, item: OutboxItem) -> None:
        values = {
            "item_id": item.item_id,
            "case_id": item.case_id,
            "disposition_id": item.disposition_id,
            "state": item.state,
            "idempotency_key": item.idempotency_key,
            "body": item.model_dump_json(),
        }
        if not self._add(outbox, values):
            raise Conflicted("This reply is in the outbox already; it is sent once.")

    def save_outbox(self, item: OutboxItem, *, expected_state: OutboxState) -> OutboxItem:
        changed = self._change(
            update(outbox)
            .where(outbox.c.item_id == item.item_id, outbox.c.state == expected_state)
            .values(state=item.state, body=item.model_dump_json())
        )
        if changed:
            return item
        stored = self.outbox_item(item.item_id)
        if stored is None:
            raise NotFound(f"There is no outbox item {item.item_id!r}.")
        raise StaleVersion(
            f"Outbox item {item.item_id} is {stored.state} by now, not {expected_state}."
        )

    def outbox_item(self, item_id: str) -> OutboxItem | None:
        return self._one(OutboxItem, select(outbox.c.body).where(outbox.c.item_id == item_id))

    def outbox(
        self,
        *,
        tenant_id: str | None = None,
        states: Sequence[OutboxState] | None = None,
        case_id: str | None = None,
    ) -> tuple[OutboxItem, ...]:
        statement = select(outbox.c.body)
        if tenant_id is not None:
            statement = statement.join(cases).where(cases.c.tenant_id == tenant_id)
        if states is not None:
            statement = statement.where(outbox.c.state.in_(states))
        if case_id is not None:
            statement = statement.where(outbox.c.case_id == case_id)
        return self._all(OutboxItem, statement.order_by(outbox.c.position))


class AuditPart(SqlTransaction):
    """The part of a review transaction that the audit chain lives in."""

    def audit(
        self,
        *,
        tenant_id: str,
        actor: str,
        kind: str,
        subject_kind: SubjectKind,
        subject_id: str,
        payload: dict[str, Any],
    ) -> AuditEvent:
        self._may_write()
        entry = sql_audit.Entry(tenant_id, actor, kind, subject_kind, subject_id, payload)
        return sql_audit.append(self._connection, self._clock, [entry])[0]

    def audit_events(
        self,
        *,
        tenant_id: str | None = None,
        subject_kind: SubjectKind | None = None,
        subject_id: str | None = None,
        after_seq: int = 0,
        limit: int = 1000,
    ) -> tuple[AuditEvent, ...]:
        return sql_audit.read_events(
            self._connection,
            tenant_id=tenant_id,
            subject_kind=subject_kind,
            subject_id=subject_id,
            after_seq=after_seq,
            limit=limit,
        )

    def audit_head(self) -> Head:
        return sql_audit.read_head(self._connection)
