"""The tables of uploads: files as dropped, and the drafts read from them."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, Table, Text

from core.adapters.sql_schema import UtcMicros, metadata


def _position() -> Column[int]:
    # SQLite counts by itself only in a plain INTEGER primary key.
    kind = BigInteger().with_variant(Integer, "sqlite")
    return Column("position", kind, primary_key=True, autoincrement=True)


upload_files = Table(
    "upload_files",
    metadata,
    _position(),
    Column("file_id", Text, nullable=False, unique=True),
    Column("tenant_id", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("bytes_hash", Text, nullable=False),
    Column("claimed_by", Text, nullable=True),
    Column("claimed_at", UtcMicros, nullable=True),
    Column("body", Text, nullable=False),
    Column("data", LargeBinary, nullable=True),
    Index(None, "tenant_id", "state"),
)

upload_drafts = Table(
    "upload_drafts",
    metadata,
    _position(),
    Column("upload_id", Text, nullable=False, unique=True),
    Column("tenant_id", Text, nullable=False),
    Column("file_id", Text, nullable=False, index=True),
    Column("state", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("updated_at", UtcMicros, nullable=False),
    Column("claimed_by", Text, nullable=True),
    Column("claimed_at", UtcMicros, nullable=True),
    Column("body", Text, nullable=False),
    Column("version", Text, nullable=False),
    Index(None, "tenant_id", "state"),
)
