"""Answers of remote gates, kept so that no pair is paid for twice."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "gate_answers",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("backend", sa.Text(), nullable=False),
        sa.Column("relevant", sa.Float(), nullable=False),
        sa.Column("evidence", sa.Float(), nullable=False),
        sa.Column("contradicts", sa.Float(), nullable=False),
        sa.Column("injection", sa.Float(), nullable=False),
        sa.Column("quotes", sa.Text(), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_gate_answers")),
    )
    op.create_index(op.f("ix_gate_answers_asked_at"), "gate_answers", ["asked_at"])
