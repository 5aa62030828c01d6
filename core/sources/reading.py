"""Files as versions: read, hashed, compared with what is stored, and cut where they are new."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from core.errors import BadSource
from core.models.source import DocumentVersion, IngestFailure, Passage
from core.ports import Clock, TokenCounter
from core.sources.chunk import chunk
from core.sources.documents import Found, FoundDocument, Warned
from core.sources.governance import GovernanceRules
from core.sources.instructions import find_in, warnings_of
from core.sources.intake import IntakeRegistry
from core.sources.load import load
from core.sources.version import to_version

_LOOKED_UP_TOGETHER = 32


class _Stored(NamedTuple):
    """What is stored of a group of documents: hashes, and tenant and source, by id."""

    hashes: dict[str, str]
    owners: dict[str, tuple[str, str]]


class Read(NamedTuple):
    """What became of one thing found. ``passages`` is ``None`` for a version stored already.

    ``repairable`` is the document as JSON when only its metadata is bad.
    """

    item: str
    found: DocumentVersion | IngestFailure | Warned | BadSource
    document_id: str = ""
    passages: tuple[Passage, ...] | None = None
    warnings: tuple[str, ...] = ()
    repairable: str = ""

    @property
    def counts(self) -> int:
        """1 for a document or a failure, 0 for a mere warning."""
        return 0 if isinstance(self.found, Warned) else 1


class Reading:
    """Reads everything under ``paths``; writes nothing, so it may run ahead on a thread."""

    def __init__(
        self,
        paths: Sequence[Path],
        tenant_id: str,
        actor: str,
        registry: IntakeRegistry,
        clock: Clock,
        tokens: TokenCounter | None,
        max_bytes: int,
        rules: GovernanceRules | None = None,
    ) -> None:
        self._rules = rules
        self._paths, self._max_bytes = paths, max_bytes
        self._tenant_id, self._actor = tenant_id, actor
        self._registry, self._clock, self._tokens = registry, clock, tokens

    def documents(self) -> Iterator[Read]:
        """Everything found, in a stable order."""
        for group in _groups(load(self._paths, max_bytes=self._max_bytes)):
            names = [thing.document_id for thing in group if isinstance(thing, FoundDocument)]
            stored = _Stored(self._registry.hashes(names), self._registry.owners(names))
            for thing in group:
                yield self._read(thing, stored)

    def _read(self, thing: Found, stored: _Stored) -> Read:
        if isinstance(thing, IngestFailure):
            return Read(thing.path, thing)
        if isinstance(thing, Warned):
            return Read(thing.item, thing)
        try:
            version, warnings = to_version(
                thing,
                tenant_id=self._tenant_id,
                actor=self._actor,
                clock=self._clock,
                rules=self._rules,
            )
        except BadSource as error:
            as_read = thing.model_dump_json(exclude={"cleaned"})
            return Read(thing.item, error, thing.document_id, repairable=as_read)
        if stored.hashes.get(version.document_id) == version.content_hash:
            return Read(thing.item, version, version.document_id, None, warnings)
        if refusal := _refusal(thing.item, version, stored):
            return Read(thing.item, refusal, version.document_id)
        passages = chunk(version, self._tokens)
        warnings += warnings_of(find_in(version))
        return Read(thing.item, version, version.document_id, passages, warnings)


def _refusal(item: str, version: DocumentVersion, stored: _Stored) -> BadSource | None:
    """An id that another tenant or source has is theirs."""
    name = version.document_id
    tenant_id, source_id = stored.owners.get(name, (version.tenant_id, version.source_id))
    if tenant_id != version.tenant_id:
        return BadSource(item, f"the id {name!r} is taken", "choose another id")
    if source_id != version.source_id:
        return BadSource(
            item,
            f"the id {name!r} is already a version of source {source_id!r}",
            "choose another id, or give the same source_id",
        )
    return None


def _groups(things: Iterable[Found]) -> Iterator[list[Found]]:
    rest = iter(things)
    while group := list(islice(rest, _LOOKED_UP_TOGETHER)):
        yield group
