"""What must be answered, of which kind it is, and which day's policy answers it."""

from __future__ import annotations

from datetime import date

from core.models.plan import Dimension, QueryPlan, QueryType, RetrievalMode, TemporalContext
from core.models.request import ExtractedIdentifier, NormalizedInput, UserRequest
from core.models.review import Case
from core.text import intent
from core.text.identifiers import find_identifiers
from core.text.injection import score_sentence
from core.text.moments import Moment, moment
from core.text.questions import asks, background, leans_on_context, topic, without_courtesy
from core.text.record_mentions import named_in_passing, without_record
from core.text.sentences import split_sentences
from core.text.tokens import content_words

_NAME_LENGTH = 90
_INSTRUCTION = 0.7
"""From this score on a sentence is an instruction to a model, not a question to us."""


def make_plan(
    normalized: NormalizedInput, request: UserRequest, *, today: date, case: Case | None = None
) -> QueryPlan:
    """Plan one run by readable rules. Rights never enter here: a claim of rank is mere text."""
    asked = request.asked_on or today
    question = _without_instructions(without_courtesy(normalized.standalone_query))
    when = moment(question, normalized.extracted_dates, today=asked)
    if request.asked_on is not None:
        # A day the caller chose is looked back at: what held then may be superseded by now.
        when = when._replace(current=False)
    if not question:
        return _unanswered(normalized, "out_of_scope", when, asked, "only instructions to a model")
    parts = asks(_question_only(question))
    in_scope = tuple(p for p in parts if not intent.out_of_scope(p))
    if not in_scope:
        return _unanswered(normalized, "out_of_scope", when, asked, "no matter for a service desk")
    if all(intent.names_no_record(p) for p in in_scope) and not _record_named(normalized, case):
        return _unanswered(normalized, "ambiguous", when, asked, "the order is not named")
    if _too_vague(question, normalized, request, case):
        return _unanswered(normalized, "ambiguous", when, asked, "nothing says what it is about")
    return _planned(normalized, request, question, in_scope, when, asked, case)


def _record_named(normalized: NormalizedInput, case: Case | None) -> bool:
    return bool(normalized.extracted_identifiers) or (case is not None and "order" in case.fields)


def _without_instructions(question: str) -> str:
    """The question without sentences that instruct a model; they ask nothing of a service desk."""
    kept = [s.text for s in split_sentences(question) if score_sentence(s.text) < _INSTRUCTION]
    return question if len(kept) == len(split_sentences(question)) else " ".join(kept)


def _question_only(question: str) -> str:
    return question.split(" (regarding:")[0]


def _too_vague(
    question: str, normalized: NormalizedInput, request: UserRequest, case: Case | None
) -> bool:
    if normalized.extracted_identifiers or not intent.too_vague(question):
        return False
    if case is not None and "order" in case.fields:
        return False
    asks_about_case = intent.about_case(question) and (case or request.case_id)
    return not asks_about_case


def _unanswered(
    normalized: NormalizedInput, kind: QueryType, when: Moment, asked: date, why: str
) -> QueryPlan:
    vague = kind == "ambiguous"
    return QueryPlan(
        normalized_query=normalized.normalized_query,
        query_type=kind,
        retrieval_mode="none",
        identifiers=normalized.extracted_identifiers,
        needs_clarification=vague,
        clarification_question=intent.clarifying_question(
            normalized.standalone_query, normalized.detected_language
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
    identifiers = _identifiers(normalized, request, parts, case)
    records = tuple(i for i in identifiers if i.kind in {"order", "customer"})
    if closing:
        dimensions = _case_dimensions(question, case)
    else:
        dimensions = _dimensions(question, parts, records)
    kind: QueryType = "case_specific" if closing else _kind(parts[0], dimensions)
    structured = any(d.kind != "passage" for d in dimensions)
    mode: RetrievalMode = "multi_source" if structured else "hybrid"
    queries = dict.fromkeys(
        [question, *(d.query for d in dimensions if d.kind == "passage" and len(dimensions) > 1)]
    )
    if closing and (about := _case_topic(case)):
        queries[f"{about}: repeat event, formal review, escalation"] = None
    return QueryPlan(
        normalized_query=normalized.normalized_query,
        query_type=kind,
        retrieval_mode=mode,
        subqueries=tuple(queries),
        dimensions=dimensions,
        required_sources=tuple(
            dict.fromkeys(
                "records" if d.kind == "record" else "case_file"
                for d in dimensions
                if d.kind != "passage"
            )
        ),
        preferred_sources=("official_policy", "approved_procedure"),
        identifiers=identifiers,
        related=_related(request, identifiers, case),
        reasoning_notes=(
            f"{len(dimensions)} dimension(s) from {len(parts)} question(s)",
            f"policy date {when.policy.isoformat()}: {when.why}",
        ),
        temporal=_temporal(when, asked),
    )


def _temporal(when: Moment, asked: date) -> TemporalContext:
    return TemporalContext(
        asked_date=asked,
        event_date=when.event,
        effective_policy_date=when.policy,
        prefer_current=when.current,
    )


def _about_this_case(
    question: str, normalized: NormalizedInput, request: UserRequest, case: Case | None
) -> bool:
    named = any(i.kind == "case" for i in normalized.extracted_identifiers)
    if not (case or request.case_id or named):
        return False
    return intent.about_case(question) or (named and intent.about_closing(question))


def _identifiers(
    normalized: NormalizedInput, request: UserRequest, parts: tuple[str, ...], case: Case | None
) -> tuple[ExtractedIdentifier, ...]:
    """Identifiers of the question; the case's own order or customer where one is needed."""
    found = normalized.extracted_identifiers
    kinds = {i.kind for i in found}
    order = case.fields.get("order", "") if case else ""
    if order and "order" not in kinds and any(intent.about_status(p) for p in parts):
        found += (ExtractedIdentifier(kind="order", value=order.lstrip("#").upper(), text=order),)
    customer = request.customer_id or (case.customer_id if case else None)
    if customer and "customer" not in kinds and any(intent.about_own_account(p) for p in parts):
        found += (ExtractedIdentifier(kind="customer", value=customer, text=customer),)
    return found


def _related(
    request: UserRequest, asked: tuple[ExtractedIdentifier, ...], case: Case | None
) -> tuple[ExtractedIdentifier, ...]:
    """Orders that the case or the customer's earlier messages name beside those asked about."""
    order = case.fields.get("order", "") if case else ""
    named = [
        i
        for t in request.history
        if t.role == "customer"
        for i in find_identifiers(t.text)
        if i.kind == "order"
    ]
    if order:
        value = order.lstrip("#").upper()
        named.append(ExtractedIdentifier(kind="order", value=value, text=order))
    known = {i.value for i in asked}
    return tuple({i.value: i for i in named if i.value not in known}.values())


def _kind(first: str, dimensions: tuple[Dimension, ...]) -> QueryType:
    if all(d.kind == "record" for d in dimensions):
        return "exact_lookup"
    return intent.query_type(first)


def _dimensions(
    question: str, parts: tuple[str, ...], records: tuple[ExtractedIdentifier, ...]
) -> tuple[Dimension, ...]:
    asked = " ".join(p for p in parts if intent.about_status(p) or intent.about_own_account(p))
    rules = [
        Dimension(id="", name=_name(part), query=_self_standing(part, question))
        for part in parts
        if not (records and _record_answers(part))
    ]
    if rules and not asked and all(named_in_passing(i.value, parts) for i in records):
        # A fact of the case (see ``related``), not what is asked.
        return _numbered(rules)
    rows = [
        Dimension(
            id="",
            name=f"{i.kind} {i.value}",
            query=asked if i.value in asked else f"{i.kind} {i.value}: {asked or 'status'}",
            kind="record",
        )
        for i in records
    ]
    return _numbered([*rows, *rules])


def _numbered(dimensions: list[Dimension]) -> tuple[Dimension, ...]:
    return tuple(d.model_copy(update={"id": f"D{n}"}) for n, d in enumerate(dimensions, start=1))


def _record_answers(part: str) -> bool:
    """The record alone answers: a status or the customer's own account, no rule asked."""
    if intent.about_own_account(part):
        return True
    return intent.about_status(part) and not intent.about_rule(part)


def _name(part: str) -> str:
    name = part.strip().rstrip("?？.。!！ ")
    name = name[:1].upper() + name[1:]
    return name if len(name) <= _NAME_LENGTH else name[: _NAME_LENGTH - 1].rstrip() + "…"


def _self_standing(part: str, question: str) -> str:
    """One ask with the topic of the rest of the message where it leans on it.

    A rule names no order number, so the query for a rule names none either.
    """
    ruled = without_record(part)
    part = ruled if len(content_words(ruled)) >= 2 else part
    regarding = question.partition(" (regarding: ")[2].rstrip(")")
    own = set(content_words(part))
    asked = [without_record(p) for p in asks(_question_only(question))]
    others = [p for p in asked if p != part]
    if not leans_on_context(part) and len(own) > 3:
        return part
    setting = [regarding, *(others if leans_on_context(part) else ())]
    about = topic([s for s in (*setting, background(question)) if s], beside=part, limit=6)
    return f"{part} (regarding: {about})" if about else part


_CLOSING_RULE = "When can a case be closed without escalation?"


def _case_dimensions(question: str, case: Case | None) -> tuple[Dimension, ...]:
    about = _case_topic(case)
    closing = intent.about_closing(question)
    rule = _CLOSING_RULE if closing else _question_only(question)
    out = [
        Dimension(id="D1", name="the governing policy", query=rule),
        Dimension(
            id="D2",
            name="the events on this case's record",
            query=f"events on the case record {about}".strip(),
            kind="case_file",
        ),
    ]
    if closing:
        out.append(
            Dimension(
                id="D3",
                name="the closing checklist of this case",
                query="checklist items done and missing",
                kind="case_file",
            )
        )
        out.append(
            Dimension(
                id="D4",
                name="a supervisor decision on this case",
                query="supervisor decision recorded",
                kind="case_file",
            )
        )
    return tuple(out)


def _case_topic(case: Case | None) -> str:
    if case is None:
        return ""
    kinds = dict.fromkeys(e.kind.replace("_", " ").replace("-", " ") for e in case.events)
    kind_of_case = [v for k, v in case.fields.items() if k in {"case_type", "type", "category"}]
    return " ".join((*kind_of_case, *kinds))
