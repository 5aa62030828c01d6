"""A server on this machine that speaks the wire formats of TypeSafe and of Claude.

It answers by a script, records everything it is sent, and can be slow, broken or hostile.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

QUESTIONS = ("relevant", "evidence", "contradicts", "injection")
_BLOCK = re.compile(
    r"<<<(?P<fence>\w+) (?P<label>[\w-]+)\n(?P<held>.*?)\n(?P=label) (?P=fence)>>>", re.S
)


@dataclass(frozen=True)
class Sent:
    """One request as it arrived."""

    path: str
    headers: Mapping[str, str]
    body: str

    def json(self) -> Any:
        return json.loads(self.body)

    def told(self) -> str:
        """The user's message (Claude) or the state (TypeSafe), as text."""
        body = self.json()
        if "messages" in body:
            return str(body["messages"][0]["content"])
        return "\n".join(str(value) for value in body["state"].values())

    def quoted(self) -> dict[str, str]:
        """What stands in each fence, by its label."""
        return {found["label"]: found["held"] for found in _BLOCK.finditer(self.told())}

    def passages(self) -> dict[str, str]:
        """The passages by label, with their titles and sections."""
        return {label: held for label, held in self.quoted().items() if label != "question"}


@dataclass(frozen=True)
class Reply:
    """What the server does with one request. ``hold`` keeps the connection without an answer."""

    body: object = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    hold: bool = False

    def raw(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return json.dumps(self.body).encode()


Script = Callable[[Sent], Reply]


class ModelServer:
    """``url`` to ask, ``sent`` what was asked so far, ``script`` what to answer from now on."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.sent: list[Sent] = []
        self.closing = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                body = self.rfile.read(length).decode("utf-8")
                asked = Sent(self.path, dict(self.headers.items()), body)
                server.sent.append(asked)
                server.answer(self, asked)

            def log_message(self, format: str, *args: object) -> None:
                """Nothing: tests read ``sent``."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"

    def answer(self, handler: BaseHTTPRequestHandler, asked: Sent) -> None:
        reply = self.script(asked)
        if reply.hold:
            self.closing.wait(30)
            handler.close_connection = True
            return
        content = reply.raw()
        try:
            handler.send_response(reply.status)
            for name, value in {"content-type": "application/json", **reply.headers}.items():
                handler.send_header(name, value)
            handler.send_header("content-length", str(len(content)))
            handler.end_headers()
            handler.wfile.write(content)
        except OSError:
            handler.close_connection = True  # the caller gave up

    def received(self) -> str:
        """Everything it was ever sent, as one text with JSON escapes undone."""
        return "\n".join(json.dumps(s.json(), ensure_ascii=False) for s in self.sent)

    def close(self) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


@contextmanager
def serving(script: Script) -> Iterator[ModelServer]:
    server = ModelServer(script)
    try:
        yield server
    finally:
        server.close()


Numbers = Callable[[str], Mapping[str, Any]]
"""Scores for one passage, given what stands in its fence. A missing key stays missing."""


def by_words(held: str) -> Mapping[str, Any]:
    """Scores that hang on the passage alone, as a model's would."""
    about = "return" in held.lower()
    return {
        "relevant": 0.9 if about else 0.1,
        "evidence": 0.8 if "days" in held else 0.2,
        "contradicts": 0.05,
        "injection": 0.03,
    }


def typesafe(
    numbers: Numbers = by_words, *, model: str = "jev-latest", tokens: int = 100
) -> Script:
    """A TypeSafe that answers every question of a request."""

    def answer(sent: Sent) -> Reply:
        (held,) = sent.passages().values()
        given = numbers(held)
        answers = {q: {"type": "noul", "noul": given[q]} for q in QUESTIONS if q in given}
        usage = {"input_tokens": tokens, "output_tokens": 4}
        return Reply({"model": model, "answers": answers, "usage": usage})

    return answer


def claude(
    numbers: Numbers = by_words,
    *,
    model: str = "claude-haiku-5-5",
    tokens: int = 100,
    change: Callable[[list[dict[str, Any]]], object] = lambda entries: entries,
) -> Script:
    """A Claude that gives an entry for each passage; ``change`` may spoil the list of them."""

    def answer(sent: Sent) -> Reply:
        blank = {"premise": "", "counter_quote": "", "injection_quote": ""}
        entries = [
            {"id": label, **blank, **numbers(held)} for label, held in sent.passages().items()
        ]
        changed = change(entries)
        text = changed if isinstance(changed, str) else json.dumps({"answers": changed})
        return message(text, model=model, tokens=tokens)

    return answer


def message(
    text: str,
    *,
    stop_reason: str = "end_turn",
    model: str = "claude-haiku-5-5",
    tokens: int = 100,
) -> Reply:
    """A whole message of the Messages API."""
    return Reply(
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": [{"type": "text", "text": text}],
            "stop_reason": stop_reason,
            "stop_sequence": None,
            "usage": {"input_tokens": tokens, "output_tokens": 50},
        }
    )


def error(status: int, **headers: str) -> Reply:
    """An error as both vendors shape it."""
    body = {"type": "error", "error": {"type": "api_error", "message": "SECRET-SERVER-WORDS"}}
    return Reply(body, status, headers)


def in_turn(*scripts: Script | Reply) -> Script:
    """One script after another, a request each; the last one stays."""
    left = list(scripts)
    lock = threading.Lock()

    def answer(sent: Sent) -> Reply:
        with lock:
            now = left.pop(0) if len(left) > 1 else left[0]
        return now if isinstance(now, Reply) else now(sent)

    return answer
