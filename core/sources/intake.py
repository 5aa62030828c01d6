"""What ingest and index upkeep need of registry and index beside what retrieval uses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from core.models.source import DocumentVersion, Passage, StoredState
from core.ports import DocumentRegistry, PassageIndex


class IntakeIndex(PassageIndex, Protocol):
    """The index with what writing to it takes."""

    def writing(self) -> AbstractContextManager[None]:
        """One writer at a time, among all processes; holding it twice in a thread is fine.

        Raises ``TryAgainLater`` when the other writer takes too long.
        """
        ...

    def prepare(self, passages: Sequence[Passage]) -> int:
        """Have vectors at hand so that replacing is quick; returns how many had to be computed.

        Text that is in the index already, in whatever document, keeps the vector it has.
        """
        ...


class IntakeRegistry(DocumentRegistry, Protocol):
    """The registry with what is known of where documents came from."""

    def owners(self, document_ids: Iterable[str]) -> dict[str, tuple[str, str]]:
        """Tenant and source of those ids that are stored."""
        ...

    def in_quarantine(self, tenant_id: str) -> frozenset[str]:
        """Paths of the tenant's files and rows that could not be taken in."""
        ...

    def withdrawn_among(self, document_ids: Iterable[str]) -> frozenset[str]:
        """Those of the ids that are stored and withdrawn."""
        ...

    def came_from(self, origins: Mapping[str, str]) -> None:
        """Remember the absolute path (of the file, or file and row) each version was read from."""
        ...

    def below(self, tenant_id: str, place: str) -> dict[str, str]:
        """Versions read from the absolute path ``place`` or below it that are not withdrawn, with
        the path of each.
        """
        ...

    def retire(self, document_ids: Sequence[str], *, reason: str, actor: str) -> None:
        """Withdraw versions whose file is gone, with an audit event each.

        The same content put again brings them back; what an owner withdrew it does not.
        """
        ...

    def stored(self) -> Iterable[DocumentVersion]:
        """Every version of every tenant that is not withdrawn, by id."""
        ...

    def states(self) -> tuple[StoredState, ...]:
        """Every version of every tenant, withdrawn or not, by id."""
        ...
