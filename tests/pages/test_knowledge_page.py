"""Knowledge: what is due, one source, and its review."""

from __future__ import annotations

from core.errors import TryAgainLater
from tests.fakes.fake_shelf import FakeShelf
from tests.pages.reading import buttons_of, open_page, words_of


def _page(desk: object) -> None:
    from pages.components.notices import draw_notices
    from pages.knowledge import page

    draw_notices()
    page.render(desk)  # type: ignore[arg-type]


def _guarded(desk: object) -> None:
    from pages.knowledge import page
    from pages.shell import guard, session
    from tests.fakes.fake_office import FakeOffice

    session.provide(FakeOffice(the_shelf=desk), who=lambda: "kim")  # type: ignore[arg-type]
    guard.open_page("knowledge", session.shelf, page.render)


def test_what_is_due_comes_with_its_state_in_words() -> None:
    words = words_of(open_page(_page, FakeShelf()))

    assert "stale by 110 days, 14 replies in the last 30 days" in words
    assert "Refund procedure" not in words


def test_every_source_can_be_searched_for() -> None:
    at = open_page(_page, FakeShelf(), view="All sources")
    assert "Refund procedure" in words_of(at)
    at.text_input(key="search-sources").set_value("reviewed 12").run()

    assert "Return policy" not in words_of(at)
    assert "Refund procedure" in words_of(at)


def test_flags_have_a_view_of_their_own() -> None:
    assert "Stores say 60 days at the till." in words_of(
        open_page(_page, FakeShelf(), view="Flags")
    )


def test_an_owner_settles_a_flag_with_words() -> None:
    shelf = FakeShelf()
    at = open_page(_page, shelf, view="Flags")
    assert at.button(key="settle-0").disabled
    at.text_input(key="settle-how-0").set_value("The till sign is wrong.").run()
    at.button(key="settle-0").click().run()

    assert shelf.calls == [
        ("close_flag", {"flag_id": "flag_1", "resolution": "The till sign is wrong."})
    ]


def test_who_does_not_answer_for_it_settles_nothing() -> None:
    at = open_page(_page, FakeShelf(can_change=False), view="Flags")
    assert "Its owner settles it." in words_of(at)
    assert not [b for b in at.button if b.key == "settle-0"]


def test_a_source_is_opened_from_the_list() -> None:
    at = open_page(_page, FakeShelf())
    at.button(key="open-due-returns").click().run()

    assert at.query_params["source"] == "returns"
    assert "in force" in words_of(at)


def test_a_deep_link_marks_the_cited_passage() -> None:
    at = open_page(_page, FakeShelf(), source="returns", passage="returns#3")
    marked = [e.proto.body for e in at.get("html") if "cs-target" in e.proto.body]

    assert len(marked) == 1
    assert "<mark" in marked[0]
    assert "the cited passage is marked" in words_of(at)


def test_a_passage_of_another_version_is_not_marked_anywhere() -> None:
    at = open_page(_page, FakeShelf(), source="returns", passage="returns#99")

    assert "The cited passage is not in this version" in words_of(at)


def test_a_review_is_bound_to_the_text_that_was_read() -> None:
    shelf = FakeShelf()
    at = open_page(_page, shelf, source="returns")
    at.text_input(key="review-note").set_value("checked with legal").run()
    at.button(key="mark-reviewed").click().run()

    assert shelf.calls == [
        ("mark_reviewed", {"note": "checked with legal", "content_hash": "c0ffee"})
    ]


def test_withdrawing_needs_a_reason() -> None:
    shelf = FakeShelf()
    at = open_page(_page, shelf, source="returns")
    assert at.button(key="withdraw").disabled

    at.text_input(key="withdraw-reason").set_value("the number is wrong").run()
    at.button(key="withdraw").click().run()
    assert shelf.calls == [("withdraw", {"reason": "the number is wrong"})]


def test_a_reader_without_the_right_sees_no_way_to_change_a_source() -> None:
    at = open_page(_page, FakeShelf(can_change=False), source="returns")

    assert "mark-reviewed" not in buttons_of(at)
    assert "withdraw" not in buttons_of(at)


def test_an_empty_shelf_says_what_to_do() -> None:
    assert "Nothing is due" in words_of(open_page(_page, FakeShelf(rows=())))
    every = words_of(open_page(_page, FakeShelf(rows=()), view="All sources"))

    assert "ingest documents first" in every


def test_a_source_that_is_not_there_says_so() -> None:
    words = words_of(open_page(_page, FakeShelf(), source="nothing"))

    assert "There is no source" in words.replace("\\", "")


def test_a_store_that_is_away_is_told_apart_from_an_empty_shelf() -> None:
    at = open_page(_guarded, FakeShelf(broken=TryAgainLater("The database does not answer.")))

    assert "The database does not answer" in words_of(at)
