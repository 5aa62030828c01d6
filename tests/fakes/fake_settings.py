"""The settings in memory: three people, three policies, twelve parts that work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.errors import BadInput, CountersignError, NotFound
from core.identity.admin import Health, Readable, Rights
from core.models.access import AclPolicy, Role, SecurityContext, User
from core.models.gate_policy import GatePolicy
from core.stages.authorise import authorise


def a_person(user_id: str, name: str, *roles: Role, active: bool = True) -> User:
    """A colleague in customer service."""
    return User(
        user_id=user_id,
        tenant_id="athena",
        name=name,
        email=f"{user_id}@athena.example",
        roles=roles,
        department="Customer service",
        permission_level="L2",
        active=active,
    )


def some_people() -> dict[str, User]:
    """One agent, one administrator, one who left."""
    found = (
        a_person("ada", "Ada Moreau", "admin"),
        a_person("ana", "Ana Ruiz", "agent"),
        a_person("rex", "Rex Former", "agent", active=False),
    )
    return {user.user_id: user for user in found}


POLICIES = (
    AclPolicy(policy_id="public", tenant_id="athena", description="Anybody", everyone=True),
    AclPolicy(
        policy_id="staff", tenant_id="athena", description="Colleagues", roles=("agent", "admin")
    ),
    AclPolicy(policy_id="hr", tenant_id="athena", description="HR", departments=("HR",)),
)
_SOURCES = (("returns-1", "Return policy", "public"), ("handbook-1", "Agent handbook", "staff"))


@dataclass
class FakeSettings:
    """Rights are derived as the real desk derives them."""

    people: dict[str, User] = field(default_factory=some_people)
    parts: tuple[Health, ...] = (
        Health(name="Audit chain", ok=True, words="verified to event 104"),
        Health(name="Passage index", ok=True, words="108 passages, version 12"),
    )
    reasons: list[str] = field(default_factory=list)
    looks: int = 0
    broken: CountersignError | None = None
    policy: GatePolicy | None = None

    def settings(self) -> dict[str, str]:
        return {
            "database_url": "**********",
            "token_budget": "2400",
            "thresholds": "{'injection_max': 0.7, 'relevant_min': 0.45}",
            "brand_new": "on",
        }

    def gate_policy(self) -> GatePolicy | None:
        return self.policy

    def doctor(self) -> tuple[Health, ...]:
        self.looks += 1
        return self.parts

    def users(self) -> tuple[User, ...]:
        if self.broken:
            raise self.broken
        return tuple(self.people.values())

    def acl_policies(self) -> tuple[AclPolicy, ...]:
        return POLICIES

    def rights_of(self, user_id: str | None) -> Rights:
        if user_id is not None and user_id not in self.people:
            raise NotFound(f"There is no user {user_id!r}.")
        user = self.people[user_id] if user_id else None
        context = self.would_be(user)
        return Rights(
            user=user,
            context=context,
            sources=tuple(
                Readable(
                    document_id=document_id,
                    source_id=document_id,
                    title=title,
                    version="1",
                    status="active",
                    readable=policy in context.allowed_acl_policy_ids,
                    why=f"policy {policy}",
                )
                for document_id, title, policy in _SOURCES
            ),
        )

    def would_be(self, user: User | None) -> SecurityContext:
        return authorise(user, POLICIES, tenant_id="athena")

    def change_user(
        self, before: User, *, roles: Sequence[Role], active: bool, reason: str
    ) -> User:
        if not reason:
            raise BadInput("Say why the rights change; the audit keeps it.")
        self.reasons.append(reason)
        after = before.model_copy(update={"roles": tuple(roles), "active": active})
        self.people[before.user_id] = after
        return after
