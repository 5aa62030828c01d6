"""Hostile and broken input at the command line: a message with a remedy, a code, no traceback."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from core.cli import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(
    model_cache: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Run:
    """Runs a command; returns exit code, stdout and stderr."""
    monkeypatch.setenv("COUNTERSIGN_MODEL_CACHE", str(model_cache))

    def call(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        try:
            code = main(words)
        except SystemExit as stop:
            code = int(stop.code or 0)
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


def batch(path: Path, *lines: str) -> str:
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


def answers(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_each_bad_row_of_a_batch_fails_alone(run: Run, home: Path, tmp_path: Path) -> None:
    rows = batch(
        tmp_path / "rows.jsonl",
        '{"id": "deep", "query": "q", "x": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"id": "digits", "query": "q", "x": ' + "9" * 5_000 + "}",
        '{"id": "nan", "query": "return window", "x": NaN}',
        "null",
        '{"id": "none", "query": null}',
        '{"id": "good", "query": "gift card amounts"}',
    )
    code, out, _ = run("--home", str(home), "search", "--batch", rows)
    found = answers(out)
    assert code == 1
    assert [bool(row.get("error")) for row in found] == [True] * 5 + [False]
    assert found[-1]["document_ids"]


def test_half_a_character_in_a_row_is_answered_all_the_same(
    run: Run, home: Path, tmp_path: Path
) -> None:
    rows = batch(tmp_path / "rows.jsonl", r'{"id": "\ud800", "query": "gift \ud800 card"}')
    code, out, err = run("--home", str(home), "ask", "--batch", rows, "--as", "ana")
    assert code == 0, err
    assert answers(out)[0]["id"] == "\ufffd"


def test_a_row_may_have_a_field_named_error(run: Run, home: Path, tmp_path: Path) -> None:
    rows = batch(tmp_path / "rows.jsonl", '{"id": 1, "query": "gift card", "error": "hello"}')
    code, out, _ = run("--home", str(home), "search", "--batch", rows)
    assert (code, "error" in answers(out)[0]) == (0, False)


def test_a_name_that_is_not_utf8_is_looked_up_and_not_found(run: Run, home: Path) -> None:
    code, _, err = run("--home", str(home), "ask", "hello", "--as", os.fsdecode(b"an\xff"))
    assert code == 1
    assert "There is no user" in err


@pytest.mark.parametrize("count", ["0", "-5", "many", "\u00b2"])
def test_a_count_below_one_is_a_usage_error(run: Run, home: Path, count: str) -> None:
    code, _, err = run("--home", str(home), "search", "returns", f"-k={count}")
    assert code == 2
    assert "at least 1" in err


@pytest.mark.parametrize("command", [("search", "x"), ("demo",), ("ask", "x"), ("audit", "verify")])
@pytest.mark.parametrize("below", ["", "deeper"])
def test_a_home_where_nothing_can_be_kept_is_named_with_a_remedy(
    run: Run, tmp_path: Path, command: tuple[str, ...], below: str
) -> None:
    taken = tmp_path / "taken"
    taken.write_text("a file")
    code, _, err = run("--home", str(taken / below), *command)
    assert code == 3
    assert str(taken) in err
    assert "--home" in err


def test_an_index_that_vanished_is_not_taken_for_an_empty_one(run: Run, home: Path) -> None:
    shutil.rmtree(home / "index")
    code, out, err = run("--home", str(home), "search", "gift card amounts")
    assert (code, out) == (3, "")
    assert "ingest --rebuild" in err


def test_an_index_that_vanished_ends_no_reader_of_the_registry(run: Run, home: Path) -> None:
    shutil.rmtree(home / "index")
    code, out, _ = run("--home", str(home), "source", "list", "--as", "kim")
    assert code == 0
    assert "returns-policy-4.2" in out


def test_a_damaged_index_is_named_with_a_remedy(run: Run, home: Path) -> None:
    for file in (home / "index").rglob("*"):
        if file.is_file():
            file.write_text("garbage")
    code, _, err = run("--home", str(home), "search", "gift card amounts")
    assert code == 3
    assert "ingest --rebuild" in err


def test_a_damaged_encoder_is_named_with_a_remedy(
    run: Run, home: Path, tmp_path: Path, model_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged = tmp_path / "damaged"
    shutil.copytree(model_cache, damaged)
    for file in damaged.glob("*.onnx"):
        file.write_text("garbage")
    monkeypatch.setenv("COUNTERSIGN_MODEL_CACHE", str(damaged))
    code, _, err = run("--home", str(home), "search", "gift card amounts")
    assert code == 3
    assert "Remove that file" in err


def test_a_damaged_database_is_named_with_a_remedy(run: Run, home: Path) -> None:
    for file in home.glob("countersign.db*"):
        file.unlink()
    (home / "countersign.db").write_text("garbage, but long enough to be looked at " * 20)
    code, _, err = run("--home", str(home), "audit", "verify")
    assert code == 3
    assert "backup" in err


def test_missing_records_end_a_run_safely_and_say_why(run: Run, home: Path) -> None:
    (home / "records.db").unlink()
    code, out, _ = run("--home", str(home), "ask", "Where is order A-10101?", "--as", "ana")
    assert code == 3
    assert "could not look this number up" in out
    assert "could not be read: The records database" in out


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("thresholds = {injection_max = nan}", "thresholds.injection_max"),
        ("thresholds = {relevant_min = 7}", "thresholds.relevant_min"),
        ('tenant = ""', "tenant"),
        ("nope = 1", "no such setting"),
    ],
)
def test_a_setting_that_would_switch_something_off_is_refused(
    run: Run, home: Path, line: str, named: str
) -> None:
    (home / "countersign.toml").write_text(line, encoding="utf-8")
    code, _, err = run("--home", str(home), "search", "gift card amounts")
    assert code == 2
    assert named in err


def test_what_blocks_an_approval_is_said(run: Run, home: Path) -> None:
    code, _, err = run("--home", str(home), "review", "approve", "1042", "--as", "ana")
    assert code == 1
    assert "Read the conflict" in err


def test_the_name_of_a_closed_policy_is_not_shown_to_those_it_keeps_out(
    run: Run, home: Path
) -> None:
    code, out, _ = run("--home", str(home), "review", "show", "1054", "--as", "ana", "--json")
    assert code == 0
    assert "hr-confidential" not in out


def test_proposed_rows_repeat_nothing_that_their_reader_may_not_see(run: Run, home: Path) -> None:
    asked = "What is the annual base pay in grade CS1?"
    run("--home", str(home), "ask", asked, "--as", "helen")
    _, seen, _ = run("--home", str(home), "eval", "build", "--json", "--as", "helen")
    assert asked in seen
    for reader in ((), ("--as", "ana"), ("--as", "ada")):
        code, out, _ = run("--home", str(home), "eval", "build", "--json", *reader)
        assert (code, asked in out, "46,500" in out) == (0, False, False)


TRIGGERS = (
    "audit_events_no_update",
    "audit_events_no_delete",
    "audit_events_only_next",
    "audit_head_only_forward",
    "audit_head_no_delete",
)


@pytest.mark.parametrize(
    "tampering",
    [
        "UPDATE audit_events SET at = 'x' WHERE seq = 5",
        "UPDATE audit_events SET at = 9000000000000000000 WHERE seq = 5",
        "UPDATE audit_events SET payload = '{' WHERE seq = 5",
        "UPDATE audit_events SET actor = 'x' WHERE seq = 5",
        "DELETE FROM audit_events WHERE seq = 5",
        "DELETE FROM audit_head",
    ],
)
def test_a_chain_somebody_edited_is_reported_and_can_be_exported(
    run: Run, home: Path, tampering: str
) -> None:
    with closing(sqlite3.connect(home / "countersign.db")) as connection:
        for trigger in TRIGGERS:
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute(tampering)
        connection.commit()
    code, out, _ = run("--home", str(home), "audit", "verify", "--json")
    assert (code, json.loads(out)["ok"]) == (1, False)
    code, out, err = run(
        "--home", str(home), "audit", "export", "--as", "sam", "--out", str(home / "x")
    )
    assert code == 0 or "restore a backup" in err


def test_superseding_leaves_the_cut_of_a_document_as_it_was(
    run: Run, home: Path, tmp_path: Path
) -> None:
    """Citations and decisions name passages by id: an owner's word must not renumber them."""
    words = "A coat returned unworn within the window is refunded in full, see section 4.2(b). "
    rows = [
        json.dumps({"id": f"coats-{n}", "source_id": "coats", "text": "# Coats\n\n" + words * 80})
        for n in (1, 2)
    ]
    files = batch(tmp_path / "coats.jsonl", *rows)
    assert run("--home", str(home), "ingest", files, "--as", "kim")[0] == 0

    def cut() -> dict[str, str]:
        _, out, _ = run("--home", str(home), "search", "coat refunded", "--json", "-k", "50")
        found = json.loads(out)["results"]
        return {r["chunk_id"]: r["text"] for r in found if r["document_id"] == "coats-2"}

    before = cut()
    code, _, err = run(
        "--home", str(home), "source", "supersede", "coats-1", "--by", "coats-2", "--as", "kim"
    )
    assert (code, len(before) > 1) == (0, True), err
    assert cut() == before
