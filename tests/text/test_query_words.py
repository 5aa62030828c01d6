"""What a passage holds of a query's words."""

from __future__ import annotations

import pytest

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
    assert QueryWords("gift card balance").pair_share(text) == share


def test_names_and_numbers_count_by_themselves() -> None:
    query = QueryWords("does Amazon match the price of 499?")
    assert query.name_share("Amazon asks 499 for it") == 1.0
    assert query.name_share("Amazon asks 450 for it") == 0.5
    assert QueryWords("does a shop match the price?").name_share("Amazon") == 0.0


def test_a_query_without_words_finds_nothing() -> None:
    query = QueryWords("? the")
    assert (query.pair_share("the"), query.name_share("the")) == (0.0, 0.0)
    assert query.matched("the") == ((), ())
