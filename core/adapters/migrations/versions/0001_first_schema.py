"""The first schema: cases, decisions, deliveries, the audit chain, runs, documents, people."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_SQLITE_GUARDS = (
    """
    CREATE TRIGGER audit_events_no_update BEFORE UPDATE ON audit_events
    BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END
    """,
    """
    CREATE TRIGGER audit_events_no_delete BEFORE DELETE ON audit_events
    BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END
    """,
    # INSERT OR REPLACE would otherwise rewrite an event without firing the delete trigger.
    """
    CREATE TRIGGER audit_events_only_next BEFORE INSERT ON audit_events
    WHEN NEW.seq <= (SELECT coalesce(max(seq), 0) FROM audit_events)
    BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END
    """,
    """
    CREATE TRIGGER audit_head_only_forward BEFORE UPDATE ON audit_head
    WHEN NEW.seq < OLD.seq
    BEGIN SELECT RAISE(ABORT, 'the audit chain only grows'); END
    """,
    """
    CREATE TRIGGER audit_head_no_delete BEFORE DELETE ON audit_head
    BEGIN SELECT RAISE(ABORT, 'the audit chain only grows'); END
    """,
)

_POSTGRESQL_GUARDS = (
    """
    CREATE FUNCTION countersign_audit_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'audit events are append-only'; END $$
    """,
    """
    CREATE TRIGGER audit_events_no_change BEFORE UPDATE OR DELETE ON audit_events
    FOR EACH ROW EXECUTE FUNCTION countersign_audit_append_only()
    """,
    """
    CREATE TRIGGER audit_events_no_truncate BEFORE TRUNCATE ON audit_events
    FOR EACH STATEMENT EXECUTE FUNCTION countersign_audit_append_only()
    """,
    """
    CREATE FUNCTION countersign_audit_head_only_forward() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP <> 'UPDATE' OR NEW.seq < OLD.seq THEN
            RAISE EXCEPTION 'the audit chain only grows';
        END IF;
        RETURN NEW;
    END $$
    """,
    """
    CREATE TRIGGER audit_head_only_forward BEFORE UPDATE OR DELETE ON audit_head
    FOR EACH ROW EXECUTE FUNCTION countersign_audit_head_only_forward()
    """,
)


def upgrade() -> None:
    _create_tables()
    op.execute(f"INSERT INTO audit_head (id, seq, hash) VALUES (1, 0, '{'0' * 64}')")
    postgresql = op.get_bind().dialect.name == "postgresql"
    for guard in _POSTGRESQL_GUARDS if postgresql else _SQLITE_GUARDS:
        op.execute(guard)


def _create_tables() -> None:
    op.create_table('acl_policies',
    sa.Column('tenant_id', sa.Text(), nullable=False),
    sa.Column('policy_id', sa.Text(), nullable=False),
    sa.Column('body', sa.Text(), nullable=False),
    sa.PrimaryKeyConstraint('tenant_id', 'policy_id', name=op.f('pk_acl_policies'))
    )
    op.create_table('audit_events',
    sa.Column('seq', sa.BigInteger().with_variant(sa.Integer(), 'sqlite'), autoincrement=False, nullable=False),
    sa.Column('at', sa.BigInteger(), nullable=False),
    sa.Column('tenant_id', sa.Text(), nullable=False),
    sa.Column('actor', sa.Text(), nullable=False),
    sa.Column('kind', sa.Text(), nullable=False),
    sa.Column('subject_kind', sa.Text(), nullable=False),
    sa.Column('subject_id', sa.Text(), nullable=False),
    sa.Column('payload', sa.Text(), nullable=False),
    sa.Column('prev_hash', sa.Text(), nullable=False),
    sa.Column('hash', sa.Text(), nullable=False),
    sa.PrimaryKeyConstraint('seq', name=op.f('pk_audit_events'))
    )
    op.create_index(op.f('ix_audit_events_subject_kind_subject_id'), 'audit_events', ['subject_kind', 'subject_id'], unique=False)
    op.create_index(op.f('ix_audit_events_tenant_id_seq'), 'audit_events', ['tenant_id', 'seq'], unique=False)
    op.create_table('audit_head',
    sa.Column('id', sa.Integer(), autoincrement=False, nullable=False),
    sa.Column('seq', sa.BigInteger(), nullable=False),
    sa.Column('hash', sa.Text(), nullable=False),
    sa.CheckConstraint('id = 1', name=op.f('ck_audit_head_single')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_audit_head'))
    )
    op.create_table('cases',
    sa.Column('case_id', sa.Text(), nullable=False),
    sa.Column('tenant_id', sa.Text(), nullable=False),
    sa.Column('state', sa.Text(), nullable=False),
    sa.Column('version', sa.Integer(), nullable=False),
    sa.Column('updated_at', sa.BigInteger(), nullable=False),
    sa.Column('body', sa.Text(), nullable=False),
    sa.PrimaryKeyConstraint('case_id', name=op.f('pk_cases'))
    )
    op.create_index(op.f('ix_cases_tenant_id_updated_at'), 'cases', ['tenant_id', 'updated_at'], unique=False)
    op.create_table('quarantine',
    sa.Column('tenant_id', sa.Text(), nullable=False),
    sa.Column('path', sa.Text(), nullable=False),
    sa.Column('reason', sa.Text(), nullable=False),
    sa.Column('fix', sa.Text(), nullable=False),
    sa.Column('actor', sa.Text(), nullable=False),
    sa.Column('since', sa.BigInteger(), nullable=False),
    sa.PrimaryKeyConstraint('tenant_id', 'path', name=op.f('pk_quarantine'))
    )
    op.create_table('runs',
    sa.Column('trace_id', sa.Text(), nullable=False),
    sa.Column('tenant_id', sa.Text(), nullable=False),
    sa.Column('question', sa.Text(), nullable=False),
    sa.Column('started_at', sa.BigInteger(), nullable=False),
    sa.Column('body', sa.Text(), nullable=False),
    sa.PrimaryKeyConstraint('trace_id', name=op.f('pk_runs'))
    )
    op.create_index(op.f('ix_runs_tenant_id_started_at'), 'runs', ['tenant_id', 'started_at'], unique=False)
    op.create_table('source_flags',
    sa.Column('flag_id', sa.Text(), nullable=False),
    sa.Column('tenant_id', sa.Text(), nullable=False),
    sa.Column('source_id', sa.Text(), nullable=False),
    sa.Column('raised_at', sa.BigInteger(), nullable=False),
    sa.Column('body', sa.Text(), nullable=False),
    sa.PrimaryKeyConstraint('flag_id', name=op.f('pk_source_flags'))
    )
    op.create_index(op.f('ix_source_flags_tenant_id_source_id'), 'source_flags', ['tenant_id', 'source_id'], unique=False)
    op.create_table('sources',
    sa.Column('source_id', sa.Text(), nullable=False),
    sa.Column('tenant_id', sa.Text(), nullable=False),
    sa.PrimaryKeyConstraint('source_id', name=op.f('pk_sources'))
    )
    op.create_index(op.f('ix_sources_tenant_id'), 'sources', ['tenant_id'], unique=False)
    op.create_table('users',
    sa.Column('user_id', sa.Text(), nullable=False),
    sa.Column('tenant_id', sa.Text(), nullable=False),
    sa.Column('body', sa.Text(), nullable=False),
    sa.PrimaryKeyConstraint('user_id', name=op.f('pk_users'))
    )
    op.create_index(op.f('ix_users_tenant_id'), 'users', ['tenant_id'], unique=False)
    op.create_table('dispositions',
    sa.Column('position', sa.BigInteger().with_variant(sa.Integer(), 'sqlite'), autoincrement=True, nullable=False),
    sa.Column('disposition_id', sa.Text(), nullable=False),
    sa.Column('case_id', sa.Text(), nullable=False),
    sa.Column('kind', sa.Text(), nullable=False),
    sa.Column('draft_id', sa.Text(), nullable=True),
    sa.Column('at', sa.BigInteger(), nullable=False),
    sa.Column('body', sa.Text(), nullable=False),
    sa.ForeignKeyConstraint(['case_id'], ['cases.case_id'], name=op.f('fk_dispositions_case_id')),
    sa.PrimaryKeyConstraint('position', name=op.f('pk_dispositions')),
    sa.UniqueConstraint('disposition_id', name=op.f('uq_dispositions_disposition_id'))
    )
    op.create_index(op.f('ix_dispositions_case_id'), 'dispositions', ['case_id'], unique=False)
    op.create_index(op.f('ix_dispositions_draft_id'), 'dispositions', ['draft_id'], unique=False)
    op.create_table('documents',
    sa.Column('position', sa.BigInteger().with_variant(sa.Integer(), 'sqlite'), autoincrement=True, nullable=False),
    sa.Column('document_id', sa.Text(), nullable=False),
    sa.Column('source_id', sa.Text(), nullable=False),
    sa.Column('tenant_id', sa.Text(), nullable=False),
    sa.Column('content_hash', sa.Text(), nullable=False),
    sa.Column('indexed_hash', sa.Text(), nullable=True),
    sa.Column('index_version', sa.Text(), nullable=True),
    sa.Column('revision', sa.Integer(), nullable=False),
    sa.Column('withdrawn', sa.Boolean(), nullable=False),
    sa.Column('ingested_at', sa.BigInteger(), nullable=True),
    sa.Column('title', sa.Text(), nullable=False),
    sa.Column('governance', sa.Text(), nullable=False),
    sa.Column('owner_changes', sa.Text(), nullable=False),
    sa.Column('body', sa.Text(), nullable=False),
    sa.ForeignKeyConstraint(['source_id'], ['sources.source_id'], name=op.f('fk_documents_source_id')),
    sa.PrimaryKeyConstraint('position', name=op.f('pk_documents')),
    sa.UniqueConstraint('document_id', name=op.f('uq_documents_document_id'))
    )
    op.create_index(op.f('ix_documents_source_id'), 'documents', ['source_id'], unique=False)
    op.create_index(op.f('ix_documents_tenant_id'), 'documents', ['tenant_id'], unique=False)
    op.create_table('drafts',
    sa.Column('draft_id', sa.Text(), nullable=False),
    sa.Column('case_id', sa.Text(), nullable=False),
    sa.Column('number', sa.Integer(), nullable=False),
    sa.Column('trace_id', sa.Text(), nullable=False),
    sa.Column('body', sa.Text(), nullable=False),
    sa.ForeignKeyConstraint(['case_id'], ['cases.case_id'], name=op.f('fk_drafts_case_id')),
    sa.PrimaryKeyConstraint('draft_id', name=op.f('pk_drafts')),
    sa.UniqueConstraint('case_id', 'number', name=op.f('uq_drafts_case_id_number'))
    )
    op.create_table('escalations',
    sa.Column('escalation_id', sa.Text(), nullable=False),
    sa.Column('case_id', sa.Text(), nullable=False),
    sa.Column('state', sa.Text(), nullable=False),
    sa.Column('due_at', sa.BigInteger(), nullable=False),
    sa.Column('body', sa.Text(), nullable=False),
    sa.ForeignKeyConstraint(['case_id'], ['cases.case_id'], name=op.f('fk_escalations_case_id')),
    sa.PrimaryKeyConstraint('escalation_id', name=op.f('pk_escalations'))
    )
    op.create_index(op.f('ix_escalations_case_id'), 'escalations', ['case_id'], unique=False)
    op.create_table('leases',
    sa.Column('case_id', sa.Text(), nullable=False),
    sa.Column('body', sa.Text(), nullable=False),
    sa.ForeignKeyConstraint(['case_id'], ['cases.case_id'], name=op.f('fk_leases_case_id')),
    sa.PrimaryKeyConstraint('case_id', name=op.f('pk_leases'))
    )
    op.create_table('opened_items',
    sa.Column('position', sa.BigInteger().with_variant(sa.Integer(), 'sqlite'), autoincrement=True, nullable=False),
    sa.Column('case_id', sa.Text(), nullable=False),
    sa.Column('user_id', sa.Text(), nullable=False),
    sa.Column('draft_id', sa.Text(), nullable=False),
    sa.Column('item_id', sa.Text(), nullable=False),
    sa.Column('at', sa.BigInteger(), nullable=False),
    sa.ForeignKeyConstraint(['case_id'], ['cases.case_id'], name=op.f('fk_opened_items_case_id')),
    sa.PrimaryKeyConstraint('position', name=op.f('pk_opened_items')),
    sa.UniqueConstraint('case_id', 'user_id', 'draft_id', 'item_id', name=op.f('uq_opened_items_case_id_user_id_draft_id_item_id'))
    )
    op.create_table('outbox',
    sa.Column('position', sa.BigInteger().with_variant(sa.Integer(), 'sqlite'), autoincrement=True, nullable=False),
    sa.Column('item_id', sa.Text(), nullable=False),
    sa.Column('case_id', sa.Text(), nullable=False),
    sa.Column('disposition_id', sa.Text(), nullable=False),
    sa.Column('state', sa.Text(), nullable=False),
    sa.Column('idempotency_key', sa.Text(), nullable=False),
    sa.Column('body', sa.Text(), nullable=False),
    sa.ForeignKeyConstraint(['case_id'], ['cases.case_id'], name=op.f('fk_outbox_case_id')),
    sa.PrimaryKeyConstraint('position', name=op.f('pk_outbox')),
    sa.UniqueConstraint('idempotency_key', name=op.f('uq_outbox_idempotency_key')),
    sa.UniqueConstraint('item_id', name=op.f('uq_outbox_item_id'))
    )
    op.create_index(op.f('ix_outbox_case_id'), 'outbox', ['case_id'], unique=False)
    op.create_index(op.f('ix_outbox_disposition_id'), 'outbox', ['disposition_id'], unique=False)
    op.create_index(op.f('ix_outbox_state'), 'outbox', ['state'], unique=False)
    op.create_table('run_evidence',
    sa.Column('trace_id', sa.Text(), nullable=False),
    sa.Column('evidence_id', sa.Text(), nullable=False),
    sa.Column('document_id', sa.Text(), nullable=False),
    sa.Column('chunk_id', sa.Text(), nullable=False),
    sa.ForeignKeyConstraint(['trace_id'], ['runs.trace_id'], name=op.f('fk_run_evidence_trace_id')),
    sa.PrimaryKeyConstraint('trace_id', 'evidence_id', name=op.f('pk_run_evidence'))
    )
    op.create_index(op.f('ix_run_evidence_document_id'), 'run_evidence', ['document_id'], unique=False)
    op.create_table('working_edits',
    sa.Column('case_id', sa.Text(), nullable=False),
    sa.Column('user_id', sa.Text(), nullable=False),
    sa.Column('body', sa.Text(), nullable=False),
    sa.ForeignKeyConstraint(['case_id'], ['cases.case_id'], name=op.f('fk_working_edits_case_id')),
    sa.PrimaryKeyConstraint('case_id', 'user_id', name=op.f('pk_working_edits'))
    )
    op.create_table('draft_evidence',
    sa.Column('draft_id', sa.Text(), nullable=False),
    sa.Column('evidence_id', sa.Text(), nullable=False),
    sa.Column('trace_id', sa.Text(), nullable=False),
    sa.ForeignKeyConstraint(['draft_id'], ['drafts.draft_id'], name=op.f('fk_draft_evidence_draft_id')),
    sa.PrimaryKeyConstraint('draft_id', 'evidence_id', name=op.f('pk_draft_evidence'))
    )
    op.create_index(op.f('ix_draft_evidence_trace_id_evidence_id'), 'draft_evidence', ['trace_id', 'evidence_id'], unique=False)
