"""Files as versions: read, hashed, compared with what is stored, and cut where they are new."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from core.errors import BadSource
from core.models.source import DocumentVersion, IngestFailure, Passage
from core.ports import Clock, DocumentRegistry, TokenCounter
from core.sources.chunk import chunk
from core.sources.documents import Found, FoundDocument, Warned
from core.sources.load import load
from core.sources.version import to_version

_LOOKED_UP_TOGETHER = 32


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
        registry: DocumentRegistry,
        clock: Clock,
        tokens: TokenCounter | None,
        max_bytes: int,
    ) -> None:
        self._paths, self._max_bytes = paths, max_bytes
        self._tenant_id, self._actor = tenant_id, actor
        self._registry, self._clock, self._tokens = registry, clock, tokens

    def documents(self) -> Iterator[Read]:
        """Everything found, in a stable order."""
        for group in _groups(load(self._paths, max_bytes=self._max_bytes)):
            names = [thing.document_id for thing in group if isinstance(thing, FoundDocument)]
            stored = self._registry.hashes(names) if names else {}
            for thing in group:
                yield self._read(thing, stored)

    def _read(self, thing: Found, stored: Mapping[str, str]) -> Read:
        if isinstance(thing, IngestFailure):
            return Read(thing.path, thing)
        if isinstance(thing, Warned):
            return Read(thing.item, thing)
        try:
            version, warnings = to_version(
                thing, tenant_id=self._tenant_id, actor=self._actor, clock=self._clock
            )
        except BadSource as error:
            as_read = thing.model_dump_json(exclude={"cleaned"})
            return Read(thing.item, error, thing.document_id, repairable=as_read)
        known = stored.get(version.document_id) == version.content_hash
        passages = None if known else chunk(version, self._tokens)
        return Read(thing.item, version, version.document_id, passages, warnings)


def _groups(things: Iterable[Found]) -> Iterator[list[Found]]:
    rest = iter(things)
    while group := list(islice(rest, _LOOKED_UP_TOGETHER)):
        yield group
