"""Authority, then recency, then scope; a tie goes to a person with questions."""

from __future__ import annotations

from datetime import date

import pytest

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


def test_a_newer_version_that_limits_itself_in_its_text_does_not_replace_the_rule() -> None:
    general = a_passage("a", valid_from=OLD, source_title="Return policy")
    special = a_passage(
        "b",
        "This version applies only to outlet stores. Returns take 60 days.",
        valid_from=NEW,
        source_title="Outlet note",
    )
    resolution = decided(general, special)
    assert (resolution.winner, resolution.decided_by) == ("claim_a", "scope")
    assert "applies only to outlet stores" in resolution.reason[1]


def test_a_newer_version_for_one_product_does_not_replace_the_rule_for_all() -> None:
    resolution = decided(
        a_passage("a", valid_from=OLD), a_passage("b", valid_from=NEW, product="Aqua 2")
    )
    assert (resolution.winner, resolution.decided_by) == ("claim_a", "scope")


def test_a_limit_both_versions_state_makes_neither_special() -> None:
    text = "This policy applies only to private customers. Returns take {} days."
    resolution = decided(
        a_passage("a", text.format(30), valid_from=OLD),
        a_passage("b", text.format(45), valid_from=NEW),
    )
    assert (resolution.winner, resolution.decided_by) == ("claim_b", "recency")


def test_three_values_have_one_winner_and_no_tie_is_left_between_the_losers() -> None:
    policy = a_passage("a", valid_from=NEW)
    faqs = [a_passage(name, authority="faq") for name in ("b", "c")]
    package = a_package(policy, *faqs)
    values = ("30 days", "45 days", "60 days")
    pairs = [(0, 1), (0, 2), (1, 2)]
    judgement = Judgement(
        decision="CONTRADICTION_FOUND",
        dimension_coverage_matrix={},
        contradictions=tuple(
            Contradiction(
                dimension="D1",
                claim_a=ClaimSide(evidence_id=f"EVID-000{i + 1}", value=values[i]),
                claim_b=ClaimSide(evidence_id=f"EVID-000{j + 1}", value=values[j]),
            )
            for i, j in pairs
        ),
    )
    found = adjudicate(judgement, package, PLAN)
    assert [(r.winner, r.decided_by) for r in found] == [("claim_a", "authority")] * 2


def test_how_many_say_so_decides_nothing() -> None:
    resolution = decided(a_passage("a", authority="faq"), a_passage("b", authority="faq"))
    assert resolution.winner == "NO_WINNER_NEED_HUMAN"
    assert not any("agree" in line for line in resolution.reason)


@pytest.mark.parametrize(
    ("kind", "question"),
    [
        ("number", "Which one holds today?"),
        ("amount", "Which amount holds today?"),
        ("date", "Which day is right?"),
        ("polarity", "Is it so or not?"),
        ("list", "Is it on the list today?"),
        ("party", "Whose part is it?"),
        ("name", "Which one is right?"),
    ],
)
def test_the_question_to_the_owner_fits_the_kind_of_conflict(kind: str, question: str) -> None:
    sides = [ClaimSide(evidence_id=f"EVID-000{n}", value=v) for n, v in ((1, "x"), (2, "y"))]
    found = Contradiction.model_validate(
        {"dimension": "D1", "claim_a": sides[0], "claim_b": sides[1], "kind": kind}
    )
    judgement = Judgement(
        decision="CONTRADICTION_FOUND", dimension_coverage_matrix={}, contradictions=(found,)
    )
    (resolution,) = adjudicate(judgement, a_package(a_passage("a"), a_passage("b")), PLAN)
    assert question in resolution.questions[0]
