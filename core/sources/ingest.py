"""Governed documents in, passages out. Running it again heals whatever a crash left half done.

Order of writing, for each batch: registry (marked not indexed) → index → registry (indexed). A
document whose mark is missing is taken in again, so no passage is ever lost or left over.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from core.errors import BadSource
from core.models.source import DocumentVersion, IngestFailure, IngestReport, Passage
from core.ports import Clock, DocumentRegistry, PassageIndex, TokenCounter
from core.sources.chunk import chunk
from core.sources.documents import Found, FoundDocument, Warned
from core.sources.load import MAX_BYTES, load
from core.sources.version import to_version

Progress = Callable[[int, str], None]
"""Called with the number of documents handled so far and the last one's name."""

Cut = tuple[DocumentVersion, tuple[Passage, ...]]
"""A version and the passages it was cut into."""

_BATCH_PASSAGES = 256
_LOOKED_UP_TOGETHER = 200


def ingest(
    paths: Sequence[Path],
    *,
    tenant_id: str,
    actor: str,
    registry: DocumentRegistry,
    index: PassageIndex,
    clock: Clock,
    tokens: TokenCounter | None = None,
    progress: Progress | None = None,
    max_bytes: int = MAX_BYTES,
) -> IngestReport:
    """Take in every document under ``paths`` for ``tenant_id``; ``actor`` owns what names no owner.

    A bad file or row is reported, quarantined and passed by. Documents stored with the same hash
    are left alone; changed ones are replaced.
    """
    found = load(paths, max_bytes=max_bytes)
    job = _Job(tenant_id, actor, registry, index, clock, tokens)
    return job.run(found, progress)


def reindex(
    documents: Iterable[DocumentVersion],
    *,
    registry: DocumentRegistry,
    index: PassageIndex,
    tokens: TokenCounter | None = None,
) -> int:
    """Build the index anew from stored versions; returns the number of passages."""
    total = 0
    for batch in _batches((document, chunk(document, tokens)) for document in documents):
        index.replace_documents([(d.document_id, passages) for d, passages in batch])
        registry.mark_indexed([d.document_id for d, _ in batch], index.version())
        total += sum(len(passages) for _, passages in batch)
    index.finish()
    return total


class _Job:
    """One run: keeps the report together and writes batch by batch."""

    def __init__(
        self,
        tenant_id: str,
        actor: str,
        registry: DocumentRegistry,
        index: PassageIndex,
        clock: Clock,
        tokens: TokenCounter | None,
    ) -> None:
        self._tenant_id, self._actor = tenant_id, actor
        self._registry, self._index = registry, index
        self._clock, self._tokens = clock, tokens
        self._items: dict[str, str] = {}
        self._supersedes: dict[str, str] = {}
        self._failed: list[IngestFailure] = []
        self._warnings: list[str] = []
        self._documents = self._passages = self._unchanged = 0

    def run(self, found: Iterable[Found], progress: Progress | None) -> IngestReport:
        started = time.perf_counter()
        for batch in _batches(self._changed(found, progress)):
            self._store(batch)
        if self._documents:
            self._index.finish()
        self._name_superseded()
        return IngestReport(
            documents=self._documents,
            passages=self._passages,
            unchanged=self._unchanged,
            failed=tuple(self._failed),
            warnings=tuple(self._warnings),
            seconds=round(time.perf_counter() - started, 3),
        )

    def _changed(self, found: Iterable[Found], progress: Progress | None) -> Iterator[Cut]:
        done = 0
        for group in _groups(found, _LOOKED_UP_TOGETHER):
            names = [thing.document_id for thing in group if isinstance(thing, FoundDocument)]
            stored = self._registry.hashes(names)
            for thing in group:
                done += 1
                if isinstance(thing, IngestFailure):
                    self._fail(thing)
                elif isinstance(thing, Warned):
                    self._warnings.append(f"{thing.item}: {thing.message}")
                elif (version := self._accepted(thing, stored)) is not None:
                    yield version, chunk(version, self._tokens)
                if progress is not None:
                    progress(done, getattr(thing, "item", "") or getattr(thing, "path", ""))

    def _accepted(self, found: FoundDocument, stored: Mapping[str, str]) -> DocumentVersion | None:
        """The version to store; ``None`` when it is bad or already there."""
        try:
            self._refuse_twin(found)
            version, warnings = to_version(
                found, tenant_id=self._tenant_id, actor=self._actor, clock=self._clock
            )
            known = stored.get(version.document_id) == version.content_hash
            if not known:
                self._refuse_taken(found)
        except BadSource as error:
            self._fail(IngestFailure(path=found.item, reason=error.reason, fix=error.fix))
            return None
        self._items[version.document_id] = found.item
        self._warnings += [f"{found.item}: {warning}" for warning in warnings]
        if version.governance.supersedes:
            self._supersedes[version.document_id] = version.governance.supersedes
        if known:
            self._unchanged += 1
            self._registry.clear_quarantine(self._tenant_id, found.item)
            return None
        return version

    def _refuse_twin(self, found: FoundDocument) -> None:
        """An id names one document of a run."""
        if found.document_id in self._items:
            raise BadSource(
                found.item,
                f"the id {found.document_id!r} is also that of {self._items[found.document_id]}",
                "give each document its own id",
            )

    def _refuse_taken(self, found: FoundDocument) -> None:
        """An id that another tenant or source has is theirs."""
        name = found.document_id
        stored = self._registry.get(name)
        if stored is not None and stored.tenant_id != self._tenant_id:
            raise BadSource(found.item, f"the id {name!r} is taken", "choose another id")
        if stored is not None and stored.source_id != found.source_id:
            raise BadSource(
                found.item,
                f"the id {name!r} is already a version of source {stored.source_id!r}",
                "choose another id, or give the same source_id",
            )

    def _store(self, batch: list[Cut]) -> None:
        batch = self._put(batch)
        names = [version.document_id for version, _ in batch]
        live = self._registry.live(names)
        for name in names:
            if name not in live:
                self._warnings.append(f"{self._items[name]}: {name} was withdrawn and stays so")
        indexed = [(v.document_id, ps if v.document_id in live else ()) for v, ps in batch]
        self._index.replace_documents(indexed)
        self._registry.mark_indexed(names, self._index.version())
        for name in names:
            self._registry.clear_quarantine(self._tenant_id, self._items[name])
        self._documents += len(batch)
        self._passages += sum(len(passages) for _, passages in indexed)

    def _put(self, batch: list[Cut]) -> list[Cut]:
        """Store a batch at once; if the registry refuses it, one by one, to lose only the bad."""
        try:
            self._registry.put([version for version, _ in batch], actor=self._actor)
        except BadSource as error:
            if len(batch) > 1:
                return [kept for cut in batch for kept in self._put([cut])]
            item = self._items[batch[0][0].document_id]
            self._fail(IngestFailure(path=item, reason=error.reason, fix=error.fix))
            return []
        return batch

    def _fail(self, failure: IngestFailure) -> None:
        self._failed.append(failure)
        self._registry.quarantine(
            self._tenant_id, failure.path, failure.reason, failure.fix, actor=self._actor
        )

    def _name_superseded(self) -> None:
        """Say, and only say, that a version claims to replace one that still counts as active."""
        for name, older in self._supersedes.items():
            replaced = self._registry.get(older)
            if (
                replaced is not None
                and replaced.tenant_id == self._tenant_id
                and replaced.governance.status == "active"
            ):
                self._warnings.append(
                    f"{name} says it replaces {older}, which is still active: "
                    f"run `countersign source supersede {older}` if that is right"
                )


def _batches(work: Iterable[Cut]) -> Iterator[list[Cut]]:
    """Enough passages at a time for the encoder to sort them by length."""
    batch: list[Cut] = []
    held = 0
    for version, passages in work:
        batch.append((version, passages))
        held += len(passages)
        if held >= _BATCH_PASSAGES:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch


def _groups(things: Iterable[Found], length: int) -> Iterator[list[Found]]:
    rest = iter(things)
    while group := list(islice(rest, length)):
        yield group
