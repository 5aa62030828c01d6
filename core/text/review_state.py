"""Whether a source is within its own review promise."""

from __future__ import annotations

from datetime import date

from core.models.source import FreshnessState


def freshness_state(last_reviewed: date | None, sla_days: int, today: date) -> FreshnessState:
    """``due_soon`` in the last seventh of the SLA (13 days of 90); ``stale`` from the day after.

    ``sla_days`` is the source's review promise in days; a source nobody reviewed is ``unknown``.
    """
    if last_reviewed is None:
        return "unknown"
    left = sla_days - (today - last_reviewed).days
    if left < 0:
        return "stale"
    return "due_soon" if left <= max(1, round(sla_days / 7)) else "fresh"
