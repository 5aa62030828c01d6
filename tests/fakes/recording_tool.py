"""A tool that writes, in memory: one change for one key, as the port promises."""

from __future__ import annotations

import threading

from core.models.base import Model
from core.review.action_tool import StartRefund


class RecordingTool:
    """``done`` lists what was really done. ``errors`` are raised first, one for each call.

    ``silent`` errors are raised by ``receipt_of`` instead; ``crash_after`` comes after the change.
    """

    name = "start_refund"
    parameters = StartRefund

    def __init__(self) -> None:
        self.done: list[tuple[str, Model]] = []
        self.calls = 0
        self.errors: list[BaseException] = []
        self.silent: list[BaseException] = []
        self.crash_after: BaseException | None = None
        self._receipts: dict[str, str] = {}
        self._lock = threading.Lock()

    def run(self, arguments: Model, *, idempotency_key: str, tenant_id: str) -> str:
        with self._lock:
            self.calls += 1
            if self.errors:
                raise self.errors.pop(0)
            if idempotency_key not in self._receipts:
                self._receipts[idempotency_key] = f"refund-{len(self.done) + 1}"
                self.done.append((tenant_id, arguments))
            if self.crash_after is not None:
                crash, self.crash_after = self.crash_after, None
                raise crash
            return self._receipts[idempotency_key]

    def receipt_of(self, idempotency_key: str) -> str | None:
        if self.silent:
            raise self.silent.pop(0)
        return self._receipts.get(idempotency_key)
