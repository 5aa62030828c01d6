"""ENOUGH must be earned, contradictions must be real, and the judge names no winner."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from core.models.evidence import GateNote
from core.models.judgement import Coverage, Judgement
from core.models.request import ExtractedIdentifier
from core.stages.judge import judge
from tests.stages.evidence_builders import a_dimension, a_package, a_passage, a_plan, gated

WINDOW = "How long is the return window for most items?"
HOLIDAY = "How long do I have to return a holiday purchase?"
POLICY = a_passage("policy", "The return window for most items is 30 days.")
HOLIDAY_POLICY = a_passage(
    "holiday",
    "Purchases made from 15 November to 31 December may be returned within 45 days.",
    heading_path=("Holiday returns",),
)
HOLIDAY_FAQ = a_passage(
    "faq",
    "You have 60 days to return a holiday purchase.",
    source_title="Holiday FAQ",
    authority="faq",
    signed=False,
)


def test_an_official_source_that_states_it_directly_is_enough() -> None:
    judgement = judge(a_plan(a_dimension(WINDOW)), a_package(POLICY))
    assert judgement.decision == "ENOUGH"
    assert judgement.dimension_coverage_matrix["D1"].evidence_ids == ("EVID-0001",)


@pytest.mark.parametrize(
    "change",
    [
        {"authority": "community_forum"},
        {"signed": False},
        {"authority": "draft", "status": "draft"},
        {"status": "superseded"},
    ],
)
def test_a_source_nobody_answers_for_is_never_enough(change: dict[str, object]) -> None:
    weak = POLICY.model_copy(update=change)
    judgement = judge(a_plan(a_dimension(WINDOW)), a_package(weak))
    assert judgement.decision == "NEED_MORE"
    assert judgement.dimension_coverage_matrix["D1"].confidence != "high"


def test_one_open_dimension_is_not_enough_however_good_the_other() -> None:
    plan = a_plan(a_dimension(WINDOW), a_dimension("How much is express shipping?", 2))
    judgement = judge(plan, a_package(POLICY))
    assert judgement.decision == "NEED_MORE"
    assert judgement.next_action.priority_gaps == ("D2",)
    assert judgement.next_action.recommended_rewrite_strategy is not None


def test_a_plan_without_dimensions_is_never_enough() -> None:
    assert judge(a_plan(), a_package(POLICY)).decision == "NEED_MORE"


def test_enough_cannot_even_be_built_with_a_dimension_short_of_high() -> None:
    with pytest.raises(ValidationError, match="ENOUGH needs every dimension"):
        Judgement(
            decision="ENOUGH",
            dimension_coverage_matrix={"D1": Coverage(covered=True, confidence="medium")},
        )


def test_a_record_dimension_is_covered_by_that_record_and_no_other() -> None:
    plan = a_plan(
        a_dimension("order A-10293 status", kind="record"),
        identifiers=(ExtractedIdentifier(kind="order", value="A-10293", text="A-10293"),),
    )
    mine = a_passage(
        "o1", "Order A-10293: delivered.", retrieval_source="record", authority="case_record"
    )
    other = a_passage(
        "o2", "Order A-99999: lost.", retrieval_source="record", authority="case_record"
    )
    assert judge(plan, a_package(mine)).decision == "ENOUGH"
    missing = judge(plan, a_package(other))
    assert missing.decision == "NEED_MORE"
    assert missing.next_action.recommended_rewrite_strategy == "SWITCH_TO_STRUCTURED_QUERY"


def test_of_two_numbers_in_one_question_each_needs_its_own_record() -> None:
    both = "orders A-10293 and A-99999 status"
    plan = a_plan(
        a_dimension(both, kind="record").model_copy(update={"name": "order A-10293"}),
        a_dimension(both, kind="record").model_copy(update={"id": "D2", "name": "order A-99999"}),
    )
    known = a_passage(
        "o1", "Order A-10293: delivered.", retrieval_source="record", authority="case_record"
    )
    matrix = judge(plan, a_package(known)).dimension_coverage_matrix
    assert [c.covered for c in matrix.values()] == [True, False]


def test_a_passage_never_covers_a_case_file_dimension() -> None:
    plan = a_plan(a_dimension("checklist of the case", kind="case_file"))
    prose = a_passage("p", "The checklist of the case must be complete.")
    assert judge(plan, a_package(prose)).decision == "NEED_MORE"
    row = prose.model_copy(update={"retrieval_source": "case_file"})
    assert judge(plan, a_package(row)).decision == "ENOUGH"


def test_a_denied_premise_answers_the_question() -> None:
    note = GateNote(premise="refresh tokens expire", counter_quote="Refresh tokens never expire.")
    denying = gated(
        a_passage("d", "Refresh tokens never expire."), "conflict", contradicts=0.9, note=note
    )
    plan = a_plan(a_dimension("Refresh tokens expire after 30 days - how do I extend that?"))
    assert judge(plan, a_package(denying=[denying])).decision == "ENOUGH"


def test_two_values_for_the_same_attribute_are_reported_without_a_winner() -> None:
    judgement = judge(a_plan(a_dimension(HOLIDAY)), a_package(HOLIDAY_POLICY, HOLIDAY_FAQ))
    assert judgement.decision == "CONTRADICTION_FOUND"
    (found,) = judgement.contradictions
    assert {found.claim_a.value, found.claim_b.value} == {"45 days", "60 days"}
    assert found.claim_b.quote in HOLIDAY_FAQ.text
    assert not {"winner", "loser"} & set(Judgement.model_fields)


@pytest.mark.parametrize(
    ("question", "other"),
    [
        (WINDOW, HOLIDAY_POLICY),
        (HOLIDAY, POLICY),
        (
            WINDOW,
            a_passage("refund", "The refund for returned items arrives within 5 business days."),
        ),
        (WINDOW, a_passage("same", "Most items have a return window of 30 days.")),
        (WINDOW, a_passage("clearance", "The return window for clearance items is 7 days.")),
        (
            "How much is two-day shipping?",
            a_passage("std", "Standard shipping is $6.95 under $75."),
        ),
    ],
)
def test_rules_for_other_cases_do_not_contradict(question: str, other: object) -> None:
    base = POLICY if "return" in question else a_passage("two", "Two-day shipping is $12.95.")
    judgement = judge(a_plan(a_dimension(question)), a_package(base, other))  # type: ignore[arg-type]
    assert judgement.contradictions == ()


def test_sources_for_two_regions_do_not_contradict() -> None:
    home = POLICY.model_copy(update={"region": "US"})
    abroad = a_passage("eu", "The return window for most items is 14 days.", region="EU")
    assert judge(a_plan(a_dimension(WINDOW)), a_package(home, abroad)).contradictions == ()


def test_a_contradiction_is_found_in_chinese() -> None:
    plan = a_plan(a_dimension("保修期是多久？"))
    a = a_passage("a", "保修期为24个月。", source_title="保修政策")
    b = a_passage("b", "本产品保修期为12个月。", source_title="常见问题", authority="faq")
    assert judge(plan, a_package(a, b)).decision == "CONTRADICTION_FOUND"
