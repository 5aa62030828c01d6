"""The quarantine: who sees what of it, putting a file right on the screen, and dismissing one."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from core.errors import BadInput, NotAllowed, NotFound
from core.sources.documents import FoundDocument
from tests.contracts.builders import TENANT
from tests.knowledge.upload_room import ANA, HELEN, KIM, OMAR, SAM, TODAY, Room, said, value

TOYS = "in/toys.md"
PAY = "in/pay.md"
SCAN = "in/scan.pdf"


@pytest.fixture
def room(sqlite_engine: Engine) -> Room:
    made = Room(sqlite_engine)
    _quarantine(made, TOYS, {"last_reviewed": "soon", "classification": "internal"})
    _quarantine(made, PAY, {"valid_from": "never", "permission_tag": "CONFIDENTIAL_DEPT_HR"})
    made.registry.quarantine(TENANT, SCAN, "no text on any page", "scan it", actor="helen")
    return made


def _quarantine(room: Room, path: str, fields: dict[str, str]) -> None:
    found = FoundDocument(
        item=path,
        document_id=path,
        source_id=path,
        title=path.split("/")[1],
        original="# Toys\n\nRecalled toys are taken off the shelf within one day.\n",
        fields=fields,
    )
    room.registry.quarantine(
        TENANT,
        path,
        "a date is not a date",
        "write dates as YYYY-MM-DD",
        actor="helen",
        found=found.model_dump_json(exclude={"cleaned"}),
    )


def test_only_what_was_read_can_be_put_right_here(room: Room) -> None:
    assert {f.path: f.can_fix for f in room.shelf(KIM).quarantine()} == {TOYS: True, SCAN: False}
    with pytest.raises(NotFound, match="could not be read"):
        room.desk(KIM).fix_quarantined(SCAN)


def test_a_closed_file_is_seen_by_its_readers_and_by_who_took_it_in(room: Room) -> None:
    assert PAY in {f.path for f in room.shelf(HELEN).quarantine()}
    for user in (KIM, OMAR, SAM):
        assert PAY not in {f.path for f in room.shelf(user).quarantine()}
        with pytest.raises(NotFound, match="not in your quarantine"):
            room.desk(user).fix_quarantined(PAY)
        with pytest.raises(NotFound):
            room.shelf(user).dismiss_quarantined(PAY, "not mine")
    with pytest.raises(NotAllowed):
        room.shelf(ANA).quarantine()


def test_a_file_is_put_right_and_published_and_leaves_the_quarantine(room: Room) -> None:
    desk = room.desk(KIM)
    upload_id = desk.fix_quarantined(TOYS)
    page = desk.open(upload_id)
    assert "taken off the shelf" in page.text
    assert "not a date" in said(page, "last_reviewed")
    assert value(page, "classification") == "internal"
    assert desk.fix_quarantined(TOYS) == upload_id

    desk.edit(upload_id, "last_reviewed", TODAY.isoformat())
    room.publish(desk.open(upload_id))
    assert room.searchable() == {TOYS}
    assert {f.path for f in room.shelf(KIM).quarantine()} == {SCAN}


def test_dismissing_needs_a_reason_and_is_in_the_record(room: Room) -> None:
    shelf = room.shelf(KIM)
    with pytest.raises(BadInput, match="Say why"):
        shelf.dismiss_quarantined(SCAN, "  ")
    shelf.dismiss_quarantined(SCAN, "it was a test")

    assert SCAN not in {f.path for f in shelf.quarantine()}
    (event,) = room.events("source.quarantine_dismissed")
    assert (event.actor, event.subject_id, event.payload) == (
        "kim",
        SCAN,
        {"reason": "it was a test"},
    )
    with pytest.raises(NotFound):
        shelf.dismiss_quarantined(SCAN, "again")
