"""Gate policies and the gate's answers over SQL, and what a saved policy leaves as it was."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Engine, delete

from core.adapters import sql_audit
from core.adapters.sql_engine import writing
from core.adapters.sql_gate_answers import SqlGateAnswers
from core.adapters.sql_gate_policies import SqlGatePolicies
from core.adapters.sql_review_store import SqlReviewStore
from core.adapters.sql_runs import SqlRunStore
from core.adapters.sql_schema_gate import gate_run_answers, gate_runs
from core.errors import StaleVersion
from core.models.review import AuditEvent
from core.models.trace import PipelineRun
from core.review.chain import verify_stored
from core.text.gate_answers import answers_of
from tests.contracts.builders import TENANT
from tests.contracts.gate_answers import GateAnswersContract, a_gated_run
from tests.contracts.gate_policies import DEFAULT, STRICT, GatePoliciesContract, a_gate_policy
from tests.fakes.fixed_clock import FixedClock
from tests.fakes.memory_gate import MemoryGateAnswers, MemoryGatePolicies


class TestMemoryGatePolicies(GatePoliciesContract):
    """The fake keeps the same promises."""

    @pytest.fixture
    def gate_policies(self) -> MemoryGatePolicies:
        return MemoryGatePolicies()


class TestSqlGatePolicies(GatePoliciesContract):
    """Everything the contract asks, and the audit."""

    @pytest.fixture
    def gate_policies(self, engine: Engine) -> SqlGatePolicies:
        return SqlGatePolicies(engine, FixedClock())

    def test_a_change_is_audited_with_before_after_and_reason(
        self, gate_policies: SqlGatePolicies, engine: Engine
    ) -> None:
        gate_policies.save(a_gate_policy(), before=DEFAULT)
        later = a_gate_policy("gatepol_2", replaces="gatepol_1", thresholds=DEFAULT)
        gate_policies.save(later, before=STRICT)
        first, second = _events(engine)
        assert (first.kind, first.actor, first.subject_kind, first.subject_id) == (
            "gate_policy.saved",
            "sam",
            "policy",
            "gatepol_1",
        )
        assert first.payload["before"]["injection_max"] == 0.7
        assert first.payload["after"]["injection_max"] == 0.5
        assert first.payload["reason"] == "A forum post got through. 太松了"
        assert second.payload["before"]["injection_max"] == 0.5
        assert second.payload["replaces"] == "gatepol_1"
        with SqlReviewStore(engine, FixedClock()).read() as look:
            assert verify_stored(look).ok

    def test_a_policy_whose_audit_event_fails_is_not_in_force(
        self, gate_policies: SqlGatePolicies, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(*_: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(sql_audit, "append", broken)
        with pytest.raises(ZeroDivisionError):
            gate_policies.save(a_gate_policy(), before=DEFAULT)
        assert gate_policies.active(TENANT) is None

    def test_of_two_who_save_at_once_one_is_told_that_it_moved_on(
        self, gate_policies: SqlGatePolicies, engine: Engine
    ) -> None:
        def save(number: int) -> str:
            try:
                gate_policies.save(a_gate_policy(f"gatepol_{number}"), before=DEFAULT)
            except StaleVersion:
                return "stale"
            return "saved"

        with ThreadPoolExecutor(4) as people:
            outcomes = sorted(people.map(save, range(4)))
        assert outcomes == ["saved", "stale", "stale", "stale"]
        assert len(_events(engine)) == 1

    def test_the_refusal_names_who_saved_meanwhile_and_why(
        self, gate_policies: SqlGatePolicies
    ) -> None:
        gate_policies.save(a_gate_policy(), before=DEFAULT)
        with pytest.raises(StaleVersion, match=r"sam saved .*forum post"):
            gate_policies.save(a_gate_policy("gatepol_2", saved_by="eve"), before=DEFAULT)


class TestMemoryGateAnswers(GateAnswersContract):
    """The fake keeps the same promises."""

    def saved(self, *runs: PipelineRun) -> MemoryGateAnswers:
        return MemoryGateAnswers(*runs)


class TestSqlGateAnswers(GateAnswersContract):
    """Everything the contract asks, and runs of earlier releases."""

    @pytest.fixture(autouse=True)
    def _over(self, engine: Engine) -> None:
        self.engine = engine

    def saved(self, *runs: PipelineRun) -> SqlGateAnswers:
        for run in runs:
            SqlRunStore(self.engine).save_run(run)
        return SqlGateAnswers(self.engine)

    def test_runs_of_an_earlier_release_are_filled_in_once(self) -> None:
        runs = [a_gated_run(f"trace_{n:02d}", n) for n in range(25)]
        stored = self.saved(*runs)
        with writing(self.engine) as connection:
            connection.execute(delete(gate_run_answers))
            connection.execute(delete(gate_runs))
        assert stored.fill(TENANT, 24) == 24
        assert stored.fill(TENANT, 24) == 0
        assert stored.answers(["trace_24"]) == {"trace_24": answers_of(runs[24])}
        assert stored.answers(["trace_00"]) == {}

    def test_a_run_saved_twice_keeps_its_answers_once(self) -> None:
        run = a_gated_run()
        stored = self.saved(run, run)
        assert len(stored.answers(["trace_1"])["trace_1"]) == 2

    def test_saving_a_policy_leaves_stored_runs_as_they_were(self) -> None:
        run = a_gated_run()
        stored = self.saved(run)
        before = SqlRunStore(self.engine).run("trace_1"), stored.answers(["trace_1"])
        SqlGatePolicies(self.engine, FixedClock()).save(a_gate_policy(), before=DEFAULT)
        assert (SqlRunStore(self.engine).run("trace_1"), stored.answers(["trace_1"])) == before


def _events(engine: Engine) -> Sequence[AuditEvent]:
    with SqlReviewStore(engine, FixedClock()).read() as look:
        return look.audit_events()
