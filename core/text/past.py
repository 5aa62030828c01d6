"""Answers about a past date, or about two days: which version applied, said before it is quoted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core.models.evidence import Evidence, EvidencePackage
from core.models.plan import TemporalContext
from core.models.validity import held_on
from core.text.choose import Choice
from core.text.compose import Line, lines_of
from core.text.provenance import day_words, from_words, provenance, since_words, until_words
from core.text.reply import standing

_LANGUAGES = ("en", "zh")


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
    """The chosen sentences; on a past date behind the version that applied then, and where days are
    compared behind each day's version."""
    if not (temporal.compared or asked_of_the_past(temporal)):
        return lines_of(chosen)
    by_id = package.by_id()
    groups: dict[str, list[Choice]] = {}
    for choice in chosen:
        document = by_id[choice.option.evidence_id].candidate.document_id
        groups.setdefault(document, []).append(choice)
    lines: list[Line] = []
    for group in groups.values():
        item = by_id[group[0].option.evidence_id]
        lead = _on_its_day(item, temporal, language)
        lines += provenance_lines(item, language, again=bool(lines), text=lead)
        lines += lines_of(group, quoted=quoted_versions(package))
    if temporal.compared and _unchanged(groups, by_id, temporal):
        lines.append(Line(standing("unchanged", language), "", (), "\n\n"))
    return lines


def provenance_lines(
    item: Evidence, language: str, *, again: bool, text: str | None = None
) -> list[Line]:
    """The sentence that names the version; none for records and undated texts, which have none."""
    candidate = item.candidate
    dated = candidate.valid_from is not None or candidate.valid_to is not None
    if candidate.looked_up or not dated:
        return []
    text = text or provenance_of(item, language)
    return [Line(text, text, (item.evidence_id,), "\n\n" if again else " ")]


def provenance_of(item: Evidence, language: str) -> str:
    """The sentence that says which version applied then, from the version's own data."""
    c = item.candidate
    return provenance(c.source_title, c.version, c.valid_from, c.valid_to, language)


def provenance_sentences(item: Evidence) -> frozenset[str]:
    """Every sentence that may truly be said of when the version applies, from its own data."""
    c, said = item.candidate, set()
    for language in _LANGUAGES:
        said.add(provenance_of(item, language))
        if c.valid_to is not None:
            said.add(until_words(c.source_title, c.version, c.valid_from, c.valid_to, language))
        if c.valid_from is not None and c.status == "active":
            said.add(since_words(c.source_title, c.version, c.valid_from, language))
            said.add(from_words(c.source_title, c.version, c.valid_from, language))
    return frozenset(said)


def assumed_days(temporal: TemporalContext) -> tuple[str, ...]:
    """Which day's versions were answered from, for the reviewer; nothing for today's."""
    days = [d for d in temporal.compared if d != date.min]
    if len(days) > 1:
        return (f"Answered by the versions valid on {' and '.join(d.isoformat() for d in days)}.",)
    if not asked_of_the_past(temporal):
        return ()
    return (f"Answered by the versions valid on {temporal.effective_policy_date.isoformat()}.",)


def not_on_file(package: EvidencePackage, temporal: TemporalContext, language: str) -> list[Line]:
    """That no version of a past day is on file, and from when on there is one, where known."""
    if package.not_yet is None:
        return []
    day = min(temporal.compared, default=temporal.effective_policy_date)
    said = "" if day == date.min else day_words(day, language)
    lines = [standing("none_then" if said else "none_before", language, said)]
    for title, first in package.not_yet.items():
        name = f"{title}, {day_words(first, language)}"
        lines.append(standing("begins", language, name))
    return [Line(text, "", (), " " if at else "\n\n") for at, text in enumerate(lines)]


def _on_its_day(item: Evidence, temporal: TemporalContext, language: str) -> str | None:
    """Since when or until when a version applies, seen from the day of asking."""
    c = item.candidate
    if not temporal.compared:
        return None
    if c.valid_from is not None and c.valid_from > temporal.asked_date:
        return from_words(c.source_title, c.version, c.valid_from, language)
    if c.valid_to is not None and c.valid_to <= temporal.asked_date:
        return until_words(c.source_title, c.version, c.valid_from, c.valid_to, language)
    if c.valid_from is not None and c.status == "active":
        return since_words(c.source_title, c.version, c.valid_from, language)
    return None


def _unchanged(
    groups: dict[str, list[Choice]], by_id: dict[str, Evidence], temporal: TemporalContext
) -> bool:
    """The same words are quoted for every compared day."""
    said = [
        {
            c.option.unit.prose
            for group in groups.values()
            for c in group
            if held_on(by_id[c.option.evidence_id].candidate, day)
        }
        for day in temporal.compared
    ]
    return bool(said) and bool(said[0]) and all(words == said[0] for words in said)
