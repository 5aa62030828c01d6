"""A delivery channel in memory that keeps the port's promise: one delivery for one key."""

from __future__ import annotations

import threading

from core.models.review import OutboxItem


class RecordingChannel:
    """``sent`` lists what was really delivered. ``errors`` are raised first, one for each call."""

    def __init__(self) -> None:
        self.sent: list[OutboxItem] = []
        self.calls = 0
        self.errors: list[BaseException] = []
        self.crash_after_sending: BaseException | None = None
        self._receipts: dict[str, str] = {}
        self._lock = threading.Lock()

    def deliver(self, item: OutboxItem) -> str:
        with self._lock:
            self.calls += 1
            if self.errors:
                raise self.errors.pop(0)
            if item.idempotency_key not in self._receipts:
                self._receipts[item.idempotency_key] = f"receipt-{len(self.sent) + 1}"
                self.sent.append(item)
            if self.crash_after_sending is not None:
                crash, self.crash_after_sending = self.crash_after_sending, None
                raise crash
            return self._receipts[item.idempotency_key]

    def receipt_of(self, idempotency_key: str) -> str | None:
        return self._receipts.get(idempotency_key)


class WithoutReceipts:
    """A channel that keeps the promise of ``deliver`` and offers nothing else."""

    def __init__(self, inner: RecordingChannel) -> None:
        self._inner = inner

    def deliver(self, item: OutboxItem) -> str:
        return self._inner.deliver(item)


class Killed(BaseException):
    """The process dies here: nothing of ours may catch it."""
