"""Whether a customer has come with the same matter before, in other cases."""

from __future__ import annotations

from collections.abc import Sequence

from core.models.advice import AdviceGround, AdviceLimits
from core.models.evidence import EvidenceCandidate
from core.models.review import Case
from core.text.advice_grounds import WeighedGround
from core.text.tokens import content_words

DAYS = 90
"""How far back other cases count."""
_SAME = 0.5
"""Share of the shorter subject's words in the other from which both are about one matter."""


def earlier_grounds(
    earlier: Sequence[EvidenceCandidate], case: Case | None, limits: AdviceLimits
) -> list[WeighedGround]:
    """A repeated contact, where enough of a customer's other cases are about this one's matter.

    ``earlier`` are rows of ``earlier_cases``: the same order, or a subject in much the same words.
    """
    if case is None:
        return []
    same = [row for row in earlier if _same_matter(row, case)]
    if len(same) + 1 < limits.repeated_contacts:
        return []
    named = ", ".join(f"{r.metadata['case_id']} ({r.metadata['opened_on']})" for r in same)
    words = f"The customer came with this matter before, in the last {DAYS} days: cases {named}."
    return [WeighedGround(AdviceGround(kind="repeated_contact", words=words), "supervisor")]


def _same_matter(row: EvidenceCandidate, case: Case) -> bool:
    order = case.fields.get("order", "").lstrip("#").upper()
    if order and row.metadata.get("order", "").lstrip("#").upper() == order:
        return True
    ours, theirs = (
        set(content_words(subject)) for subject in (case.subject, row.metadata.get("subject", ""))
    )
    fewest = min(len(ours), len(theirs))
    return fewest > 0 and len(ours & theirs) / fewest >= _SAME
