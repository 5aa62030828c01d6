"""No sentence is called supported that its evidence does not bear, whatever the checker says."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

import pytest

from core.adapters.local_checker import LocalClaimChecker
from core.models.draft import EvidenceSpan, SupportStatus
from core.models.evidence import EvidencePackage
from core.stages.validate import validate
from core.text.markers import strip_markers
from core.text.past import provenance_of
from tests.stages.drafting_builders import a_package, a_resolution, an_evidence

STANDARD = "Items can be returned within 30 days of the purchase date."
HOLIDAY = (
    "Items bought between 15 November and 31 December can be returned within 45 days of the "
    "purchase date."
)
HOLIDAY_SECTION = f"## Holiday returns\n\n{HOLIDAY}\nThe window starts on the day of purchase."
FAQ = "Holiday purchases can be returned within 60 days."


class _Verdict(NamedTuple):
    label: SupportStatus
    score: float
    reasons: tuple[str, ...]
    spans: tuple[EvidenceSpan, ...]
    suggestion: str | None = None


class CredulousChecker:
    """Calls everything supported by the first evidence, as a bad model would."""

    name = "credulous"

    def check(self, claim: str, evidence: Sequence[tuple[str, str]]) -> _Verdict:
        evidence_id, text = evidence[0]
        span = EvidenceSpan(evidence_id=evidence_id, start=0, end=len(text), quote=text)
        return _Verdict("supported", 0.99, ("sounds right",), (span,))


@pytest.fixture(scope="module")
def checker() -> LocalClaimChecker:
    return LocalClaimChecker()


def policy() -> EvidencePackage:
    return a_package(an_evidence(HOLIDAY_SECTION), an_evidence(STANDARD, 2))


def test_a_quoted_sentence_is_supported_by_the_very_span(checker: LocalClaimChecker) -> None:
    (claim,) = validate(f"{HOLIDAY} [#EVID-0001]", policy(), checker=checker)
    assert claim.support_status == "supported"
    assert claim.evidence_ids == ("EVID-0001",)
    (span,) = claim.spans
    assert HOLIDAY_SECTION[span.start : span.end] == span.quote == HOLIDAY


@pytest.mark.parametrize(
    "sentence",
    [
        "Items can be returned within 90 days of the purchase date.",
        "A return costs $12.",
        "Returns at Macy's take 30 days.",
        "Items bought on 3 March can be returned within 30 days.",
        "Items cannot be returned within 30 days of the purchase date.",
    ],
    ids=["number", "money", "name", "date", "negation"],
)
def test_values_not_in_the_cited_evidence_are_not_supported_by_any_checker(sentence: str) -> None:
    package = a_package(an_evidence(STANDARD))
    (claim,) = validate(f"{sentence} [#EVID-0001]", package, checker=CredulousChecker())
    assert claim.support_status != "supported"
    assert claim.reasons


def test_a_marker_that_names_no_evidence_is_unsupported_and_says_which(
    checker: LocalClaimChecker,
) -> None:
    (claim,) = validate(f"{HOLIDAY} [#EVID-0099]", policy(), checker=checker)
    assert claim.support_status == "unsupported"
    assert "EVID-0099" in claim.reasons[0]
    assert "EVID-0099" not in claim.evidence_ids


def test_an_edit_from_45_to_60_days_is_contradicted_with_the_sources_wording(
    checker: LocalClaimChecker,
) -> None:
    edited = f"Hello Anna,\n\n{HOLIDAY.replace('45', '60')}\n\nKind regards,\nCustomer Care"
    (claim,) = validate(edited, policy(), checker=checker)
    assert claim.support_status == "contradicted"
    assert claim.suggestion == HOLIDAY
    assert claim.spans[0].quote == HOLIDAY
    assert edited[claim.start : claim.end] == claim.text


def test_an_edit_to_60_days_stays_contradicted_when_a_losing_source_says_60(
    checker: LocalClaimChecker,
) -> None:
    package = a_package(an_evidence(HOLIDAY_SECTION), an_evidence(FAQ, 2))
    resolution = a_resolution(("EVID-0001", "45 days", HOLIDAY), ("EVID-0002", "60 days", FAQ))
    for text in (FAQ, f"{FAQ} [#EVID-0002]"):
        (claim,) = validate(text, package, checker=checker, resolutions=(resolution,))
        assert claim.support_status == "contradicted"
        assert claim.suggestion == HOLIDAY


def test_one_side_of_an_undecided_conflict_bears_no_sentence(checker: LocalClaimChecker) -> None:
    package = a_package(an_evidence(HOLIDAY_SECTION), an_evidence(FAQ, 2))
    resolution = a_resolution(
        ("EVID-0001", "45 days", HOLIDAY),
        ("EVID-0002", "60 days", FAQ),
        winner="NO_WINNER_NEED_HUMAN",
        by="nobody",
    )
    for text in (HOLIDAY, f"{FAQ} [#EVID-0002]"):
        (claim,) = validate(text, package, checker=checker, resolutions=(resolution,))
        assert claim.support_status not in ("supported", "unsupported")


def test_evidence_a_sentence_does_not_cite_can_contradict_it(checker: LocalClaimChecker) -> None:
    other = an_evidence("Customer service is open every day from 9:00 to 18:00.", 2)
    package = a_package(an_evidence(HOLIDAY_SECTION), other)
    edited = f"{HOLIDAY.replace('45', '60')} [#EVID-0002]"
    (claim,) = validate(edited, package, checker=checker)
    assert claim.support_status == "contradicted"
    assert claim.spans[0].evidence_id == "EVID-0001"


def test_greetings_questions_and_holding_sentences_are_no_claims(
    checker: LocalClaimChecker,
) -> None:
    text = (
        "Hello Anna,\n\nThank you for your message. Which order do you mean? "
        "We do not have a confirmed answer to your question yet.\n\nKind regards,\nCustomer Care"
    )
    assert validate(text, policy(), checker=checker) == ()


def test_an_uncited_promise_is_a_claim_without_evidence(checker: LocalClaimChecker) -> None:
    (claim,) = validate("We will refund your shipping costs of $9.", policy(), checker=checker)
    assert claim.support_status != "supported"
    assert claim.evidence_ids == ()


def test_an_inference_is_listed_and_never_shown_as_verified(checker: LocalClaimChecker) -> None:
    text = "[inference, not in the sources] So the coat can go back until 21 January 2027."
    (claim,) = validate(f"{text} [#EVID-0001] [#EVID-0002]", policy(), checker=checker)
    assert claim.is_inference
    assert claim.support_status == "unclear"
    assert claim.evidence_ids == ("EVID-0001", "EVID-0002")


def test_offsets_are_those_of_the_text_without_markers(checker: LocalClaimChecker) -> None:
    markdown = f"{HOLIDAY} [#EVID-0001]\n\n1. {STANDARD} [#EVID-0002]\n"
    claims = validate(markdown, policy(), checker=checker)
    plain = strip_markers(markdown)
    assert [plain[c.start : c.end] for c in claims] == [HOLIDAY, STANDARD]
    assert [c.evidence_ids for c in claims] == [("EVID-0001",), ("EVID-0002",)]


def test_the_line_that_names_a_past_version_is_checked_against_the_stored_version(
    checker: LocalClaimChecker,
) -> None:
    old = an_evidence(
        STANDARD,
        version="2.0",
        status="superseded",
        valid_from=date(2024, 11, 1),
        valid_to=date(2025, 6, 1),
    )
    line = provenance_of(old, "en")
    forged = line.replace("31 May 2025", "31 May 2026")
    true, false = (
        validate(f"{text} [#EVID-0001]", a_package(old), checker=checker)[0].support_status
        for text in (line, forged)
    )
    assert true == "supported"
    assert false != "supported"


def test_an_empty_package_supports_nothing(checker: LocalClaimChecker) -> None:
    (claim,) = validate(STANDARD, a_package(), checker=checker)
    assert claim.support_status == "unsupported"


def test_a_claim_hidden_in_a_standing_sentence_is_still_a_claim(
    checker: LocalClaimChecker,
) -> None:
    text = "Thank you for your message, refunds take 2 days."
    (claim,) = validate(text, policy(), checker=checker)
    assert claim.support_status != "supported"
