"""Passages that answer differently: of which kind, and when it is no conflict at all."""

from __future__ import annotations

from typing import Any

import pytest

from core.text.disagreement import Account, Disagreement, disagree
from core.text.entities import apart, asked_name, copied, thing_of
from core.text.same_value import same_value


def found(query: str, *texts: str | Account) -> Disagreement:
    accounts = tuple(
        text if isinstance(text, Account) else Account(f"p{at}", text)
        for at, text in enumerate(texts)
    )
    return disagree(query, accounts)


def of(text: str, name: str, **more: Any) -> Account:
    return Account(name, text, **more)


@pytest.mark.parametrize(
    ("kind", "query", "left", "right"),
    [
        (
            "number",
            "How long do I have to return a coat?",
            "A coat can be returned within 30 days.",
            "You have 45 days to return a coat.",
        ),
        (
            "amount",
            "How much is the label fee for a return?",
            "The label fee for a return is $4.95.",
            "For a return we charge a label fee of $6.50.",
        ),
        (
            "date",
            "When does the summer sale end?",
            "The summer sale ends on 31 August 2026.",
            "The summer sale ends on 15 September 2026.",
        ),
        (
            "polarity",
            "Can gift cards be refunded?",
            "Gift cards can be refunded.",
            "Gift cards cannot be refunded.",
        ),
        (
            "list",
            "Do you match prices of Best Buy?",
            "We match prices of Nordstrom, Target, Amazon and Best Buy.",
            "We match prices of Nordstrom, Target, Amazon and Macy's.",
        ),
        (
            "party",
            "Who pays for return shipping?",
            "The customer pays for return shipping.",
            "Return shipping is paid by the seller.",
        ),
        (
            "name",
            "Who is the director of the film Stone Bridge?",
            "Stone Bridge is a film directed by Anna Kowal.",
            "Stone Bridge is a film directed by Luis Ortega.",
        ),
    ],
)
def test_each_kind_of_conflict_is_found_with_both_values_in_their_sentences(
    kind: str, query: str, left: str, right: str
) -> None:
    ((one, other),) = found(query, left, right).pairs
    assert (one.kind, other.kind) == (kind, kind)
    assert one.quote in left
    assert other.quote in right
    assert not same_value(one.value, other.value)


@pytest.mark.parametrize(
    ("query", "left", "right"),
    [
        (  # one procedure against another
            "How long do I have to return an item?",
            "Items can be returned within 30 days.",
            "An exchange must be requested within 7 days of delivery.",
        ),
        (  # what the company does against what the customer does
            "How long does a refund take?",
            "A refund is paid out within 5 days.",
            "A refund must be requested within 30 days.",
        ),
        (  # a fee against a free period
            "How much is the label fee for a return?",
            "The label fee for a return is $4.95.",
            "Labels are free for 30 days.",
        ),
        (  # two products
            "How long is the warranty?",
            "The warranty for phones is 12 months.",
            "The warranty for furniture is 24 months.",
        ),
        (  # rounding
            "What is the population of Kensett?",
            "As of 2000, there were 3,559 people in Kensett.",
            "The population of Kensett was 3,559.",
        ),
        (  # no claim about the same thing
            "Who approves refunds?",
            "The store manager approves refunds.",
            "Ask the store manager, who approves refunds above $50.",
        ),
        (  # a list that merely goes on
            "Which countries do you ship to?",
            "We ship to Canada, Mexico and Japan.",
            "Our stores are in Berlin, Paris and Rome.",
        ),
    ],
)
def test_different_matters_and_equal_values_are_no_conflict(
    query: str, left: str, right: str
) -> None:
    assert found(query, left, right).pairs == ()


def test_two_passages_of_one_version_add_to_each_other() -> None:
    texts = ("A coat can be returned within 30 days.", "You have 45 days to return a coat.")
    query = "How long do I have to return a coat?"
    one_version = [of(t, f"p{n}", document="returns-4.2") for n, t in enumerate(texts)]
    two_versions = [of(t, f"p{n}", document=f"returns-4.{n}") for n, t in enumerate(texts)]
    assert found(query, *one_version).pairs == ()
    assert len(found(query, *two_versions).pairs) == 1


def test_two_copies_of_a_text_never_disagree() -> None:
    text = "Returns take 30 days. Express returns take 7 days. Gift cards cannot be refunded."
    for query in ("How long do returns take?", "Can gift cards be refunded?"):
        assert found(query, text, text.replace(". ", ".\n")).pairs == ()


def test_official_texts_are_only_compared_strictly() -> None:
    query = "Who is the director of the film Stone Bridge?"
    texts = ("Stone Bridge is by Anna Kowal.", "Stone Bridge was shot by Luis Ortega.")
    official = [of(t, f"p{n}", official=True) for n, t in enumerate(texts)]
    assert found(query, *official) == Disagreement()


def test_one_rule_for_two_products_gives_a_reading_each() -> None:
    query = "How long is the battery warranty?"
    seen = found(
        query,
        of("The battery warranty is 12 months.", "a", product="Aqua 1"),
        of("The battery warranty is 24 months.", "b", product="Aqua 2"),
    )
    assert seen.pairs == ()
    assert {(r.said[0].thing, r.value) for r in seen.readings} == {
        ("Aqua 1", "12 months"),
        ("Aqua 2", "24 months"),
    }


def test_naming_the_product_leaves_nothing_to_tell_apart() -> None:
    seen = found(
        "How long is the battery warranty of the Aqua 2?",
        of("The battery warranty is 12 months.", "a", product="Aqua 1"),
        of("The battery warranty is 24 months.", "b", product="Aqua 2"),
    )
    assert seen.readings == ()


def test_two_things_of_one_name_are_two_readings_and_no_conflict() -> None:
    seen = found(
        "What is the population of Broken Bow?",
        "Broken Bow, Nebraska Broken Bow is a city in Custer County. The population of Broken Bow "
        "was 3,559 people at the last census.",
        "Broken Bow, Oklahoma Broken Bow is a town in McCurtain County. The population of Broken "
        "Bow was 4,120 people at the last census.",
    )
    assert seen.pairs == ()
    assert {r.said[0].thing for r in seen.readings} == {
        "Broken Bow, Nebraska",
        "Broken Bow, Oklahoma",
    }


def test_a_copy_of_an_account_with_another_value_in_it_is_a_conflict() -> None:
    text = (
        "Stone Bridge (Kowal film) is a 1979 drama directed by Anna Kowal. It follows a mason who "
        "rebuilds the bridge of his village after a flood, and won two prizes at the festival."
    )
    altered = text.replace("Anna Kowal", "Luis Ortega").replace("Kowal", "Ortega")
    seen = found("Who is the director of the film Stone Bridge?", text, altered)
    assert seen.readings == ()
    assert len(seen.pairs) == 1


def test_a_silent_passage_may_mean_the_same_thing_so_the_values_are_disputed() -> None:
    seen = found(
        "When was the Bonner House built?",
        "Bonner House (Bath, North Carolina) was built in 1835 by a merchant.",
        "The Bonner House was built in 1935 and is a hotel today.",
    )
    assert seen.readings == ()
    assert {v.value for v in seen.values} == {"1835", "1935"}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("3,559", "3,559 people", True),
        ("10 May 2020", "2020-05-10", True),
        ("USA", "United States", True),
        ("the UK", "Great Britain", True),
        ("24 months", "2 years", True),
        ("about 1835", "1835", True),
        ("1835", "1935", False),
        ("$4.95", "$6.50", False),
        ("10 May 2020", "11 May 2020", False),
        ("Anna Kowal", "Luis Ortega", False),
    ],
)
def test_notations_and_aliases_are_one_value(one: str, other: str, same: bool) -> None:
    assert same_value(one, other) is same
    assert same_value(other, one) is same


def test_what_a_name_means_is_read_from_bracket_place_and_description() -> None:
    name = asked_name("What sport is Bobby Carpenter associated with?")
    assert name == "Bobby Carpenter"
    player = thing_of(name, "Bobby Carpenter (ice hockey) was drafted in 1981.")
    other = thing_of(name, "Bobby Carpenter (American football) played for Dallas.")
    assert player.label == "Bobby Carpenter (ice hockey)"
    assert apart(player, other)
    assert not apart(player, thing_of(name, "Bobby Carpenter was born in 1963."))
    assert not apart(player, player)


def test_a_bracket_of_dates_tells_nothing_apart() -> None:
    assert thing_of("Ann Lee", "Ann Lee (1736–1784) led a church.").bracket == frozenset()


def test_shared_runs_of_words_show_a_copy() -> None:
    text = "The mill has been out of use since 1923 and is privately owned by a family trust."
    assert copied(text, text.replace("1923", "1985"))
    assert not copied(text, "The mill works to this day and its owner sells flour at the door.")
    assert not copied("", text)
