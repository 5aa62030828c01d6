"""The lines of a reply that show what nobody decided, and what a name may mean.

A value in dispute is only ever quoted as what a source says, never told as a fact; how many say it
orders the lines and marks the lone voice, but settles nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.models.evidence import Evidence, EvidencePackage
from core.models.judgement import Ambiguity, Resolution
from core.models.plan import QueryPlan
from core.text.attributed import Attributed, Kind, around, attribute
from core.text.compose import Line
from core.text.conflicts import provenance
from core.text.contradictions import accounts_of
from core.text.disagreement import Said, SameValue, disagree
from core.text.reply import standing
from core.text.same_value import same_value
from core.text.tokens import content_words

NOBODY = "NO_WINNER_NEED_HUMAN"
_READ = 3
"""Readings a question back names; more would be a list, not a question."""


def source_name(item: Evidence, language: str) -> str:
    """What a source is called in a reply: title, section, version; its id where it has no title."""
    if item.candidate.source_title:
        return provenance(item, language)
    return item.candidate.chunk_id


def goes_by(told: Attributed, item: Evidence) -> bool:
    """Whether a quotation stands under the name of this source, or of what it speaks of."""
    if told.kind != "thing":
        return any(_bare(told.of) == _bare(source_name(item, lang)) for lang in ("en", "zh"))
    candidate = item.candidate
    known = " ".join(
        (
            candidate.source_title,
            *candidate.heading_path,
            candidate.region,
            candidate.product,
            candidate.text,
        )
    )
    return set(content_words(told.of)) <= set(content_words(known))


def _bare(name: str) -> list[str]:
    return re.sub(r"[“”\"「」']", " ", name).split()


def conflict_lines(
    plan: QueryPlan, package: EvidencePackage, resolutions: Sequence[Resolution], language: str
) -> list[Line]:
    """Each value in dispute in the words of a source that gives it, the best attested first."""
    lines: list[Line] = []
    for dimension in plan.dimensions:
        open_here = [r for r in resolutions if r.dimension == dimension.id and r.winner == NOBODY]
        if open_here:
            found = disagree(plan.situated(dimension.query), accounts_of(package))
            lines += _sides(package, _disputed(open_here, found.values), language)
    return lines


def reading_lines(
    package: EvidencePackage, ambiguities: Sequence[Ambiguity], language: str
) -> list[Line]:
    """What holds of each thing that goes by the name, under what tells it from the others."""
    lines: list[Line] = []
    for found in ambiguities:
        if len(found.readings) > 1:
            several = "several" if found.term else "several things"
            lines.append(Line(standing(several, language, found.term), "", (), "\n\n"))
        for reading in found.readings:
            item = package.by_id()[reading.evidence_ids[0]]
            kind: Kind = "thing" if reading.entity else "source"
            named = reading.entity or source_name(item, language)
            said = Said(item.evidence_id, reading.value, reading.quote, "name")
            lines.append(_quotation(kind, named, said, reading.evidence_ids, package, language))
    return lines


def which_is_meant(ambiguities: Sequence[Ambiguity], language: str) -> str | None:
    """The question that would settle which thing is meant; ``None`` where nothing is ambiguous."""
    for found in ambiguities:
        named = list(dict.fromkeys(r.entity for r in found.readings if r.entity))[:_READ]
        if len(named) > 1 and language == "zh":
            return f"您指的是{'、'.join(named[:-1])}还是{named[-1]}？"
        if len(named) > 1:
            return f"Which one do you mean: {', '.join(named[:-1])} or {named[-1]}?"
        if len(found.readings) > 1:
            term = found.term
            return (
                f"您指的是哪一个{term}？"
                if language == "zh"
                else f"Which {term or 'one'} do you mean?"
            )
    return None


def _disputed(open_here: Sequence[Resolution], values: Sequence[SameValue]) -> list[SameValue]:
    """The groups of ``values`` that stand in an open conflict, sides nobody grouped after them."""
    sides = [side for r in open_here for side in (r.contradiction.claim_a, r.contradiction.claim_b)]
    groups = [g for g in values if any(_holds(g, side.evidence_id, side.value) for side in sides)]
    for side in sides:
        if not any(_holds(g, side.evidence_id, side.value) for g in groups):
            said = Said(side.evidence_id, side.value, side.quote, "name")
            groups.append(SameValue((said,)))
    return groups


def _holds(group: SameValue, evidence_id: str, value: str) -> bool:
    return any(said.name == evidence_id and same_value(said.value, value) for said in group.said)


def _sides(package: EvidencePackage, groups: Sequence[SameValue], language: str) -> list[Line]:
    most = max((len(group.said) for group in groups), default=0)
    lines = []
    for group in groups:
        first = group.said[0]
        alone = len(group.said) == 1 and most > 1
        named = source_name(package.by_id()[first.name], language)
        ids = tuple(said.name for said in group.said)
        kind: Kind = "only" if alone else "source"
        lines.append(_quotation(kind, named, first, ids, package, language))
    return lines


def _quotation(
    kind: Kind,
    named: str,
    said: Said,
    ids: Sequence[str],
    package: EvidencePackage,
    language: str,
) -> Line:
    quote = around(said.quote, said.value)
    text = attribute(kind, named, quote, language, more=len(ids) - 1 if kind == "source" else 0)
    at = package.by_id()[said.name].candidate.text.find(said.quote)
    spans = ((said.name, at, at + len(said.quote)),) if at >= 0 else ()
    return Line(f"- {text}", quote, (said.name,), "\n", spans)
