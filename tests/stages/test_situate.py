"""The customer's own purchase decides which rule is asked for."""

from __future__ import annotations

from typing import Any

from core.models.evidence import GatedPassage, GateThresholds
from core.models.request import Turn, UserRequest
from core.stages.gate import reroute
from core.stages.situate import promote, situate
from tests.stages.evidence_builders import TODAY, a_passage, a_plan, scores

RULE = "Items bought between 15 November and 31 December can be returned within 45 days."


def a_request(question: str, *earlier: str) -> UserRequest:
    return UserRequest(
        request_id="r",
        tenant_id="athena",
        user_id="ana",
        raw_query=question,
        history=tuple(Turn(role="customer", text=text) for text in earlier),
    )


def left_out(text: str = RULE, **more: Any) -> GatedPassage:
    return GatedPassage(
        candidate=a_passage("p", text, heading_path=("Holiday returns",), **more),
        scores=scores(evidence=0.5),
        route="exclude",
        rule="no_evidence",
        reason="on the subject",
    )


def a_record(day: str) -> GatedPassage:
    row = a_passage("o", "Order A-1.", retrieval_source="record", metadata={"placed_on": day})
    return GatedPassage(
        candidate=row, scores=scores(), route="include", rule="evidence", reason="found"
    )


def test_a_purchase_inside_the_period_asks_for_its_rule() -> None:
    request = a_request("How long can I return it?", "I bought a coat on 18 November.")
    plan = situate(a_plan(), request, [left_out()], today=TODAY)
    assert "holiday" in plan.situation
    assert plan.situated("How long?").startswith("How long? (regarding: ")
    assert any("2026-11-18" in note for note in plan.reasoning_notes)


def test_a_purchase_outside_it_does_not() -> None:
    request = a_request("How long can I return it?", "I bought a coat on 3 November.")
    assert situate(a_plan(), request, [left_out()], today=TODAY).situation == ""


def test_the_record_counts_more_than_what_the_customer_says() -> None:
    request = a_request("How long can I return it?", "I bought it on 18 November.")
    gated = [left_out(), a_record("2026-10-02")]
    assert situate(a_plan(), request, gated, today=TODAY).situation == ""


def test_the_rule_for_the_case_is_included_and_stays_so_under_other_thresholds() -> None:
    request = a_request("How long can I return the coat?")
    gated = (left_out(), a_record("2026-11-18"))
    plan = situate(a_plan(), request, gated, today=TODAY)
    rule, _ = promote(plan, gated)
    assert (rule.route, rule.rule) == ("include", "situation")
    assert reroute([rule], GateThresholds(evidence_min=0.9))[0].route == "include"


def test_an_instruction_is_never_promoted() -> None:
    hostile = left_out().model_copy(
        update={"rule": "injection", "scores": scores(injection=0.9), "reason": "instructs"}
    )
    gated = (hostile, a_record("2026-11-18"))
    plan = situate(a_plan(), a_request("How long?"), gated, today=TODAY)
    assert promote(plan, gated)[0].route == "exclude"
