"""Calls read tools: arguments checked, rights checked, a deadline, every row looked at again.

Whatever happens ends in a ``ToolAnswer`` and a ``ToolCall`` for the trace; nothing is raised.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from core.errors import BadInput, CountersignError, NotFound, TooSlow
from core.models.access import SecurityContext
from core.models.base import Model
from core.models.evidence import EvidenceCandidate
from core.models.request import IdentifierKind
from core.models.tool import (
    ToolAccess,
    ToolAnswer,
    ToolCall,
    ToolFailure,
    ToolFailureKind,
    failed,
)
from core.tools.arguments import shown_arguments, signature, typed_arguments
from core.tools.ports import GoesWith, ReadTool, ViolationLog

_WAITING_AT_MOST = 16
"""Calls at the same time, those that were given up and still hold a thread among them."""


class Called(NamedTuple):
    """An answer and the record of the call."""

    answer: ToolAnswer
    call: ToolCall


def refusal(access: ToolAccess, context: SecurityContext) -> str:
    """Why the caller may not call; empty where they may. Never says what is behind the door."""
    if not context.tenant_id or (access.tenants and context.tenant_id not in access.tenants):
        return "it does not serve this company"
    if access.action not in context.actions:
        return f"it needs the right to {access.action}"
    if access.roles and not set(access.roles) & set(context.roles):
        return f"it is for {', '.join(access.roles)}"
    if access.acl_policy_id and not _let_in(access.acl_policy_id, context):
        return "the access policy of its data does not name your role or department"
    return ""


def _let_in(policy_id: str, context: SecurityContext) -> bool:
    allowed = policy_id in context.allowed_acl_policy_ids
    return allowed and policy_id not in context.denied_acl_policy_ids


class Toolbox:
    """The tools of a company. Safe to share between threads."""

    def __init__(
        self,
        tools: Sequence[ReadTool] = (),
        *,
        log: ViolationLog | None = None,
        stopwatch: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._tools = {tool.name: tool for tool in tools}
        if len(self._tools) != len(tools):
            raise ValueError("two tools have the same name")
        self._log, self._stopwatch = log, stopwatch
        self._waiting = threading.BoundedSemaphore(_WAITING_AT_MOST)

    @property
    def tools(self) -> tuple[ReadTool, ...]:
        """Every tool, by name."""
        return tuple(self._tools[name] for name in sorted(self._tools))

    def __contains__(self, name: str) -> bool:
        return name in self._tools

    def called_for(self, kind: IdentifierKind) -> tuple[tuple[str, str], ...]:
        """The tools to call for an identifier of this kind, and the parameter it goes into."""
        return tuple(
            (tool.name, tool.goes_with[1])
            for tool in self.tools
            if isinstance(tool, GoesWith) and tool.goes_with and tool.goes_with[0] == kind
        )

    def call(self, name: str, context: SecurityContext, arguments: Mapping[str, object]) -> Called:
        """Call a tool with the caller's rights."""
        began = self._stopwatch()
        answer, violations = self._checked_answer(name, context, arguments)
        ms = round((self._stopwatch() - began) * 1000, 3)
        if violations and self._log is not None:
            self._log.report(context, name, violations)
        failure = answer.failure
        record = ToolCall(
            tool=name,
            arguments=shown_arguments(arguments),
            outcome=failure.kind if failure else "answered",
            ms=ms,
            rows=len(answer.rows),
            row_keys=tuple(row.chunk_id for row in answer.rows),
            dropped=len(violations),
            message=failure.message if failure else "",
        )
        return Called(answer, record)

    def _checked_answer(
        self, name: str, context: SecurityContext, given: Mapping[str, object]
    ) -> tuple[ToolAnswer, tuple[str, ...]]:
        tool = self._tools.get(name)
        if tool is None:
            return failed("not_found", f"There is no tool {name!r}. {self._known()}"), ()
        why = refusal(tool.access, context)
        if why:
            return failed("not_allowed", f"You may not call {name}: {why}."), ()
        arguments = typed_arguments(name, tool.parameters, given)
        if isinstance(arguments, ToolFailure):
            return ToolAnswer(failure=arguments), ()
        return within_rights(name, self._in_time(tool, context, arguments), context)

    def _known(self) -> str:
        named = ", ".join(signature(t.name, t.parameters) for t in self.tools)
        return f"There are: {named}." if named else "None is set up."

    def _in_time(self, tool: ReadTool, context: SecurityContext, arguments: Model) -> ToolAnswer:
        """The tool's answer; ``too_slow`` once its time is up, whatever it is doing then."""
        if not self._waiting.acquire(timeout=tool.timeout_ms / 1000):
            return failed("unavailable", f"{tool.name} is busy with calls that hang. Try later.")
        left: list[ToolAnswer] = []

        def work() -> None:
            try:
                left.append(_answered(tool, context, arguments))
            finally:
                self._waiting.release()

        thread = threading.Thread(target=work, name=f"tool-{tool.name}", daemon=True)
        thread.start()
        thread.join(tool.timeout_ms / 1000)
        return left[0] if left else failed("too_slow", too_slow(tool.name, tool.timeout_ms))


def too_slow(what: str, timeout_ms: int) -> str:
    """The words for a source that did not answer in its time."""
    return f"{what} did not answer within {timeout_ms / 1000:g} s; nothing was read. Try again."


def _answered(tool: ReadTool, context: SecurityContext, arguments: Model) -> ToolAnswer:
    try:
        return tool.call(context, arguments)
    except CountersignError as error:
        return failed(_kind(error), str(error))
    except Exception as error:  # noqa: BLE001 - one source that breaks must not end the run
        broke = type(error).__name__
        return failed("unavailable", f"{tool.name} broke ({broke}). Tell an administrator.")


def _kind(error: CountersignError) -> ToolFailureKind:
    if isinstance(error, TooSlow):
        return "too_slow"
    if isinstance(error, NotFound):
        return "not_found"
    return "wrong_type" if isinstance(error, BadInput) else "unavailable"


def within_rights(
    name: str, answer: ToolAnswer, context: SecurityContext
) -> tuple[ToolAnswer, tuple[str, ...]]:
    """The answer without rows beyond the caller's rights, and a word on each that was dropped.

    A calculation falls with any row: it may rest on the one that was dropped.
    """
    reasons = [(row, _beyond(row, context)) for row in answer.rows]
    dropped = tuple(f"{name}: {row.chunk_id} dropped: {why}" for row, why in reasons if why)
    if not dropped:
        return answer, ()
    kept = tuple(row for row, why in reasons if not why and row.calculation is None)
    if not kept:
        return failed("not_found", f"{name} found nothing you may see."), dropped
    return answer.model_copy(update={"rows": kept, "calculation": None}), dropped


def _beyond(row: EvidenceCandidate, context: SecurityContext) -> str:
    if row.tenant_id != context.tenant_id:
        return "of another tenant"
    if not _let_in(row.acl_policy_id, context):
        return f"its access policy {row.acl_policy_id!r} does not let the reader in"
    if row.classification not in context.allowed_classifications:
        return f"classified {row.classification}"
    return ""
