"""The SQL registry: the port's promises, the owners' verbs, and an audit event for each change."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine

from core.adapters import sql_audit
from core.adapters.sql_registry import SqlRegistry
from core.adapters.sql_review_store import SqlReviewStore
from core.errors import BadInput, BadSource, NotFound, StaleVersion
from core.models.review import AuditEvent
from core.review.chain import verify_stored
from tests.contracts.builders import TENANT, a_document
from tests.contracts.document_registry import DocumentRegistryContract
from tests.fakes.fixed_clock import DEMO_DAY, FixedClock

TODAY = DEMO_DAY.date()


@pytest.fixture
def registry(engine: Engine) -> SqlRegistry:
    return SqlRegistry(engine, FixedClock())


class TestSqlRegistry(DocumentRegistryContract):
    """Everything the contract asks."""


def _events(engine: Engine) -> tuple[AuditEvent, ...]:
    with SqlReviewStore(engine, FixedClock()).read() as look:
        assert verify_stored(look).ok
        return look.audit_events()


def _kinds(engine: Engine) -> list[str]:
    return [event.kind for event in _events(engine)]


# what one tenant cannot do to another


def test_no_tenant_takes_over_a_document_of_another(registry: SqlRegistry) -> None:
    registry.put([a_document()], actor="kim")
    theft = a_document(tenant_id="other", source_id="mine", text="all yours")
    with pytest.raises(BadSource, match="returns-1"):
        registry.put([a_document("fine-1", tenant_id="other"), theft], actor="mallory")
    assert registry.get("returns-1") == a_document()
    assert registry.get("fine-1") is None


def test_no_tenant_slips_a_version_into_a_source_of_another(registry: SqlRegistry) -> None:
    registry.put([a_document()], actor="kim")
    with pytest.raises(BadSource):
        registry.put([a_document("returns-2", tenant_id="other")], actor="mallory")
    assert len(registry.versions_of("returns")) == 1


def test_an_id_databases_cannot_hold_is_refused_by_name(registry: SqlRegistry) -> None:
    with pytest.raises(BadSource, match=r"a\\x00b"):
        registry.put([a_document("a\0b")], actor="kim")


# owners' verbs


@pytest.fixture
def two(registry: SqlRegistry) -> SqlRegistry:
    old = a_document("returns-1", valid_from=date(2024, 1, 1), text="old")
    new = a_document("returns-2", valid_from=date(2026, 1, 1), text="new")
    registry.put([old, new], actor="kim")
    registry.mark_indexed(["returns-1", "returns-2"], "v1")
    return registry


def test_a_review_moves_the_review_date(two: SqlRegistry) -> None:
    reviewed = two.mark_reviewed("returns-2", on=TODAY, note="still right", actor="kim")
    assert reviewed.governance.last_reviewed == TODAY
    assert two.get("returns-2") == reviewed
    assert two.live(["returns-2"]) == {"returns-2": reviewed}


def test_a_review_never_moves_the_date_back(two: SqlRegistry) -> None:
    reviewed = two.mark_reviewed("returns-2", on=date(2020, 1, 1), note="", actor="kim")
    assert reviewed.governance.last_reviewed == date(2026, 11, 1)


def test_a_text_that_changed_under_the_reader_is_not_marked_reviewed(two: SqlRegistry) -> None:
    with pytest.raises(StaleVersion, match="Read it again"):
        two.mark_reviewed("returns-2", on=TODAY, note="", actor="kim", content_hash="another")
    assert two.mark_reviewed(
        "returns-2",
        on=TODAY,
        note="",
        actor="kim",
        content_hash=a_document("returns-2", valid_from=date(2026, 1, 1), text="new").content_hash,
    )


def test_a_superseded_version_says_when_it_stopped_and_the_new_one_what_it_replaces(
    two: SqlRegistry,
) -> None:
    two.supersede("returns-1", by="returns-2", on=date(2026, 1, 1), today=TODAY, actor="kim")
    old, new = two.versions_of("returns")
    assert (old.governance.status, old.governance.valid_to) == ("superseded", date(2026, 1, 1))
    assert new.governance.supersedes == "returns-1"


def test_a_version_superseded_from_a_later_day_holds_until_then(two: SqlRegistry) -> None:
    tomorrow = TODAY + timedelta(days=1)
    two.supersede("returns-1", by="returns-2", on=tomorrow, today=TODAY, actor="kim")
    old = two.get("returns-1")
    assert old is not None
    assert (old.governance.status, old.governance.valid_to) == ("active", tomorrow)


def test_a_version_cannot_end_before_it_began_nor_supersede_itself(two: SqlRegistry) -> None:
    for by, on in (("returns-2", date(2023, 1, 1)), ("returns-1", TODAY)):
        with pytest.raises(BadInput):
            two.supersede("returns-1", by=by, on=on, today=TODAY, actor="kim")
    assert _governance_is_untouched(two)


def _governance_is_untouched(registry: SqlRegistry) -> bool:
    return all(
        version.governance.status == "active" and version.governance.supersedes is None
        for version in registry.versions_of("returns")
    )


def test_a_withdrawn_version_is_no_longer_live_but_kept(two: SqlRegistry) -> None:
    withdrawn = two.withdraw("returns-1", reason="wrong", actor="kim")
    assert withdrawn.governance.status == "archived"
    assert list(two.live(["returns-1", "returns-2"])) == ["returns-2"]
    assert two.get("returns-1") == withdrawn
    listing = two.list_sources(TENANT)[0]
    assert (listing.withdrawn, listing.withdrawn_reason) == (True, "wrong")


def test_taking_the_same_file_in_again_does_not_undo_its_owner(
    two: SqlRegistry, engine: Engine
) -> None:
    two.withdraw("returns-1", reason="wrong", actor="kim")
    two.mark_reviewed("returns-2", on=TODAY, note="", actor="kim")
    stored = two.hashes(["returns-1", "returns-2"])
    assert len(stored) == 2, "an unchanged file must be seen as unchanged"
    same = [
        a_document("returns-1", valid_from=date(2024, 1, 1), text="old"),
        a_document("returns-2", valid_from=date(2026, 1, 1), text="new"),
    ]
    two.put(same, actor="robot")
    assert list(two.live(["returns-1", "returns-2"])) == ["returns-2"]
    found = two.get("returns-2")
    assert found is not None
    assert found.governance.last_reviewed == TODAY


def test_a_changed_file_brings_its_own_governance_and_the_audit_says_what_was_dropped(
    two: SqlRegistry, engine: Engine
) -> None:
    two.withdraw("returns-1", reason="wrong", actor="kim")
    changed = a_document("returns-1", valid_from=date(2024, 1, 1), text="corrected")
    two.put([changed], actor="kim")
    assert two.live(["returns-1"]) == {"returns-1": changed}
    payload = _events(engine)[-1].payload
    assert payload["restored"] is True
    assert payload["owner_changes_dropped"] == {"status": "archived", "withdrawn_reason": "wrong"}


# audit


def test_every_change_of_a_source_is_one_audit_event(two: SqlRegistry, engine: Engine) -> None:
    two.mark_reviewed("returns-2", on=TODAY, note="fine", actor="kim")
    two.supersede("returns-1", by="returns-2", on=TODAY, today=TODAY, actor="kim")
    two.withdraw("returns-1", reason="wrong", actor="omar")
    two.withdraw("returns-1", reason="again", actor="omar")
    two.quarantine(TENANT, "a.pdf", "cannot be read", "save as text", actor="kim")
    two.quarantine(TENANT, "a.pdf", "cannot be read", "save as text", actor="kim")
    two.clear_quarantine(TENANT, "a.pdf")
    two.clear_quarantine(TENANT, "a.pdf")
    assert _kinds(engine) == [
        "source.put",
        "source.put",
        "source.reviewed",
        "source.superseded",
        "source.supersedes",
        "source.withdrawn",
        "source.quarantined",
        "source.quarantine_cleared",
    ]
    review = _events(engine)[2]
    assert (review.actor, review.subject_id) == ("kim", "returns")
    assert review.payload["note"] == "fine"
    assert review.payload["after"] == {"last_reviewed": TODAY.isoformat()}


def _verbs(registry: SqlRegistry) -> dict[str, Callable[[], Any]]:
    return {
        "put": lambda: registry.put([a_document("extra-1"), a_document("returns-1")], actor="kim"),
        "review": lambda: registry.mark_reviewed("returns-1", on=TODAY, note="", actor="kim"),
        "supersede": lambda: registry.supersede(
            "returns-1", by="returns-2", on=TODAY, today=TODAY, actor="kim"
        ),
        "withdraw": lambda: registry.withdraw("returns-1", reason="wrong", actor="kim"),
        "quarantine": lambda: registry.quarantine(TENANT, "a.pdf", "bad", "", actor="kim"),
        "clear": lambda: registry.clear_quarantine(TENANT, "old.pdf"),
    }


@pytest.mark.parametrize("verb", ["put", "review", "supersede", "withdraw", "quarantine", "clear"])
def test_a_change_whose_audit_event_fails_does_not_happen(
    two: SqlRegistry, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    two.quarantine(TENANT, "old.pdf", "bad", "", actor="kim")
    before = (two.list_sources(TENANT), two.quarantined(TENANT))

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(sql_audit, "append", broken)
    with pytest.raises(ZeroDivisionError):
        _verbs(two)[verb]()
    assert (two.list_sources(TENANT), two.quarantined(TENANT)) == before


def test_verbs_on_unknown_versions_are_not_found(two: SqlRegistry) -> None:
    for verb in (
        lambda: two.mark_reviewed("no-1", on=TODAY, note="", actor="kim"),
        lambda: two.withdraw("no-1", reason="", actor="kim"),
        lambda: two.supersede("returns-1", by="no-1", on=TODAY, today=TODAY, actor="kim"),
    ):
        with pytest.raises(NotFound):
            verb()
    assert _governance_is_untouched(two)


# quarantine and lists


def test_the_quarantine_keeps_the_last_reason_of_each_file(
    registry: SqlRegistry,
) -> None:
    strange = "caf\udce9\0.pdf"
    registry.quarantine(TENANT, strange, "cannot be read", "", actor="kim")
    registry.quarantine(TENANT, strange, "is empty", "write something", actor="kim")
    registry.quarantine("other", "b.pdf", "is empty", "", actor="kim")
    (found,) = registry.quarantined(TENANT)
    assert (found.path, found.reason, found.fix) == (
        "caf\\udce9\\0.pdf",
        "is empty",
        "write something",
    )
    registry.clear_quarantine(TENANT, strange)
    assert registry.quarantined(TENANT) == ()


def test_the_list_groups_versions_by_source(two: SqlRegistry) -> None:
    two.put([a_document("aaa-1"), a_document("zzz-1", tenant_id="other")], actor="kim")
    names = [listing.document_id for listing in two.list_sources(TENANT)]
    assert names == ["aaa-1", "returns-1", "returns-2"]
    assert len(two.list_sources(TENANT, "returns")) == 2
    assert two.list_sources("nobody") == ()


def test_another_process_sees_a_withdrawal_despite_its_memory(
    two: SqlRegistry, engine: Engine
) -> None:
    elsewhere = SqlRegistry(engine, FixedClock())
    assert "returns-1" in elsewhere.live(["returns-1"])
    two.withdraw("returns-1", reason="wrong", actor="kim")
    assert elsewhere.live(["returns-1"]) == {}
