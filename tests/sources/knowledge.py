"""A registry and an index in memory that tests take documents into."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.models.source import IngestReport
from core.sources.ingest import ingest
from tests.fakes.fixed_clock import FixedClock
from tests.fakes.memory_index import MemoryIndex
from tests.fakes.memory_registry import MemoryRegistry
from tests.sources.builders import TENANT, a_plan


class Knowledge:
    """Takes files in as ``dana`` and answers searches."""

    def __init__(self) -> None:
        self.registry = MemoryRegistry()
        self.index = MemoryIndex()

    def take(self, *paths: Path, tenant: str = TENANT, **more: Any) -> IngestReport:
        return ingest(
            paths,
            tenant_id=tenant,
            actor="dana",
            registry=self.registry,
            index=self.index,
            clock=FixedClock(),
            **more,
        )

    def found(self, query: str) -> list[str]:
        return [hit.document_id for hit in self.index.search(a_plan(query))]
