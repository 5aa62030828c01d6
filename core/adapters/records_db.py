"""The company's records, read only: orders and customers in one SQLite file, rows as evidence.

Every statement is parameterised, the file is opened for reading only and for a limited time, and a
row that does not exist is ``None``: the caller says so, the adapter never guesses.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from core.adapters.records_text import customer_text, order_text
from core.adapters.sqlite_reading import reading_sqlite
from core.errors import Unavailable
from core.models.evidence import EvidenceCandidate
from core.text.identifiers import customer_key

RECORDS_OWNER = "operations"
_ORDER = "SELECT * FROM orders WHERE tenant_id = ? AND order_number = ?"
_CUSTOMER = "SELECT * FROM customers WHERE tenant_id = ? AND customer_id = ?"


class SqliteRecords:
    """``RecordStore`` over a file that ``records_build.build_records`` wrote."""

    def __init__(self, path: Path, *, timeout_ms: int = 5_000) -> None:
        self._path, self._timeout_ms = path, timeout_ms

    def order(self, tenant_id: str, number: str) -> EvidenceCandidate | None:
        """The order by its number, in any case and with or without ``#``."""
        row = self._one(_ORDER, tenant_id, _canonical(number))
        if row is None:
            return None
        title = f"Order {row['order_number']}"
        return _candidate(tenant_id, "orders", row["order_number"], title, order_text(row), row)

    def customer(self, tenant_id: str, customer_id: str) -> EvidenceCandidate | None:
        """The customer by id; ``C-0088`` and ``88`` are the same customer."""
        key = customer_key(_canonical(customer_id))
        row = self._one(_CUSTOMER, tenant_id, key)
        if row is None:
            return None
        title = f"Customer {row['customer_id']}"
        return _candidate(tenant_id, "customers", key, title, customer_text(row), row)

    def _one(self, statement: str, tenant_id: str, key: str) -> dict[str, str] | None:
        if not self._path.is_file():
            raise Unavailable(
                f"The records database {self._path} is missing. Run `countersign demo` to build it."
            )
        what = "The records database"
        with reading_sqlite(self._path, what=what, timeout_ms=self._timeout_ms) as connection:
            row = connection.execute(statement, (tenant_id, key)).fetchone()
        return None if row is None else dict(zip(row.keys(), map(str, row), strict=True))


def _canonical(number: str) -> str:
    return number.strip().lstrip("#").upper()


def _candidate(
    tenant_id: str, table: str, key: str, title: str, text: str, row: Mapping[str, str]
) -> EvidenceCandidate:
    locator = f"records:{table}/{key}"
    columns = {name: value for name, value in row.items() if name != "tenant_id"}
    return EvidenceCandidate(
        chunk_id=locator,
        source_id=f"records:{table}",
        document_id=locator,
        tenant_id=tenant_id,
        text=text,
        source_title=title,
        source_uri=locator,
        char_end=len(text),
        score=1.0,
        rank=1,
        retrieval_source="record",
        authority="case_record",
        owner=RECORDS_OWNER,
        permission_tag="PERSONAL_DATA_PII",
        acl_policy_id="support-internal",
        classification="internal",
        source_type="INTERNAL_DB_TABLE",
        metadata={"found": "yes", **columns},
    )
