"""A ``DocumentRegistry`` in memory, with the same promises as the SQL one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.models.source import DocumentVersion, Governance, IngestFailure, StoredState


class MemoryRegistry:
    """Keeps versions, what is indexed, what is withdrawn and what is quarantined.

    ``events`` lists ``(actor, what, document_id)`` in order, so a test can see who did what.
    """

    def __init__(self) -> None:
        self._documents: dict[str, DocumentVersion] = {}
        self._indexed: dict[str, str] = {}
        self._withdrawn: set[str] = set()
        self._retired: set[str] = set()
        self._origins: dict[str, str] = {}
        self._revisions: dict[str, int] = {}
        self.quarantined: dict[tuple[str, str], IngestFailure] = {}
        self.events: list[tuple[str, str, str]] = []

    def get(self, document_id: str) -> DocumentVersion | None:
        return self._documents.get(document_id)

    def versions_of(self, source_id: str) -> tuple[DocumentVersion, ...]:
        found = [d for d in self._documents.values() if d.source_id == source_id]
        return tuple(sorted(found, key=_age))

    def lifetimes(self, source_ids: Iterable[str]) -> dict[str, dict[str, Governance]]:
        found: dict[str, dict[str, Governance]] = {}
        for name, document in self._documents.items():
            if name not in self._withdrawn and document.source_id in set(source_ids):
                found.setdefault(document.source_id, {})[name] = document.governance
        return found

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
            name = document.document_id
            if known is None or known.content_hash != document.content_hash:
                self._withdrawn.discard(name)
            if name in self._retired:
                self._retired.discard(name)
                self._withdrawn.discard(name)
            self._revisions[name] = self._revisions.get(name, 0) + 1
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

    def owners(self, document_ids: Iterable[str]) -> dict[str, tuple[str, str]]:
        known = (self._documents.get(name) for name in document_ids)
        return {d.document_id: (d.tenant_id, d.source_id) for d in known if d}

    def in_quarantine(self, tenant_id: str) -> frozenset[str]:
        return frozenset(path for tenant, path in self.quarantined if tenant == tenant_id)

    def withdrawn_among(self, document_ids: Iterable[str]) -> frozenset[str]:
        return frozenset(self._withdrawn & set(document_ids))

    def came_from(self, origins: Mapping[str, str]) -> None:
        self._origins.update({k: v for k, v in origins.items() if k in self._documents})

    def below(self, tenant_id: str, place: str) -> dict[str, str]:
        return {
            name: origin
            for name, origin in sorted(self._origins.items())
            if self._documents[name].tenant_id == tenant_id
            and name not in self._withdrawn
            and (origin == place or origin.startswith((place.rstrip("/") + "/", place + ":")))
        }

    def retire(self, document_ids: Sequence[str], *, reason: str, actor: str) -> None:
        for name in document_ids:
            if name in self._documents and name not in self._withdrawn:
                self._withdrawn.add(name)
                self._retired.add(name)
                self._indexed.pop(name, None)
                self._revisions[name] += 1
                self.events.append((actor, "retire", name))

    def stored(self) -> Iterable[DocumentVersion]:
        return [d for name, d in sorted(self._documents.items()) if name not in self._withdrawn]

    def states(self) -> tuple[StoredState, ...]:
        return tuple(
            StoredState(
                document_id=name,
                tenant_id=document.tenant_id,
                revision=self._revisions[name],
                withdrawn=name in self._withdrawn,
                indexed=name in self._indexed,
            )
            for name, document in sorted(self._documents.items())
        )

    def withdraw(self, document_id: str) -> None:
        """For tests: take a version out of ``live`` without touching the index."""
        self._withdrawn.add(document_id)
        self._revisions[document_id] += 1


def _age(document: DocumentVersion) -> tuple[str, str]:
    return str(document.governance.valid_from or ""), document.document_id
