"""The gate's answers of each run over SQL: written with the run, read for many runs at once."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TypeVar

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
_REMEMBERED = 3_000
T = TypeVar("T")


class SqlGateAnswers:
    """Stored gate answers on an engine from ``open_database``. Safe to share by threads.

    A run's answers never change, so those read lately are remembered.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._heads: dict[str, AnsweredRun] = {}
        self._answers: dict[str, tuple[StoredAnswer, ...]] = {}
        self._filled: set[str] = set()

    def recent(self, tenant_id: str, limit: int = 200) -> tuple[AnsweredRun, ...]:
        """The tenant's newest runs with stored answers, newest first."""
        wanted = select(gate_runs.c.trace_id).where(gate_runs.c.tenant_id == tenant_id)
        newest = wanted.order_by(gate_runs.c.started_at.desc(), gate_runs.c.trace_id.desc())
        with reading(self._engine) as connection:
            names = list(connection.execute(newest.limit(limit)).scalars())
        known = self._known_heads(names)
        return tuple(known[name] for name in names)

    def heads(self, tenant_id: str, trace_ids: Sequence[str]) -> tuple[AnsweredRun, ...]:
        """Those of the named runs that are the tenant's and have stored answers, in any order."""
        mine: list[str] = []
        with reading(self._engine) as connection:
            for named in _portions(trace_ids):
                wanted = select(gate_runs.c.trace_id).where(
                    gate_runs.c.tenant_id == tenant_id, gate_runs.c.trace_id.in_(named)
                )
                mine += connection.execute(wanted).scalars()
        known = self._known_heads(mine)
        return tuple(known[name] for name in mine)

    def _known_heads(self, trace_ids: Sequence[str]) -> dict[str, AnsweredRun]:
        with self._lock:
            known = {name: self._heads[name] for name in trace_ids if name in self._heads}
        unread = [name for name in trace_ids if name not in known]
        with reading(self._engine) as connection:
            for named in _portions(unread):
                wanted = select(gate_runs.c.body).where(gate_runs.c.trace_id.in_(named))
                for body in connection.execute(wanted).scalars():
                    run = AnsweredRun.model_validate_json(body)
                    known[run.trace_id] = run
        self._remember(self._heads, known)
        return known

    def answers(self, trace_ids: Sequence[str]) -> dict[str, tuple[StoredAnswer, ...]]:
        """The answers of each named run in the gate's order; unknown runs are left out."""
        with self._lock:
            known = {name: self._answers[name] for name in trace_ids if name in self._answers}
        unread = self._read([name for name in trace_ids if name not in known])
        self._remember(self._answers, {**known, **unread})
        return {**known, **unread}

    def _read(self, trace_ids: Sequence[str]) -> dict[str, tuple[StoredAnswer, ...]]:
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

        Returns how many runs were filled in; after the first time there is nothing to look for. A
        few runs a transaction, so that nobody waits long.
        """
        if tenant_id in self._filled:
            return 0
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
        self._filled.add(tenant_id)
        return len(missing)

    def _fill(self, trace_ids: Sequence[str]) -> None:
        wanted = select(runs.c.body).where(runs.c.trace_id.in_(trace_ids))
        with reading(self._engine) as connection:
            bodies = list(connection.execute(wanted).scalars())
        found = [PipelineRun.model_validate_json(body) for body in bodies]
        with writing(self._engine) as connection:
            for run in found:
                keep_answers(connection, run)

    def _remember(self, memory: dict[str, T], read: dict[str, T]) -> None:
        """The runs of this read are the youngest; the eldest go when there are too many."""
        with self._lock:
            for name, value in read.items():
                memory.pop(name, None)
                memory[name] = value
            for name in list(memory)[: max(0, len(memory) - _REMEMBERED)]:
                del memory[name]


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
