"""Editing at the reply desk: the text beside its check, saved as it is typed."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from core.models.review import WorkingEdit
from tests.fakes.fake_desk import FakeDesk, a_desk
from tests.pages.builders import DRAFT, NOW
from tests.pages.reading import open_page, words_of


def _page(desk: object) -> None:
    from pages.components.notices import draw_notices
    from pages.reply_desk import page

    draw_notices()
    page.render(desk)  # type: ignore[arg-type]


def _opened(desk: FakeDesk, case_id: str = "1042") -> AppTest:
    return open_page(_page, desk, case=case_id)


def _called(desk: FakeDesk, name: str) -> list[dict[str, Any]]:
    return [carried for called, carried in desk.calls if called == name]


def _settled(desk: FakeDesk) -> FakeDesk:
    desk.opened["1042"] = {"conflict-1", "value:C13"}
    return desk


def test_an_edit_that_breaks_a_claim_is_flagged_with_the_way_out() -> None:
    desk = _settled(a_desk())
    at = _opened(desk)
    at.button(key="edit").click().run()
    at.text_area(key="edit-text-1042").set_value(DRAFT.replace("45 days", "60 days")).run()

    words = words_of(at)
    assert "E1 says 45 days, the text says 60" in words
    assert "Supported wording: You can return the coat within 45 days" in words
    assert desk.edits["1042"].text.count("60 days") == 1

    at.button(key="use-wording-0").click().run()
    assert "45 days" in (at.text_area(key="edit-text-1042").value or "")
    assert "2 verified" in words_of(at)


def test_a_kept_edit_becomes_the_draft_under_the_version_that_was_read() -> None:
    desk = _settled(a_desk())
    at = _opened(desk)
    at.button(key="edit").click().run()
    text = DRAFT.replace("Kind regards", "Warm regards")
    at.text_area(key="edit-text-1042").set_value(text).run()
    at.button(key="keep-edit").click().run()

    assert _called(desk, "submit_edit") == [{"case_id": "1042", "text": text}]
    assert "Warm regards" in words_of(at)


def test_an_autosaved_edit_is_offered_again_with_its_age() -> None:
    desk = a_desk()
    desk.edits["1042"] = WorkingEdit(
        case_id="1042",
        user_id="ana",
        base_draft_id="draft_1042_1",
        text="half a reply",
        saved_at=NOW,
    )
    at = _opened(desk)
    assert "You have an edit of this reply" in words_of(at)

    at.button(key="resume-edit-1042").click().run()
    assert at.text_area(key="edit-text-1042").value == "half a reply"
