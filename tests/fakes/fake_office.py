"""An office of made-up desks: enough behaviour to drive every page without a store.

It fails closed: an unknown case, user or escalation raises ``NotFound``, and approval refuses what
the real desk would refuse (a stale hash, open checks).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from core.errors import CountersignError, NotFound, NotReady, StaleVersion
from core.models.access import SecurityContext, User
from core.models.evidence import GatedPassage, GateThresholds
from core.models.review import (
    AuditEvent,
    Case,
    CaseState,
    Disposition,
    DraftVersion,
    Escalation,
    OutboxItem,
    SourceFlag,
    WorkingEdit,
)
from core.models.trace import PipelineRun
from core.review.views import (
    CaseView,
    ChainState,
    CheckedText,
    DecisionRow,
    DecisionView,
    EscalationRow,
    EscalationView,
    QueueRow,
)
from tests.fakes.fake_shelf import FakeShelf
from tests.pages.builders import (
    DRAFT,
    NOW,
    a_case,
    a_compliance,
    a_context,
    a_draft,
    a_ledger,
    a_run,
    a_view,
    claims_of,
    conflict_card,
    digest,
    evidence_cards,
)

ACTIONS: dict[str, tuple[str, ...]] = {
    "ana": ("ask", "review", "send"),
    "kim": ("ask", "own_knowledge"),
    "sam": ("ask", "review", "send", "supervise", "take_over_lease"),
    "guest": ("ask",),
}
PEOPLE = (
    ("ana", "Ana Ruiz", "agent"),
    ("kim", "Kim Sørensen", "knowledge_owner"),
    ("sam", "Sam Whitlock", "supervisor"),
)


@dataclass
class Counts:
    """Numbers over the queue."""

    mine: int
    open: int
    back: int


@dataclass
class FakeDesk:
    """Cases in memory. ``calls`` remembers every write with what it carried."""

    cases: dict[str, Case] = field(default_factory=dict)
    drafts: dict[str, DraftVersion] = field(default_factory=dict)
    edits: dict[str, WorkingEdit] = field(default_factory=dict)
    opened: dict[str, set[str]] = field(default_factory=dict)
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    views: dict[str, CaseView] = field(default_factory=dict)
    broken: CountersignError | None = None
    undo_until: datetime | None = None

    def queue(
        self,
        *,
        channel: str | None = None,
        risk: str | None = None,
        states: Sequence[CaseState] | None = None,
        search: str = "",
    ) -> tuple[QueueRow, ...]:
        self._ready()
        return tuple(
            QueueRow(
                case_id=c.case_id,
                subject=c.subject,
                customer=c.customer_name or "",
                channel=c.channel,
                risk=c.risk,
                state=c.state,
                waiting_since=c.updated_at,
                held_by="Ana Ruiz" if c.case_id == "1042" else None,
                mine=c.case_id == "1042",
                warning="conflict" if c.case_id == "1043" else "",
            )
            for c in self.cases.values()
            if c.state in ("new", "drafted", "in_review", "edited")
            and (channel is None or c.channel == channel)
            and (risk is None or c.risk == risk)
            and search.lower() in f"{c.subject} {c.customer_name} {c.case_id}".lower()
        )

    def counts(self) -> Counts:
        return Counts(mine=1, open=len(self.queue()), back=1)

    def view(self, case_id: str) -> CaseView:
        self._ready()
        if case_id in self.views:
            return self.views[case_id]
        case = self._case(case_id)
        draft = self.drafts.get(case_id) or a_draft(case_id)
        read = tuple(self.opened.get(case_id, ()))
        changes: dict[str, object] = {
            "draft": draft,
            "claims": draft.claims,
            "working_edit": self.edits.get(case_id),
            "undo_until": self.undo_until,
        }
        bad = [c for c in draft.claims if c.support_status == "contradicted"]
        if bad:
            changes |= {"can_approve": False, "approve_blocked_by": (bad[0].reasons[0],)}
        return a_view(case, opened=read, **changes)

    def open(self, case_id: str) -> CaseView:
        self.calls.append(("open", {"case_id": case_id}))
        return self.view(case_id)

    def redraft(self, case_id: str, *, reason: str = "") -> CaseView:
        return self._noted("redraft", case_id, reason=reason)

    def mark_opened(self, case_id: str, item_id: str) -> None:
        self.opened.setdefault(case_id, set()).add(item_id)
        self.calls.append(("mark_opened", {"case_id": case_id, "item_id": item_id}))

    def autosave(self, case_id: str, *, base_draft_id: str, text: str) -> WorkingEdit:
        edit = WorkingEdit(
            case_id=case_id,
            user_id="ana",
            base_draft_id=base_draft_id,
            text=text,
            saved_at=datetime.now(UTC),
        )
        self.edits[case_id] = edit
        return edit

    def discard_edit(self, case_id: str) -> None:
        self.edits.pop(case_id, None)

    def check(self, case_id: str, text: str) -> CheckedText:
        claims = claims_of(text)
        old, new = DRAFT.split(" "), text.split(" ")
        diff: list[tuple[str, str]] = []
        for was, now in zip(old, new, strict=False):
            diff += (
                [("same", was + " ")] if was == now else [("removed", was), ("added", now + " ")]
            )
        blocking = tuple(c.reasons[0] for c in claims if c.support_status == "contradicted")
        return CheckedText.model_validate(
            {
                "text": text,
                "text_hash": digest(text),
                "claims": claims,
                "compliance": a_compliance(text),
                "diff": tuple(diff),
                "blocking": blocking,
            }
        )

    def submit_edit(
        self, case_id: str, *, base_draft_id: str, text: str, case_version: int
    ) -> CaseView:
        case = self._case(case_id)
        if case.version != case_version:
            raise StaleVersion(f"Case {case_id} has changed since you opened it.")
        self.drafts[case_id] = a_draft(
            case_id, text, draft_id=f"draft_{case_id}_2", number=2, kind="edited", created_by="ana"
        )
        self.edits.pop(case_id, None)
        self._bump(case, "edited")
        return self._noted("submit_edit", case_id, text=text)

    def approve(
        self,
        case_id: str,
        *,
        draft_id: str,
        text_hash: str,
        case_version: int,
        override_reason: str = "",
    ) -> CaseView:
        view = self.view(case_id)
        if (
            view.draft is None
            or view.draft.text_hash != text_hash
            or view.case.version != case_version
        ):
            raise StaleVersion(f"Case {case_id} has a newer draft than the one you read.")
        if not view.can_approve and not override_reason:
            raise NotReady("This reply is not ready to send.", view.approve_blocked_by)
        self._bump(view.case, "approved")
        self.undo_until = datetime.now(UTC) + timedelta(seconds=10)
        return self._noted("approve", case_id, text_hash=text_hash, reason=override_reason)

    def undo(self, case_id: str) -> CaseView:
        self._bump(self._case(case_id), "in_review")
        return self._noted("undo", case_id)

    def escalate(self, case_id: str, **carried: Any) -> CaseView:
        self._bump(self._case(case_id), "escalated")
        return self._noted("escalate", case_id, **carried)

    def ask_customer(self, case_id: str, **carried: Any) -> CaseView:
        self._bump(self._case(case_id), "awaiting_customer")
        return self._noted("ask_customer", case_id, **carried)

    def refuse(self, case_id: str, **carried: Any) -> CaseView:
        self._bump(self._case(case_id), "refused")
        return self._noted("refuse", case_id, **carried)

    def reject(self, case_id: str, **carried: Any) -> CaseView:
        return self._noted("reject", case_id, **carried)

    def release(self, case_id: str) -> None:
        self._noted("release", case_id)

    def take_over(self, case_id: str) -> CaseView:
        self.views.pop(case_id, None)
        return self._noted("take_over", case_id)

    def use_left_out(self, case_id: str, *, chunk_id: str, reason: str) -> CaseView:
        return self._noted("use_left_out", case_id, chunk_id=chunk_id, reason=reason)

    def not_this_one(self, case_id: str, *, chunk_id: str, reason: str) -> CaseView:
        return self._noted("not_this_one", case_id, chunk_id=chunk_id, reason=reason)

    def flag(self, case_id: str, *, chunk_id: str, claim: str, reason: str) -> SourceFlag:
        self.calls.append(("flag", {"chunk_id": chunk_id, "reason": reason}))
        return SourceFlag(
            flag_id="flag_1",
            tenant_id="athena",
            source_id="returns",
            document_id="returns@4.2",
            chunk_id=chunk_id,
            case_id=case_id,
            claim=claim,
            reason=reason,
            raised_by="ana",
            raised_at=NOW,
        )

    def trace_json(self, case_id: str) -> str:
        return a_run().trace.model_dump_json()

    def ledger_json(self, case_id: str) -> str:
        return a_ledger().model_dump_json()

    def _ready(self) -> None:
        if self.broken is not None:
            raise self.broken

    def _case(self, case_id: str) -> Case:
        if case_id not in self.cases:
            raise NotFound(f"There is no case {case_id}.")
        return self.cases[case_id]

    def _bump(self, case: Case, state: CaseState) -> None:
        self.cases[case.case_id] = case.model_copy(
            update={"state": state, "version": case.version + 1}
        )

    def _noted(self, name: str, case_id: str, **carried: Any) -> CaseView:
        self.calls.append((name, {"case_id": case_id, **carried}))
        return self.view(case_id)


@dataclass
class FakeIdentity:
    """Three people and their rights."""

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
class FakeEscalations:
    """One escalation."""

    items: dict[str, Escalation] = field(default_factory=dict)
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    broken: CountersignError | None = None

    def rows(self, state: str = "open") -> tuple[EscalationRow, ...]:
        if self.broken:
            raise self.broken
        return tuple(
            EscalationRow(
                escalation=e,
                subject="Second chargeback",
                customer="Derek Cole",
                overdue=e.due_at < NOW,
            )
            for e in self.items.values()
            if e.state == state
        )

    def view(self, escalation_id: str) -> EscalationView:
        if escalation_id not in self.items:
            raise NotFound(f"There is no escalation {escalation_id}.")
        item = self.items[escalation_id]
        return EscalationView(
            escalation=item,
            case=a_case(item.case_id, subject="Second chargeback", state="escalated"),
            draft=a_draft(item.case_id),
            run=a_run(),
            evidence=evidence_cards(),
            conflicts=(conflict_card(),),
            history=(),
        )

    def resolve(self, escalation_id: str, *, answer: str) -> EscalationView:
        return self._close(escalation_id, "resolved", "resolve", answer=answer)

    def send_back(self, escalation_id: str, *, note: str) -> EscalationView:
        return self._close(escalation_id, "returned", "send_back", note=note)

    def reassign(self, escalation_id: str, *, to: str) -> EscalationView:
        self.items[escalation_id] = self.items[escalation_id].model_copy(update={"assigned_to": to})
        self.calls.append(("reassign", {"to": to}))
        return self.view(escalation_id)

    def _close(self, escalation_id: str, state: str, name: str, **carried: Any) -> EscalationView:
        self.items[escalation_id] = self.items[escalation_id].model_copy(update={"state": state})
        self.calls.append((name, carried))
        return self.view(escalation_id)


@dataclass
class FakeAudit:
    """One approval of an edited reply, and a chain that holds."""

    made: tuple[Disposition, ...] = ()
    chain: ChainState = field(
        default_factory=lambda: ChainState(ok=True, events=18204, head="9f" * 32)
    )
    exports: list[str] = field(default_factory=list)
    broken: CountersignError | None = None

    def decisions(self, **filters: Any) -> tuple[DecisionRow, ...]:
        if self.broken:
            raise self.broken
        person, kind = filters.get("person"), filters.get("kind")
        return tuple(
            DecisionRow(
                disposition=d,
                subject="Coat from the holiday sale",
                actor_name="Ana Ruiz",
                sources=("Return policy 4.2",),
                status="sent",
            )
            for d in self.made
            if person in (None, "", d.by) and kind in (None, "", d.kind)
        )

    def decision(self, disposition_id: str) -> DecisionView:
        made = next((d for d in self.made if d.disposition_id == disposition_id), None)
        if made is None:
            raise NotFound(f"There is no decision {disposition_id}.")
        return DecisionView(
            disposition=made,
            case=a_case(state="sent"),
            draft=a_draft(number=2, kind="edited", created_by="ana"),
            copilot_draft=a_draft(),
            diff=(
                ("same", "You can return the coat within "),
                ("removed", "60"),
                ("added", "45"),
                ("same", " days."),
            ),
            passages=evidence_cards(),
            conflicts=(conflict_card(opened=True),),
            trace=a_run().trace,
            outbox=None,
            events=self.events(),
        )

    def events(self, *, after_seq: int = 0, limit: int = 200) -> tuple[AuditEvent, ...]:
        return tuple(
            AuditEvent(
                seq=seq,
                at=NOW,
                tenant_id="athena",
                actor="ana",
                kind=kind,
                subject_kind="case",
                subject_id="1042",
                prev_hash="0" * 64,
                hash="9f" * 32,
            )
            for seq, kind in enumerate(("case.drafted", "case.approved"), after_seq + 1)
        )[:limit]

    def verify(self) -> ChainState:
        return self.chain

    def export(self, format: Any) -> bytes:
        self.exports.append(format)
        return b"disposition_id,kind\nd1,approve\n"


@dataclass
class FakeInspector:
    """Answers every question with the coat run."""

    asked: list[str] = field(default_factory=list)
    broken: CountersignError | None = None

    def run(self, question: str, *, at: Any = None, output_form: str = "chat_reply") -> PipelineRun:
        if self.broken:
            raise self.broken
        self.asked.append(question)
        return a_run(question=question)

    def get(self, trace_id: str) -> PipelineRun | None:
        return a_run(trace_id) if trace_id == "trace_1" else None

    def recent(self) -> tuple[tuple[str, str, datetime], ...]:
        return tuple(("trace_1", q, NOW) for q in self.asked[-1:])

    def reroute(self, run: PipelineRun, thresholds: GateThresholds) -> tuple[GatedPassage, ...]:
        return tuple(
            g.model_copy(
                update={"route": "exclude", "rule": "not_relevant", "reason": "below the threshold"}
            )
            if g.route == "include" and g.scores.relevant < thresholds.relevant_min
            else g
            for g in run.gated
        )


@dataclass
class FakeOutbox:
    """Counts its rounds."""

    rounds: int = 0

    def run_once(self) -> tuple[OutboxItem, ...]:
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
    outbox: FakeOutbox = field(default_factory=FakeOutbox)

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

    def settings_summary(self) -> dict[str, str]:
        return {"backend": "local"}

    def counters(self) -> Mapping[str, Mapping[str, int]]:
        return {
            "cases": {"new": 2, "in_review": 1},
            "outbox": {"pending": 0},
            "chain_events": {"": 7},
        }


def a_desk(*cases: Case, **changes: Any) -> FakeDesk:
    """A desk with these cases, or a handful of its own."""
    held = cases or (
        a_case(),
        a_case(
            "1043", subject="Match Best Buy?", customer_name="Derek Cole", risk="low", channel="web"
        ),
        a_case("1044", subject="Points after a return", customer_name="Priya N.", risk="low"),
        a_case("1045", subject="保修期多久？", customer_name="王芳", risk="high", channel="slack"),
    )
    return FakeDesk(cases={c.case_id: c for c in held}, **changes)


def an_empty_desk() -> FakeDesk:
    """A desk with nothing to do."""
    return FakeDesk()


def some_escalations() -> FakeEscalations:
    """One open escalation past its clock, one with time left."""
    return FakeEscalations(
        items={
            e.escalation_id: e
            for e in (
                Escalation(
                    escalation_id="esc_1",
                    case_id="1050",
                    reason="policy_exception",
                    missing="a signed exception for regional stores",
                    note="Second event within 90 days.",
                    raised_by="ana",
                    assigned_to="sam",
                    raised_at=NOW - timedelta(hours=30),
                    due_at=NOW - timedelta(hours=6),
                    draft_id="draft_1050_1",
                    trace_id="trace_1",
                ),
                Escalation(
                    escalation_id="esc_2",
                    case_id="1051",
                    reason="conflicting_sources",
                    raised_by="ben",
                    raised_at=NOW - timedelta(hours=2),
                    due_at=NOW + timedelta(hours=22),
                ),
            )
        }
    )


def an_audit() -> FakeAudit:
    """One approval and one escalation."""
    return FakeAudit(
        made=(
            Disposition(
                disposition_id="d1",
                case_id="1042",
                kind="approve",
                draft_id="draft_1042_2",
                text_hash=digest(DRAFT),
                by="ana",
                at=NOW - timedelta(minutes=30),
                opened_items=("EVID-0001", "conflict-1"),
                seconds_to_decide=48.0,
            ),
            Disposition(
                disposition_id="d2",
                case_id="1050",
                kind="escalate",
                by="ben",
                at=NOW - timedelta(hours=5),
                reason="policy_exception",
                to="sam",
            ),
        )
    )
