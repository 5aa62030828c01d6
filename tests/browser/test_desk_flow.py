"""The whole way over the demo company: read, edit, be stopped, put right, approve, be audited."""

from __future__ import annotations

import re
from contextlib import suppress

from playwright.sync_api import Browser, Page, TimeoutError, expect

from tests.browser.conftest import sign_in

CASE = "1042"


def _open_everything_risky(page: Page) -> None:
    """Press the button that leads to the next risky thing until none waits."""
    for _ in range(12):
        # Between two layouts the old button stands beside the new one for a moment.
        expect(page.locator(".st-key-approve button")).to_have_count(1)
        if page.locator(".st-key-approve button").is_enabled():
            return
        read = page.locator('[class*="st-key-read-"] button')
        if read.count() and read.first.is_visible():
            waiting = page.locator(".st-key-next-check").inner_text()
            try:
                read.first.click(timeout=5_000)
            except TimeoutError:
                continue  # redrawn under the pointer: look again
        else:
            waiting = page.locator(".st-key-next-check").inner_text()
            page.locator(".st-key-show-next button").click()
            if "conflict" in waiting.lower():
                read.first.wait_for()
                continue
        with suppress(TimeoutError):  # a press between two layouts is lost: press again
            page.wait_for_function(
                "was => { const now = document.querySelector('.st-key-next-check');"
                " return !now || now.innerText !== was; }",
                arg=waiting,
                timeout=8_000,
            )


def _type(page: Page, text: str) -> None:
    """Write into the editor; the console saves and checks by itself when typing pauses."""
    page.locator(".st-key-edit-box textarea").fill(text)
    page.get_by_text(re.compile(r"Saved \d+ s ago|Saved a moment ago")).wait_for()


def test_a_wrong_number_is_stopped_put_right_sent_once_and_audited(
    page: Page, chromium: Browser, real_console: str
) -> None:
    sign_in(page, real_console, "ana", f"/desk?case={CASE}")
    page.locator(".cs-draft").wait_for()
    page.locator(".st-key-select-claim-1 button").click()
    page.locator(".cs-claim.on").wait_for()
    expect(page.locator("[class*='st-key-card-on-'] mark").first).to_be_visible()

    page.keyboard.press("e")
    box = page.locator(".st-key-edit-box textarea")
    box.wait_for()
    draft = box.input_value()
    right = re.search(r"\d+ days", draft)
    assert right, draft
    wrong = draft.replace(right.group(), "99 days", 1)
    _type(page, wrong)

    broken = page.locator(".st-key-card-broken-0")
    broken.wait_for()
    assert "99 days" in broken.inner_text()
    assert "contradicted" in broken.inner_text()

    kept = draft.replace("Kind regards", "Warm regards")
    assert kept != draft
    _type(page, kept)
    broken.wait_for(state="detached")
    page.locator(".st-key-keep-edit button").click()
    page.get_by_text("Your text is kept and checked").wait_for()

    _open_everything_risky(page)
    page.locator(".st-key-approve button").click()
    page.get_by_text(f"Approved #{CASE}").wait_for()
    page.get_by_text(f"#{CASE} was delivered").wait_for(timeout=40_000)

    supervisor = chromium.new_context(viewport={"width": 1500, "height": 950}).new_page()
    supervisor.set_default_timeout(20_000)
    sign_in(supervisor, real_console, "sam", "/audit")
    supervisor.get_by_text("Verified to event").wait_for()
    supervisor.locator('[class*="st-key-open-"] button').first.click()
    supervisor.get_by_text("approved and sent").first.wait_for()
    supervisor.locator(".cs-draft").wait_for()

    assert "Warm regards" in supervisor.locator(".cs-draft").inner_text()
    assert "Warm" in supervisor.locator("ins").first.inner_text()
    assert "delivered" in supervisor.locator(".cs-facts").first.inner_text()
    supervisor.context.close()


def test_an_approval_taken_back_in_time_never_leaves(page: Page, real_console: str) -> None:
    sign_in(page, real_console, "lin", "/desk?case=1043")
    page.locator(".cs-draft").wait_for()
    _open_everything_risky(page)
    page.keyboard.press("Control+Enter")
    page.get_by_text("Approved #1043").wait_for()
    page.locator(".st-key-undo button").click()
    page.get_by_text("nothing was sent").wait_for()

    page.get_by_text("Before you send").wait_for()
    assert "case=1043" in page.url


def test_somebody_elses_case_is_read_only(page: Page, chromium: Browser, real_console: str) -> None:
    sign_in(page, real_console, "ana", "/desk?case=1044")
    page.locator(".cs-draft").wait_for()

    other = chromium.new_context(viewport={"width": 1500, "height": 950}).new_page()
    other.set_default_timeout(20_000)
    sign_in(other, real_console, "lin", "/desk?case=1044")
    other.locator(".st-key-read-only").wait_for()
    expect(other.locator(".st-key-approve button")).to_be_disabled()
    expect(other.locator(".st-key-edit button")).to_be_disabled()
    other.context.close()
