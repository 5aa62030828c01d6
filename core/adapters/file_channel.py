"""Delivers replies as files in a folder: the offline stand-in for a mail server."""

from __future__ import annotations

import hashlib
from datetime import datetime
from email.utils import format_datetime
from pathlib import Path

from core.adapters.once_files import OnceFiles, receipt
from core.errors import BadInput, TryAgainLater
from core.models.review import OutboxItem

_MAX_HEADER = 400


class FileChannel:
    """One ``.eml`` file for each idempotency key, complete or not there at all.

    The body in the file is byte for byte ``item.body``. A key already delivered keeps its first
    file and returns its first receipt. Safe for several processes on one folder.
    """

    def __init__(self, folder: Path) -> None:
        self._files = OnceFiles(folder, ".eml")

    def deliver(self, item: OutboxItem) -> str:
        """Write the file and return its receipt. See ``DeliveryChannel`` for the errors."""
        if hashlib.sha256(item.body.encode("utf-8")).hexdigest() != item.body_hash:
            raise BadInput(
                f"Outbox item {item.item_id}: the body is not the one that was approved."
            )
        if not item.recipient.strip():
            raise BadInput(f"Case {item.case_id} names nobody to send this to. Add a recipient.")
        content = _message(item)
        try:
            return receipt(self._files.write(item.idempotency_key, content))
        except OSError as error:
            raise TryAgainLater(
                f"The outbox folder {self._files.folder} cannot be written: {error.strerror}."
            ) from error

    def receipt_of(self, idempotency_key: str) -> str | None:
        """The receipt of what was delivered under the key, ``None`` when nothing was."""
        path = self._files.path(idempotency_key)
        return receipt(path) if path.exists() else None


def _message(item: OutboxItem) -> bytes:
    headers = (
        ("Date", format_datetime(_whole_seconds(item.created_at))),
        ("To", item.recipient),
        ("Subject", item.subject),
        (
            "Message-ID",
            f"<{hashlib.sha256(item.idempotency_key.encode()).hexdigest()[:40]}@countersign>",
        ),
        ("MIME-Version", "1.0"),
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Content-Transfer-Encoding", "8bit"),
        ("X-Countersign-Case", item.case_id),
        ("X-Countersign-Channel", item.channel),
        ("X-Countersign-Body-SHA256", item.body_hash),
    )
    head = "".join(f"{name}: {_one_line(value)}\r\n" for name, value in headers)
    return head.encode("utf-8") + b"\r\n" + item.body.encode("utf-8")


def _one_line(value: str) -> str:
    """A header value that cannot start another header: control characters become spaces."""
    clean = "".join(ch if ch.isprintable() else " " for ch in value)
    return " ".join(clean.split())[:_MAX_HEADER]


def _whole_seconds(at: datetime) -> datetime:
    return at.replace(microsecond=0)
