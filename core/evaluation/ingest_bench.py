"""How fast documents come in: the first time, unchanged, and with one in a hundred changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from core.evaluation.bench_machine import folder_mb, peak_memory_mb
from core.evaluation.ingest_corpus import DocumentWriter
from core.models.base import Model
from core.models.source import IngestReport


class IngestBench(Model):
    """Seconds and rates of one home; ``peak_mb`` is the most its process ever held (MiB)."""

    documents: int
    passages: int
    seconds: float
    passages_per_second: float
    peak_mb: float
    input_mb: float
    unchanged: int
    unchanged_seconds: float
    changed: int
    changed_seconds: float

    def table(self) -> str:
        """The figures for a terminal."""
        return "\n".join(
            [
                f"{self.documents:,} documents ({self.input_mb:.1f} MB of Markdown), "
                f"{self.passages:,} passages: {self.seconds:.1f} s, "
                f"{self.passages_per_second:.1f} passages/s, peak memory {self.peak_mb:,.0f} MB",
                f"again, nothing changed: {self.unchanged_seconds:.1f} s "
                f"({self.unchanged:,} recognised)",
                f"again, {self.changed} changed: {self.changed_seconds:.1f} s",
            ]
        )


def run_ingest_bench(
    documents: int,
    folder: Path,
    *,
    texts: Sequence[str],
    ingest: Callable[[Sequence[Path]], IngestReport],
) -> IngestBench:
    """Write ``documents`` files under ``folder`` and take them in three times.

    Meant for a process of its own. Raises ``RuntimeError`` when the reports do not add up: figures
    of an ingest that did something else would be worth nothing.
    """
    writer = DocumentWriter(texts)
    writer.write(folder, documents)
    first = ingest([folder])
    again = ingest([folder])
    numbers = range(0, documents, 100)
    writer.change(folder, numbers)
    third = ingest([folder])
    got = (first.documents, again.unchanged, third.documents)
    if got != (documents, documents, len(numbers)):
        faults = [f"{f.path}: {f.reason}" for f in (*first.failed, *third.failed)][:3]
        raise RuntimeError(
            f"taken in, unchanged, changed: {got}, not {(documents, documents, len(numbers))} "
            f"{faults}"
        )
    return IngestBench(
        documents=documents,
        passages=first.passages,
        seconds=round(first.seconds, 2),
        passages_per_second=round(first.passages / max(first.seconds, 1e-9), 1),
        peak_mb=peak_memory_mb(),
        input_mb=folder_mb(folder),
        unchanged=again.unchanged,
        unchanged_seconds=round(again.seconds, 2),
        changed=len(numbers),
        changed_seconds=round(third.seconds, 2),
    )
