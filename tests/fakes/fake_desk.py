"""A reply desk in memory. It refuses what the real one would: a stale hash, open checks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from core.errors import CountersignError, NotFound, NotReady, StaleVersion
from core.models.review import (
    Case,
    CaseState,
    DraftVersion,
    SourceFlag,
    WorkingEdit,
)
from core.review.views import (
    CaseView,
    CheckedText,
    QueueRow,
)
from tests.pages.builders import (
    DRAFT,
    NOW,
    a_case,
    a_compliance,
    a_draft,
    a_ledger,
    claims_of,
    digest,
)
from tests.pages.run_builders import a_run
from tests.pages.view_builders import a_view


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

    def confirm_action(self, case_id: str, **carried: Any) -> CaseView:
        return self._noted("confirm_action", case_id, **carried)

    def decline_action(self, case_id: str, **carried: Any) -> CaseView:
        return self._noted("decline_action", case_id, **carried)

    def take_back_action(self, case_id: str, **carried: Any) -> CaseView:
        return self._noted("take_back_action", case_id, **carried)

    def settle_action(self, case_id: str, **carried: Any) -> CaseView:
        return self._noted("settle_action", case_id, **carried)

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
