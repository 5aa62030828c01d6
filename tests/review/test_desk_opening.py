"""Opening a case: leases, the first draft, and what others see meanwhile."""

from __future__ import annotations

import pytest

from core.errors import InvalidTransition, LeaseHeld, NotAllowed, NotFound
from tests.fakes.scripted_copilot import EVIDENCE, PLAIN_REPLY, restricted
from tests.review.builders import Bureau, a_case, a_context, approve, edit


def test_opening_a_new_case_drafts_it_and_takes_it(bureau: Bureau) -> None:
    view = bureau.desk().open("1042")

    assert view.case.state == "in_review"
    assert view.mine
    assert view.draft is not None
    assert view.draft.text == PLAIN_REPLY
    assert bureau.kinds() == ["case.lease_taken", "case.drafted", "case.review_begun"]


def test_looking_at_a_case_changes_nothing(bureau: Bureau) -> None:
    before = bureau.case()

    view = bureau.desk().view("1042")

    assert view.draft is None
    assert bureau.case() == before
    assert bureau.events() == ()


def test_a_second_agent_reads_but_cannot_touch(bureau: Bureau) -> None:
    bureau.desk("ana").open("1042")

    view = bureau.desk("ben").open("1042")

    assert not view.mine
    assert view.read_only_reason.startswith("Ana Ruiz is working on this case until 09:15")
    assert view.draft is not None
    with pytest.raises(LeaseHeld, match="Ana Ruiz"):
        approve(bureau.desk("ben"), view)
    with pytest.raises(LeaseHeld):
        edit(bureau.desk("ben"), view, "Hello")


def test_an_expired_lease_is_free(bureau: Bureau) -> None:
    bureau.desk("ana").open("1042")
    bureau.later(minutes=15)

    assert bureau.desk("ben").open("1042").mine


def test_activity_renews_the_lease(bureau: Bureau) -> None:
    view = bureau.desk("ana").open("1042")
    assert view.draft is not None
    bureau.later(minutes=14)
    bureau.desk("ana").autosave("1042", base_draft_id=view.draft.draft_id, text="Hello")
    bureau.later(minutes=14)

    assert not bureau.desk("ben").open("1042").mine


def test_a_released_case_is_free_at_once(bureau: Bureau) -> None:
    bureau.desk("ana").open("1042")
    bureau.desk("ana").release("1042")

    assert bureau.desk("ben").open("1042").mine
    assert "case.lease_released" in bureau.kinds()


def test_releasing_somebody_elses_case_does_nothing(bureau: Bureau) -> None:
    bureau.desk("ana").open("1042")
    bureau.desk("ben").release("1042")

    assert bureau.desk("ana").view("1042").mine


def test_only_a_supervisor_takes_over_a_case_in_work_and_its_holder_is_told(
    bureau: Bureau,
) -> None:
    bureau.desk("ana").open("1042")
    with pytest.raises(NotAllowed, match="Ana Ruiz is working"):
        bureau.desk("ben").take_over("1042")

    assert bureau.desk("sam").take_over("1042").mine

    told = bureau.desk("ana").view("1042").read_only_reason
    assert told.startswith("Sam Whitlock took this case over from you")
    taken = next(e for e in bureau.events() if e.kind == "case.lease_taken_over")
    assert (taken.actor, taken.payload["from"]) == ("sam", "ana")


def test_anybody_takes_over_an_expired_lease(bureau: Bureau) -> None:
    bureau.desk("ana").open("1042")
    bureau.later(minutes=20)

    assert bureau.desk("ben").take_over("1042").mine


def test_a_sent_case_cannot_be_taken_over(bureau: Bureau) -> None:
    desk = bureau.desk()
    approve(desk, desk.open("1042"))

    with pytest.raises(InvalidTransition, match="approved"):
        bureau.desk("sam").take_over("1042")


def test_a_draft_that_comes_too_late_is_not_stored(bureau: Bureau) -> None:
    def meanwhile() -> None:
        bureau.copilot.during_draft = None
        bureau.later(minutes=30)
        bureau.desk("ben").open("1042")

    bureau.copilot.during_draft = meanwhile
    view = bureau.desk("ana").open("1042")

    assert not view.mine
    with bureau.store.read() as txn:
        assert [d.created_by for d in txn.drafts("1042")] == ["copilot for ben"]


def test_cases_of_another_company_do_not_exist(bureau: Bureau) -> None:
    bureau.take_in(a_case("9", tenant_id="other"))

    with pytest.raises(NotFound, match="'9'"):
        bureau.desk().view("9")
    assert [row.case_id for row in bureau.desk().queue()] == ["1042"]


@pytest.mark.parametrize("user_id", ["guest", "kim"])
def test_without_the_right_to_review_nothing_is_shown_or_done(bureau: Bureau, user_id: str) -> None:
    desk = bureau.desk(user_id)

    for attempt in (
        lambda: desk.view("1042"),
        lambda: desk.open("1042"),
        lambda: desk.queue(),
        lambda: desk.counts(),
        lambda: desk.redraft("1042"),
        lambda: desk.mark_opened("1042", "EVID-0001"),
        lambda: desk.autosave("1042", base_draft_id="d", text="x"),
        lambda: desk.discard_edit("1042"),
        lambda: desk.check("1042", "x"),
        lambda: desk.submit_edit("1042", base_draft_id="d", text="x", case_version=1),
        lambda: desk.approve("1042", draft_id="d", text_hash="h", case_version=1),
        lambda: desk.undo("1042"),
        lambda: desk.escalate("1042", reason="other", case_version=1),
        lambda: desk.ask_customer("1042", question="Which?", case_version=1),
        lambda: desk.refuse("1042", reason="no", case_version=1),
        lambda: desk.reject("1042", reason="no", case_version=1),
        lambda: desk.release("1042"),
        lambda: desk.take_over("1042"),
        lambda: desk.use_left_out("1042", chunk_id="c", reason="r"),
        lambda: desk.not_this_one("1042", chunk_id="c", reason="r"),
        lambda: desk.flag("1042", chunk_id="c", claim="", reason="r"),
        lambda: desk.trace_json("1042"),
        lambda: desk.ledger_json("1042"),
    ):
        with pytest.raises(NotAllowed):
            attempt()
    assert bureau.events() == ()


def test_reviewing_does_not_include_sending(bureau: Bureau) -> None:
    bureau.contexts["ana"] = a_context("ana", actions=("ask", "review"))
    desk = bureau.desk()
    view = desk.open("1042")

    with pytest.raises(NotAllowed, match="send replies"):
        approve(desk, view)
    with pytest.raises(NotAllowed):
        desk.ask_customer("1042", question="Which coat?", case_version=view.case.version)
    with pytest.raises(NotAllowed):
        desk.refuse("1042", reason="no", case_version=view.case.version)
    assert bureau.items() == ()


def test_evidence_above_ones_rights_is_withheld_with_its_draft_and_drafted_anew(
    bureau: Bureau,
) -> None:
    bureau.contexts["sam"] = a_context(
        "sam",
        allowed_acl_policy_ids=("public", "hr-confidential"),
        allowed_classifications=("public", "confidential"),
    )
    bureau.copilot.evidence = (restricted(EVIDENCE[0]), EVIDENCE[1])
    bureau.desk("sam").open("1042")
    bureau.desk("sam").release("1042")
    bureau.copilot.evidence = EVIDENCE

    seen = bureau.desk("ana").view("1042")
    assert seen.draft is None
    assert seen.run is None
    assert seen.evidence == ()
    assert "may not see" in seen.banner
    assert "45 days" not in seen.model_dump_json()

    assert bureau.desk("ana").open("1042").draft is not None
    assert len(bureau.copilot.drafted) == 2
