"""The tables, as the code reads them. Migrations build them; a test keeps both equal.

Models that are only read whole are stored as JSON text beside the columns they are found by.
Times are microseconds since 1970 in UTC.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, cast

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.types import TypeDecorator

REVISIONS = ("0001", "0002", "0003", "0004", "0005")
"""Every schema revision this release knows, oldest first. The last is the head."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class UtcMicros(TypeDecorator[datetime]):
    """An aware time, stored as whole microseconds since 1970 in UTC: sorts alike everywhere."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> int | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a stored time needs a time zone")
        return (value - _EPOCH) // _MICROSECOND

    def process_result_value(self, value: int | None, dialect: Any) -> datetime | None:
        try:
            return None if value is None else _EPOCH + value * _MICROSECOND
        except (TypeError, OverflowError):  # edited into nonsense: for its reader to refuse
            return cast("datetime", value)


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _case_id(*, primary: bool = False) -> Column[str]:
    return Column("case_id", Text, ForeignKey("cases.case_id"), primary_key=primary, nullable=False)


def _text(name: str, *, primary: bool = False, index: bool = False) -> Column[str]:
    return Column(name, Text, primary_key=primary, nullable=False, index=index or None)


def _at(name: str) -> Column[datetime]:
    return Column(name, UtcMicros, nullable=False)


def _seq(name: str, *, counts: bool = True) -> Column[int]:
    # SQLite counts by itself only in a plain INTEGER primary key.
    kind = BigInteger().with_variant(Integer, "sqlite")
    return Column(name, kind, primary_key=True, autoincrement=counts)


cases = Table(
    "cases",
    metadata,
    _text("case_id", primary=True),
    _text("tenant_id"),
    _text("state"),
    Column("version", Integer, nullable=False),
    _at("updated_at"),
    _text("body"),
    Index(None, "tenant_id", "updated_at"),
)

leases = Table("leases", metadata, _case_id(primary=True), _text("body"))

drafts = Table(
    "drafts",
    metadata,
    _text("draft_id", primary=True),
    _case_id(),
    Column("number", Integer, nullable=False),
    _text("trace_id"),
    _text("body"),
    UniqueConstraint("case_id", "number"),
)

# With run_evidence this is the reverse ledger: document version → run evidence → drafts → replies.
draft_evidence = Table(
    "draft_evidence",
    metadata,
    Column("draft_id", Text, ForeignKey("drafts.draft_id"), primary_key=True, nullable=False),
    _text("evidence_id", primary=True),
    _text("trace_id"),
    Index(None, "trace_id", "evidence_id"),
)

working_edits = Table(
    "working_edits",
    metadata,
    _case_id(primary=True),
    _text("user_id", primary=True),
    _text("body"),
)

opened_items = Table(
    "opened_items",
    metadata,
    _seq("position"),
    _case_id(),
    _text("user_id"),
    _text("draft_id"),
    _text("item_id"),
    _at("at"),
    UniqueConstraint("case_id", "user_id", "draft_id", "item_id"),
)

dispositions = Table(
    "dispositions",
    metadata,
    _seq("position"),
    Column("disposition_id", Text, nullable=False, unique=True),
    _case_id(),
    _text("kind"),
    Column("draft_id", Text, nullable=True, index=True),
    _at("at"),
    _text("body"),
    Index(None, "case_id"),
)

escalations = Table(
    "escalations",
    metadata,
    _text("escalation_id", primary=True),
    _case_id(),
    _text("state"),
    _at("due_at"),
    _text("body"),
    Index(None, "case_id"),
)

outbox = Table(
    "outbox",
    metadata,
    _seq("position"),
    Column("item_id", Text, nullable=False, unique=True),
    _case_id(),
    _text("disposition_id", index=True),
    _text("state", index=True),
    _text("idempotency_key"),
    _text("body"),
    UniqueConstraint("idempotency_key"),
    Index(None, "case_id"),
)

source_flags = Table(
    "source_flags",
    metadata,
    _text("flag_id", primary=True),
    _text("tenant_id"),
    _text("source_id"),
    _at("raised_at"),
    _text("body"),
    Index(None, "tenant_id", "source_id"),
)

audit_events = Table(
    "audit_events",
    metadata,
    _seq("seq", counts=False),
    _at("at"),
    _text("tenant_id"),
    _text("actor"),
    _text("kind"),
    _text("subject_kind"),
    _text("subject_id"),
    _text("payload"),
    _text("prev_hash"),
    _text("hash"),
    Index(None, "subject_kind", "subject_id"),
    Index(None, "tenant_id", "seq"),
)

# One row. Whoever writes locks it first, so the chain cannot fork.
audit_head = Table(
    "audit_head",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, nullable=False),
    _text("hash"),
    CheckConstraint("id = 1", name="single"),
)

runs = Table(
    "runs",
    metadata,
    _text("trace_id", primary=True),
    _text("tenant_id"),
    _text("question"),
    _at("started_at"),
    _text("body"),
    Index(None, "tenant_id", "started_at"),
)

run_evidence = Table(
    "run_evidence",
    metadata,
    Column("trace_id", Text, ForeignKey("runs.trace_id"), primary_key=True, nullable=False),
    _text("evidence_id", primary=True),
    _text("document_id", index=True),
    _text("chunk_id"),
)

sources = Table(
    "sources", metadata, _text("source_id", primary=True), _text("tenant_id", index=True)
)

documents = Table(
    "documents",
    metadata,
    _seq("position"),
    Column("document_id", Text, nullable=False, unique=True),
    Column("source_id", Text, ForeignKey("sources.source_id"), nullable=False, index=True),
    _text("tenant_id", index=True),
    _text("content_hash"),
    Column("indexed_hash", Text, nullable=True),
    Column("index_version", Text, nullable=True),
    Column("revision", Integer, nullable=False),
    Column("withdrawn", Boolean, nullable=False),
    Column("ingested_at", UtcMicros, nullable=True),
    _text("title"),
    _text("governance"),
    _text("owner_changes"),
    _text("body"),
    Column("origin", Text, nullable=True),
    Index(None, "tenant_id", "origin"),
)

quarantine = Table(
    "quarantine",
    metadata,
    _text("tenant_id", primary=True),
    _text("path", primary=True),
    _text("reason"),
    _text("fix"),
    _text("actor"),
    _at("since"),
    Column("found", Text, nullable=True),
)

users = Table(
    "users", metadata, _text("user_id", primary=True), _text("tenant_id", index=True), _text("body")
)

acl_policies = Table(
    "acl_policies",
    metadata,
    _text("tenant_id", primary=True),
    _text("policy_id", primary=True),
    _text("body"),
)
