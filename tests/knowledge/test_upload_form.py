"""The metadata of an upload: defaults, problems beside their field, and rights."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import Engine

from core.errors import NotAllowed, NotFound, NotReady, StaleVersion
from core.knowledge.upload_models import NEW_SOURCE
from tests.contracts.builders import a_document
from tests.knowledge.upload_room import (
    ANA,
    HELEN,
    KIM,
    OMAR,
    PARKING,
    RETURNS,
    SAM,
    TODAY,
    Room,
    said,
)


@pytest.fixture
def room(sqlite_engine: Engine) -> Room:
    return Room(sqlite_engine)


@pytest.fixture
def returns(sqlite_engine: Engine) -> Room:
    """A room that knows one policy."""
    made = Room(sqlite_engine)
    made.add_returns()
    return made


@pytest.mark.parametrize(
    ("name", "wrong", "reason"),
    [
        ("title", "", "no title"),
        ("valid_from", "soon", "date"),
        ("valid_to", (TODAY - timedelta(days=1)).isoformat(), "before"),
        ("review_sla_days", "often", "review_sla_days"),
        ("authority", "gospel", "authority"),
        ("owner", "nobody", "nobody here answers"),
        ("status", "archived", "archived"),
        ("last_reviewed", (TODAY + timedelta(days=9)).isoformat(), "yet to come"),
        ("acl_policy_id", "hr", "not among its readers"),
        ("classification", "confidential", "may not read what is confidential"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field_and_nothing_is_published(
    room: Room, name: str, wrong: str, reason: str
) -> None:
    upload_id = room.drop("parking.md", PARKING).row.upload_id
    desk = room.desk()
    desk.edit(upload_id, name, wrong)
    page = desk.open(upload_id)

    assert reason in said(page, name)
    assert page.row.state == "needs_metadata"
    assert [f.name for f in page.fields if any(p.blocking for p in f.problems)] == [name]
    with pytest.raises(NotReady) as refused:
        desk.publish(upload_id, revision=page.revision)
    assert any(reason in finding for finding in refused.value.findings)
    assert room.searchable() == set()


def test_putting_it_right_makes_it_ready(room: Room) -> None:
    upload_id = room.drop("parking.md", PARKING).row.upload_id
    desk = room.desk()
    desk.edit(upload_id, "owner", "nobody")
    desk.edit(upload_id, "owner", "Operations")

    assert desk.open(upload_id).row.state == "ready"


def test_what_another_person_changed_is_not_published_unseen(room: Room) -> None:
    page = room.drop("parking.md", PARKING)
    room.desk(OMAR).edit(page.row.upload_id, "product", "parking")

    with pytest.raises(StaleVersion, match="changed meanwhile"):
        room.desk().publish(page.row.upload_id, revision=page.revision)


def test_a_closed_document_goes_to_ones_own_department_only(room: Room) -> None:
    upload_id = room.drop("pay.md", "# Pay\n\nGrade one is paid the least.", HELEN).row.upload_id
    desk = room.desk(HELEN)
    desk.edit(upload_id, "department", "Operations")
    assert "you do not belong to Operations" in said(desk.open(upload_id), "department")
    desk.edit(upload_id, "department", "HR")
    assert desk.open(upload_id).row.state == "ready"


def test_agents_have_no_desk_for_uploads(room: Room) -> None:
    assert room.shelf(ANA).uploads is None
    with pytest.raises(NotAllowed):
        room.desk(ANA)


def test_an_upload_is_seen_by_those_who_could_read_it_once_published(room: Room) -> None:
    open_one = room.drop("parking.md", PARKING).row.upload_id
    closed = room.drop("pay.md", "# Pay\n\nGrade one is paid the least.", HELEN).row.upload_id

    assert {row.upload_id for row in room.rows(OMAR)} == {open_one}
    assert {row.upload_id for row in room.rows(SAM)} == {open_one}
    assert {row.upload_id for row in room.rows(HELEN)} == {open_one, closed}
    desk = room.desk(KIM)
    attempts: tuple[Callable[[], object], ...] = (
        lambda: desk.open(closed),
        lambda: desk.edit(closed, "title", "Mine"),
        lambda: desk.discard(closed),
        lambda: desk.publish(closed, revision=1),
        lambda: desk.undo(closed),
        lambda: desk.share_fields(closed),
        lambda: desk.choose_source(closed, NEW_SOURCE),
    )
    for attempt in attempts:
        with pytest.raises(NotFound, match="no such upload"):
            attempt()


def test_a_source_beyond_my_rights_is_neither_offered_nor_found_nor_touched(room: Room) -> None:
    secret = a_document(
        "pay-1", text=PARKING.decode(), acl_policy_id="hr", classification="confidential"
    )
    room.add(secret)
    page = room.drop("pay-1.md", PARKING)

    assert page.options == ()
    assert page.standing == ()
    assert page.identical is None
    with pytest.raises(NotFound):
        room.desk().choose_source(page.row.upload_id, "pay")


def test_an_id_that_is_taken_out_of_sight_is_replaced_without_a_word(room: Room) -> None:
    room.add(a_document("pay-1", acl_policy_id="hr", classification="confidential"))
    head = "---\nid: pay-1\nsource_id: pay\n---\n"
    page = room.drop("x.md", head + PARKING.decode())
    assert said(page) == ""
    room.publish(page)

    (row,) = room.desk().uploads().published
    assert row.document_id != "pay-1"
    assert row.source_id != "pay"
    kept = room.registry.get("pay-1")
    assert kept is not None
    assert kept.governance.acl_policy_id == "hr"


def test_another_owners_source_is_not_mine_to_replace(returns: Room) -> None:
    changed = RETURNS.replace("30 days", "45 days")
    page = returns.drop("returns.md", changed, OMAR)

    assert page.chosen == "returns"
    assert "belongs to kim" in said(page, "source")
    returns.desk(OMAR).choose_source(page.row.upload_id, NEW_SOURCE)
    assert returns.desk(OMAR).open(page.row.upload_id).row.state == "ready"
    assert returns.drop("again.md", changed, SAM).row.state == "ready"


def test_rights_lost_after_asking_stop_the_publication(room: Room) -> None:
    page = room.drop("parking.md", PARKING)
    room.index.away = True
    room.publish(page)
    assert "on holiday" in room.desk().work().trouble
    room.people["kim"] = KIM.model_copy(update={"roles": ("agent",)})
    room.policies = tuple(p for p in room.policies if p.policy_id != "staff")
    room.index.away = False
    room.work()

    assert room.searchable() == set()
    (draft,) = room.store.drafts("athena")
    assert draft.state == "needs_metadata"
    assert "not among its readers" in draft.problem
