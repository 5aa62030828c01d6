"""Which approved replies lean on which version, and how much that is asked for."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import Engine

from core.adapters.sql_reverse_ledger import SqlReverseLedger
from core.adapters.sql_review_store import SqlReviewStore
from core.knowledge.store import Demand
from tests.adapters.builders import approved
from tests.contracts.builders import (
    TENANT,
    a_flag,
    an_outbox_item,
)
from tests.fakes.fixed_clock import DEMO_DAY, FixedClock


@pytest.fixture
def ledger(engine: Engine) -> SqlReverseLedger:
    return SqlReverseLedger(engine)


def test_demand_counts_replies_once_and_weighs_them_by_risk(
    ledger: SqlReverseLedger, engine: Engine
) -> None:
    approved(engine, "1", "returns-1", "returns-1", "shipping-1")
    approved(engine, "2", "returns-1", risk="high")
    approved(engine, "3", "returns-1", at=DEMO_DAY - timedelta(days=31))
    approved(engine, "4", "returns-1", tenant_id="other")
    assert ledger.demand(TENANT, since=DEMO_DAY - timedelta(days=30)) == {
        "returns-1": Demand(replies=2, weighted=4),
        "shipping-1": Demand(replies=1, weighted=1),
    }


def test_replies_name_the_case_and_the_passages(ledger: SqlReverseLedger, engine: Engine) -> None:
    approved(engine, "1", "returns-1")
    approved(engine, "2", "returns-1", "shipping-1")
    newest, oldest = ledger.replies("returns-1")
    assert (newest.case_id, oldest.case_id) == ("2", "1")
    assert newest.chunk_ids == ("returns-1#0",)
    assert (newest.subject, newest.approved_by) == ("Coat from the sale", "ana")
    assert ledger.replies("unused-1") == ()


def test_an_undone_reply_is_no_demand(ledger: SqlReverseLedger, engine: Engine) -> None:
    approved(engine, "1", "returns-1")
    undone = an_outbox_item(case_id="1", disposition_id="disp_1", state="cancelled")
    with SqlReviewStore(engine, FixedClock()).write() as change:
        change.add_outbox(undone)
    assert ledger.demand(TENANT, since=DEMO_DAY) == {}
    assert ledger.replies("returns-1") == ()


def test_flags_are_read_by_source(ledger: SqlReverseLedger, engine: Engine) -> None:
    with SqlReviewStore(engine, FixedClock()).write() as change:
        change.add_flag(a_flag())
    assert ledger.flags(TENANT, "returns") == (a_flag(),)
    assert ledger.flags(TENANT, "shipping") == ()
