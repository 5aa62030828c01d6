"""The command line with a remote gate: its settings, its nulls and its reasons."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.settings import load_settings
from tests.fakes.model_server import Reply, Sent, error, in_turn, serving, typesafe
from tests.sdks import need
from tests.security.gate_offices import willing
from tests.test_cli import Run, lines, run, write

need("typesafe_sdk", "typesafe")

__all__ = ["run"]
PAIRS = [
    {
        "id": name,
        "query": "How long do I have to return a coat?",
        "passage": {"id": name, "title": "Returns", "text": text, "source_type": "policy"},
    }
    for name, text in (
        ("good", "A coat may be returned within 30 days."),
        ("slow", "Coats may be returned within 14 days. MARKBROKEN."),
    )
]


@pytest.fixture(autouse=True)
def _no_keys_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "TYPESAFE_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def _script(sent: Sent) -> Reply:
    return error(401) if "MARKBROKEN" in sent.told() else typesafe(willing)(sent)


def test_gate_batch_prints_nulls_and_the_reason_for_what_was_not_judged(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COUNTERSIGN_GATE", "typesafe")
    monkeypatch.setenv("TYPESAFE_API_KEY", "sesame")
    with serving(_script) as server:
        monkeypatch.setenv("COUNTERSIGN_TYPESAFE_BASE_URL", server.url)
        code, out, _ = run("gate", "--batch", write(tmp_path / "pairs.jsonl", PAIRS))
    good, slow = lines(out)
    assert code == 0
    assert (good["route"], good["relevant"], good["backend"]) == (
        "include",
        0.99,
        "typesafe-gate/jev-latest",
    )
    assert [slow[q] for q in ("relevant", "evidence", "contradicts", "injection")] == [None] * 4
    assert (slow["route"], slow["rule"]) == ("exclude", "unjudged")
    assert "check COUNTERSIGN_TYPESAFE_API_KEY" in slow["reason"]
    assert "sesame" not in out


def test_ask_lists_what_was_not_judged_and_says_why(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COUNTERSIGN_GATE", "typesafe")
    monkeypatch.setenv("COUNTERSIGN_TYPESAFE_API_KEY", "sesame")
    row = {"id": "1", "query": PAIRS[0]["query"], "passages": [p["passage"] for p in PAIRS]}
    with serving(in_turn(error(401))) as server:
        monkeypatch.setenv("COUNTERSIGN_TYPESAFE_BASE_URL", server.url)
        code, out, _ = run("ask", "--batch", write(tmp_path / "asks.jsonl", [row]), "--as", "ana")
        _, text, _ = run("ask", "How long do I have to return a coat?", "--as", "ana")
    (answer,) = lines(out)
    assert code == 0
    assert answer["status"] == "insufficient_evidence"
    assert {e["rule"] for e in answer["excluded"]} == {"unjudged"}
    assert answer["evidence"] == []
    (note,) = [n for n in answer["notes"] if "could not be judged" in n]
    assert note.startswith("2 of 2 passages could not be judged: TypeSafe refused the key (401)")
    assert "Not judged: " in text


@pytest.mark.parametrize(
    ("variables", "says"),
    [
        ({"GATE": "claude"}, "set COUNTERSIGN_ANTHROPIC_API_KEY or ANTHROPIC_API_KEY"),
        ({"GATE": "typesafe"}, "set COUNTERSIGN_TYPESAFE_API_KEY or TYPESAFE_API_KEY"),
        ({"GATE": "typesafe", "TYPESAFE_API_KEY": " "}, "TYPESAFE_API_KEY"),
        ({"GATE": "oracle"}, "setting 'gate'"),
        ({"GATE_TIMEOUT_SECONDS": "0"}, "setting 'gate_timeout_seconds'"),
        ({"GATE_FALLBACK": "include"}, "setting 'gate_fallback'"),
        ({"GATE_POOL": "0"}, "setting 'gate_pool'"),
        ({"ANTHROPIC_BASE_URL": "api.example"}, "give an address such as https://host/path"),
        ({"TYPESAFE_BASE_URL": "ftp://x"}, "give an address such as https://host/path"),
        ({"ANTHROPIC_BASE_URL": "https://me:pw@host"}, "put the key into its own setting"),
        ({"ANTHROPIC_API_KEY": "two words"}, "printable ASCII"),
    ],
    ids=lambda value: None if isinstance(value, str) else "-".join(value),
)
def test_a_setting_that_cannot_be_is_refused_by_name(
    run: Run, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], says: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(f"COUNTERSIGN_{name}", value)
    code, _, err = run("settings")
    assert code == 2
    assert says in err
    assert not [value for value in variables.values() if " " in value.strip() and value in err]


def test_keys_are_never_shown_and_a_vendors_own_variable_counts(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "open-sesame-1")
    monkeypatch.setenv("COUNTERSIGN_TYPESAFE_API_KEY", "open-sesame-2")
    monkeypatch.setenv("COUNTERSIGN_GATE", "claude")
    _, out, _ = run("settings", "--json")
    shown = json.loads(out)
    assert shown["gate"] == "claude"
    assert shown["anthropic_api_key"] == shown["typesafe_api_key"] == "**********"
    assert "sesame" not in out


def test_our_own_variable_comes_before_the_vendors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "theirs")
    monkeypatch.setenv("COUNTERSIGN_ANTHROPIC_API_KEY", "ours")
    key = load_settings(tmp_path).anthropic_api_key
    assert key is not None
    assert key.get_secret_value() == "ours"
