"""The pipeline's read access to cases."""

from __future__ import annotations

from datetime import date

from sqlalchemy import Engine, select

from core.adapters.sql_engine import reading
from core.adapters.sql_schema import cases, dispositions
from core.models.review import Case, Disposition
from core.text.identifiers import customer_key, same_customer


class SqlCaseFiles:
    """``CaseFiles`` and ``CaseHistory`` on an engine from ``open_database``."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def case(self, tenant_id: str, case_id: str) -> Case | None:
        wanted = select(cases.c.body).where(
            cases.c.case_id == case_id, cases.c.tenant_id == tenant_id
        )
        with reading(self._engine) as connection:
            body = connection.execute(wanted).scalar_one_or_none()
        return None if body is None else Case.model_validate_json(body)

    def of_customer(
        self, tenant_id: str, customer_id: str, *, since: date, until: date
    ) -> tuple[Case, ...]:
        """See ``CaseHistory``."""
        digits = customer_key(customer_id)
        wanted = select(cases.c.body).where(
            cases.c.tenant_id == tenant_id, cases.c.body.contains(f'{digits}"', autoescape=True)
        )
        with reading(self._engine) as connection:
            bodies = connection.execute(wanted).scalars().all()
        found = [Case.model_validate_json(body) for body in bodies]
        kept = [
            case
            for case in found
            if same_customer(case.customer_id, customer_id)
            and since <= case.opened_at.date() <= until
        ]
        return tuple(sorted(kept, key=lambda case: (case.opened_at, case.case_id)))

    def decisions(self, tenant_id: str, case_id: str) -> tuple[Disposition, ...]:
        """See ``CaseHistory``."""
        wanted = (
            select(dispositions.c.body)
            .join(cases, cases.c.case_id == dispositions.c.case_id)
            .where(dispositions.c.case_id == case_id, cases.c.tenant_id == tenant_id)
            .order_by(dispositions.c.position)
        )
        with reading(self._engine) as connection:
            bodies = connection.execute(wanted).scalars().all()
        return tuple(Disposition.model_validate_json(body) for body in bodies)
