"""What every store of gate policies promises."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import StaleVersion
from core.evaluation.gate_store import GatePolicies
from core.models.evidence import GateThresholds
from core.models.gate_policy import GatePolicy
from tests.contracts.builders import TENANT
from tests.fakes.fixed_clock import DEMO_DAY

DEFAULT = GateThresholds()
STRICT = GateThresholds(injection_max=0.5)


def a_gate_policy(policy_id: str = "gatepol_1", **fields: Any) -> GatePolicy:
    return GatePolicy.model_validate(
        {
            "policy_id": policy_id,
            "tenant_id": TENANT,
            "thresholds": STRICT,
            "reason": "A forum post got through. 太松了",
            "saved_by": "sam",
            "saved_at": DEMO_DAY,
            **fields,
        }
    )


class GatePoliciesContract:
    """Subclasses give empty ``gate_policies``."""

    def test_without_a_policy_none_is_in_force(self, gate_policies: GatePolicies) -> None:
        assert gate_policies.active(TENANT) is None
        assert gate_policies.history(TENANT) == ()

    def test_the_newest_is_in_force_and_the_history_runs_backwards(
        self, gate_policies: GatePolicies
    ) -> None:
        first = a_gate_policy()
        second = a_gate_policy("gatepol_2", replaces="gatepol_1", thresholds=DEFAULT)
        gate_policies.save(first, before=DEFAULT)
        gate_policies.save(second, before=DEFAULT)
        assert gate_policies.active(TENANT) == second
        assert gate_policies.history(TENANT) == (second, first)
        assert gate_policies.history(TENANT, 1) == (second,)

    def test_a_policy_that_replaces_another_than_the_one_in_force_is_refused(
        self, gate_policies: GatePolicies
    ) -> None:
        with pytest.raises(StaleVersion):
            gate_policies.save(a_gate_policy(replaces="gatepol_0"), before=DEFAULT)
        gate_policies.save(a_gate_policy(), before=DEFAULT)
        with pytest.raises(StaleVersion):
            gate_policies.save(a_gate_policy("gatepol_2"), before=DEFAULT)
        assert [p.policy_id for p in gate_policies.history(TENANT)] == ["gatepol_1"]

    def test_policies_belong_to_their_tenant(self, gate_policies: GatePolicies) -> None:
        gate_policies.save(a_gate_policy(), before=DEFAULT)
        gate_policies.save(a_gate_policy("gatepol_2", tenant_id="other"), before=DEFAULT)
        active = gate_policies.active("other")
        assert active is not None
        assert active.policy_id == "gatepol_2"
        assert len(gate_policies.history(TENANT)) == 1
