"""Time, on the demo company: then, now, before the change, and before there was anything."""

from __future__ import annotations

import pytest

from core.models.trace import PipelineRun
from core.wiring import Office
from tests.company import ask

BEST_BUY_THEN = (
    "I bought it in May 2025. Which retailers did you price match then, and which do you match now?"
)


def versions(run: PipelineRun) -> set[str]:
    package = run.package
    return {e.candidate.document_id for e in package.all_evidence()} if package else set()


def test_then_and_now_are_both_answered_each_from_its_own_version(office: Office) -> None:
    run = ask(office, BEST_BUY_THEN, as_user="ana")
    then, now = run.answer.answer_markdown.split("\n\n")[1:3]
    assert then.startswith("Until 31 May 2025, version 2.0 of “Price match policy” applied")
    assert now.startswith("Since 1 June 2025, version 3.0 of “Price match policy” applies.")
    assert "Best Buy" in then
    assert "Best Buy" not in now
    assert run.judgement is not None
    assert run.judgement.contradictions == ()
    assert {c.support_status for c in run.claims} == {"supported"}


@pytest.mark.parametrize(
    "question",
    [
        "You used to match Best Buy. Do you still?",
        "What was the old price match policy?",
        "Has the price match policy changed since January 2025?",
    ],
)
def test_what_changed_is_found_in_the_stored_versions(office: Office, question: str) -> None:
    run = ask(office, question, as_user="ana")
    assert {"price-match-2.0", "price-match-3.0"} <= versions(run)
    assert run.plan is not None
    assert len(run.plan.temporal.compared) == 2
    then, now = run.answer.answer_markdown.split("Since 1 June 2025")
    assert ("Best Buy" in then, "Best Buy" in now) == (True, False)


def test_a_day_before_every_version_is_not_answered_with_todays(office: Office) -> None:
    run = ask(office, "Did you match Best Buy in 2019?", as_user="ana")
    assert run.answer.status == "insufficient_evidence"
    assert versions(run) == set()
    assert "“Price match policy, 1 November 2024”" in run.answer.answer_markdown
    assert not run.answer.citations


def test_each_day_is_searched_by_its_own_filter(office: Office) -> None:
    run = ask(office, BEST_BUY_THEN, as_user="ana")
    assert run.retrieval_plan is not None
    search = run.retrieval_plan
    days = {(f.valid_on.isoformat(), f.include_past_versions) for f in search.other_days}
    assert (search.filters.valid_on.year, search.filters.include_past_versions) == (2026, False)
    assert days == {("2025-05-31", True)}
    rights = {f.model_copy(update={"valid_on": search.filters.valid_on, "include_past_versions":
              False}) for f in search.other_days}  # fmt: skip
    assert rights == {search.filters}
