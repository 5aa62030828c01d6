"""Brings a database to this release's schema when it is opened."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from core.adapters import (  # noqa: F401 - they complete the schema's tables
    sql_schema_actions,
    sql_schema_answers,
    sql_schema_gate,
    sql_schema_uploads,
)
from core.adapters.sql_engine import connect, reading, writing
from core.adapters.sql_schema import REVISIONS
from core.errors import Unavailable

_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK_KEY = 7_202_630_411
"""Any constant: the name of the advisory lock that PostgreSQL migrations take."""


def open_database(url: str) -> Engine:
    """Open (or create) the database at ``url`` and migrate it to this release's schema.

    Safe when several processes start together: one migrates, the others wait for it. Raises
    ``BadInput`` for an unusable URL, ``Unavailable`` when the database cannot be reached, is not a
    database, or was written by a newer release.
    """
    engine = connect(url)
    try:
        _bring_up_to_date(engine)
    except BaseException:
        engine.dispose()
        raise
    return engine


def _bring_up_to_date(engine: Engine) -> None:
    with reading(engine) as connection:
        if _revision(connection) == REVISIONS[-1]:
            return
    with writing(engine, lock_head=False) as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK_KEY})
        if _revision(connection) != REVISIONS[-1]:
            _upgrade(connection)


def _revision(connection: Connection) -> str | None:
    """The stored revision, ``None`` for a new database. Raises ``Unavailable`` for a newer one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(
        text("SELECT version_num FROM alembic_version")
    ).scalar_one_or_none()
    if found is not None and found not in REVISIONS:
        raise Unavailable(
            f"This database was written by a newer release of Countersign (schema {found}; this "
            f"release knows up to {REVISIONS[-1]}). Install that release, or open a backup made "
            "before the upgrade. Nothing was changed."
        )
    return found


def _upgrade(connection: Connection) -> None:
    # Imported here: opening a database that is up to date should not pay for Alembic.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, REVISIONS[-1])
