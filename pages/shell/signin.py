"""The sign-in page and its routes: plain HTML beside Streamlit, so no password is ever in a URL.

Demo sign-in picks a person from a list. It exists for the machine it runs on: a request that does
not come from loopback is refused, unless the operator says otherwise.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from string import Template
from urllib.parse import parse_qs, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from core.errors import CountersignError
from core.models.access import User
from pages.shell.office import Office
from pages.shell.tickets import COOKIE, HOURS, Tickets

_PAGE = Template((Path(__file__).parent / "signin.html").read_text(encoding="utf-8"))
_LOCAL_NAMES = {"localhost", "127.0.0.1", "::1"}
_ROLE_WORDS = {
    "agent": ("Agent", "Reviews drafts and answers customers"),
    "knowledge_owner": ("Knowledge owner", "Keeps sources right and reviewed"),
    "supervisor": ("Supervisor", "Decides escalations, reads the audit"),
    "hr": ("HR", "Sees HR sources; a test of who may see what"),
    "admin": ("Administrator", "Runs the installation"),
    "guest": ("Guest", "Asks questions, sees public sources"),
}


@dataclass(frozen=True)
class DemoSignIn:
    """Sign-in by picking a demo person. ``anywhere`` lifts the loopback rule, deliberately."""

    office: Callable[[], Office]
    tickets: Tickets
    offered: bool = True
    anywhere: bool = False

    def routes(self) -> list[Route]:
        """``/signin`` and ``/auth/demo``."""
        return [
            Route("/signin", self.show, methods=["GET"]),
            Route("/auth/demo", self.enter, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        """The list of people; straight on for somebody signed in already."""
        target = safe_next(request.query_params.get("next"))
        if self.tickets.user_of(request.cookies.get(COOKIE, "")):
            return RedirectResponse(target, status_code=303)
        if not self._allowed(request):
            return HTMLResponse(_not_here(), status_code=403)
        return await run_in_threadpool(_choices, self.office, target)

    async def enter(self, request: Request) -> Response:
        """Begin a session for the person picked."""
        if not self._allowed(request):
            return HTMLResponse(_not_here(), status_code=403)
        if not _same_origin(request):
            return PlainTextResponse("This form was sent from another site.", status_code=403)
        form = parse_qs((await _small_body(request)).decode("utf-8", "replace"))
        user_id, target = form.get("user", [""])[0], safe_next(form.get("next", ["/"])[0])
        if user_id not in await run_in_threadpool(self._known):
            return PlainTextResponse("No such demo user.", status_code=403)
        self.tickets.end(request.cookies.get(COOKIE, ""))
        answer = RedirectResponse(target, status_code=303)
        answer.set_cookie(
            COOKIE,
            self.tickets.begin(user_id),
            max_age=HOURS * 3600,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
            path="/",
        )
        return answer

    def _allowed(self, request: Request) -> bool:
        return self.offered and (self.anywhere or is_local(request))

    def _known(self) -> set[str]:
        return {user.user_id for user in self.office().identity.sign_in_choices()}


def is_local(request: Request) -> bool:
    """Whether the request comes from this machine, by a local name, with no proxy in between."""
    client = request.client.host if request.client else ""
    try:
        loopback = ip_address(client).is_loopback
    except ValueError:
        loopback = False
    proxied = any(h in request.headers for h in ("forwarded", "x-forwarded-for", "x-real-ip"))
    return loopback and not proxied and (request.url.hostname or "") in _LOCAL_NAMES


def safe_next(target: str | None) -> str:
    """A path on this server to go on to; anything else becomes the start page."""
    if not target or not target.startswith("/") or target.startswith(("//", "/\\")):
        return "/"
    if any(ord(c) < 33 or c == "\\" for c in target):
        return "/"
    parts = urlsplit(target)
    if parts.scheme or parts.netloc or parts.path.startswith(("/signin", "/auth")):
        return "/"
    return target


def _same_origin(request: Request) -> bool:
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("host", "")


async def _small_body(request: Request) -> bytes:
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > 8192:
            return b""
    return body


def _choices(office: Callable[[], Office], target: str) -> Response:
    try:
        people = office().identity.sign_in_choices()
    except CountersignError as error:
        return HTMLResponse(_page(f'<p class="problem">{html.escape(str(error))}</p>'), 503)
    if not people:
        text = "There are no people to sign in as yet. Run <code>countersign demo</code> first."
        return HTMLResponse(_page(f'<p class="problem">{text}</p>'))
    # Under no-referrer a browser sends the form with "Origin: null", which proves nothing.
    return HTMLResponse(_page(_people(people, target)), headers={"Referrer-Policy": "same-origin"})


def _people(people: Sequence[User], target: str) -> str:
    return "".join(_card(user, target) for user in people if user.active)


def _card(user: User, target: str) -> str:
    role = user.roles[0] if user.roles else "guest"
    title, line = _ROLE_WORDS.get(role, (role, ""))
    return (
        f'<form method="post" action="/auth/demo">'
        f'<input type="hidden" name="next" value="{html.escape(target)}">'
        f'<button name="user" value="{html.escape(user.user_id)}">'
        f'<span class="who">{html.escape(user.name)}</span><span class="role">{title}</span>'
        f'<span class="line">{line}</span>'
        f'<span class="dept">{html.escape(user.department)}</span></button></form>'
    )


def _not_here() -> str:
    return _page(
        '<p class="problem">Demo sign-in is off here: it works on the machine Countersign runs on, '
        "by its local address, while the setting demo_sign_in is on.</p>"
    )


def _page(body: str) -> str:
    return _PAGE.substitute(body=body)
