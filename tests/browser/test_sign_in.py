"""In a real browser: no page without sign-in, deep links kept, sessions that end."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import fake_server, sign_in


@pytest.mark.parametrize(
    "path", ["/", "/desk?case=1042", "/knowledge", "/escalations", "/audit", "/inspector"]
)
def test_a_strangers_browser_ends_at_sign_in(page: Page, fake_console: str, path: str) -> None:
    page.goto(fake_console + path)

    assert page.url.startswith(f"{fake_console}/signin")
    assert page.get_by_text("Demo sign-in, this machine only").is_visible()
    assert page.query_selector('[data-testid="stApp"]') is None


def test_a_deep_link_survives_sign_in_and_reload_even_on_a_cold_server(page: Page) -> None:
    with fake_server() as address:
        sign_in(page, address, "ana", "/desk?case=1043")
        page.get_by_text("Match Best Buy?").nth(1).wait_for()
        page.reload()
        page.get_by_text("Match Best Buy?").nth(1).wait_for()

        assert page.url == f"{address}/desk?case=1043"
        assert page.get_by_text("Page not found").count() == 0


def test_a_page_outside_ones_rights_does_not_open_by_its_address(
    page: Page, fake_console: str
) -> None:
    sign_in(page, fake_console, "ana", "/desk")
    page.goto(f"{fake_console}/audit")
    page.get_by_text("Sign out").wait_for()

    assert page.get_by_text("Verified to event").count() == 0


def test_signing_out_ends_the_session_for_good(page: Page, fake_console: str) -> None:
    sign_in(page, fake_console, "ana", "/desk")
    cookie = page.context.cookies()[0]
    page.get_by_text("Sign out").click()
    page.get_by_text("You are signed out").wait_for()
    page.goto(f"{fake_console}/desk")
    assert "/signin" in page.url

    page.context.add_cookies(
        [{"name": cookie["name"], "value": cookie["value"], "url": fake_console}]
    )
    page.goto(f"{fake_console}/desk")
    assert "/signin" in page.url


def test_the_session_cookie_is_out_of_reach_for_scripts(page: Page, fake_console: str) -> None:
    sign_in(page, fake_console, "ana", "/desk")
    (cookie,) = [c for c in page.context.cookies() if c["name"] == "countersign_session"]

    assert cookie["httpOnly"]
    assert cookie["sameSite"] == "Strict"
    assert "countersign_session" not in page.evaluate("document.cookie")


def test_health_and_counters_answer_without_sign_in(page: Page, fake_console: str) -> None:
    health = page.request.get(f"{fake_console}/healthz")
    assert health.json() == {"status": "ok"}
    assert "default-src 'self'" in health.headers["content-security-policy"]

    counters = page.request.get(f"{fake_console}/metrics").text()
    assert 'countersign_cases{state="new"} 2' in counters
