"""Drafts, decisions, escalations, flags, and the reverse ledger over them."""

from __future__ import annotations

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.sql import Select

from core.adapters.sql_engine import insert_new
from core.adapters.sql_flags import flag_row
from core.adapters.sql_schema import (
    cases,
    dispositions,
    draft_evidence,
    drafts,
    escalations,
    outbox,
    run_evidence,
    source_flags,
)
from core.adapters.sql_transaction import SqlTransaction
from core.errors import BadInput, Conflicted, NotFound
from core.models.review import Disposition, DraftVersion, Escalation, SourceFlag


class DecisionPart(SqlTransaction):
    """The part of a review transaction that drafts and decisions live in."""

    def add_draft(self, draft: DraftVersion) -> None:
        values = {
            "draft_id": draft.draft_id,
            "case_id": draft.case_id,
            "number": draft.number,
            "trace_id": draft.trace_id,
            "body": draft.model_dump_json(),
        }
        if not self._add(drafts, values):
            raise Conflicted(
                f"Case {draft.case_id} has a draft number {draft.number} already. Reload the case."
            )
        for evidence_id in sorted(_leans_on(draft)):
            key = {"draft_id": draft.draft_id, "evidence_id": evidence_id}
            insert_new(self._connection, draft_evidence, {**key, "trace_id": draft.trace_id})

    def draft(self, draft_id: str) -> DraftVersion | None:
        return self._one(DraftVersion, select(drafts.c.body).where(drafts.c.draft_id == draft_id))

    def drafts(self, case_id: str) -> tuple[DraftVersion, ...]:
        statement = select(drafts.c.body).where(drafts.c.case_id == case_id)
        return self._all(DraftVersion, statement.order_by(drafts.c.number))

    def add_disposition(self, disposition: Disposition) -> None:
        values = {
            "disposition_id": disposition.disposition_id,
            "case_id": disposition.case_id,
            "kind": disposition.kind,
            "draft_id": disposition.draft_id,
            "at": disposition.at,
            "body": disposition.model_dump_json(),
        }
        if not self._add(dispositions, values):
            raise BadInput(f"Decision {disposition.disposition_id!r} is stored already.")

    def dispositions(
        self, *, case_id: str | None = None, tenant_id: str | None = None, limit: int = 500
    ) -> tuple[Disposition, ...]:
        statement = select(dispositions.c.body)
        if tenant_id is not None:
            statement = statement.join(cases).where(cases.c.tenant_id == tenant_id)
        order = dispositions.c.position.desc()
        if case_id is not None:
            statement = statement.where(dispositions.c.case_id == case_id)
            order = dispositions.c.position.asc()
        return self._all(Disposition, statement.order_by(order).limit(limit))

    def disposition(self, disposition_id: str) -> Disposition | None:
        found = dispositions.c.disposition_id == disposition_id
        return self._one(Disposition, select(dispositions.c.body).where(found))

    def add_escalation(self, escalation: Escalation) -> None:
        values = {
            "escalation_id": escalation.escalation_id,
            "case_id": escalation.case_id,
            "state": escalation.state,
            "due_at": escalation.due_at,
            "body": escalation.model_dump_json(),
        }
        if not self._add(escalations, values):
            raise BadInput(f"Escalation {escalation.escalation_id!r} is stored already.")

    def save_escalation(self, escalation: Escalation) -> None:
        changed = self._change(
            update(escalations)
            .where(escalations.c.escalation_id == escalation.escalation_id)
            .values(
                state=escalation.state,
                due_at=escalation.due_at,
                body=escalation.model_dump_json(),
            )
        )
        if not changed:
            raise NotFound(f"There is no escalation {escalation.escalation_id!r}.")

    def escalation(self, escalation_id: str) -> Escalation | None:
        found = escalations.c.escalation_id == escalation_id
        return self._one(Escalation, select(escalations.c.body).where(found))

    def escalations(self, tenant_id: str, state: str | None = None) -> tuple[Escalation, ...]:
        statement = select(escalations.c.body).join(cases).where(cases.c.tenant_id == tenant_id)
        if state is not None:
            statement = statement.where(escalations.c.state == state)
        order = (escalations.c.due_at, escalations.c.escalation_id)
        return self._all(Escalation, statement.order_by(*order))

    def add_flag(self, flag: SourceFlag) -> None:
        if not self._add(source_flags, flag_row(flag)):
            raise BadInput(f"Flag {flag.flag_id!r} is stored already.")

    def flags(self, tenant_id: str, source_id: str | None = None) -> tuple[SourceFlag, ...]:
        statement = select(source_flags.c.body).where(source_flags.c.tenant_id == tenant_id)
        if source_id is not None:
            statement = statement.where(source_flags.c.source_id == source_id)
        order = (source_flags.c.raised_at.desc(), source_flags.c.flag_id.desc())
        return self._all(SourceFlag, statement.order_by(*order))

    def citing_dispositions(self, document_id: str) -> tuple[Disposition, ...]:
        return self._all(
            Disposition,
            select(dispositions.c.body)
            .where(dispositions.c.draft_id.in_(leaning_drafts(document_id)), *standing_approval())
            .order_by(dispositions.c.position),
        )


def _leans_on(draft: DraftVersion) -> set[str]:
    """Evidence ids that the ledger cites or that decide a claim."""
    ids = {citation.id for citation in draft.ledger.citations} if draft.ledger else set()
    for claim in draft.claims:
        ids.update(claim.evidence_ids)
        ids.update(span.evidence_id for span in claim.spans)
    return ids


def leaning_drafts(document_id: str) -> Select[tuple[str]]:
    """Ids of drafts that lean on a document version."""
    return (
        select(draft_evidence.c.draft_id)
        .join(
            run_evidence,
            (run_evidence.c.trace_id == draft_evidence.c.trace_id)
            & (run_evidence.c.evidence_id == draft_evidence.c.evidence_id),
        )
        .where(run_evidence.c.document_id == document_id)
    )


def standing_approval() -> tuple[ColumnElement[bool], ...]:
    """Conditions on ``dispositions``: an approval whose delivery was not undone."""
    undone = (
        select(outbox.c.position)
        .where(
            outbox.c.disposition_id == dispositions.c.disposition_id,
            outbox.c.state == "cancelled",
        )
        .exists()
    )
    return dispositions.c.kind == "approve", ~undone
