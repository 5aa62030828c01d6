"""Documents whose files are gone are named, and withdrawn only when that is asked for."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from core.models.source import DocumentVersion
from tests.sources.builders import TENANT
from tests.sources.knowledge import Knowledge


@pytest.fixture
def knowledge() -> Knowledge:
    return Knowledge()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "kb"
    (made / "sub").mkdir(parents=True)
    (made / "coats.md").write_text("# Coats\n\nA coat may be returned within 30 days.")
    (made / "sub" / "cards.md").write_text("# Cards\n\nGift cards never expire.")
    return made


def test_a_deleted_file_is_reported_and_its_document_stays(
    knowledge: Knowledge, folder: Path
) -> None:
    knowledge.take(folder)
    (folder / "coats.md").unlink()
    report = knowledge.take(folder)
    assert (report.missing, report.withdrawn) == (("coats.md",), ())
    assert knowledge.found("coat returned") == ["coats.md"]


def test_with_prune_it_is_withdrawn_and_the_audit_names_who_did_it(
    knowledge: Knowledge, folder: Path
) -> None:
    knowledge.take(folder)
    (folder / "coats.md").unlink()
    report = knowledge.take(folder, prune=True)
    assert (report.missing, report.withdrawn) == (("coats.md",), ("coats.md",))
    assert knowledge.found("coat returned") == []
    assert knowledge.registry.live(["coats.md"]) == {}
    assert ("dana", "retire", "coats.md") in knowledge.registry.events
    again = knowledge.take(folder, prune=True)
    assert (again.missing, again.unchanged) == ((), 1)


def test_a_file_that_is_there_again_brings_its_document_back(
    knowledge: Knowledge, folder: Path
) -> None:
    text = (folder / "coats.md").read_text()
    knowledge.take(folder)
    (folder / "coats.md").unlink()
    knowledge.take(folder, prune=True)
    (folder / "coats.md").write_text(text)
    report = knowledge.take(folder)
    assert (report.documents, report.encoded, report.warnings) == (1, 0, ())
    assert knowledge.found("coat returned") == ["coats.md"]


def test_what_its_owner_withdrew_stays_withdrawn_whatever_happens_to_the_file(
    knowledge: Knowledge, folder: Path
) -> None:
    text = (folder / "coats.md").read_text()
    knowledge.take(folder)
    knowledge.registry.withdraw("coats.md")
    (folder / "coats.md").unlink()
    assert knowledge.take(folder, prune=True).missing == ()
    (folder / "coats.md").write_text(text)
    knowledge.take(folder)
    assert knowledge.registry.live(["coats.md"]) == {}


def test_only_what_came_from_the_paths_given_counts(knowledge: Knowledge, folder: Path) -> None:
    knowledge.take(folder)
    (folder / "coats.md").unlink()
    (folder / "sub" / "more.md").write_text("More about cards.")
    assert knowledge.take(folder / "sub" / "more.md", prune=True).missing == ()
    assert knowledge.take(folder, prune=True).withdrawn == ("coats.md",)


def test_a_row_that_is_gone_from_its_file_is_missing(knowledge: Knowledge, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    rows = [{"id": name, "text": f"Rule {name} about coats."} for name in ("a", "b", "c")]
    path.write_text("\n".join(json.dumps(row) for row in rows))
    knowledge.take(path)
    path.write_text("\n".join(json.dumps(row) for row in rows if row["id"] != "b"))
    assert knowledge.take(path, prune=True).withdrawn == ("b",)
    assert sorted(knowledge.found("rule coats")) == ["a", "c"]


def test_a_file_that_cannot_be_read_this_time_keeps_its_documents(
    knowledge: Knowledge, folder: Path, tmp_path: Path
) -> None:
    path = folder / "rows.jsonl"
    path.write_text('{"id": "a", "text": "Rule a."}\n{"id": "b", "text": "Rule b."}')
    knowledge.take(folder)
    path.write_text('{"id": "a", "text": "Rule a."}\n{"id": "b", "text": ')
    (folder / "coats.md").write_text("---\nvalid_from: soon\n---\nText.")
    report = knowledge.take(folder, prune=True)
    assert len(report.failed) == 2
    assert report.missing == ()


def test_a_folder_in_which_nothing_is_left_withdraws_nothing(
    knowledge: Knowledge, folder: Path
) -> None:
    knowledge.take(folder)
    for path in folder.rglob("*.md"):
        path.unlink()
    report = knowledge.take(folder, prune=True)
    assert report.missing == ()
    (warning,) = report.warnings
    assert "nothing was read there" in warning
    report = knowledge.take(folder / "not there", folder, prune=True)
    assert report.withdrawn == ()


def test_a_moved_folder_is_followed(knowledge: Knowledge, folder: Path) -> None:
    knowledge.take(folder)
    moved = folder.rename(folder.parent / "moved")
    assert knowledge.take(moved, prune=True).unchanged == 2
    (moved / "coats.md").unlink()
    assert knowledge.take(moved, prune=True).withdrawn == ("coats.md",)


def test_it_matters_not_from_where_a_path_is_named(
    knowledge: Knowledge, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    knowledge.take(Path("kb"))
    (folder / "coats.md").unlink()
    monkeypatch.chdir(folder / "sub")
    assert knowledge.take(Path(os.pardir), prune=True).withdrawn == ("coats.md",)


def test_another_tenant_loses_nothing(knowledge: Knowledge, folder: Path) -> None:
    knowledge.take(folder, tenant="acme")
    (folder / "coats.md").unlink()
    (folder / "sub" / "cards.md").rename(folder / "sub" / "other.md")
    report = knowledge.take(folder, tenant=TENANT, prune=True)
    assert report.missing == ()
    stored = knowledge.registry.get("coats.md")
    assert isinstance(stored, DocumentVersion)
    assert stored.tenant_id == "acme"
