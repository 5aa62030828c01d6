"""Stage: the draft. Local and extractive: every fact is the source's own sentence, cited.

Which status a draft gets:

* the plan asks back → ``needs_clarification``; out of scope → ``refused``;
* a conflict nobody could decide → ``conflicting_evidence``: a reply to a customer's message names
  neither value, who asks in a chat reads both in their sources' words; other parts are answered;
* a false premise is named first, with the sentence that denies it, then what accepted evidence says
  of the same matter; that is ``answered``, for the cited correction is the answer (the sources do
  not disagree with each other, only the question with them);
* nothing covered → ``insufficient_evidence``, a holding reply that promises nothing.

Passages that lost a conflict, that deny the premise, or that address the reader's model are never
quoted as answers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from core.models.draft import AnswerStatus, GroundedAnswer
from core.models.evidence import EvidencePackage
from core.models.judgement import Confidence, Coverage, Judgement, Resolution
from core.models.plan import Dimension, QueryPlan
from core.models.request import NormalizedInput, UserRequest
from core.ports import Encoder
from core.text.agreed import with_agreed
from core.text.calculated import calculated_lines, calculations
from core.text.casework import case_lines
from core.text.choose import Option, Part, Similarity
from core.text.compose import Line, body, citations_of, with_last_days
from core.text.conflict_report import NOBODY, conflict_lines, reading_lines, which_is_meant
from core.text.conflicts import premise_conflicts, premise_lines, source_conflicts
from core.text.days_in_reply import choose_on_days, options_on_days
from core.text.past import asked_of_the_past, assumed_days, dated_lines, not_on_file
from core.text.pool import undecided_ids
from core.text.reply import frame, reply_language, standing
from core.text.similarity import term_coverage

_LOOKED_UP = ("order", "customer")
_SAME_MATTER = 0.4
_LIMITS = {"email": 5, "chat_reply": 3, "public_post": 3, "pdf": 6}


class _Brief:
    """What one draft is written from."""

    def __init__(
        self,
        request: UserRequest,
        normalized: NormalizedInput,
        plan: QueryPlan,
        package: EvidencePackage,
        judgement: Judgement | None,
        resolutions: Sequence[Resolution],
    ) -> None:
        self.request, self.plan, self.package = request, plan, package
        self.judgement, self.resolutions = judgement, resolutions
        self.ambiguities = judgement.ambiguities if judgement else ()
        whole = normalized.standalone_query or normalized.raw_query
        self.question = plan.situated(plan.asked(whole))
        self.language = reply_language(normalized.detected_language, request.locale)
        self.on_a_case = any(d.kind == "case_file" for d in plan.dimensions)
        self.records = tuple(
            e for e in package.selected_evidence if e.candidate.retrieval_source == "record"
        )
        asked = any(d.kind == "record" for d in plan.dimensions)
        self.background = frozenset(() if asked else (e.evidence_id for e in self.records))
        """Records that are facts of the case, not what is asked: never quoted as answers."""

    def purchases(self) -> dict[str, date]:
        """When the orders in evidence were placed, by evidence id; none for a past date."""
        if asked_of_the_past(self.plan.temporal):
            return {}
        placed = {e.evidence_id: e.candidate.metadata.get("placed_on") for e in self.records}
        return {i: date.fromisoformat(day) for i, day in placed.items() if day}

    def framed(self, text: str) -> str:
        """``text`` with opening and close; a colleague's question about a case needs neither."""
        if self.on_a_case:
            return text
        form, name = self.request.output_form, self.request.customer_name
        return frame(text, self.language, form, name)

    def say(self, kind: str, part: str = "") -> str:
        """A standing sentence in the language of the reply."""
        return standing(kind, self.language, part)


def draft(
    request: UserRequest,
    normalized: NormalizedInput,
    plan: QueryPlan,
    package: EvidencePackage,
    judgement: Judgement | None,
    resolutions: Sequence[Resolution],
    *,
    encoder: Encoder | None = None,
) -> GroundedAnswer:
    """The reply to ``request`` from ``package``. ``judgement`` is ``None`` when nothing was judged.

    With an ``encoder`` that knows the question's language, meaning counts beside shared words.
    """
    brief = _Brief(request, normalized, plan, package, judgement, resolutions)
    if plan.query_type == "out_of_scope":
        return _without_facts(brief, "refused", brief.say("refused"))
    if plan.needs_clarification:
        return _clarifying(brief)
    return _from_evidence(brief, _similarity(encoder, brief.question))


def _without_facts(brief: _Brief, status: AnswerStatus, text: str) -> GroundedAnswer:
    return GroundedAnswer(status=status, answer_markdown=brief.framed(text))


def _clarifying(brief: _Brief) -> GroundedAnswer:
    return _asking_back(brief, brief.plan.clarification_question or "")


def _asking_back(brief: _Brief, question: str) -> GroundedAnswer:
    text = f"{brief.say('clarify')} {question}".strip()
    return _without_facts(brief, "needs_clarification", text).model_copy(
        update={"follow_up_question": question or None, "missing_information": (question,)}
    )


def _from_evidence(brief: _Brief, similarity: Similarity | None) -> GroundedAnswer:
    plan, meant = brief.plan, which_is_meant(brief.ambiguities, brief.language)
    if meant and brief.request.case_id and not brief.on_a_case:
        return _asking_back(brief, meant)
    parts = _covered_parts(brief)
    denied = premise_conflicts(brief.package, brief.language)
    undecided = undecided_ids(brief.resolutions)
    pool = [
        o
        for o in options_on_days(plan, brief.package, brief.resolutions)
        if o.evidence_id not in undecided | brief.background
        and all(_on_the_matter(o, d.side_a) for d in denied)
    ]
    lines = premise_lines(brief.package, brief.language)
    named = len(lines)
    if brief.on_a_case:
        lines += case_lines(brief.package, pool, brief.question, brief.plan, brief.language)
    if len(lines) == named:
        limit, sums = _LIMITS[brief.request.output_form], calculated_lines(brief.package, parts)
        lines += [line for told in sums.values() for line in told]
        asked = tuple(p for p in parts if p.part_id not in sums)
        pool = [o for o in pool if asked and o.evidence_id not in calculations(brief.package)]
        found = choose_on_days(
            plan, brief.package, brief.question, asked, pool, limit=limit, similarity=similarity
        )
        if not denied:
            parts = tuple(p for p in parts if p.part_id in found.answered | set(sums))
        chosen = with_agreed(found.choices, pool, brief.question, brief.package)
        dated = dated_lines(chosen, brief.package, plan.temporal, brief.language)
        lines += with_last_days(dated, brief.purchases(), brief.language)
    lines += reading_lines(brief.package, brief.ambiguities, brief.language)
    answered = len(lines) > named
    missing = _missing(brief, parts)
    status = _status(brief, answered=answered, denied=bool(denied))
    lines = _with_holding(brief, lines, status, missing, parts)
    conflicts = denied + source_conflicts(brief.package, brief.resolutions)
    return GroundedAnswer(
        status=status,
        answer_markdown=brief.framed(body(lines)),
        citations=citations_of(lines, brief.package),
        confidence=_confidence(brief, status, missing),
        missing_information=(*missing, *brief.package.not_read(), *brief.package.unjudged),
        conflicts=conflicts,
        assumptions=assumed_days(plan.temporal),
        follow_up_question=meant,
        evidence_ids_used=tuple(dict.fromkeys(i for line in lines for i in line.evidence_ids)),
    )


def _on_the_matter(option: Option, premise: str) -> bool:
    """Beside a false premise only sentences about the same thing are worth saying."""
    return term_coverage(re.sub(r"\d+", "", premise), option.words) >= _SAME_MATTER


def _covered_parts(brief: _Brief) -> tuple[Part, ...]:
    """The parts of the question that evidence covers; the whole question when nobody judged."""
    if brief.judgement is None or not brief.plan.dimensions:
        ids = frozenset(e.evidence_id for e in brief.package.selected_evidence)
        return (Part("D1", brief.question, ids),) if ids else ()
    matrix = brief.judgement.dimension_coverage_matrix
    elsewhere = {r.dimension for r in brief.resolutions if r.winner == NOBODY}
    elsewhere |= {found.dimension for found in brief.ambiguities}
    alone = len(brief.plan.dimensions) == 1
    return tuple(
        Part(
            d.id,
            brief.question if alone else brief.plan.situated(d.query),
            frozenset(matrix[d.id].evidence_ids),
            recorded=d.kind == "record",
        )
        for d in brief.plan.dimensions
        if d.id in matrix and matrix[d.id].covered and d.id not in elsewhere
    )


def _status(brief: _Brief, *, answered: bool, denied: bool) -> AnswerStatus:
    if any(r.winner == NOBODY for r in brief.resolutions):
        return "conflicting_evidence"
    return "answered" if answered or denied else "insufficient_evidence"


def _missing(brief: _Brief, parts: Sequence[Part]) -> tuple[str, ...]:
    covered = {part.part_id for part in parts} | {a.dimension for a in brief.ambiguities}
    matrix = brief.judgement.dimension_coverage_matrix if brief.judgement else {}
    gaps = [d for d in brief.plan.dimensions if d.id not in covered]
    lines = [_gap(d, matrix.get(d.id)) for d in gaps]
    if not brief.plan.dimensions and not parts:
        lines = [brief.question]
    questions = [q for r in brief.resolutions if r.winner == NOBODY for q in r.questions]
    return tuple(dict.fromkeys(lines + questions))


def _gap(dimension: Dimension, coverage: Coverage | None) -> str:
    reason = coverage.reason if coverage else ""
    return f"{dimension.id}: {dimension.name}" + (f" ({reason})" if reason else "")


def _with_holding(
    brief: _Brief,
    lines: list[Line],
    status: AnswerStatus,
    missing: Sequence[str],
    parts: Sequence[Part],
) -> list[Line]:
    """What the reply says of the parts it cannot answer; it promises nothing but a look."""
    if status == "insufficient_evidence":
        lines = [*lines, *_unknown_records(brief)]
        lines += not_on_file(brief.package, brief.plan.temporal, brief.language)
        return [*lines, Line(brief.say("holding"), "", (), "\n\n")]
    if any(r.winner == NOBODY for r in brief.resolutions):
        return [*lines, Line(brief.say("conflict"), "", (), "\n\n"), *_disputed(brief)]
    named = bool(brief.package.conflicting_evidence)
    if status != "answered" or not missing or brief.on_a_case or named:
        return lines
    answered = {part.part_id for part in parts}
    rules = [d for d in brief.plan.dimensions if d.id not in answered and d.kind != "record"]
    partly = [Line(brief.say("partly", d.name), "", (), "\n\n") for d in rules]
    early = not_on_file(brief.package, brief.plan.temporal, brief.language)
    return [*lines, *_unknown_records(brief), *(early or partly)]


def _disputed(brief: _Brief) -> list[Line]:
    """Both sides in their sources' words, for who asks in a chat; a reply to a customer's message
    names neither."""
    written = bool(brief.request.case_id) or brief.request.output_form != "chat_reply"
    if written and not brief.on_a_case:
        return []
    return conflict_lines(brief.plan, brief.package, brief.resolutions, brief.language)


def _unknown_records(brief: _Brief) -> list[Line]:
    """The numbers that were looked up without finding a record."""
    covered = brief.judgement.dimension_coverage_matrix if brief.judgement else {}
    rows = [d.id for d in brief.plan.dimensions if d.kind == "record" and d.id in covered]
    found = {
        re.split("[:/]", e.candidate.source_uri)[-1]
        for e in brief.package.selected_evidence
        if e.candidate.retrieval_source == "record"
    }
    missing = [i.value for i in brief.plan.identifiers if i.kind in _LOOKED_UP]
    unread = brief.package.unread
    return [
        Line(brief.say("unread" if value in unread else "unknown", value), "", (), "\n\n")
        for value in missing
        if value not in found and not all(covered[row].covered for row in rows)
    ]


def _confidence(brief: _Brief, status: AnswerStatus, missing: Sequence[str]) -> Confidence:
    """High: every part surely covered, nothing disputed, all passages judged. Medium: covered, but
    less surely, or a dispute was decided. Low: anything open."""
    if status != "answered" or missing:
        return "low"
    matrix = brief.judgement.dimension_coverage_matrix if brief.judgement else {}
    sure = bool(matrix) and all(c.covered and c.confidence == "high" for c in matrix.values())
    package = brief.package
    calm = not (package.conflicting_evidence or package.unjudged or package.unread) and all(
        r.decided_by == "authority" for r in brief.resolutions
    )
    return "high" if sure and calm else "medium"


def _similarity(encoder: Encoder | None, question: str) -> Similarity | None:
    if encoder is None or not encoder.knows(question):
        return None
    known = encoder

    def cosines(text: str, others: Sequence[str]) -> Sequence[float]:
        vectors = known.encode([text, *others])
        return [float(v) for v in vectors[1:] @ vectors[0]]

    return cosines
