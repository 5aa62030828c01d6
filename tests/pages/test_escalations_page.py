"""Escalations: the board, the packet, and the three ways out of it."""

from __future__ import annotations

import pytest

from core.errors import TryAgainLater
from tests.fakes.fake_boards import FakeEscalations, some_escalations
from tests.pages.reading import buttons_of, open_page, words_of


def _page(desk: object) -> None:
    from pages.components.notices import draw_notices
    from pages.escalations import page

    draw_notices()
    page.render(desk)  # type: ignore[arg-type]


def _guarded(desk: object) -> None:
    from pages.escalations import page
    from pages.shell import guard, session
    from tests.fakes.fake_office import FakeOffice

    session.provide(FakeOffice(escalations=desk), who=lambda: "sam")  # type: ignore[arg-type]
    guard.open_page("escalations", session.escalation_desk, page.render)


def test_the_board_goes_by_reason_and_says_what_is_late_and_missing() -> None:
    words = words_of(open_page(_page, some_escalations()))

    assert "needs an exception" in words
    assert "late by 6 h" in words
    assert "missing: a signed exception for regional stores" in words
    assert "1 past their clock" in words


def test_the_packet_opens_in_place_as_the_first_agent_saw_it() -> None:
    at = open_page(_page, some_escalations())
    at.button(key="open-esc_1").click().run()

    words = words_of(at)
    assert "Second event within 90 days." in words
    assert "Return policy 4.2 › Holiday returns" in words
    assert at.query_params["escalation"] == "esc_1"


@pytest.mark.parametrize(
    ("field", "button", "call"),
    [
        ("answer-esc_1", "resolve", ("resolve", {"answer": "words"})),
        ("note-esc_1", "send-back", ("send_back", {"note": "words"})),
        ("to-esc_1", "reassign", ("reassign", {"to": "words"})),
    ],
)
def test_each_way_out_carries_what_was_written(
    field: str, button: str, call: tuple[str, dict[str, str]]
) -> None:
    desk = some_escalations()
    at = open_page(_page, desk, escalation="esc_1")
    typed = [*at.text_input, *at.text_area]
    next(widget for widget in typed if widget.key == field).set_value("words").run()
    at.button(key=button).click().run()

    assert desk.calls == [call]


def test_an_escalation_already_closed_offers_no_way_out() -> None:
    desk = some_escalations()
    desk.send_back("esc_1", note="try again")
    at = open_page(_page, desk, escalation="esc_1")

    assert "resolve" not in buttons_of(at)


def test_an_empty_board_says_where_escalations_come_from() -> None:
    assert "No escalation is open" in words_of(open_page(_page, FakeEscalations()))


def test_an_unknown_escalation_says_so() -> None:
    words = words_of(open_page(_page, some_escalations(), escalation="esc_9"))

    assert "There is no escalation esc" in words


def test_a_store_that_is_away_is_told_apart_from_an_empty_board() -> None:
    at = open_page(_guarded, FakeEscalations(broken=TryAgainLater("The database does not answer.")))

    assert "The database does not answer" in words_of(at)
