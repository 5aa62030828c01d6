"""Actions that reviewers confirmed or declined, and receipts of tools that change the cases."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "actions",
        sa.Column(
            "position",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("proposal_id", sa.Text(), nullable=False),
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.Column("trace_id", sa.Text(), nullable=False),
        sa.Column("tool", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["case_id"], ["cases.case_id"], name=op.f("fk_actions_case_id")),
        sa.PrimaryKeyConstraint("position", name=op.f("pk_actions")),
        sa.UniqueConstraint(
            "tenant_id", "proposal_id", name=op.f("uq_actions_tenant_id_proposal_id")
        ),
    )
    op.create_index(op.f("ix_actions_state"), "actions", ["state"])
    op.create_index(op.f("ix_actions_case_id"), "actions", ["case_id"])
    op.create_table(
        "action_receipts",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("receipt", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_action_receipts")),
    )
