"""The threshold screen in a browser: a slider moved by key, a policy saved, nothing fetched."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import sign_in


def test_a_slider_reroutes_and_a_policy_is_saved_with_its_reason(
    page: Page, fake_console: str
) -> None:
    outside: list[str] = []
    page.on(
        "request",
        lambda r: (
            outside.append(r.url)
            if not r.url.startswith((fake_console, "data:", "blob:"))
            else None
        ),
    )
    sign_in(page, fake_console, "sam", "/evaluation?view=Gate")
    slider = page.get_by_role("slider", name=re.compile("states usable evidence"))
    slider.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_text("1 of 4 passages would go another way")).to_be_visible()
    expect(page.locator("[data-testid=stVegaLiteChart] canvas, [data-testid=stVegaLiteChart] svg")
           .first).to_be_visible()  # fmt: skip

    page.get_by_role("button", name="Save as policy").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("raised")).to_be_visible()
    confirm = dialog.get_by_role("button", name="Save and put in force")
    expect(confirm).to_be_disabled()
    dialog.get_by_label("Why? The audit keeps it.").fill("Too many asides")
    dialog.get_by_text("I have looked at what moves").click()
    expect(confirm).to_be_enabled()
    confirm.click()

    expect(page.get_by_text("It holds from the next run on")).to_be_visible()
    expect(page.get_by_text("evidence 0.55 → 0.60")).to_be_visible()
    assert [url for url in outside if not url.startswith("ws")] == []
