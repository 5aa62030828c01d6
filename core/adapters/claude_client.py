"""The Anthropic Messages API as every role of the co-pilot uses it: one structured answer a call.

A time-out, a refusal or a broken reply is a value with its reason, never an exception and never a
guess.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import SecretStr

from core.adapters.remote_words import (
    Prices,
    is_passing,
    late,
    model_name,
    refused,
    unreachable,
    unreadable,
)
from core.errors import Unavailable
from core.models.base import Model
from core.models.evidence import TokenUsage

_VENDOR = "Claude"
_KEY = "COUNTERSIGN_ANTHROPIC_API_KEY"
_ASKED_AGAIN = 2
_FIRST_PAUSE = 0.5


class ClaudeReply(Model):
    """What came back: the text of a whole answer, or why there is none. ``usage`` is there anyhow.

    ``again`` says that smaller pieces may go through where this request did not, ``overdue`` that
    its time was over.
    """

    text: str = ""
    failure: str = ""
    again: bool = False
    overdue: bool = False
    model: str
    usage: TokenUsage = TokenUsage()


class ClaudeClient:
    """One account and one model. Safe to share between threads.

    Raises ``Unavailable`` where the SDK is not installed.
    """

    def __init__(
        self,
        *,
        api_key: SecretStr,
        base_url: str,
        model: str,
        prices: Prices | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        try:
            import anthropic  # here, for it takes seconds that only its users should pay
        except ImportError as error:
            raise Unavailable(
                "Claude needs the anthropic package: pip install 'countersign[claude]'."
            ) from error
        self._sdk = anthropic
        self.model, self._address = model, base_url
        self._prices, self._pause = prices or Prices(), pause
        # Asked again by ``structured``, within the caller's seconds: the SDK would ask again after
        # a time-out too, long after nobody waits for the answer.
        self._client = anthropic.Anthropic(
            api_key=api_key.get_secret_value(), base_url=base_url, max_retries=0
        )
        self._end = weakref.finalize(self, self._client.close)

    def structured(
        self, *, system: str, user: str, schema: Mapping[str, Any], max_tokens: int, seconds: float
    ) -> ClaudeReply:
        """JSON text by ``schema``, unchecked. ``system`` is cached by the provider.

        All attempts together take at most about ``seconds``.
        """
        deadline = time.monotonic() + seconds
        for attempt in range(_ASKED_AGAIN + 1):
            left = max(0.001, deadline - time.monotonic())
            try:
                return self._read(self._create(system, user, schema, max_tokens, left))
            except self._sdk.APITimeoutError:
                return self._failed(late(_VENDOR, seconds), overdue=True)
            except self._sdk.APIConnectionError:
                failure, wait = unreachable(_VENDOR, self._address), _backoff(attempt)
            except self._sdk.APIStatusError as error:
                failure = refused(_VENDOR, error.status_code, _KEY)
                if not is_passing(error.status_code):
                    return self._failed(failure)
                wait = _asked_wait(error.response.headers, attempt)
            except (self._sdk.APIError, ValueError, TypeError, AttributeError):
                return self._failed(unreadable(_VENDOR))
            if attempt == _ASKED_AGAIN or time.monotonic() + wait >= deadline:
                break
            self._pause(wait)
        return self._failed(failure)

    def close(self) -> None:
        """Let go of its connections."""
        self._end()

    def _create(
        self, system: str, user: str, schema: Mapping[str, Any], max_tokens: int, seconds: float
    ) -> Any:
        return self._client.messages.create(
            model=self.model,
            max_tokens=max_tokens,
            system=[{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}],
            messages=[{"role": "user", "content": user}],
            output_config={"format": {"type": "json_schema", "schema": dict(schema)}},
            timeout=seconds,
        )

    def _read(self, message: Any) -> ClaudeReply:
        """``message`` may be anything: the SDK does not check what a server sends."""
        usage = self._usage(message.usage)
        served = model_name(message.model, self.model)
        if message.stop_reason == "refusal":
            failure = "Claude declined to judge this text"
        elif message.stop_reason in ("max_tokens", "model_context_window_exceeded"):
            failure = f"Claude's reply was cut off ({message.stop_reason})"
        elif message.stop_reason != "end_turn":
            failure = unreadable(_VENDOR)
        else:
            text = "".join(block.text for block in message.content if block.type == "text")
            return ClaudeReply(text=text, model=served, usage=usage)
        return ClaudeReply(failure=failure, again=True, model=served, usage=usage)

    def _usage(self, said: Any) -> TokenUsage:
        cached = (
            getattr(said, name, 0) or 0
            for name in ("cache_read_input_tokens", "cache_creation_input_tokens")
        )
        read = getattr(said, "input_tokens", 0) or 0
        return self._prices.used(
            sum(n for n in (read, *cached) if isinstance(n, int)),
            getattr(said, "output_tokens", 0),
        )

    def _failed(self, failure: str, *, overdue: bool = False) -> ClaudeReply:
        asked = TokenUsage(requests=1)
        return ClaudeReply(failure=failure, overdue=overdue, model=self.model, usage=asked)


def _backoff(attempt: int) -> float:
    return _FIRST_PAUSE * float(2**attempt)


def _asked_wait(headers: Mapping[str, str], attempt: int) -> float:
    """The pause the server asked for, in seconds, else ours."""
    try:
        wait = float(headers.get("retry-after", ""))
    except ValueError:
        return _backoff(attempt)
    return wait if 0 <= wait < float("inf") else _backoff(attempt)
