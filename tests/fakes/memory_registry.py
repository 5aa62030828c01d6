"""A ``DocumentRegistry`` in memory, with the same promises as the SQL one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.models.source import DocumentVersion, IngestFailure


class MemoryRegistry:
    """Keeps versions, what is indexed, what is withdrawn and what is quarantined.

    ``events`` lists ``(actor, what, document_id)`` in order, so a test can see who did what.
    """

    def __init__(self) -> None:
        self._documents: dict[str, DocumentVersion] = {}
        self._indexed: dict[str, str] = {}
        self._withdrawn: set[str] = set()
        self.quarantined: dict[tuple[str, str], IngestFailure] = {}
        self.events: list[tuple[str, str, str]] = []

    def get(self, document_id: str) -> DocumentVersion | None:
        return self._documents.get(document_id)

    def versions_of(self, source_id: str) -> tuple[DocumentVersion, ...]:
        found = [d for d in self._documents.values() if d.source_id == source_id]
        return tuple(sorted(found, key=_age))

    def hashes(self, document_ids: Sequence[str]) -> dict[str, str]:
        return {
            name: self._documents[name].content_hash
            for name in document_ids
            if name in self._documents and name in self._indexed
        }

    def live(self, document_ids: Iterable[str]) -> dict[str, DocumentVersion]:
        return {
            name: self._documents[name]
            for name in document_ids
            if name in self._documents and name not in self._withdrawn
        }

    def put(self, documents: Sequence[DocumentVersion], *, actor: str) -> None:
        for document in documents:
            known = self._documents.get(document.document_id)
            if known is None or known.content_hash != document.content_hash:
                self._withdrawn.discard(document.document_id)
            self._documents[document.document_id] = document
            self._indexed.pop(document.document_id, None)
            self.events.append((actor, "put", document.document_id))

    def mark_indexed(self, document_ids: Sequence[str], index_version: str) -> None:
        for name in document_ids:
            self._indexed[name] = index_version

    def quarantine(
        self, tenant_id: str, path: str, reason: str, fix: str, *, actor: str, found: str = ""
    ) -> None:
        self.quarantined[(tenant_id, path)] = IngestFailure(path=path, reason=reason, fix=fix)
        self.events.append((actor, "quarantine", path))

    def clear_quarantine(self, tenant_id: str, path: str) -> None:
        self.quarantined.pop((tenant_id, path), None)

    def withdraw(self, document_id: str) -> None:
        """For tests: take a version out of ``live`` without touching the index."""
        self._withdrawn.add(document_id)


def _age(document: DocumentVersion) -> tuple[str, str]:
    return str(document.governance.valid_from or ""), document.document_id
