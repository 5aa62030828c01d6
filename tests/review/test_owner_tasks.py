"""A conflict nobody can decide becomes work for the owners, once, with the draft or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import LeaseHeld, NotReady, StaleVersion
from core.models.review import SourceFlag
from core.review.owner_tasks import task_id
from tests.fakes.scripted_copilot import faq_conflict
from tests.review.builders import Bureau, a_case, approve, edit


def tasks(bureau: Bureau) -> list[SourceFlag]:
    with bureau.store.read() as txn:
        return [f for f in txn.flags("athena") if f.flag_id.startswith("conflict-")]


def undecided(bureau: Bureau, **changes: Any) -> None:
    for name, value in (faq_conflict(decided=False) | changes).items():
        setattr(bureau.copilot, name, value)


def test_both_owners_get_the_task_with_what_each_source_says_and_the_questions(
    bureau: Bureau,
) -> None:
    undecided(bureau)
    bureau.desk().open("1042")

    one, other = sorted(tasks(bureau), key=lambda flag: flag.source_id)
    assert {one.source_id, other.source_id} == {"faq-holiday", "returns-policy"}
    assert one.flag_id.rsplit("-", 1)[0] == other.flag_id.rsplit("-", 1)[0]
    assert "this says 60 days" in one.reason
    assert "this says 45 days" in other.reason
    assert one.questions == ("Does the FAQ still hold?",)
    assert (one.state, one.case_id) == ("open", "1042")


def test_a_redraft_and_another_case_raise_no_second_task(bureau: Bureau) -> None:
    undecided(bureau)
    bureau.take_in(a_case("2"))
    desk = bureau.desk()
    desk.open("1042")
    desk.redraft("1042", reason="once more")
    desk.open("2")

    assert len(tasks(bureau)) == 2


def test_a_decided_conflict_raises_no_task(bureau: Bureau) -> None:
    undecided(bureau, **faq_conflict())
    bureau.desk().open("1042")
    assert tasks(bureau) == []


def test_no_task_is_left_of_a_draft_that_was_not_stored(bureau: Bureau) -> None:
    desk = bureau.desk()
    desk.open("1042")
    undecided(bureau)

    def meanwhile() -> None:
        bureau.copilot.during_draft = None
        bureau.later(minutes=30)
        vars(bureau.copilot).update(conflicting=(), conflicts=(), resolutions=())
        bureau.desk("ben").open("1042")
        bureau.desk("ben").redraft("1042", reason="taken over")
        undecided(bureau)

    bureau.copilot.during_draft = meanwhile
    with pytest.raises((StaleVersion, LeaseHeld)):
        desk.redraft("1042", reason="too late")
    assert tasks(bureau) == []


def test_the_task_is_in_the_audit(bureau: Bureau) -> None:
    undecided(bureau)
    bureau.desk().open("1042")
    with bureau.store.read() as txn:
        raised = [e for e in txn.audit_events() if e.kind == "source.conflict_raised"]
    assert {event.subject_id for event in raised} == {"faq-holiday", "returns-policy"}


def test_the_order_of_two_versions_makes_no_second_task() -> None:
    assert task_id("a@1", "b@2") == task_id("b@2", "a@1")
    assert task_id("a@1", "b@2") != task_id("a@1", "b@3")


def test_a_draft_that_reports_a_conflict_is_not_approved_as_it_stands(bureau: Bureau) -> None:
    undecided(bureau, status="conflicting_evidence", markdown="Our sources do not agree yet.")
    desk = bureau.desk()
    view = desk.open("1042")
    for check in view.checks:
        desk.mark_opened("1042", check.check_id)

    with pytest.raises(NotReady) as blocked:
        approve(desk, view, override_reason="let it go")
    assert any("nobody has decided" in finding for finding in blocked.value.findings)


@pytest.mark.parametrize(
    "text",
    [
        "You can return it within 45 days of the purchase.",
        "You have 60 days to return it.",
        "Your return window to return it is sixty days.",
    ],
)
def test_an_edit_that_states_either_value_is_held_back(bureau: Bureau, text: str) -> None:
    undecided(bureau, status="conflicting_evidence", markdown="Our sources do not agree yet.")
    bureau.copilot.facts[text] = ("EVID-0001", "within 45 days of the purchase")
    desk = bureau.desk()
    view = desk.open("1042")
    for check in view.checks:
        desk.mark_opened("1042", check.check_id)
    edited = edit(desk, view, text)

    assert not edited.can_approve
    with pytest.raises(NotReady) as blocked:
        approve(desk, edited, override_reason="I know better")
    assert any("no rule decides" in finding for finding in blocked.value.findings)
