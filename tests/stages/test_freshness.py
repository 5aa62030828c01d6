"""Freshness in words a person can check."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from core.stages.freshness import freshness, freshness_state
from tests.stages.drafting_builders import TODAY, an_evidence


@pytest.mark.parametrize(
    ("age", "state"),
    [(0, "fresh"), (76, "fresh"), (77, "due_soon"), (90, "due_soon"), (91, "stale")],
)
def test_the_state_follows_the_review_promise_to_the_day(age: int, state: str) -> None:
    assert freshness_state(TODAY - timedelta(days=age), 90, TODAY) == state


def test_never_reviewed_is_unknown_and_says_so() -> None:
    assert freshness_state(None, 90, TODAY) == "unknown"
    (line,) = freshness([an_evidence("x", last_reviewed=None)], today=TODAY)
    assert line.message == "never reviewed"


def test_a_stale_source_says_by_how_many_days() -> None:
    (line,) = freshness([an_evidence("x", last_reviewed=TODAY - timedelta(days=200))], today=TODAY)
    assert (line.state, line.days_past_due) == ("stale", 110)
    assert line.message == "past its review date by 110 days"


def test_the_sources_own_sla_counts() -> None:
    item = an_evidence("x", last_reviewed=TODAY - timedelta(days=40), review_sla_days=30)
    (line,) = freshness([item], today=TODAY)
    assert line.message == "past its review date by 10 days"


def test_a_superseded_version_is_flagged_with_what_replaced_it() -> None:
    item = an_evidence("x", document_id="price-2", last_reviewed=TODAY)
    (line,) = freshness([item], today=TODAY, replaced_by={"price-2": ("Price match 3.0", None)})
    assert line.superseded
    assert line.message == "reviewed today; superseded by Price match 3.0"


def test_a_version_still_to_come_is_announced_and_supersedes_nothing_yet() -> None:
    item = an_evidence("x", document_id="price-2", last_reviewed=TODAY)
    coming = {"price-2": ("price-3", date(2027, 1, 1))}
    (line,) = freshness([item], today=TODAY, replaced_by=coming)
    assert not line.superseded
    assert line.message == "reviewed today; price-3 replaces it from 2027-01-01 on"
    (later,) = freshness([item], today=date(2027, 1, 1), replaced_by=coming)
    assert later.superseded


def test_a_version_stored_as_superseded_is_flagged_without_help() -> None:
    item = an_evidence("x", status="superseded", valid_to=date(2025, 6, 1))
    (line,) = freshness([item], today=TODAY)
    assert line.superseded
    assert line.message.endswith("superseded on 2025-06-01")


def test_one_line_a_document_and_none_for_records() -> None:
    same = [an_evidence("x", n, document_id="doc") for n in (1, 2)]
    row = an_evidence("Order A-1", 3, retrieval_source="record")
    assert [w.evidence_id for w in freshness([*same, row], today=TODAY)] == ["EVID-0001"]
