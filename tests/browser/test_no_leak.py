"""Hostile text on a page makes no request: by the renderer alone, and by the policy behind it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import fake_server, sign_in


@pytest.fixture
def tracker() -> Iterator[tuple[str, list[str]]]:
    """A server that remembers every path it is asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("environment", [{}, {"NO_POLICY": "1"}], ids=["policy", "renderer alone"])
def test_hostile_text_everywhere_makes_no_request_and_forms_no_link(
    page: Page, tracker: tuple[str, list[str]], environment: dict[str, str]
) -> None:
    address, asked = tracker
    outside: list[str] = []
    with fake_server(TRACKER=address, **environment) as console:
        page.on(
            "request",
            lambda r: (
                None if r.url.startswith((console, "data:", "blob:")) else outside.append(r.url)
            ),
        )
        sign_in(page, console, "ana", "/desk?case=1042")
        page.get_by_text("Before you send").wait_for()
        for name in ("Conflicts 1", "Left out 2", "What would change this"):
            page.get_by_role("tab", name=name).click()
            page.wait_for_load_state("networkidle")
        page.get_by_role("button", name="Ask customer").click()
        page.get_by_text("checked like a reply").wait_for()
        page.wait_for_load_state("networkidle")
        seen = page.inner_text("body")
        links = page.eval_on_selector_all(f'a[href^="{address}"]', "found => found.length")
        images = page.eval_on_selector_all("img", "found => found.map(e => e.src)")

    assert asked == []
    assert outside == []
    assert links == 0
    assert not any(address in source for source in images)
    assert "![x](" in seen
    assert ":red[colour]" in seen
    assert "costs $5 and $6" in seen


def test_the_tracker_would_notice(page: Page, tracker: tuple[str, list[str]]) -> None:
    address, asked = tracker
    page.set_content(f'<img src="{address}/seen">')
    page.wait_for_load_state("networkidle")

    assert asked == ["/seen"]
