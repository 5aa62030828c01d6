"""The tables of actions: what reviewers decided on proposals, and receipts of our own tools."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
)

from core.adapters.sql_schema import UtcMicros, metadata

actions = Table(
    "actions",
    metadata,
    Column(
        "position",
        # SQLite counts by itself only in a plain INTEGER primary key.
        BigInteger().with_variant(Integer, "sqlite"),
        primary_key=True,
        autoincrement=True,
    ),
    Column("tenant_id", Text, nullable=False),
    Column("proposal_id", Text, nullable=False),
    Column("case_id", Text, ForeignKey("cases.case_id"), nullable=False),
    Column("trace_id", Text, nullable=False),
    Column("tool", Text, nullable=False),
    Column("state", Text, nullable=False, index=True),
    Column("body", Text, nullable=False),
    UniqueConstraint("tenant_id", "proposal_id"),
    Index(None, "case_id"),
)

# Written in the transaction of the change itself, so that a crash leaves both or neither.
action_receipts = Table(
    "action_receipts",
    metadata,
    Column("key", Text, primary_key=True, nullable=False),
    Column("receipt", Text, nullable=False),
    Column("at", UtcMicros, nullable=False),
)
