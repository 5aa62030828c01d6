"""The frame: who sees which page, and that no page draws anything for a stranger."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.shell import session
from pages.shell.screens import SCREENS
from tests.fakes.fake_office import FakeOffice
from tests.pages.reading import buttons_of, words_of

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = [screen.folder for screen in SCREENS]


@pytest.fixture(autouse=True)
def _no_office_left_behind() -> Iterator[None]:
    yield
    session.provide(None)


def _app(user_id: str | None, office: FakeOffice | None = None) -> AppTest:
    session.provide(office or FakeOffice(), who=lambda: user_id)
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=20).run()


def _is_signed_out(at: AppTest) -> bool:
    return [h.value for h in at.subheader] == ["You are signed out"]


def test_a_stranger_sees_the_way_to_sign_in_and_nothing_else() -> None:
    at = _app(None)

    assert _is_signed_out(at)
    assert buttons_of(at) == set()


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_page_draws_anything_for_a_stranger(folder: str) -> None:
    session.provide(FakeOffice(), who=lambda: None)
    at = AppTest.from_file(str(ROOT / "pages" / folder / "page.py"), default_timeout=20).run()

    assert _is_signed_out(at)
    assert buttons_of(at) == set()


@pytest.mark.parametrize(
    ("user_id", "folder"),
    [("ana", "audit"), ("ana", "escalations"), ("kim", "reply_desk"), ("kim", "audit")],
)
def test_a_page_refuses_a_person_without_its_right_even_when_reached(
    user_id: str, folder: str
) -> None:
    session.provide(FakeOffice(), who=lambda: user_id)
    at = AppTest.from_file(str(ROOT / "pages" / folder / "page.py"), default_timeout=20).run()

    assert "Your role does not open this page" in words_of(at)
    assert buttons_of(at) == set()


def test_an_agent_starts_at_the_desk_under_their_own_name() -> None:
    words = words_of(_app("ana"))

    assert "Ana Ruiz" in words
    assert "demo sign-in, this machine only" in words
    assert "No case open" in words


def test_an_owner_starts_at_their_sources() -> None:
    assert "stale by 110 days" in words_of(_app("kim"))


def test_rights_taken_away_hold_from_the_next_click() -> None:
    office = FakeOffice()
    at = _app("sam", office)
    at.switch_page("pages/audit/page.py").run()
    assert "Verified to event" in words_of(at)

    office.identity.actions["sam"] = ("ask",)
    at.run()
    assert "Verified to event" not in words_of(at)


def test_a_person_switched_off_is_signed_out_on_the_next_click() -> None:
    office = FakeOffice()
    at = _app("ana", office)
    del office.identity.actions["ana"]
    at.run()

    assert _is_signed_out(at)


def test_every_screen_is_a_folder_and_no_loose_file_is_served() -> None:
    # Streamlit serves pages/*.py by address without app.py, so without sign-in.
    assert [p.name for p in (ROOT / "pages").glob("*.py")] == ["__init__.py"]
    assert all((ROOT / "pages" / folder / "page.py").is_file() for folder in FOLDERS)
