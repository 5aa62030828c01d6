"""A small warehouse database of two companies, and connector files over it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from core.adapters.connectors import Connector, open_connectors
from core.models.access import SecurityContext
from core.tools.toolbox import Called, Toolbox
from tests.stages.language_builders import rights

ROWS = (
    ("S-1", "athena", "A-10293", "Newark", "2026-11-20"),
    ("S-2", "athena", "A-10293", "Albany", "2026-11-22"),
    ("S-3", "athena", "A-10305", "Tulsa", "2026-11-29"),
    ("S-9", "borealis", "A-10293", "Secretville", "2026-11-21"),
)
SELECT = (
    "SELECT scan_id, tenant_id, order_number, place, scanned_on FROM parcel_scans "
    "WHERE tenant_id = :tenant AND order_number = :order_id ORDER BY scanned_on DESC"
)
ENDLESS = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
    "SELECT scan_id, tenant_id, order_number, place, scanned_on FROM parcel_scans "
    "WHERE tenant_id = :tenant AND order_number = :order_id AND (SELECT count(*) FROM n) > 0"
)
ORDER_ID = '{ order_id = { description = "an order number such as A-10293", max_length = 60 } }'


def a_warehouse(folder: Path) -> Path:
    """The database as a file."""
    path = folder / "warehouse.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "CREATE TABLE parcel_scans (scan_id TEXT, tenant_id TEXT, order_number TEXT, "
            "place TEXT, scanned_on TEXT)"
        )
        connection.executemany("INSERT INTO parcel_scans VALUES (?, ?, ?, ?, ?)", ROWS)
    return path


def a_file(
    folder: Path,
    *,
    sql: str = SELECT,
    parameters: str = ORDER_ID,
    url: str = 'url = "sqlite:///warehouse.db"',
    more: str = "",
) -> Path:
    """A connector file with one query, ``scans``; ``more`` are further keys of the query."""
    path = folder / "connectors.toml"
    path.write_text(
        f"""
[connectors.warehouse]
{url}
[connectors.warehouse.queries.scans]
description = "Where a parcel was scanned."
sql = '''{sql}'''
parameters = {parameters}
table = "parcel_scans"
row_key = "scan_id"
tenant_column = "tenant_id"
columns = ["scan_id", "order_number", "place", "scanned_on"]
title = "Scan {{scan_id}}"
{more}
""",
        encoding="utf-8",
    )
    return path


class Log:
    """Remembers what was reported."""

    def __init__(self) -> None:
        self.reported: list[tuple[str, ...]] = []

    def report(self, context: SecurityContext, tool: str, violations: tuple[str, ...]) -> None:
        self.reported.append(violations)


def a_toolbox(connectors: Sequence[Connector], log: Log | None = None) -> Toolbox:
    """The tools of connectors."""
    return Toolbox([tool for c in connectors for tool in c.tools], log=log)


def scans(path: Path, order_id: object = "A-10293", log: Log | None = None) -> Called:
    """What an agent gets from ``scans``."""
    connectors = open_connectors(path)
    try:
        toolbox = a_toolbox(connectors, log)
        return toolbox.call("scans", rights("agent"), {"order_id": order_id})
    finally:
        for connector in connectors:
            connector.close()
