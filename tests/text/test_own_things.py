"""The question asked for the kind of the thing the asker has."""

from __future__ import annotations

import pytest

from core.text.own_things import of_its_kind


@pytest.mark.parametrize(
    ("question", "for_its_kind"),
    [
        ("How long can I return a coat?", "How long can I return an item?"),
        ("Can I exchange my lamp in a store?", "Can I exchange an item in a store?"),
        (
            "Until when can I return the jacket I bought online?",
            "Until when can I return an item I bought online?",
        ),
    ],
)
def test_a_thing_of_the_askers_own_is_an_item(question: str, for_its_kind: str) -> None:
    asked = of_its_kind(question)
    assert asked is not None
    assert asked[0] == for_its_kind


@pytest.mark.parametrize(
    "question",
    [
        "How long does a refund take?",
        "Can I return a gift card?",
        "Where is my order?",
        "How can I pay?",
        "Is a coat for my brother or a hat of my sister cheaper?",
        "",
    ],
)
def test_what_has_rules_of_its_own_or_is_not_one_thing_stays(question: str) -> None:
    assert of_its_kind(question) is None
