"""Conflicts as people read them, and the lines of a reply that name a false premise."""

from __future__ import annotations

from collections.abc import Sequence

from core.models.draft import ReportedConflict
from core.models.evidence import Evidence, EvidenceCandidate, EvidencePackage
from core.models.judgement import ClaimSide, Resolution
from core.models.standing import standing as standing_of
from core.text.compose import Line, ended
from core.text.extract import units
from core.text.plain import plain
from core.text.premise import agrees
from core.text.provenance import day_words
from core.text.reply import standing


def premise_conflicts(package: EvidencePackage, language: str) -> tuple[ReportedConflict, ...]:
    """One conflict for each premise of the question that a passage denies."""
    return tuple(
        ReportedConflict(
            kind="premise",
            side_a=assumed(item, package),
            side_b=counter_quote(item),
            source_b=provenance(item, language),
            evidence_ids=(item.evidence_id,),
            resolution=_SETTLED[language, asks(assumed(item, package))],
            decided=True,
            winner_evidence_id=item.evidence_id,
        )
        for item in _deniers(package)
    )


_SETTLED = {
    # (language, whether it was asked rather than assumed)
    ("en", False): "The documentation denies what the question assumes; the reply says so first.",
    ("en", True): "The documentation says it differently; the reply answers no and quotes it.",
    ("zh", False): "问题的前提与文件不符，答复先指出这一点。",
    ("zh", True): "文件中的说法与问题不同，答复先说明并引用原文。",
}


def premise_lines(package: EvidencePackage, language: str) -> list[Line]:
    """Names the false premise, or answers a yes/no question with no, and quotes the sentence."""
    lines: list[Line] = []
    for item in _deniers(package)[:1]:
        premise = assumed(item, package)
        quote = ended(counter_quote(item)).replace("”", "'").replace("“", "'")
        if not quote:
            continue
        lead = standing("no" if asks(premise) else "otherwise", language)
        if not asks(premise):
            lines.append(Line(standing("premise", language, premise), "", (), " "))
        glue = "" if language == "zh" else " "
        lines.append(Line(f"{lead}{glue}“{quote}”", quote, (item.evidence_id,), " "))
    return lines


def assumed(item: Evidence, package: EvidencePackage) -> str:
    """What the asker assumes or asks to be confirmed, in the asker's words."""
    return item.gated.note.premise or package.query


def asks(premise: str) -> bool:
    """Whether it was asked ("does the window last 60 days?") rather than assumed."""
    return premise.rstrip().endswith(("?", "？"))


def provenance(item: Evidence, language: str) -> str:
    """Where a passage stands and of when it is: title, section, version, first day of validity."""
    candidate = item.candidate
    chinese = language == "zh"
    where = " › ".join(part for part in (candidate.source_title, section_of(candidate)) if part)
    facts = [where]
    if candidate.version:
        facts.append(f"版本 {candidate.version}" if chinese else f"version {candidate.version}")
    if candidate.valid_from:
        day = day_words(candidate.valid_from, language)
        facts.append(f"自{day}起有效" if chinese else f"valid from {day}")
    return ("，" if chinese else ", ").join(facts)


def section_of(candidate: EvidenceCandidate) -> str:
    """The nearest heading, where it says more than the title."""
    heading = candidate.heading_path[-1] if candidate.heading_path else ""
    return "" if heading == candidate.source_title else heading


def counter_quote(item: Evidence) -> str:
    """The whole sentence of the passage that denies the premise, readable."""
    text, quote = item.candidate.text, item.gated.note.counter_quote
    at = text.find(quote) if quote else -1
    if at < 0:
        return plain(quote)
    inside = [u for u in units(text) if u.start <= at < u.end and u.kind in ("sentence", "item")]
    return inside[0].prose if inside else plain(quote)


def _deniers(package: EvidencePackage) -> list[Evidence]:
    """Evidence that denies a premise, one for each: the best standing first, then the surest.

    A source nobody answers for corrects no customer, and where accepted evidence of at least the
    same standing states the premise the sources disagree with each other, not with the question.
    """
    ordered = sorted(
        (e for e in package.conflicting_evidence if e.gated.rule == "contradicts"),
        key=lambda e: (standing_of(e.candidate).rank, -e.gated.probability("contradicts")),
    )
    by_premise: dict[str, Evidence] = {}
    for item in ordered:
        if standing_of(item.candidate).rank < _UNANSWERED and not _borne_out(item, package):
            by_premise.setdefault(item.gated.note.premise, item)
    return list(by_premise.values())


_UNANSWERED = 2


def _borne_out(item: Evidence, package: EvidencePackage) -> bool:
    rank = standing_of(item.candidate).rank
    return any(
        standing_of(other.candidate).rank <= rank
        and agrees(assumed(item, package), other.candidate.text)
        for other in package.selected_evidence
    )


def source_conflicts(
    package: EvidencePackage, resolutions: Sequence[Resolution]
) -> tuple[ReportedConflict, ...]:
    """Each contradiction between sources with both values and the rule that decided."""
    return tuple(_reported(package, r) for r in resolutions)


def _reported(package: EvidencePackage, resolution: Resolution) -> ReportedConflict:
    a, b = resolution.contradiction.claim_a, resolution.contradiction.claim_b
    winner = {"claim_a": a.evidence_id, "claim_b": b.evidence_id}.get(resolution.winner)
    steps = list(resolution.reason)
    if winner is None:
        steps += [f"To settle: {question}" for question in resolution.questions]
    return ReportedConflict(
        kind="sources",
        value_kind=resolution.contradiction.kind,
        dimension=resolution.dimension,
        side_a=_side(package, a),
        side_b=_side(package, b),
        evidence_ids=(a.evidence_id, b.evidence_id),
        resolution="\n".join(steps),
        decided=winner is not None,
        winner_evidence_id=winner,
    )


def _side(package: EvidencePackage, side: ClaimSide) -> str:
    item = package.by_id().get(side.evidence_id)
    if item is None:
        return side.value
    return f"{item.candidate.source_title} (version {item.candidate.version}): {side.value}"
