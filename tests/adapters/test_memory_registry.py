"""The fake registry keeps the promises of the real one."""

from __future__ import annotations

import pytest

from tests.contracts.document_registry import DocumentRegistryContract
from tests.fakes.memory_registry import MemoryRegistry


class TestMemoryRegistry(DocumentRegistryContract):
    """Everything the contract asks."""

    @pytest.fixture
    def registry(self) -> MemoryRegistry:
        return MemoryRegistry()
