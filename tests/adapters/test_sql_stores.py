"""Policies, runs and case files over SQL."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from core.adapters import sql_audit
from core.adapters.sql_case_files import SqlCaseFiles
from core.adapters.sql_policies import SqlPolicyStore
from core.adapters.sql_review_store import SqlReviewStore
from core.adapters.sql_runs import SqlRunStore
from tests.contracts.builders import TENANT, a_case, a_policy, a_user
from tests.contracts.policy_store import PolicyStoreContract
from tests.contracts.run_store import RunStoreContract
from tests.fakes.fixed_clock import FixedClock


class TestSqlPolicyStore(PolicyStoreContract):
    """Everything the contract asks."""

    @pytest.fixture
    def policies(self, engine: Engine) -> SqlPolicyStore:
        return SqlPolicyStore(engine, FixedClock())

    def test_each_change_is_audited_with_before_and_after(
        self, policies: SqlPolicyStore, engine: Engine
    ) -> None:
        policies.put_user(a_user(), actor="demo")
        policies.put_user(a_user(), actor="demo")
        policies.put_user(a_user(permission_level="L5"), actor="ada")
        policies.put_acl_policy(a_policy(), actor="ada")
        policies.put_acl_policy(a_policy(everyone=False), actor="ada")
        with SqlReviewStore(engine, FixedClock()).read() as look:
            events = look.audit_events()
        assert [(e.kind, e.subject_kind, e.subject_id) for e in events] == [
            ("user.added", "user", "ana"),
            ("user.changed", "user", "ana"),
            ("policy.added", "policy", "public"),
            ("policy.changed", "policy", "public"),
        ]
        assert events[1].payload["before"]["permission_level"] == "L2"
        assert events[1].payload["after"]["permission_level"] == "L5"

    def test_a_change_whose_audit_event_fails_does_not_happen(
        self, policies: SqlPolicyStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(*_: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(sql_audit, "append", broken)
        with pytest.raises(ZeroDivisionError):
            policies.put_user(a_user(), actor="demo")
        with pytest.raises(ZeroDivisionError):
            policies.put_acl_policy(a_policy(), actor="demo")
        assert policies.users(TENANT) == ()
        assert policies.acl_policies(TENANT) == ()


class TestSqlRunStore(RunStoreContract):
    """Everything the contract asks."""

    @pytest.fixture
    def runs(self, engine: Engine) -> SqlRunStore:
        return SqlRunStore(engine)


def test_a_case_is_read_within_its_tenant_only(engine: Engine) -> None:
    with SqlReviewStore(engine, FixedClock()).write() as change:
        change.add_case(a_case())
    files = SqlCaseFiles(engine)
    assert files.case(TENANT, "1042") == a_case()
    assert files.case("other", "1042") is None
    assert files.case(TENANT, "9") is None
