"""Drafts of open cases that lean on a document version: work that a new version touches."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from core.adapters.sql_schema import cases, draft_evidence, drafts, run_evidence
from core.knowledge.views import OpenDraft
from core.models.review import Case

_OPEN = ("drafted", "in_review", "edited", "escalated")


def open_drafts_on(
    connection: Connection, tenant_id: str, document_id: str
) -> tuple[OpenDraft, ...]:
    """The latest draft of each open case, where it leans on ``document_id``."""
    latest = (
        select(drafts.c.case_id, func.max(drafts.c.number).label("number"))
        .group_by(drafts.c.case_id)
        .subquery()
    )
    wanted = (
        select(drafts.c.draft_id, cases.c.body, cases.c.updated_at)
        .select_from(run_evidence)
        .join(
            draft_evidence,
            (draft_evidence.c.trace_id == run_evidence.c.trace_id)
            & (draft_evidence.c.evidence_id == run_evidence.c.evidence_id),
        )
        .join(drafts, drafts.c.draft_id == draft_evidence.c.draft_id)
        .join(
            latest,
            (latest.c.case_id == drafts.c.case_id) & (latest.c.number == drafts.c.number),
        )
        .join(cases, cases.c.case_id == drafts.c.case_id)
        .where(
            run_evidence.c.document_id == document_id,
            cases.c.tenant_id == tenant_id,
            cases.c.state.in_(_OPEN),
        )
        .distinct()
        .order_by(cases.c.updated_at.desc(), drafts.c.draft_id)
    )
    found = [
        (row.draft_id, Case.model_validate_json(row.body)) for row in connection.execute(wanted)
    ]
    return tuple(
        OpenDraft(
            case_id=case.case_id, draft_id=draft_id, subject=case.subject, case_state=case.state
        )
        for draft_id, case in found
    )
