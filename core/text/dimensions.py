"""The checkable things an answer must cover, from what a message asks.

One ask gives one dimension; a comparison one for each side; a named record one beside the rule.
Only what is asked for becomes a dimension: each that is not covered costs a round.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.models.plan import Dimension
from core.models.request import ExtractedIdentifier
from core.text import intent
from core.text.aspects import aspect_of
from core.text.comparisons import comparison, side_query
from core.text.focus import topic
from core.text.leaning import leans_on_context
from core.text.questions import asks, background
from core.text.record_mentions import named_in_passing, without_record
from core.text.refund_asked import asks_refund_sum
from core.text.tokens import content_words

_NAME_LENGTH = 90
MOST = 6
"""Dimensions of one plan; what a message asks beyond them is rare and stays with the person."""


def question_only(question: str) -> str:
    """The question without the topic of its conversation."""
    return question.split(" (regarding:")[0]


def asked_dimensions(
    question: str, parts: Sequence[str], records: Sequence[ExtractedIdentifier]
) -> tuple[Dimension, ...]:
    """The dimensions of a question with its ``parts`` and the ``records`` it is about."""
    sums = _refund_sums(parts, records)
    parts = tuple(p for p in parts if not (sums and asks_refund_sum(p)))
    if sums and not parts:
        return _numbered(sums)
    asked = " ".join(p for p in parts if intent.about_status(p) or intent.about_own_account(p))
    rules = [
        dimension
        for part in parts
        if not (records and _record_answers(part))
        for dimension in _of_part(part, question)
    ]
    if rules and not asked and all(named_in_passing(i.value, tuple(parts)) for i in records):
        # A fact of the case (the plan's related records), not what is asked.
        return _numbered([*sums, *rules])
    rows = [
        Dimension(
            id="",
            name=f"{i.kind} {i.value}",
            query=asked if i.value in asked else f"{i.kind} {i.value}: {asked or 'status'}",
            kind="record",
            aspect="record",
        )
        for i in records
    ]
    return _numbered([*sums, *(rows if asked or not sums else ()), *rules])


def _refund_sums(
    parts: Sequence[str], records: Sequence[ExtractedIdentifier]
) -> tuple[Dimension, ...]:
    """What a refund of a named order comes to, where that is asked: worked out from its record."""
    asked = " ".join(p for p in parts if asks_refund_sum(p))
    if not asked:
        return ()
    return tuple(
        Dimension(id="", name=refund_of(i.value), query=asked, kind="record", aspect="amount")
        for i in records
        if i.kind == "order"
    )


def refund_of(order: str) -> str:
    """The name of the dimension that asks what the refund of an order comes to."""
    return f"refund for order {order}"


def _numbered(dimensions: Sequence[Dimension]) -> tuple[Dimension, ...]:
    return tuple(
        d.model_copy(update={"id": f"D{n}"}) for n, d in enumerate(dimensions[:MOST], start=1)
    )


def _record_answers(part: str) -> bool:
    """The record alone answers: a status or the customer's own account, no rule asked."""
    if intent.about_own_account(part):
        return True
    return intent.about_status(part) and not intent.about_rule(part)


def _of_part(part: str, question: str) -> list[Dimension]:
    """One dimension for an ask; one for each side of a comparison."""
    compared = comparison(part)
    if compared is None:
        asked = _self_standing(part, question)
        return [Dimension(id="", name=_name(part), query=asked, aspect=aspect_of(part))]
    return [
        Dimension(
            id="",
            name=_name(side),
            query=_self_standing(side_query(side, compared), question),
            aspect=compared.aspect,
        )
        for side in compared.sides
    ]


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
    leans = leans_on_context(part)
    if not leans and len(own) > 3:
        return part
    told = background(question_only(question))
    before = _asked_before(part, question, alone=not told) if leans else []
    setting = [s for s in (regarding, *before, told) if s]
    about = topic(setting, beside=part, limit=6, verbs=True)
    return f"{part} (regarding: {about})" if about else part


def _asked_before(part: str, question: str, *, alone: bool) -> list[str]:
    """The ask that ``part`` follows; of the first one, all others where asks stand ``alone``."""
    asked = [without_record(p) for p in asks(question_only(question))]
    if part not in asked:
        return []
    place = asked.index(part)
    if place:
        return asked[place - 1 : place]
    return [p for p in asked if p != part] if alone else []


_CLOSING_RULE = "When can a case be closed without escalation?"


def case_dimensions(question: str, about: str) -> tuple[Dimension, ...]:
    """What a question about the case itself needs: the rule and the case's own file.

    ``about`` names what the case deals with.
    """
    closing = intent.about_closing(question)
    rule = _CLOSING_RULE if closing else question_only(question)
    out = [
        Dimension(id="", name="the governing policy", query=rule, aspect=aspect_of(rule)),
        Dimension(
            id="",
            name="the events on this case's record",
            query=f"events on the case record {about}".strip(),
            kind="case_file",
            aspect="events",
        ),
    ]
    if closing:
        out.append(
            Dimension(
                id="",
                name="the closing checklist of this case",
                query="checklist items done and missing",
                kind="case_file",
                aspect="checklist",
            )
        )
        out.append(
            Dimension(
                id="",
                name="a supervisor decision on this case",
                query="supervisor decision recorded",
                kind="case_file",
                aspect="decision",
            )
        )
    return _numbered(out)
