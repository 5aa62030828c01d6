"""A ``PassageIndex`` in memory that keeps the contract: filters first, then ranking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date

from core.errors import BadInput, NotFound
from core.models.evidence import EvidenceCandidate
from core.models.plan import RetrievalFilters, RetrievalPlan
from core.models.source import Passage
from core.text.tokens import content_words

_PRESENT = {"active"}
_PAST = {"active", "superseded", "archived"}


class MemoryIndex:
    """Ranks by shared content words. Both ranks are filled with the same order."""

    def __init__(self) -> None:
        self._passages: dict[str, tuple[Passage, ...]] = {}
        self._version = 0
        self._past: dict[str, dict[str, tuple[Passage, ...]]] = {"0": {}}
        self._read_only = False
        self._texts: set[str] = set()
        self.encoded: list[str] = []
        """Texts that ``prepare`` or a replacement had to encode, in order."""

    @contextmanager
    def writing(self) -> Iterator[None]:
        if self._read_only:
            raise BadInput("a past version can be searched, not changed")
        yield

    def prepare(self, passages: Sequence[Passage]) -> int:
        new = dict.fromkeys(f"{p.context}\n{p.text}" for p in passages)
        fresh = [text for text in new if text not in self._texts]
        self._texts.update(fresh)
        self.encoded += fresh
        return len(fresh)

    def as_of(self, version: str) -> MemoryIndex:
        if not version.isdecimal():
            raise BadInput(f"{version!r} is no index version")
        if version not in self._past:
            raise NotFound(f"index version {version} is not kept any more")
        view = MemoryIndex()
        view._passages, view._version = dict(self._past[version]), int(version)
        view._read_only = True
        return view

    def forget(self, version: str) -> None:
        """For tests: clean a past version away."""
        del self._past[version]

    def search(self, plan: RetrievalPlan) -> tuple[EvidenceCandidate, ...]:
        wanted = set(content_words(plan.query))
        if plan.mode == "none" or not wanted:
            return ()
        found = [
            (len(wanted & set(content_words(f"{p.context} {p.text}"))) / len(wanted), p)
            for group in self._passages.values()
            for p in group
            if allows(plan.filters, p)
        ]
        best = sorted((pair for pair in found if pair[0]), key=lambda x: (-x[0], x[1].chunk_id))
        return tuple(
            candidate(passage, rank=rank, score=score)
            for rank, (score, passage) in enumerate(best[: plan.top_k], start=1)
        )

    def replace_document(self, document_id: str, passages: Sequence[Passage]) -> None:
        self.replace_documents([(document_id, passages)])

    def replace_documents(self, batch: Sequence[tuple[str, Sequence[Passage]]]) -> None:
        for document_id, passages in batch:
            if any(p.document_id != document_id for p in passages):
                raise ValueError("passages of another document")
        with self.writing():
            for document_id, passages in batch:
                self.prepare(passages)
                self._passages[document_id] = tuple(passages)
            self._keep()

    def remove_document(self, document_id: str) -> int:
        with self.writing():
            gone = len(self._passages.pop(document_id, ()))
            self._keep()
            return gone

    def _keep(self) -> None:
        self._version += 1
        self._past[str(self._version)] = dict(self._passages)

    def passages_of(self, document_id: str) -> tuple[EvidenceCandidate, ...]:
        ordered = sorted(self._passages.get(document_id, ()), key=lambda p: p.ordinal)
        return tuple(candidate(p, rank=rank) for rank, p in enumerate(ordered, start=1))

    def finish(self) -> None:
        return None

    def version(self) -> str:
        return str(self._version)

    def explain(self, plan: RetrievalPlan) -> str:
        return repr(plan.filters)

    def counts(self) -> dict[str, int]:
        """For tests: how many passages each document has."""
        return {name: len(group) for name, group in self._passages.items() if group}

    def count(self) -> int:
        return sum(len(group) for group in self._passages.values())


def allows(filters: RetrievalFilters, passage: Passage) -> bool:
    """The filter as plain Python, written apart from the real one on purpose."""
    governance = passage.governance
    return (
        passage.tenant_id == filters.tenant_id
        and governance.acl_policy_id in filters.acl_policy_ids
        and governance.classification in filters.classifications
        and (not filters.source_types or governance.source_type in filters.source_types)
        and governance.status in (_PAST if filters.include_past_versions else _PRESENT)
        and (governance.valid_from or date.min) <= filters.valid_on
        and filters.valid_on < (governance.valid_to or date.max)
    )


def candidate(passage: Passage, *, rank: int = 0, score: float = 0.0) -> EvidenceCandidate:
    """The evidence a passage becomes."""
    shared = set(EvidenceCandidate.model_fields)
    same = passage.model_dump(include=shared) | passage.governance.model_dump(include=shared)
    return EvidenceCandidate.model_validate(
        same
        | {
            "source_title": passage.title,
            "source_uri": passage.governance.uri,
            "rank": rank,
            "score": score,
            "lexical_rank": rank if score else None,
            "vector_rank": rank if score else None,
            "metadata": {"kind": passage.kind, "context": passage.context},
        }
    )
