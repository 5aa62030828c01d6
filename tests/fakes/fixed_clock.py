"""A clock that stands still until it is told to move."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

DEMO_DAY = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


class FixedClock:
    """``now()`` is always the same moment; ``advance`` moves it on purpose."""

    def __init__(self, at: datetime = DEMO_DAY) -> None:
        if at.tzinfo is None:
            raise ValueError("a clock needs an aware datetime")
        self._at = at

    def now(self) -> datetime:
        return self._at

    def advance(self, step: timedelta) -> datetime:
        """Move the clock by ``step`` and return the new moment."""
        self._at += step
        return self._at
