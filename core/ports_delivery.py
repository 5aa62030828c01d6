"""What the outbox needs of the world: a channel that takes an approved reply to its reader."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from core.models.review import OutboxItem


class DeliveryChannel(Protocol):
    """Takes an approved reply to its reader, once for each idempotency key."""

    def deliver(self, item: OutboxItem) -> str:
        """Deliver and return a receipt. A key already delivered returns its first receipt.

        Raises ``TryAgainLater`` for a passing fault, ``BadInput`` for one that will not pass.
        """
        ...


@runtime_checkable
class KnowsReceipts(Protocol):
    """A delivery channel that can say whether it delivered under a key before."""

    def receipt_of(self, idempotency_key: str) -> str | None:
        """The first receipt for the key, or ``None`` when nothing was delivered under it."""
        ...
