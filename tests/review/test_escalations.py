"""The board: what was handed on, as it was; answering, sending back, handing further."""

from __future__ import annotations

import pytest

from core.errors import BadInput, InvalidTransition, NotAllowed, NotFound, NotReady
from tests.fakes.scripted_copilot import EVIDENCE, PLAIN_REPLY, faq_conflict, restricted
from tests.review.builders import Bureau, a_case, a_context, approve

KINDER = PLAIN_REPLY.replace("Kind regards", "Warm regards")


def _escalated(bureau: Bureau, case_id: str = "1042", **fields: str) -> str:
    desk = bureau.desk("ana")
    view = desk.open(case_id)
    desk.escalate(
        case_id,
        **{"reason": "policy_exception", "to": "sam", **fields},  # type: ignore[arg-type]
        case_version=view.case.version,
    )
    with bureau.store.read() as txn:
        return next(e.escalation_id for e in txn.escalations("athena") if e.case_id == case_id)


def test_the_board_lists_the_earliest_due_first_and_says_what_is_overdue(bureau: Bureau) -> None:
    bureau.take_in(a_case("2", risk="high"))
    _escalated(bureau)
    _escalated(bureau, "2")
    bureau.later(hours=5)

    rows = bureau.board().rows()

    assert [(row.escalation.case_id, row.overdue) for row in rows] == [("2", True), ("1042", False)]


def test_the_packet_shows_what_the_first_agent_saw(bureau: Bureau) -> None:
    for name, value in faq_conflict().items():
        setattr(bureau.copilot, name, value)
    seen = bureau.desk("ana").open("1042")
    escalation_id = _escalated(bureau, missing="who may extend")

    packet = bureau.board().view(escalation_id)

    assert packet.draft == seen.draft
    assert packet.evidence == seen.evidence
    assert [c.quote_b for c in packet.conflicts] == ["60 days to return"]
    assert packet.escalation.missing == "who may extend"
    assert packet.run is not None
    assert packet.history[-1].kind == "escalate"


def test_an_answer_becomes_the_newest_draft_and_waits_for_approval(bureau: Bureau) -> None:
    escalation_id = _escalated(bureau)

    done = bureau.board().resolve(escalation_id, answer=KINDER)

    assert done.escalation.state == "resolved"
    assert bureau.case().state == "in_review"
    assert bureau.items() == ()
    view = bureau.desk("ben").open("1042")
    assert view.draft is not None
    assert (view.draft.text, view.draft.created_by) == (KINDER, "sam")
    assert "sam answered" in view.banner
    approve(bureau.desk("ben"), view)
    assert bureau.items()[0].body == KINDER
    assert "escalation.resolved" in bureau.kinds()


def test_an_answer_the_evidence_denies_is_not_passed_on(bureau: Bureau) -> None:
    escalation_id = _escalated(bureau)
    before = bureau.events()

    with pytest.raises(NotReady) as blocked:
        bureau.board().resolve(escalation_id, answer=PLAIN_REPLY.replace("45", "60"))

    assert "60 days" in blocked.value.findings[0]
    assert (bureau.case().state, bureau.events()) == ("escalated", before)


def test_an_answer_after_a_stopped_copilot_is_checked_on_fresh_evidence(bureau: Bureau) -> None:
    bureau.copilot.failure = "stage 'retrieve' failed"
    escalation_id = _escalated(bureau, reason="stage_failure")
    with pytest.raises(NotReady, match="Send the case back"):
        bureau.board().resolve(escalation_id, answer=KINDER)
    bureau.copilot.failure = ""

    bureau.board().resolve(escalation_id, answer=KINDER)

    view = bureau.desk("ana").open("1042")
    assert view.can_approve
    assert approve(bureau.desk("ana"), view).case.state == "approved"


def test_a_case_sent_back_carries_the_note(bureau: Bureau) -> None:
    escalation_id = _escalated(bureau)

    done = bureau.board().send_back(escalation_id, note="The policy covers this, see 4.2.")

    assert done.escalation.state == "returned"
    view = bureau.desk("ana").open("1042")
    assert "The policy covers this, see 4.2." in view.banner
    assert view.case.state == "in_review"
    assert bureau.desk("ana").queue()[0].warning == "sent back"


def test_handing_further_is_audited_with_before_and_after(bureau: Bureau) -> None:
    escalation_id = _escalated(bureau)

    done = bureau.board().reassign(escalation_id, to="kim")

    assert done.escalation.assigned_to == "kim"
    event = bureau.events()[-1]
    assert event.kind == "escalation.reassigned"
    assert (event.payload["before"], event.payload["after"]) == ("sam", "kim")


def test_an_escalation_is_decided_once(bureau: Bureau) -> None:
    escalation_id = _escalated(bureau)
    board = bureau.board()
    board.send_back(escalation_id, note="look again")

    for attempt in (
        lambda: board.resolve(escalation_id, answer=KINDER),
        lambda: board.send_back(escalation_id, note="again"),
        lambda: board.reassign(escalation_id, to="kim"),
    ):
        with pytest.raises(InvalidTransition, match="returned already"):
            attempt()


def test_a_specialist_sees_and_decides_only_what_is_theirs(bureau: Bureau) -> None:
    bureau.take_in(a_case("2"))
    mine, other = _escalated(bureau, to="kim"), _escalated(bureau, "2", to="sam")
    board = bureau.board("kim")

    assert [row.escalation.escalation_id for row in board.rows()] == [mine]
    assert board.resolve(mine, answer=KINDER).escalation.state == "resolved"
    for attempt in (
        lambda: board.view(other),
        lambda: board.resolve(other, answer=KINDER),
        lambda: board.send_back(other, note="x"),
        lambda: board.reassign(other, to="kim"),
    ):
        with pytest.raises(NotAllowed):
            attempt()
    with pytest.raises(NotAllowed):
        bureau.board("guest").rows()


def test_the_packet_holds_back_what_the_receiver_may_not_read(bureau: Bureau) -> None:
    bureau.contexts["ana"] = a_context(
        "ana",
        allowed_acl_policy_ids=("public", "hr-confidential"),
        allowed_classifications=("public", "confidential"),
    )
    bureau.copilot.evidence = (restricted(EVIDENCE[0]), EVIDENCE[1])
    packet = bureau.board().view(_escalated(bureau))

    assert (packet.draft, packet.run, packet.evidence) == (None, None, ())
    assert "45 days" not in packet.model_dump_json()


def test_notes_and_names_are_needed_and_ids_must_exist(bureau: Bureau) -> None:
    escalation_id = _escalated(bureau)
    board = bureau.board()

    with pytest.raises(BadInput):
        board.send_back(escalation_id, note=" ")
    with pytest.raises(BadInput):
        board.reassign(escalation_id, to="")
    with pytest.raises(BadInput):
        board.resolve(escalation_id, answer="")
    with pytest.raises(NotFound):
        board.view("escalation_nothing")
