"""A whole bureau for desk tests: a real database, a scripted co-pilot, people, one case."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import Engine

from core.adapters.sql_review_store import SqlReviewStore
from core.adapters.sql_runs import SqlRunStore
from core.adapters.ulid_ids import UlidIds
from core.models.access import Action, SecurityContext, User
from core.models.review import AuditEvent, Case, CaseEvent, ChecklistItem, Message, OutboxItem
from core.ports_delivery import DeliveryChannel
from core.review.action_tool import StillBorne, as_proposed
from core.review.audit import AuditDesk
from core.review.desk import ReviewDesk
from core.review.escalations import EscalationDesk
from core.review.outbox import ANY_CHANNEL, Outbox
from core.review.rules import DeskRules, OutboxRules
from core.review.send_check import SendCheck
from core.review.store import ReviewStore
from core.review.views import CaseView
from tests.contracts.builders import a_document
from tests.fakes.fixed_clock import FixedClock
from tests.fakes.memory_registry import MemoryRegistry
from tests.fakes.recording_channel import RecordingChannel
from tests.fakes.scripted_copilot import POLICY, ScriptedCopilot

TENANT = "athena"
AGENT: tuple[Action, ...] = ("ask", "review", "send")
SUPERVISOR: tuple[Action, ...] = (*AGENT, "supervise", "take_over_lease")
PEOPLE: Mapping[str, tuple[str, tuple[Action, ...]]] = {
    "ana": ("Ana Ruiz", AGENT),
    "ben": ("Ben Okafor", AGENT),
    "kim": ("Kim Sørensen", ("ask", "own_knowledge")),
    "sam": ("Sam Whitlock", SUPERVISOR),
    "guest": ("Guest", ("ask",)),
}


def a_user(user_id: str = "ana") -> User:
    """One of ``PEOPLE``."""
    return User(
        user_id=user_id,
        tenant_id=TENANT,
        name=PEOPLE[user_id][0],
        email=f"{user_id}@athena.example",
        roles=("supervisor",) if user_id == "sam" else ("agent",),
        department="Customer service",
        permission_level="L2",
    )


def a_context(user_id: str = "ana", **changes: Any) -> SecurityContext:
    """The rights of one of ``PEOPLE``."""
    context = SecurityContext(
        tenant_id=TENANT,
        user_id=user_id,
        roles=a_user(user_id).roles,
        department="Customer service",
        permission_level="L2",
        allowed_acl_policy_ids=("public", "support-internal"),
        allowed_classifications=("public", "internal"),
        actions=PEOPLE[user_id][1],
    )
    return context.model_copy(update=changes)


def a_case(case_id: str = "1042", **changes: Any) -> Case:
    """A new case of low risk by e-mail about a coat."""
    opened = datetime(2026, 11, 30, 7, 0, tzinfo=UTC)
    case = Case(
        case_id=case_id,
        tenant_id=TENANT,
        subject="Coat from the holiday sale",
        customer_id="88",
        customer_name="Maya Lindqvist",
        recipient="maya@mail.example",
        opened_at=opened,
        updated_at=opened,
        messages=(
            Message(message_id="m1", author="customer", at=opened, body="May I return the coat?"),
        ),
        fields={"order": "A-10293", "membership": "Silver"},
        events=(
            CaseEvent(event_id="e1", kind="call", on=date(2026, 11, 29), description="called"),
        ),
        checklist=(ChecklistItem(item_id="c1", label="photo received", done=False),),
    )
    return case.model_copy(update=changes)


@dataclass
class Bureau:
    """Everything the desks share, and doors to them by user."""

    engine: Engine
    clock: FixedClock = field(default_factory=FixedClock)
    ids: UlidIds = field(default_factory=UlidIds)
    rules: DeskRules = field(default_factory=DeskRules)
    outbox_rules: OutboxRules = field(default_factory=OutboxRules)
    registry: MemoryRegistry = field(default_factory=MemoryRegistry)
    contexts: dict[str, SecurityContext] = field(default_factory=dict)
    still_borne: StillBorne = as_proposed

    def __post_init__(self) -> None:
        self.store = SqlReviewStore(self.engine, self.clock)
        self.runs = SqlRunStore(self.engine)
        self.copilot = ScriptedCopilot(self.runs, self.clock, self.ids)
        self.channel = RecordingChannel()
        self.contexts |= {name: a_context(name) for name in PEOPLE if name not in self.contexts}
        policy = a_document(
            POLICY.document_id, text=POLICY.text, title=POLICY.source_title, version="4.2"
        )
        self.registry.put([policy], actor="kim")

    def take_in(self, *cases: Case) -> None:
        """Store new cases."""
        with self.store.write() as txn:
            for case in cases or (a_case(),):
                txn.add_case(case)

    def desk(self, user_id: str = "ana", *, store: ReviewStore | None = None) -> ReviewDesk:
        return ReviewDesk(
            user=a_user(user_id),
            context=self.contexts[user_id],
            store=store or self.store,
            copilot=self.copilot,
            runs=self.runs,
            registry=self.registry,
            clock=self.clock,
            ids=self.ids,
            rules=self.rules,
            still_borne=self.still_borne,
        )

    def board(self, user_id: str = "sam") -> EscalationDesk:
        return EscalationDesk(
            user=a_user(user_id),
            context=self.contexts[user_id],
            store=self.store,
            runs=self.runs,
            copilot=self.copilot,
            clock=self.clock,
            ids=self.ids,
        )

    def audit(self, user_id: str = "sam") -> AuditDesk:
        return AuditDesk(
            user=a_user(user_id),
            context=self.contexts[user_id],
            store=self.store,
            runs=self.runs,
            clock=self.clock,
        )

    def outbox(
        self, channel: DeliveryChannel | None = None, *, store: ReviewStore | None = None
    ) -> Outbox:
        check = self.send_check(lambda user_id: self.contexts[user_id])
        return Outbox(
            store or self.store,
            {ANY_CHANNEL: channel or self.channel},
            self.clock,
            comply_again=check,
            rules=self.outbox_rules,
        )

    def send_check(self, context_of: Callable[[str], SecurityContext]) -> SendCheck:
        return SendCheck(
            self.copilot, self.runs, context_of, registry=self.registry, clock=self.clock
        )

    def later(self, **step: float) -> None:
        """Let time pass."""
        self.clock.advance(timedelta(**step))

    def case(self, case_id: str = "1042") -> Case:
        with self.store.read() as txn:
            case = txn.case(case_id)
        assert case is not None
        return case

    def items(self, case_id: str = "1042") -> tuple[OutboxItem, ...]:
        with self.store.read() as txn:
            return txn.outbox(case_id=case_id)

    def events(self) -> tuple[AuditEvent, ...]:
        with self.store.read() as txn:
            return txn.audit_events(limit=1000)

    def kinds(self) -> list[str]:
        """Audit kinds in chain order."""
        return [event.kind for event in self.events()]


def approve(desk: ReviewDesk, view: CaseView, **changes: Any) -> CaseView:
    """Approve exactly what the view shows."""
    assert view.draft is not None
    seen = {
        "draft_id": view.draft.draft_id,
        "text_hash": view.draft.text_hash,
        "case_version": view.case.version,
    }
    return desk.approve(view.case.case_id, **{**seen, **changes})


def edit(desk: ReviewDesk, view: CaseView, text: str) -> CaseView:
    """Check in an edit on top of what the view shows."""
    assert view.draft is not None
    return desk.submit_edit(
        view.case.case_id,
        base_draft_id=view.draft.draft_id,
        text=text,
        case_version=view.case.version,
    )
