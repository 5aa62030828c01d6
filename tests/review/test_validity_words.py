"""What an evidence card says of the days its version held on."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from core.models.plan import QueryPlan, TemporalContext
from core.review.days import validity_words
from tests.stages.drafting_builders import TODAY, a_candidate, a_plan, in_the_past

THEN = date(2025, 5, 31)
CHANGE = date(2025, 6, 1)
COMING = date(2027, 1, 1)
OLD: dict[str, Any] = {
    "status": "superseded", "valid_from": date(2024, 11, 1), "valid_to": CHANGE
}  # fmt: skip


def comparing(*days: date) -> QueryPlan:
    return a_plan(
        "How long?",
        temporal=TemporalContext(asked_date=TODAY, effective_policy_date=TODAY, compared=days),
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (OLD, "valid then (31 May 2025)"),
        ({"valid_from": CHANGE}, "valid now, since 1 June 2025"),
        ({"valid_from": date(2020, 1, 1)}, "valid then and now"),
    ],
)
def test_a_card_says_for_which_of_two_days_its_version_speaks(
    fields: dict[str, Any], words: str
) -> None:
    found = validity_words(a_candidate("x", **fields), comparing(THEN, TODAY))
    assert found == (words,)


def test_a_version_still_to_come_is_said_to_be_one() -> None:
    coming = a_candidate("x", valid_from=COMING)
    assert validity_words(coming, comparing(TODAY, COMING)) == ("valid from 1 January 2027",)


def test_a_past_day_is_named_and_today_needs_no_word() -> None:
    past = a_plan("How long?", temporal=in_the_past(THEN))
    assert validity_words(a_candidate("x", **OLD), past) == ("valid on 31 May 2025",)
    assert validity_words(a_candidate("x", valid_from=CHANGE), a_plan("How long?")) == ()


def test_records_and_undated_texts_have_no_days() -> None:
    plan = comparing(THEN, TODAY)
    assert validity_words(a_candidate("x"), plan) == ()
    row = a_candidate("x", retrieval_source="record", valid_from=CHANGE)
    assert validity_words(row, plan) == ()
    assert validity_words(a_candidate("x", **OLD), None) == ()
