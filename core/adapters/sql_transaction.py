"""What the parts of a review transaction share: running statements, and models kept as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from pydantic import BaseModel
from sqlalchemy import Connection, Delete, Select, Table, Update
from sqlalchemy.exc import IntegrityError

from core.adapters.sql_engine import insert_new, upsert
from core.errors import NotFound
from core.ports import Clock

M = TypeVar("M", bound=BaseModel)


class SqlTransaction:
    """One open transaction. ``writable`` is what its door promised."""

    def __init__(self, connection: Connection, clock: Clock, *, writable: bool) -> None:
        self._connection = connection
        self._clock = clock
        self._writable = writable

    def _one(self, model: type[M], statement: Select[Any]) -> M | None:
        body = self._connection.execute(statement).scalar_one_or_none()
        return None if body is None else model.model_validate_json(body)

    def _all(self, model: type[M], statement: Select[Any]) -> tuple[M, ...]:
        bodies = self._connection.execute(statement).scalars()
        return tuple(model.model_validate_json(body) for body in bodies)

    def _change(self, statement: Update | Delete) -> int:
        """Run a change; returns how many rows it met."""
        self._may_write()
        return self._connection.execute(statement).rowcount

    def _put(self, table: Table, values: dict[str, Any]) -> None:
        self._may_write()
        with _known_case(values):
            upsert(self._connection, table, values)

    def _add(self, table: Table, values: dict[str, Any]) -> bool:
        """Insert a row; ``False`` when a unique key is taken."""
        self._may_write()
        with _known_case(values):
            return insert_new(self._connection, table, values)

    def _may_write(self) -> None:
        if not self._writable:
            raise RuntimeError("this transaction only reads; open one with write()")


@contextmanager
def _known_case(values: dict[str, Any]) -> Iterator[None]:
    """Turns a broken reference to a case into ``NotFound``."""
    try:
        yield
    except IntegrityError as error:
        if "foreign key" in str(error.orig).lower():
            raise NotFound(f"There is no case {values.get('case_id')!r}.") from error
        raise
