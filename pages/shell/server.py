"""The server around Streamlit: health, counters, sign-in, headers, and the outbox worker."""

from __future__ import annotations

import logging
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import anyio.to_thread
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from streamlit.runtime.pages_manager import PagesManager

from core.errors import CountersignError
from pages.shell import session
from pages.shell.headers import SecurityHeaders, SignInGate
from pages.shell.office import Actions, Office, Outbox
from pages.shell.signin import DemoSignIn, is_local

log = logging.getLogger("countersign.console")
OUTBOX_EVERY_SECONDS = 2.0
_ASSETS = Path(__file__).parent / "assets"


def routes(*, demo: bool = True, demo_anywhere: bool = False) -> list[Route]:
    """Health, counters, the one script, and sign-in.

    ``demo`` offers the demo people to this machine, ``demo_anywhere`` to every machine.
    """
    return [
        Route("/healthz", _health),
        Route("/metrics", _metrics),
        Route("/assets/console.js", _script),
        *DemoSignIn(session.office, session.tickets, demo, demo_anywhere).routes(),
    ]


def middleware() -> list[Middleware]:
    """Headers outermost, so a refusal carries them too; then the gate."""
    return [
        Middleware(SecurityHeaders),
        Middleware(SignInGate, user_of=session.tickets.user_of),
    ]


def lifespan(
    open_office: Callable[[], Office],
) -> Callable[[Any], AbstractAsyncContextManager[dict[str, Any]]]:
    """Open the office and run the outbox while the server is up; close both when it stops."""

    @asynccontextmanager
    async def up(_app: Any) -> AsyncGenerator[dict[str, Any], None]:
        # Beside a folder named pages Streamlit serves its files without app.py until some session
        # has called st.navigation: no sign-in, no deep link. It has no public switch for that.
        PagesManager.uses_pages_directory = False
        office = await anyio.to_thread.run_sync(open_office)
        session.provide(office)
        workers = (OutboxWorker(office.outbox), OutboxWorker(office.actions))
        for worker in workers:
            worker.start()
        try:
            yield {}
        finally:
            for worker in workers:
                await anyio.to_thread.run_sync(worker.stop)
            session.provide(None)

    return up


class OutboxWorker:
    """Delivers approved replies, or runs confirmed actions, again and again on its own thread."""

    def __init__(self, outbox: Outbox | Actions, every: float = OUTBOX_EVERY_SECONDS) -> None:
        self._outbox, self._every = outbox, every
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="outbox", daemon=True)

    def start(self) -> None:
        """Begin working."""
        self._thread.start()

    def stop(self) -> None:
        """Finish the round in hand and stop; what is pending stays pending in the store."""
        self._stop.set()
        self._thread.join(timeout=10)

    def _work(self) -> None:
        while not self._stop.wait(self._every):
            try:
                self._outbox.run_once()
            except CountersignError as error:
                log.warning("outbox round failed: %s", error)
            except Exception:
                log.exception("outbox round broke")


async def _health(_request: Request) -> Response:
    try:
        session.office()
    except CountersignError as error:
        return JSONResponse({"status": "starting", "reason": str(error)}, status_code=503)
    return JSONResponse({"status": "ok"})


async def _script(_request: Request) -> Response:
    return FileResponse(_ASSETS / "console.js", media_type="text/javascript")


async def _metrics(request: Request) -> Response:
    if not is_local(request):
        return PlainTextResponse("Metrics are for this machine.", status_code=403)
    try:
        counters = await anyio.to_thread.run_sync(_counters)
    except CountersignError as error:
        return PlainTextResponse(f"# {error}\n", status_code=503)
    return PlainTextResponse(counters)


def _counters() -> str:
    counted = session.office().counters()
    lines: list[str] = []
    for name, by_state in counted.items():
        lines.append(f"# TYPE countersign_{name} gauge")
        lines += [_line(name, state, n) for state, n in sorted(by_state.items())]
    return "\n".join(lines) + "\n"


def _line(name: str, state: str, number: int) -> str:
    label = f'{{state="{state}"}}' if state else ""
    return f"countersign_{name}{label} {number}"
