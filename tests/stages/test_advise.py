"""The advice: when to refuse, to ask, to hand on, and when there is nothing to advise."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from core.models.advice import AdviceLimits, HandlingAdvice
from core.models.draft import GroundedAnswer
from core.models.evidence import Evidence
from core.models.review import Case, Message
from core.stages.advise import advise, failure_advice
from tests.contracts.builders import a_case
from tests.stages.drafting_builders import (
    NOW,
    a_judgement,
    a_package,
    a_plan,
    a_request,
    a_resolution,
    an_evidence,
)

_ANSWERED = GroundedAnswer(status="answered", answer_markdown="…")


def advice(
    message: str, *evidence: Evidence, case: Case | None = None, **more: Any
) -> HandlingAdvice:
    return advise(
        a_plan(message),
        a_request(message),
        a_package(*evidence),
        more.get("judgement"),
        more.get("resolutions", ()),
        more.get("answer", _ANSWERED),
        case,
        AdviceLimits(),
    )


def a_customers_case(*bodies: str, **fields: Any) -> Case:
    messages = tuple(
        Message(message_id=f"m{n}", author="customer", at=NOW + timedelta(hours=n), body=body)
        for n, body in enumerate(bodies)
    )
    return a_case(messages=messages, updated_at=NOW + timedelta(days=1), **fields)


def kinds(advised: HandlingAdvice) -> tuple[str, ...]:
    return tuple(ground.kind for ground in advised.grounds)


def test_a_question_needs_no_advice() -> None:
    rule = an_evidence("Items marked Final Sale cannot be returned.")

    assert advice("Can I return a Final Sale sweater?", rule) == HandlingAdvice(outcome="reply")


def test_what_the_policy_forbids_is_to_be_refused_with_the_exact_clause() -> None:
    rule = an_evidence("Returns are free. Gift cards cannot be refunded. Labels are enclosed.")

    advised = advice("Please refund my gift card.", rule)

    assert advised.outcome == "refuse"
    (ground,) = advised.grounds
    assert (ground.kind, ground.evidence_id) == ("policy_forbids", "EVID-0001")
    assert ground.quote == "Gift cards cannot be refunded."
    assert ground.quote in rule.candidate.text


def test_a_condition_the_record_fails_is_to_be_refused() -> None:
    rule = an_evidence("An order can be cancelled only if its status is 'processing'.")
    record = an_evidence('The status of order A-1 is "shipped".', 2, retrieval_source="record")

    advised = advice("Please cancel my order.", rule, record)

    assert (advised.outcome, kinds(advised)) == ("refuse", ("condition_not_met",))


def test_what_nobody_can_tell_from_the_record_is_handed_on() -> None:
    rule = an_evidence("An order can be cancelled only if its status is 'processing'.")

    advised = advice("Please cancel my order.", rule)

    assert (advised.outcome, kinds(advised)) == ("escalate", ("condition_unverified",))
    assert "status" in advised.missing[0]


def test_what_the_customer_can_tell_is_asked() -> None:
    rule = an_evidence("A lamp is replaced only if the customer sends a photo.")

    advised = advice("Please replace my lamp.", rule)

    assert (advised.outcome, kinds(advised)) == ("ask_customer", ("condition_unverified",))


def test_a_request_the_policy_allows_needs_no_advice() -> None:
    rule = an_evidence("A monthly membership can be cancelled at any time.")

    assert advice("Please cancel my monthly membership.", rule).outcome == "reply"


def test_a_missing_approval_goes_to_whoever_approves() -> None:
    rule = an_evidence("The joining fee is waived only with the approval of the club manager.")

    advised = advice("Please waive the joining fee.", rule)

    assert (advised.outcome, advised.to) == ("escalate", "club manager")
    assert (kinds(advised), advised.reason) == (("approval_missing",), "policy_exception")


def test_a_recorded_decision_is_an_approval() -> None:
    rule = an_evidence("The joining fee is waived only with the approval of the club manager.")
    message = "Please waive the joining fee."
    case = a_customers_case(message, fields={"manager_decision": "approved by Kim"})

    assert advice(message, rule, case=case).outcome == "reply"


def test_a_case_without_the_decision_its_policy_wants_is_handed_on() -> None:
    rule = an_evidence("A seller case is closed only after the decision of a supervisor.")
    case = a_case(
        fields={
            "seller": "Bluebird",
            "case_type": "seller compliance",
            "supervisor_decision": "none recorded",
            "audience": "colleague",
        }
    )

    advised = advice("Can we close this case?", rule, case=case)

    assert (advised.outcome, kinds(advised)) == ("escalate", ("approval_missing",))
    assert advised.grounds[0].quote == rule.candidate.text


def test_legal_words_come_before_everything_else() -> None:
    rule = an_evidence("Gift cards cannot be refunded.")
    message = "Please refund my gift card or my lawyer will write to you."

    advised = advice(message, rule, case=a_customers_case(message))

    assert (advised.outcome, advised.reason) == ("escalate", "legal_or_safety")
    assert kinds(advised) == ("legal_or_safety", "policy_forbids")


def test_an_injury_goes_where_the_policy_sends_it() -> None:
    rule = an_evidence("Every report of an injury is escalated to the safety team within 1 hour.")
    message = "The kettle burned my hand."

    advised = advice(message, rule, case=a_customers_case(message))

    assert (advised.outcome, advised.to) == ("escalate", "safety team")
    assert advised.grounds[0].quote == rule.candidate.text


def test_a_colleague_who_asks_about_legal_threats_threatens_nobody() -> None:
    assert advice("A customer threatens legal action. What do I do?").outcome == "reply"


def test_an_exception_is_a_judgement_call() -> None:
    advised = advice("I missed the window. Could you make an exception?")

    assert (advised.outcome, kinds(advised)) == ("escalate", ("goodwill_beyond_policy",))


def test_more_than_the_policy_gives_is_a_judgement_call() -> None:
    rule = an_evidence("A parcel can be held at the depot for up to 10 days.")

    advised = advice("Please hold my parcel at the depot for 20 days.", rule)

    assert kinds(advised) == ("goodwill_beyond_policy",)
    assert "10 days" in advised.grounds[0].words


def test_a_large_sum_is_a_ground_only_where_money_is_wanted() -> None:
    message = "I want a refund of $1,150 for the sofa."

    assert kinds(advice(message)) == ("high_value",)
    assert advice("I paid $1,150 for the sofa. Which colour is it?").outcome == "reply"


def test_a_customer_who_had_to_come_back_is_handed_on_and_a_second_message_alone_is_not() -> None:
    again = a_customers_case("Where is it?", "As I have already said, A-1. Where is it?")
    second = a_customers_case("Where is it?", "It is order A-1.")

    assert kinds(advice("Where is it?", case=again)) == ("repeated_contact",)
    assert advice("It is order A-1.", case=second).outcome == "reply"


def test_a_conflict_nobody_won_goes_to_the_knowledge_owner() -> None:
    evidence = (an_evidence("Within 30 days."), an_evidence("Within 45 days.", 2))
    resolution = a_resolution(
        ("EVID-0001", "30 days", "Within 30 days."),
        ("EVID-0002", "45 days", "Within 45 days."),
        winner="NO_WINNER_NEED_HUMAN",
        by="nobody",
    )

    advised = advice("How long?", *evidence, resolutions=(resolution,))

    assert (advised.outcome, advised.reason) == ("escalate", "conflicting_sources")
    assert "kim" in advised.to
    assert advised.grounds[0].quote in evidence[0].candidate.text


def test_high_risk_with_little_covered_is_handed_on() -> None:
    thin = GroundedAnswer(status="insufficient_evidence", answer_markdown="…")

    def outcome(risk: str) -> str:
        case = a_customers_case("What will you do?", risk=risk)
        judged = a_judgement(D1=(), D2=())
        return advice("What will you do?", case=case, judgement=judged, answer=thin).outcome

    assert (outcome("high"), outcome("low")) == ("escalate", "reply")


def test_a_broken_stage_hands_the_case_on() -> None:
    advised = failure_advice("stage 'retrieve' failed")

    assert (advised.outcome, advised.reason) == ("escalate", "stage_failure")
