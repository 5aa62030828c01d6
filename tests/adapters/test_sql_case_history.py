"""A customer's cases and a case's decisions, over both databases, within one company."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from sqlalchemy import Engine

from core.adapters.sql_case_files import SqlCaseFiles
from core.adapters.sql_review_store import SqlReviewStore
from core.lookups.cases import case_lookup, earlier_lookup
from core.models.review import Case, Disposition
from core.tools.toolbox import Toolbox
from tests.contracts.builders import TENANT, a_case
from tests.fakes.fixed_clock import FixedClock
from tests.stages.language_builders import rights

SPAN = {"since": date(2026, 9, 1), "until": date(2026, 11, 30)}


def _case(number: str, customer: str, day: int, **more: object) -> Case:
    at = datetime(2026, 11, day, 9, tzinfo=UTC)
    return a_case(case_id=number, customer_id=customer, opened_at=at, **more)


@pytest.fixture
def files(engine: Engine) -> SqlCaseFiles:
    with SqlReviewStore(engine, FixedClock()).write() as change:
        change.add_case(_case("1", "88", 20))
        change.add_case(_case("2", "C-0088", 10))
        change.add_case(_case("3", "188", 12))  # another customer, whose number ends alike
        change.add_case(_case("4", "88", 15, tenant_id="borealis"))
        change.add_case(
            a_case(case_id="5", customer_id="88", opened_at=datetime(2026, 1, 2, tzinfo=UTC))
        )
        change.add_disposition(
            Disposition(
                disposition_id="d1",
                case_id="1",
                kind="escalate",
                by="sam",
                at=datetime(2026, 11, 21, 9, tzinfo=UTC),
                reason="policy_exception",
            )
        )
    return SqlCaseFiles(engine)


def test_a_customers_cases_are_found_by_either_form_of_the_number_oldest_first(
    files: SqlCaseFiles,
) -> None:
    for number in ("88", "C-0088"):
        assert [c.case_id for c in files.of_customer(TENANT, number, **SPAN)] == ["2", "1"]
    assert [c.case_id for c in files.of_customer("borealis", "88", **SPAN)] == ["4"]
    assert files.of_customer(TENANT, "", **SPAN) == ()
    assert files.of_customer(TENANT, "%", **SPAN) == ()


def test_decisions_are_read_within_the_cases_company_only(files: SqlCaseFiles) -> None:
    assert [d.by for d in files.decisions(TENANT, "1")] == ["sam"]
    assert files.decisions("borealis", "1") == ()


def test_the_tools_state_decisions_and_other_cases_as_sentences(files: SqlCaseFiles) -> None:
    day = date(2026, 11, 30)
    toolbox = Toolbox([case_lookup(files), earlier_lookup(files, lambda: day)])
    rows = toolbox.call("get_case", rights("agent"), {"case_id": "1"}).answer.rows
    said = {row.source_uri: row.text for row in rows}
    assert said["case:1/decision/d1"] == (
        "On 21 November 2026 sam escalated the case, because: policy exception."
    )
    given = {"customer_id": "88", "days": 90, "except_case": "1"}
    (row,) = toolbox.call("earlier_cases", rights("agent"), given).answer.rows
    assert row.metadata["case_id"] == "2"
    assert "was opened on 10 November 2026" in row.text
    foreign = toolbox.call("get_case", rights("agent"), {"case_id": "4"}).call
    assert foreign.outcome == "not_found"
