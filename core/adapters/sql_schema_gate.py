"""The tables of the gate: its policies, and what it answered in each run."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
)

from core.adapters.sql_schema import UtcMicros, metadata

# Each policy can be replaced once, so that the history is one line whatever happens.
gate_policies = Table(
    "gate_policies",
    metadata,
    Column(
        "position",
        # SQLite counts by itself only in a plain INTEGER primary key.
        BigInteger().with_variant(Integer, "sqlite"),
        primary_key=True,
        autoincrement=True,
    ),
    Column("policy_id", Text, nullable=False, unique=True),
    Column("tenant_id", Text, nullable=False),
    Column("replaces", Text, nullable=False),
    Column("saved_at", UtcMicros, nullable=False),
    Column("body", Text, nullable=False),
    UniqueConstraint("tenant_id", "replaces"),
)

gate_runs = Table(
    "gate_runs",
    metadata,
    Column("trace_id", Text, ForeignKey("runs.trace_id"), primary_key=True, nullable=False),
    Column("tenant_id", Text, nullable=False),
    Column("started_at", UtcMicros, nullable=False),
    Column("body", Text, nullable=False),
    Index(None, "tenant_id", "started_at"),
)

gate_run_answers = Table(
    "gate_run_answers",
    metadata,
    Column("trace_id", Text, ForeignKey("gate_runs.trace_id"), primary_key=True, nullable=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("chunk_id", Text, nullable=False),
    Column("document_id", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("relevant", Float, nullable=True),
    Column("evidence", Float, nullable=True),
    Column("contradicts", Float, nullable=True),
    Column("injection", Float, nullable=True),
    Column("route", Text, nullable=False),
    Column("rule", Text, nullable=False),
    Column("forced", Boolean, nullable=True),
    Column("looked_up", Boolean, nullable=False),
    Column("backend", Text, nullable=False),
    Column("sentence", Text, nullable=False),
)
