"""Invariant: ENOUGH only when every dimension is high, and never a winner. Broken on purpose."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from core.models.judgement import Confidence, Contradiction, Coverage, Judgement
from core.models.source import Authority
from core.stages.judge import judge
from core.text.coverage_gaps import settled
from tests.stages.evidence_builders import (
    TODAY,
    a_dimension,
    a_package,
    a_passage,
    a_plan,
)

ASKED = (
    "How long is the return window?",
    "How much does express shipping cost?",
    "Is there parking at the store?",
    "Who pays customs duties?",
)
SAID = (
    "The return window is 30 days.",
    "The return window is 45 days.",
    "Express shipping costs $12.95.",
    "Customs duties are paid by the customer.",
    "Our stores are bright and friendly.",
)
_coverages = st.builds(
    Coverage, covered=st.booleans(), confidence=st.sampled_from(get_args(Confidence))
)
_passages = st.lists(
    st.fixed_dictionaries(
        {
            "text": st.sampled_from(SAID),
            "authority": st.sampled_from(get_args(Authority)),
            "signed": st.booleans(),
            "last_reviewed": st.sampled_from(
                [None, TODAY, TODAY - timedelta(days=80), TODAY - timedelta(days=400)]
            ),
        }
    ),
    max_size=4,
)


@given(st.dictionaries(st.sampled_from(["D1", "D2", "D3"]), _coverages, min_size=1))
def test_enough_cannot_be_built_over_any_matrix_that_is_not_all_high(
    matrix: dict[str, Coverage],
) -> None:
    if all(c.covered and c.confidence == "high" for c in matrix.values()):
        assert Judgement(decision="ENOUGH", dimension_coverage_matrix=matrix).decision == "ENOUGH"
    else:
        with pytest.raises(ValidationError, match="ENOUGH needs every dimension"):
            Judgement(decision="ENOUGH", dimension_coverage_matrix=matrix)


@given(st.lists(st.sampled_from(ASKED), max_size=3, unique=True), _passages)
def test_whatever_is_found_the_judge_says_enough_only_when_all_is_settled(
    asked: list[str], found: list[dict[str, Any]]
) -> None:
    dimensions = [a_dimension(query, at) for at, query in enumerate(asked, 1)]
    passages = [a_passage(f"p{at}", **fields) for at, fields in enumerate(found)]
    judgement = judge(a_plan(*dimensions), a_package(*passages, evidence=0.8))
    matrix = judgement.dimension_coverage_matrix
    unsettled = {name for name, coverage in matrix.items() if not settled(coverage)}
    assert set(matrix) == {d.id for d in dimensions}
    assert set(judgement.next_action.priority_gaps) == unsettled
    if judgement.decision == "ENOUGH":
        assert matrix
        assert not unsettled
        assert not judgement.contradictions
    if judgement.contradictions:
        assert judgement.decision == "CONTRADICTION_FOUND"


def test_a_contradiction_has_two_sides_and_no_winner() -> None:
    assert not {name for name in Contradiction.model_fields if "win" in name}
    assert not {name for name in Judgement.model_fields if "win" in name or "resol" in name}
    first, second = a_passage("a", SAID[0]), a_passage("b", SAID[1])
    judgement = judge(a_plan(a_dimension(ASKED[0])), a_package(first, second))
    (found,) = judgement.contradictions
    assert {found.claim_a.value, found.claim_b.value} == {"30 days", "45 days"}
    assert judgement.decision == "CONTRADICTION_FOUND"


# ---- the table of confidence --------------------------------------------------------------------


def covered_by(**change: Any) -> Coverage:
    passage = a_passage("a", SAID[0], last_reviewed=TODAY).model_copy(update=change)
    judgement = judge(a_plan(a_dimension(ASKED[0])), a_package(passage, evidence=0.83))
    return judgement.dimension_coverage_matrix["D1"]


def test_a_reviewed_official_source_that_states_it_is_high_and_the_reason_says_why() -> None:
    coverage = covered_by()
    assert coverage.confidence == "high"
    assert coverage.reason == (
        "stated directly by: official policy (evidence 0.83); within its review date"
    )


def test_the_five_signals_are_there_to_be_checked() -> None:
    signals = covered_by().signals
    assert signals is not None
    assert signals.evidence == 0.83
    assert signals.directness >= 0.5
    assert (signals.authority, signals.sources, signals.freshness) == ("A", 1, "fresh")


def test_a_source_past_its_review_still_answers_but_less_surely() -> None:
    coverage = covered_by(last_reviewed=TODAY - timedelta(days=290))
    assert (coverage.covered, coverage.confidence) == (True, "medium")
    assert "past its review date" in coverage.reason


def test_a_source_that_was_never_reviewed_is_said_to_be_so_not_taken_for_stale() -> None:
    coverage = covered_by(last_reviewed=None)
    assert coverage.confidence == "high"
    assert "never reviewed" in coverage.reason


def test_one_fresh_source_is_enough_beside_a_stale_one() -> None:
    stale = a_passage("a", SAID[0], last_reviewed=TODAY - timedelta(days=290))
    fresh = a_passage("b", SAID[0], last_reviewed=TODAY, authority="approved_procedure")
    judgement = judge(a_plan(a_dimension(ASKED[0])), a_package(stale, fresh))
    coverage = judgement.dimension_coverage_matrix["D1"]
    assert coverage.confidence == "high"
    assert "2 sources speak of it" in coverage.reason


def test_sources_of_one_class_that_disagree_are_not_high() -> None:
    first = a_passage("a", SAID[0], last_reviewed=TODAY)
    second = a_passage("b", SAID[1], last_reviewed=TODAY)
    judgement = judge(a_plan(a_dimension(ASKED[0])), a_package(first, second))
    coverage = judgement.dimension_coverage_matrix["D1"]
    assert coverage.confidence == "medium"
    assert "another of the same standing says otherwise" in coverage.reason


def test_a_post_that_disagrees_does_not_shake_an_official_source() -> None:
    official = a_passage("a", SAID[0], last_reviewed=TODAY)
    post = a_passage("b", SAID[1], authority="community_forum")
    judgement = judge(a_plan(a_dimension(ASKED[0])), a_package(official, post))
    assert judgement.dimension_coverage_matrix["D1"].confidence == "high"


def test_a_crowd_of_posts_is_no_authority() -> None:
    posts = [a_passage(f"p{n}", SAID[0], authority="community_forum") for n in range(4)]
    judgement = judge(a_plan(a_dimension(ASKED[0])), a_package(*posts))
    coverage = judgement.dimension_coverage_matrix["D1"]
    assert (coverage.covered, coverage.confidence) == (False, "low")


# ---- on the subject, without stating it ---------------------------------------------------------


def test_evidence_beside_the_point_is_named_but_covers_nothing() -> None:
    pickup = a_passage("a", "A pickup order is kept in the store for 7 days.")
    plan = a_plan(a_dimension("Is there parking at the store for pickup?"))
    judgement = judge(plan, a_package(pickup, evidence=0.97))
    coverage = judgement.dimension_coverage_matrix["D1"]
    assert not coverage.covered
    assert coverage.evidence_ids == ("EVID-0001",)
    assert coverage.reason == "on the subject, but nothing speaks of “parking”"


def test_what_the_gate_left_out_on_the_subject_is_named_where_nothing_was_accepted() -> None:
    package = a_package().model_copy(update={"nearby": ("Contact › Opening hours",)})
    judgement = judge(a_plan(a_dimension("Is there parking?")), package)
    coverage = judgement.dimension_coverage_matrix["D1"]
    assert coverage.reason == ("on the subject, but without stating it: “Contact › Opening hours”")
    assert coverage.evidence_ids == ()


def test_gaps_are_ordered_by_what_a_search_can_do_for_them() -> None:
    window, record, parking = (
        a_dimension(ASKED[0]),
        a_dimension("order A-10293", 2, "record"),
        a_dimension(ASKED[2], 3),
    )
    stale = a_passage("a", SAID[0], last_reviewed=TODAY - timedelta(days=290))
    judgement = judge(a_plan(window, parking, record), a_package(stale))
    assert judgement.next_action.priority_gaps == ("D2", "D3", "D1")
    assert judgement.next_action.recommended_rewrite_strategy == "SWITCH_TO_STRUCTURED_QUERY"


def test_for_a_stale_source_another_version_is_looked_for() -> None:
    stale = a_passage("a", SAID[0], last_reviewed=TODAY - timedelta(days=290))
    judgement = judge(a_plan(a_dimension(ASKED[0])), a_package(stale))
    assert judgement.next_action.recommended_rewrite_strategy == "NARROW_TIME_SCOPE"
