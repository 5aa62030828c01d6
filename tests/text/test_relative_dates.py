"""Days named by their distance from the day of writing or from something that happened."""

from __future__ import annotations

from datetime import date

import pytest

from core.text.anchored_dates import anchored_dates, anchors_in, anchors_of
from core.text.dates import find_dates
from tests.stages.language_builders import an_enforcement_case, planned, turns

MONDAY = date(2026, 11, 30)


def days(first: str, last: str = "") -> tuple[date, date]:
    return date.fromisoformat(first), date.fromisoformat(last or first)


NAMED: tuple[tuple[str, tuple[date, date]], ...] = (
    ("I ordered it three weeks ago", days("2026-11-09")),
    ("it arrived last Tuesday", days("2026-11-24")),
    ("I bought it yesterday", days("2026-11-29")),
    ("it came the day before yesterday", days("2026-11-28")),
    ("I paid two months ago", days("2026-09-01", "2026-09-30")),
    ("it arrived on Friday", days("2026-11-27")),
    ("it arrived on Friday evening", days("2026-11-27")),
    ("will it be here on Friday?", days("2026-12-04")),
    ("I got it this morning", days("2026-11-30")),
    ("I bought it last weekend", days("2026-11-28", "2026-11-29")),
    ("a couple of weeks ago I returned it", days("2026-11-16")),
    ("I sent it a fortnight ago", days("2026-11-16")),
    ("I need it by next Monday", days("2026-12-07")),
    ("it has been stuck since last Friday", days("2026-11-27")),
    ("placed on 11/20/2026", days("2026-11-20")),
    ("placed on 20.11.2026", days("2026-11-20")),
    ("I bought it at the end of October", days("2026-10-21", "2026-10-31")),
    ("in early December", days("2026-12-01", "2026-12-10")),
    ("the week before last", days("2026-11-16", "2026-11-22")),
    ("twelve days ago", days("2026-11-18")),
    ("half a year ago", days("2026-05-01", "2026-05-31")),
    ("on the 5th of last month", days("2026-10-05")),
    ("last night", days("2026-11-29")),
    ("上周三收到的", days("2026-11-25")),
    ("三周前买的", days("2026-11-09")),
    ("大前天下的单", days("2026-11-27")),
    ("上个月5号买的", days("2026-10-05")),
    ("本周五能到吗", days("2026-12-04")),
    ("半个月前买的", days("2026-11-15")),
    ("星期二送到的", days("2026-11-24")),
    ("去年12月买的", days("2025-12-01", "2025-12-31")),
    ("二十天前买的", days("2026-11-10")),
)


@pytest.mark.parametrize(("text", "interval"), NAMED)
def test_a_day_is_counted_from_the_day_of_writing(text: str, interval: tuple[date, date]) -> None:
    assert [(d.start, d.end) for d in find_dates(text, today=MONDAY)] == [interval]


@pytest.mark.parametrize(
    "text",
    [
        "Can I return it within 30 days?",
        "I have waited for two weeks",
        "Do you deliver in three days?",
        "on Black Friday",
        "May I return it?",
        "Are you open 24/7?",
        "I am size 12, is version 3.2 the newest?",
        "I saw it on Sunday Times",
        "I may march in",
        "placed on 05/06/2026",
        "7天内可以退吗",
        "每周五发货吗",
    ],
)
def test_a_length_a_name_or_a_number_is_no_day(text: str) -> None:
    assert find_dates(text, today=MONDAY) == ()


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I opened it the day after it arrived", date(2026, 11, 21)),
        ("I noticed it two days after delivery", date(2026, 11, 22)),
        ("I saw the advert a week before I bought it", date(2026, 11, 2)),
        ("It broke the very day it arrived", date(2026, 11, 20)),
        ("签收后第二天发现坏了", date(2026, 11, 21)),
        ("收到后三天", date(2026, 11, 23)),
    ],
)
def test_a_day_is_counted_from_what_happened(text: str, day: date) -> None:
    said = ["My parcel arrived on 20 November.", "I bought it three weeks ago."]
    anchors = anchors_in([(s, MONDAY) for s in said])
    assert [d.start for d in anchored_dates(text, anchors)] == [day]


def test_what_did_not_happen_dates_nothing() -> None:
    said = ["It should have arrived on 20 November.", "没有在11月20日收到"]
    assert anchors_in([(s, MONDAY) for s in said]) == {}
    assert anchored_dates("the day after it arrived", {}) == ()


def test_a_case_gives_the_days_its_fields_name() -> None:
    fields = {"delivered_on": "2026-11-18", "placed_on": "soon"}
    assert anchors_of(fields) == {"delivered": date(2026, 11, 18)}
    case = an_enforcement_case(fields={"order": "A-10305", "delivered_on": "2026-11-18"})
    plan = planned("I bought it two days after delivery. Can I return it?", case)
    assert plan.temporal.event_date == date(2026, 11, 20)


def test_yesterday_counts_from_the_day_the_message_was_written() -> None:
    plan = planned("I bought a coat yesterday. Can I return it?", said_on=date(2026, 11, 20))
    assert plan.temporal.event_date == date(2026, 11, 19)
    assert plan.temporal.asked_date == MONDAY


def test_an_earlier_message_says_when_it_arrived() -> None:
    plan = planned(
        "I bought a lamp the day after it arrived. Can I return the lamp?",
        history=turns("My parcel arrived on 20 November.", "Good."),
    )
    assert plan.temporal.event_date == date(2026, 11, 21)
