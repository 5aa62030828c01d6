"""Rights come from identity and policy store; the rest is default deny."""

from __future__ import annotations

import pytest

from core.models.access import AclPolicy, SecurityContext
from core.stages.authorise import authorise, policy_version
from tests.stages.language_builders import POLICIES, TENANT, a_user, rights


def test_nobody_is_the_least_privileged_guest() -> None:
    context = rights()
    assert (context.user_id, context.roles, context.permission_level) == ("guest", ("guest",), "L1")
    assert context.allowed_acl_policy_ids == ("public",)
    assert context.allowed_classifications == ("public",)
    assert context.actions == ("ask",)


@pytest.mark.parametrize(
    "user",
    [a_user("hr", active=False), a_user("admin", tenant_id="other")],
    ids=["gone", "foreign"],
)
def test_an_inactive_or_foreign_user_is_a_guest(user: object) -> None:
    assert authorise(user, POLICIES, tenant_id=TENANT) == rights()  # type: ignore[arg-type]


@pytest.mark.parametrize("role", ["agent", "knowledge_owner", "supervisor", "admin"])
def test_only_hr_reads_personnel_files(role: str) -> None:
    context = rights(role)
    assert "hr-confidential" in context.denied_acl_policy_ids
    assert "confidential" not in context.allowed_classifications


def test_hr_reads_them() -> None:
    context = rights("hr")
    assert "hr-confidential" in context.allowed_acl_policy_ids
    assert "confidential" in context.allowed_classifications


def test_a_department_lets_in_as_a_role_does() -> None:
    context = authorise(a_user("agent", department="HR"), POLICIES, tenant_id=TENANT)
    assert "hr-confidential" in context.allowed_acl_policy_ids


def test_a_user_without_department_matches_no_department() -> None:
    policy = AclPolicy(policy_id="odd", tenant_id=TENANT, description="", departments=("",))
    context = authorise(a_user("agent", department=""), [policy], tenant_id=TENANT)
    assert context.allowed_acl_policy_ids == ("public",)
    assert context.denied_acl_policy_ids == ("odd",)


def test_public_documents_are_readable_before_any_policy_is_stored() -> None:
    assert authorise(None, [], tenant_id=TENANT).allowed_acl_policy_ids == ("public",)


def test_a_stored_public_policy_is_what_counts() -> None:
    closed = AclPolicy(policy_id="public", tenant_id=TENANT, description="", roles=("agent",))
    assert authorise(None, [closed], tenant_id=TENANT).allowed_acl_policy_ids == ()


def test_policies_of_another_tenant_are_neither_allowed_nor_named() -> None:
    foreign = AclPolicy(policy_id="x", tenant_id="other", description="", everyone=True)
    context = authorise(a_user("agent"), [*POLICIES, foreign], tenant_id=TENANT)
    assert "x" not in context.allowed_acl_policy_ids + context.denied_acl_policy_ids


def _actions(role: str) -> set[str]:
    return set(rights(role).actions)


def test_each_role_may_do_its_own_work_only() -> None:
    assert _actions("agent") == {"ask", "review", "send"}
    assert _actions("knowledge_owner") == {"ask", "own_knowledge"}
    assert {"supervise", "take_over_lease"} <= _actions("supervisor")
    assert "administer" not in _actions("supervisor")
    assert _actions("admin") == {"ask", "administer"}


def test_several_roles_add_up() -> None:
    context: SecurityContext = rights("agent", "hr")
    assert context.allowed_classifications == ("public", "internal", "confidential")


def test_the_policy_version_changes_with_the_policies_and_not_with_their_order() -> None:
    assert policy_version(POLICIES) == policy_version(POLICIES[::-1])
    assert policy_version(POLICIES) != policy_version(POLICIES[:2])
    assert rights("agent").policy_version == policy_version(POLICIES)
