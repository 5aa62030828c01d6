"""Texts that say the same have one key; texts that differ in a value never do."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.evidence import EvidenceCandidate
from core.text.near_duplicates import (
    collapse,
    differences,
    likeness,
    nearly_same,
    same_values,
    text_key,
)

RULE = "Unworn coats may be returned within 30 days of delivery if their tags are still attached."


def a_candidate(text: str = RULE, **changes: Any) -> EvidenceCandidate:
    document = changes.pop("document", "returns-v1")
    values: dict[str, Any] = {
        "chunk_id": f"{document}::0000",
        "source_id": document.rsplit("-", 1)[0],
        "document_id": document,
        "tenant_id": "athena",
        "text": text,
        "source_title": document,
        "authority": "faq",
        "rank": 1,
        "score": 0.5,
        "lexical_rank": 1,
    }
    return EvidenceCandidate(**(values | changes))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("**Refunds** take 5 days.", "refunds  take 5 days"),
        ("退货期限为 30 天。", "退货期限为30天"),
        ("Ｒｅfunds take ５ days！", "Refunds take 5 days!"),
        ("- one\n- two", "* one\n* two"),
        ("## Refunds\n\ntake 5 days", "Refunds take 5 days"),
        ("You can’t return it", "You can't return it"),
        ("See [Refunds](refunds.md).", "See Refunds"),
        ("A fee of $1,500", "a fee of $1500"),
        ("30–45 days", "30 - 45 days"),
        ("a non-refundable fee", "a non refundable fee"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "|a|b|\n| :-- | :-: |\n|1|2|"),
        ("<b>Refunds</b> take<br>5 days", "Refunds take 5 days"),
        ("Re\u200bfunds take 5\u00a0days", "Refunds take 5 days"),
        ("> Refunds take 5 days", "Refunds take 5 days"),
    ],
)
def test_the_way_a_text_is_written_does_not_change_its_key(one: str, other: str) -> None:
    assert text_key(one) == text_key(other) != ""
    assert nearly_same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("within 30 days", "within 45 days"),
        ("a fee of 1.5 %", "a fee of 15 %"),
        ("a fee of .5 %", "a fee of 5 %"),
        ("a fee of 30", "a fee of 30 %"),
        ("a fee of $30", "a fee of €30"),
        ("10² boxes", "102 boxes"),
        ("1½ days", "11/2 days"),
        ("30 or 45 days", "3045 days"),
        ("-5 degrees", "5 degrees"),
        ("温度-5度", "温度5度"),
        ("<30 items", ">30 items"),
        ("30+ days", "30 days"),
        ("> 30 days: escalate", "30 days: escalate"),
        ("until 2026-11-30", "until 2026-11-03"),
        ("ask Ana", "ask Ben"),
        ("written in C#", "written in C"),
        ("you may return it", "you must return it"),
        ("you can return it", "you can't return it"),
        ("what we're", "what were"),
        ("No, returns are accepted", "No returns are accepted"),
        ("不，可以退货", "不可以退货"),
        ("可以退货", "不可以退货"),
        ("[x] signed by the owner", "[ ] signed by the owner"),
        ("| A | | 5 |", "| A | 5 | |"),
        ("~~30 days~~ 45 days", "30 days 45 days"),
        ("Is it refundable?", "It is refundable"),
        ("re-sign the form", "resign the form"),
        ("The offer was valid", "The offer is valid"),
        ("कि", "की"),
    ],
)
def test_a_difference_in_what_is_said_is_a_difference_of_keys(one: str, other: str) -> None:
    assert text_key(one) != text_key(other)
    assert not nearly_same(one, other)


@pytest.mark.parametrize("text", ["", "  \n", "---", "| | |", "***", "。，"])
def test_a_text_without_words_is_the_same_as_nothing(text: str) -> None:
    assert text_key(text) == ""
    assert not nearly_same(text, text)


WORDS = st.lists(
    st.sampled_from(["coat", "30", "45", "days", "not", "may", "$", "Ana", "退", "货", "1.5", "?"]),
    min_size=1,
    max_size=8,
)


@given(words=WORDS, others=WORDS, gap=st.sampled_from([" ", "\n", "  ", " \u3000"]))
def test_keys_are_equal_only_for_the_same_words_in_order(
    words: list[str], others: list[str], gap: str
) -> None:
    assert text_key(" ".join(words)) == text_key(gap.join(words).upper())
    if words != others and text_key(" ".join(words)):
        assert text_key(" ".join(words)) != text_key(" ".join(others))


@given(text=st.text(max_size=200), other=st.text(max_size=200))
def test_any_text_has_a_key_that_does_not_depend_on_what_is_around_it(
    text: str, other: str
) -> None:
    assert text_key(text) == text_key(f"\n {text}\n")
    assert likeness(text, text) == ("same" if text_key(text) else "different")
    if likeness(text, other) == "same":
        assert nearly_same(text, other)
        assert likeness(other, text) == "same"


def test_spelling_plurals_and_numbers_in_words_are_nearly_the_same() -> None:
    for other in (
        "The unworn coat may be returned within thirty days of delivery if their tag are still "
        "attached.",
        "Please note that unworn coats may be returned within 30 days of the delivery if their "
        "tags are still attached",
    ):
        assert text_key(other) != text_key(RULE)
        assert nearly_same(other, RULE)
        assert likeness(other, RULE) == "nearly_same"
    assert nearly_same("We organise cancelled orders.", "We organize canceled orders")
    assert nearly_same("退货期限为三十天", "退货期限为 30 天")
    assert not nearly_same("five one-day passes", "six day passes")
    assert not nearly_same("这十分重要", "这 10 分重要")


def test_who_does_what_to_whom_is_not_overlooked() -> None:
    assert not nearly_same("the buyer pays the seller", "the seller pays the buyer")


def test_the_difference_between_versions_is_named() -> None:
    other = RULE.replace("30", "45")
    assert likeness(RULE, other) == "differs_in_values"
    assert differences(RULE, other) == (("30 days", "45 days"),)
    assert likeness(RULE, RULE.replace("may be", "may not be")) == "differs_in_values"
    assert likeness(RULE, RULE.replace("delivery", "arrival")) == "reworded"
    assert likeness(RULE, "Gift cards never expire.") == "different"
    assert likeness("Returns: 30 days.", "Returns: 60 days.") == "differs_in_values"


def test_values_are_compared_across_units_and_languages_of_writing() -> None:
    assert same_values("Pay within two weeks.", "Pay within 14 days.")
    assert not same_values("Pay within 14 days.", "Pay within 15 days.")
    assert not same_values("Pay within 14 days.", "Pay at least 14 days before.")
    assert not same_values("You may pay.", "You must pay.")


def test_copies_become_one_passage_with_several_sources() -> None:
    faq = a_candidate(document="faq-v1", rank=1, score=0.9, similarity=0.7)
    policy = a_candidate(
        f"**{RULE}**",
        document="returns-v4",
        authority="official_policy",
        rank=3,
        score=0.4,
        lexical_rank=None,
        vector_rank=2,
    )
    other = a_candidate("Gift cards never expire.", document="cards-v1", rank=2)
    kept, alone = collapse([faq, other, policy])
    assert (kept.document_id, kept.text) == ("returns-v4", policy.text)
    assert (kept.rank, kept.score, kept.lexical_rank, kept.vector_rank) == (1, 0.9, 1, 2)
    assert kept.similarity == 0.7
    assert [(same.document_id, same.authority) for same in kept.also_in] == [("faq-v1", "faq")]
    assert alone == other


def test_a_superseded_copy_never_hides_one_in_force() -> None:
    old = a_candidate(document="returns-v1", authority="official_policy", status="superseded")
    new = a_candidate(document="faq-v2", authority="faq", rank=9)
    (kept,) = collapse([old, new])
    assert kept.document_id == "faq-v2"
    assert [(same.document_id, same.status) for same in kept.also_in] == [
        ("returns-v1", "superseded")
    ]


def test_on_a_past_day_the_version_valid_then_is_kept() -> None:
    old = a_candidate(
        document="returns-v1",
        status="superseded",
        valid_from=date(2024, 1, 1),
        valid_to=date(2025, 1, 1),
    )
    new = a_candidate(document="returns-v2", valid_from=date(2025, 1, 1))
    assert collapse([new, old], on=date(2024, 6, 1))[0].document_id == "returns-v1"
    assert collapse([new, old], on=date(2025, 1, 1))[0].document_id == "returns-v2"
    assert collapse([old, new])[0].document_id == "returns-v2"


def test_of_equals_the_newest_reviewed_is_kept_then_the_best_ranked() -> None:
    first = a_candidate(document="a-v1", last_reviewed=date(2026, 1, 1), rank=1)
    newer = a_candidate(document="b-v1", last_reviewed=date(2026, 5, 1), rank=2)
    last = a_candidate(document="c-v1", last_reviewed=date(2026, 5, 1), rank=3)
    (kept,) = collapse([last, first, newer])
    assert kept.document_id == "b-v1"
    assert len(kept.also_in) == 2


def test_a_signed_copy_stands_before_an_unsigned_one() -> None:
    unsigned = a_candidate(document="a-v1", signed=False, authority="official_policy")
    signed = a_candidate(document="b-v1", authority="faq", rank=2)
    assert collapse([unsigned, signed])[0].document_id == "b-v1"


def test_tenants_values_records_and_headers_keep_copies_apart() -> None:
    mine, theirs = a_candidate(), a_candidate(tenant_id="other", document="theirs-v1")
    assert collapse([mine, theirs]) == (mine, theirs)
    changed = a_candidate(RULE.replace("30", "45"), document="returns-v2")
    assert collapse([mine, changed]) == (mine, changed)
    rows = [a_candidate(document=f"row-{n}", retrieval_source="record") for n in (1, 2)]
    assert collapse(rows) == tuple(rows)
    for scope in ({"region": "UK"}, {"scope_note": "only for members"}):
        special = a_candidate(document="special-v1", **scope)
        assert collapse([mine, special]) == (mine, special)
    headed = [
        a_candidate("| 30 | 45 |", document=f"t-v{n}", text_key=text_key(f"header {n}"))
        for n in (1, 2)
    ]
    assert collapse(headed) == tuple(headed)


def test_collapsing_twice_changes_nothing() -> None:
    copies = [a_candidate(document=f"d-v{n}", rank=n) for n in range(1, 5)]
    once = collapse([*copies, a_candidate("Gift cards never expire.", document="c-v1")])
    assert collapse(once) == once
    assert len(once[0].also_in) == 3
