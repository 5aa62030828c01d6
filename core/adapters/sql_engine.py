"""Opens a database and its transactions, the same way over SQLite and PostgreSQL.

SQLite: WAL, foreign keys, ``BEGIN IMMEDIATE`` for writers. PostgreSQL: a writer locks the head of
the audit chain first, a reader sees one read-only snapshot. Either way writers queue, readers never
wait, and vendor errors become ours here.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Table, create_engine, event, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DBAPIError,
    NoSuchModuleError,
    OperationalError,
)

from core.adapters import sql_schema as schema
from core.errors import BadInput, TryAgainLater, Unavailable

WAIT_SECONDS = 30.0
"""How long a writer queues for the write lock before ``TryAgainLater``."""

_WRITES = "countersign_writes"
_threads = threading.local()


def connect(url: str) -> Engine:
    """An engine for ``url`` whose schema is taken as it is; see ``sql_migrate.open_database``.

    Raises ``BadInput`` for a URL that names neither a SQLite file nor PostgreSQL, ``Unavailable``
    when the folder of a SQLite file cannot be made or written.
    """
    parsed = _parsed(url)
    if parsed.get_backend_name() == "sqlite":
        return _sqlite(parsed)
    return _postgresql(parsed)


def _parsed(url: str) -> URL:
    fix = "Use sqlite:///path/to/file.db or postgresql+psycopg://user@host/database."
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise BadInput(f"The database URL cannot be read. {fix}") from error
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise BadInput(f"No support for {parsed.get_backend_name()!r} databases. {fix}")
    if parsed.get_backend_name() == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise BadInput(f"A SQLite database needs a file. {fix}")
    return parsed


def _sqlite(url: URL) -> Engine:
    folder = Path(url.database or "").parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unavailable(f"The folder {folder} cannot be made: {error.strerror}.") from error
    engine = create_engine(url, connect_args={"timeout": WAIT_SECONDS})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    with _translated():
        _switch_to_wal(engine)
    return engine


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # The driver must not begin transactions by itself: we say BEGIN IMMEDIATE.
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")


def _begin_sqlite(connection: Connection) -> None:
    writes = bool(connection.get_execution_options().get(_WRITES))
    connection.exec_driver_sql(f"PRAGMA query_only = {'OFF' if writes else 'ON'}")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _switch_to_wal(engine: Engine) -> None:
    """WAL is kept in the file. Switching does not queue for the lock, hence the retries."""
    give_up = time.monotonic() + WAIT_SECONDS
    raw = engine.raw_connection()
    try:
        while raw.cursor().execute("PRAGMA journal_mode").fetchone() != ("wal",):
            try:
                raw.cursor().execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > give_up:
                    raise
                time.sleep(0.02)
    finally:
        raw.close()


def _postgresql(url: URL) -> Engine:
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    wait_ms = int(WAIT_SECONDS * 1000)
    try:
        return create_engine(
            url, pool_pre_ping=True, connect_args={"options": f"-c lock_timeout={wait_ms}"}
        )
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        raise Unavailable(
            "PostgreSQL needs the psycopg package: pip install 'countersign[postgres]'."
        ) from error


@contextmanager
def writing(engine: Engine, *, lock_head: bool = True) -> Iterator[Connection]:
    """A transaction that holds the write lock from its start; commits unless the block raises.

    Raises ``TryAgainLater`` when the lock is not free within ``WAIT_SECONDS``.
    """
    with _only_one(engine), _translated(), engine.connect() as connection:
        connection = connection.execution_options(**{_WRITES: True})
        with connection.begin():
            if lock_head and engine.dialect.name == "postgresql":
                connection.execute(select(schema.audit_head.c.seq).with_for_update())
            yield connection


@contextmanager
def _only_one(engine: Engine) -> Iterator[None]:
    """A second write transaction in the same thread would wait for the first for ever: say so."""
    open_in_thread: set[int] = vars(_threads).setdefault("writing", set())
    if id(engine) in open_in_thread:
        raise RuntimeError("this thread holds a write transaction already; use that one")
    open_in_thread.add(id(engine))
    try:
        yield
    finally:
        open_in_thread.discard(id(engine))


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A read-only transaction over one snapshot."""
    with _translated(), engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection = connection.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
        with connection.begin():
            yield connection


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        if error.connection_invalidated:
            raise TryAgainLater("The database connection broke. Try again.") from error
        # Its subclasses (a broken constraint, a bad statement) are the caller's business.
        if type(error) not in (OperationalError, DatabaseError):
            raise
        raise _unavailable(error.orig) from error
    except sqlite3.DatabaseError as error:  # met while a new connection was being prepared
        raise _unavailable(error) from error


def _unavailable(error: BaseException | None) -> Unavailable:
    reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
    if "locked" in reason or "lock timeout" in reason:
        return TryAgainLater(f"The database is busy ({reason}). Try again.")
    remedy = ""
    if "not a database" in reason or "malformed" in reason:
        remedy = " Its file (countersign.db in the home) is damaged: put a backup in its place."
    elif "disk" in reason:  # full, or failing
        remedy = " Look for space and faults on the disk of the home; nothing was half-written."
    return Unavailable(f"The database cannot be used: {reason}.{remedy}")


def insert(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """An insert that knows ``ON CONFLICT`` in the connection's dialect."""
    if connection.dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)


def upsert(connection: Connection, table: Table, values: dict[str, Any]) -> None:
    """Insert ``values`` or replace the row with the same primary key."""
    keys = [column.name for column in table.primary_key]
    changed = {name: value for name, value in values.items() if name not in keys}
    statement = insert(connection, table).values(values)
    connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=changed))


def insert_new(connection: Connection, table: Table, values: dict[str, Any]) -> bool:
    """Insert ``values``; ``False``, and nothing changed, when a unique key is taken."""
    statement = insert(connection, table).values(values).on_conflict_do_nothing()
    counted = statement.execution_options(preserve_rowcount=True)
    return connection.execute(counted).rowcount == 1
