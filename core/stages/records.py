"""Facts that are not passages: rows of orders and customers, and the case's own file."""

from __future__ import annotations

from datetime import date

from core.models.access import SecurityContext
from core.models.evidence import EvidenceCandidate
from core.models.plan import QueryPlan
from core.models.request import UserRequest
from core.models.review import Case
from core.ports import RecordStore
from core.text.redact import find_pii

CASE_ACL = "support-internal"
_META_FIELDS = frozenset({"audience"})
"""Case fields that steer the desk and state no fact."""


def fetch_records(
    plan: QueryPlan,
    context: SecurityContext,
    request: UserRequest,
    *,
    records: RecordStore,
    case: Case | None,
) -> tuple[EvidenceCandidate, ...]:
    """Rows of orders and customers the plan names, and the case's own file when it is asked about.

    Only who may review cases reads records; anybody else gets none. An order of another customer
    than the request's is kept for the reviewer, with a note in ``metadata``.
    """
    if "review" not in context.actions:
        return ()
    found: list[EvidenceCandidate] = []
    for item in (*plan.identifiers, *plan.related):
        row = None
        if item.kind == "order":
            row = records.order(context.tenant_id, item.value)
        elif item.kind == "customer":
            row = records.customer(context.tenant_id, item.value)
        if row is not None and row.tenant_id == context.tenant_id:
            found.append(_owned(row, request, case))
    if case is not None and case.tenant_id == context.tenant_id and _wants_file(plan):
        found += case_file(case)
    return tuple({c.chunk_id: c for c in found}.values())


def _wants_file(plan: QueryPlan) -> bool:
    return any(d.kind == "case_file" for d in plan.dimensions)


def _owned(row: EvidenceCandidate, request: UserRequest, case: Case | None) -> EvidenceCandidate:
    asker = request.customer_id or (case.customer_id if case else None)
    holder = row.metadata.get("customer_id", "")
    if not asker or not holder or _customer_key(asker) == _customer_key(holder):
        return row
    note = f"belongs to customer {holder}, not to customer {asker} who asks"
    return row.model_copy(update={"metadata": {**row.metadata, "note_owner": note}})


def _customer_key(customer_id: str) -> str:
    return customer_id.upper().removeprefix("C-").lstrip("0")


def case_file(case: Case) -> list[EvidenceCandidate]:
    """The fields, events and checklist of a case, one candidate each, as natural sentences."""
    rows = [
        (f"field/{name}", _field_text(name, value))
        for name, value in case.fields.items()
        if name not in _META_FIELDS and value.strip()
    ]
    rows += [
        (f"event/{e.event_id}", f"Event {e.event_id} on {_day(e.on)}: {_sentence(e.description)}")
        for e in case.events
    ]
    rows += [
        (
            f"checklist/{i.item_id}",
            f'Checklist item "{i.label}" is {"done" if i.done else "not done"}.',
        )
        for i in case.checklist
    ]
    return [_case_candidate(case, key, text, n) for n, (key, text) in enumerate(rows, start=1)]


def _field_text(name: str, value: str) -> str:
    label = name.replace("_", " ").strip().capitalize()
    return _sentence(f"{label}: {value.strip()}")


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?", "。", "！", "？")) else f"{text}."


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _case_candidate(case: Case, key: str, text: str, rank: int) -> EvidenceCandidate:
    locator = f"case:{case.case_id}/{key}"
    kind, _, name = key.partition("/")
    return EvidenceCandidate(
        chunk_id=locator,
        source_id=f"case:{case.case_id}",
        document_id=f"case:{case.case_id}",
        tenant_id=case.tenant_id,
        text=text,
        source_title=f"Case {case.case_id}",
        source_uri=locator,
        heading_path=(kind,),
        char_end=len(text),
        score=1.0,
        rank=rank,
        retrieval_source="case_file",
        authority="case_record",
        last_reviewed=case.updated_at.date(),
        owner=case.assigned_to or "case desk",
        permission_tag="PERSONAL_DATA_PII" if find_pii(text) else "INTERNAL_ONLY",
        acl_policy_id=CASE_ACL,
        classification="internal",
        source_type="SALESFORCE_CASE",
        metadata={"case_id": case.case_id, "kind": kind, "name": name},
    )
