"""Over the demo company: drop a file, put it right, publish, find it; then its next version."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT, _running, free_port, sign_in

TODAY = datetime.now(UTC).date()
LAST_WEEK = TODAY - timedelta(days=7)
QUESTION = "Within how many days must an umbrella from the lending stand be brought back?"
TEXT = """---
title: Umbrella lending
owner: somebody-who-left
classification: public
acl: public
valid_from: {begun}
---
# Umbrella lending

Any Athena store lends umbrellas on rainy days, and asks for nothing in return.

An umbrella from the lending stand must be brought back within {days} days.
"""


class Console:
    """A running console and its home."""

    def __init__(self, address: str, home: Path, cache: Path) -> None:
        self.address, self._home = address, home
        self._environment = {**os.environ, "COUNTERSIGN_MODEL_CACHE": str(cache)}

    def ask(self, at: str = "") -> dict[str, Any]:
        """The answer an agent gets on the command line."""
        command = [sys.executable, "-m", "core.cli", "--home", str(self._home), "--as", "ana"]
        command += ["ask", QUESTION, "--json", *(["--at", at] if at else [])]
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=self._environment,
            check=True,
            capture_output=True,
            timeout=120,
        )
        found: dict[str, Any] = json.loads(done.stdout)
        return found


@pytest.fixture(scope="module")
def console(
    company_home: Path, model_cache: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Console]:
    """A console over a copy of the demo company."""
    home = tmp_path_factory.mktemp("upload") / "home"
    shutil.copytree(company_home, home)
    port = free_port()
    command = [sys.executable, "-m", "core.cli", "--home", str(home), "serve", "--port", str(port)]
    with _running(command, port, {"COUNTERSIGN_MODEL_CACHE": str(model_cache)}) as address:
        yield Console(address, home, model_cache)


def _drop(page: Page, file: Path) -> None:
    page.get_by_text("Drop documents here").first.wait_for()
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for()
    page.set_input_files("input[type=file]", str(file))
    page.get_by_text("1 document not published yet").wait_for(timeout=40_000)
    page.locator('[class*="st-key-open-upload"] button').first.click()
    page.locator(".st-key-publish-box").wait_for()


def _put_owner_right(page: Page) -> None:
    expect(page.locator(".st-key-publish button")).to_be_disabled()
    page.get_by_text("nobody here answers for").first.wait_for()
    page.locator('[class*="st-key-field-owner"] input').click()
    page.get_by_role("option", name="Kim Sørensen").click()
    expect(page.locator(".st-key-publish button")).to_be_enabled()


def _publish(page: Page, number: int) -> None:
    page.locator(".st-key-publish button").click()
    expect(page.locator('[class*="st-key-card-published-"]')).to_have_count(number, timeout=60_000)
    expect(page.get_by_text("not published yet")).to_have_count(0)


def test_an_upload_is_put_right_published_found_and_replaced_by_its_next_version(
    page: Page, console: Console, tmp_path: Path
) -> None:
    first, second = tmp_path / "umbrellas.md", tmp_path / "umbrellas-again.md"
    first.write_text(TEXT.format(begun=LAST_WEEK, days=6), encoding="utf-8")
    second.write_text(TEXT.format(begun=LAST_WEEK, days=9), encoding="utf-8")
    sign_in(page, console.address, "kim", "/knowledge?view=Upload")

    _drop(page, first)
    _put_owner_right(page)
    _publish(page, 1)
    assert "6 days" in console.ask()["answer_markdown"]

    _drop(page, second)
    page.get_by_text("Suggested because it has the same title").wait_for()
    assert page.locator(".cs-diff del").inner_text().strip() == "6"
    assert page.locator(".cs-diff ins").inner_text().strip() == "9"
    _put_owner_right(page)
    _publish(page, 2)

    now = console.ask()
    assert "9 days" in now["answer_markdown"]
    assert "6 days" not in json.dumps(now["evidence"])
    then = console.ask((TODAY - timedelta(days=3)).isoformat())
    assert "6 days" in then["answer_markdown"]


def test_an_agent_finds_no_way_to_take_documents_in(page: Page, console: Console) -> None:
    sign_in(page, console.address, "ana", "/knowledge?view=Upload")
    page.get_by_text("All sources").first.wait_for()

    expect(page.get_by_text("Upload")).to_have_count(0)
    expect(page.locator("input[type=file]")).to_have_count(0)
