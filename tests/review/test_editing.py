"""A person's own words: kept, checked, stored, never overwritten."""

from __future__ import annotations

import pytest

from core.errors import BadInput, InvalidTransition, NotReady, StaleVersion
from tests.fakes.scripted_copilot import PLAIN_REPLY, WINDOW
from tests.review.builders import Bureau, approve, edit

KINDER = PLAIN_REPLY.replace("Kind regards", "Warm regards")


def test_typed_words_survive_the_session_and_are_stamped(bureau: Bureau) -> None:
    view = bureau.desk().open("1042")
    assert view.draft is not None
    bureau.desk().autosave("1042", base_draft_id=view.draft.draft_id, text="Dear Ma")
    bureau.later(seconds=12)

    kept = bureau.desk().view("1042").working_edit

    assert kept is not None
    assert kept.text == "Dear Ma"
    assert (bureau.clock.now() - kept.saved_at).total_seconds() == 12


def test_typed_words_survive_a_lost_lease(bureau: Bureau) -> None:
    view = bureau.desk("ana").open("1042")
    assert view.draft is not None
    bureau.desk("sam").take_over("1042")

    bureau.desk("ana").autosave("1042", base_draft_id=view.draft.draft_id, text="My words")

    kept = bureau.desk("ana").view("1042").working_edit
    assert kept is not None
    assert kept.text == "My words"
    assert bureau.desk("sam").view("1042").working_edit is None
    assert bureau.desk("sam").view("1042").mine


def test_a_redraft_never_replaces_what_a_person_is_typing(bureau: Bureau) -> None:
    desk = bureau.desk()
    view = desk.open("1042")
    assert view.draft is not None
    desk.autosave("1042", base_draft_id=view.draft.draft_id, text="My words")

    after = desk.redraft("1042", reason="too long")

    assert after.working_edit is not None
    assert after.working_edit.text == "My words"
    assert "newer draft" in after.banner
    with pytest.raises(StaleVersion, match="newer draft"):
        desk.submit_edit(
            "1042",
            base_draft_id=view.draft.draft_id,
            text="My words",
            case_version=after.case.version,
        )
    assert desk.view("1042").working_edit == after.working_edit


def test_checking_stores_nothing_and_shows_the_difference(bureau: Bureau) -> None:
    desk = bureau.desk()
    desk.open("1042")
    before, events = bureau.case(), bureau.events()

    checked = desk.check("1042", PLAIN_REPLY.replace("45", "60"))

    assert [text for kind, text in checked.diff if kind == "added"] == ["60 "]
    assert [c.suggestion for c in checked.claims if c.support_status == "contradicted"] == [WINDOW]
    assert "evidence says otherwise" in checked.blocking[0].lower()
    assert (bureau.case(), bureau.events()) == (before, events)


def test_a_harmless_text_has_nothing_against_it(bureau: Bureau) -> None:
    desk = bureau.desk()
    desk.open("1042")

    assert desk.check("1042", KINDER).blocking == ()


def test_an_edit_is_a_new_version_with_its_own_checks(bureau: Bureau) -> None:
    desk = bureau.desk()
    first = desk.open("1042")
    assert first.draft is not None
    desk.autosave("1042", base_draft_id=first.draft.draft_id, text=KINDER)

    view = edit(desk, first, KINDER)

    assert view.case.state == "edited"
    assert view.draft is not None
    assert (view.draft.kind, view.draft.number) == ("edited", 2)
    assert view.draft.base_draft_id == first.draft.draft_id
    assert (view.draft.text, view.working_edit) == (KINDER, None)
    assert view.draft.ledger is not None
    approve(desk, view)
    assert bureau.items()[0].body == KINDER


def test_an_edit_takes_the_approval_from_the_draft_before_it(bureau: Bureau) -> None:
    desk = bureau.desk()
    first = desk.open("1042")
    edit(desk, first, KINDER)

    with pytest.raises(StaleVersion):
        approve(desk, first)


def test_an_unchanged_text_is_no_edit(bureau: Bureau) -> None:
    desk = bureau.desk()
    view = desk.open("1042")

    assert edit(desk, view, PLAIN_REPLY).draft == view.draft
    assert bureau.case().state == "in_review"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        (" \n ", "empty"),
        ("x" * 20_001, "20,001 characters"),
        ("zero\x00byte", "control character"),
        ("broken \ud800 half", "broken character"),
    ],
)
def test_a_text_that_cannot_be_sent_is_refused_with_the_reason(
    bureau: Bureau, text: str, words: str
) -> None:
    desk = bureau.desk()
    view = desk.open("1042")

    for attempt in (
        lambda: edit(desk, view, text),
        lambda: desk.check("1042", text),
        lambda: desk.ask_customer("1042", question=text, case_version=view.case.version),
    ):
        with pytest.raises(BadInput, match=words):
            attempt()
    assert bureau.case() == view.case


def test_a_draft_of_another_case_is_no_base(bureau: Bureau) -> None:
    desk = bureau.desk()
    desk.open("1042")

    with pytest.raises(BadInput, match="does not belong"):
        desk.autosave("1042", base_draft_id="draft_of_another", text="x")


def test_nothing_is_edited_before_the_case_is_open_or_after_it_is_decided(bureau: Bureau) -> None:
    desk = bureau.desk()
    with pytest.raises(InvalidTransition, match="new"):
        desk.submit_edit("1042", base_draft_id="d", text="x", case_version=1)
    with pytest.raises(NotReady, match="Open the case first"):
        desk.check("1042", "x")
    view = desk.open("1042")
    approve(desk, view)
    with pytest.raises(InvalidTransition):
        edit(desk, view, KINDER)
