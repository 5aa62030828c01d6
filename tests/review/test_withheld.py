"""The audit names no document to people who may not know of it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from core.models.review import AuditEvent
from core.review.store import SubjectKind
from core.review.withheld import WITHHELD, within_rights

HIDDEN = frozenset({"wage-2026", "wage"})


def an_event(kind: SubjectKind, subject: str, **payload: Any) -> AuditEvent:
    return AuditEvent(
        seq=1,
        at=datetime(2026, 11, 30, tzinfo=UTC),
        tenant_id="athena",
        actor="helen",
        kind=f"{kind}.changed",
        subject_kind=kind,
        subject_id=subject,
        payload=payload,
        prev_hash="0",
        hash="1",
    )


@pytest.mark.parametrize(
    "event",
    [
        an_event("source", "wage", document_id="wage-2026", reason="the raise of Ms Lee"),
        an_event("source", "returns", replaces="wage-2026", reason="the raise of Ms Lee"),
    ],
    ids=["its own event", "an event that names it"],
)
def test_an_event_of_a_hidden_source_says_only_who_did_what_and_when(event: AuditEvent) -> None:
    shown = within_rights(event, HIDDEN)
    assert (shown.actor, shown.kind, shown.at) == (event.actor, event.kind, event.at)
    assert "wage" not in shown.model_dump_json()
    assert "Lee" not in shown.model_dump_json()


def test_a_case_event_keeps_all_but_the_hidden_names() -> None:
    event = an_event("case", "c1", passages=["wage-2026::0003", "returns::0001"], note="wage day")
    shown = within_rights(event, HIDDEN)
    assert shown.payload == {"passages": [WITHHELD, "returns::0001"], "note": "wage day"}
    assert shown.subject_id == "c1"


def test_other_events_are_shown_as_they_are() -> None:
    event = an_event("source", "payment", document_id="payment-2026")
    assert within_rights(event, HIDDEN) is event
