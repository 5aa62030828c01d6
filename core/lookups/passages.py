"""How lookups find governed passages: a function that the pipeline provides."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Protocol

from core.models.access import SecurityContext
from core.models.evidence import EvidenceCandidate
from core.models.standing import standing

_GOVERNING = ("official_policy", "approved_procedure")


class PassagesInForce(Protocol):
    """Searches the passages this person may read, as they hold on a day."""

    def __call__(
        self, context: SecurityContext, queries: Sequence[str], *, on: date, most: int
    ) -> tuple[EvidenceCandidate, ...]:
        """At most about ``most`` passages, best first, over all ``queries``."""
        ...


def governing(passages: Sequence[EvidenceCandidate], *, on: date) -> list[EvidenceCandidate]:
    """Only what the company answers for on that day: signed policies, then procedures."""
    held = [p for p in passages if standing(p, on=on).letter == "A" and p.authority in _GOVERNING]
    return sorted(held, key=lambda p: _GOVERNING.index(p.authority))
