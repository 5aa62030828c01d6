"""The SQL review store keeps the desk's promises, on both databases."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, select, text

from core.adapters.sql_review_decisions import leaning_drafts, standing_approval
from core.adapters.sql_review_store import SqlReviewStore
from core.adapters.sql_runs import SqlRunStore
from core.adapters.sql_schema import dispositions
from tests.contracts.builders import (
    a_case,
    a_claim,
    a_disposition,
    a_draft,
    a_ledger,
    a_run,
    an_outbox_item,
)
from tests.contracts.review_store import ReviewStoreContract
from tests.fakes.fixed_clock import FixedClock


@pytest.fixture
def store(engine: Engine) -> SqlReviewStore:
    return SqlReviewStore(engine, FixedClock())


class TestSqlReviewStore(ReviewStoreContract):
    """Everything the contract asks."""


def _approve(store: SqlReviewStore) -> None:
    """A reply that cites EVID-0001 in its ledger and rests a claim on EVID-0002."""
    draft = a_draft(ledger=a_ledger("EVID-0001"), claims=(a_claim("EVID-0002"),))
    with store.write() as change:
        change.add_case(a_case())
        change.add_draft(draft)
        change.add_disposition(a_disposition())


@pytest.mark.parametrize("run_first", [True, False])
def test_the_reverse_ledger_finds_approvals_by_document(
    store: SqlReviewStore, engine: Engine, *, run_first: bool
) -> None:
    run = a_run("trace_1", "returns-1", "shipping-1", "unused-1")
    if run_first:
        SqlRunStore(engine).save_run(run)
    _approve(store)
    if not run_first:
        SqlRunStore(engine).save_run(run)
    with store.read() as look:
        assert look.citing_dispositions("returns-1") == (a_disposition(),)
        assert look.citing_dispositions("shipping-1") == (a_disposition(),)
        assert look.citing_dispositions("unused-1") == ()


def test_an_undone_approval_leans_on_nothing(store: SqlReviewStore, engine: Engine) -> None:
    SqlRunStore(engine).save_run(a_run("trace_1", "returns-1"))
    _approve(store)
    with store.write() as change:
        change.add_outbox(an_outbox_item(state="cancelled"))
    with store.read() as look:
        assert look.citing_dispositions("returns-1") == ()


def test_other_decisions_about_a_draft_are_no_approvals(
    store: SqlReviewStore, engine: Engine
) -> None:
    SqlRunStore(engine).save_run(a_run("trace_1", "returns-1"))
    _approve(store)
    with store.write() as change:
        change.add_disposition(a_disposition("disp_2", kind="reject"))
    with store.read() as look:
        assert look.citing_dispositions("returns-1") == (a_disposition(),)


def test_the_reverse_ledger_is_an_index_lookup(sqlite_engine: Engine) -> None:
    wanted = select(dispositions.c.body).where(
        dispositions.c.draft_id.in_(leaning_drafts("returns-1")), *standing_approval()
    )
    sql = str(wanted.compile(sqlite_engine, compile_kwargs={"literal_binds": True}))
    with sqlite_engine.connect() as connection:
        plan = [row.detail for row in connection.execute(text(f"EXPLAIN QUERY PLAN {sql}"))]
    assert plan
    assert not [step for step in plan if step.startswith("SCAN")]
