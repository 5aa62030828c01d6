"""The command line is a contract: keys, order, exit codes, and errors that name the item."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.cli import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(
    home: Path,
    model_cache: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Run:
    """Runs a command on a copy of the demo company; returns exit code, stdout and stderr."""
    monkeypatch.setenv("COUNTERSIGN_MODEL_CACHE", str(model_cache))
    monkeypatch.setenv("COUNTERSIGN_UNDO_SECONDS", "0")

    def call(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        try:
            code = main(["--home", str(home), *words])
        except SystemExit as stop:
            code = int(stop.code or 0)
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def write(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def test_demo_is_idempotent_and_says_what_to_run_next(run: Run) -> None:
    code, out, _ = run("demo")
    assert code == 0
    assert "countersign serve" in out
    code, out, _ = run("demo", "--json")
    report = json.loads(out)
    assert (report["documents"], report["cases"], report["failed"]) == (0, 0, [])


def test_ask_prints_every_key_of_the_contract(run: Run) -> None:
    code, out, _ = run("ask", "How long can I return a holiday purchase?", "--json", "--as", "ana")
    assert code == 0
    assert {
        "status",
        "answer_markdown",
        "confidence",
        "citations",
        "evidence",
        "conflicts",
        "excluded",
        "claims",
        "ledger",
        "freshness",
        "compliance",
        "judgement",
        "rounds",
        "trace_id",
        "timings_ms",
        "usage",
        "backend",
    } <= set(json.loads(out))


def test_search_batch_keeps_order_and_ids(run: Run, tmp_path: Path) -> None:
    rows = [{"id": "b", "query": "gift cards"}, {"id": "a", "query": "two-day shipping price"}]
    code, out, _ = run("search", "--batch", write(tmp_path / "q.jsonl", rows))
    found = lines(out)
    assert code == 0
    assert [row["id"] for row in found] == ["b", "a"]
    assert all({"document_ids", "chunk_ids", "ms"} <= set(row) for row in found)


def test_search_as_of_a_past_date_finds_the_version_then_valid(run: Run) -> None:
    _, out, _ = run("search", "price match retailers", "--at", "2024-12-10", "--json")
    documents = {r["document_id"] for r in json.loads(out)["results"]}
    assert "price-match-2.0" in documents
    assert "price-match-3.0" not in documents


def test_supplied_passages_are_exactly_what_is_used(run: Run, tmp_path: Path) -> None:
    row = {
        "id": 1,
        "query": "How long is the warranty?",
        "passages": [{"id": "p1", "title": "Warranty", "text": "The warranty lasts 18 months."}],
    }
    _, out, _ = run("ask", "--batch", write(tmp_path / "q.jsonl", [row]))
    answer = lines(out)[0]
    assert {e["chunk_id"] for e in answer["evidence"]} == {"p1"}
    assert "18 months" in answer["answer_markdown"]


def test_gate_check_and_conflicts_answer_each_line(run: Run, tmp_path: Path) -> None:
    gate = {
        "id": "g",
        "query": "How long do refunds take?",
        "passage": {
            "id": "x",
            "title": "Refunds",
            "text": "Refunds take 5 business days.",
            "source_type": "faq",
        },
    }
    check = {"id": "c", "claim": "Returns take 60 days.", "evidence": "Returns take 45 days."}
    conflict = {
        "id": "k",
        "query": "How many days do I have to return it?",
        "passages": [
            {"id": "a", "text": "You have 45 days to return it."},
            {"id": "b", "text": "You have 60 days to return it."},
        ],
    }
    _, out, _ = run("gate", "--batch", write(tmp_path / "g.jsonl", [gate]))
    assert {"id", "relevant", "evidence", "contradicts", "injection", "route"} <= set(lines(out)[0])
    _, out, _ = run("check", "--batch", write(tmp_path / "c.jsonl", [check]))
    assert lines(out)[0]["label"] == "contradicted"
    _, out, _ = run("conflicts", "--batch", write(tmp_path / "k.jsonl", [conflict]))
    groups = lines(out)[0]["conflicts"][0]["values"]
    assert sorted(p for group in groups for p in group["passage_ids"]) == ["a", "b"]


def test_a_bad_line_names_itself_and_the_rest_goes_on(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text('{"id": 1, "query": "gift cards"}\nnot json\n{"id": 3}\n', encoding="utf-8")
    code, out, _ = run("search", "--batch", str(path))
    found = lines(out)
    assert code == 1
    assert "document_ids" in found[0]
    assert "q.jsonl:2" in found[1]["error"]
    assert "'query' must be a string" in found[2]["error"]


@pytest.mark.parametrize(
    ("question", "says"), [("", "empty"), ("   \n ", "empty"), ("why " * 12_500, "characters")]
)
def test_a_question_that_cannot_be_taken_is_named(run: Run, question: str, says: str) -> None:
    code, _, err = run("ask", question)
    assert code == 2
    assert says in err


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("ask",), 2, "QUERY"),
        (("nonsense",), 2, "invalid choice"),
        (("ask", "hello", "--as", "nobody"), 1, "no user"),
        (("ask", "--case", "9999", "--as", "ana"), 1, "9999"),
        (("search", "x", "--at", "soon"), 2, "not a date"),
        (("audit", "export"), 1, "guest"),
    ],
)
def test_errors_say_what_and_how(run: Run, words: tuple[str, ...], code: int, says: str) -> None:
    got, _, err = run(*words)
    assert got == code
    assert says.lower() in err.lower()


def test_an_unknown_setting_is_refused_by_name(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERSIGN_HOEM", "x")
    code, _, err = run("settings")
    assert code == 2
    assert "COUNTERSIGN_HOEM" in err


def test_settings_never_print_a_secret(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERSIGN_DATABASE_URL", "postgresql+psycopg://me:hunter2@db/x")
    _, out, _ = run("settings")
    assert "hunter2" not in out


def test_a_bad_file_costs_one_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "good.md").write_text("# Lockers\n\nLockers open at 8:00.", encoding="utf-8")
    (tmp_path / "in" / "empty.md").write_text("", encoding="utf-8")
    (tmp_path / "in" / "binary.txt").write_bytes(b"\x00\x01\x02" * 500)
    (tmp_path / "in" / "latin.txt").write_bytes("Rückgabe nach München".encode("latin-1"))
    (tmp_path / "in" / "front.md").write_text("---\nowner: [kim\n---\n\nText.", encoding="utf-8")
    code, out, _ = run("ingest", str(tmp_path / "in"), "--json", "--as", "kim")
    report = json.loads(out)
    assert code == 0
    assert report["documents"] == 1
    assert {Path(f["path"]).name for f in report["failed"]} == {
        "empty.md",
        "binary.txt",
        "latin.txt",
        "front.md",
    }
    assert all(f["reason"] for f in report["failed"])
    _, out, _ = run("search", "when do lockers open", "--json")
    assert "good" in json.loads(out)["results"][0]["document_id"]


def test_a_reply_goes_out_once_and_the_chain_verifies(run: Run) -> None:
    _, out, _ = run("review", "show", "1048", "--json", "--as", "ana")
    view = json.loads(out)
    opened = [
        w for check in view["checks"] if not check["done"] for w in ("--opened", check["check_id"])
    ]
    code, out, err = run("review", "approve", "1048", "--as", "ana", "--json", *opened)
    assert code == 0, err
    assert json.loads(out)["case"]["state"] == "approved"
    _, out, _ = run("outbox", "run", "--json")
    assert [item["state"] for item in json.loads(out)["items"]] == ["delivered"]
    _, out, _ = run("outbox", "run", "--json")
    assert json.loads(out)["items"] == []
    code, out, _ = run("audit", "verify", "--json")
    assert (code, json.loads(out)["ok"]) == (0, True)


def test_approving_another_text_than_the_current_fails_clearly(run: Run) -> None:
    run("review", "show", "1048", "--as", "ana")
    code, _, err = run("review", "approve", "1048", "--as", "ana", "--hash", "0" * 64)
    assert code == 1
    assert err


def test_a_withdrawn_source_is_gone_from_the_next_search(run: Run) -> None:
    code, _, err = run(
        "source", "withdraw", "gift-cards-1.6", "--reason", "replaced", "--as", "kim"
    )
    assert code == 0, err
    _, out, _ = run("search", "gift card amounts", "--json", "-k", "20")
    assert "gift-cards-1.6" not in {r["document_id"] for r in json.loads(out)["results"]}


def test_an_index_can_be_built_anew_from_what_is_stored(run: Run, home: Path) -> None:
    before = json.loads(run("search", "gift card amounts", "--json")[1])["results"]
    shutil.rmtree(home / "index")
    code, _, _ = run("ingest", "--rebuild")
    after = json.loads(run("search", "gift card amounts", "--json")[1])["results"]
    assert code == 0
    assert [r["chunk_id"] for r in after] == [r["chunk_id"] for r in before]
