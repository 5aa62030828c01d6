"""What every ``DocumentRegistry`` promises."""

from __future__ import annotations

from datetime import date

import pytest

from core.ports import DocumentRegistry
from core.sources.intake import IntakeRegistry
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

    def test_lifetimes_are_those_of_every_version_of_a_source_that_is_not_withdrawn(
        self, stored: IntakeRegistry
    ) -> None:
        new = a_document("returns-2", valid_from=date(2026, 1, 1), supersedes="returns-1")
        stored.put([new, a_document("returns-0")], actor="kim")
        stored.retire(["returns-0"], reason="gone", actor="kim")
        found = stored.lifetimes(["returns", "nothing"])
        assert {s: sorted(d) for s, d in found.items()} == {"returns": ["returns-1", "returns-2"]}
        assert found["returns"]["returns-2"] == new.governance
        assert stored.lifetimes([]) == {}

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

    def test_what_is_withdrawn_and_whose_an_id_is_can_be_asked(
        self, stored: IntakeRegistry
    ) -> None:
        stored.retire(["returns-1", "nothing-1"], reason="gone", actor="kim")
        asked = ["returns-1", "shipping-1", "nothing-1"]
        assert stored.withdrawn_among(asked) == {"returns-1"}
        assert stored.owners(asked)["shipping-1"] == ("athena", a_document("shipping-1").source_id)
        assert "nothing-1" not in stored.owners(asked)

    def test_versions_are_found_below_the_place_they_came_from(
        self, stored: IntakeRegistry
    ) -> None:
        places = {"returns-1": "/kb/a.md", "shipping-1": "/kb/rows.jsonl:7", "nothing-1": "/kb/x"}
        stored.came_from(places)
        assert stored.below("athena", "/kb") == {n: places[n] for n in ("returns-1", "shipping-1")}
        assert list(stored.below("athena", "/kb/rows.jsonl")) == ["shipping-1"]
        assert list(stored.below("athena", "/kb/a.md")) == ["returns-1"]
        assert list(stored.below("athena", "/")) == ["returns-1", "shipping-1"]
        for other in ("/k", "/kb/a", "/kb/rows", "/kb2"):
            assert stored.below("athena", other) == {}
        assert stored.below("acme", "/kb") == {}
        stored.came_from({"returns-1": "/elsewhere/a.md"})
        assert list(stored.below("athena", "/kb")) == ["shipping-1"]

    def test_a_retired_version_comes_back_with_the_same_content(
        self, stored: IntakeRegistry
    ) -> None:
        stored.mark_indexed(["returns-1"], "v7")
        stored.came_from({"returns-1": "/kb/a.md"})
        stored.retire(["returns-1"], reason="its file is gone", actor="kim")
        assert stored.live(["returns-1"]) == {}
        assert stored.hashes(["returns-1"]) == {}
        assert stored.below("athena", "/kb") == {}
        stored.put([a_document("returns-1")], actor="kim")
        assert stored.live(["returns-1"]) == {"returns-1": a_document("returns-1")}

    def test_states_tell_what_is_withdrawn_indexed_and_changed(
        self, stored: IntakeRegistry
    ) -> None:
        stored.mark_indexed(["returns-1", "shipping-1"], "v7")
        before = {state.document_id: state for state in stored.states()}
        stored.retire(["returns-1"], reason="gone", actor="kim")
        stored.put([a_document("shipping-1", text="Now free.")], actor="kim")
        after = {state.document_id: state for state in stored.states()}
        assert list(after) == ["returns-1", "shipping-1"]
        assert all(state.indexed and not state.withdrawn for state in before.values())
        assert (after["returns-1"].withdrawn, after["shipping-1"].withdrawn) == (True, False)
        assert not after["shipping-1"].indexed
        assert all(after[name].revision > before[name].revision for name in before)
        assert [document.document_id for document in stored.stored()] == ["shipping-1"]

    def test_clearing_an_unknown_quarantine_is_fine(self, registry: IntakeRegistry) -> None:
        registry.quarantine("athena", "a.pdf", "cannot be read", "save as text", actor="kim")
        assert registry.in_quarantine("athena") == {"a.pdf"}
        assert registry.in_quarantine("acme") == frozenset()
        registry.clear_quarantine("athena", "b.pdf")
        registry.clear_quarantine("athena", "a.pdf")
        registry.clear_quarantine("athena", "a.pdf")
