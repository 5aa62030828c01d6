"""A folder in which each idempotency key has at most one file: whole, or not there at all.

A file is named by a hash of its key, so no untrusted text ever becomes a path. Safe for several
processes on one folder.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path


class OnceFiles:
    """``ending`` is what the names end in, such as ``.json``."""

    def __init__(self, folder: Path, ending: str) -> None:
        self.folder = folder
        self._ending = ending

    def path(self, key: str) -> Path:
        """Where the key's file is, or would be."""
        return self.folder / f"{hashlib.sha256(key.encode('utf-8')).hexdigest()[:40]}{self._ending}"

    def write(self, key: str, content: bytes) -> Path:
        """The key's file, made of ``content`` unless it is there already. Raises ``OSError``."""
        path = self.path(key)
        self.folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            self._write(path, content)
        return path

    def _write(self, path: Path, content: bytes) -> None:
        """The whole file appears under its name at once, and only if no other is there first."""
        handle, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=self.folder)
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
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def receipt(path: Path) -> str:
    """What a caller keeps as the proof that the file was written."""
    return f"file:{path.name}"
