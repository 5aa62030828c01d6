"""The gate by TypeSafe: one request for each pair through its SDK, a few at a time."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from pydantic import SecretStr, ValidationError

from core.adapters.bounded_pool import BoundedPool
from core.adapters.remote_words import (
    Prices,
    bad_number,
    late,
    model_name,
    refused,
    unreachable,
    unreadable,
)
from core.errors import Unavailable
from core.models.evidence import EvidenceCandidate, GateAnswer, GateScores, TokenUsage
from core.prompts.fence import Fence, new_name, one_line
from core.prompts.loader import PromptQuestion, load_prompt

_VENDOR = "TypeSafe"
_KEY = "COUNTERSIGN_TYPESAFE_API_KEY"
_ASKED_AGAIN = 2
LONGEST = 60_000
"""Characters; a passage beyond is left unjudged rather than judged by its beginning."""


class TypeSafeGate:
    """``Gate`` through ``typesafe-sdk``. Safe to share between threads.

    The call waits ``timeout_seconds`` at most for all its pairs. Raises ``Unavailable`` where the
    SDK is not installed.
    """

    def __init__(
        self,
        *,
        api_key: SecretStr,
        base_url: str,
        model: str,
        timeout_seconds: float,
        pool: int = 4,
        prices: Prices | None = None,
        fence_name: Callable[[], str] = new_name,
    ) -> None:
        try:
            import typesafe_sdk  # here, for only its users should pay for it
        except ImportError as error:
            raise Unavailable(
                "TypeSafe needs its SDK: pip install 'countersign[typesafe]'."
            ) from error
        self._sdk = typesafe_sdk
        self._model, self._address = model, base_url
        self._seconds, self._pool = timeout_seconds, BoundedPool(pool)
        self._prices, self._fence_name = prices or Prices(), fence_name
        self._prompt = load_prompt("gate")
        self._client = typesafe_sdk.TypeSafeClient(
            api_key=api_key.get_secret_value(), base_url=base_url, model=model
        )
        self._end = weakref.finalize(self, self._client.close)

    @property
    def name(self) -> str:
        """Backend and model as configured."""
        return f"typesafe-gate/{self._model}"

    @property
    def fingerprint(self) -> str:
        """Backend, model and prompt: an answer under another one is another answer."""
        return f"{self.name}+{self._prompt.fingerprint}"

    def score(self, query: str, candidates: Sequence[EvidenceCandidate]) -> tuple[GateAnswer, ...]:
        """One answer for each candidate, in order."""
        tasks = [partial(self._asked, query, candidate) for candidate in candidates]
        overdue = self._failed(late(_VENDOR, self._seconds))
        return tuple(a or overdue for a in self._pool.run(tasks, self._seconds))

    def close(self) -> None:
        """Let go of its connections."""
        self._end()

    def _asked(self, query: str, candidate: EvidenceCandidate, seconds: float) -> GateAnswer:
        if len(candidate.text) > LONGEST:
            return self._failed(f"longer than the {LONGEST:,} characters a gate reads")
        try:
            return self._read(self._call(query, candidate, max(0.001, seconds)))
        except self._sdk.TypeSafeAPITimeoutError:
            return self._failed(late(_VENDOR, self._seconds), asked=True)
        except self._sdk.TypeSafeAPIConnectionError:
            return self._failed(unreachable(_VENDOR, self._address))
        except self._sdk.TypeSafeAPIResponseValidationError:
            return self._failed(unreadable(_VENDOR), asked=True)
        except self._sdk.TypeSafeAPIError as error:
            return self._failed(refused(_VENDOR, error.status, _KEY), asked=True)
        except self._sdk.TypeSafeError:  # its own refusal to send, such as text it cannot encode
            return self._failed("TypeSafe's SDK could not send this passage")

    def _call(self, query: str, candidate: EvidenceCandidate, seconds: float) -> Any:
        section = " › ".join(candidate.heading_path)
        fence = Fence(
            (query, candidate.source_title, section, candidate.text), name=self._fence_name
        )
        quoted = f"title: {one_line(candidate.source_title)}\nsection: {one_line(section)}\ntext:\n"
        return self._client.system_one(
            state={
                "question": fence.around("question", query),
                "passage": fence.around("passage", quoted + candidate.text),
            },
            questions={q.name: self._question(q) for q in self._prompt.questions},
            # A time-out is not asked again: nobody waits for that answer any more.
            retry=self._sdk.RetryPolicy(
                max_retries=_ASKED_AGAIN, timeout=seconds, api_timeout_error=False
            ),
            timeout=seconds,
        )

    def _question(self, asked: PromptQuestion) -> Any:
        return self._sdk.Noul(
            instructions=f"{asked.instructions} {self._prompt.data}",
            criteria={"true": asked.yes, "false": asked.no},
        )

    def _read(self, reply: Any) -> GateAnswer:
        usage = self._prices.used(reply.usage.input_tokens, reply.usage.output_tokens)
        backend = f"typesafe-gate/{model_name(reply.model, self._model)}"
        try:
            scores = GateScores.model_validate(_numbers(reply.nouls), strict=True)
        except ValidationError:
            return GateAnswer(backend=backend, failure=bad_number(_VENDOR), usage=usage)
        return GateAnswer(scores=scores, backend=backend, usage=usage)

    def _failed(self, failure: str, *, asked: bool = False) -> GateAnswer:
        usage = TokenUsage(requests=1 if asked else 0)
        return GateAnswer(backend=self.name, failure=failure, usage=usage)


def _numbers(nouls: Mapping[str, Any]) -> dict[str, float | None]:
    return {q: nouls[q].noul if q in nouls else None for q in GateScores.model_fields}
