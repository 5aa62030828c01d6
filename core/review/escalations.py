"""The escalation board: what agents handed on, with the packet as they saw it."""

from __future__ import annotations

from core.errors import Conflicted, InvalidTransition, NotAllowed, NotFound, NotReady
from core.models.access import SecurityContext, User
from core.models.review import Case, Disposition, DraftVersion, Escalation
from core.models.trace import PipelineRun
from core.ports import Clock, Ids, RunStore
from core.review.access import (
    case_in,
    current_draft,
    given,
    next_number,
    record,
    reply_text,
    require,
    visible_run,
)
from core.review.cards import conflict_cards, evidence_cards
from core.review.checks import text_findings
from core.review.copilot import Copilot, Rechecked
from core.review.drafting import claim_counts, person_draft
from core.review.rules import DeskRules, Step, may_supervise, moved, recipient_of
from core.review.store import ReviewStore, ReviewTransaction
from core.review.views import EscalationRow, EscalationView

ANSWERED, SENT_BACK = "answered", "sent back"
"""``reason`` of a ``resolve`` disposition."""


class EscalationDesk:
    """One user's board. Supervisors see every escalation, others those that are theirs."""

    def __init__(
        self,
        *,
        user: User,
        context: SecurityContext,
        store: ReviewStore,
        runs: RunStore,
        copilot: Copilot,
        clock: Clock,
        ids: Ids,
        rules: DeskRules | None = None,
    ) -> None:
        self.user = user
        self._context = context
        self._store = store
        self._runs = runs
        self._copilot = copilot
        self._clock = clock
        self._ids = ids
        self._rules = rules or DeskRules()

    def rows(self, state: str = "open") -> tuple[EscalationRow, ...]:
        """Escalations in a state (``""`` for all), earliest due first."""
        require(self._context, "supervise", "administer", "review", "own_knowledge")
        now = self._clock.now()
        with self._store.read() as txn:
            found = []
            for escalation in txn.escalations(self._context.tenant_id, state or None):
                case = txn.case(escalation.case_id)
                if case is None or not self._concerns(escalation):
                    continue
                found.append(
                    EscalationRow(
                        escalation=escalation,
                        subject=case.subject,
                        customer=case.customer_name or case.customer_id or "unknown",
                        overdue=escalation.state == "open" and escalation.due_at < now,
                    )
                )
        return tuple(found)

    def view(self, escalation_id: str) -> EscalationView:
        """The packet: draft, evidence, conflicts and history as the first agent had them."""
        with self._store.read() as txn:
            escalation, case = self._find(txn, escalation_id)
            draft = txn.draft(escalation.draft_id) if escalation.draft_id else None
            history = txn.dispositions(case_id=case.case_id)
        stored = self._runs.run(escalation.trace_id) if escalation.trace_id else None
        run = visible_run(stored, self._context) if stored else None
        today = self._clock.now().date()
        return EscalationView(
            escalation=escalation,
            case=case,
            draft=draft if run is not None else None,
            run=run,
            evidence=evidence_cards(run, draft, today=today) if run else (),
            conflicts=conflict_cards(run) if run else (),
            history=history,
        )

    def resolve(self, escalation_id: str, *, answer: str) -> EscalationView:
        """Answer it: the text becomes the case's newest draft, checked, and waits for approval.

        Raises ``NotReady`` when the evidence says otherwise or the text may not go out.
        """
        answer = reply_text(answer, max_chars=self._rules.max_reply_chars)
        with self._store.read() as txn:
            escalation, case = self._open(txn, escalation_id)
            base = current_draft(txn.drafts(case.case_id))
        moved(case, "answer", self._clock.now())
        if base is None:
            raise NotReady("The case has no draft to answer on. Send it back with a note.")
        run = self._evidence(case, base)
        checked = self._copilot.recheck(
            answer,
            run,
            context=self._context,
            output_form=case.output_form,
            recipient=recipient_of(case),
        )
        if hard := text_findings(answer, checked.claims, checked.compliance).hard:
            raise NotReady("This answer cannot be passed on.", hard)
        with self._store.write() as txn:
            escalation, case = self._still_open(txn, escalation, case)
            draft = self._keep(txn, case, base, run, answer, checked)
            self._settle(txn, escalation, case, "answer", ANSWERED, draft=draft, text=answer)
        return self.view(escalation_id)

    def send_back(self, escalation_id: str, *, note: str) -> EscalationView:
        """Give the case back to the agents with a note."""
        note = given(note, "what the agent should do")
        with self._store.write() as txn:
            escalation, case = self._open(txn, escalation_id)
            self._settle(txn, escalation, case, "send_back", SENT_BACK, text=note)
        return self.view(escalation_id)

    def reassign(self, escalation_id: str, *, to: str) -> EscalationView:
        """Hand it to somebody else; its clock runs on."""
        to = given(to, "to whom")
        with self._store.write() as txn:
            escalation, case = self._open(txn, escalation_id)
            txn.save_escalation(escalation.model_copy(update={"assigned_to": to}))
            record(
                txn,
                self.user,
                "escalation.reassigned",
                case.case_id,
                escalation_id=escalation_id,
                before=escalation.assigned_to,
                after=to,
            )
        return self.view(escalation_id)

    def _concerns(self, escalation: Escalation) -> bool:
        """Whether it is this user's business."""
        mine = {self.user.user_id, self.user.name, self.user.department, *self.user.roles}
        return may_supervise(self._context) or escalation.assigned_to in mine

    def _find(self, txn: ReviewTransaction, escalation_id: str) -> tuple[Escalation, Case]:
        escalation = txn.escalation(escalation_id)
        if escalation is None:
            raise NotFound(f"There is no escalation {escalation_id!r}.")
        case = case_in(txn, self._context, escalation.case_id)
        if not self._concerns(escalation):
            raise NotAllowed("This escalation is for somebody else to decide.")
        return escalation, case

    def _open(self, txn: ReviewTransaction, escalation_id: str) -> tuple[Escalation, Case]:
        escalation, case = self._find(txn, escalation_id)
        if escalation.state != "open":
            raise InvalidTransition(f"Escalation {escalation_id} is {escalation.state} already.")
        return escalation, case

    def _still_open(
        self, txn: ReviewTransaction, seen: Escalation, case: Case
    ) -> tuple[Escalation, Case]:
        escalation, now_case = self._open(txn, seen.escalation_id)
        if escalation != seen or now_case.version != case.version:
            raise Conflicted("The escalation changed while you answered. Load it again.")
        return escalation, now_case

    def _evidence(self, case: Case, base: DraftVersion) -> PipelineRun:
        """A run whose evidence the answer can be checked against; drafted anew if there is none."""
        stored = self._runs.run(base.trace_id)
        run = visible_run(stored, self._context) if stored else None
        if run is None or run.package is None:
            run = self._copilot.draft(case, self._context)
        if run.package is None:
            raise NotReady(
                "The co-pilot cannot check an answer now. Send the case back with a note.",
                (run.trace.failure or "There is no evidence to check against.",),
            )
        return run

    def _keep(
        self,
        txn: ReviewTransaction,
        case: Case,
        base: DraftVersion,
        run: PipelineRun,
        answer: str,
        checked: Rechecked,
    ) -> DraftVersion:
        draft = person_draft(
            base.model_copy(update={"trace_id": run.trace.trace_id}),
            answer,
            checked,
            draft_id=self._ids.new("draft"),
            number=next_number(txn.drafts(case.case_id)),
            kind="edited",
            by=self.user.user_id,
            at=self._clock.now(),
        )
        txn.add_draft(draft)
        return draft

    def _settle(
        self,
        txn: ReviewTransaction,
        escalation: Escalation,
        case: Case,
        step: Step,
        outcome: str,
        *,
        text: str,
        draft: DraftVersion | None = None,
    ) -> None:
        """Close the escalation, put the case back in review and say so, all at once."""
        now = self._clock.now()
        closed = escalation.model_copy(
            update={
                "state": "resolved" if step == "answer" else "returned",
                "resolution": text,
                "resolved_by": self.user.user_id,
                "resolved_at": now,
            }
        )
        decision = Disposition(
            disposition_id=self._ids.new("decision"),
            case_id=case.case_id,
            kind="resolve",
            draft_id=draft.draft_id if draft else None,
            text_hash=draft.text_hash if draft else None,
            by=self.user.user_id,
            at=now,
            reason=outcome,
            note="" if draft else text,
            to=escalation.raised_by,
            seconds_to_decide=(now - escalation.raised_at).total_seconds(),
        )
        txn.save_escalation(closed)
        txn.add_disposition(decision)
        changed = txn.save_case(moved(case, step, now), expected_version=case.version)
        record(
            txn,
            self.user,
            "escalation.resolved" if step == "answer" else "escalation.sent_back",
            case.case_id,
            escalation_id=escalation.escalation_id,
            disposition_id=decision.disposition_id,
            draft_id=decision.draft_id,
            text_hash=decision.text_hash,
            claims=claim_counts(draft.claims) if draft else {},
            note=decision.note,
            state=changed.state,
        )
