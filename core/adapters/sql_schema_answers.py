"""The table of a remote gate's answers. It holds no text: keys are hashes, quotes are places."""

from __future__ import annotations

from sqlalchemy import Column, Float, Index, Table, Text

from core.adapters.sql_schema import UtcMicros, metadata

gate_answers = Table(
    "gate_answers",
    metadata,
    Column("key", Text, primary_key=True, nullable=False),
    Column("backend", Text, nullable=False),
    Column("relevant", Float, nullable=False),
    Column("evidence", Float, nullable=False),
    Column("contradicts", Float, nullable=False),
    Column("injection", Float, nullable=False),
    Column("quotes", Text, nullable=False),
    Column("asked_at", UtcMicros, nullable=False),
    Index(None, "asked_at"),
)
