"""What a passage holds of a query's words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.query_words import QueryWords


def test_the_words_found_and_missing_are_shown_as_they_were_written() -> None:
    held, lacked = QueryWords("Returning winter coats in Canada?").matched("Coats may be returned.")
    assert held == ("Returning", "coats")
    assert lacked == ("winter", "Canada")


def test_chinese_words_count_by_pairs_of_characters() -> None:
    held, lacked = QueryWords("礼品卡 退货").matched("礼品卡永不过期。")
    assert (held, lacked) == (("礼品卡",), ("退货",))


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("a gift card balance", 1.0),
        ("a gift wrapped for friends, a card, check its balance", 0.5),
        ("card balance", 0.5),
        ("nothing of it", 0.0),
    ],
)
def test_neighbouring_words_count_where_they_stand_together(text: str, share: float) -> None:
    assert QueryWords("gift card balance").shares(text).pairs == share


def test_names_and_numbers_count_by_themselves() -> None:
    query = QueryWords("does Amazon match the price of 499?")
    assert query.shares("Amazon asks 499 for it").names == 1.0
    assert query.shares("Amazon asks 450 for it").names == 0.5
    assert QueryWords("does a shop match the price?").shares("Amazon").names == 0.0


def test_a_query_without_words_finds_nothing() -> None:
    query = QueryWords("? the")
    assert query.shares("the") == (0.0, 0.0)
    assert query.matched("the") == ((), ())


@given(text=st.text(alphabet="aeinrst-'’ .,:0123456789_SXé\n", max_size=60))
def test_a_text_holds_all_of_itself(text: str) -> None:
    """Texts are read by a faster way than queries; both must see the same words."""
    query = QueryWords(text)
    assert query.shares(text) == (float(bool(query.pairs)), float(bool(query.names)))
