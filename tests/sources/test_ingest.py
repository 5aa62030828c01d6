"""Ingest is idempotent, whole or not at all, and heals after a crash at any point."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from core.errors import BadSource
from core.models.source import DocumentVersion, IngestProgress, Passage
from core.sources.clean import to_original
from tests.fakes.memory_index import MemoryIndex
from tests.fakes.memory_registry import MemoryRegistry
from tests.sources.builders import TENANT
from tests.sources.knowledge import Knowledge


@pytest.fixture
def knowledge() -> Knowledge:
    return Knowledge()


@pytest.fixture
def coats(tmp_path: Path) -> Path:
    path = tmp_path / "coats.md"
    path.write_text("# Coats\n\nA coat may be returned within 30 days.")
    return path


def rows(path: Path, *values: dict[str, Any]) -> Path:
    path.write_text("\n".join(json.dumps(value) for value in values))
    return path


def test_a_document_is_stored_and_found(knowledge: Knowledge, coats: Path) -> None:
    report = knowledge.take(coats)
    assert (report.documents, report.passages, report.unchanged, report.failed) == (1, 1, 0, ())
    assert knowledge.found("return a coat") == ["coats.md"]
    stored = knowledge.registry.get("coats.md")
    assert stored is not None
    assert (stored.tenant_id, stored.governance.owner, stored.title) == (TENANT, "dana", "Coats")


def test_the_way_back_to_the_original_is_stored(knowledge: Knowledge, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("---\nid: a\n---\n<!-- hush -->\nA **coat** comes back.")
    knowledge.take(path)
    stored = knowledge.registry.get("a")
    assert stored is not None
    assert stored.text == "A coat comes back."
    place = to_original(stored.span_map, stored.text.index("coat"))
    assert stored.original_text[place : place + 4] == "coat"


def test_taking_the_same_in_again_changes_nothing(knowledge: Knowledge, coats: Path) -> None:
    knowledge.take(coats)
    version = knowledge.index.version()
    again = knowledge.take(coats)
    assert (again.documents, again.unchanged) == (0, 1)
    assert knowledge.index.version() == version


def test_a_changed_text_or_right_replaces_the_version(knowledge: Knowledge, coats: Path) -> None:
    knowledge.take(coats)
    coats.write_text("# Coats\n\nA jacket may be returned within 45 days.")
    assert knowledge.take(coats).documents == 1
    assert knowledge.found("coat returned") == ["coats.md"]
    assert "jacket" in knowledge.index.passages_of("coats.md")[0].text
    coats.write_text("---\nacl: hr\n---\n# Coats\n\nA jacket may be returned within 45 days.")
    assert knowledge.take(coats).documents == 1
    assert knowledge.found("jacket") == []


def test_bad_documents_are_quarantined_and_the_rest_goes_on(
    knowledge: Knowledge, coats: Path
) -> None:
    bad = coats.parent / "bad.md"
    bad.write_text("---\nvalid_from: soon\n---\nText.")
    report = knowledge.take(coats.parent)
    assert (report.documents, [f.path for f in report.failed]) == (1, [str(bad)])
    assert (TENANT, str(bad)) in knowledge.registry.quarantined
    assert knowledge.registry.get("bad.md") is None
    bad.write_text("---\nvalid_from: 2026-01-01\n---\nText.")
    knowledge.take(coats.parent)
    assert knowledge.registry.quarantined == {}


def test_a_document_without_words_is_refused(knowledge: Knowledge, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("<!-- only hidden -->")
    (failure,) = knowledge.take(tmp_path).failed
    assert "no text" in failure.reason


def test_an_id_belongs_to_one_document(knowledge: Knowledge, tmp_path: Path) -> None:
    twice = rows(tmp_path / "a.jsonl", {"id": "x", "text": "One."}, {"id": "x", "text": "Two."})
    report = knowledge.take(twice)
    assert (report.documents, len(report.failed)) == (1, 1)
    assert f"{twice}:1" in report.failed[0].reason
    stored = knowledge.registry.get("x")
    assert stored is not None
    assert stored.text == "One."


def test_an_id_of_another_tenant_is_refused_and_says_nothing_of_it(
    knowledge: Knowledge, tmp_path: Path
) -> None:
    path = rows(tmp_path / "a.jsonl", {"id": "x", "text": "One."})
    knowledge.take(path, tenant="acme")
    (failure,) = knowledge.take(path).failed
    assert "acme" not in failure.reason + failure.fix
    stored = knowledge.registry.get("x")
    assert stored is not None
    assert stored.tenant_id == "acme"


def test_an_id_of_another_source_is_refused(knowledge: Knowledge, tmp_path: Path) -> None:
    knowledge.take(rows(tmp_path / "a.jsonl", {"id": "x", "source_id": "s", "text": "One."}))
    (failure,) = knowledge.take(rows(tmp_path / "b.jsonl", {"id": "x", "text": "Two."})).failed
    assert "'s'" in failure.reason


def test_versions_of_every_status_are_stored(knowledge: Knowledge, tmp_path: Path) -> None:
    path = rows(
        tmp_path / "a.jsonl",
        {"id": "v1", "source_id": "s", "text": "Coats: 30 days.", "status": "superseded"},
        {"id": "v2", "source_id": "s", "text": "Coats: 45 days."},
        {"id": "v3", "source_id": "s", "text": "Coats: 60 days.", "status": "draft"},
    )
    assert knowledge.take(path).documents == 3
    assert len(knowledge.registry.versions_of("s")) == 3
    assert knowledge.found("coats days") == ["v2"]


def test_replacing_an_active_version_is_said_and_not_done(
    knowledge: Knowledge, tmp_path: Path
) -> None:
    path = rows(
        tmp_path / "a.jsonl",
        {"id": "v1", "text": "Coats: 30 days."},
        {"id": "v2", "text": "Coats: 45 days.", "supersedes": "v1"},
    )
    (warning,) = knowledge.take(path).warnings
    assert "source supersede v1" in warning
    stored = knowledge.registry.get("v1")
    assert stored is not None
    assert stored.governance.status == "active"


def test_only_new_text_is_encoded(knowledge: Knowledge, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    sections = [f"# Part {n}\n\n{'Words about coats. ' * 40}Number {n}." for n in range(4)]
    path.write_text("\n\n".join(sections))
    first = knowledge.take(path)
    assert first.encoded == first.passages == 4
    sections[2] = sections[2].replace("Number 2.", "Number 22.")
    path.write_text("\n\n".join(sections))
    assert knowledge.take(path).encoded == 1
    assert "Number 22." in knowledge.index.encoded[-1]


@pytest.mark.parametrize("change", ["status: archived", "acl: hr", "last_reviewed: 2026-11-01"])
def test_a_change_of_metadata_encodes_nothing(
    knowledge: Knowledge, coats: Path, change: str
) -> None:
    knowledge.take(coats)
    coats.write_text(f"---\n{change}\n---\n{coats.read_text()}")
    report = knowledge.take(coats)
    assert (report.documents, report.passages, report.encoded) == (1, 1, 0)


def test_the_same_text_in_many_documents_is_encoded_once(
    knowledge: Knowledge, tmp_path: Path
) -> None:
    many = [{"id": f"d{n}", "title": "Rule", "text": "Coats come back."} for n in range(600)]
    report = knowledge.take(rows(tmp_path / "a.jsonl", *many))
    assert (report.passages, report.encoded, report.duplicates) == (600, 1, 599)


def test_what_another_process_stored_meanwhile_is_not_written_twice(
    knowledge: Knowledge, coats: Path
) -> None:
    class Late(MemoryRegistry):
        """Another process takes the same file in between reading and writing."""

        raced = False

        def hashes(self, document_ids: Sequence[str]) -> dict[str, str]:
            before = super().hashes(document_ids)
            if not self.raced:
                self.raced = True
                other = Knowledge()
                other.registry, other.index = self, knowledge.index
                other.take(coats)
            return before

    knowledge.registry = Late()
    report = knowledge.take(coats)
    assert (report.documents, report.unchanged) == (0, 1)
    assert knowledge.registry.events == [("dana", "put", "coats.md")]


def test_bad_metadata_is_quarantined_with_the_document_as_it_was_read(
    knowledge: Knowledge, tmp_path: Path
) -> None:
    kept: list[str] = []

    class Remembering(MemoryRegistry):
        def quarantine(self, *args: Any, found: str = "", **more: Any) -> None:
            kept.append(found)
            super().quarantine(*args, **more)

    knowledge.registry = Remembering()
    (tmp_path / "bad.md").write_text("---\nvalid_from: soon\n---\nCoats come back.")
    knowledge.take(tmp_path)
    assert json.loads(kept[0])["original"].endswith("Coats come back.")


class Crash(RuntimeError):
    """The process died here."""


class CrashingIndex(MemoryIndex):
    """Dies before or after it has written."""

    def __init__(self, after: bool) -> None:
        super().__init__()
        self.armed, self._after = True, after

    def replace_documents(self, batch: Sequence[tuple[str, Sequence[Passage]]]) -> None:
        if self._after or not self.armed:
            super().replace_documents(batch)
        if self.armed:
            raise Crash


class CrashingRegistry(MemoryRegistry):
    """Dies before or after it has stored, or before it marks what is indexed."""

    def __init__(self, where: str) -> None:
        super().__init__()
        self.armed, self._where = True, where

    def put(self, documents: Sequence[DocumentVersion], *, actor: str) -> None:
        if self.armed and self._where == "before":
            raise Crash
        super().put(documents, actor=actor)
        if self.armed and self._where == "after":
            raise Crash

    def mark_indexed(self, document_ids: Sequence[str], index_version: str) -> None:
        if self.armed and self._where == "mark":
            raise Crash
        super().mark_indexed(document_ids, index_version)


@pytest.mark.parametrize(
    "broken",
    [
        CrashingRegistry("before"),
        CrashingRegistry("after"),
        CrashingRegistry("mark"),
        CrashingIndex(after=False),
        CrashingIndex(after=True),
    ],
    ids=["before put", "after put", "before mark", "before index", "after index"],
)
def test_the_next_run_heals_a_crash_at_any_point(
    knowledge: Knowledge, coats: Path, broken: CrashingIndex | CrashingRegistry
) -> None:
    if isinstance(broken, MemoryIndex):
        knowledge.index = broken
    else:
        knowledge.registry = broken
    with pytest.raises(Crash):
        knowledge.take(coats)
    broken.armed = False
    assert knowledge.take(coats).documents == 1
    assert knowledge.found("coat returned") == ["coats.md"]
    assert knowledge.index.count() == 1
    assert knowledge.take(coats).unchanged == 1


def test_progress_tells_counts_and_the_last_item(knowledge: Knowledge, coats: Path) -> None:
    told: list[IngestProgress] = []
    (coats.parent / "bad.md").write_text("---\nvalid_from: soon\n---\nText.")
    knowledge.take(coats.parent, progress=told.append)
    assert [p.phase for p in told[-2:]] == ["finishing", "done"]
    assert (told[-1].documents, told[-1].total, told[-1].failed) == (2, 2, 1)
    assert (told[-1].passages, told[-1].encoded, told[-1].seconds_left) == (1, 1, 0.0)
    assert {Path(p.item).name for p in told} == {"bad.md", "coats.md"}
    assert [p.documents for p in told] == sorted(p.documents for p in told)


def test_many_documents_are_written_in_batches(knowledge: Knowledge, tmp_path: Path) -> None:
    many = [{"id": f"d{n}", "text": f"Rule {n} about coats."} for n in range(600)]
    report = knowledge.take(rows(tmp_path / "a.jsonl", *many))
    assert (report.documents, knowledge.index.count()) == (600, 600)
    assert knowledge.index.version() == "3"


def test_a_withdrawn_version_is_not_brought_back_by_taking_it_in_again(
    knowledge: Knowledge, coats: Path
) -> None:
    knowledge.take(coats)
    knowledge.registry.withdraw("coats.md")
    knowledge.index.remove_document("coats.md")
    assert knowledge.take(coats).unchanged == 1
    stored = knowledge.registry.get("coats.md")
    assert stored is not None
    knowledge.registry.put([stored], actor="dana")  # as a crash would leave it: not indexed
    (warning,) = knowledge.take(coats).warnings
    assert "withdrawn and stays so" in warning
    assert knowledge.index.count() == 0


class PickyRegistry(MemoryRegistry):
    """Refuses a batch that holds a certain id, as the database does for a foreign source."""

    def put(self, documents: Sequence[DocumentVersion], *, actor: str) -> None:
        if any(document.document_id == "bad" for document in documents):
            raise BadSource("bad", "this id cannot be used", "rename it")
        super().put(documents, actor=actor)


def test_what_the_registry_refuses_fails_alone(knowledge: Knowledge, tmp_path: Path) -> None:
    knowledge.registry = PickyRegistry()
    path = rows(tmp_path / "a.jsonl", *({"id": n, "text": "Coats."} for n in ("a", "bad", "c")))
    report = knowledge.take(path)
    assert report.documents == 2
    assert [(f.path, f.fix) for f in report.failed] == [(f"{path}:2", "rename it")]
    assert sorted(knowledge.found("coats")) == ["a", "c"]


@pytest.mark.parametrize("name", ["a\u0007b", "a\nb", "x" * 501, "\ud800"])
def test_ids_that_cannot_be_printed_are_refused(
    knowledge: Knowledge, tmp_path: Path, name: str
) -> None:
    (failure,) = knowledge.take(rows(tmp_path / "a.jsonl", {"id": name, "text": "Coats."})).failed
    assert "printed" in failure.reason


def test_characters_that_no_store_keeps_are_dropped(knowledge: Knowledge, tmp_path: Path) -> None:
    text = "A coat\0 comes back" + " and so on" * 10 + "\ud800."
    knowledge.take(rows(tmp_path / "a.jsonl", {"id": "a", "text": text}))
    stored = knowledge.registry.get("a")
    assert stored is not None
    assert stored.text == "A coat comes back" + " and so on" * 10 + "."
    assert stored.original_text.encode()
