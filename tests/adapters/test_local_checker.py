"""The claim checker: quotes are supported, differing values contradicted, the rest is unclear."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from core.adapters.checker_model import CheckerModel
from core.adapters.local_checker import LocalClaimChecker
from core.errors import Unavailable
from core.text.claim_features import FEATURES

POLICY = """# Returns policy

## Standard return window

Items can be returned within 30 days of the purchase date.
A receipt or an order number is needed for every return.

## Holiday returns

Items bought between 15 November and 31 December can be returned within 45 days of purchase.

## Exclusions

Items marked Final Sale cannot be returned or exchanged.

## Refunds

A refund is paid within 5 to 7 business days after the parcel reaches our returns centre.
Next-day shipping costs $19.95 and must be ordered before 14:00 EST.
"""
EVIDENCE = [("EVID-0001", POLICY)]


@pytest.fixture(scope="module")
def checker() -> LocalClaimChecker:
    return LocalClaimChecker()


@pytest.mark.parametrize(
    "claim",
    [
        "Items can be returned within 30 days of the purchase date.",
        "items can be returned within 30 days of the purchase date",
        "Items marked Final Sale cannot be returned or exchanged.",
        "Next-day shipping costs $19.95 and must be ordered before 14:00 EST.",
    ],
)
def test_a_quotation_is_supported_with_its_span(checker: LocalClaimChecker, claim: str) -> None:
    verdict = checker.check(claim, EVIDENCE)
    assert verdict.label == "supported"
    assert verdict.score == 1.0
    (span,) = verdict.spans
    assert POLICY[span.start : span.end] == span.quote
    assert span.quote.casefold().rstrip(".") == claim.casefold().rstrip(".")


@pytest.mark.parametrize(
    ("claim", "suggestion"),
    [
        ("Items can be returned within 60 days of the purchase date.", "30 days"),
        ("You can return items within 14 days of the purchase.", "30 days"),
        ("Next-day shipping costs $9.95.", "$19.95"),
        ("A refund is paid within 20 business days after the parcel arrives.", "5 to 7"),
        ("Holiday purchases can be returned within 60 days of the purchase date.", "45 days"),
        ("Items marked Final Sale can be returned or exchanged.", "cannot be returned"),
    ],
)
def test_a_differing_value_is_contradicted_and_the_sources_wording_offered(
    checker: LocalClaimChecker, claim: str, suggestion: str
) -> None:
    verdict = checker.check(claim, EVIDENCE)
    assert verdict.label == "contradicted"
    assert verdict.suggestion is not None
    assert suggestion in verdict.suggestion
    assert verdict.reasons
    assert verdict.spans


@pytest.mark.parametrize(
    "claim",
    [
        "Items can be returned within 30 days.",
        "Holiday purchases can be returned within 45 days of the purchase date.",
        "Items marked Final Sale can't be returned.",
        "Refunds are paid within 5 to 7 business days after the parcel reaches our returns centre.",
    ],
)
def test_a_faithful_shortening_is_not_called_contradicted(
    checker: LocalClaimChecker, claim: str
) -> None:
    assert checker.check(claim, EVIDENCE).label in ("supported", "unclear")


@pytest.mark.parametrize(
    "claim",
    [
        "We give every customer a voucher worth $20.",
        "Best Buy prices are matched.",
        "The chief executive founded the company in 1999.",
        "Refunds are paid in cash.",
        "Damaged mattresses are collected by our furniture partner.",
    ],
)
def test_what_the_evidence_does_not_say_is_not_supported(
    checker: LocalClaimChecker, claim: str
) -> None:
    assert checker.check(claim, EVIDENCE).label in ("unsupported", "unclear")


def test_without_evidence_the_verdict_is_unclear(checker: LocalClaimChecker) -> None:
    assert checker.check("Items can be returned.", []).label == "unclear"
    assert checker.check("…", EVIDENCE).label == "unclear"


def test_part_of_a_denial_is_no_quotation(checker: LocalClaimChecker) -> None:
    evidence = [("E1", "It is not true that gift cards can be returned within 30 days.")]
    verdict = checker.check("Gift cards can be returned within 30 days.", evidence)
    assert verdict.label != "supported"


def test_spans_name_the_evidence_they_are_in(checker: LocalClaimChecker) -> None:
    pair = [("EVID-0007", "Chat is open every day."), ("EVID-0009", POLICY)]
    verdict = checker.check("Items can be returned within 90 days of the purchase date.", pair)
    assert {span.evidence_id for span in verdict.spans} == {"EVID-0009"}
    texts = dict(pair)
    for span in verdict.spans:
        assert texts[span.evidence_id][span.start : span.end] == span.quote


def test_a_chinese_value_is_checked_too(checker: LocalClaimChecker) -> None:
    evidence = [("E1", "小家电的保修期为自购买之日起24个月。申请保修需要提供订单号。")]
    assert checker.check("小家电的保修期为自购买之日起24个月。", evidence).label == "supported"
    assert checker.check("小家电的保修期为自购买之日起36个月。", evidence).label == "contradicted"


def test_the_same_question_gets_the_same_answer(checker: LocalClaimChecker) -> None:
    claim = "Refunds arrive about a week after the parcel."
    assert checker.check(claim, EVIDENCE) == checker.check(claim, EVIDENCE)


def test_missing_weights_are_said_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="fit_checker"):
        CheckerModel.load(FEATURES, tmp_path / "weights.json")


def test_weights_of_another_version_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    path.write_text(json.dumps({"features": ["other"]}), encoding="utf-8")
    with pytest.raises(Unavailable, match="do not fit"):
        CheckerModel.load(FEATURES, path)


FLOORS = {
    # Public set: balanced accuracy on its first 300 rows, some way below what is measured.
    "claim_summedits": 0.56,
    "claim_wice": 0.66,
    "claim_fever_symmetric": 0.62,
    "claim_fm2": 0.54,
}


@pytest.mark.evaldata
@pytest.mark.parametrize("name", sorted(FLOORS))
def test_support_is_told_from_the_rest_on_public_sets(
    checker: LocalClaimChecker, name: str
) -> None:
    root = Path(__file__).resolve().parents[2]
    folder = Path(os.environ.get("COUNTERSIGN_EVAL_DATA", root.parent / "shared" / "data"))
    path = folder / name / f"{name}.jsonl"
    if not path.exists():
        pytest.skip(f"the evaluation set {name} is not on this machine")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    sample = [r for r in rows if r["kind"] != "subclaim_with_unsupported_tokens"][:300]
    hits: dict[bool, list[bool]] = {True: [], False: []}
    for row in sample:
        said = checker.check(row["claim"], [("E", row["evidence"])]).label == "supported"
        meant = row["label"] == "supported"
        hits[meant].append(said == meant)
    balanced = sum(sum(h) / len(h) for h in hits.values()) / 2
    assert balanced >= FLOORS[name]


def test_texts_of_endless_values_are_checked_in_reasonable_work(
    checker: LocalClaimChecker,
) -> None:
    """Every value of the one is held against every value of the other: minutes, unless bounded."""
    long = checker.check("the window is 5 days " * 500, [("EVID-0001", "It is 6 days. " * 500)])
    flat = checker.check("The window is 5 days.", [("EVID-0001", "the window is 6 days " * 5_000)])
    assert (long.label, flat.label) == ("unclear", "unclear")
    assert "split it" in long.reasons[0]
