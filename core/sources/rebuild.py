"""The index built anew from the stored documents, beside the one in use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from core.models.source import DocumentVersion
from core.ports import TokenCounter
from core.sources.chunk import chunk
from core.sources.ingest import BATCH_PASSAGES, Cut
from core.sources.intake import IntakeIndex, IntakeRegistry
from core.sources.progress import Meter, Progress

_MARKED_TOGETHER = 500


class NewIndex(IntakeIndex, Protocol):
    """An index built beside the one in use."""

    def fold(self) -> int:
        """Fold all rows into the indexes."""
        ...

    def take_over(self) -> None:
        """From now on this index answers, for every process, in one step."""
        ...


def rebuild(
    *,
    registry: IntakeRegistry,
    index: NewIndex,
    tokens: TokenCounter | None = None,
    progress: Progress | None = None,
    batch: int = BATCH_PASSAGES,
) -> int:
    """Fill ``index`` from the stored versions and let it take over; returns its passages.

    Until the last step everybody goes on with the old index, and a kill leaves that as it is.
    Documents that change meanwhile are written again before the step.
    """
    before = {s.document_id: s.revision for s in registry.states() if not s.withdrawn}
    meter = Meter(progress, lambda: len(before))
    _write(registry.stored(), index, tokens, meter, batch)
    meter.tell(phase="finishing")
    index.fold()
    with index.writing():
        now = {s.document_id: s.revision for s in registry.states() if not s.withdrawn}
        for name in before.keys() - now.keys():
            index.remove_document(name)
        changed = [registry.get(name) for name, rev in now.items() if before.get(name) != rev]
        _write([document for document in changed if document], index, tokens, meter, batch)
        index.take_over()
        names = list(now)
        for start in range(0, len(names), _MARKED_TOGETHER):
            registry.mark_indexed(names[start : start + _MARKED_TOGETHER], index.version())
    meter.tell(phase="done")
    return index.count()


def _write(
    documents: Iterable[DocumentVersion],
    index: IntakeIndex,
    tokens: TokenCounter | None,
    meter: Meter,
    batch: int,
) -> None:
    for cuts in _batches(((d, chunk(d, tokens)) for d in documents), batch):
        passages = [p for _, group in cuts for p in group]
        encoded = index.prepare(passages)
        index.replace_documents([(d.document_id, group) for d, group in cuts])
        meter.count(documents=len(cuts), passages=len(passages), encoded=encoded)
        meter.tell(item=cuts[-1][0].document_id)


def _batches(work: Iterable[Cut], length: int) -> Iterator[list[Cut]]:
    batch: list[Cut] = []
    held = 0
    for version, passages in work:
        batch.append((version, passages))
        held += len(passages)
        if held >= length:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch
