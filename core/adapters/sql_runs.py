"""Finished runs over SQL, kept whole; the evidence each used is half of the reverse ledger."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Engine, select

from core.adapters.sql_engine import insert_new, reading, writing
from core.adapters.sql_gate_answers import keep_answers
from core.adapters.sql_schema import run_evidence, runs
from core.errors import Conflicted
from core.models.trace import PipelineRun


class SqlRunStore:
    """``RunStore`` on an engine from ``open_database``. Safe to share by threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def save_run(self, run: PipelineRun) -> None:
        """As the port says. Raises ``Conflicted`` for another run under a stored trace id."""
        trace_id, body = run.trace.trace_id, run.model_dump_json()
        values = {
            "trace_id": trace_id,
            "tenant_id": run.request.tenant_id,
            "question": run.request.raw_query.replace("\0", ""),
            "started_at": run.trace.started_at,
            "body": body,
        }
        with writing(self._engine) as connection:
            if not insert_new(connection, runs, values):
                stored = select(runs.c.body).where(runs.c.trace_id == trace_id)
                if connection.execute(stored).scalar_one() != body:
                    raise Conflicted(f"Another run is stored as {trace_id}; runs never change.")
                return
            for item in run.package.all_evidence() if run.package else ():
                row = {
                    "trace_id": trace_id,
                    "evidence_id": item.evidence_id,
                    "document_id": item.candidate.document_id,
                    "chunk_id": item.candidate.chunk_id,
                }
                insert_new(connection, run_evidence, row)
            keep_answers(connection, run)

    def run(self, trace_id: str) -> PipelineRun | None:
        wanted = select(runs.c.body).where(runs.c.trace_id == trace_id)
        with reading(self._engine) as connection:
            body = connection.execute(wanted).scalar_one_or_none()
        return None if body is None else PipelineRun.model_validate_json(body)

    def recent_runs(self, tenant_id: str, limit: int = 50) -> tuple[tuple[str, str, datetime], ...]:
        wanted = (
            select(runs.c.trace_id, runs.c.question, runs.c.started_at)
            .where(runs.c.tenant_id == tenant_id)
            .order_by(runs.c.started_at.desc(), runs.c.trace_id.desc())
            .limit(limit)
        )
        with reading(self._engine) as connection:
            return tuple((row[0], row[1], row[2]) for row in connection.execute(wanted))
