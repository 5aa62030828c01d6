"""Remote gates over a stand-in server, and the ways in which numbers can be bad."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pydantic import SecretStr

from core.adapters.claude_client import ClaudeClient
from core.adapters.claude_gate import ClaudeGate
from core.adapters.remote_words import Prices
from core.adapters.typesafe_gate import TypeSafeGate
from tests.fakes.model_server import ModelServer, Script, serving

KEY = "key-nobody-may-read"
GOOD = {"relevant": 0.9, "evidence": 0.8, "contradicts": 0.1, "injection": 0.05}
BAD: dict[str, dict[str, Any]] = {
    "above one": GOOD | {"evidence": 1.7},
    "below zero": GOOD | {"injection": -0.01},
    "not a number": GOOD | {"relevant": float("nan")},
    "infinite": GOOD | {"relevant": float("inf")},
    "text": GOOD | {"contradicts": "0.5"},
    "a truth value": GOOD | {"relevant": True},
    "nothing": GOOD | {"evidence": None},
    "a list": GOOD | {"evidence": [0.8]},
    "missing": {name: value for name, value in GOOD.items() if name != "injection"},
    "empty": {},
}


@contextmanager
def typesafe_gate(
    script: Script, *, seconds: float = 10, pool: int = 4, prices: Prices | None = None
) -> Iterator[tuple[TypeSafeGate, ModelServer]]:
    with serving(script) as server:
        gate = TypeSafeGate(
            api_key=SecretStr(KEY),
            base_url=server.url,
            model="jev-latest",
            timeout_seconds=seconds,
            pool=pool,
            prices=prices,
        )
        try:
            yield gate, server
        finally:
            gate.close()


@contextmanager
def claude_gate(
    script: Script, *, seconds: float = 10, pool: int = 4, prices: Prices | None = None
) -> Iterator[tuple[ClaudeGate, ModelServer]]:
    with serving(script) as server:
        client = ClaudeClient(
            api_key=SecretStr(KEY),
            base_url=server.url,
            model="claude-haiku-5-5",
            prices=prices,
            pause=lambda _: None,
        )
        try:
            yield ClaudeGate(client, timeout_seconds=seconds, pool=pool), server
        finally:
            client.close()
