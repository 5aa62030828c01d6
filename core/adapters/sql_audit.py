"""Appends to the audit chain inside the caller's transaction, and reads it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, func, insert, select, update

from core.adapters.sql_schema import audit_events, audit_head
from core.errors import IntegrityBroken
from core.models.review import AuditEvent
from core.ports import Clock
from core.review.chain import Head, canonical_json, link
from core.review.store import SubjectKind


class Entry(NamedTuple):
    """What one event says; the chain adds number, time and hashes."""

    tenant_id: str
    actor: str
    kind: str
    subject_kind: SubjectKind
    subject_id: str
    payload: dict[str, Any]


def read_head(connection: Connection) -> Head:
    """The stored end of the chain. Raises ``IntegrityBroken`` when somebody removed it."""
    row = connection.execute(select(audit_head.c.seq, audit_head.c.hash)).one_or_none()
    if row is None:
        raise IntegrityBroken("The stored end of the audit chain is gone: restore a backup.")
    return row.seq, row.hash


def append(connection: Connection, clock: Clock, entries: Sequence[Entry]) -> list[AuditEvent]:
    """Append ``entries`` in order. The transaction must hold the write lock (``writing`` does)."""
    if not entries:
        return []
    head, now = read_head(connection), clock.now()
    events = []
    for entry in entries:
        event = link(head, at=now, **entry._asdict())
        events.append(event)
        head = (event.seq, event.hash)
    connection.execute(insert(audit_events), [_row(event) for event in events])
    connection.execute(update(audit_head).values(seq=head[0], hash=head[1]))
    return events


def _row(event: AuditEvent) -> dict[str, Any]:
    return {**dict(event), "payload": canonical_json(event.payload)}


def read_events(
    connection: Connection,
    *,
    tenant_id: str | None = None,
    subject_kind: SubjectKind | None = None,
    subject_id: str | None = None,
    after_seq: int = 0,
    limit: int = 1000,
) -> tuple[AuditEvent, ...]:
    """Events in chain order that match every given field."""
    statement = select(audit_events).where(audit_events.c.seq > after_seq)
    wanted = {"tenant_id": tenant_id, "subject_kind": subject_kind, "subject_id": subject_id}
    for name, value in wanted.items():
        if value is not None:
            statement = statement.where(audit_events.c[name] == value)
    rows = connection.execute(statement.order_by(audit_events.c.seq).limit(limit))
    return tuple(_event(row) for row in rows)


def _event(row: Row[Any]) -> AuditEvent:
    fields = dict(row._mapping)
    try:
        return AuditEvent.model_validate({**fields, "payload": json.loads(row.payload)})
    except ValueError:
        # Somebody edited the row into nonsense. It must still be shown, and fail verification.
        return AuditEvent.model_construct(**{**fields, "payload": {"unreadable": row.payload}})


def count_events(connection: Connection) -> int:
    """How many events are stored."""
    return connection.execute(select(func.count()).select_from(audit_events)).scalar_one()
