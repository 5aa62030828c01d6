"""A fresh Countersign for the bench, with the encoder that everybody in the run shares."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from core.models.evidence import EvidenceCandidate
from core.models.request import UserRequest
from core.models.source import IngestReport
from core.ports import Encoder, PassageIndex
from core.settings import Settings

if TYPE_CHECKING:
    from core.wiring import Office


def office_in(home: Path, like: Office) -> Office:
    """An office over another home, with the model and the ways of searching of ``like``."""
    from core.wiring import open_office  # slow import: see office_of

    other = like.settings.model_copy(
        update={"home": home, "database_url": None, "model_cache": like.settings.model_folder}
    )
    return open_office(Settings.model_validate(other.model_dump()))


class BenchHome:
    """``core.evaluation.bench_systems.Home`` over an office of its own."""

    def __init__(self, folder: Path, like: Office, encoder: Encoder) -> None:
        self._office = office_in(folder / "home", like)
        # Into the place of the cached property: all systems of a run read one encoder.
        self._office.__dict__["encoder"] = encoder

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

    def search(self, request: UserRequest, *, k: int) -> tuple[EvidenceCandidate, ...]:
        """What the product retrieves for a request."""
        return self._office.search(request, k=k)
