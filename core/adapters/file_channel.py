"""Delivers replies as files in a folder: the offline stand-in for a mail server."""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from datetime import datetime
from email.utils import format_datetime
from pathlib import Path

from core.errors import BadInput, TryAgainLater
from core.models.review import OutboxItem

_MAX_HEADER = 400


class FileChannel:
    """One ``.eml`` file for each idempotency key, complete or not there at all.

    The name is a hash of the key, so no untrusted text ever becomes a path. The body in the file is
    byte for byte ``item.body``. A key already delivered keeps its first file and returns its first
    receipt. Safe for several processes on one folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def deliver(self, item: OutboxItem) -> str:
        """Write the file and return its receipt. See ``DeliveryChannel`` for the errors."""
        if hashlib.sha256(item.body.encode("utf-8")).hexdigest() != item.body_hash:
            raise BadInput(
                f"Outbox item {item.item_id}: the body is not the one that was approved."
            )
        if not item.recipient.strip():
            raise BadInput(f"Case {item.case_id} names nobody to send this to. Add a recipient.")
        path = self._path(item.idempotency_key)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                self._write(path, _message(item))
        except OSError as error:
            raise TryAgainLater(
                f"The outbox folder {self._folder} cannot be written: {error.strerror}."
            ) from error
        return _receipt(path)

    def receipt_of(self, idempotency_key: str) -> str | None:
        """The receipt of what was delivered under the key, ``None`` when nothing was."""
        path = self._path(idempotency_key)
        return _receipt(path) if path.exists() else None

    def _path(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode('utf-8')).hexdigest()[:40]}.eml"

    def _write(self, path: Path, content: bytes) -> None:
        """The whole file appears under its name at once, and only if no other is there first."""
        handle, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=self._folder)
        part = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            with suppress(FileExistsError):
                path.hardlink_to(part)
        finally:
            part.unlink(missing_ok=True)
        self._sync_folder()

    def _sync_folder(self) -> None:
        folder = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _receipt(path: Path) -> str:
    return f"file:{path.name}"


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
