"""The gate by Claude: one structured call for a batch of passages, answers matched by id."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

from core.adapters.bounded_pool import BoundedPool
from core.adapters.claude_client import ClaudeClient
from core.adapters.claude_gate_reply import SCHEMA, answers_of
from core.adapters.remote_words import late
from core.models.evidence import EvidenceCandidate, GateAnswer
from core.prompts.fence import Fence, new_name, one_line
from core.prompts.loader import load_prompt

MOST_PASSAGES, MOST_CHARACTERS = 8, 24_000
"""A batch holds no more of either: an answer fits its tokens and one failure costs little."""
LONGEST = 60_000
"""Characters; a passage beyond is left unjudged rather than judged by its beginning."""
_TOKENS_EACH, _TOKENS_ROOM = 400, 200


class ClaudeGate:
    """``Gate`` through the Messages API. Safe to share between threads.

    Everything that is not a whole, readable, in-range answer for a passage is its ``failure``. The
    call waits ``timeout_seconds`` at most for all its batches.
    """

    def __init__(
        self,
        client: ClaudeClient,
        *,
        timeout_seconds: float,
        pool: int = 4,
        fence_name: Callable[[], str] = new_name,
    ) -> None:
        self._client, self._seconds = client, timeout_seconds
        self._pool, self._fence_name = BoundedPool(pool), fence_name
        self._prompt = load_prompt("gate")

    @property
    def name(self) -> str:
        """Backend and model as configured."""
        return f"claude-gate/{self._client.model}"

    @property
    def fingerprint(self) -> str:
        """Backend, model and prompt: an answer under another one is another answer."""
        return f"{self.name}+{self._prompt.fingerprint}"

    def score(self, query: str, candidates: Sequence[EvidenceCandidate]) -> tuple[GateAnswer, ...]:
        """One answer for each candidate, in order."""
        batches = _batches(candidates)
        tasks = [partial(self._asked, query, [candidates[at] for at in batch]) for batch in batches]
        out = [self._overdue()] * len(candidates)
        for batch, answers in zip(batches, self._pool.run(tasks, self._seconds), strict=True):
            for at, answer in zip(batch, answers or (), strict=False):
                out[at] = answer
        too_long = GateAnswer(
            backend=self.name, failure=f"longer than the {LONGEST:,} characters a gate reads"
        )
        return tuple(
            too_long if len(c.text) > LONGEST else answer
            for c, answer in zip(candidates, out, strict=True)
        )

    def close(self) -> None:
        """Let go of connections."""
        self._client.close()

    def _asked(
        self, query: str, batch: Sequence[EvidenceCandidate], seconds: float
    ) -> tuple[GateAnswer, ...]:
        """A batch; where the whole of it came to nothing, each passage by itself once more.

        One passage that a provider will not read must not take its neighbours with it.
        """
        deadline = time.monotonic() + seconds
        answers, again = self._called(query, batch, seconds)
        if not again or len(batch) < 2:
            return answers
        alone = [self._alone(query, candidate, deadline) for candidate in batch]
        spent = answers[0].usage + alone[0].usage
        return (alone[0].model_copy(update={"usage": spent}), *alone[1:])

    def _alone(self, query: str, candidate: EvidenceCandidate, deadline: float) -> GateAnswer:
        left = deadline - time.monotonic()
        if left <= 0:
            return self._overdue()
        return self._called(query, [candidate], left)[0][0]

    def _called(
        self, query: str, batch: Sequence[EvidenceCandidate], seconds: float
    ) -> tuple[tuple[GateAnswer, ...], bool]:
        """The answers, and whether the batch failed in a way that its parts may not."""
        fence = Fence([query, *(_whole(c) for c in batch)], name=self._fence_name)
        ids = [f"passage-{new_name()}" for _ in batch]
        reply = self._client.structured(
            system=self._prompt.rubric(),
            user=_message(fence, query, batch, ids),
            schema=SCHEMA,
            max_tokens=_TOKENS_EACH * len(batch) + _TOKENS_ROOM,
            seconds=seconds,
        )
        if reply.failure:
            said = GateAnswer(backend=self.name, failure=reply.failure)
            answers = [self._overdue() if reply.overdue else said] * len(batch)
        else:
            passages = [(name, c.text) for name, c in zip(ids, batch, strict=True)]
            backend = f"claude-gate/{reply.model}"
            answers = answers_of(reply.text, query, passages, backend=backend)
        answers[0] = answers[0].model_copy(update={"usage": reply.usage})
        return tuple(answers), reply.again

    def _overdue(self) -> GateAnswer:
        return GateAnswer(backend=self.name, failure=late("Claude", self._seconds))


def _batches(candidates: Sequence[EvidenceCandidate]) -> list[list[int]]:
    """Places of the candidates, in order, cut by number and by characters."""
    batches: list[list[int]] = []
    held = MOST_CHARACTERS
    for at, candidate in enumerate(candidates):
        size = len(_whole(candidate))
        if len(candidate.text) > LONGEST:
            continue
        if held + size > MOST_CHARACTERS or len(batches[-1]) == MOST_PASSAGES:
            batches.append([])
            held = 0
        batches[-1].append(at)
        held += size
    return batches


def _whole(candidate: EvidenceCandidate) -> str:
    return "\n".join((candidate.source_title, *candidate.heading_path, candidate.text))


def _message(
    fence: Fence, query: str, batch: Sequence[EvidenceCandidate], ids: Sequence[str]
) -> str:
    quoted = [fence.around("question", query)]
    for name, candidate in zip(ids, batch, strict=True):
        title = one_line(candidate.source_title)
        section = one_line(" › ".join(candidate.heading_path))
        quoted.append(
            fence.around(name, f"title: {title}\nsection: {section}\ntext:\n{candidate.text}")
        )
    ends = f"The fence of this request is {fence.name}. {len(batch)} passage(s) follow."
    return "\n\n".join([ends, *quoted])
