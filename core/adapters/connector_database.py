"""Databases behind connectors: opened on first use, read only, never for longer than allowed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import (
    Boolean,
    Connection,
    Date,
    Engine,
    Integer,
    Numeric,
    String,
    bindparam,
    create_engine,
    text,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.types import TypeEngine

from core.adapters.connector_sql import bindable
from core.adapters.sqlite_reading import reading_sqlite
from core.errors import BadInput, TooSlow, Unavailable

Value = str | int | Decimal | date | bool | None
Row = Mapping[str, Any]
_CANCELLED = "57014"
"""PostgreSQL's code for a statement that ran out of its time."""
_TYPES: dict[type, TypeEngine[Any]] = {
    bool: Boolean(),
    int: Integer(),
    Decimal: Numeric(),
    date: Date(),
    str: String(),
}


class Database(Protocol):
    """Runs one checked SELECT."""

    @property
    def kind(self) -> str:
        """Such as ``sqlite``, and how it is kept from writing."""
        ...

    def rows(
        self,
        sql: str,
        values: Mapping[str, Value],
        kinds: Mapping[str, type],
        *,
        limit: int,
        ms: int,
    ) -> Sequence[Row]:
        """At most ``limit`` rows within ``ms``. Raises ``TooSlow``, ``Unavailable``, ``BadInput``.

        ``kinds`` are the types of the binds, ``None`` values included.
        """
        ...

    def close(self) -> None:
        """Let go of its connections."""
        ...


def database_at(url: str, *, name: str, folder: Path) -> Database:
    """The database behind ``url``; nothing is opened yet. SQLite paths are relative to ``folder``.

    Raises ``BadInput`` for a URL that cannot be read, ``Unavailable`` where its driver is missing.
    """
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise BadInput(f"connector {name!r}: its database URL cannot be read.") from error
    if parsed.get_backend_name() == "sqlite":
        if not parsed.database or parsed.database == ":memory:":
            raise BadInput(f"connector {name!r}: a SQLite database needs a file.")
        return SqliteDatabase(folder / parsed.database, name)
    return ServerDatabase(parsed, name)


class SqliteDatabase:
    """A file, opened anew for each query."""

    kind = "sqlite, opened read only"

    def __init__(self, path: Path, name: str) -> None:
        self._path, self._name = path, name

    def rows(
        self,
        sql: str,
        values: Mapping[str, Value],
        kinds: Mapping[str, type],
        *,
        limit: int,
        ms: int,
    ) -> Sequence[Row]:
        """See ``Database``."""
        bound = {key: _for_sqlite(value) for key, value in values.items()}
        what = f"The database of connector {self._name!r}"
        with reading_sqlite(self._path, what=what, timeout_ms=ms) as connection:
            try:
                found = connection.execute(sql, bound).fetchmany(limit)
            except (OverflowError, UnicodeEncodeError) as error:
                raise BadInput(f"{what} cannot take a value it was given: {error}.") from error
        return [dict(zip(row.keys(), tuple(row), strict=True)) for row in found]

    def close(self) -> None:
        """See ``Database``."""


class ServerDatabase:
    """A database server through SQLAlchemy, with at most four connections."""

    def __init__(self, url: URL, name: str) -> None:
        self._url, self._name = url, name

    @property
    def kind(self) -> str:
        """See ``Database``."""
        backend = self._url.get_backend_name()
        if backend == "postgresql":
            return "postgresql, read-only transactions"
        return f"{backend}, single SELECTs; give it a login that may only read"

    def rows(
        self,
        sql: str,
        values: Mapping[str, Value],
        kinds: Mapping[str, type],
        *,
        limit: int,
        ms: int,
    ) -> Sequence[Row]:
        """See ``Database``."""
        typed = [bindparam(key, type_=_TYPES[kind]) for key, kind in kinds.items()]
        statement = text(bindable(sql)).bindparams(*typed)
        try:
            with self._engine.connect() as connection:
                connection = self._reading(connection)
                with connection.begin() as transaction:
                    self._hurry(connection, ms)
                    result = connection.execute(statement, dict(values))
                    found = [dict(row) for row in result.mappings().fetchmany(limit)]
                    result.close()
                    with suppress(SQLAlchemyError):  # nothing was written: there is nothing to lose
                        transaction.rollback()
            return found
        except SQLAlchemyError as error:
            raise self._ours(error, ms) from error

    def close(self) -> None:
        """See ``Database``."""
        if "_engine" in self.__dict__:
            self._engine.dispose()

    @cached_property
    def _engine(self) -> Engine:
        url = self._url
        if url.drivername == "postgresql":
            url = url.set(drivername="postgresql+psycopg")
        waits = {"connect_timeout": 3} if url.get_backend_name() == "postgresql" else {}
        try:
            return create_engine(
                url,
                pool_size=2,
                max_overflow=2,
                pool_timeout=3,
                pool_pre_ping=True,
                connect_args=waits,
            )
        except (ModuleNotFoundError, NoSuchModuleError, ArgumentError) as error:
            raise Unavailable(
                f"connector {self._name!r}: the driver for {url.drivername} is not installed. "
                "Install it, or name one that is in the URL."
            ) from error

    def _reading(self, connection: Connection) -> Connection:
        if connection.dialect.name == "postgresql":
            return connection.execution_options(postgresql_readonly=True)
        return connection

    def _hurry(self, connection: Connection, ms: int) -> None:
        if connection.dialect.name == "postgresql":
            wanted = text("SELECT set_config('statement_timeout', :ms, true)")
            connection.execute(wanted, {"ms": str(ms)})

    def _ours(self, error: SQLAlchemyError, ms: int) -> Exception:
        what = f"The database of connector {self._name!r}"
        original = error.orig if isinstance(error, DBAPIError) else None
        if getattr(original, "sqlstate", None) == _CANCELLED:
            return TooSlow(f"{what} did not answer within {ms / 1000:g} s; nothing was read.")
        reason = (str(original or error).strip().splitlines() or [type(error).__name__])[0][:200]
        if isinstance(error, DataError):
            return BadInput(f"{what} cannot take a value it was given: {reason}.")
        return Unavailable(f"{what} cannot be read: {reason}.")


def _for_sqlite(value: Value) -> str | int | None:
    if isinstance(value, Decimal | date):
        return str(value)
    return value
