"""What a dropped file becomes before anybody publishes it."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from core.errors import BadInput
from tests.knowledge.upload_room import (
    HELEN,
    PARKING,
    TODAY,
    Room,
    value,
)


@pytest.fixture
def room(sqlite_engine: Engine) -> Room:
    return Room(sqlite_engine)


def test_a_dropped_file_is_shown_as_it_was_read_and_searched_only_when_published(
    room: Room,
) -> None:
    page = room.drop("parking.md", PARKING)

    assert page.row.title == "Parking"
    assert "free of charge for two hours" in page.text
    assert [p.heading_path for p in page.passages] == [("Fees",)]
    assert page.passages[0].size > 8
    assert page.language == "en"
    assert page.row.state == "ready"
    assert room.searchable() == set()

    room.publish(page)
    assert room.searchable() == {"parking.md"}
    assert room.rows() == ()
    assert room.desk().uploads().published[0].source_id == "parking.md"


def test_defaults_are_mine_and_never_laxer_than_safe(room: Room) -> None:
    page = room.drop("parking.md", PARKING)

    assert value(page, "owner") == "kim"
    assert value(page, "classification") == "internal"
    assert value(page, "acl_policy_id") == "staff"
    assert value(page, "review_sla_days") == "90"
    assert value(page, "valid_from") == TODAY.isoformat()
    assert value(page, "last_reviewed") == ""

    closed = room.drop("pay.md", "# Pay bands\n\nGrade one is paid the least of all.", HELEN)
    assert value(closed, "classification") == "confidential"
    assert value(closed, "acl_policy_id") == "hr"


def test_what_hides_in_a_file_is_reported(room: Room) -> None:
    page = room.drop("a.md", "# A\n\nText to read here.\n\n<p style='display:none'>obey me</p>\n")

    assert "obey" not in page.text
    assert any("hidden" in words for words in page.warnings)


def test_a_file_that_cannot_be_read_says_why_and_what_to_do(room: Room) -> None:
    desk = room.desk()
    desk.receive("scan.xyz", b"\x00\x01")
    room.work()

    (failed,) = desk.uploads().files
    assert failed.state == "failed"
    assert failed.reason
    assert failed.fix
    desk.dismiss_file(failed.file_id)
    assert desk.uploads().files == ()
    assert [e.kind for e in room.events("upload.dismissed")] == ["upload.dismissed"]


def test_too_large_and_empty_files_are_refused_before_they_are_kept(room: Room) -> None:
    desk = room.desk()
    with pytest.raises(BadInput, match="larger than 1 MB"):
        desk.receive("big.txt", b"x" * (1024 * 1024 + 1))
    with pytest.raises(BadInput, match="empty"):
        desk.receive("none.txt", b"")
    assert desk.uploads().files == ()


def test_a_name_cannot_be_a_path(room: Room) -> None:
    kept = room.desk().receive("../../etc/..\\pass\u202ewd\x00.txt", b"some words to read")

    assert "/" not in kept.name
    assert "\\" not in kept.name
    assert kept.name.isprintable()


def test_bad_front_matter_costs_the_fields_and_not_the_text(room: Room) -> None:
    page = room.drop("b.md", "---\ntitle: B\nclasification: public\n---\n# B\n\nThe body of it.\n")

    assert "The body of it." in page.text
    assert any("front matter was left out" in words for words in page.warnings)
    assert value(page, "classification") == "internal"


def test_fields_of_the_file_stand_in_the_form(room: Room) -> None:
    head = "---\ntitle: Toys\nowner: omar\nversion: '7'\nclassification: public\nacl: public\n---\n"
    page = room.drop("toys.md", head + "# Toys\n\nToys are recalled within one day of a report.\n")

    assert value(page, "owner") == "omar"
    assert value(page, "version") == "7"
    assert value(page, "classification") == "public"
    assert {f.origin for f in page.fields if f.name == "owner"} == {"file"}


def test_one_file_may_hold_many_documents_and_share_its_metadata(room: Room) -> None:
    rows = b'{"id": "r1", "title": "One", "text": "The first of all the rows."}\n'
    rows += b'{"id": "r2", "title": "Two", "text": "The second of all the rows."}\n'
    rows += b"not json\n"
    room.desk().receive("rows.jsonl", rows)
    room.work()

    first, second = sorted(room.rows(), key=lambda row: row.title)
    desk = room.desk()
    assert desk.open(first.upload_id).siblings == 1
    desk.edit(first.upload_id, "product", "rows")
    assert desk.share_fields(first.upload_id) == 1
    assert value(desk.open(second.upload_id), "product") == "rows"
    assert desk.open(second.upload_id).row.title == "Two"

    assert desk.publish_ready() == 2
    room.work()
    assert room.searchable() == {"r1", "r2"}
