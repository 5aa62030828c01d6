"""Which gate the settings open, what is said of it, and what is missing where it cannot be."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import Engine

from core.adapters.guarded_gate import GuardedGate
from core.adapters.open_gate import gate_words, open_gate
from core.errors import Unavailable
from core.ports import Gate
from core.settings import Settings
from tests.fakes.fixed_clock import FixedClock
from tests.sdks import need
from tests.stages.evidence_builders import ScriptedGate

need("anthropic", "claude")
need("typesafe_sdk", "typesafe")

LOCAL = ScriptedGate({})


def _no_database() -> Engine:
    raise AssertionError("a database was opened")


def _settings(home: Path, gate: str, **more: Any) -> Settings:
    key = SecretStr("sesame")
    keys = {"anthropic_api_key": key, "typesafe_api_key": key}
    return Settings(home=home, gate_kept_answers=0, **keys, gate=gate, **more)


@pytest.fixture
def opened() -> Iterator[list[GuardedGate]]:
    gates: list[GuardedGate] = []
    yield gates
    for gate in gates:
        gate.close()


def _open(settings: Settings, opened: list[GuardedGate]) -> Gate:
    gate = open_gate(settings, LOCAL, _no_database, FixedClock())
    if isinstance(gate, GuardedGate):
        opened.append(gate)
    return gate


def test_the_local_gate_stands_alone_and_opens_nothing(
    tmp_path: Path, opened: list[GuardedGate]
) -> None:
    settings = Settings(home=tmp_path)
    assert _open(settings, opened) is LOCAL
    assert gate_words(settings, LOCAL) == "scripted, on this machine"


@pytest.mark.parametrize(
    ("gate", "model", "address"),
    [
        ("claude", "claude-gate/claude-haiku-5-5", "https://api.anthropic.com"),
        ("typesafe", "typesafe-gate/jev-latest", "https://api.typesafe.ai"),
    ],
)
def test_a_remote_gate_stands_behind_its_guard_and_says_where_text_goes(
    tmp_path: Path, opened: list[GuardedGate], gate: str, model: str, address: str
) -> None:
    settings = _settings(tmp_path, gate)
    remote = _open(settings, opened)
    assert isinstance(remote, GuardedGate)
    assert remote.name == model
    words = gate_words(settings, remote)
    assert words.startswith(f"{model} at {address}, 20 s at most")
    assert "left out" in words
    assert "judged locally" in gate_words(_settings(tmp_path, gate, gate_fallback="local"), remote)
    assert "sesame" not in words


@pytest.mark.parametrize(
    ("gate", "package"), [("claude", "anthropic"), ("typesafe", "typesafe_sdk")]
)
def test_a_missing_sdk_is_named_with_the_command_that_brings_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gate: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(Unavailable, match=rf"pip install 'countersign\[{gate}\]'"):
        open_gate(_settings(tmp_path, gate), LOCAL, _no_database, FixedClock())
