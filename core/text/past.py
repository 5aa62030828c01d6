"""Answers about a past date: which version applied, said before it is quoted."""

from __future__ import annotations

from collections.abc import Sequence

from core.models.evidence import Evidence, EvidencePackage
from core.models.plan import TemporalContext
from core.text.choose import Choice
from core.text.compose import Line, lines_of
from core.text.provenance import provenance


def asked_of_the_past(temporal: TemporalContext) -> bool:
    """Whether another day's policy than that of the day of asking answers."""
    return temporal.effective_policy_date < temporal.asked_date and not temporal.prefer_current


def quoted_versions(package: EvidencePackage) -> frozenset[str]:
    """Evidence of versions no longer in force, which is quoted as such."""
    return frozenset(
        e.evidence_id for e in package.selected_evidence if e.candidate.status == "superseded"
    )


def dated_lines(
    chosen: Sequence[Choice], package: EvidencePackage, temporal: TemporalContext, language: str
) -> list[Line]:
    """The chosen sentences; on a past date behind the version that applied then."""
    if not asked_of_the_past(temporal):
        return lines_of(chosen)
    by_id = package.by_id()
    groups: dict[str, list[Choice]] = {}
    for choice in chosen:
        document = by_id[choice.option.evidence_id].candidate.document_id
        groups.setdefault(document, []).append(choice)
    lines: list[Line] = []
    for document, group in groups.items():
        past = by_id[group[0].option.evidence_id]
        lines += provenance_lines(past, language, again=bool(lines and document))
        lines += lines_of(group, quoted=quoted_versions(package))
    return lines


def provenance_lines(item: Evidence, language: str, *, again: bool) -> list[Line]:
    """The sentence that names the version; none for records, which have no versions."""
    candidate = item.candidate
    if candidate.retrieval_source in ("record", "case_file"):
        return []
    text = provenance_of(item, language)
    return [Line(text, text, (item.evidence_id,), "\n\n" if again else " ")]


def provenance_of(item: Evidence, language: str) -> str:
    """The sentence that says which version applied then, from the version's own data."""
    c = item.candidate
    return provenance(c.source_title, c.version, c.valid_from, c.valid_to, language)
