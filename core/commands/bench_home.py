"""A fresh Countersign for the bench, with the encoder that everybody in the run shares."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.models.evidence import EvidenceCandidate
from core.models.request import UserRequest
from core.models.source import IngestReport
from core.ports import Encoder, PassageIndex

if TYPE_CHECKING:
    from core.wiring import Office


def office_in(home: Path, like: Office, *, reranker: str | None = None) -> Office:
    """An office over another home, set as ``like`` is but for the reranker named."""
    from core.wiring import open_office  # slow import: see office_of

    changes: dict[str, Any] = {
        "home": home,
        "database_url": None,
        "model_cache": like.settings.model_folder,
    }
    if reranker is not None:
        changes["reranker"] = reranker
    return open_office(like.settings.model_copy(update=changes))


class BenchHome:
    """``core.evaluation.bench_systems.Home`` over an office of its own."""

    def __init__(self, folder: Path, like: Office, encoder: Encoder) -> None:
        self._folder, self._like, self._encoder = folder / "home", like, encoder
        self._office = self._opened(like.settings.reranker)

    @cached_property
    def index(self) -> PassageIndex:
        """Its passages."""
        return self._office.index

    @property
    def tenant(self) -> str:
        """Whose documents it takes in."""
        return self._office.settings.tenant

    def ingest(self, paths: Sequence[Path]) -> IngestReport:
        """Take files in."""
        return self._office.ingest(tuple(paths), tenant_id=self.tenant, actor="bench")

    def search(
        self, request: UserRequest, *, k: int, reranked: bool = False
    ) -> tuple[EvidenceCandidate, ...]:
        """What the product retrieves for a request, as set or with its local reranker."""
        office = self._with_reranker if reranked else self._office
        return office.search(request, k=k)

    @cached_property
    def _with_reranker(self) -> Office:
        return self._opened("gate")

    def _opened(self, reranker: str) -> Office:
        office = office_in(self._folder, self._like, reranker=reranker)
        # Into the place of the cached property: all systems of a run read one encoder.
        office.__dict__["encoder"] = self._encoder
        return office
