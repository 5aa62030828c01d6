"""Which looked-up rows cover a dimension that asks for a record, or for a sum made of one."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from core.models.evidence import Evidence, EvidenceCandidate, EvidencePackage
from core.models.plan import Dimension, QueryPlan
from core.text.identifiers import find_identifiers

_KEYS = ("order", "customer")


class FoundRecords(NamedTuple):
    """The rows, and why they do or do not cover it, in words."""

    rows: tuple[Evidence, ...]
    reason: str


def found_records(dimension: Dimension, plan: QueryPlan, package: EvidencePackage) -> FoundRecords:
    """Rows that name what ``dimension`` asks about; only calculations where it asks for a sum.

    What could not be read is said as such, never as not being there.
    """
    named = find_identifiers(dimension.name) or find_identifiers(dimension.query)
    asked = {i.value for i in named} or {i.value for i in plan.identifiers if i.kind in _KEYS}
    worked_out = dimension.aspect == "amount"
    rows = tuple(
        e
        for e in package.selected_evidence
        if e.candidate.retrieval_source == "record"
        and (e.candidate.calculation is not None) is worked_out
        and (not asked or _names(e.candidate, asked))
    )
    if rows:
        return FoundRecords(rows, "it was worked out" if worked_out else "the record was found")
    return FoundRecords((), _why_none(dimension, asked, package, worked_out=worked_out))


def _why_none(
    dimension: Dimension, asked: Collection[str], package: EvidencePackage, *, worked_out: bool
) -> str:
    names = (dimension.name,) if worked_out else tuple(sorted(asked))
    unread = next((package.unread[name] for name in names if name in package.unread), "")
    if unread:
        return unread.rstrip(".")
    return "nothing could be worked out" if worked_out else "no record with that number was found"


def _names(candidate: EvidenceCandidate, asked: Collection[str]) -> bool:
    held = " ".join((candidate.text, candidate.source_uri, *candidate.metadata.values()))
    return any(
        re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", held, re.IGNORECASE) for value in asked
    )
