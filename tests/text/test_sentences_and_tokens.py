"""Sentences keep their place; words keep their sense."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.language import cjk_share, detect_language
from core.text.sentences import split_sentences
from core.text.similarity import overlap, term_coverage
from core.text.tokens import content_words, stem, words

_PAGE = """# Returns

Items can be returned within 30 days of
delivery. See Mr. Smith.
- one thing
- two things. A third
| method | price |
|---|---|
| standard | $6.95 |
1. Open the app
2. Tap Go

退货期为30天。三十天!"""


def test_headings_lists_rows_and_line_breaks_end_a_sentence_and_wrapped_prose_does_not() -> None:
    assert [span.text for span in split_sentences(_PAGE)] == [
        "Returns",
        "Items can be returned within 30 days of\ndelivery.",
        "See Mr. Smith.",
        "one thing",
        "two things.",
        "A third",
        "method | price",
        "standard | $6.95",
        "Open the app",
        "Tap Go",
        "退货期为30天。",
        "三十天!",
    ]


@given(st.text(max_size=400))
def test_spans_are_exact_slices_in_order_whatever_the_text(text: str) -> None:
    last = 0
    for span in split_sentences(text):
        assert text[span.start : span.end] == span.text
        assert last <= span.start < span.end
        last = span.end


@given(st.text(alphabet=st.sampled_from("Ab1.。!?\n\r|#- *·（)“,、$%天"), max_size=200))
def test_no_letter_or_digit_is_lost_but_those_of_list_markers(text: str) -> None:
    covered = {i for span in split_sentences(text) for i in range(span.start, span.end)}
    missing = {text[i] for i in range(len(text)) if text[i] in "天" and i not in covered}
    assert not missing


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("How long do I have?", "en"),
        ("小家电的保修期是多久？", "zh"),
        ("订单 A-10293 的 status 是什么", "zh"),
        ("これはペンです", "other"),
        ("Сколько дней?", "other"),
        ("12345", "en"),
        ("", "en"),
    ],
)
def test_the_language_is_told_by_script(text: str, language: str) -> None:
    assert detect_language(text) == language


def test_the_share_of_chinese_counts_letters_only() -> None:
    assert cjk_share("30天") == 1.0
    assert cjk_share("!!! 123") == 0.0


@pytest.mark.parametrize(
    "forms",
    [
        ("return", "returns", "returned", "returning"),
        ("expire", "expires", "expired", "expiring", "expiration"),
        ("ship", "ships", "shipped", "shipping", "shipment"),
        ("cancel", "cancelled", "cancels", "cancellation"),
        ("policy", "policies"),
        ("replace", "replaced", "replacement"),
        ("buy", "bought"),
    ],
)
def test_forms_of_a_word_share_a_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize(("a", "b"), [("ship", "shop"), ("late", "latest"), ("price", "prize")])
def test_different_words_keep_different_stems(a: str, b: str) -> None:
    assert stem(a) != stem(b)


def test_numbers_keep_decimals_and_lose_thousands_commas() -> None:
    assert words("It costs $6.95 or 1,500 points") == (
        "it",
        "costs",
        "6.95",
        "or",
        "1500",
        "points",
    )


def test_function_words_are_no_content_in_either_language() -> None:
    assert content_words("How long do I have to return the coat?") == ("long", "return", "coat")
    assert "退货" in content_words("请问我可以退货吗")
    assert content_words("请问可以吗") == ()


def test_coverage_is_the_weighted_share_of_the_query() -> None:
    assert term_coverage("return window", "The return period") == 0.5
    assert term_coverage("return window", "The return period", {"window": 3.0}) == 0.25
    assert term_coverage("the of", "anything") == 0.0


@given(st.text(max_size=120), st.text(max_size=120))
def test_overlap_is_symmetric_and_within_bounds(a: str, b: str) -> None:
    assert overlap(a, b) == overlap(b, a)
    assert 0.0 <= overlap(a, b) <= 1.0
    assert 0.0 <= term_coverage(a, b) <= 1.0
