"""What the registry does for ingest and upkeep, over SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import date

import pytest
from sqlalchemy import Engine

from core.adapters.sql_registry import SqlRegistry
from core.adapters.sql_replay import index_versions_used
from core.adapters.sql_review_store import SqlReviewStore
from core.adapters.sql_runs import SqlRunStore
from core.errors import NotFound
from core.models.review import AuditEvent
from tests.contracts.builders import TENANT, a_document, a_run
from tests.fakes.fixed_clock import FixedClock


@pytest.fixture
def registry(engine: Engine) -> SqlRegistry:
    made = SqlRegistry(engine, FixedClock())
    made.put([a_document("returns-1")], actor="kim")
    made.mark_indexed(["returns-1"], "v7")
    return made


def events(engine: Engine) -> tuple[AuditEvent, ...]:
    with SqlReviewStore(engine, FixedClock()).read() as look:
        return look.audit_events()


def test_retiring_is_audited_once_and_so_is_the_return(
    registry: SqlRegistry, engine: Engine
) -> None:
    registry.came_from({"returns-1": "/kb/a.md"})
    for _ in range(2):
        registry.retire(["returns-1"], reason="its file is gone", actor="dana")
    registry.put([a_document("returns-1")], actor="kim")
    kinds = [(e.kind, e.actor) for e in events(engine)]
    assert kinds == [("source.put", "kim"), ("source.withdrawn", "dana"), ("source.put", "kim")]
    assert events(engine)[1].payload["came_from"] == "/kb/a.md"
    assert events(engine)[2].payload["restored"] is True


def test_what_the_owner_said_outlives_an_absence_of_the_file(registry: SqlRegistry) -> None:
    registry.mark_reviewed("returns-1", on=date(2026, 11, 30), note="", actor="kim")
    registry.retire(["returns-1"], reason="its file is gone", actor="dana")
    registry.put([a_document("returns-1")], actor="kim")
    stored = registry.live(["returns-1"])["returns-1"]
    assert stored.governance.last_reviewed == date(2026, 11, 30)


def test_an_owners_withdrawal_outlives_the_file(registry: SqlRegistry) -> None:
    registry.withdraw("returns-1", reason="wrong", actor="kim")
    registry.retire(["returns-1"], reason="its file is gone", actor="dana")
    registry.put([a_document("returns-1")], actor="kim")
    assert registry.live(["returns-1"]) == {}


def test_pages_come_back_as_they_were_put(registry: SqlRegistry) -> None:
    paged = a_document("paged-1").model_copy(update={"page_starts": (0, 7)})
    registry.put([paged], actor="kim")
    assert registry.get("paged-1") == paged


def test_erasing_forgets_the_text_and_keeps_what_the_audit_needs(
    registry: SqlRegistry, engine: Engine
) -> None:
    SqlRunStore(engine).save_run(a_run("trace_1", "returns-1"))
    before = registry.get("returns-1")
    assert before is not None
    assert registry.erase("returns-1", reason="asked to", actor="kim") == 1
    after = registry.get("returns-1")
    assert after is not None
    assert (after.text, after.original_text, after.title) == ("", "", "(erased)")
    assert after.content_hash == before.content_hash
    assert registry.live(["returns-1"]) == {}
    assert events(engine)[-1].kind == "source.erased"
    assert events(engine)[-1].payload["answers_that_quote_it"] == 1
    assert before.text not in str([event.payload for event in events(engine)])
    with pytest.raises(NotFound):
        registry.erase("nothing-1", reason="asked to", actor="kim")


def test_the_erased_content_taken_in_again_counts_as_stored(registry: SqlRegistry) -> None:
    registry.erase("returns-1", reason="asked to", actor="kim")
    again = a_document("returns-1")
    assert registry.hashes(["returns-1"]) == {"returns-1": again.content_hash}
    assert registry.withdrawn_among(["returns-1"]) == {"returns-1"}


def test_answers_are_counted_by_the_index_they_were_given_on(engine: Engine) -> None:
    runs = SqlRunStore(engine)
    for number, version in enumerate(["12", "12", "2.7", None]):
        run = a_run(f"trace_{number}")
        versions = {"passages": version} if version else {}
        trace = run.trace.model_copy(update={"index_versions": versions})
        runs.save_run(run.model_copy(update={"trace": trace}))
    assert index_versions_used(engine) == {"12": 2, "2.7": 1}


def test_a_note_about_the_index_is_an_event_of_the_chain(
    registry: SqlRegistry, engine: Engine
) -> None:
    registry.note(
        TENANT, actor="kim", kind="index.cleaned", subject_id="passages", payload={"n": 1}
    )
    last = events(engine)[-1]
    assert (last.kind, last.subject_kind, last.payload) == ("index.cleaned", "system", {"n": 1})
