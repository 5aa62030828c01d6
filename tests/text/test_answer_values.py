"""Values that disagree are found; rules for different cases are left in peace."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from core.text.answer_values import find_value_conflicts

DATA = Path(os.environ.get("COUNTERSIGN_EVAL_DATA", Path(__file__).parents[3] / "shared" / "data"))


def values(query: str, *texts: str) -> set[str]:
    passages = [(f"p{at}", text) for at, text in enumerate(texts)]
    return {group.value for group in find_value_conflicts(query, passages)}


def test_two_durations_for_one_rule_disagree_and_each_names_its_passages() -> None:
    groups = find_value_conflicts(
        "How long do I have to return a holiday purchase?",
        [
            ("policy", "Holiday purchases may be returned within 45 days."),
            ("faq", "You get 60 days to return a holiday purchase."),
            ("copy", "A holiday purchase can be returned within 45 days of delivery."),
        ],
    )
    assert {g.value: set(g.passage_ids) for g in groups} == {
        "45 days": {"policy", "copy"},
        "60 days": {"faq"},
    }


@pytest.mark.parametrize(
    ("query", "texts"),
    [
        (
            "How long do I have to return a holiday purchase?",
            (
                "Most items may be returned within 30 days.",
                "Holiday purchases: return within 45 days.",
            ),
        ),
        (
            "How much is shipping?",
            ("Standard shipping is $6.95.", "Two-day shipping is $12.95."),
        ),
        ("How long is the warranty?", ("The warranty is 2 years.", "The warranty is 24 months.")),
        ("Will you match Best Buy?", ("We match Target.", "We do not match Best Buy.")),
        ("How long is the warranty?", ("The warranty is 24 months.", "Call us for details.")),
        ("How long is the warranty?", ()),
    ],
)
def test_different_cases_equal_values_and_silence_are_no_conflict(
    query: str, texts: tuple[str, ...]
) -> None:
    assert values(query, *texts) == set()


@pytest.mark.parametrize(
    ("query", "texts", "expected"),
    [
        (
            "When was the mill built?",
            ("Oak Mill was built in 1856 by a farmer.", "Oak Mill was built in 1900 of stone."),
            {"1856", "1900"},
        ),
        (
            "Who is the director of the film Stone Bridge?",
            (
                "Stone Bridge is a film directed by Anna Kowal.",
                "Stone Bridge (2007) is a film directed by Luis Ortega.",
            ),
            {"Anna Kowal", "Luis Ortega"},
        ),
        ("保修期是多久？", ("保修期为24个月。", "本产品保修期为12个月。"), {"24个月", "12个月"}),
        (
            "Refund policy",
            (
                "Your address will be recycled 90 days after the account is cancelled.",
                "Your address will be recycled 30 days after the account is cancelled.",
            ),
            {"90 days", "30 days"},
        ),
    ],
)
def test_conflicts_of_other_kinds_are_found(
    query: str, texts: tuple[str, ...], expected: set[str]
) -> None:
    assert values(query, *texts) == expected


@pytest.mark.evaldata
def test_conflicts_on_a_public_set_are_found_with_few_false_ones() -> None:
    file = DATA / "ramdocs" / "ramdocs.jsonl"
    if not file.is_file():
        pytest.skip(f"no evaluation data at {DATA}")
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()][:120]
    flagged = right = real = 0
    for row in rows:
        found = find_value_conflicts(row["query"], [(p["id"], p["text"]) for p in row["passages"]])
        disagree = len(row["values"]) >= 2
        flagged += bool(found)
        real += disagree
        right += bool(found) and disagree
    assert right / flagged > 0.7  # about 0.6 of these rows disagree
    assert right / real > 0.8


def test_short_sentences_that_differ_only_in_their_value_disagree() -> None:
    passages = [("a", "The fitting window is 20 days."), ("b", "The fitting window is 30 days.")]
    groups = find_value_conflicts("fitting window", passages)
    assert [g.value for g in groups] == ["20 days", "30 days"]
