"""A remote gate's answers over SQL, at most so many, the oldest forgotten first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Engine, delete, func, select

from core.adapters.remembering_gate import KeptAnswer
from core.adapters.sql_engine import insert_new, reading, writing
from core.adapters.sql_schema_answers import gate_answers
from core.models.evidence import GateScores
from core.ports import Clock

_SCORES = tuple(GateScores.model_fields)
_AT_ONCE = 500
_SLACK = 0.02
"""Pruned by this share at a time, so that a full table is not counted and cut at every answer."""


class SqlPaidAnswers:
    """``AnswerShelf`` on an engine from ``open_database``. Safe between threads and processes."""

    def __init__(self, engine: Engine, clock: Clock, *, kept: int) -> None:
        self._engine, self._clock, self._kept = engine, clock, kept

    def stored(self, keys: Sequence[str]) -> dict[str, KeptAnswer]:
        """Those of ``keys`` that are stored."""
        found: dict[str, KeptAnswer] = {}
        with reading(self._engine) as connection:
            for first in range(0, len(keys), _AT_ONCE):
                some = keys[first : first + _AT_ONCE]
                wanted = select(gate_answers).where(gate_answers.c.key.in_(some))
                for row in connection.execute(wanted).mappings():
                    found[row["key"]] = _answer(dict(row))
        return found

    def store(self, answers: Mapping[str, KeptAnswer]) -> None:
        """Keep ``answers``; where another process stored one meanwhile, the first stays."""
        now = self._clock.now()
        with writing(self._engine, lock_head=False) as connection:
            for key, answer in answers.items():
                row = {"key": key, "backend": answer.backend, "asked_at": now}
                row |= answer.scores.model_dump() | {"quotes": answer.quotes}
                insert_new(connection, gate_answers, row)
            held = connection.execute(select(func.count()).select_from(gate_answers)).scalar_one()
            if held > self._kept:
                keep = max(0, self._kept - int(self._kept * _SLACK))
                oldest = (
                    select(gate_answers.c.key)
                    .order_by(gate_answers.c.asked_at, gate_answers.c.key)
                    .limit(held - keep)
                )
                connection.execute(delete(gate_answers).where(gate_answers.c.key.in_(oldest)))

    def count(self) -> int:
        """Answers stored at present."""
        with reading(self._engine) as connection:
            counted = select(func.count()).select_from(gate_answers)
            return int(connection.execute(counted).scalar_one())


def _answer(row: Mapping[str, Any]) -> KeptAnswer:
    return KeptAnswer(
        scores=GateScores(**{name: row[name] for name in _SCORES}),
        quotes=row["quotes"],
        backend=row["backend"],
    )
