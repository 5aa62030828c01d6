"""Carries actions out as files in a folder: the offline stand-in for a payment or ticket system."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from core.errors import BadInput, TryAgainLater
from core.models.base import Model


class FileActions:
    """``ActionTool`` that leaves one JSON file for each idempotency key, complete or not at all.

    The name is a hash of the key, so no text ever becomes a path. A key already used keeps its
    first file. Safe for several processes on one folder.
    """

    def __init__(self, name: str, parameters: type[Model], folder: Path) -> None:
        self._name, self._parameters, self._folder = name, parameters, folder

    @property
    def name(self) -> str:
        return self._name

    @property
    def parameters(self) -> type[Model]:
        return self._parameters

    def run(self, arguments: Model, *, idempotency_key: str, tenant_id: str) -> str:
        """Write the file and return its receipt."""
        if not isinstance(arguments, self._parameters):
            raise BadInput(f"{self._name} does not take {type(arguments).__name__}.")
        path = self._path(idempotency_key)
        content = {
            "tool": self._name,
            "tenant_id": tenant_id,
            "idempotency_key": idempotency_key,
            "arguments": arguments.model_dump(mode="json"),
        }
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                self._write(path, content)
        except OSError as error:
            raise TryAgainLater(
                f"The actions folder {self._folder} cannot be written: {error.strerror}."
            ) from error
        return _receipt(path)

    def receipt_of(self, idempotency_key: str) -> str | None:
        """The receipt of the file written under the key, ``None`` when there is none."""
        path = self._path(idempotency_key)
        try:
            path.stat()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise TryAgainLater(
                f"The actions folder {self._folder} cannot be read: {error.strerror}."
            ) from error
        return _receipt(path)

    def _path(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode('utf-8')).hexdigest()[:40]}.json"

    def _write(self, path: Path, content: Mapping[str, object]) -> None:
        """The whole file appears under its name at once, and only if no other is there first."""
        handle, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=self._folder)
        part = Path(name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(content, file, ensure_ascii=False, indent=2)
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
