"""Headers on every answer, and no page or session for a browser that is not signed in.

Streamlit's markdown fetches remote images, so a hostile passage could carry data out in a picture's
address. The policy here lets a page load from, and talk to, its own origin only.
"""

from __future__ import annotations

from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.shell.tickets import COOKIE

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "style-src 'self' 'unsafe-inline'",
        "script-src 'self' 'unsafe-eval' 'wasm-unsafe-eval'",
        "font-src 'self' data:",
        "connect-src 'self' {socket}",
        "frame-src 'none'",
        "frame-ancestors 'none'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
    )
)
_FIXED = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_OPEN_FOLDERS = ("/assets/", "/static/")
_OPEN_PATHS = frozenset(
    (
        "/signin",
        "/auth/demo",
        "/healthz",
        "/metrics",
        "/_stcore/health",
        "/_stcore/host-config",
        "/favicon.ico",
        "/favicon.png",
        "/robots.txt",
        "/manifest.json",
    )
)


class SecurityHeaders:
    """Adds the policy and its companions to every HTTP answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI entry."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        host = Headers(scope=scope).get("host", "")
        policy = CONTENT_SECURITY_POLICY.format(socket=_sockets(host))

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = policy
                for name, value in _FIXED.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, with_headers)


class SignInGate:
    """Lets nothing of the console through without a valid session: no page, file or socket."""

    def __init__(self, app: ASGIApp, user_of: Callable[[str], str | None]) -> None:
        self._app, self._user_of = app, user_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI entry."""
        kind = scope["type"]
        if kind == "lifespan" or self._is_open(scope) or self._user_of(ticket_in(scope)):
            await self._app(scope, receive, send)
        elif kind == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4401, "reason": "signed out"})
        else:
            await _turned_away(scope)(scope, receive, send)

    def _is_open(self, scope: Scope) -> bool:
        path = scope.get("path", "")
        if scope["type"] != "http":
            return False
        return path in _OPEN_PATHS or path.startswith(_OPEN_FOLDERS)


def ticket_in(scope: Scope) -> str:
    """The session ticket a request carries, or an empty string."""
    try:
        jar = SimpleCookie(Headers(scope=scope).get("cookie", ""))
    except CookieError:
        return ""
    morsel = jar.get(COOKIE)
    return morsel.value if morsel else ""


def _turned_away(scope: Scope) -> Response:
    if scope.get("method") not in ("GET", "HEAD") or scope["path"].startswith("/_stcore"):
        return Response("Sign in first.", status_code=401, media_type="text/plain")
    query = scope.get("query_string", b"").decode("latin-1")
    wanted = scope["path"] + (f"?{query}" if query else "")
    return RedirectResponse(f"/signin?next={quote(wanted, safe='')}", status_code=303)


def _sockets(host: str) -> str:
    """The page's own origin as a socket address. Anything but a plain host name is left out."""
    plain = all(c.isalnum() or c in ".-:[]" for c in host)
    return f"ws://{host} wss://{host}" if host and plain else ""
