"""A new version of a known source: found, compared, published, taken back."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import Engine

from core.adapters.sql_review_store import SqlReviewStore
from core.adapters.sql_runs import SqlRunStore
from core.errors import BadInput, Conflicted, NotAllowed, NotReady
from core.knowledge.upload_models import NEW_SOURCE
from tests.adapters.builders import approved
from tests.contracts.builders import a_case, a_document, a_draft, a_ledger, a_run
from tests.knowledge.upload_room import (
    OMAR,
    PARKING,
    RETURNS,
    SAM,
    TODAY,
    Room,
    said,
    value,
)

TOMORROW = TODAY + timedelta(days=1)


@pytest.fixture
def room(engine: Engine) -> Room:
    return Room(engine)


@pytest.fixture
def returns(engine: Engine) -> Room:
    """A room that knows one policy."""
    made = Room(engine)
    made.add_returns()
    return made


def test_a_changed_file_is_offered_as_a_new_version_with_its_difference(returns: Room) -> None:
    page = returns.drop("whatever.md", RETURNS.replace("30 days", "45 days"))

    assert page.chosen == "returns"
    assert "most of its text stands there" in page.options[0].reason
    assert page.replacement is not None
    assert ("removed", "30 ") in page.replacement.diff
    assert ("added", "45 ") in page.replacement.diff
    assert value(page, "version") == "4.3"
    assert value(page, "authority") == "official_policy"
    assert value(page, "valid_from") == TODAY.isoformat()
    assert page.row.state == "ready"


@pytest.mark.parametrize(
    ("name", "head", "reason"),
    [
        ("other.md", "---\nsource_id: returns\n---\n", "the file names it"),
        ("other.md", "---\nid: returns-1\n---\n", "the file names it"),
        ("other.md", "---\ntitle: Returns  POLICY\n---\n", "it has the same title"),
        ("handed-in.md", "", "it comes from a file of the same name"),
    ],
)
def test_a_known_source_is_recognised_by_what_names_it(
    returns: Room, name: str, head: str, reason: str
) -> None:
    returns.add(
        a_document(
            "desk-1", source_id="desk", title="Desk", uri="https://kb.example/x/Handed-In.md"
        )
    )
    page = returns.drop(name, head + "# Zebra\n\nStripes keep the flies away from them.\n")

    assert page.chosen == ("desk" if name == "handed-in.md" else "returns")
    assert page.options[0].reason == reason


def test_publishing_a_new_version_replaces_the_old_one_in_one_step(returns: Room) -> None:
    page = returns.drop("returns.md", RETURNS.replace("30 days", "45 days"))
    returns.publish(page)

    new, old = returns.registry.get("returns.md"), returns.registry.get("returns-1")
    assert new is not None
    assert old is not None
    assert new.source_id == old.source_id == "returns"
    assert (old.governance.status, old.governance.valid_to) == ("superseded", TODAY)
    assert (new.governance.status, new.governance.valid_from) == ("active", TODAY)
    assert new.governance.supersedes == "returns-1"
    assert returns.searchable() == {"returns.md"}
    in_index = {p.governance.status for p in returns.index.stored["returns-1"]}
    assert in_index == {"superseded"}
    kinds = [e.kind for e in returns.events("source.put", "source.superseded", "upload.published")]
    assert kinds == ["source.put", "source.put", "source.superseded", "upload.published"]


def test_a_version_for_a_later_day_leaves_the_old_one_until_then(returns: Room) -> None:
    page = returns.drop("returns.md", RETURNS.replace("30 days", "45 days"))
    desk = returns.desk()
    desk.edit(page.row.upload_id, "valid_from", TOMORROW.isoformat())
    returns.publish(desk.open(page.row.upload_id))

    assert returns.searchable() == {"returns-1"}
    old = returns.registry.get("returns-1")
    assert old is not None
    assert (old.governance.status, old.governance.valid_to) == ("active", TOMORROW)


def test_a_new_version_cannot_reach_back(returns: Room) -> None:
    upload_id = returns.drop("returns.md", RETURNS + "More is said.\n").row.upload_id
    desk = returns.desk()
    desk.edit(upload_id, "valid_from", (TODAY - timedelta(days=1)).isoformat())

    assert "holds up to today" in said(desk.open(upload_id), "valid_from")


def test_a_version_number_is_used_once(returns: Room) -> None:
    upload_id = returns.drop("returns.md", RETURNS + "More is said.\n").row.upload_id
    desk = returns.desk()
    desk.edit(upload_id, "version", "4.2")

    assert "there is a version 4.2 already" in said(desk.open(upload_id), "version")


def test_a_draft_version_replaces_nothing(returns: Room) -> None:
    upload_id = returns.drop("returns.md", RETURNS.replace("30", "45")).row.upload_id
    desk = returns.desk()
    desk.edit(upload_id, "status", "draft")
    page = desk.open(upload_id)
    assert page.replacement is None
    returns.publish(page)

    assert returns.searchable() == {"returns-1"}


def test_the_same_again_says_that_there_is_nothing_to_do(returns: Room) -> None:
    page = returns.drop("copy.md", RETURNS)

    assert page.identical is not None
    assert page.identical.title == "Returns policy"
    assert "nothing to do" in said(page)
    assert page.row.words == "already published"
    with pytest.raises(NotReady, match="cannot be published"):
        returns.desk().publish(page.row.upload_id, revision=page.revision)


def test_the_same_text_with_other_metadata_is_a_new_version(returns: Room) -> None:
    page = returns.drop("copy.md", "---\nregion: Canada\n---\n" + RETURNS)

    assert page.identical is None
    assert page.replacement is not None
    assert page.replacement.same_text
    assert ("Region", "", "Canada") in [
        (c.label, c.before, c.after) for c in page.replacement.changes
    ]


def test_a_person_corrects_the_guess(returns: Room) -> None:
    page = returns.drop("copy.md", RETURNS)
    returns.desk().choose_source(page.row.upload_id, NEW_SOURCE)
    own = returns.desk().open(page.row.upload_id)

    assert own.identical is None
    assert own.replacement is None
    assert {s.source_id for s in own.standing} == {"returns"}
    returns.publish(own)
    assert returns.searchable() == {"returns-1", "copy.md"}


def test_two_uploads_for_one_source_are_not_published_over_each_other(returns: Room) -> None:
    first = returns.drop("one.md", RETURNS.replace("30", "45"))
    second = returns.drop("two.md", RETURNS.replace("30", "60"))
    returns.index.away = True
    returns.publish(first)
    returns.publish(second)
    returns.index.away = False
    returns.work()

    assert returns.searchable() == {"one.md"}
    (left,) = returns.rows()
    assert left.upload_id == second.row.upload_id
    assert left.state == "needs_metadata"


def test_taking_back_withdraws_the_new_version_and_reinstates_the_old(returns: Room) -> None:
    page = returns.drop("returns.md", RETURNS.replace("30 days", "45 days"))
    returns.publish(page)
    returns.desk().undo(page.row.upload_id, "the number is wrong")

    assert returns.searchable() == {"returns-1"}
    assert "returns.md" not in returns.index.stored
    old = returns.registry.get("returns-1")
    assert old is not None
    assert old.governance.valid_to is None
    kinds = [
        e.kind for e in returns.events("source.withdrawn", "source.reinstated", "upload.undone")
    ]
    assert kinds == ["source.withdrawn", "source.reinstated", "upload.undone"]
    with pytest.raises(BadInput, match="not published"):
        returns.desk().undo(page.row.upload_id)


def test_taking_back_is_refused_when_the_old_version_changed_since(returns: Room) -> None:
    page = returns.drop("returns.md", RETURNS.replace("30 days", "45 days"))
    returns.publish(page)
    returns.registry.mark_reviewed("returns-1", on=TODAY, note="", actor="kim")

    with pytest.raises(Conflicted, match="changed since"):
        returns.desk().undo(page.row.upload_id)
    assert returns.searchable() == {"returns.md"}


def test_only_who_published_it_or_a_supervisor_takes_it_back(room: Room) -> None:
    page = room.drop("parking.md", PARKING)
    room.publish(page)
    with pytest.raises(NotAllowed):
        room.desk(OMAR).undo(page.row.upload_id)
    room.desk(SAM).undo(page.row.upload_id)
    assert room.searchable() == set()


def test_what_was_discarded_is_gone_from_the_list_and_stays_in_the_record(room: Room) -> None:
    page = room.drop("parking.md", PARKING)
    room.desk().discard(page.row.upload_id)

    assert room.rows() == ()
    assert [e.kind for e in room.events("upload.discarded")] == ["upload.discarded"]
    with pytest.raises(Conflicted):
        room.desk().publish(page.row.upload_id, revision=page.revision)


def test_what_leans_on_the_old_version_is_shown_before_it_goes(returns: Room) -> None:
    approved(returns.engine, "1", "returns-1")
    SqlRunStore(returns.engine).save_run(a_run("trace_2", "returns-1"))
    with SqlReviewStore(returns.engine, returns.clock).write() as change:
        change.add_case(a_case("2", state="drafted", subject="A late scarf"))
        for number, ledger in ((1, a_ledger()), (2, a_ledger("EVID-0001"))):
            change.add_draft(
                a_draft(
                    f"draft_2{number}",
                    case_id="2",
                    number=number,
                    trace_id="trace_2",
                    ledger=ledger,
                )
            )
        change.add_case(a_case("3", state="sent"))
        change.add_draft(
            a_draft("draft_3", case_id="3", trace_id="trace_2", ledger=a_ledger("EVID-0001"))
        )
    new = returns.drop("returns.md", RETURNS.replace("30 days", "45 days")).replacement

    assert new is not None
    assert [(r.case_id, r.chunk_ids) for r in new.replies] == [("1", ("returns-1#0",))]
    assert [(d.case_id, d.draft_id, d.subject, d.case_state) for d in new.open_drafts] == [
        ("2", "draft_22", "A late scarf", "drafted")
    ]
