"""Rows that a read tool must not bring, written into the audit chain."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Engine

from core.adapters.sql_audit import Entry, append
from core.adapters.sql_engine import writing
from core.models.access import SecurityContext
from core.ports import Clock


class SqlViolationLog:
    """``ViolationLog`` on the case store's database, opened when there is something to write."""

    def __init__(self, engine: Callable[[], Engine], clock: Clock) -> None:
        self._engine, self._clock = engine, clock

    def report(self, context: SecurityContext, tool: str, violations: tuple[str, ...]) -> None:
        """See ``ViolationLog``: one event for each call, with what was dropped and why."""
        entry = Entry(
            tenant_id=context.tenant_id,
            actor=context.user_id,
            kind="access.violation_dropped",
            subject_kind="system",
            subject_id=f"tool:{tool}",
            payload={"dropped": list(violations)},
        )
        with writing(self._engine()) as connection:
            append(connection, self._clock, [entry])
