"""Stored situations that several tests start from."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Engine

from core.adapters.sql_review_store import SqlReviewStore
from core.adapters.sql_runs import SqlRunStore
from core.models.request import RiskLevel
from tests.contracts.builders import TENANT, a_case, a_disposition, a_draft, a_ledger, a_run
from tests.fakes.fixed_clock import DEMO_DAY, FixedClock


def approved(
    engine: Engine,
    case_id: str,
    *document_ids: str,
    risk: RiskLevel = "low",
    at: datetime = DEMO_DAY,
    tenant_id: str = TENANT,
) -> None:
    """An approved reply of a case of its own that cites every given document."""
    SqlRunStore(engine).save_run(a_run(f"trace_{case_id}", *document_ids))
    cited = (f"EVID-{number:04d}" for number in range(1, len(document_ids) + 1))
    draft_id = f"draft_{case_id}"
    with SqlReviewStore(engine, FixedClock()).write() as change:
        change.add_case(a_case(case_id, risk=risk, tenant_id=tenant_id))
        change.add_draft(
            a_draft(draft_id, case_id=case_id, trace_id=f"trace_{case_id}", ledger=a_ledger(*cited))
        )
        change.add_disposition(
            a_disposition(f"disp_{case_id}", case_id=case_id, draft_id=draft_id, at=at)
        )
