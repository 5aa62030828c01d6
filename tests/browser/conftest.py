"""A headless Chromium and two consoles: one over the fake office, one over the demo company."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder drives a browser."""
    for item in items:
        if Path(item.path).is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The browser; skipped where there is none, unless the tests must run.

    One for each module, not for the session: while Playwright runs, its event loop occupies the
    main thread, and tests of other folders could not start their own.
    """
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        if "browser" in os.environ.get("COUNTERSIGN_TEST_REQUIRE", ""):
            pytest.fail("chromium is required here and not on PATH")
        pytest.skip("no chromium on PATH")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A fresh browser profile with one page."""
    context = chromium.new_context(viewport={"width": 1500, "height": 950})
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="session")
def fake_console() -> Iterator[str]:
    """Address of the console over the fake office."""
    with fake_server() as address:
        yield address


@pytest.fixture(scope="session")
def real_console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of the console over a freshly built demo company."""
    home = tmp_path_factory.mktemp("home")
    cli = [sys.executable, "-m", "core.cli", "--home", str(home)]
    subprocess.run([*cli, "demo"], cwd=ROOT, check=True, capture_output=True, timeout=300)
    port = free_port()
    with _running([*cli, "serve", "--port", str(port)], port, {}) as address:
        yield address


@contextmanager
def fake_server(**environment: str) -> Iterator[str]:
    """The console over the fake office, with extra environment for its hostile variants."""
    port = free_port()
    command = [
        *(sys.executable, "-m", "uvicorn", "tests.browser.fake_console:app"),
        *("--port", str(port), "--log-level", "warning"),
    ]
    with _running(command, port, environment) as address:
        yield address


def free_port() -> int:
    """A port nobody listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def sign_in(page: Page, address: str, user_id: str, path: str = "/") -> None:
    """Go to a place of the console; pick a person when it asks."""
    page.goto(address + path)
    page.click(f'button[value="{user_id}"]')
    page.wait_for_selector('[data-testid="stApp"]')
    page.get_by_text("Sign out").wait_for()


@contextmanager
def _running(command: list[str], port: int, environment: dict[str, str]) -> Iterator[str]:
    address = f"http://127.0.0.1:{port}"
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        _wait_for(address + "/healthz", process)
        yield address
    finally:
        if process.poll() is None:
            os.killpg(process.pid, 15)
            process.wait(timeout=20)


def _wait_for(url: str, process: subprocess.Popen[bytes], seconds: float = 60) -> None:
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        if process.poll() is not None:
            raise RuntimeError(f"the console ended with code {process.returncode}")
        try:
            with urllib.request.urlopen(url, timeout=2) as answer:  # noqa: S310 - our own server
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise RuntimeError(f"{url} did not answer within {seconds} s")
