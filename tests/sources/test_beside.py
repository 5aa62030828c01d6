"""Governance beside the files: the nearest word holds, and a bad one holds its files back."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from core.models.source import Governance, IngestFailure
from core.sources.documents import Found, FoundDocument, Warned
from core.sources.load import load
from core.sources.parse import Parser
from core.sources.version import to_version
from tests.fakes.fixed_clock import FixedClock


def read(*paths: Path) -> list[Found]:
    with Parser(isolated=False) as parser:
        return list(load(paths, parser=parser))


def documents(*paths: Path) -> list[FoundDocument]:
    return [found for found in read(*paths) if isinstance(found, FoundDocument)]


def failures(*paths: Path) -> list[IngestFailure]:
    return [found for found in read(*paths) if isinstance(found, IngestFailure)]


def governance(*paths: Path) -> Governance:
    (found,) = documents(*paths)
    version, _ = to_version(found, tenant_id="t", actor="actor", clock=FixedClock())
    return version.governance


def files(root: Path, **texts: str) -> Path:
    """Files by name; ``__`` stands for a slash and a name's last ``_`` for its dot."""
    for name, text in texts.items():
        stem, _, suffix = name.replace("__", "/").rpartition("_")
        path = root / f"{stem}.{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def manifest(folder: Path, text: str, name: str = "_collection.yaml") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)
    return folder


def test_a_sidecar_governs_and_names_a_file_that_cannot_speak_for_itself(tmp_path: Path) -> None:
    files(tmp_path, fees_txt="A return is free.")
    (tmp_path / "fees.txt.meta.yaml").write_text(
        "id: fees-v2\nsource: fees\ntitle: Fees of 2026\nowner: dana\nvalid_from: 2026-01-01\n"
    )
    (found,) = documents(tmp_path)
    assert (found.document_id, found.source_id, found.title) == ("fees-v2", "fees", "Fees of 2026")
    said = governance(tmp_path / "fees.txt")
    assert (said.owner, str(said.valid_from)) == ("dana", "2026-01-01")


def test_the_nearest_word_holds(tmp_path: Path) -> None:
    manifest(tmp_path, "owner: collection\nregion: EU\nproduct: all\ndepartment: sales\n")
    manifest(tmp_path / "hr", "region: UK\nproduct: coats\ndepartment: hr\n")
    files(tmp_path, hr__a_md="---\ndepartment: claims\n---\nA return is free.")
    (tmp_path / "hr/a.md.meta.yaml").write_text("product: parkas\ndepartment: legal\n")
    said = governance(tmp_path)
    assert (said.department, said.product, said.region, said.owner) == (
        "claims",
        "parkas",
        "UK",
        "collection",
    )


def test_who_says_one_word_on_access_says_all_of_it(tmp_path: Path) -> None:
    manifest(tmp_path, "classification: confidential\npermission_tag: CONFIDENTIAL_DEPT_HR\n")
    files(tmp_path, a_md="---\npermission_tag: INTERNAL_ONLY\n---\nText.", b_md="Text.")
    a, b = (governance(tmp_path / name) for name in ("a.md", "b.md"))
    assert (a.classification, a.permission_tag) == ("internal", "INTERNAL_ONLY")
    assert (b.classification, b.permission_tag) == ("confidential", "CONFIDENTIAL_DEPT_HR")


def test_manifests_above_what_is_given_hold_too(tmp_path: Path) -> None:
    manifest(tmp_path, "classification: confidential\n")
    files(tmp_path, hr__a_md="Text.")
    for path in (tmp_path / "hr" / "a.md", tmp_path / "hr"):
        assert governance(path).classification == "confidential"


def test_a_link_is_governed_where_it_leads(tmp_path: Path) -> None:
    manifest(tmp_path / "kb" / "hr", "classification: confidential\n")
    files(tmp_path, kb__hr__a_md="Text.")
    (tmp_path / "kb" / "open.md").symlink_to(tmp_path / "kb" / "hr" / "a.md")
    assert governance(tmp_path / "kb" / "open.md").classification == "confidential"


def test_rows_are_governed_by_their_own_word_first(tmp_path: Path) -> None:
    manifest(tmp_path, "owner: dana\nregion: EU\n")
    files(tmp_path, rows_jsonl='{"id": "a", "text": "x", "region": "UK", "owner": null}')
    (found,) = documents(tmp_path)
    assert found.fields == {"owner": "dana", "region": "UK"}


def test_a_sidecar_cannot_name_the_many_documents_of_a_file_of_rows(tmp_path: Path) -> None:
    files(tmp_path, rows_jsonl='{"id": "a", "text": "x"}')
    (tmp_path / "rows.jsonl.meta.yaml").write_text("id: b\n")
    (failure,) = failures(tmp_path)
    assert "holds many" in failure.reason


def test_sidecars_and_manifests_are_no_documents(tmp_path: Path) -> None:
    manifest(tmp_path, "owner: dana\n")
    files(tmp_path, a_md="Text.")
    (tmp_path / "a.md.meta.yaml").write_text("region: EU\n")
    (tmp_path / "gone.md.meta.yaml").write_text("region: EU\n")
    found = read(tmp_path)
    assert [f.document_id for f in found if isinstance(f, FoundDocument)] == ["a.md"]
    assert [f.message for f in found if isinstance(f, Warned)] == [
        "there is no file gone.md beside it"
    ]
    (failure,) = failures(tmp_path / "_collection.yaml")
    assert "describes other files" in failure.reason


BAD: list[tuple[str, str, str]] = [
    ("owner: [a\n", "not valid YAML (line", "quotes"),
    ("- a\n- b\n", "not a list of", "key: value"),
    ("clasification: internal\n", "'clasification'", "'classification'"),
    ("colour: red\n", "'colour'", "owner"),
    ("title: All of these\n", "'title'", "owner"),
    ("classification: top\n", "classification", "public"),
    ("valid_from: soon\n", "'soon'", "YYYY-MM-DD"),
    ("owner: &a x\nregion: *a\n", "alias", ""),
    ("x: " + "y" * 70_000, "longer than", "governance"),
]


@pytest.mark.parametrize(("text", "reason", "fix"), BAD)
def test_a_bad_manifest_is_named_once_and_holds_back_all_below_it(
    tmp_path: Path, text: str, reason: str, fix: str
) -> None:
    manifest(tmp_path / "hr", text)
    files(tmp_path, a_md="Fine.", hr__b_md="Held.", hr__deep__c_md="Held.")
    assert [d.document_id for d in documents(tmp_path)] == ["a.md"]
    named, *held = failures(tmp_path)
    assert named.path.endswith("_collection.yaml")
    assert reason in named.reason
    assert fix in named.fix
    assert [Path(f.path).name for f in held] == ["b.md", "c.md"]
    assert all("held back" in f.reason and "hr/_collection.yaml" in f.reason for f in held)


def _two(folder: Path) -> None:
    (folder / "_collection.yml").write_text("owner: x\n")


def _latin(folder: Path) -> None:
    (folder / "_collection.yaml").write_bytes(b"owner: \xff\n")


def _pipe(folder: Path) -> None:
    (folder / "_collection.yaml").unlink()
    os.mkfifo(folder / "_collection.yaml")


def _folder(folder: Path) -> None:
    (folder / "_collection.yaml").unlink()
    (folder / "_collection.yaml").mkdir()


def _dead_link(folder: Path) -> None:
    (folder / "_collection.yaml").unlink()
    (folder / "_collection.yaml").symlink_to("/nowhere")


@pytest.mark.parametrize("spoil", [_two, _latin, _pipe, _folder, _dead_link])
def test_a_manifest_that_is_there_but_cannot_be_read_is_not_passed_by(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    spoil(manifest(tmp_path, "owner: dana\n"))
    files(tmp_path, a_md="Text.")
    assert documents(tmp_path) == []
    assert len(failures(tmp_path)) == 2


def test_a_bad_sidecar_holds_back_its_file_alone(tmp_path: Path) -> None:
    files(tmp_path, a_md="Held.", b_md="Fine.")
    (tmp_path / "a.md.meta.yaml").write_text("permision_tag: INTERNAL_ONLY\n")
    assert [d.document_id for d in documents(tmp_path)] == ["b.md"]
    (failure,) = failures(tmp_path)
    assert failure.path.endswith("a.md")
    assert "a.md.meta.yaml" in failure.reason
    assert "permission_tag" in failure.fix
