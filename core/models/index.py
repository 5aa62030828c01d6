"""What is known of the passage index itself: its state, its upkeep, and proofs of removal."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from core.models.base import Model


class IndexPart(Model):
    """One index over a column. ``unindexed`` rows are searched all the same, only slower."""

    column: str
    kind: str
    rows: int
    unindexed: int


class OtherTable(Model):
    """A table beside the one in use: an older index kept for replay, or a rebuild cut short."""

    number: int
    rows: int
    bytes_on_disk: int
    built_by: dict[str, str]
    unfinished: bool = False


class RecallCheck(Model):
    """How much of the exact nearest passages the vector index finds, 0..1.

    ``plain`` without a filter, ``filtered`` under one that few passages pass; ``queries`` stored
    vectors were searched for, each for its ``k`` nearest.
    """

    queries: int
    k: int
    plain: float
    filtered: float
    at: datetime


class IndexStatus(Model):
    """The index as it lies on disk. ``version`` is what an answer given now is replayed on."""

    folder: str
    version: str
    passages: int
    documents: int
    unindexed: int
    fragments: int
    bytes_on_disk: int
    versions_kept: int
    oldest_version: str
    oldest_at: datetime | None
    tags: dict[str, str] = Field(default_factory=dict)
    parts: tuple[IndexPart, ...]
    built_by: dict[str, str]
    others: tuple[OtherTable, ...] = ()
    recall: RecallCheck | None = None
    """As last measured; ``None`` while vectors are searched exactly."""


class RemovalProof(Model):
    """Probe queries for a removed document: its exact texts, by words and by vector, unfiltered.

    ``hits`` counts what came back of the document; it is 0 or the removal failed.
    """

    document_id: str
    passages: int
    queries: int
    hits: int


class Consistency(Model):
    """Where documents and index disagree, by document id. Withdrawn documents belong in no index.

    ``orphaned`` lie in the index though their document is withdrawn or unknown; ``missing`` count
    as indexed but have no passage there; ``unfinished`` were stored by an ingest that was cut
    short; ``doubled`` passages lie there twice.
    """

    documents: int
    orphaned: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    unfinished: tuple[str, ...] = ()
    doubled: tuple[str, ...] = ()

    @property
    def agree(self) -> bool:
        """Whether nothing needs repair."""
        return not (self.orphaned or self.missing or self.unfinished or self.doubled)


class Repair(Model):
    """What was repaired, and how the two stand now."""

    before: Consistency
    after: Consistency
    removed: int
    """Documents whose passages were taken out."""
    indexed: int
    """Documents whose passages were written again."""


class CleanUp(Model):
    """What cleaning old versions did. ``kept_since`` is the time from which all versions stay."""

    kept_since: datetime | None
    because: str
    versions_removed: int = 0
    tables_removed: tuple[int, ...] = ()
    bytes_freed: int = 0
    answers_unreplayable: int = 0
    """Stored answers whose index version is not kept any more."""


class Upkeep(Model):
    """What one round of maintenance did, in order: fold, check recall, clean up."""

    folded: int
    cleaned: CleanUp
    recall: RecallCheck | None
    status: IndexStatus
    seconds: float


class Erasure(Model):
    """What was erased for good, and what the audit keeps."""

    document_id: str
    passages: int
    tables_removed: tuple[int, ...]
    versions_removed: int
    proof: RemovalProof
    kept: tuple[str, ...]
    """What remains and where, in words."""
