"""The desk's storage over SQL: ``core.review.store`` kept on SQLite and PostgreSQL alike."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from sqlalchemy import Engine

from core.adapters.sql_engine import reading, writing
from core.adapters.sql_review_actions import ActionPart
from core.adapters.sql_review_cases import CasePart
from core.adapters.sql_review_decisions import DecisionPart
from core.adapters.sql_review_outbox import AuditPart, OutboxPart
from core.ports import Clock
from core.review.store import ReviewTransaction


class SqlReviewTransaction(CasePart, DecisionPart, OutboxPart, ActionPart, AuditPart):
    """One transaction over everything the desk stores; not to be kept past its ``with`` block."""


class SqlReviewStore:
    """Opens review transactions on an engine from ``open_database``. Safe to share by threads."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._engine = engine
        self._clock = clock

    def write(self) -> AbstractContextManager[ReviewTransaction]:
        return self._write()

    def read(self) -> AbstractContextManager[ReviewTransaction]:
        return self._read()

    @contextmanager
    def _write(self) -> Iterator[ReviewTransaction]:
        with writing(self._engine) as connection:
            yield SqlReviewTransaction(connection, self._clock, writable=True)

    @contextmanager
    def _read(self) -> Iterator[ReviewTransaction]:
        with reading(self._engine) as connection:
            yield SqlReviewTransaction(connection, self._clock, writable=False)
