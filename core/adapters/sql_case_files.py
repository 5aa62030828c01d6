"""The pipeline's read access to cases."""

from __future__ import annotations

from sqlalchemy import Engine, select

from core.adapters.sql_engine import reading
from core.adapters.sql_schema import cases
from core.models.review import Case


class SqlCaseFiles:
    """``CaseFiles`` on an engine from ``open_database``."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def case(self, tenant_id: str, case_id: str) -> Case | None:
        wanted = select(cases.c.body).where(
            cases.c.case_id == case_id, cases.c.tenant_id == tenant_id
        )
        with reading(self._engine) as connection:
            body = connection.execute(wanted).scalar_one_or_none()
        return None if body is None else Case.model_validate_json(body)
