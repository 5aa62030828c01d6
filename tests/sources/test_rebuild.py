"""An index is built anew from the stored documents, and takes over when it is whole."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from core.models.source import DocumentVersion, IngestProgress
from core.sources.rebuild import rebuild
from tests.fakes.memory_index import MemoryIndex
from tests.fakes.memory_registry import MemoryRegistry
from tests.sources.knowledge import Knowledge


class Beside(MemoryIndex):
    """Remembers whether it took over, and with how many passages."""

    took_over_with = -1

    def fold(self) -> int:
        return 0

    def take_over(self) -> None:
        self.took_over_with = self.count()


@pytest.fixture
def knowledge(tmp_path: Path) -> Knowledge:
    made = Knowledge()
    for name in ("coats", "cards", "shoes"):
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\nA rule about {name} and returns.")
    made.take(tmp_path)
    return made


def test_the_new_index_holds_every_stored_document(knowledge: Knowledge) -> None:
    fresh = Beside()
    told: list[IngestProgress] = []
    knowledge.registry.withdraw("shoes.md")
    assert rebuild(registry=knowledge.registry, index=fresh, progress=told.append) == 2
    assert fresh.took_over_with == 2
    assert (told[-1].phase, told[-1].documents, told[-1].total) == ("done", 2, 2)


def test_what_was_taken_in_half_counts_as_indexed_once_it_took_over(knowledge: Knowledge) -> None:
    half = knowledge.registry.get("coats.md")
    assert half is not None
    knowledge.registry.put([half], actor="dana")
    rebuild(registry=knowledge.registry, index=Beside())
    assert list(knowledge.registry.hashes(["coats.md"])) == ["coats.md"]


def test_nothing_counts_as_indexed_before_it_took_over(knowledge: Knowledge) -> None:
    class Broken(Beside):
        def take_over(self) -> None:
            raise RuntimeError("killed")

    half = knowledge.registry.get("coats.md")
    assert half is not None
    knowledge.registry.put([half], actor="dana")
    with pytest.raises(RuntimeError, match="killed"):
        rebuild(registry=knowledge.registry, index=Broken())
    assert knowledge.registry.hashes(["coats.md"]) == {}


def test_changes_made_meanwhile_are_in_the_new_index(knowledge: Knowledge, tmp_path: Path) -> None:
    class Busy(MemoryRegistry):
        """Somebody changes documents while they are being read."""

        def stored(self) -> Iterable[DocumentVersion]:
            yield from list(super().stored())
            if "shoes.md" not in self._withdrawn:
                self.withdraw("shoes.md")
                (tmp_path / "coats.md").write_text("# coats\n\nA rule about parkas.")
                knowledge.take(tmp_path / "coats.md")

    busy = Busy()
    busy.__dict__.update(knowledge.registry.__dict__)
    knowledge.registry = busy
    fresh = Beside()
    assert rebuild(registry=busy, index=fresh) == 2
    assert fresh.passages_of("shoes.md") == ()
    assert "parkas" in fresh.passages_of("coats.md")[0].text
