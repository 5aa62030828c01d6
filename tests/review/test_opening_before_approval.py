"""Risky items are opened before approval, and nothing is approved on sources that moved away."""

from __future__ import annotations

from datetime import date

import pytest

from core.errors import BadInput, NotReady
from core.models.evidence import Evidence
from core.review.desk import ReviewDesk
from core.review.views import CaseView
from tests.contracts.builders import a_document
from tests.fakes.scripted_copilot import (
    EVIDENCE,
    PLAIN_REPLY,
    POLICY,
    faq_conflict,
    gated,
    stale,
)
from tests.review.builders import Bureau, a_case, approve, edit


def _open_all(desk: ReviewDesk, view: CaseView, *kinds: str) -> None:
    for check in view.checks:
        if check.kind in kinds:
            desk.mark_opened(view.case.case_id, check.check_id)


def test_a_conflict_must_be_opened_first(bureau: Bureau) -> None:
    _with(bureau, **faq_conflict())
    desk = bureau.desk()
    view = desk.open("1042")
    assert not view.can_approve
    with pytest.raises(NotReady):
        approve(desk, view)

    _open_all(desk, view, "conflict")

    assert desk.view("1042").can_approve
    done = approve(desk, view)
    assert done.history[-1].opened_items == ("C1",)


def test_an_undecided_conflict_the_text_takes_a_side_in_is_not_sent(bureau: Bureau) -> None:
    _with(bureau, **faq_conflict(decided=False))
    desk = bureau.desk()
    view = desk.open("1042")
    _open_all(desk, view, "conflict")

    with pytest.raises(NotReady) as blocked:
        approve(desk, view, override_reason="I know better")
    assert any("no rule decides" in finding for finding in blocked.value.findings)


def test_a_stale_source_must_be_opened_first(bureau: Bureau) -> None:
    bureau.copilot.freshness = (stale(POLICY),)
    desk = bureau.desk()
    view = desk.open("1042")
    (check,) = [c for c in view.checks if c.kind == "stale"]
    assert "past its review date by 110 days" in check.label
    with pytest.raises(NotReady):
        approve(desk, view)

    desk.mark_opened("1042", "EVID-0001")
    assert approve(desk, view).case.state == "approved"


def test_money_and_dates_ask_to_be_opened_on_risky_cases_only(bureau: Bureau) -> None:
    bureau.take_in(a_case("2", risk="medium"))
    desk = bureau.desk()
    low, medium = desk.open("1042"), desk.open("2")

    assert low.can_approve
    assert [c.kind for c in medium.checks].count("money_or_date") == 2
    with pytest.raises(NotReady):
        approve(desk, medium)
    desk.mark_opened("2", "EVID-0001")
    assert not desk.view("2").can_approve
    desk.mark_opened("2", "EVID-0002")
    assert approve(desk, medium).case.state == "approved"


def test_what_was_opened_stays_opened_after_an_edit(bureau: Bureau) -> None:
    _with(bureau, **faq_conflict())
    desk = bureau.desk()
    view = desk.open("1042")
    _open_all(desk, view, "conflict")

    edited = edit(desk, view, f"{PLAIN_REPLY}\nThank you")

    assert edited.can_approve


def test_opening_by_guessing_is_refused(bureau: Bureau) -> None:
    desk = bureau.desk()
    desk.open("1042")

    with pytest.raises(BadInput, match="nothing that can be opened"):
        desk.mark_opened("1042", "EVID-9999")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"withdrawn": True}, "was withdrawn"),
        ({"status": "superseded"}, "was replaced"),
        ({"classification": "internal"}, "may be read by other people"),
        ({"valid_to": date(2026, 11, 30)}, "was replaced"),
        ({"text": "Holiday purchases may be returned within 30 days."}, "was changed"),
    ],
)
def test_a_source_that_changed_under_the_draft_stops_it(
    bureau: Bureau, change: dict[str, object], words: str
) -> None:
    desk = bureau.desk()
    view = desk.open("1042")
    if change.pop("withdrawn", False):
        bureau.registry.withdraw(POLICY.document_id)
    else:
        fields = {"text": POLICY.text, **change}
        bureau.registry.put([a_document(POLICY.document_id, **fields)], actor="kim")

    assert words in desk.view("1042").banner
    with pytest.raises(NotReady) as blocked:
        approve(desk, view, override_reason="still fine")
    assert any(words in finding for finding in blocked.value.findings)


def test_a_source_that_ran_out_since_stops_the_draft(bureau: Bureau) -> None:
    last = date(2026, 12, 1)
    bureau.registry.put(
        [a_document(POLICY.document_id, text=POLICY.text, valid_to=last)], actor="kim"
    )
    ending = gated(POLICY.model_copy(update={"valid_to": last}))
    bureau.copilot.evidence = (Evidence(evidence_id="EVID-0001", gated=ending), EVIDENCE[1])
    desk = bureau.desk()
    assert desk.open("1042").can_approve
    bureau.later(days=2)

    assert "ran out" in desk.open("1042").banner


def test_an_edit_that_leans_on_a_stale_source_asks_for_it_to_be_opened(bureau: Bureau) -> None:
    old = POLICY.model_copy(
        update={
            "chunk_id": "store-hours#1",
            "source_id": "store-hours",
            "document_id": "store-hours-1",
            "text": "Stores open at nine in the morning.",
            "source_title": "Store hours",
            "last_reviewed": date(2026, 1, 1),
        }
    )
    bureau.registry.put([a_document("store-hours-1", text=old.text)], actor="kim")
    uncited = Evidence(evidence_id="EVID-0003", gated=gated(old))
    bureau.copilot.evidence = (*EVIDENCE, uncited)
    bureau.copilot.facts["Stores open at nine."] = ("EVID-0003", "Stores open at nine")
    desk = bureau.desk()
    first = desk.open("1042")
    assert [c.kind for c in first.checks].count("stale") == 0

    view = edit(desk, first, f"{PLAIN_REPLY}\nStores open at nine.")

    (check,) = [c for c in view.checks if c.kind == "stale"]
    assert check.label == "Open “Store hours”: past its review date by 243 days"
    assert not view.can_approve
    desk.mark_opened("1042", check.check_id)
    assert desk.view("1042").can_approve


def _with(bureau: Bureau, **fields: object) -> None:
    for name, value in fields.items():
        setattr(bureau.copilot, name, value)
