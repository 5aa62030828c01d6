"""Looking for duplicates: beside the caller, once for each index and set of rights."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from core.errors import NotAllowed, Unavailable
from core.knowledge.duplicate_finder import DuplicateFinder, DuplicateFindings
from core.knowledge.shelf import KnowledgeShelf
from core.models.access import User
from tests.contracts.builders import a_document
from tests.knowledge.upload_room import ANA, HELEN, KIM, OMAR, SAM, Room

LINE = "Parcels that weigh more than {} kilos are brought to the door by two people of ours."


@pytest.fixture
def room(sqlite_engine: Engine) -> Room:
    made = Room(sqlite_engine)
    made.add(
        a_document("a-1", text=LINE.format(20), title="Delivery"),
        a_document("b-1", text=LINE.format(30), title="Heavy parcels"),
        a_document(
            "c-1",
            text=LINE.format(40),
            title="Secret",
            acl_policy_id="hr",
            classification="confidential",
        ),
    )
    return made


def finder_of(room: Room) -> DuplicateFinder:
    return DuplicateFinder(
        registry=room.registry,
        index=room.index,
        tokens=None,
        clock=room.clock,
        stopwatch=lambda: 0.0,
    )


def shelf(room: Room, finder: DuplicateFinder, user: User = KIM) -> KnowledgeShelf:
    asker = room.asker(user.user_id)
    return KnowledgeShelf(
        user=asker.user,
        context=asker.context,
        registry=room.registry,
        clock=room.clock,
        finder=finder,
    )


def found(room: Room, finder: DuplicateFinder, user: User = KIM) -> DuplicateFindings:
    shelf(room, finder, user).duplicates()
    assert finder.wait(20)
    return shelf(room, finder, user).duplicates()


def sources(findings: DuplicateFindings) -> set[str]:
    return {source for group in findings.groups for source in group.sources}


def test_it_is_looked_for_beside_the_caller_and_kept(room: Room) -> None:
    finder = finder_of(room)
    assert shelf(room, finder).duplicates().phase == "running"
    assert finder.wait(20)
    findings = shelf(room, finder).duplicates()

    assert findings.phase == "done"
    assert [group.kind for group in findings.groups] == ["differs_in_values"]
    assert sources(findings) == {"a", "b"}
    assert shelf(room, finder, OMAR).duplicates() is findings  # equal rights


def test_each_set_of_rights_has_findings_of_its_own(room: Room) -> None:
    finder = finder_of(room)
    assert "Secret" not in found(room, finder).model_dump_json()
    assert sources(found(room, finder, HELEN)) == {"a", "b", "c"}
    assert "Secret" not in found(room, finder).model_dump_json()
    assert sources(found(room, finder, SAM)) == {"a", "b"}


def test_a_changed_index_is_looked_through_anew(room: Room) -> None:
    finder = finder_of(room)
    assert sources(found(room, finder)) == {"a", "b"}
    room.registry.withdraw("b-1", reason="wrong", actor="kim")
    room.index.remove_document("b-1")
    room.index.replace_documents([])

    assert found(room, finder).groups == ()


def test_only_versions_in_force_are_compared(room: Room) -> None:
    room.registry.supersede(
        "b-1", by="a-1", on=room.clock.now().date(), today=room.clock.now().date(), actor="kim"
    )
    assert found(room, finder_of(room)).groups == ()


def test_agents_are_not_shown_duplicates(room: Room) -> None:
    with pytest.raises(NotAllowed):
        shelf(room, finder_of(room), ANA).duplicates()


def test_a_store_that_is_away_is_said_and_looked_at_again_on_request(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    finder = finder_of(room)

    def away(*_: object) -> None:
        raise Unavailable("The database does not answer.")

    monkeypatch.setattr(room.registry, "list_sources", away)
    assert found(room, finder).words == "The database does not answer."
    monkeypatch.undo()
    assert found(room, finder).phase == "failed"
    shelf(room, finder).look_for_duplicates_again()
    assert found(room, finder).phase == "done"
