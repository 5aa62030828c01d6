"""An office of made-up desks: enough behaviour to drive every page without a store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.errors import NotFound
from core.models.access import SecurityContext, User
from core.models.action import ActionRecord
from core.models.review import (
    OutboxItem,
)
from tests.fakes.fake_boards import (
    FakeAudit,
    FakeEscalations,
    FakeInspector,
    an_audit,
    some_escalations,
)
from tests.fakes.fake_desk import FakeDesk, a_desk
from tests.fakes.fake_evaluation import FakeEvaluation
from tests.fakes.fake_settings import FakeSettings
from tests.fakes.fake_shelf import FakeShelf
from tests.pages.builders import a_context

ACTIONS: dict[str, tuple[str, ...]] = {
    "ana": ("ask", "review", "send"),
    "kim": ("ask", "own_knowledge"),
    "sam": ("ask", "review", "send", "supervise", "take_over_lease"),
    "ada": ("ask", "administer"),
    "guest": ("ask",),
}

PEOPLE = (
    ("ana", "Ana Ruiz", "agent"),
    ("kim", "Kim Sørensen", "knowledge_owner"),
    ("sam", "Sam Whitlock", "supervisor"),
    ("ada", "Ada Moreau", "admin"),
)


@dataclass
class FakeIdentity:
    """Four people and their rights."""

    actions: dict[str, tuple[str, ...]] = field(default_factory=lambda: dict(ACTIONS))

    def sign_in_choices(self) -> tuple[User, ...]:
        return tuple(self.user(name) for name, _, _ in PEOPLE)

    def user(self, user_id: str) -> User:
        for key, name, role in PEOPLE:
            if key == user_id and key in self.actions:
                return User.model_validate(
                    {
                        "user_id": key,
                        "tenant_id": "athena",
                        "name": name,
                        "email": f"{key}@athena.example",
                        "roles": (role,),
                        "department": "Customer service",
                        "permission_level": "L2",
                    }
                )
        raise NotFound(f"There is no user {user_id!r}.")

    def context_of(self, user_id: str) -> SecurityContext:
        return a_context(user_id, self.actions[user_id])


@dataclass
class FakeOutbox:
    """Counts its rounds."""

    rounds: int = 0

    def run_once(self) -> tuple[OutboxItem, ...]:
        self.rounds += 1
        return ()


@dataclass
class FakeActions:
    """Counts its rounds."""

    rounds: int = 0

    def run_once(self) -> tuple[ActionRecord, ...]:
        self.rounds += 1
        return ()


@dataclass
class FakeOffice:
    """One desk for everybody."""

    the_desk: FakeDesk = field(default_factory=lambda: a_desk())
    identity: FakeIdentity = field(default_factory=FakeIdentity)
    escalations: FakeEscalations = field(default_factory=lambda: some_escalations())
    audit: FakeAudit = field(default_factory=lambda: an_audit())
    the_inspector: FakeInspector = field(default_factory=FakeInspector)
    the_shelf: FakeShelf = field(default_factory=FakeShelf)
    the_evaluation: FakeEvaluation = field(default_factory=FakeEvaluation)
    the_settings: FakeSettings = field(default_factory=FakeSettings)
    outbox: FakeOutbox = field(default_factory=FakeOutbox)
    actions: FakeActions = field(default_factory=FakeActions)

    def desk(self, user_id: str) -> FakeDesk:
        return self.the_desk

    def escalation_desk(self, user_id: str) -> FakeEscalations:
        return self.escalations

    def audit_desk(self, user_id: str) -> FakeAudit:
        return self.audit

    def shelf(self, user_id: str) -> FakeShelf:
        return self.the_shelf

    def inspector(self, user_id: str) -> FakeInspector:
        return self.the_inspector

    def evaluation_desk(self, user_id: str) -> FakeEvaluation:
        return self.the_evaluation

    def settings_desk(self, user_id: str) -> FakeSettings:
        return self.the_settings

    def settings_summary(self) -> dict[str, str]:
        return {"backend": "local"}

    def counters(self) -> Mapping[str, Mapping[str, int]]:
        return {
            "cases": {"new": 2, "in_review": 1},
            "outbox": {"pending": 0},
            "chain_events": {"": 7},
        }
