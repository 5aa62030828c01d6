"""Flags that the intake raises on documents that speak to a model, as part of its transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, select

from core.adapters import sql_audit
from core.adapters.sql_flags import keep_flag
from core.adapters.sql_schema import source_flags
from core.models.review import SourceFlag
from core.models.source import DocumentVersion
from core.ports import Clock
from core.sources.instructions import Instruction

RAISED_BY = "intake"
_NAMED = "intake-"

Found = Mapping[str, Sequence[Instruction]]
"""What speaks to a model, by document id."""


def flag_within(
    connection: Connection,
    clock: Clock,
    versions: Sequence[DocumentVersion],
    found: Found,
    *,
    actor: str,
) -> None:
    """Raise a flag for each instruction of each version, once; close those that are gone.

    A flag names the exact quote and, in its reason, what it does and where it was hidden. It is
    work for the source's owner like a reviewer's flag, and each has its audit event.
    """
    events = []
    for version in versions:
        wanted = {
            _NAMED + one.name(version.document_id): one
            for one in found.get(version.document_id, ())
        }
        known = _known(connection, version)
        for name, one in wanted.items():
            if name not in known or known[name].state == "done":
                flag = _flag(name, one, version, clock)
                keep_flag(connection, flag)
                events.append(_event(flag, "source.flagged", actor))
        for name, flag in known.items():
            if name not in wanted and flag.state == "open":
                done = flag.model_copy(update={"state": "done"})
                keep_flag(connection, done)
                events.append(_event(done, "source.flag_closed", actor))
    sql_audit.append(connection, clock, events)


def _known(connection: Connection, version: DocumentVersion) -> dict[str, SourceFlag]:
    """The intake's flags on this very version."""
    wanted = select(source_flags.c.body).where(
        source_flags.c.tenant_id == version.tenant_id,
        source_flags.c.source_id == version.source_id,
        source_flags.c.flag_id.startswith(_NAMED, autoescape=True),
    )
    flags = [SourceFlag.model_validate_json(body) for body in connection.execute(wanted).scalars()]
    return {flag.flag_id: flag for flag in flags if flag.document_id == version.document_id}


def _flag(name: str, one: Instruction, version: DocumentVersion, clock: Clock) -> SourceFlag:
    return SourceFlag(
        flag_id=name,
        tenant_id=version.tenant_id,
        source_id=version.source_id,
        document_id=version.document_id,
        chunk_id="",
        claim=one.quote,
        reason=f"Speaks to a model: {one.words}",
        raised_by=RAISED_BY,
        raised_at=clock.now(),
    )


def _event(flag: SourceFlag, kind: str, actor: str) -> sql_audit.Entry:
    payload = {"flag_id": flag.flag_id, "document_id": flag.document_id, "reason": flag.reason}
    return sql_audit.Entry(flag.tenant_id, actor, kind, "source", flag.source_id, payload)
