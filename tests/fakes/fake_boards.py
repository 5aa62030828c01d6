"""Escalations, audit and inspector in memory. Unknown ids raise ``NotFound``."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from core.errors import CountersignError, NotFound
from core.models.action import ActionRecord
from core.models.evidence import GatedPassage, GateThresholds
from core.models.review import (
    AuditEvent,
    Disposition,
    Escalation,
)
from core.models.trace import PipelineRun
from core.review.replay import Replay, ReplayedPassage, Standing
from core.review.views import (
    ChainState,
    DecisionRow,
    DecisionView,
    EscalationRow,
    EscalationView,
)
from tests.pages.builders import DRAFT, NOW, a_case, a_draft, digest
from tests.pages.run_builders import a_run
from tests.pages.view_builders import conflict_card, evidence_cards


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
    decided: tuple[ActionRecord, ...] = ()
    chain: ChainState = field(
        default_factory=lambda: ChainState(ok=True, events=18204, head="9f" * 32)
    )
    exports: list[str] = field(default_factory=list)
    broken: CountersignError | None = None
    standing: Standing = "word for word"

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

    def actions(self, case_id: str | None = None) -> tuple[ActionRecord, ...]:
        return self.decided

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

    def replay(self, trace_id: str) -> Replay:
        return Replay(
            trace_id=trace_id,
            question="How long can I return the coat?",
            index_version="1:12",
            queries=("how long can I return the coat",),
            passages=(
                ReplayedPassage(
                    chunk_id="returns-policy-4.2::0001",
                    document_id="returns-policy-4.2",
                    source_id="returns-policy",
                    title="Return policy",
                    evidence_id="EVID-0001",
                    standing=self.standing,
                    found_again=True,
                ),
            ),
        )

    def export(self, format: Any) -> bytes:
        self.exports.append(format)
        return b"disposition_id,kind\nd1,approve\n"


@dataclass
class FakeInspector:
    """Answers every question with the coat run."""

    asked: list[str] = field(default_factory=list)
    broken: CountersignError | None = None
    held: PipelineRun | None = None

    slow: bool = False
    """Whether a question goes on until somebody stops it."""
    about: str = ""
    is_stopping: bool = False

    def begin(self, question: str, *, at: Any = None, output_form: str = "chat_reply") -> None:
        if self.broken:
            raise self.broken
        self.asked.append(question)
        self.about = question

    def under_way(self) -> FakeInspector | None:
        return self if self.about else None

    def finished(self, wait: float = 0.0) -> PipelineRun | None:
        if not self.about or (self.slow and not self.is_stopping):
            return None
        question, self.about, self.is_stopping = self.about, "", False
        return a_run(question=question)

    def stop(self) -> None:
        self.is_stopping = True

    def get(self, trace_id: str) -> PipelineRun | None:
        if self.held is not None and trace_id == self.held.trace.trace_id:
            return self.held
        return a_run(trace_id) if trace_id in ("trace_1", "trace_2") else None

    def recent(self) -> tuple[tuple[str, str, datetime], ...]:
        earlier = (("trace_2", "How long for a sweater?", NOW),)
        return (*(("trace_1", q, NOW) for q in self.asked[-1:]), *earlier)

    def reroute(self, run: PipelineRun, thresholds: GateThresholds) -> tuple[GatedPassage, ...]:
        return tuple(
            g.model_copy(
                update={"route": "exclude", "rule": "not_relevant", "reason": "below the threshold"}
            )
            if g.route == "include" and g.probability("relevant") < thresholds.relevant_min
            else g
            for g in run.gated
        )


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
