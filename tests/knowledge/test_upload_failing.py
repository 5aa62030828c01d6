"""Publishing is whole or not there, wherever it is cut off, and goes on afterwards."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from core.errors import BadInput
from core.knowledge.upload_models import DroppedFile
from core.knowledge.upload_store import Publication
from tests.knowledge.upload_room import (
    PARKING,
    RETURNS,
    Room,
)


@pytest.fixture
def room(engine: Engine) -> Room:
    return Room(engine)


@pytest.fixture
def returns(engine: Engine) -> Room:
    """A room that knows one policy."""
    made = Room(engine)
    made.add_returns()
    return made


def test_a_restart_between_drop_and_reading_loses_nothing(room: Room) -> None:
    room.store.add_file(_file(room), PARKING)
    assert room.store.claim_file("first") is not None
    assert room.store.claim_file("other") is None

    later = room.restart()
    later.desk().uploads()
    assert later.worker.wait(20)
    assert [row.title for row in later.rows()] == ["Parking"]


def _file(room: Room) -> DroppedFile:
    return DroppedFile(
        file_id="file_1",
        tenant_id="athena",
        name="parking.md",
        bytes_hash="b",
        size=len(PARKING),
        uploaded_by="kim",
        uploaded_at=room.clock.now(),
    )


def test_an_index_that_is_away_publishes_nothing_and_the_queue_waits(returns: Room) -> None:
    page = returns.drop("returns.md", RETURNS.replace("30 days", "45 days"))
    returns.index.away = True
    returns.publish(page)

    assert returns.searchable() == {"returns-1"}
    assert returns.registry.get("returns.md") is None
    assert returns.rows()[0].state == "queued"
    returns.index.away = False
    later = returns.restart()
    later.desk().uploads()
    assert later.worker.wait(20)
    assert later.searchable() == {"returns.md"}


class _Dies(Exception):
    """The process ends here."""


@pytest.mark.parametrize("at", ["replace_documents", "publish", "mark_indexed"])
def test_a_publication_cut_off_anywhere_is_whole_or_not_there_and_goes_on(
    returns: Room, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    page = returns.drop("returns.md", RETURNS.replace("30 days", "45 days"))
    whole = returns.store.publish

    def dies(*_: object, **__: object) -> None:
        raise _Dies

    def stored_then_dies(publication: Publication, *, index_version: str, actor: str) -> None:
        whole(publication, index_version=index_version, actor=actor)
        raise _Dies

    if at == "publish":
        monkeypatch.setattr(returns.store, "publish", stored_then_dies)
    else:
        where = returns.registry if at == "mark_indexed" else returns.index
        monkeypatch.setattr(where, at, dies)
    returns.publish(page)
    monkeypatch.undo()

    assert returns.searchable() in ({"returns-1"}, {"returns.md"})
    later = returns.restart()
    later.work()
    assert later.searchable() == {"returns.md"}
    assert len(later.events("upload.published")) == 1
    assert later.rows() == ()


def test_a_refusal_while_storing_leaves_no_passage_behind(
    returns: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = returns.drop("returns.md", RETURNS.replace("30 days", "45 days"))

    def refuses(*_: object, **__: object) -> None:
        raise BadInput("the day is not free")

    monkeypatch.setattr(returns.registry, "supersede_within", refuses)
    returns.publish(page)

    assert "returns.md" not in returns.index.stored
    assert returns.registry.get("returns.md") is None
    assert returns.searchable() == {"returns-1"}
    assert "the day is not free" in returns.rows()[0].words
