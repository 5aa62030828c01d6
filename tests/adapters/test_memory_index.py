"""The fake keeps the same contract as the real index, so tests may lean on it."""

from __future__ import annotations

import pytest

from tests.contracts.passage_index import PassageIndexContract
from tests.fakes.memory_index import MemoryIndex


class TestMemoryIndex(PassageIndexContract):
    @pytest.fixture
    def index(self) -> MemoryIndex:
        return MemoryIndex()
