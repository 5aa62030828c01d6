"""The ledger's keys, and what may not stay in a co-pilot draft."""

from __future__ import annotations

from core.adapters.local_checker import LocalClaimChecker
from core.models.draft import GroundedAnswer
from core.models.evidence import EvidencePackage
from core.stages.ledger import build_ledger, enforce
from core.stages.validate import validate
from tests.stages.drafting_builders import a_context, a_package, a_resolution, an_evidence

CHECKER = LocalClaimChecker()
STANDARD = "Items can be returned within 30 days of the purchase date."
LONG = " ".join(f"Rule {n} says that item {n} goes back within {n} days." for n in range(2, 20))


def policy() -> EvidencePackage:
    return a_package(an_evidence(STANDARD), an_evidence(LONG, 2, permission_tag="INTERNAL_ONLY"))


def enforced(markdown: str) -> GroundedAnswer:
    answer = GroundedAnswer(status="answered", answer_markdown=markdown, confidence="high")
    return enforce(answer, validate(markdown, policy(), checker=CHECKER))


def test_an_uncited_untagged_factual_sentence_leaves_the_draft_and_is_listed() -> None:
    loose = "Every customer also receives a voucher."
    answer = enforced(f"Hello,\n\n{STANDARD} [#EVID-0001] {loose}\n\nKind regards")
    assert loose not in answer.answer_markdown
    assert loose in answer.unsupported_claims
    assert f"{STANDARD} [#EVID-0001]" in answer.answer_markdown
    assert answer.answer_markdown.startswith("Hello,")
    assert answer.answer_markdown.endswith("Kind regards")


def test_a_contradicted_sentence_leaves_the_draft_even_when_it_is_cited() -> None:
    wrong = STANDARD.replace("30", "90")
    answer = enforced(f"{wrong} [#EVID-0001]")
    assert "90" not in answer.answer_markdown
    assert wrong in answer.unsupported_claims


def test_a_draft_left_without_an_answer_becomes_a_holding_reply() -> None:
    answer = enforced("Hello,\n\nEvery customer also receives a voucher.\n\nKind regards")
    assert answer.status == "insufficient_evidence"
    assert "voucher" not in answer.answer_markdown
    assert "confirmed answer" in answer.answer_markdown
    assert validate(answer.answer_markdown, policy(), checker=CHECKER) == ()


def test_a_tagged_inference_stays() -> None:
    tagged = "[inference, not in the sources] So it can go back until 5 May 2027."
    answer = enforced(f"{STANDARD} [#EVID-0001] {tagged} [#EVID-0001]")
    assert tagged in answer.answer_markdown


def test_a_clean_draft_is_left_byte_for_byte() -> None:
    markdown = f"Hello,\n\n{STANDARD} [#EVID-0001]\n"
    assert enforced(markdown).answer_markdown == markdown


def test_the_exported_ledger_has_exactly_the_keys_of_the_contract() -> None:
    markdown = f"{STANDARD} [#EVID-0001]"
    claims = validate(markdown, policy(), checker=CHECKER)
    exported = build_ledger("req_1", markdown, claims, policy(), a_context()).model_dump()
    assert set(exported) == {
        "query_id",
        "user_and_permission_context",
        "citations",
        "answer_quality_metrics",
    }
    assert exported["user_and_permission_context"] == {
        "user_role": "agent",
        "user_dept": "Customer service",
        "permission_level": "L2",
    }
    assert exported["citations"] == (
        {
            "id": "EVID-0001",
            "source_type": "CONFLUENCE_PAGE",
            "source_location": "https://kb.athena.example/returns/4.2",
            "document_permission_tag": "PUBLIC",
            "snippet": STANDARD,
            "used_in_answer_sentences": (STANDARD,),
            "was_this_a_winner_in_contradiction_resolution": False,
        },
    )
    assert exported["answer_quality_metrics"] == {
        "total_factual_sentences": 1,
        "sentences_without_citation": 0,
        "citation_coverage_rate_pct": 100.0,
        "dangerous_unverified_sentences": (),
    }


def test_a_snippet_is_an_exact_span_of_at_most_200_characters() -> None:
    markdown = f"{LONG} [#EVID-0002]"
    claims = validate(markdown, policy(), checker=CHECKER)
    ledger = build_ledger("req_1", markdown, claims, policy(), a_context())
    (citation,) = [c for c in ledger.citations if c.id == "EVID-0002"]
    assert 0 < len(citation.snippet) <= 200
    assert citation.snippet in LONG


def test_an_uncited_sentence_counts_against_coverage_and_is_called_dangerous() -> None:
    loose = "Every customer also receives a voucher."
    markdown = f"{STANDARD} [#EVID-0001] {loose}"
    claims = validate(markdown, policy(), checker=CHECKER)
    metrics = build_ledger("q", markdown, claims, policy(), a_context()).answer_quality_metrics
    assert metrics.total_factual_sentences == 2
    assert metrics.sentences_without_citation == 1
    assert metrics.citation_coverage_rate_pct == 50.0
    assert metrics.dangerous_unverified_sentences == (loose,)


def test_unknown_markers_are_no_citation() -> None:
    markdown = f"{STANDARD} [#EVID-0404]"
    claims = validate(markdown, policy(), checker=CHECKER)
    ledger = build_ledger("q", markdown, claims, policy(), a_context())
    assert ledger.citations == ()
    assert ledger.answer_quality_metrics.sentences_without_citation == 1


def test_the_winner_of_a_conflict_is_marked() -> None:
    faq = "Items can be returned within 60 days."
    package = a_package(an_evidence(STANDARD), an_evidence(faq, 2))
    resolution = a_resolution(("EVID-0001", "30 days", STANDARD), ("EVID-0002", "60 days", faq))
    markdown = f"{STANDARD} [#EVID-0001]"
    claims = validate(markdown, package, checker=CHECKER, resolutions=(resolution,))
    ledger = build_ledger("q", markdown, claims, package, a_context(), (resolution,))
    assert [c.was_this_a_winner_in_contradiction_resolution for c in ledger.citations] == [True]
