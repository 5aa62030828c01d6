"""Gate policies, and the gate's answers of each run in a form that can be re-routed at once."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "gate_policies",
        sa.Column(
            "position",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("policy_id", sa.Text(), nullable=False),
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("replaces", sa.Text(), nullable=False),
        sa.Column("saved_at", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("position", name=op.f("pk_gate_policies")),
        sa.UniqueConstraint("policy_id", name=op.f("uq_gate_policies_policy_id")),
        sa.UniqueConstraint(
            "tenant_id", "replaces", name=op.f("uq_gate_policies_tenant_id_replaces")
        ),
    )
    op.create_table(
        "gate_runs",
        sa.Column("trace_id", sa.Text(), nullable=False),
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["trace_id"], ["runs.trace_id"], name=op.f("fk_gate_runs_trace_id")
        ),
        sa.PrimaryKeyConstraint("trace_id", name=op.f("pk_gate_runs")),
    )
    op.create_index(
        op.f("ix_gate_runs_tenant_id_started_at"), "gate_runs", ["tenant_id", "started_at"]
    )
    op.create_table(
        "gate_run_answers",
        sa.Column("trace_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("chunk_id", sa.Text(), nullable=False),
        sa.Column("document_id", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("relevant", sa.Float(), nullable=True),
        sa.Column("evidence", sa.Float(), nullable=True),
        sa.Column("contradicts", sa.Float(), nullable=True),
        sa.Column("injection", sa.Float(), nullable=True),
        sa.Column("route", sa.Text(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("forced", sa.Boolean(), nullable=True),
        sa.Column("looked_up", sa.Boolean(), nullable=False),
        sa.Column("backend", sa.Text(), nullable=False),
        sa.Column("sentence", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["trace_id"], ["gate_runs.trace_id"], name=op.f("fk_gate_run_answers_trace_id")
        ),
        sa.PrimaryKeyConstraint("trace_id", "number", name=op.f("pk_gate_run_answers")),
    )
