"""What every ``DocumentRegistry`` promises."""

from __future__ import annotations

from datetime import date

import pytest

from core.ports import DocumentRegistry
from tests.contracts.builders import a_document


class DocumentRegistryContract:
    """Subclasses give an empty ``registry``."""

    @pytest.fixture
    def stored(self, registry: DocumentRegistry) -> DocumentRegistry:
        registry.put([a_document("returns-1"), a_document("shipping-1")], actor="kim")
        return registry

    def test_a_version_comes_back_as_it_was_put(self, registry: DocumentRegistry) -> None:
        document = a_document(valid_from=date(2026, 1, 1), supersedes="returns-0", language="zh")
        registry.put([document], actor="kim")
        assert registry.get("returns-1") == document
        assert registry.get("returns-9") is None

    def test_putting_nothing_is_fine(self, registry: DocumentRegistry) -> None:
        registry.put([], actor="kim")
        assert registry.live(["returns-1"]) == {}

    def test_versions_of_a_source_come_oldest_first(self, registry: DocumentRegistry) -> None:
        new = a_document("returns-2", valid_from=date(2026, 1, 1), text="new")
        old = a_document("returns-1", valid_from=date(2024, 1, 1), text="old")
        registry.put([new, old], actor="kim")
        assert registry.versions_of("returns") == (old, new)
        assert registry.versions_of("nothing") == ()

    def test_a_version_counts_as_indexed_only_once_it_is_marked(
        self, stored: DocumentRegistry
    ) -> None:
        assert stored.hashes(["returns-1", "shipping-1"]) == {}
        stored.mark_indexed(["returns-1"], "v7")
        expected = {"returns-1": a_document("returns-1").content_hash}
        assert stored.hashes(["returns-1", "shipping-1", "nothing-1"]) == expected

    def test_a_version_put_again_must_be_indexed_again(self, stored: DocumentRegistry) -> None:
        stored.mark_indexed(["returns-1"], "v7")
        changed = a_document("returns-1", text="Returns within 45 days.")
        stored.put([changed], actor="kim")
        assert stored.hashes(["returns-1"]) == {}
        assert stored.get("returns-1") == changed

    def test_live_gives_what_is_stored(self, stored: DocumentRegistry) -> None:
        found = stored.live(iter(["returns-1", "returns-1", "nothing-1"]))
        assert found == {"returns-1": a_document("returns-1")}
        assert stored.live([]) == {}

    def test_live_follows_a_change_at_once(self, stored: DocumentRegistry) -> None:
        assert stored.live(["returns-1"])["returns-1"].governance.status == "active"
        changed = a_document("returns-1", status="superseded")
        stored.put([changed], actor="kim")
        assert stored.live(["returns-1"]) == {"returns-1": changed}

    def test_thousands_of_ids_can_be_asked_at_once(self, stored: DocumentRegistry) -> None:
        names = [f"other-{n}" for n in range(40_000)]
        assert list(stored.live([*names, "returns-1"])) == ["returns-1"]
        assert stored.hashes(names) == {}

    def test_clearing_an_unknown_quarantine_is_fine(self, registry: DocumentRegistry) -> None:
        registry.quarantine("athena", "a.pdf", "cannot be read", "save as text", actor="kim")
        registry.clear_quarantine("athena", "b.pdf")
        registry.clear_quarantine("athena", "a.pdf")
        registry.clear_quarantine("athena", "a.pdf")
