"""Uploads, what quarantined files were read into, and where documents came from."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def _position() -> sa.Column[int]:
    kind = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    return sa.Column("position", kind, autoincrement=True, nullable=False)


def upgrade() -> None:
    op.add_column("quarantine", sa.Column("found", sa.Text(), nullable=True))
    op.add_column("documents", sa.Column("origin", sa.Text(), nullable=True))
    op.create_index(
        op.f("ix_documents_tenant_id_origin"), "documents", ["tenant_id", "origin"]
    )
    op.create_table(
        "upload_files",
        _position(),
        sa.Column("file_id", sa.Text(), nullable=False),
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("bytes_hash", sa.Text(), nullable=False),
        sa.Column("claimed_by", sa.Text(), nullable=True),
        sa.Column("claimed_at", sa.BigInteger(), nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("position", name=op.f("pk_upload_files")),
        sa.UniqueConstraint("file_id", name=op.f("uq_upload_files_file_id")),
    )
    op.create_index(
        op.f("ix_upload_files_tenant_id_state"), "upload_files", ["tenant_id", "state"]
    )
    op.create_table(
        "upload_drafts",
        _position(),
        sa.Column("upload_id", sa.Text(), nullable=False),
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("file_id", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("claimed_by", sa.Text(), nullable=True),
        sa.Column("claimed_at", sa.BigInteger(), nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("position", name=op.f("pk_upload_drafts")),
        sa.UniqueConstraint("upload_id", name=op.f("uq_upload_drafts_upload_id")),
    )
    op.create_index(op.f("ix_upload_drafts_file_id"), "upload_drafts", ["file_id"])
    op.create_index(
        op.f("ix_upload_drafts_tenant_id_state"), "upload_drafts", ["tenant_id", "state"]
    )
