"""Audit events as CSV and JSONL, personal data masked unless the full record is wanted."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from core.models.review import AuditEvent
from core.review.chain import timestamp
from core.text.redact import redact_pii

COLUMNS = (
    "seq",
    "at",
    "actor",
    "kind",
    "subject_kind",
    "subject_id",
    "payload",
    "prev_hash",
    "hash",
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_jsonl(events: Sequence[AuditEvent], *, full: bool) -> bytes:
    """One JSON object a line, keys as in the chain."""
    lines = (json.dumps(_row(event, full=full), ensure_ascii=False) for event in events)
    return "".join(f"{line}\n" for line in lines).encode("utf-8")


def to_csv(events: Sequence[AuditEvent], *, full: bool) -> bytes:
    """A header and one row an event; the payload is a JSON cell. No cell starts a formula."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    for event in events:
        row = _row(event, full=full)
        row["payload"] = json.dumps(row["payload"], ensure_ascii=False)
        writer.writerow({name: _cell(row[name]) for name in COLUMNS})
    return text.getvalue().encode("utf-8")


def _when(at: Any) -> str:
    """The time; what somebody edited into nonsense as it stands, for ``audit verify`` names it."""
    return timestamp(at) if isinstance(at, datetime) else str(at)


def _row(event: AuditEvent, *, full: bool) -> dict[str, Any]:
    row: dict[str, Any] = {
        "seq": event.seq,
        "at": _when(event.at),
        "tenant_id": event.tenant_id,
        "actor": event.actor,
        "kind": event.kind,
        "subject_kind": event.subject_kind,
        "subject_id": event.subject_id,
        "payload": event.payload,
        "prev_hash": event.prev_hash,
        "hash": event.hash,
    }
    if not full:
        row["payload"] = _masked(event.payload)
        row["actor"], row["subject_id"] = _masked(event.actor), _masked(event.subject_id)
    return row


def _masked(value: Any) -> Any:
    """``value`` with personal data masked in every string it holds, keys included."""
    if isinstance(value, str):
        return redact_pii(value)[0]
    if isinstance(value, dict):
        return {_masked(key): _masked(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_masked(item) for item in value]
    return value


def _cell(value: Any) -> Any:
    """A spreadsheet reads a cell that begins like a formula as one; a quote in front stops that."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
