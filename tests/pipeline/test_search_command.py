"""``countersign search``: reasons, neighbours and copies, as scripts and people read them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core.cli import main
from core.wiring import Office

Run = Callable[..., str]


@pytest.fixture
def run(office: Office, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COUNTERSIGN_MODEL_CACHE", str(office.settings.model_folder))

    def call(*words: str) -> str:
        capsys.readouterr()
        assert main(["--home", str(office.settings.home), *words]) == 0
        return capsys.readouterr().out

    return call


def test_each_result_tells_why_and_with_neighbours_what_stands_beside_it(run: Run) -> None:
    asked = ("search", "How long can I return a holiday gift?", "--as", "ana", "-k", "2")
    plain = json.loads(run(*asked, "--json"))["results"]
    assert all("neighbours" not in result for result in plain)
    assert all(result["why"]["matched"] for result in plain)
    results = json.loads(run(*asked, "--neighbours", "1", "--json"))["results"]
    assert all(set(result["neighbours"]) == {"before", "after"} for result in results)
    assert any(result["neighbours"]["after"] for result in results)
    text = run(*asked, "--neighbours", "1")
    assert "why: no. 1 by words" in text
    assert "    ↓ " in text


def test_documents_with_the_same_text_follow_the_one_that_is_shown(
    run: Run, tmp_path: Path
) -> None:
    text = "Zeppelins may be moored on the roof terrace until nine in the evening."
    rows = [
        {"id": "copy-a", "title": "Roof", "text": text},
        {"id": "copy-b", "title": "Terrace", "text": text},
    ]
    source = tmp_path / "rows.jsonl"
    source.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    run("ingest", str(source))
    batch = tmp_path / "q.jsonl"
    batch.write_text('{"id": 1, "query": "When may zeppelins be moored?"}\n', encoding="utf-8")
    found = json.loads(run("search", "--batch", str(batch)))
    assert sorted(found["document_ids"][:2]) == ["copy-a", "copy-b"]
    assert len([c for c in found["chunk_ids"] if c.startswith("copy-")]) == 1


def test_a_follow_up_in_a_batch_is_read_with_its_history(run: Run, tmp_path: Path) -> None:
    batch = tmp_path / "q.jsonl"
    row = {"id": 1, "query": "And custom amounts?", "history": ["Do gift cards expire?", "No."]}
    batch.write_text(json.dumps(row), encoding="utf-8")
    found = json.loads(run("search", "--batch", str(batch), "-k", "3"))
    assert "gift-card" in found["document_ids"][0]
