"""The gate before Streamlit: headers on every answer, and nothing for a stranger but sign-in."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.shell.headers import SecurityHeaders, SignInGate
from pages.shell.signin import DemoSignIn, is_local, safe_next
from pages.shell.tickets import COOKIE, HOURS, Tickets
from tests.fakes.fake_office import FakeOffice


class Answer:
    """What an ASGI app sent back."""

    def __init__(self, messages: list[dict[str, Any]]) -> None:
        self.kinds = [m["type"] for m in messages]
        start = next((m for m in messages if m["type"] == "http.response.start"), {})
        self.status = start.get("status")
        self.headers = {k.decode(): v.decode() for k, v in start.get("headers", [])}
        self.body = b"".join(m.get("body", b"") for m in messages)


def call(
    app: ASGIApp,
    path: str,
    *,
    kind: str = "http",
    method: str = "GET",
    query: str = "",
    headers: dict[str, str] | None = None,
    body: bytes = b"",
    client: str = "127.0.0.1",
    host: str = "127.0.0.1:8501",
) -> Answer:
    """One request to an ASGI app."""
    sent: list[dict[str, Any]] = []
    incoming = [
        {"type": "websocket.connect"}
        if kind == "websocket"
        else {"type": "http.request", "body": body, "more_body": False}
    ]

    async def receive() -> Any:
        return incoming.pop(0) if incoming else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "ws" if kind == "websocket" else "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [
            (k.lower().encode(), v.encode()) for k, v in {"host": host, **(headers or {})}.items()
        ],
        "client": (client, 5000),
        "server": ("127.0.0.1", 8501),
    }

    async def run() -> None:
        await app(scope, receive, send)

    asyncio.run(run())
    return Answer(sent)


async def _inside(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    await PlainTextResponse("the console")(scope, receive, send)


def _console(tickets: Tickets) -> ASGIApp:
    return SecurityHeaders(SignInGate(_inside, user_of=tickets.user_of))


def _signed_in(tickets: Tickets) -> dict[str, str]:
    return {"cookie": f"{COOKIE}={tickets.begin('ana')}"}


def _sign_in(tickets: Tickets, **changes: Any) -> ASGIApp:
    return _routed(DemoSignIn(FakeOffice, tickets, **changes))


def _routed(demo: DemoSignIn) -> ASGIApp:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        handler = demo.enter if scope["method"] == "POST" else demo.show
        await (await handler(request))(scope, receive, send)

    return app


def test_every_answer_carries_the_policy_and_its_companions() -> None:
    tickets = Tickets()
    for headers in (_signed_in(tickets), {}):
        answer = call(_console(tickets), "/desk", headers=headers)
        policy = answer.headers["content-security-policy"]

        assert "default-src 'self'" in policy
        assert "img-src 'self' data: blob:" in policy
        assert "connect-src 'self' ws://127.0.0.1:8501 wss://127.0.0.1:8501" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe-inline" not in policy.split("script-src")[1].split(";")[0]
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"


def test_a_host_header_cannot_write_into_the_policy() -> None:
    answer = call(_console(Tickets()), "/signin", host="x; script-src *")

    assert "script-src *" not in answer.headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/", "/desk", "/audit", "/media/abc.csv", "/pages/audit/page.py"])
def test_a_stranger_is_led_to_sign_in_and_back_to_the_same_place(path: str) -> None:
    answer = call(_console(Tickets()), path, query="case=1042")

    assert answer.status == 303
    assert answer.headers["location"].startswith("/signin?next=")
    assert answer.headers["location"].endswith("%3Fcase%3D1042")


@pytest.mark.parametrize("path", ["/_stcore/upload_file/a/b", "/_stcore/anything"])
def test_a_stranger_gets_no_file_and_may_send_none(path: str) -> None:
    assert call(_console(Tickets()), path, method="PUT").status == 401


def test_a_stranger_gets_no_session_socket() -> None:
    answer = call(_console(Tickets()), "/_stcore/stream", kind="websocket")

    assert answer.kinds == ["websocket.close"]


def test_a_signed_in_browser_gets_pages_and_a_socket() -> None:
    tickets = Tickets()
    headers = _signed_in(tickets)

    assert call(_console(tickets), "/desk", headers=headers).body == b"the console"
    socket = call(_console(tickets), "/_stcore/stream", kind="websocket", headers=headers)
    assert socket.kinds == ["websocket.accept"]


def test_a_made_up_or_ended_ticket_is_worth_nothing() -> None:
    tickets = Tickets()
    ended = tickets.begin("ana")
    tickets.end(ended)

    for ticket in ("made-up", ended, "", '"; x=y'):
        answer = call(_console(tickets), "/desk", headers={"cookie": f"{COOKIE}={ticket}"})
        assert answer.status == 303


def test_a_ticket_runs_out() -> None:
    now = [0.0]
    tickets = Tickets(seconds=lambda: now[0])
    ticket = tickets.begin("ana")
    assert tickets.user_of(ticket) == "ana"

    now[0] = HOURS * 3600 + 1
    assert tickets.user_of(ticket) is None


def test_demo_sign_in_is_marked_and_lists_people_without_passwords() -> None:
    page = call(_sign_in(Tickets()), "/signin").body.decode()

    assert "Demo sign-in, this machine only" in page
    assert 'value="ana"' in page
    assert "password" not in page.split("<footer>")[0]


@pytest.mark.parametrize(
    ("client", "host", "headers"),
    [
        ("10.0.0.7", "127.0.0.1:8501", {}),
        ("127.0.0.1", "countersign.example", {}),
        ("127.0.0.1", "127.0.0.1:8501", {"x-forwarded-for": "10.0.0.7"}),
        ("127.0.0.1", "127.0.0.1:8501", {"forwarded": "for=10.0.0.7"}),
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_demo_sign_in_is_refused_to_other_machines(
    client: str, host: str, headers: dict[str, str], method: str
) -> None:
    tickets = Tickets()
    path = "/auth/demo" if method == "POST" else "/signin"
    answer = call(
        _sign_in(tickets), path, method=method, body=b"user=ana", client=client, host=host,
        headers=headers,
    )  # fmt: skip

    assert answer.status == 403
    assert "set-cookie" not in answer.headers


def test_demo_sign_in_can_be_switched_off_and_deliberately_opened() -> None:
    off = call(_sign_in(Tickets(), offered=False), "/auth/demo", method="POST", body=b"user=ana")
    assert off.status == 403

    anywhere = call(
        _sign_in(Tickets(), anywhere=True), "/auth/demo", method="POST", body=b"user=ana",
        client="10.0.0.7",
    )  # fmt: skip
    assert anywhere.status == 303


def test_signing_in_sets_a_cookie_no_script_or_other_site_can_use() -> None:
    tickets = Tickets()
    answer = call(
        _sign_in(tickets), "/auth/demo", method="POST", body=b"user=ana&next=%2Fdesk%3Fcase%3D1042"
    )
    cookie = answer.headers["set-cookie"]

    assert answer.headers["location"] == "/desk?case=1042"
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    assert tickets.user_of(cookie.split("=", 1)[1].split(";")[0]) == "ana"


@pytest.mark.parametrize("user", ["nobody", "", "ana'--", "guest"])
def test_only_a_listed_person_can_be_picked(user: str) -> None:
    body = f"user={user}".encode()
    answer = call(_sign_in(Tickets()), "/auth/demo", method="POST", body=body)

    assert answer.status == 403


def test_a_form_from_another_site_signs_nobody_in() -> None:
    for origin in ("https://evil.example", "null", "http://127.0.0.1:9999"):
        answer = call(
            _sign_in(Tickets()), "/auth/demo", method="POST", body=b"user=ana",
            headers={"origin": origin},
        )  # fmt: skip
        assert answer.status == 403


@pytest.mark.parametrize(
    "target",
    ["https://evil.example", "//evil.example", "/\\evil.example", "/signin", "/auth/demo", "", None,
     "/desk\r\nSet-Cookie: a=b", "desk"],
)  # fmt: skip
def test_sign_in_leads_nowhere_else(target: str | None) -> None:
    assert safe_next(target) == "/"


def test_an_address_that_is_no_address_is_not_local() -> None:
    scope = {
        "type": "http",
        "headers": [],
        "client": ("testclient", 1),
        "path": "/",
        "query_string": b"",
        "scheme": "http",
        "server": ("127.0.0.1", 1),
    }

    assert not is_local(Request(scope))
