"""An owner settles a flag: who may, of a conflict both sides at once, and once only."""

from __future__ import annotations

import pytest

from core.adapters.sql_review_store import SqlReviewStore
from core.errors import BadInput, NotAllowed, NotFound
from tests.contracts.builders import TENANT, a_document
from tests.fakes.fixed_clock import FixedClock
from tests.knowledge.test_shelf import ANA, GUEST, KIM, OMAR, Library, library

__all__ = ["library"]
"""The fixture of the shelf's own tests."""


@pytest.fixture
def flagged(library: Library) -> Library:
    """A conflict between a source of kim's department and one of omar's, and a plain flag."""
    library.add(a_document("returns-1", owner="kim"), a_document("faq-1", owner="omar"))
    sides = (("conflict-ab12-1", "returns"), ("conflict-ab12-2", "faq"), ("flag_1", "faq"))
    for flag_id, source in sides:
        library.flag(flag_id=flag_id, source_id=source, document_id=f"{source}-1")
    return library


def states(library: Library) -> dict[str, str]:
    return {flag.flag_id: flag.state for flag in library.registry.flags(TENANT)}


def closed(library: Library) -> list[str]:
    store = SqlReviewStore(library.engine, FixedClock())
    with store.read() as txn:
        return [e.subject_id for e in txn.audit_events() if e.kind == "source.flag_closed"]


def test_one_owner_settles_both_sides_of_a_conflict(flagged: Library) -> None:
    done = flagged.shelf(KIM).close_flag("conflict-ab12-1", "The policy holds; the FAQ is mended.")

    assert (done.state, done.resolved_by) == ("done", "kim")
    assert done.resolution == "The policy holds; the FAQ is mended."
    assert states(flagged) == {
        "conflict-ab12-1": "done",
        "conflict-ab12-2": "done",
        "flag_1": "open",
    }
    assert sorted(closed(flagged)) == ["faq", "returns"]


def test_settling_again_changes_nothing(flagged: Library) -> None:
    shelf = flagged.shelf(KIM)
    shelf.close_flag("conflict-ab12-1", "The policy holds.")
    again = flagged.shelf(OMAR).close_flag("conflict-ab12-2", "No, the FAQ.")

    assert again.resolution == "The policy holds."
    assert len(closed(flagged)) == 2


def test_who_does_not_answer_for_the_source_settles_nothing(flagged: Library) -> None:
    for user in (ANA, OMAR):
        with pytest.raises(NotAllowed):
            flagged.shelf(user).close_flag("conflict-ab12-1", "mine now")
    with pytest.raises(NotFound):
        flagged.shelf(GUEST).close_flag("conflict-ab12-1", "mine now")
    assert set(states(flagged).values()) == {"open"}


def test_a_flag_is_settled_with_words_and_must_exist(flagged: Library) -> None:
    with pytest.raises(BadInput):
        flagged.shelf(KIM).close_flag("conflict-ab12-1", "  ")
    with pytest.raises(NotFound):
        flagged.shelf(KIM).close_flag("conflict-none-1", "done")


def test_only_open_flags_of_one_s_own_may_be_settled(flagged: Library) -> None:
    shelf = flagged.shelf(KIM)
    mine = {f.flag_id: shelf.may_settle(f) for f in shelf.flags()}
    assert mine == {"conflict-ab12-1": True, "conflict-ab12-2": False, "flag_1": False}
    done = shelf.close_flag("conflict-ab12-1", "settled")
    assert not shelf.may_settle(done)
