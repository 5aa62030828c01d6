"""The whole flow over the demo's records and a single policy, with fakes for index and models."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.adapters.local_checker import LocalClaimChecker
from core.adapters.records_build import build_records
from core.adapters.records_db import SqliteRecords
from core.models.access import AclPolicy, User
from core.models.evidence import GateScores
from core.models.request import UserRequest
from core.models.review import Case
from core.models.trace import PipelineRun
from core.pipeline import answer
from core.pipeline_tools import Limits, Tools
from core.ports import RecordStore
from core.tools.ports import ReadTool, ViolationLog
from tests.fakes.counting_ids import CountingIds
from tests.fakes.fixed_clock import FixedClock
from tests.fakes.memory_index import MemoryIndex
from tests.fakes.memory_registry import MemoryRegistry
from tests.fakes.scripted_gate import ScriptedGate
from tests.fakes.word_encoder import WordEncoder
from tests.stages.language_builders import POLICIES, TENANT, a_user

DATA = Path(__file__).resolve().parents[2] / "data"
_HARMLESS = GateScores(relevant=1.0, evidence=1.0, contradicts=0.0, injection=0.0)


class People:
    """Everybody is the agent Ana."""

    def user(self, user_id: str) -> User | None:
        return a_user("agent")

    def users(self, tenant_id: str) -> tuple[User, ...]:
        return (a_user("agent"),)

    def acl_policies(self, tenant_id: str) -> tuple[AclPolicy, ...]:
        return POLICIES


class NoCases:
    """No case is stored."""

    def case(self, tenant_id: str, case_id: str) -> Case | None:
        return None


class Kept:
    """Runs in a list."""

    def __init__(self) -> None:
        self.runs: list[PipelineRun] = []

    def save_run(self, run: PipelineRun) -> None:
        self.runs.append(run)

    def run(self, trace_id: str) -> PipelineRun | None:
        return next((r for r in self.runs if r.trace.trace_id == trace_id), None)

    def recent_runs(self, tenant_id: str, limit: int = 50) -> tuple[tuple[str, str, object], ...]:
        return ()


class Words:
    """Counts words for tokens."""

    def count(self, text: str) -> int:
        return len(text.split())


def demo_records(folder: Path) -> Path:
    """The demo's records database, built into ``folder``."""
    path = folder / "records.db"
    build_records(
        path, customers=DATA / "customers.csv", orders=DATA / "orders.csv", tenant_id=TENANT
    )
    return path


def a_flow(
    records: Path | RecordStore,
    connectors: Sequence[ReadTool] = (),
    log: ViolationLog | None = None,
) -> Tools:
    """The tools of a run over ``records`` and ``connectors``."""
    encoder = WordEncoder()
    return Tools(
        clock=FixedClock(),
        ids=CountingIds(),
        index=MemoryIndex(),
        registry=MemoryRegistry(),
        policies=People(),
        records=SqliteRecords(records) if isinstance(records, Path) else records,
        cases=NoCases(),
        gate=ScriptedGate(lambda _query, _candidate: _HARMLESS),
        checker=LocalClaimChecker(encoder),
        encoder=encoder,
        tokens=Words(),
        runs=Kept(),  # type: ignore[arg-type]
        limits=Limits(round_time_ms=1e9),
        connectors=tuple(connectors),
        tool_log=log,
    )


def asked(tools: Tools, question: str) -> PipelineRun:
    """What an agent gets for a question."""
    request = UserRequest(request_id="req_1", tenant_id=TENANT, user_id="ana", raw_query=question)
    return answer(request, tools)
