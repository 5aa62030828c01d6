"""What every ``PolicyAdmin`` promises."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.errors import BadInput
from core.identity.store import PolicyAdmin
from core.models.access import User
from tests.contracts.builders import TENANT, a_policy, a_user


class PolicyStoreContract:
    """Subclasses give empty ``policies``."""

    def test_users_come_back_by_id_whether_active_or_not(self, policies: PolicyAdmin) -> None:
        gone = a_user("ada", active=False, roles=("admin", "supervisor"))
        policies.put_user(a_user("zoe"), actor="demo")
        policies.put_user(gone, actor="demo")
        assert policies.user("ada") == gone
        assert policies.user("nobody") is None
        assert policies.users(TENANT) == (gone, a_user("zoe"))
        assert policies.users("other") == ()

    def test_a_user_can_be_changed_but_not_taken_by_another_tenant(
        self, policies: PolicyAdmin
    ) -> None:
        policies.put_user(a_user(), actor="demo")
        policies.put_user(a_user(active=False), actor="ada")
        with pytest.raises(BadInput, match="ana"):
            policies.put_user(a_user(tenant_id="other"), actor="mallory")
        assert policies.user("ana") == a_user(active=False)

    def test_policies_belong_to_their_tenant(self, policies: PolicyAdmin) -> None:
        policies.put_acl_policy(a_policy("staff", everyone=False, roles=("agent",)), actor="demo")
        policies.put_acl_policy(a_policy("public"), actor="demo")
        policies.put_acl_policy(a_policy("public", tenant_id="other"), actor="demo")
        assert [p.policy_id for p in policies.acl_policies(TENANT)] == ["public", "staff"]
        assert policies.acl_policies("other") == (a_policy("public", tenant_id="other"),)

    def test_a_check_sees_the_stored_users_and_can_refuse_the_change(
        self, policies: PolicyAdmin
    ) -> None:
        policies.put_user(a_user("ana"), actor="demo")
        policies.put_user(a_user("eve", tenant_id="other"), actor="demo")
        seen: list[Sequence[User]] = []

        def refuse(stored: Sequence[User]) -> None:
            seen.append(stored)
            raise BadInput("No.")

        with pytest.raises(BadInput, match="No"):
            policies.put_user(a_user("ana", active=False), actor="ada", check=refuse)
        assert seen == [(a_user("ana"),)]
        assert policies.user("ana") == a_user("ana")
        policies.put_user(a_user("ana", active=False), actor="ada", check=seen.append)
        assert policies.user("ana") == a_user("ana", active=False)
