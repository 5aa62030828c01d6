"""A proposed refund from the case to its receipt, on the demo company, by the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.cli import main

Run = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def run(
    home: Path,
    model_cache: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Run:
    """Runs a command on a copy of the demo company; returns exit code, JSON and stderr."""
    monkeypatch.setenv("COUNTERSIGN_MODEL_CACHE", str(model_cache))
    monkeypatch.setenv("COUNTERSIGN_UNDO_SECONDS", "0")

    def call(*words: str) -> tuple[int, Any, str]:
        capsys.readouterr()
        try:
            code = main(["--home", str(home), *words, "--json"])
        except SystemExit as stop:
            code = int(stop.code or 0)
        out = capsys.readouterr()
        return code, json.loads(out.out) if out.out.strip() else None, out.err

    return call


def test_a_refund_is_proposed_confirmed_once_and_leaves_its_receipt(run: Run, home: Path) -> None:
    run("review", "show", "1051", "--as", "ana")
    _, shown, _ = run("review", "actions", "1051", "--as", "ana")
    (action,) = shown["actions"]
    proposal = action["proposal"]
    assert (proposal["tool"], proposal["arguments"]["amount"]) == ("start_refund", "112.00")
    assert next(step["result"] for step in proposal["steps"]) == "$112.00"
    words = ("review", "confirm", "1051", proposal["proposal_id"])

    code, _, said = run(*words, "--as", "ana", "--arg", "amount=500")
    assert code != 0
    assert "more than was ever paid" in said
    code, _, said = run(*words, "--as", "ana", "--arg", "order_id=A-10293")
    assert "fixed by the record" in said
    code, _, said = run(*words)
    assert code != 0
    assert not (home / "actions").exists()

    code, shown, said = run(*words, "--as", "ana")
    assert code == 0, said
    assert shown["actions"][0]["record"]["state"] == "confirmed"
    code, done, _ = run("outbox", "run")
    assert (code, [a["state"] for a in done["actions"]]) == (0, ["done"])
    run(*words, "--as", "ana")
    _, done, _ = run("outbox", "run")
    assert done == {"items": [], "actions": []}
    (file,) = (home / "actions").iterdir()
    assert json.loads(file.read_text())["arguments"]["amount"] == "112.00"

    code, _, said = run(*words, "--as", "sam")
    assert code != 0
    assert "Ana Ruiz" in said
    code, chain, _ = run("audit", "verify")
    assert (code, chain["ok"]) == (0, True)


def test_a_declined_action_stays_undone(run: Run) -> None:
    run("review", "show", "1051", "--as", "ana")
    _, shown, _ = run("review", "actions", "1051", "--as", "ana")
    proposal = shown["actions"][0]["proposal"]["proposal_id"]
    code, shown, _ = run(
        "review", "decline", "1051", proposal, "--reason", "paid in the store", "--as", "ana"
    )
    assert (code, shown["actions"][0]["record"]["state"]) == (0, "declined")
    code, _, said = run("review", "confirm", "1051", proposal, "--as", "ana")
    assert code != 0
    assert "paid in the store" in said
    _, done, _ = run("outbox", "run")
    assert done["actions"] == []
