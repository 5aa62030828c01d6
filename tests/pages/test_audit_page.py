"""Audit: the chain on top, the decisions, and what was known when each was made."""

from __future__ import annotations

from core.errors import TryAgainLater
from core.review.views import ChainState
from tests.fakes.fake_boards import FakeAudit, an_audit
from tests.pages.reading import buttons_of, open_page, words_of


def _page(desk: object) -> None:
    from pages.audit import page

    page.render(desk)  # type: ignore[arg-type]


def _guarded(desk: object) -> None:
    from pages.audit import page
    from pages.shell import guard, session
    from tests.fakes.fake_office import FakeOffice

    session.provide(FakeOffice(audit=desk), who=lambda: "sam")  # type: ignore[arg-type]
    guard.open_page("audit", session.audit_desk, page.render)


def test_the_chain_says_how_far_it_is_verified() -> None:
    assert "Verified to event 18,204" in words_of(open_page(_page, an_audit()))


def test_a_broken_chain_names_the_event_and_what_not_to_do() -> None:
    broken = ChainState(ok=False, events=9, head="", broken_at=7, reason="The hash differs.")
    words = words_of(open_page(_page, FakeAudit(chain=broken)))

    assert "The chain breaks at event 7" in words
    assert "Do not rely on events from there on" in words


def test_a_decision_shows_the_text_the_difference_and_what_was_opened() -> None:
    at = open_page(_page, an_audit())
    at.button(key="open-d1").click().run()

    words = words_of(at)
    assert "Opened before passage 1; conflict 1" in words
    assert "Time to decide 48 s" in words
    assert "You can return the coat within 45 days of the purchase date." in words
    assert "60 45" in words
    assert "all-MiniLM-L6-v2 fp32" in words


def test_evidence_is_looked_up_on_the_index_of_then_when_asked() -> None:
    at = open_page(_page, an_audit())
    at.button(key="open-d1").click().run()
    assert "index version" not in words_of(at)

    at.button(key="replay").click().run()

    words = words_of(at)
    assert "1 passage used, each there word for word" in words
    assert "how long can I return the coat" in words


def test_evidence_that_stands_otherwise_in_the_index_of_then_is_said_so() -> None:
    desk = an_audit()
    desk.standing = "other words"
    at = open_page(_page, desk)
    at.button(key="open-d1").click().run()
    at.button(key="replay").click().run()

    words = words_of(at)
    assert "some evidence does not stand in the index of then" in words
    assert "other words" in words


def test_filters_reach_the_desk() -> None:
    at = open_page(_page, an_audit())
    at.text_input(key="filter-person").set_value("ben").run()

    assert {key for key in buttons_of(at) if key.startswith("open-")} == {"open-d2"}


def test_nothing_is_exported_until_somebody_asks() -> None:
    desk = an_audit()
    open_page(_page, desk).run()

    assert desk.exports == []


def test_an_empty_audit_says_what_to_do() -> None:
    assert "No decision matches" in words_of(open_page(_page, FakeAudit()))


def test_an_unknown_decision_says_so() -> None:
    words = words_of(open_page(_page, an_audit(), decision="d9"))

    assert "There is no decision d9" in words


def test_a_store_that_is_away_is_told_apart_from_an_empty_audit() -> None:
    at = open_page(_guarded, FakeAudit(broken=TryAgainLater("The database does not answer.")))

    assert "The database does not answer" in words_of(at)
