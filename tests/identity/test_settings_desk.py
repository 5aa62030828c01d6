"""Administrators change who may do what; every change has a reason and stays in the audit."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from core.adapters.sql_policies import SqlPolicyStore
from core.adapters.sql_registry import SqlRegistry
from core.adapters.sql_review_store import SqlReviewStore
from core.errors import BadInput, NotAllowed, NotFound, StaleVersion, Unavailable
from core.identity.admin import Part, SettingsDesk
from core.identity.service import Identity
from core.models.access import User
from core.models.review import AuditEvent
from tests.contracts.builders import TENANT, a_document, a_policy, a_user
from tests.fakes.fixed_clock import FixedClock

ADMIN = a_user("ada", roles=("admin",), department="IT")
ANA = a_user("ana")


class Company:
    """A small company over one database."""

    def __init__(self, engine: Engine) -> None:
        clock = FixedClock()
        self.policies = SqlPolicyStore(engine, clock)
        self.registry = SqlRegistry(engine, clock)
        self.store = SqlReviewStore(engine, clock)
        for user in (ADMIN, ANA, a_user("helen", roles=("hr",), department="HR")):
            self.policies.put_user(user, actor="demo")
        for policy in (
            a_policy("public"),
            a_policy("staff", everyone=False, roles=("agent", "admin")),
            a_policy("hr", everyone=False, roles=("hr",)),
        ):
            self.policies.put_acl_policy(policy, actor="demo")
        self.identity = Identity(self.policies, tenant_id=TENANT)

    def desk(self, user_id: str = "ada", **parts: object) -> SettingsDesk:
        return SettingsDesk(
            user=self.identity.user(user_id),
            context=self.identity.context_of(user_id),
            policies=self.policies,
            sources=self.registry,
            shown={"database_url": "**********"},
            parts=parts,  # type: ignore[arg-type]
        )

    def last_event(self) -> AuditEvent:
        with self.store.read() as transaction:
            return transaction.audit_events(tenant_id=TENANT)[-1]


@pytest.fixture
def company(sqlite_engine: Engine) -> Company:
    return Company(sqlite_engine)


def test_only_an_administrator_has_the_settings(company: Company) -> None:
    for user_id in ("ana", "helen"):
        with pytest.raises(NotAllowed):
            company.desk(user_id)


def test_a_change_holds_at_once_and_says_who_why_before_and_after(company: Company) -> None:
    desk = company.desk()
    desk.change_user(ANA, roles=("agent", "supervisor"), active=True, reason="Covers for Sam")

    assert "supervise" in company.identity.context_of("ana").actions
    event = company.last_event()
    assert (event.kind, event.actor, event.subject_id) == ("user.changed", "ada", "ana")
    assert event.payload["reason"] == "Covers for Sam"
    assert event.payload["before"]["roles"] == ["agent"]
    assert event.payload["after"]["roles"] == ["agent", "supervisor"]


def test_a_person_switched_off_may_not_sign_in(company: Company) -> None:
    company.desk().change_user(ANA, roles=ANA.roles, active=False, reason="Left")
    with pytest.raises(NotAllowed):
        company.identity.user("ana")
    assert company.desk().rights_of("ana").context.roles == ("guest",)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"reason": "  "}, "Say why"),
        ({"roles": ()}, "at least one role"),
        ({"roles": ("owner of the world",)}, "is a role"),
        ({"roles": ("agent",)}, "how it is already"),
    ],
)
def test_a_change_without_reason_role_or_difference_is_refused(
    company: Company, changes: dict[str, object], complaint: str
) -> None:
    wanted = {"roles": ("supervisor",), "active": True, "reason": "Because", **changes}
    with pytest.raises(BadInput, match=complaint):
        company.desk().change_user(ANA, **wanted)  # type: ignore[arg-type]
    assert company.identity.user("ana") == ANA


def test_nobody_changes_their_own_rights(company: Company) -> None:
    with pytest.raises(NotAllowed, match="another administrator"):
        company.desk().change_user(ADMIN, roles=("admin", "hr"), active=True, reason="Why not")


def test_a_change_on_something_read_before_it_changed_is_refused(company: Company) -> None:
    company.policies.put_user(ANA.model_copy(update={"department": "Returns"}), actor="eve")
    before = company.last_event()
    with pytest.raises(StaleVersion):
        company.desk().change_user(ANA, roles=("supervisor",), active=True, reason="Promoted")
    assert company.identity.user("ana").department == "Returns"
    assert company.last_event() == before


def test_an_administrator_whose_rights_went_changes_nothing_more(company: Company) -> None:
    other = a_user("bo", roles=("admin",))
    company.policies.put_user(other, actor="demo")
    desk = company.desk()
    # Bo takes Ada's rights while Ada's page is open: two who remove each other leave one.
    company.policies.put_user(ADMIN.model_copy(update={"active": False}), actor="bo")
    with pytest.raises(NotAllowed, match="changed meanwhile"):
        desk.change_user(other, roles=("agent",), active=True, reason="Moves on")
    assert company.identity.user("bo") == other


def test_the_simulator_shows_rights_and_readable_sources_with_the_reason(
    company: Company,
) -> None:
    company.registry.put(
        [
            a_document("returns-1", title="Returns"),
            a_document("handbook-1", title="Handbook", acl_policy_id="staff"),
        ],
        actor="kim",
    )
    guest = company.desk().rights_of(None)
    assert guest.user is None
    assert guest.context.denied_acl_policy_ids == ("hr", "staff")
    assert [(s.title, s.readable) for s in guest.sources] == [
        ("Handbook", False),
        ("Returns", True),
    ]
    assert guest.sources[0].why == "the policy staff does not let them in"
    assert all(s.readable for s in company.desk().rights_of("ana").sources)


def test_the_simulator_never_shows_what_the_administrator_may_not_read(company: Company) -> None:
    before = company.desk().rights_of("helen")
    company.registry.put(
        [
            a_document("pay-1", title="Pay bands", acl_policy_id="hr"),
            a_document("cuts-1", title="Planned cuts", classification="confidential"),
            a_document("gone-1", title="Other tenant", tenant_id="other"),
        ],
        actor="helen",
    )
    assert company.desk().rights_of("helen") == before


def test_what_a_change_would_give_is_shown_without_making_it(company: Company) -> None:
    would = company.desk().would_be(ANA.model_copy(update={"roles": ("hr",)}))
    assert "hr" in would.allowed_acl_policy_ids
    assert company.identity.user("ana") == ANA


def test_users_and_policies_are_those_of_the_company(company: Company) -> None:
    company.policies.put_user(a_user("eve", tenant_id="other"), actor="demo")
    desk = company.desk()
    assert [user.user_id for user in desk.users()] == ["ada", "ana", "helen"]
    assert [policy.policy_id for policy in desk.acl_policies()] == ["hr", "public", "staff"]
    with pytest.raises(NotFound):
        desk.rights_of("eve")
    stranger: User = a_user("eve", tenant_id="other")
    with pytest.raises(NotFound):
        desk.change_user(stranger, roles=("admin",), active=True, reason="Mine now")


def test_a_part_that_breaks_is_told_and_hides_no_other(company: Company) -> None:
    def broken() -> Part:
        raise Unavailable("The index was made by another encoder.")

    first, second, third = company.desk(
        index=broken, store=lambda: (True, "fine"), disk=lambda: (False, "full")
    ).doctor()
    assert (first.name, first.ok) == ("index", False)
    assert first.words == "The index was made by another encoder."
    assert (second.ok, third.ok) == (True, False)
