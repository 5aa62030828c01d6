"""The judge: is each dimension covered, how surely, and does the evidence disagree with itself?

Every rule reads as a sentence. A dimension is covered with high confidence when an official or
signed source states it directly, or when the record or case file it asks for was found. The judge
reports contradictions and gaps; it never picks a winner.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.models.evidence import Evidence, EvidenceCandidate, EvidencePackage
from core.models.judgement import (
    Coverage,
    Decision,
    Judgement,
    NextAction,
)
from core.models.plan import Dimension, QueryPlan, RewriteStrategy
from core.models.standing import standing
from core.models.validity import for_dimension, judged_on
from core.text.answer_type import expected_type, holds
from core.text.concepts import concepts, shared
from core.text.contradictions import find_ambiguities, find_contradictions
from core.text.identifiers import find_identifiers
from core.text.sentences import split_sentences
from core.text.similarity import term_coverage
from core.text.tokens import content_words

DIRECT = 0.5
"""Share of a dimension's words that one sentence with its heading must hold to state it."""
_ASKING = re.compile(r"\bhow (?:long|much|many|often|soon|far)\b", re.IGNORECASE)
_TOUCHES = 0.34
_SURE = 0.7
"""Evidence probability from which the gate's verdict counts although the words differ."""


def judge(plan: QueryPlan, package: EvidencePackage) -> Judgement:
    """The coverage of every dimension, the contradictions found, and what to look for next."""
    matrix = {d.id: _coverage(d, plan, for_dimension(package, d, plan)) for d in plan.dimensions}
    contradictions = find_contradictions(plan, package)
    gaps = _gaps(plan, matrix)
    decision: Decision = "NEED_MORE"
    if contradictions:
        decision = "CONTRADICTION_FOUND"
    elif matrix and not gaps:
        decision = "ENOUGH"
    return Judgement(
        decision=decision,
        dimension_coverage_matrix=matrix,
        contradictions=contradictions,
        ambiguities=find_ambiguities(plan, package),
        next_action=NextAction(
            priority_gaps=gaps,
            recommended_rewrite_strategy=_strategy(plan, matrix, package, gaps) if gaps else None,
        ),
    )


# ---- coverage -------------------------------------------------------------------------------


def _coverage(dimension: Dimension, plan: QueryPlan, package: EvidencePackage) -> Coverage:
    if dimension.kind == "record":
        return _record_coverage(dimension, plan, package)
    if dimension.kind == "case_file":
        found = [
            e for e in package.selected_evidence if e.candidate.retrieval_source == "case_file"
        ]
        return _looked_up(found, "the case file states it", "the case file says nothing of it")
    denied = _premise_coverage(dimension, plan, package)
    return denied or _passage_coverage(dimension, plan, package)


def _record_coverage(dimension: Dimension, plan: QueryPlan, package: EvidencePackage) -> Coverage:
    named = find_identifiers(dimension.name) or find_identifiers(dimension.query)
    asked = {i.value for i in named} or {
        i.value for i in plan.identifiers if i.kind in ("order", "customer")
    }
    records = [e for e in package.selected_evidence if e.candidate.retrieval_source == "record"]
    found = [e for e in records if not asked or any(_names(e.candidate, value) for value in asked)]
    none = next(
        (f"could not be read: {why}" for name, why in package.unread.items() if name in asked),
        "no record with that number was found",
    )
    return _looked_up(found, "the record was found", none)


def _names(candidate: EvidenceCandidate, value: str) -> bool:
    held = " ".join((candidate.text, candidate.source_uri, *candidate.metadata.values())).upper()
    return value.upper() in held


def _looked_up(found: Sequence[Evidence], yes: str, no: str) -> Coverage:
    if not found:
        return Coverage(covered=False, confidence="low", reason=no)
    ids = tuple(e.evidence_id for e in found)
    return Coverage(covered=True, evidence_ids=ids, confidence="high", reason=yes)


def _premise_coverage(
    dimension: Dimension, plan: QueryPlan, package: EvidencePackage
) -> Coverage | None:
    """A denied premise answers the question it belongs to, when the source can be leaned on."""
    for evidence in package.conflicting_evidence:
        quote = evidence.gated.note.counter_quote or evidence.candidate.text
        belongs = len(plan.dimensions) == 1 or term_coverage(dimension.query, quote) >= _TOUCHES
        rank = standing(evidence.candidate, on=judged_on(plan, dimension)).rank
        if belongs and rank < 2:
            return Coverage(
                covered=True,
                evidence_ids=(evidence.evidence_id,),
                confidence="high",
                reason="the question assumes something that this source denies",
            )
    return None


class _Bearing(NamedTuple):
    evidence: Evidence
    directness: float
    letter: str
    words: str


def _passage_coverage(dimension: Dimension, plan: QueryPlan, package: EvidencePackage) -> Coverage:
    bearing = [
        b
        for e in package.selected_evidence
        if (b := _bears(dimension, plan, e)).directness >= _TOUCHES
    ]
    if not bearing:
        return Coverage(covered=False, confidence="low", reason="nothing accepted speaks of it")
    direct = [b for b in bearing if b.directness >= DIRECT]
    trusted = [b for b in direct if b.letter in ("A", "B")]
    if trusted:
        trusted.sort(key=lambda b: (b.letter, -b.directness))
        return Coverage(
            covered=True,
            evidence_ids=tuple(b.evidence.evidence_id for b in trusted),
            confidence="high",
            reason=f"stated directly by: {trusted[0].words}" + _agreement(trusted),
        )
    chosen = [b for b in direct if b.evidence.gated.rule == "forced"]
    if chosen:
        return Coverage(
            covered=True,
            evidence_ids=tuple(b.evidence.evidence_id for b in chosen),
            confidence="medium",
            reason=f"a reviewer chose: {chosen[0].words}",
        )
    if direct:
        return Coverage(
            covered=False,
            evidence_ids=tuple(b.evidence.evidence_id for b in direct),
            confidence="low",
            reason=f"stated only by: {direct[0].words}, which nobody answers for",
        )
    return Coverage(
        covered=False,
        evidence_ids=tuple(b.evidence.evidence_id for b in bearing),
        confidence="low",
        reason="on the subject, but no sentence states it",
    )


def _agreement(trusted: Sequence[_Bearing]) -> str:
    sources = {b.evidence.candidate.source_id for b in trusted}
    return f"; {len(sources)} sources speak of it" if len(sources) > 1 else ""


def _bears(dimension: Dimension, plan: QueryPlan, evidence: Evidence) -> _Bearing:
    """How directly one piece of evidence states the dimension, and on whose authority."""
    stands = standing(evidence.candidate, on=judged_on(plan, dimension))
    return _Bearing(evidence, _directness(dimension, plan, evidence), stands.letter, stands.words)


def _directness(dimension: Dimension, plan: QueryPlan, evidence: Evidence) -> float:
    candidate = evidence.candidate
    if candidate.retrieval_source in ("record", "case_file"):
        return 0.0
    context = " ".join((candidate.source_title, *candidate.heading_path))
    kind = expected_type(dimension.query)
    best = 0.0
    for sentence in split_sentences(candidate.text):
        cover = _cover(dimension.query, f"{context} {sentence.text}")
        best = max(best, cover if holds(kind, sentence.text) else cover * 0.6)
    if evidence.gated.rule == "situation":
        return max(best, DIRECT)
    sure = evidence.gated.probability("evidence") >= _SURE
    if sure and (len(plan.dimensions) == 1 or not content_words(_ask(dimension.query))):
        # The gate scored this very question, or the ask has no word of its own to look for.
        best = max(best, DIRECT)
    return best


def _ask(query: str) -> str:
    """The question as asked, without the topic that planning added to make it stand alone."""
    return _ASKING.sub("", query.split(" (regarding:")[0])


def _cover(query: str, text: str) -> float:
    """Share of the dimension's words in ``text``. Where a topic was added, the ask's own words
    suffice: the gate has already found the passage to be on the subject."""
    ask = _ask(query)
    spoken = shared(dict.fromkeys(concepts(ask), 1.0), text)
    return max(term_coverage(query, text), 0.9 * term_coverage(ask, text), 0.9 * spoken)


# ---- what next ------------------------------------------------------------------------------


def _gaps(plan: QueryPlan, matrix: dict[str, Coverage]) -> tuple[str, ...]:
    """Dimensions short of high confidence: the uncovered first, records before passages."""
    short = [d for d in plan.dimensions if not _settled(matrix[d.id])]
    short.sort(key=lambda d: (matrix[d.id].covered, d.kind == "passage"))
    return tuple(d.id for d in short)


def _settled(coverage: Coverage) -> bool:
    return coverage.covered and coverage.confidence == "high"


def _strategy(
    plan: QueryPlan, matrix: dict[str, Coverage], package: EvidencePackage, gaps: Sequence[str]
) -> RewriteStrategy:
    first = next(d for d in plan.dimensions if d.id == gaps[0])
    if first.kind != "passage":
        return "SWITCH_TO_STRUCTURED_QUERY"
    if plan.query_type == "ambiguous":
        return "RESOLVE_AMBIGUOUS_TERM"
    if not package.selected_evidence:
        return "SWITCH_KEYWORD_SYNONYM"
    if plan.temporal.event_date is not None and matrix[first.id].evidence_ids:
        return "NARROW_TIME_SCOPE"
    return "EXPAND_FIELDS"
