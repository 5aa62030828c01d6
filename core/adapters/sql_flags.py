"""A flag on a source as a row of its table."""

from __future__ import annotations

from sqlalchemy import Connection

from core.adapters.sql_engine import upsert
from core.adapters.sql_schema import source_flags
from core.models.review import SourceFlag


def flag_row(flag: SourceFlag) -> dict[str, object]:
    """Its columns."""
    return {
        "flag_id": flag.flag_id,
        "tenant_id": flag.tenant_id,
        "source_id": flag.source_id,
        "raised_at": flag.raised_at,
        "body": flag.model_dump_json(),
    }


def keep_flag(connection: Connection, flag: SourceFlag) -> None:
    """Store it in place of what its id had."""
    upsert(connection, source_flags, flag_row(flag))
