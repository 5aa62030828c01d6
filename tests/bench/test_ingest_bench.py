"""The made-up documents are read as written, and the ingest bench refuses to time another thing."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.evaluation.ingest_bench import run_ingest_bench
from core.evaluation.ingest_corpus import DocumentWriter
from core.models.source import IngestReport
from core.sources.ingest import ingest
from tests.fakes.fixed_clock import FixedClock
from tests.fakes.memory_index import MemoryIndex
from tests.fakes.memory_registry import MemoryRegistry

TEXTS = [
    "A coat comes back within thirty days of the purchase, unworn. The label must be on it.",
    "A gift card never expires. The balance of a gift card can be read online at any time.",
    "Parcels leave the same day. Lost parcels are sent again, and the customer pays nothing.",
]


def test_documents_are_the_same_every_time_and_all_different(tmp_path: Path) -> None:
    for name in ("one", "two"):
        DocumentWriter(TEXTS).write(tmp_path / name, 60)
    one, two = (sorted((tmp_path / name).rglob("*.md")) for name in ("one", "two"))
    assert [p.read_text() for p in one] == [p.read_text() for p in two]
    assert len({p.read_text() for p in one}) == 60
    lengths = [len(p.read_text().split()) for p in one]
    assert 300 < sum(lengths) / len(lengths) < 1_200


def test_an_ingest_is_timed_new_unchanged_and_changed(tmp_path: Path) -> None:
    registry, index = MemoryRegistry(), MemoryIndex()

    def take_in(paths: object) -> IngestReport:
        return ingest(
            [tmp_path / "documents"],
            tenant_id="bench",
            actor="bench",
            registry=registry,
            index=index,
            clock=FixedClock(),
        )

    found = run_ingest_bench(12, tmp_path / "documents", texts=TEXTS, ingest=take_in)
    assert (found.documents, found.unchanged, found.changed) == (12, 12, 1)
    assert found.passages >= 24
    assert "12 documents" in found.table()


def test_an_ingest_that_did_something_else_has_no_figures(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="taken in, unchanged, changed"):
        run_ingest_bench(3, tmp_path, texts=TEXTS, ingest=lambda _: IngestReport(documents=2))
