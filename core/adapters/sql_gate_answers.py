"""The gate's answers of each run over SQL: written with the run, read for many runs at once."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, Engine, insert, select

from core.adapters.sql_engine import insert_new, reading, writing
from core.adapters.sql_schema import runs
from core.adapters.sql_schema_gate import gate_run_answers, gate_runs
from core.models.gate_policy import AnsweredRun, StoredAnswer
from core.models.trace import PipelineRun
from core.text.gate_answers import answered_run, answers_of

_AT_ONCE = 500
"""Traces named in one statement: databases bound the number of parameters."""
_FILLED_AT_ONCE = 20


class SqlGateAnswers:
    """Stored gate answers on an engine from ``open_database``. Safe to share by threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def recent(self, tenant_id: str, limit: int = 200) -> tuple[AnsweredRun, ...]:
        """The tenant's newest runs with stored answers, newest first."""
        wanted = select(gate_runs.c.body).where(gate_runs.c.tenant_id == tenant_id)
        newest = wanted.order_by(gate_runs.c.started_at.desc(), gate_runs.c.trace_id.desc())
        with reading(self._engine) as connection:
            bodies = connection.execute(newest.limit(limit)).scalars()
            return tuple(AnsweredRun.model_validate_json(body) for body in bodies)

    def heads(self, tenant_id: str, trace_ids: Sequence[str]) -> tuple[AnsweredRun, ...]:
        """Those of the named runs that are the tenant's and have stored answers, in any order."""
        found: list[AnsweredRun] = []
        with reading(self._engine) as connection:
            for named in _portions(trace_ids):
                wanted = select(gate_runs.c.body).where(
                    gate_runs.c.tenant_id == tenant_id, gate_runs.c.trace_id.in_(named)
                )
                bodies = connection.execute(wanted).scalars()
                found += [AnsweredRun.model_validate_json(body) for body in bodies]
        return tuple(found)

    def answers(self, trace_ids: Sequence[str]) -> dict[str, tuple[StoredAnswer, ...]]:
        """The answers of each named run in the gate's order; unknown runs are left out."""
        found: dict[str, list[StoredAnswer]] = {}
        columns = [gate_run_answers.c[name] for name in StoredAnswer._fields]
        with reading(self._engine) as connection:
            for named in _portions(trace_ids):
                wanted = select(*columns).where(gate_run_answers.c.trace_id.in_(named))
                ordered = wanted.order_by(gate_run_answers.c.trace_id, gate_run_answers.c.number)
                for row in connection.execute(ordered):
                    found.setdefault(row[0], []).append(StoredAnswer._make(row))
        return {trace_id: tuple(kept) for trace_id, kept in found.items()}

    def fill(self, tenant_id: str, limit: int = 200) -> int:
        """Store the answers of the newest ``limit`` runs where an earlier release did not.

        Returns how many runs were filled in. A few runs a transaction, so that nobody waits long.
        """
        with reading(self._engine) as connection:
            newest = (
                select(runs.c.trace_id)
                .where(runs.c.tenant_id == tenant_id)
                .order_by(runs.c.started_at.desc(), runs.c.trace_id.desc())
                .limit(limit)
                .subquery()
            )
            absent = select(newest.c.trace_id).where(
                newest.c.trace_id.not_in(select(gate_runs.c.trace_id))
            )
            missing = list(connection.execute(absent).scalars())
        for start in range(0, len(missing), _FILLED_AT_ONCE):
            self._fill(missing[start : start + _FILLED_AT_ONCE])
        return len(missing)

    def _fill(self, trace_ids: Sequence[str]) -> None:
        wanted = select(runs.c.body).where(runs.c.trace_id.in_(trace_ids))
        with reading(self._engine) as connection:
            bodies = list(connection.execute(wanted).scalars())
        found = [PipelineRun.model_validate_json(body) for body in bodies]
        with writing(self._engine) as connection:
            for run in found:
                keep_answers(connection, run)


def keep_answers(connection: Connection, run: PipelineRun) -> None:
    """Store a run's answers in the transaction that stores the run; a second time is a no-op."""
    head = answered_run(run)
    values = {
        "trace_id": head.trace_id,
        "tenant_id": run.request.tenant_id,
        "started_at": head.started_at,
        "body": head.model_dump_json(),
    }
    if not insert_new(connection, gate_runs, values):
        return
    rows = [
        {**answer._asdict(), "title": answer.title.replace("\0", ""), "number": number}
        for number, answer in enumerate(answers_of(run))
    ]
    if rows:
        connection.execute(insert(gate_run_answers), rows)


def _portions(names: Sequence[str]) -> list[Sequence[str]]:
    return [names[start : start + _AT_ONCE] for start in range(0, len(names), _AT_ONCE)]
