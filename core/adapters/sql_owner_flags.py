"""How an owner settles a flag: the flag, its other half, and the audit event in one transaction."""

from __future__ import annotations

from sqlalchemy import Connection, select

from core.adapters import sql_audit
from core.adapters.sql_flags import keep_flag
from core.adapters.sql_schema import source_flags
from core.errors import NotFound
from core.models.review import BOTH_SIDES, SourceFlag
from core.ports import Clock


def close_within(
    connection: Connection,
    clock: Clock,
    tenant_id: str,
    flag_id: str,
    *,
    resolution: str,
    actor: str,
) -> SourceFlag:
    """Settle a flag and, of a conflict, the one on the other source. Raises ``NotFound``."""
    flags = _flags(connection, tenant_id, flag_id)
    named = next((flag for flag in flags if flag.flag_id == flag_id), None)
    if named is None:
        raise NotFound(f"There is no flag {flag_id!r}.")
    settled = {
        "state": "done",
        "resolution": resolution,
        "resolved_by": actor,
        "resolved_at": clock.now(),
    }
    events = []
    for flag in flags:
        if flag.state == "open":
            keep_flag(connection, flag.model_copy(update=settled))
            events.append(_event(flag, resolution, actor))
    sql_audit.append(connection, clock, events)
    return next(f for f in _flags(connection, tenant_id, flag_id) if f.flag_id == flag_id)


def _flags(connection: Connection, tenant_id: str, flag_id: str) -> list[SourceFlag]:
    mine = source_flags.c.flag_id == flag_id
    if flag_id.startswith(BOTH_SIDES):
        task = flag_id.rsplit("-", 1)[0] + "-"
        mine = source_flags.c.flag_id.startswith(task, autoescape=True)
    wanted = select(source_flags.c.body).where(source_flags.c.tenant_id == tenant_id, mine)
    return [SourceFlag.model_validate_json(body) for body in connection.execute(wanted).scalars()]


def _event(flag: SourceFlag, resolution: str, actor: str) -> sql_audit.Entry:
    payload = {
        "flag_id": flag.flag_id,
        "document_id": flag.document_id,
        "resolution": resolution,
    }
    return sql_audit.Entry(
        flag.tenant_id, actor, "source.flag_closed", "source", flag.source_id, payload
    )
