"""What reaches the drafter: within budget, without copies, conflicts apart, ids stable."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.models.evidence import GatedPassage
from core.models.plan import TemporalContext
from core.stages.select import select
from tests.stages.evidence_builders import TODAY, WordCounter, a_dimension, a_passage, a_plan, gated

PLAN = a_plan(a_dimension("How long is the return window?"))


def selected(*passages: GatedPassage, budget: int = 1000, plan=PLAN, **more):  # type: ignore[no-untyped-def]
    return select("req_1", plan, passages, tokens=WordCounter(), budget=budget, **more)


def chunk_ids(evidence) -> list[str]:  # type: ignore[no-untyped-def]
    return [item.candidate.chunk_id for item in evidence]


def test_accepted_and_conflicting_evidence_stay_in_separate_blocks() -> None:
    package = selected(
        gated(a_passage("yes")),
        gated(a_passage("no", "Returns never take 60 days."), "conflict", contradicts=0.9),
        gated(a_passage("out", "Something else."), "exclude"),
    )
    assert chunk_ids(package.selected_evidence) == ["yes"]
    assert chunk_ids(package.conflicting_evidence) == ["no"]
    assert package.sufficiency == "conflicting"


def test_of_two_copies_the_higher_authority_stays() -> None:
    text = "Items may be returned within 30 days of delivery with the receipt."
    package = selected(
        gated(a_passage("faq", text, authority="faq"), evidence=0.99),
        gated(a_passage("policy", text + " "), evidence=0.7),
    )
    assert chunk_ids(package.selected_evidence) == ["policy"]
    assert package.omitted_candidate_ids == ("faq",)


def test_passages_that_differ_only_in_a_number_are_no_copies() -> None:
    package = selected(
        gated(a_passage("policy", "Holiday purchases may be returned within 45 days.")),
        gated(
            a_passage("faq", "Holiday purchases may be returned within 60 days.", authority="faq")
        ),
    )
    assert set(chunk_ids(package.selected_evidence)) == {"policy", "faq"}


def test_passages_that_differ_only_in_a_negation_are_no_copies() -> None:
    package = selected(
        gated(a_passage("a", "Final sale items may be returned to any store.")),
        gated(a_passage("b", "Final sale items may not be returned to any store.")),
    )
    assert len(package.selected_evidence) == 2


def test_a_superseded_version_is_left_out_of_a_present_question() -> None:
    old = a_passage("old", "We match Best Buy.", status="superseded")
    package = selected(gated(old), gated(a_passage("new")))
    assert chunk_ids(package.selected_evidence) == ["new"]
    assert "old" in package.omitted_candidate_ids


def test_a_superseded_version_serves_a_question_about_its_own_time() -> None:
    past = a_plan(
        a_dimension("Did you match Best Buy?"),
        temporal=TemporalContext(
            asked_date=TODAY, effective_policy_date=TODAY, prefer_current=False
        ),
    )
    package = selected(gated(a_passage("old", status="superseded")), plan=past)
    assert chunk_ids(package.selected_evidence) == ["old"]


def test_evidence_ids_stay_what_they_were_in_earlier_rounds() -> None:
    package = selected(
        gated(a_passage("b", "Refunds take 5 days.")),
        gated(a_passage("a")),
        known={"a": "EVID-0007"},
    )
    ids = {e.candidate.chunk_id: e.evidence_id for e in package.selected_evidence}
    assert ids == {"a": "EVID-0007", "b": "EVID-0008"}


def test_every_dimension_gets_its_best_passage_before_a_second_one_of_another() -> None:
    plan = a_plan(a_dimension("return window days"), a_dimension("express shipping cost", 2))
    returns = [
        gated(a_passage(f"r{n}", f"Return window rule {n}: {n + 30} days."), evidence=0.99)
        for n in range(8)
    ]
    shipping = gated(a_passage("s", "Express shipping cost is $12.95."), evidence=0.6)
    package = selected(*returns, shipping, plan=plan)
    assert "s" in chunk_ids(package.selected_evidence)


@given(
    lengths=st.lists(st.integers(1, 60), max_size=14),
    budget=st.integers(0, 200),
)
def test_the_budget_holds_and_nothing_is_lost_silently(lengths: list[int], budget: int) -> None:
    passages = [
        gated(a_passage(f"c{n}", " ".join(f"word{n}x{i}" for i in range(size))))
        for n, size in enumerate(lengths)
    ]
    package = selected(*passages, budget=budget)
    kept = set(chunk_ids(package.selected_evidence))
    assert package.total_tokens <= budget
    assert kept | set(package.omitted_candidate_ids) == {f"c{n}" for n in range(len(lengths))}
    assert len(kept) <= 8
