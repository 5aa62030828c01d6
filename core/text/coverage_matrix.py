"""Whether a dimension is covered: by a record, by the case file, by a denial, or by passages."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from core.models.evidence import Evidence, EvidencePackage
from core.models.judgement import Contradiction, Coverage, CoverageSignals
from core.models.plan import Dimension, QueryPlan
from core.models.standing import standing
from core.models.validity import for_dimension, judged_on
from core.text.coverage_bearing import TOUCHES, Bearing, bearing_of
from core.text.coverage_confidence import confidence_of, reason_of, signals_of
from core.text.coverage_records import found_records
from core.text.similarity import term_coverage

_NAMED = 3
"""Places named, at most, where nothing states the answer."""


def coverage_matrix(
    plan: QueryPlan, package: EvidencePackage, contradictions: Sequence[Contradiction]
) -> dict[str, Coverage]:
    """The coverage of every dimension of ``plan``, by its id, in the plan's order."""
    return {
        d.id: _coverage(d, plan, for_dimension(package, d, plan), contradictions)
        for d in plan.dimensions
    }


def _coverage(
    dimension: Dimension,
    plan: QueryPlan,
    package: EvidencePackage,
    contradictions: Sequence[Contradiction],
) -> Coverage:
    if dimension.kind == "record":
        return _record_coverage(dimension, plan, package)
    if dimension.kind == "case_file":
        found = [
            e for e in package.selected_evidence if e.candidate.retrieval_source == "case_file"
        ]
        return _looked_up(found, "the case file states it", "the case file says nothing of it")
    denied = _premise_coverage(dimension, plan, package)
    return denied or _passage_coverage(dimension, plan, package, contradictions)


def _record_coverage(dimension: Dimension, plan: QueryPlan, package: EvidencePackage) -> Coverage:
    found = found_records(dimension, plan, package)
    return _looked_up(found.rows, found.reason, found.reason)


def _looked_up(found: Sequence[Evidence], yes: str, no: str) -> Coverage:
    if not found:
        return Coverage(covered=False, confidence="low", reason=no, signals=CoverageSignals())
    return Coverage(
        covered=True,
        evidence_ids=tuple(e.evidence_id for e in found),
        confidence="high",
        reason=yes,
        signals=CoverageSignals(
            evidence=1.0,
            directness=1.0,
            authority=min(standing(e.candidate).letter for e in found),
            sources=len({e.candidate.source_id for e in found}),
        ),
    )


def _premise_coverage(
    dimension: Dimension, plan: QueryPlan, package: EvidencePackage
) -> Coverage | None:
    """A denied premise answers the question it belongs to, when the source can be leaned on."""
    for evidence in package.conflicting_evidence:
        quote = evidence.gated.note.counter_quote or evidence.candidate.text
        belongs = len(plan.dimensions) == 1 or term_coverage(dimension.query, quote) >= TOUCHES
        stands = standing(evidence.candidate, on=judged_on(plan, dimension))
        if belongs and stands.rank < 2:
            lead = Bearing(evidence, 1.0, stands.letter, stands.words, "")
            return Coverage(
                covered=True,
                evidence_ids=(evidence.evidence_id,),
                confidence="high",
                reason="the question assumes something that this source denies",
                signals=signals_of((lead,), plan.temporal.asked_date),
            )
    return None


def _passage_coverage(
    dimension: Dimension,
    plan: QueryPlan,
    package: EvidencePackage,
    contradictions: Sequence[Contradiction],
) -> Coverage:
    today = plan.temporal.asked_date
    every = (bearing_of(dimension, plan, e) for e in package.selected_evidence)
    bearing = [b for b in every if b.directness >= TOUCHES]
    direct = [b for b in bearing if b.direct]
    trusted = [b for b in direct if b.letter in ("A", "B")]
    chosen = [b for b in direct if b.evidence.gated.rule == "forced"]
    leading = sorted(trusted or chosen, key=lambda b: (b.letter, -b.directness))
    if not leading:
        near = package.nearby or _accepted(plan, package)
        return _uncovered(bearing, direct, signals_of(direct or bearing, today), near)
    signals = signals_of(leading, today)
    if judged_on(plan, dimension) is not None:
        # Of a past day's version no review would change a word.
        signals = signals.model_copy(update={"freshness": ""})
    disputed = _disputed(dimension, leading, contradictions, package.by_id())
    return Coverage(
        covered=True,
        evidence_ids=_ids(leading),
        confidence=confidence_of(signals, disputed=disputed, chosen=bool(chosen)),
        reason=reason_of(leading[0], signals, disputed=disputed),
        signals=signals,
    )


def _accepted(plan: QueryPlan, package: EvidencePackage) -> tuple[str, ...]:
    """Where the accepted passages stand; of several dimensions nobody knows which they are for."""
    if len(plan.dimensions) > 1:
        return ()
    found = (e.candidate for e in package.selected_evidence if not e.candidate.looked_up)
    named = (" › ".join((c.source_title, *c.heading_path[-1:])) for c in found)
    return tuple(dict.fromkeys(name for name in named if name.strip(" ›")))[:_NAMED]


def _uncovered(
    bearing: Sequence[Bearing],
    direct: Sequence[Bearing],
    signals: CoverageSignals,
    nearby: Sequence[str],
) -> Coverage:
    if direct:
        reason = f"stated only by: {direct[0].words}, which nobody answers for"
    elif bearing:
        nearest = max(bearing, key=lambda b: b.evidence.gated.probability("evidence"))
        reason = f"on the subject, but {nearest.why or 'no sentence states it'}"
    elif nearby:
        names = ", ".join(f"“{name}”" for name in nearby)
        reason = f"on the subject, but without stating it: {names}"
    else:
        reason = "nothing found speaks of it"
    ids = _ids(direct or bearing)
    return Coverage(
        covered=False, evidence_ids=ids, confidence="low", reason=reason, signals=signals
    )


def _ids(bearing: Sequence[Bearing]) -> tuple[str, ...]:
    return tuple(b.evidence.evidence_id for b in bearing)


def _disputed(
    dimension: Dimension,
    leading: Sequence[Bearing],
    contradictions: Collection[Contradiction],
    by_id: Mapping[str, Evidence],
) -> bool:
    """Whether a source of the leading class stands on the other side of a contradiction."""
    letter = leading[0].letter
    for found in contradictions:
        sides = [by_id.get(side.evidence_id) for side in (found.claim_a, found.claim_b)]
        letters = [standing(e.candidate).letter for e in sides if e is not None]
        if found.dimension == dimension.id and letters == [letter, letter]:
            return True
    return False
