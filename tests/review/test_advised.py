"""What was advised is kept beside what was done."""

from __future__ import annotations

import pytest

from core.models.advice import AdviceGround, AdvisedOutcome, HandlingAdvice
from core.models.review import DispositionKind
from core.review.advised import advised_beside
from tests.contracts.builders import a_run
from tests.review.builders import Bureau

_GROUND = AdviceGround(kind="policy_forbids", words="The policy does not allow it.")


@pytest.mark.parametrize(
    ("outcome", "done", "followed"),
    [
        ("refuse", "refuse", True),
        ("refuse", "approve", False),
        ("reply", "approve", True),
        ("escalate", "escalate", True),
        ("ask_customer", "escalate", False),
    ],
)
def test_whether_the_advice_was_followed_is_told(
    outcome: AdvisedOutcome, done: DispositionKind, *, followed: bool
) -> None:
    grounds = () if outcome == "reply" else (_GROUND,)
    advice = HandlingAdvice(outcome=outcome, grounds=grounds)
    run = a_run().model_copy(update={"advice": advice})

    beside = advised_beside(run, done)

    assert (beside["advised"], beside["advice_followed"]) == (outcome, followed)
    assert beside["advised_grounds"] == [g.kind for g in grounds]


def test_without_advice_nothing_is_told() -> None:
    assert advised_beside(a_run(), "approve") == {}
    assert advised_beside(None, "approve") == {}


def test_the_audit_says_what_was_advised_when_a_case_was_refused_or_handed_on(
    bureau: Bureau,
) -> None:
    bureau.copilot.advice = HandlingAdvice(outcome="refuse", grounds=(_GROUND,))
    desk = bureau.desk()
    view = desk.open("1042")
    desk.escalate("1042", reason="policy_exception", case_version=view.case.version)

    event = next(e for e in bureau.events() if e.kind == "case.escalated")
    assert event.payload["advised"] == "refuse"
    assert event.payload["advice_followed"] is False


def test_the_packet_holds_the_advice_as_it_was(bureau: Bureau) -> None:
    bureau.copilot.advice = HandlingAdvice(outcome="escalate", grounds=(_GROUND,))
    desk = bureau.desk()
    view = desk.open("1042")
    desk.escalate("1042", reason="policy_exception", case_version=view.case.version)
    board = bureau.board()
    (row,) = board.rows("open")

    run = board.view(row.escalation.escalation_id).run
    assert run is not None
    assert run.advice == bureau.copilot.advice
