"""Carries actions out as files in a folder: the offline stand-in for a payment or ticket system."""

from __future__ import annotations

import json
from pathlib import Path

from core.adapters.once_files import OnceFiles, receipt
from core.errors import BadInput, TryAgainLater
from core.models.base import Model


class FileActions:
    """``ActionTool`` that leaves one JSON file for each idempotency key, complete or not at all.

    A key already used keeps its first file. Safe for several processes on one folder.
    """

    def __init__(self, name: str, parameters: type[Model], folder: Path) -> None:
        self._name, self._parameters = name, parameters
        self._files = OnceFiles(folder, ".json")

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
        content = {
            "tool": self._name,
            "tenant_id": tenant_id,
            "idempotency_key": idempotency_key,
            "arguments": arguments.model_dump(mode="json"),
        }
        text = json.dumps(content, ensure_ascii=False, indent=2)
        try:
            return receipt(self._files.write(idempotency_key, text.encode("utf-8")))
        except OSError as error:
            raise TryAgainLater(
                f"The actions folder {self._files.folder} cannot be written: {error.strerror}."
            ) from error

    def receipt_of(self, idempotency_key: str) -> str | None:
        """The receipt of the file written under the key, ``None`` when there is none."""
        path = self._files.path(idempotency_key)
        try:
            path.stat()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise TryAgainLater(
                f"The actions folder {self._files.folder} cannot be read: {error.strerror}."
            ) from error
        return receipt(path)
