"""Which versions of the index the stored answers were given on."""

from __future__ import annotations

from sqlalchemy import JSON, Engine, cast, func, select, type_coerce

from core.adapters.sql_engine import reading
from core.adapters.sql_schema import runs


def index_versions_used(engine: Engine, index_name: str = "passages") -> dict[str, int]:
    """How many stored answers were given on each version."""
    is_text = engine.dialect.name == "sqlite"
    body = type_coerce(runs.c.body, JSON) if is_text else cast(runs.c.body, JSON)
    version = body["trace"]["index_versions"][index_name].as_string()
    counted = select(version.label("version"), func.count().label("answers")).group_by(version)
    with reading(engine) as connection:
        rows = connection.execute(counted)
        return {row.version: int(row.answers) for row in rows if row.version}
