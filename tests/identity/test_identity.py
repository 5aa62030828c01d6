"""Who may sign in, with which rights, and who answers for a document."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from core.adapters.sql_policies import SqlPolicyStore
from core.errors import NotAllowed, NotFound
from core.identity.access import answers_for, may_read
from core.identity.service import Identity
from core.models.source import Governance
from tests.contracts.builders import TENANT, a_policy, a_user
from tests.fakes.fixed_clock import FixedClock


@pytest.fixture
def policies(sqlite_engine: Engine) -> SqlPolicyStore:
    store = SqlPolicyStore(sqlite_engine, FixedClock())
    store.put_user(a_user("ana"), actor="demo")
    store.put_user(a_user("rex", active=False), actor="demo")
    store.put_user(a_user("eve", tenant_id="other"), actor="demo")
    store.put_acl_policy(a_policy("public"), actor="demo")
    store.put_acl_policy(a_policy("staff", everyone=False, roles=("agent",)), actor="demo")
    return store


@pytest.fixture
def identity(policies: SqlPolicyStore) -> Identity:
    return Identity(policies, tenant_id=TENANT)


def test_only_active_users_of_the_tenant_are_offered_at_sign_in(identity: Identity) -> None:
    assert [user.user_id for user in identity.sign_in_choices()] == ["ana"]


def test_rights_come_from_the_store(identity: Identity) -> None:
    context = identity.context_of("ana")
    assert context.user_id == "ana"
    assert set(context.allowed_acl_policy_ids) == {"public", "staff"}


def test_nobody_is_the_least_privileged_guest(identity: Identity) -> None:
    context = identity.context_of(None)
    assert context.allowed_acl_policy_ids == ("public",)
    assert context.allowed_classifications == ("public",)


@pytest.mark.parametrize(
    ("user_id", "error"), [("rex", NotAllowed), ("nobody", NotFound), ("eve", NotFound)]
)
def test_people_who_may_not_sign_in_get_no_rights_at_all(
    identity: Identity, user_id: str, error: type[Exception]
) -> None:
    for look_up in (identity.user, identity.context_of):
        with pytest.raises(error):
            look_up(user_id)


def test_a_revoked_policy_is_gone_from_the_next_look(
    identity: Identity, policies: SqlPolicyStore
) -> None:
    before = identity.context_of("ana")
    policies.put_acl_policy(a_policy("staff", everyone=False), actor="ada")
    after = identity.context_of("ana")
    assert after.allowed_acl_policy_ids == ("public",)
    assert after.policy_version != before.policy_version


@pytest.mark.parametrize(
    ("changes", "readable"),
    [
        ({}, True),
        ({"acl_policy_id": "hr"}, False),
        ({"acl_policy_id": ""}, False),
        ({"classification": "restricted"}, False),
    ],
)
def test_reading_needs_policy_and_classification(
    identity: Identity, changes: dict[str, str], *, readable: bool
) -> None:
    context = identity.context_of("ana")
    governance = Governance.model_validate({"owner": "kim", **changes})
    assert may_read(context, TENANT, governance) is readable
    assert not may_read(context, "other", governance)


def test_a_denied_policy_outweighs_an_allowed_one(identity: Identity) -> None:
    context = identity.context_of("ana").model_copy(update={"denied_acl_policy_ids": ("public",)})
    assert not may_read(context, TENANT, Governance(owner="kim"))


@pytest.mark.parametrize("owner", ["ana", "ANA ", "ana@example.org", "customer service"])
def test_an_owner_is_named_by_id_name_mail_or_department(owner: str) -> None:
    assert answers_for(a_user("ana"), owner)


@pytest.mark.parametrize("owner", ["", " ", "an", "kim", "service"])
def test_nobody_answers_for_what_does_not_name_them(owner: str) -> None:
    assert not answers_for(a_user("ana", department=""), owner)
