"""Which approved replies lean on which document version: the reverse ledger, read."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, Row, Select, select

from core.adapters.sql_engine import reading
from core.adapters.sql_review_decisions import standing_approval
from core.adapters.sql_schema import (
    cases,
    dispositions,
    draft_evidence,
    run_evidence,
    source_flags,
)
from core.knowledge.store import Demand
from core.knowledge.views import LeaningReply
from core.models.review import Case, Disposition, SourceFlag

_RISK_WEIGHTS = {"low": 1, "medium": 2, "high": 3}


class SqlReverseLedger:
    """``ReverseLedger`` on an engine from ``open_database``. Safe to share by threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def demand(self, tenant_id: str, *, since: datetime) -> Mapping[str, Demand]:
        wanted = (
            _leaning(run_evidence.c.document_id, dispositions.c.disposition_id, cases.c.body)
            .where(cases.c.tenant_id == tenant_id, dispositions.c.at >= since)
            .distinct()
        )
        totals: dict[str, Demand] = {}
        with reading(self._engine) as connection:
            for document_id, _, body in connection.execute(wanted):
                so_far = totals.get(document_id, Demand())
                weight = _RISK_WEIGHTS[Case.model_validate_json(body).risk]
                totals[document_id] = Demand(
                    replies=so_far.replies + 1, weighted=so_far.weighted + weight
                )
        return totals

    def replies(self, document_id: str) -> tuple[LeaningReply, ...]:
        wanted = (
            _leaning(dispositions.c.body, cases.c.body.label("case"), run_evidence.c.chunk_id)
            .where(run_evidence.c.document_id == document_id)
            .order_by(dispositions.c.position.desc(), run_evidence.c.chunk_id)
        )
        with reading(self._engine) as connection:
            rows = connection.execute(wanted).all()
        chunks: dict[str, list[str]] = {}
        for row in rows:
            chunks.setdefault(row.body, []).append(row.chunk_id)
        files = {row.body: row for row in rows}
        return tuple(_reply(files[body], found) for body, found in chunks.items())

    def flags(self, tenant_id: str, source_id: str | None = None) -> tuple[SourceFlag, ...]:
        wanted = select(source_flags.c.body).where(source_flags.c.tenant_id == tenant_id)
        if source_id is not None:
            wanted = wanted.where(source_flags.c.source_id == source_id)
        order = (source_flags.c.raised_at.desc(), source_flags.c.flag_id.desc())
        with reading(self._engine) as connection:
            bodies = connection.execute(wanted.order_by(*order)).scalars()
            return tuple(SourceFlag.model_validate_json(body) for body in bodies)


def _leaning(*columns: Any) -> Select[Any]:
    """Approvals joined to the evidence their drafts lean on."""
    return (
        select(*columns)
        .select_from(run_evidence)
        .join(
            draft_evidence,
            (draft_evidence.c.trace_id == run_evidence.c.trace_id)
            & (draft_evidence.c.evidence_id == run_evidence.c.evidence_id),
        )
        .join(dispositions, dispositions.c.draft_id == draft_evidence.c.draft_id)
        .join(cases, cases.c.case_id == dispositions.c.case_id)
        .where(*standing_approval())
    )


def _reply(row: Row[Any], chunk_ids: list[str]) -> LeaningReply:
    disposition = Disposition.model_validate_json(row.body)
    case = Case.model_validate_json(row.case)
    return LeaningReply(
        disposition_id=disposition.disposition_id,
        case_id=case.case_id,
        subject=case.subject,
        approved_by=disposition.by,
        approved_at=disposition.at,
        case_state=case.state,
        chunk_ids=tuple(dict.fromkeys(chunk_ids)),
    )
