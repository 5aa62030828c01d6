"""Builds the records database from the two CSV files, whole or not at all."""

from __future__ import annotations

import csv
import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import NamedTuple

from core.errors import BadSource

_CUSTOMERS = (
    "customer_id", "name", "email", "phone", "city", "country", "tier", "points", "member_since",
)  # fmt: skip
_ORDERS = (
    "order_number", "customer_id", "placed_on", "items", "final_sale", "subtotal", "shipping",
    "total", "currency", "payment", "method", "carrier", "tracking", "status", "shipped_on",
    "expected_on", "delivered_on", "returned_on", "refunded_on", "note",
)  # fmt: skip
_DATES = ("member_since", "placed_on", "shipped_on", "expected_on", "delivered_on", "returned_on",
          "refunded_on")  # fmt: skip
_MONEY = ("subtotal", "shipping", "total")


class RecordCounts(NamedTuple):
    """How many rows were written."""

    customers: int
    orders: int


def build_records(path: Path, *, customers: Path, orders: Path, tenant_id: str) -> RecordCounts:
    """Write ``path`` anew from the CSV files; readers see the old file or the new, never half.

    Raises ``BadSource`` naming file and row for a missing column, a repeated key, an order of an
    unknown customer, a bad date or amount. Nothing is replaced then.
    """
    customer_rows = _read(customers, _CUSTOMERS, "customer_id")
    order_rows = _read(orders, _ORDERS, "order_number")
    known = {row[0] for row in customer_rows}
    for line, row in enumerate(order_rows, start=2):
        if row[1] not in known:
            raise BadSource(f"{orders}:{line}", f"no customer {row[1]!r}.", "Add the customer.")
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    fresh.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(fresh)) as connection, connection:
            _fill(connection, "customers", _CUSTOMERS, customer_rows, tenant_id)
            _fill(connection, "orders", _ORDERS, order_rows, tenant_id)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
    return RecordCounts(customers=len(customer_rows), orders=len(order_rows))


def _fill(
    connection: sqlite3.Connection,
    table: str,
    columns: Sequence[str],
    rows: Sequence[tuple[str, ...]],
    tenant_id: str,
) -> None:
    # Table and column names are the constants above; values are bound.
    names = ", ".join(f"{name} TEXT NOT NULL" for name in columns)
    connection.execute(
        f"CREATE TABLE {table} (tenant_id TEXT NOT NULL, {names}, "
        f"PRIMARY KEY (tenant_id, {columns[0]})) WITHOUT ROWID"
    )
    marks = ", ".join("?" for _ in range(len(columns) + 1))
    connection.executemany(
        f"INSERT INTO {table} VALUES ({marks})",  # noqa: S608 - constants, values are bound
        [(tenant_id, *row) for row in rows],
    )


def _read(path: Path, columns: Sequence[str], key: str) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    seen: set[str] = set()
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            if tuple(reader.fieldnames or ()) != tuple(columns):
                raise BadSource(
                    str(path), "the header is not as expected.", f"Use: {','.join(columns)}"
                )
            for row in reader:
                where = f"{path}:{reader.line_num}"
                if None in row or None in row.values():
                    raise BadSource(where, "the row does not have one value for each column.")
                if row[key] in seen:
                    raise BadSource(where, f"{key} {row[key]!r} appears twice.", "Keep one.")
                seen.add(row[key])
                _check(where, row)
                rows.append(tuple(row[name] for name in columns))
    except (OSError, UnicodeDecodeError) as error:
        raise BadSource(str(path), f"cannot be read ({error}).", "Save it as UTF-8.") from error
    return rows


def _check(where: str, row: dict[str, str]) -> None:
    for name in _DATES:
        if row.get(name):
            _parse(where, name, row[name], date.fromisoformat, "a date such as 2026-11-24")
    for name in _MONEY:
        if name in row:
            _parse(where, name, row[name], Decimal, "an amount such as 68.95")


def _parse(where: str, name: str, value: str, read: Callable[[str], object], wanted: str) -> None:
    try:
        read(value)
    except (ValueError, InvalidOperation) as error:
        raise BadSource(where, f"{name} {value!r} is not {wanted}.") from error
