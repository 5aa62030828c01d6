"""The contract of a gate, kept by each: local, TypeSafe, Claude, remembering, guarded."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pydantic import SecretStr
from sqlalchemy import Engine

from core.adapters.claude_client import ClaudeClient
from core.adapters.claude_gate import ClaudeGate
from core.adapters.guarded_gate import GuardedGate
from core.adapters.local_gate import LocalGate
from core.adapters.remembering_gate import RememberingGate
from core.adapters.sql_paid_answers import SqlPaidAnswers
from core.adapters.typesafe_gate import TypeSafeGate
from core.ports import Gate
from tests.contracts.gate import GateContract
from tests.fakes.fixed_clock import FixedClock
from tests.fakes.model_server import claude, serving, typesafe
from tests.fakes.word_encoder import WordEncoder
from tests.sdks import need

need("anthropic", "claude")
need("typesafe_sdk", "typesafe")


@pytest.fixture(scope="module")
def local() -> LocalGate:
    return LocalGate(WordEncoder())


@pytest.fixture
def typesafe_gate() -> Iterator[TypeSafeGate]:
    with serving(typesafe()) as server:
        gate = TypeSafeGate(
            api_key=SecretStr("k"), base_url=server.url, model="jev-latest", timeout_seconds=10
        )
        yield gate
        gate.close()


@pytest.fixture
def claude_gate() -> Iterator[ClaudeGate]:
    with serving(claude()) as server:
        client = ClaudeClient(api_key=SecretStr("k"), base_url=server.url, model="claude-haiku-5-5")
        yield ClaudeGate(client, timeout_seconds=10)
        client.close()


class TestLocalGate(GateContract):
    @pytest.fixture
    def gate(self, local: LocalGate) -> Gate:
        return local


class TestTypeSafeGate(GateContract):
    @pytest.fixture
    def gate(self, typesafe_gate: TypeSafeGate) -> Gate:
        return typesafe_gate


class TestClaudeGate(GateContract):
    @pytest.fixture
    def gate(self, claude_gate: ClaudeGate) -> Gate:
        return claude_gate


class TestRememberingGate(GateContract):
    @pytest.fixture
    def gate(self, typesafe_gate: TypeSafeGate, sqlite_engine: Engine) -> Gate:
        shelf = SqlPaidAnswers(sqlite_engine, FixedClock(), kept=1000)
        return RememberingGate(typesafe_gate, shelf)


class TestGuardedGate(GateContract):
    @pytest.fixture
    def gate(self, local: LocalGate, claude_gate: ClaudeGate) -> Gate:
        return GuardedGate(local, claude_gate, injection_max=0.7)
