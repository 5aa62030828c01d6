"""Knowledge: documents dropped, filled in, compared, published; and the quarantine."""

from __future__ import annotations

import pytest

from core.knowledge.duplicate_finder import DuplicateFindings
from core.knowledge.duplicates import DuplicateGroup, DuplicatePlace, DuplicateWording
from core.knowledge.upload_models import NEW_SOURCE
from core.knowledge.upload_worker import Work
from core.models.source import IngestProgress
from tests.fakes.fake_shelf import FakeShelf
from tests.fakes.fake_uploads import (
    RETURNS,
    FakeUploads,
    a_draft_page,
    a_file,
    a_row,
    a_version_page,
)
from tests.pages.reading import buttons_of, open_page, words_of

IDLE = Work(running=False, reading="", publishing=None, trouble="")


def _page(desk: object) -> None:
    from pages.components.notices import draw_notices
    from pages.knowledge import page

    draw_notices()
    page.render(desk)  # type: ignore[arg-type]


def _drawn(at: object) -> str:
    return " ".join(e.proto.body for e in at.get("html"))  # type: ignore[attr-defined]


# the list


def test_what_waits_is_listed_with_its_state() -> None:
    words = words_of(open_page(_page, FakeShelf(), view="Upload"))

    assert "2 documents not published yet" in words
    assert "needs a look" in words
    assert "ready to publish" in words
    assert "nothing is searched before you publish it" in words


def test_without_uploads_it_says_what_to_do() -> None:
    words = words_of(open_page(_page, FakeShelf(uploads=FakeUploads(drafts={})), view="Upload"))

    assert "Nothing waits to be published" in words
    assert "Drop a file" in words


def test_people_who_take_no_documents_in_see_no_such_view() -> None:
    at = open_page(_page, FakeShelf(uploads=None))

    assert "Upload" not in at.segmented_control(key="view").options
    assert "Quarantine" not in at.segmented_control(key="view").options
    assert "Within 45 days" not in words_of(
        open_page(_page, FakeShelf(uploads=None), upload="up_1")
    )


def test_a_file_that_failed_says_why_and_can_be_dismissed() -> None:
    failed = a_file(state="failed", reason="no text on any page", fix="scan it again")
    desk = FakeUploads(drafts={}, files=(failed,))
    at = open_page(_page, FakeShelf(uploads=desk), view="Upload")

    assert "no text on any page What to do: scan it again" in words_of(at)
    at.button(key="dismiss-file_1").click().run()
    assert desk.calls == [("dismiss_file", "file_1")]


def test_publishing_many_tells_rate_and_time_left() -> None:
    progress = IngestProgress(
        documents=30,
        total=80,
        passages=120,
        failed=1,
        item="Toys",
        seconds=10,
        passages_per_second=12,
        seconds_left=17,
    )
    desk = FakeUploads(doing=Work(running=True, reading="", publishing=progress, trouble=""))
    words = words_of(open_page(_page, FakeShelf(uploads=desk), view="Upload"))

    assert "Publishing 30 of 80 documents" in words
    assert "120 passages · 12 a second · about 17 s left · 1 sent back · last Toys" in words
    assert "You may leave; it goes on." in words


def test_reading_names_the_file_in_hand_and_how_many_follow() -> None:
    files = (a_file(file_id="f2", name="b.md"), a_file(name="a.md", state="reading"))
    desk = FakeUploads(files=files, doing=IDLE._replace(running=True, reading="a.md"))
    words = words_of(open_page(_page, FakeShelf(uploads=desk), view="Upload"))

    assert "Reading a.md · 1 file after it" in words


def test_uploads_that_wait_for_the_index_say_so_and_can_be_tried_again() -> None:
    desk = FakeUploads(
        drafts={"up_1": a_draft_page(row=a_row(state="queued"))},
        doing=IDLE._replace(trouble="The index is being rebuilt."),
    )
    at = open_page(_page, FakeShelf(uploads=desk), view="Upload")

    assert "Uploads wait. Nothing was lost. The index is being rebuilt." in words_of(at)
    at.button(key="try-again").click().run()
    assert desk.calls == [("try_again",)]


def test_all_that_is_ready_is_published_together() -> None:
    desk = FakeUploads(drafts={"a": a_version_page("a"), "b": a_version_page("b")})
    at = open_page(_page, FakeShelf(uploads=desk), view="Upload")
    at.button(key="publish-ready").click().run()

    assert desk.calls == [("publish_ready",)]


def test_what_was_published_is_linked_and_taken_back_with_a_reason() -> None:
    row = a_row("up_9", state="published", source_id="toys", document_id="toys@1", can_undo=True)
    desk = FakeUploads(drafts={}, published=(row,))
    at = open_page(_page, FakeShelf(uploads=desk), view="Upload")

    assert 'href="/knowledge?source=toys&amp;document=toys%401"' in _drawn(at)
    assert at.button(key="undo-up_9").disabled
    at.text_input(key="undo-why-up_9").set_value("wrong file").run()
    at.button(key="undo-up_9").click().run()
    assert desk.calls == [("undo", "up_9", "wrong file")]


# one draft


def test_what_was_read_is_shown_with_tables_as_tables_and_nothing_of_it_runs() -> None:
    at = open_page(_page, FakeShelf(), upload="up_1")
    drawn, words = _drawn(at), words_of(at)

    assert "<td>coat</td><td>45</td>" in drawn
    assert "<h4>Returns</h4>" in drawn
    assert "<img" not in drawn
    assert "hidden elements were dropped" in words
    assert "2 pages" in words
    assert "2 passages" in words


def test_passages_come_with_heading_page_and_size() -> None:
    at = open_page(_page, FakeShelf(), upload="up_1")
    at.segmented_control(key="look-up_1").set_value("Passages").run()

    assert "Returns › Window Within 45 days. 3 words · page 2" in words_of(at)
    assert "3 words · table · page 2" in words_of(at)


def test_text_that_stands_elsewhere_is_linked() -> None:
    at = open_page(_page, FakeShelf(), upload="up_1")
    at.segmented_control(key="look-up_1").set_value("Stands elsewhere").run()

    assert 'href="/knowledge?source=faq&amp;document=faq%401"' in _drawn(at)


def test_what_stands_against_publishing_is_said_at_the_button_and_beside_the_field() -> None:
    at = open_page(_page, FakeShelf(), upload="up_1")
    words = words_of(at)

    assert at.button(key="publish").disabled
    assert "1 thing stands against it nobody here answers for 'bob'" in words
    assert "✖ nobody here answers for 'bob'. What to do: name a person" in words


@pytest.mark.parametrize(
    ("kind", "name", "value", "stored"),
    [
        ("text_input", "title", "Returns 2", "Returns 2"),
        ("selectbox", "owner", "kim", "kim"),
        ("number_input", "review_sla_days", 30, "30"),
        ("text_input", "valid_to", "2027-01-01", "2027-01-01"),
        ("checkbox", "signed", False, "no"),
    ],
)
def test_a_field_is_kept_when_it_is_left(kind: str, name: str, value: object, stored: str) -> None:
    desk = FakeUploads()
    at = open_page(_page, FakeShelf(uploads=desk), upload="up_1")
    (widget,) = [w for w in getattr(at, kind) if (w.key or "").startswith(f"field-{name}-")]
    widget.set_value(value).run()

    assert desk.calls == [("edit", "up_1", name, stored)]


def test_a_new_version_shows_what_changes_and_what_leans_on_the_old_one() -> None:
    at = open_page(_page, FakeShelf(), upload="up_2")
    words, drawn = words_of(at), _drawn(at)

    assert "<del>30 days</del><ins>45 days</ins>" in drawn
    assert "Region – Canada" in words
    assert "#1050 A late scarf open draft drafted" in words
    assert "#1042 Coat from the holiday sale approved" in words
    assert "it replaces version 4.2" in words
    assert "Suggested because it has the same title." in words


def test_publishing_is_bound_to_what_was_seen() -> None:
    desk = FakeUploads()
    at = open_page(_page, FakeShelf(uploads=desk), upload="up_2")
    at.button(key="publish").click().run()

    assert desk.calls == [("publish", "up_2", 3)]
    assert "upload" not in at.query_params


def test_a_person_says_that_it_is_a_source_of_its_own() -> None:
    desk = FakeUploads()
    at = open_page(_page, FakeShelf(uploads=desk), upload="up_2")
    at.selectbox(key="source-up_2-3").set_value(NEW_SOURCE).run()

    assert desk.calls == [("choose_source", "up_2", NEW_SOURCE)]


def test_the_same_again_says_that_there_is_nothing_to_do() -> None:
    same = a_version_page(
        identical=RETURNS, blocked_by=(a_draft_page().blocked_by[0],), replacement=None
    )
    at = open_page(_page, FakeShelf(uploads=FakeUploads(drafts={"up_2": same})), upload="up_2")

    assert "Already published, nothing to do." in words_of(at)
    assert at.button(key="publish").disabled


def test_an_upload_that_is_not_there_says_so() -> None:
    at = open_page(_page, FakeShelf(), upload="up_77")

    assert "There is no such upload" in words_of(at).replace("\\", "")


# the quarantine


def test_a_quarantined_file_says_what_is_wrong_and_what_to_do() -> None:
    words = words_of(open_page(_page, FakeShelf(), view="Quarantine"))

    assert "2 files could not be taken in" in words
    assert "no text on any page What to do: Run it through text recognition first." in words


def test_only_what_was_read_can_be_fixed_here() -> None:
    shelf = FakeShelf()
    at = open_page(_page, shelf, view="Quarantine")
    assert {key for key in buttons_of(at) if key.startswith("fix-")} == {"fix-1"}
    at.button(key="fix-1").click().run()

    assert shelf.uploads is not None
    assert shelf.uploads.calls == [("fix_quarantined", "=incoming/toys.md")]
    assert at.query_params["upload"] == ["up_1"] or at.query_params["upload"] == "up_1"


def test_a_file_is_dismissed_with_a_reason() -> None:
    shelf = FakeShelf()
    at = open_page(_page, shelf, view="Quarantine")
    assert at.button(key="dismiss-0").disabled
    at.text_input(key="dismiss-why-0").set_value("it was a test").run()
    at.button(key="dismiss-0").click().run()

    assert shelf.calls == [
        ("dismiss_quarantined", {"path": "incoming/scan.pdf", "reason": "it was a test"})
    ]


def test_the_export_holds_no_formula() -> None:
    from pages.knowledge.quarantine import as_csv

    exported = as_csv(FakeShelf().quarantine()).decode("utf-8-sig")

    assert "'=incoming/toys.md" in exported
    assert exported.splitlines()[0] == "file,reason,fix,since,taken in by"


# duplicates


def _found() -> DuplicateFindings:
    def wording(text: str, source: str, kind: str, *parts: tuple[str, str]) -> DuplicateWording:
        place = DuplicatePlace(
            chunk_id=f"{source}::0001",
            document_id=f"{source}@1",
            source_id=source,
            title=f"Policy {source}",
            version="1",
            owner="kim",
            authority="faq",
            heading_path=("Window",),
            page=3,
        )
        return DuplicateWording.model_validate(
            {"text": text, "places": (place,), "kind": kind, "differences": parts}
        )

    group = DuplicateGroup(
        kind="differs_in_values",
        words="2 sources differ only in: 45 days / 60 days",
        wordings=(
            wording("Return it within 45 days. <img src=x>", "a", "same"),
            wording("Return it within 60 days.", "b", "differs_in_values", ("45 days", "60 days")),
        ),
    )
    return DuplicateFindings(phase="done", groups=(group,))


def test_duplicates_come_with_the_values_marked_and_links_to_both() -> None:
    at = open_page(_page, FakeShelf(found=_found()), view="Duplicates")
    drawn = _drawn(at)

    assert '<mark class="cs-mark">45 days</mark>' in drawn
    assert '<mark class="cs-mark">60 days</mark>' in drawn
    assert 'href="/knowledge?source=a&amp;document=a%401&amp;passage=a%3A%3A0001"' in drawn
    assert 'href="/knowledge?source=b&amp;document=b%401&amp;passage=b%3A%3A0001"' in drawn
    assert "<img" not in drawn
    assert "Window, page 3 · version 1 · faq · owner kim" in words_of(at)


def test_looking_for_duplicates_tells_how_far_it_is() -> None:
    running = DuplicateFindings(phase="running", looked=100, total=400)
    words = words_of(open_page(_page, FakeShelf(found=running), view="Duplicates"))

    assert "100 of 400 sources read. You may leave; it goes on." in words


def test_failing_to_look_says_why_and_can_be_tried_again() -> None:
    shelf = FakeShelf(found=DuplicateFindings(phase="failed", words="No index."))
    at = open_page(_page, shelf, view="Duplicates")
    assert "No index." in words_of(at)
    at.button(key="look-again").click().run()

    assert shelf.calls == [("look_again", {})]


def test_no_duplicates_is_good_news() -> None:
    words = words_of(open_page(_page, FakeShelf(), view="Duplicates"))

    assert "No text stands in two sources" in words
