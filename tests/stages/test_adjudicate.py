"""Authority, then recency, then scope; a tie goes to a person with questions."""

from __future__ import annotations

from datetime import date

from core.models.evidence import EvidenceCandidate
from core.models.judgement import ClaimSide, Contradiction, Judgement, Resolution
from core.models.plan import QueryPlan, TemporalContext
from core.stages.adjudicate import adjudicate
from tests.stages.evidence_builders import TODAY, a_dimension, a_package, a_passage, a_plan

PLAN = a_plan(a_dimension("How long do I have to return a coat?"))
OLD, NEW = date(2025, 1, 1), date(2026, 6, 1)


def decided(a: EvidenceCandidate, b: EvidenceCandidate, plan: QueryPlan = PLAN) -> Resolution:
    found = Contradiction(
        dimension="D1",
        claim_a=ClaimSide(evidence_id="EVID-0001", value="45 days"),
        claim_b=ClaimSide(evidence_id="EVID-0002", value="60 days"),
    )
    judgement = Judgement(
        decision="CONTRADICTION_FOUND", dimension_coverage_matrix={}, contradictions=(found,)
    )
    return adjudicate(judgement, a_package(a, b), plan)[0]


def test_authority_decides_before_recency() -> None:
    policy = a_passage("a", source_title="Return policy", valid_from=OLD)
    faq = a_passage("b", source_title="Holiday FAQ", authority="faq", signed=False, valid_from=NEW)
    resolution = decided(policy, faq)
    assert (resolution.winner, resolution.decided_by) == ("claim_a", "authority")
    assert resolution.reason == (
        "Authority: “Return policy” (official policy, class A) outranks "
        "“Holiday FAQ” (unsigned FAQ, class C).",
    )


def test_the_order_of_the_two_sides_does_not_matter() -> None:
    policy = a_passage("a")
    faq = a_passage("b", authority="faq")
    assert decided(policy, faq).winner == "claim_a"
    assert decided(faq, policy).winner == "claim_b"


def test_a_superseded_official_version_ranks_below_a_signed_faq() -> None:
    old = a_passage("a", status="superseded")
    faq = a_passage("b", authority="faq")
    assert decided(old, faq).winner == "claim_b"


def test_a_version_in_force_on_the_day_asked_about_keeps_its_class() -> None:
    plan = a_plan(
        a_dimension("Did you match Best Buy in December 2024?"),
        temporal=TemporalContext(
            asked_date=TODAY, effective_policy_date=date(2024, 12, 15), prefer_current=False
        ),
    )
    then = a_passage(
        "a", status="superseded", valid_from=date(2024, 11, 1), valid_to=date(2025, 6, 1)
    )
    assert decided(then, a_passage("b", authority="faq"), plan).winner == "claim_a"


def test_of_equal_authority_the_newer_replaces_the_older() -> None:
    resolution = decided(a_passage("a", valid_from=OLD), a_passage("b", valid_from=NEW))
    assert (resolution.winner, resolution.decided_by) == ("claim_b", "recency")
    assert len(resolution.reason) == 2


def test_a_newer_version_for_a_special_case_does_not_replace_the_general_rule() -> None:
    general = a_passage("a", valid_from=OLD)
    special = a_passage("b", valid_from=NEW, scope_note="Only outlet stores in Alaska.")
    resolution = decided(general, special)
    assert (resolution.winner, resolution.decided_by) == ("claim_a", "scope")


def test_a_special_case_wins_by_scope_when_the_question_is_about_it() -> None:
    plan = a_plan(a_dimension("How long do I have to return a coat to an outlet in Alaska?"))
    general = a_passage("a", valid_from=OLD)
    special = a_passage("b", valid_from=NEW, scope_note="Only outlet stores in Alaska.")
    assert decided(general, special, plan).winner == "claim_b"


def test_the_region_asked_about_decides_a_tie() -> None:
    plan = a_plan(a_dimension("How long is the return window in Canada?"))
    home = a_passage("a", region="United States")
    abroad = a_passage("b", region="Canada")
    resolution = decided(home, abroad, plan)
    assert (resolution.winner, resolution.decided_by) == ("claim_b", "scope")


def test_a_tie_goes_to_a_person_with_questions_for_the_owners() -> None:
    resolution = decided(a_passage("a", owner="kim"), a_passage("b", owner="lee"))
    assert (resolution.winner, resolution.decided_by) == ("NO_WINNER_NEED_HUMAN", "nobody")
    assert "kim and lee" in resolution.questions[0]
    assert "45 days" in resolution.questions[0]
    assert "60 days" in resolution.questions[0]
    assert [line.split(":")[0] for line in resolution.reason[:3]] == [
        "Authority",
        "Recency",
        "Scope",
    ]


def test_without_a_contradiction_there_is_nothing_to_resolve() -> None:
    quiet = Judgement(decision="NEED_MORE", dimension_coverage_matrix={})
    assert adjudicate(quiet, a_package(a_passage("a")), PLAN) == ()
