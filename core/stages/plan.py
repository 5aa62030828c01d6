"""What must be answered, of which kind it is, and which day's policy answers it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core.models.plan import Dimension, QueryPlan, QueryType, TemporalContext
from core.models.request import ExtractedIdentifier, NormalizedInput, UserRequest
from core.models.review import Case
from core.text import intent
from core.text.anchored_dates import anchored_dates, anchors_of
from core.text.dimensions import asked_dimensions, case_dimensions, question_only
from core.text.injection import score_sentence
from core.text.moments import Moment, moment
from core.text.named_records import (
    case_order,
    named_records,
    orders_to_choose,
    related_records,
)
from core.text.query_types import query_type, retrieval_mode
from core.text.questions import asks, without_courtesy
from core.text.sentences import split_sentences
from core.text.timeless import for_each_day, matters, with_statement

_WHICH_ORDER = "the order is not named"
_INSTRUCTION = 0.7
"""From this score on a sentence is an instruction to a model, not a question to us."""


def make_plan(
    normalized: NormalizedInput, request: UserRequest, *, today: date, case: Case | None = None
) -> QueryPlan:
    """Plan one run by readable rules. Rights never enter here: a claim of rank is mere text."""
    asked = request.asked_on or today
    question = _without_instructions(without_courtesy(normalized.standalone_query))
    when = _when(question, normalized, request, asked, case)
    if not question:
        return _unanswered(normalized, "out_of_scope", when, asked, "only instructions to a model")
    question = when.question or question
    parts = asks(question_only(question))
    if when.compared:
        parts = tuple(with_statement(part, question) for part in matters(parts))
    in_scope = tuple(p for p in parts if not intent.out_of_scope(p))
    if not in_scope:
        return _unanswered(normalized, "out_of_scope", when, asked, "no matter for a service desk")
    if all(intent.names_no_record(p) for p in in_scope) and not (
        case_order(case) or normalized.extracted_identifiers
    ):
        orders = orders_to_choose(request.history)
        if len(orders) != 1:
            return _unanswered(normalized, "ambiguous", when, asked, _WHICH_ORDER, orders)
    if _too_vague(question, normalized, request, case):
        return _unanswered(normalized, "ambiguous", when, asked, "nothing says what it is about")
    return _planned(normalized, request, question, in_scope, when, asked, case)


def _when(
    question: str, normalized: NormalizedInput, request: UserRequest, asked: date, case: Case | None
) -> Moment:
    dates = normalized.extracted_dates
    if case is not None:
        dates += anchored_dates(question, anchors_of(case.fields))
    when = moment(question, dates, today=asked)
    # A day the caller chose is looked back at: what held then may be superseded by now.
    return when._replace(current=False) if request.asked_on is not None else when


def _without_instructions(question: str) -> str:
    """The question without sentences that instruct a model; they ask nothing of a service desk."""
    kept = [s.text for s in split_sentences(question) if score_sentence(s.text) < _INSTRUCTION]
    return question if len(kept) == len(split_sentences(question)) else " ".join(kept)


def _too_vague(
    question: str, normalized: NormalizedInput, request: UserRequest, case: Case | None
) -> bool:
    if intent.small_talk(request.raw_query):
        return True
    if normalized.extracted_identifiers or not intent.too_vague(question):
        return False
    if case_order(case):
        return False
    asks_about_case = intent.about_case(question) and (case or request.case_id)
    return not asks_about_case


def _unanswered(
    normalized: NormalizedInput,
    kind: QueryType,
    when: Moment,
    asked: date,
    why: str,
    orders: Sequence[ExtractedIdentifier] = (),
) -> QueryPlan:
    """A plan that asks back or refuses; ``orders`` are those to choose from."""
    vague = kind == "ambiguous"
    return QueryPlan(
        normalized_query=normalized.normalized_query,
        query_type=kind,
        retrieval_mode="none",
        identifiers=normalized.extracted_identifiers,
        needs_clarification=vague,
        clarification_question=intent.clarifying_question(
            normalized.standalone_query,
            normalized.detected_language,
            orders=[i.value for i in orders],
        )
        if vague
        else None,
        reasoning_notes=(f"{kind}: {why}",),
        temporal=_temporal(when, asked),
    )


def _planned(
    normalized: NormalizedInput,
    request: UserRequest,
    question: str,
    parts: tuple[str, ...],
    when: Moment,
    asked: date,
    case: Case | None,
) -> QueryPlan:
    closing = _about_this_case(question, normalized, request, case)
    identifiers = named_records(normalized, request, parts, case)
    records = tuple(i for i in identifiers if i.kind in {"order", "customer"})
    topic = _case_topic(case) if closing else ""
    if closing:
        dimensions = case_dimensions(question, topic)
    else:
        dimensions = asked_dimensions(question, parts, records)
    if when.compared:
        dimensions = for_each_day(
            dimensions, when.compared, today=asked, undated=when.before_change
        )
    kind: QueryType = "case_specific" if closing else _kind(parts, dimensions)
    mode = retrieval_mode(
        kind,
        question_only(question),
        structured=any(d.kind != "passage" for d in dimensions),
        parts=len(dimensions),
    )
    return QueryPlan(
        normalized_query=normalized.normalized_query,
        query_type=kind,
        retrieval_mode=mode,
        subqueries=_subqueries(question, dimensions, topic),
        dimensions=dimensions,
        required_sources=_required_sources(dimensions),
        preferred_sources=("official_policy", "approved_procedure"),
        identifiers=identifiers,
        related=related_records(request, identifiers, case),
        reasoning_notes=(
            f"{len(dimensions)} dimension(s) from {len(parts)} question(s)",
            f"policy date {when.policy.isoformat()}: {when.why}",
        ),
        temporal=_temporal(when, asked),
        timeless_query=when.question,
    )


def _subqueries(question: str, dimensions: Sequence[Dimension], case_topic: str) -> tuple[str, ...]:
    """The question, its parts where it has several, and what governs the case at hand."""
    parts = [d.query for d in dimensions if d.kind == "passage" and len(dimensions) > 1]
    rules = [f"{case_topic}: repeat event, formal review, escalation"] if case_topic else []
    return tuple(dict.fromkeys([question, *parts, *rules]))


def _required_sources(dimensions: Sequence[Dimension]) -> tuple[str, ...]:
    looked_up = (d.kind for d in dimensions if d.kind != "passage")
    return tuple(
        dict.fromkeys("records" if kind == "record" else "case_file" for kind in looked_up)
    )


def _temporal(when: Moment, asked: date) -> TemporalContext:
    return TemporalContext(
        asked_date=asked,
        event_date=when.event,
        effective_policy_date=when.policy,
        prefer_current=when.current,
        compared=when.compared,
        before_change=when.before_change,
    )


def _about_this_case(
    question: str, normalized: NormalizedInput, request: UserRequest, case: Case | None
) -> bool:
    named = any(i.kind == "case" for i in normalized.extracted_identifiers)
    if not (case or request.case_id or named):
        return False
    return intent.about_case(question) or (named and intent.about_closing(question))


def _kind(parts: tuple[str, ...], dimensions: tuple[Dimension, ...]) -> QueryType:
    """A record alone is looked up; a record under a rule is somebody's own case."""
    kinds = {d.kind for d in dimensions}
    if kinds == {"record"}:
        return "exact_lookup"
    return "case_specific" if "record" in kinds else query_type(parts[0])


def _case_topic(case: Case | None) -> str:
    if case is None:
        return ""
    kinds = dict.fromkeys(e.kind.replace("_", " ").replace("-", " ") for e in case.events)
    kind_of_case = [v for k, v in case.fields.items() if k in {"case_type", "type", "category"}]
    return " ".join((*kind_of_case, *kinds))
