"""Which days' rules a question asks for, and what it asks without naming them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.plan import Dimension
from core.text.dates import find_dates
from core.text.days_compared import about_purchase
from core.text.moments import Moment, moment
from core.text.questions import asks
from core.text.timeless import at_last_dated, for_each_day, matters, with_statement, without_days

TODAY = date(2026, 11, 30)


def asked(text: str) -> Moment:
    return moment(text, find_dates(text, today=TODAY), today=TODAY)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        (
            "I bought it in May 2025 when the window was different; what applies to me and what is "
            "the rule now?",
            (date(2025, 5, 31), TODAY),
        ),
        ("Has the return policy changed since 2024?", (date(2024, 1, 1), TODAY)),
        ("How much was shipping in 2024 compared to today?", (date(2024, 12, 31), TODAY)),
        ("Did the fee change between 1 May 2019 and today?", (date(2019, 5, 1), TODAY)),
        ("Last year the window was 30 days, what is it now?", (date(2025, 12, 31), TODAY)),
        ("In December 2024 you matched Best Buy. Do you still?", (date(2024, 12, 31), TODAY)),
        (
            "What was the fee on 1 May 2019 and on 2 June 2020?",
            (date(2019, 5, 1), date(2020, 6, 2)),
        ),
        ("What will the return window be from 1 January 2027?", (TODAY, date(2027, 1, 1))),
        ("2024年12月你们的退货规定是什么？现在呢？", (date(2024, 12, 31), TODAY)),
    ],
)
def test_two_days_are_compared(text: str, days: tuple[date, date]) -> None:
    found = asked(text)
    assert found.compared == days
    assert found.policy == max(d for d in days if d <= TODAY)
    assert not found.before_change


@pytest.mark.parametrize(
    "text",
    [
        "What was it before?",
        "You review reports within 72 hours. How long was it previously?",
        "What was the old price match policy?",
        "Which fee did you charge before the terms changed?",
        "You used to match Best Buy. Do you still?",
        "以前的政策是什么？",
    ],
)
def test_what_held_before_the_last_change_is_asked_for(text: str) -> None:
    found = asked(text)
    assert (found.compared, found.before_change) == ((TODAY,), True)


@pytest.mark.parametrize(
    "text",
    [
        "What do I need to do before returning it?",
        "I was here before. What is the return window?",
        "I bought a coat on 20 November. Can I return it now?",
        "How long is the return window now?",
        "I want delivery on 24 December 2026, is that possible?",
        "I will return it on 5 January 2027. Is that allowed?",
        "I ordered on 2 December 2025 and on 5 December 2025, where are they?",
        "I paid the old price. Can I get the difference?",
        "Can I return purchases made between 15 November and 31 December?",
    ],
)
def test_one_day_is_no_comparison(text: str) -> None:
    found = asked(text)
    assert (found.compared, found.before_change) == ((), False)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("How many days did verification take in 2021?", date(2021, 12, 31)),
        ("Which phone number could one call in 2018?", date(2018, 12, 31)),
        ("How quickly were reports reviewed in March 2021?", date(2021, 3, 31)),
        ("I cancelled on 15 March 2021. How long was my data kept?", date(2021, 3, 15)),
        ("What did a label cost last year?", date(2025, 12, 31)),
        ("According to the terms in force on 1 June 2018, who pays tax?", date(2018, 6, 1)),
    ],
)
def test_a_question_in_the_past_tense_is_about_the_rules_of_its_day(text: str, day: date) -> None:
    found = asked(text)
    assert (found.policy, found.current, found.compared) == (day, False, ())


@pytest.mark.parametrize(
    "text",
    [
        "Was the company founded in 1999?",
        "who won the world cup in 2014",
        "Did my order from 12 March 2024 ever ship?",
    ],
)
def test_a_fact_of_a_year_is_no_rule_of_that_year(text: str) -> None:
    assert asked(text).policy == TODAY


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        (
            "On 15 October 2020, how fast did you answer?",
            "How fast did you answer?",
        ),
        ("As of 14 December 2018, who pays?", "Who pays?"),
        ("Who had to pay tax under the rules in force on 1 June 2018?", None),
        ("What was the fee on 1 May 2019 and on 2 June 2020?", "What was the fee?"),
        ("2024年12月你们的退货规定是什么？", "你们的退货规定是什么？"),
        ("In 2019?", "In 2019?"),
    ],
)
def test_the_days_are_taken_out_of_the_wording(text: str, bare: str | None) -> None:
    expected = bare or "Who had to pay tax under the rules?"
    assert without_days(text, find_dates(text, today=TODAY)) == expected


def test_a_stretch_of_days_stays_for_a_rule_may_be_for_it() -> None:
    text = "Between 15 November and 31 December 2025, what was the window?"
    assert without_days(text, find_dates(text, today=TODAY)) == text


@pytest.mark.parametrize(
    ("text", "matter"),
    [
        ("Has the time you keep my data changed?", ("The time you keep my data",)),
        ("How fast did you answer, and how fast do you answer them?", ("How fast did you answer",)),
        ("What did a label cost, and what is the rule?", ("What did a label cost",)),
        ("What changed in the refund policy?", ("The refund policy",)),
    ],
)
def test_a_comparison_asks_each_matter_once(text: str, matter: tuple[str, ...]) -> None:
    assert matters(asks(text)) == matter


def test_an_ask_that_points_back_takes_the_rule_stated_before_it() -> None:
    question = "You review reports within 72 hours. What was it?"
    assert with_statement("What was it?", question).endswith("You review reports within 72 hours?")
    assert with_statement("What was the refund window?", question) == "What was the refund window?"


def test_each_day_gets_a_dimension_of_its_own_and_records_stay_single() -> None:
    rule = Dimension(id="D1", name="Window", query="window")
    row = Dimension(id="D2", name="order A-1", query="order A-1", kind="record")
    then = date(2025, 5, 1)
    made = for_each_day((rule, row), (then, TODAY), today=TODAY)
    assert [(d.id, d.name, d.valid_on) for d in made] == [
        ("D1", "Window (on 1 May 2025)", then),
        ("D2", "Window (today)", TODAY),
        ("D3", "order A-1", None),
    ]


def test_a_day_still_unknown_is_named_once_it_is_found() -> None:
    rule = Dimension(id="D1", name="Window", query="window")
    made = for_each_day((rule,), (TODAY,), today=TODAY, undated=True)
    assert [d.name for d in made] == ["Window (before the change)", "Window (today)"]
    dated = at_last_dated(made, date(2025, 5, 31))
    assert [(d.name, d.valid_on) for d in dated] == [
        ("Window (on 31 May 2025)", date(2025, 5, 31)),
        ("Window (today)", TODAY),
    ]


def test_only_what_becomes_of_a_purchase_is_decided_by_its_day() -> None:
    assert about_purchase("Can I still return it?")
    assert not about_purchase("How do I change my password?")


@given(st.text(max_size=160))
def test_any_text_has_a_moment_whose_policy_is_not_in_the_future(text: str) -> None:
    found = asked(text)
    assert found.policy <= TODAY
    assert not found.compared or found.question
