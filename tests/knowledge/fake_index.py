"""A passage index in memory, as far as owners' screens use one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from core.errors import Unavailable
from core.models.evidence import EvidenceCandidate
from core.models.plan import RetrievalPlan
from core.models.source import Passage


class FakeIndex:
    """Keeps passages by version. ``broken`` makes removal fail, ``leaky`` makes it leave one.

    ``away`` makes every write fail.
    """

    def __init__(self, *, broken: bool = False, leaky: bool = False) -> None:
        self.broken, self.leaky, self.away = broken, leaky, False
        self.stored: dict[str, tuple[Passage, ...]] = {}
        self._version = 0

    @contextmanager
    def writing(self) -> Iterator[None]:
        yield

    def prepare(self, passages: Sequence[Passage]) -> int:
        if self.away:
            raise Unavailable("the index is on holiday")
        return len(passages)

    def as_of(self, version: str) -> FakeIndex:
        raise NotImplementedError

    def search(self, plan: RetrievalPlan) -> tuple[EvidenceCandidate, ...]:
        raise NotImplementedError

    def replace_document(self, document_id: str, passages: Sequence[Passage]) -> None:
        self.replace_documents([(document_id, passages)])

    def replace_documents(self, batch: Sequence[tuple[str, Sequence[Passage]]]) -> None:
        if self.away:
            raise Unavailable("the index is on holiday")
        self._version += 1
        self.stored.update({name: tuple(passages) for name, passages in batch})

    def remove_document(self, document_id: str) -> int:
        if self.broken:
            raise Unavailable("the folder is gone")
        gone = self.stored.pop(document_id, ())
        if self.leaky and gone:
            self.stored[document_id] = gone[:1]
        return len(gone)

    def passages_of(self, document_id: str) -> tuple[EvidenceCandidate, ...]:
        return tuple(
            EvidenceCandidate(
                chunk_id=passage.chunk_id,
                source_id=passage.source_id,
                document_id=document_id,
                tenant_id=passage.tenant_id,
                text=passage.text,
                source_title=passage.title,
                heading_path=passage.heading_path,
                char_start=passage.char_start,
                char_end=passage.char_end,
                authority=passage.governance.authority,
                status=passage.governance.status,
            )
            for passage in self.stored.get(document_id, ())
        )

    def finish(self) -> None:
        return None

    def version(self) -> str:
        return str(self._version)

    def explain(self, plan: RetrievalPlan) -> str:
        raise NotImplementedError

    def count(self) -> int:
        return sum(len(passages) for passages in self.stored.values())
