"""A case as evidence: its own file, one candidate a fact, and earlier cases as one line each."""

from __future__ import annotations

from collections.abc import Sequence

from core.lookups.lookup import RECORDS_ACL
from core.models.evidence import EvidenceCandidate
from core.models.review import Case, Disposition
from core.text.provenance import day_words
from core.text.redact import find_pii

_META_FIELDS = frozenset({"audience"})
"""Case fields that steer the desk and state no fact."""
_DECIDED = {
    "approve": "approved a reply",
    "edit": "edited the reply",
    "escalate": "escalated the case",
    "ask_customer": "asked the customer back",
    "refuse": "refused the request",
    "reject": "rejected the draft",
    "undo": "took a decision back",
    "resolve": "settled the escalation",
}


def case_file(case: Case) -> list[EvidenceCandidate]:
    """The fields, events and checklist of a case, one candidate each, as natural sentences."""
    rows = [
        (f"field/{name}", _field_text(name, value))
        for name, value in case.fields.items()
        if name not in _META_FIELDS and value.strip()
    ]
    rows += [
        (
            f"event/{e.event_id}",
            f"Event {e.event_id} on {day_words(e.on)}: {_sentence(e.description)}",
        )
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


def decision_rows(case: Case, decisions: Sequence[Disposition]) -> list[EvidenceCandidate]:
    """What reviewers and supervisors decided on a case, one candidate each, oldest first."""
    rows = [
        (
            f"decision/{d.disposition_id}",
            f"On {day_words(d.at.date())} {d.by} {_DECIDED[d.kind]}"
            + (
                f", because: {d.reason.strip().rstrip('.').replace('_', ' ')}"
                if d.reason.strip()
                else ""
            )
            + ".",
        )
        for d in decisions
    ]
    return [_case_candidate(case, key, text, n) for n, (key, text) in enumerate(rows, start=1)]


def earlier_rows(cases: Sequence[Case]) -> list[EvidenceCandidate]:
    """One candidate a case: its subject, when it was opened and where it stands.

    They are records, not the file of the case at hand.
    """
    told = [
        (
            case,
            f"Case {case.case_id} of customer {case.customer_id}, “{case.subject.strip()}”, was "
            f"opened on {day_words(case.opened_at.date())} and is {case.state.replace('_', ' ')}.",
        )
        for case in cases
    ]
    return [
        _case_candidate(case, "summary/case", text, n).model_copy(
            update={
                "retrieval_source": "record",
                "permission_tag": "PERSONAL_DATA_PII",
                "metadata": {
                    "case_id": case.case_id,
                    "customer_id": case.customer_id or "",
                    "opened_on": case.opened_at.date().isoformat(),
                    "state": case.state,
                    "subject": case.subject,
                    "order": case.fields.get("order", ""),
                },
            }
        )
        for n, (case, text) in enumerate(told, start=1)
    ]


def _field_text(name: str, value: str) -> str:
    label = name.replace("_", " ").strip().capitalize()
    return _sentence(f"{label}: {value.strip()}")


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?", "。", "！", "？")) else f"{text}."


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
        acl_policy_id=RECORDS_ACL,
        classification="internal",
        source_type="SALESFORCE_CASE",
        metadata={"case_id": case.case_id, "kind": kind, "name": name},
    )
