"""Governed documents in, passages out. Running it again heals whatever a crash left half done.

Order of writing, for each batch: registry (marked not indexed) → index → registry (indexed). A
document whose mark is missing is taken in again, so no passage is ever lost or left over. Batches
of two processes take turns; nobody reads half of one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

from core.errors import BadSource
from core.models.source import DocumentVersion, IngestFailure, IngestReport, Passage
from core.ports import Clock, TokenCounter
from core.sources.ahead import read_ahead
from core.sources.documents import Warned
from core.sources.doubts import Doubts
from core.sources.governance import GovernanceRules
from core.sources.intake import IntakeIndex, IntakeRegistry
from core.sources.load import MAX_BYTES
from core.sources.progress import Meter, Progress, how_many
from core.sources.prune import Missing, absolute, find_missing
from core.sources.reading import Read, Reading

Cut = tuple[DocumentVersion, tuple[Passage, ...]]
"""A version and the passages it was cut into."""

BATCH_PASSAGES = 256
"""Written in one commit, and enough for the encoder to sort them by length."""

_READ_AHEAD = 400
"""Documents read and cut while earlier ones are encoded."""

_FOLD_EVERY = 20_000
"""Passages written between two looks at whether the index needs folding: it answers meanwhile."""


def ingest(
    paths: Sequence[Path],
    *,
    tenant_id: str,
    actor: str,
    registry: IntakeRegistry,
    index: IntakeIndex,
    clock: Clock,
    tokens: TokenCounter | None = None,
    progress: Progress | None = None,
    max_bytes: int = MAX_BYTES,
    prune: bool = False,
    batch: int = BATCH_PASSAGES,
    rules: GovernanceRules | None = None,
) -> IngestReport:
    """Take in every document under ``paths`` for ``tenant_id``; ``actor`` owns what names no owner.

    A bad file or row is reported, quarantined and passed by. Documents stored with the same hash
    are left alone; changed ones are replaced, and only text that is new to the index is encoded.
    Documents that came from these paths before and are not there any more are reported, and with
    ``prune`` withdrawn until they are there again. ``rules`` hold their governance against what the
    tenant knows.
    """
    meter = Meter(progress, lambda: how_many(paths))
    reading = Reading(paths, tenant_id, actor, registry, clock, tokens, max_bytes, rules)
    job = _Job(tenant_id, actor, registry, index, meter, batch)
    with closing(read_ahead(reading.documents(), _READ_AHEAD)) as documents:
        job.take(documents)
    missing = find_missing(paths, tenant_id, registry, seen=job.seen, failed=job.failed)
    return job.report(missing, prune=prune)


class _Job:
    """One run: keeps the report together and writes batch by batch."""

    def __init__(
        self,
        tenant_id: str,
        actor: str,
        registry: IntakeRegistry,
        index: IntakeIndex,
        meter: Meter,
        batch: int,
    ) -> None:
        self._batch_passages = batch
        self._tenant_id, self._actor = tenant_id, actor
        self._registry, self._index, self._meter = registry, index, meter
        self.seen: dict[str, str] = {}
        """Item of each document met, by its id."""
        self.failed: list[IngestFailure] = []
        self._quarantined = registry.in_quarantine(tenant_id)
        self._supersedes: dict[str, str] = {}
        self._warnings: list[str] = []
        self._doubts = Doubts()
        self._batch: list[Cut] = []
        self._moved: dict[str, str] = {}
        self._written = self._folded_at = self._duplicates = 0
        self._texts: dict[str, str] = {}

    def take(self, documents: Iterable[Read]) -> None:
        for read in documents:
            self._take_one(read)
            self._meter.count(documents=read.counts)
            self._meter.tell(item=read.item)
            if sum(len(passages) for _, passages in self._batch) >= self._batch_passages:
                self._write()
        self._write()
        self._registry.came_from(self._moved)
        if self._written:
            self._meter.tell(phase="finishing")
            self._index.finish()

    def report(self, missing: Missing, *, prune: bool) -> IngestReport:
        if prune and missing.documents:
            self._retire(missing.documents)
        self._name_superseded()
        self._meter.tell(phase="done")
        now = self._meter.now
        return IngestReport(
            documents=self._written,
            passages=now.passages,
            unchanged=now.unchanged,
            duplicates=self._duplicates,
            encoded=now.encoded,
            failed=tuple(self.failed),
            warnings=(*self._warnings, *self._doubts.said(), *missing.warnings),
            missing=missing.documents,
            withdrawn=missing.documents if prune else (),
            seconds=self._meter.seconds(),
        )

    # -- one document ---------------------------------------------------------------------------

    def _take_one(self, read: Read) -> None:
        if isinstance(read.found, IngestFailure):
            self._fail(read.found)
            return
        if isinstance(read.found, Warned):
            self._warnings.append(f"{read.found.item}: {read.found.message}")
            return
        try:
            version = self._accepted(read)
        except BadSource as error:
            failure = IngestFailure(path=read.item, reason=error.reason, fix=error.fix)
            self._fail(failure, found=read.repairable)
            return
        self.seen[version.document_id] = read.item
        self._doubts.add(read.item, read.warnings)
        if version.governance.supersedes:
            self._supersedes[version.document_id] = version.governance.supersedes
        if read.passages is not None:
            self._batch.append((version, read.passages))
            return
        self._meter.count(unchanged=1)
        self._clear(read.item)
        self._moved[version.document_id] = absolute(read.item)
        if len(self._moved) >= _READ_AHEAD:
            self._registry.came_from(self._moved)
            self._moved = {}

    def _accepted(self, read: Read) -> DocumentVersion:
        """The version read. Raises ``BadSource`` for a bad one, or an id met before."""
        if read.document_id in self.seen:
            raise BadSource(
                read.item,
                f"the id {read.document_id!r} is also that of {self.seen[read.document_id]}",
                "give each document its own id",
            )
        if isinstance(read.found, BadSource):
            raise read.found
        assert isinstance(read.found, DocumentVersion)  # noqa: S101 - the other kinds are handled
        return read.found

    # -- one batch ------------------------------------------------------------------------------

    def _write(self) -> None:
        batch, self._batch = self._batch, []
        if not batch:
            return
        # Encoding takes long, so it comes before the lock that other writers wait for.
        encoded = self._index.prepare([p for _, passages in batch for p in passages])
        with self._index.writing():
            batch = self._not_taken_meanwhile(batch)
            changed = self._changed_since_withdrawn([version for version, _ in batch])
            written = self._store(self._put(batch), changed)
        for version, passages in written:
            self._clear(self.seen[version.document_id])
            self._count_copies(passages)
        self._written += len(written)
        self._meter.count(passages=sum(len(ps) for _, ps in written), encoded=encoded)
        self._meter.tell()
        if self._meter.now.passages - self._folded_at >= _FOLD_EVERY:
            self._folded_at = self._meter.now.passages
            self._index.finish()

    def _not_taken_meanwhile(self, batch: list[Cut]) -> list[Cut]:
        """What another process has not stored in exactly this form since it was looked up."""
        stored = self._registry.hashes([version.document_id for version, _ in batch])
        left = [cut for cut in batch if stored.get(cut[0].document_id) != cut[0].content_hash]
        self._meter.count(unchanged=len(batch) - len(left))
        return left

    def _put(self, batch: list[Cut]) -> list[Cut]:
        """Store a batch at once; if the registry refuses it, one by one, to lose only the bad."""
        try:
            self._registry.put([version for version, _ in batch], actor=self._actor)
        except BadSource as error:
            if len(batch) > 1:
                return [kept for cut in batch for kept in self._put([cut])]
            item = self.seen[batch[0][0].document_id]
            self._fail(IngestFailure(path=item, reason=error.reason, fix=error.fix))
            return []
        return batch

    def _store(self, batch: list[Cut], changed: frozenset[str]) -> list[Cut]:
        names = [version.document_id for version, _ in batch]
        withdrawn = self._registry.withdrawn_among(names)
        for name in names:
            if name in withdrawn:
                self._warnings.append(f"{self.seen[name]}: {name} was withdrawn and stays so")
            elif name in changed:
                self._warnings.append(
                    f"{self.seen[name]}: {name} was withdrawn and is back, for it has changed; if "
                    f"that is wrong, run `countersign source withdraw {name}`"
                )
        batch = [(v, () if v.document_id in withdrawn else ps) for v, ps in batch]
        self._index.replace_documents([(v.document_id, passages) for v, passages in batch])
        self._registry.mark_indexed(names, self._index.version())
        self._registry.came_from({name: absolute(self.seen[name]) for name in names})
        for name in self._registry.withdrawn_among(names) - withdrawn:
            self._index.remove_document(name)  # withdrawn while it was being written
        return batch

    def _changed_since_withdrawn(self, versions: Sequence[DocumentVersion]) -> frozenset[str]:
        out = self._registry.withdrawn_among([version.document_id for version in versions])
        stored = {name: self._registry.get(name) for name in out}
        hashes = {name: known.content_hash for name, known in stored.items() if known is not None}
        return (
            frozenset(
                v.document_id for v in versions if hashes.get(v.document_id, "") != v.content_hash
            )
            & out
        )

    def _count_copies(self, passages: Iterable[Passage]) -> None:
        for passage in passages:
            first = self._texts.setdefault(passage.text_key, passage.document_id)
            self._duplicates += bool(passage.text_key) and first != passage.document_id

    # -- what goes wrong, and what is gone ------------------------------------------------------

    def _fail(self, failure: IngestFailure, *, found: str = "") -> None:
        self.failed.append(failure)
        self._meter.count(failed=1)
        self._registry.quarantine(
            self._tenant_id,
            failure.path,
            failure.reason,
            failure.fix,
            actor=self._actor,
            found=found,
        )

    def _clear(self, item: str) -> None:
        if item in self._quarantined:
            self._registry.clear_quarantine(self._tenant_id, item)

    def _retire(self, names: Sequence[str]) -> None:
        with self._index.writing():
            reason = "its file is not there any more"
            self._registry.retire(names, reason=reason, actor=self._actor)
            for name in names:
                self._index.remove_document(name)

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
