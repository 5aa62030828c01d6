"""The reply desk: everything an agent can do with cases. What pages and the command line call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.models.access import SecurityContext, User
from core.models.review import CaseState, EscalationReason, SourceFlag, WorkingEdit
from core.ports import Clock, DocumentRegistry, Ids, RunStore
from core.review import actions, choices, decisions, editing, handing_on, leases, present, queue
from core.review.action_tool import StillBorne, as_proposed
from core.review.copilot import Copilot
from core.review.queue import QueueCounts
from core.review.rules import DeskRules
from core.review.store import ReviewStore
from core.review.views import CaseView, CheckedText, QueueRow
from core.review.workplace import Workplace


class ReviewDesk:
    """One signed-in user's desk. Keeps nothing but its collaborators, so threads may share it.

    Every method checks the user's rights first (``NotAllowed``); cases of other companies do not
    exist (``NotFound``). ``case_version`` is the version the caller read: when the case moved on
    since, ``StaleVersion`` is raised and nothing changes.
    """

    def __init__(
        self,
        *,
        user: User,
        context: SecurityContext,
        store: ReviewStore,
        copilot: Copilot,
        runs: RunStore,
        registry: DocumentRegistry,
        clock: Clock,
        ids: Ids,
        rules: DeskRules,
        still_borne: StillBorne = as_proposed,
    ) -> None:
        self.user = user
        self._place = Workplace(
            user=user,
            context=context,
            store=store,
            copilot=copilot,
            runs=runs,
            registry=registry,
            clock=clock,
            ids=ids,
            rules=rules,
            still_borne=still_borne,
        )

    def queue(
        self,
        *,
        channel: str | None = None,
        risk: str | None = None,
        states: Sequence[CaseState] | None = None,
        search: str = "",
    ) -> tuple[QueueRow, ...]:
        """Open cases, highest risk and longest waiting first, that match every filter given."""
        return queue.queue(self._place, channel=channel, risk=risk, states=states, search=search)

    def counts(self) -> QueueCounts:
        """Cases that are mine, open, and back."""
        return queue.counts(self._place)

    def view(self, case_id: str) -> CaseView:
        """The case as it is now; changes nothing."""
        return present.case_view(self._place, case_id)

    def open(self, case_id: str) -> CaseView:
        """Take a free case and draft it if need be; somebody else's is shown read-only."""
        return leases.open_case(self._place, case_id)

    def release(self, case_id: str) -> None:
        """Let the case go, for others to take."""
        leases.release(self._place, case_id)

    def take_over(self, case_id: str) -> CaseView:
        """Take the case from whoever has it; they are told, the audit too."""
        return leases.take_over(self._place, case_id)

    def redraft(self, case_id: str, *, reason: str = "") -> CaseView:
        """A new draft beside the old ones; never replaces what a person is typing."""
        return choices.redraft(self._place, case_id, reason=reason)

    def mark_opened(self, case_id: str, item_id: str) -> None:
        """The user opened an evidence card, a conflict or a check (by its id)."""
        choices.mark_opened(self._place, case_id, item_id)

    def autosave(self, case_id: str, *, base_draft_id: str, text: str) -> WorkingEdit:
        """Keep what the user has typed so far."""
        return editing.autosave(self._place, case_id, base_draft_id=base_draft_id, text=text)

    def discard_edit(self, case_id: str) -> None:
        """Throw away the user's own unsaved text."""
        editing.discard_edit(self._place, case_id)

    def check(self, case_id: str, text: str) -> CheckedText:
        """Claims, compliance and difference of a text; stores nothing."""
        return editing.check(self._place, case_id, text)

    def submit_edit(
        self, case_id: str, *, base_draft_id: str, text: str, case_version: int
    ) -> CaseView:
        """Store the text as the newest draft with its own claims, ledger and compliance."""
        return editing.submit_edit(
            self._place, case_id, base_draft_id=base_draft_id, text=text, case_version=case_version
        )

    def approve(
        self,
        case_id: str,
        *,
        draft_id: str,
        text_hash: str,
        case_version: int,
        override_reason: str = "",
    ) -> CaseView:
        """Approve exactly this text and put it into the outbox; ``NotReady`` lists what blocks."""
        return decisions.approve(
            self._place,
            case_id,
            draft_id=draft_id,
            text_hash=text_hash,
            case_version=case_version,
            override_reason=override_reason,
        )

    def undo(self, case_id: str) -> CaseView:
        """Take one's own last decision back within the undo window."""
        return handing_on.undo(self._place, case_id)

    def escalate(
        self,
        case_id: str,
        *,
        reason: EscalationReason,
        to: str = "",
        missing: str = "",
        note: str = "",
        case_version: int,
    ) -> CaseView:
        """Hand the case on with its packet."""
        return handing_on.escalate(
            self._place,
            case_id,
            reason=reason,
            to=to,
            missing=missing,
            note=note,
            case_version=case_version,
        )

    def ask_customer(self, case_id: str, *, question: str, case_version: int) -> CaseView:
        """Send a question to the customer; the case waits for the answer."""
        return decisions.ask_customer(
            self._place, case_id, question=question, case_version=case_version
        )

    def refuse(self, case_id: str, *, reason: str, case_version: int) -> CaseView:
        """Send the standard refusal; the reason stays inside."""
        return decisions.refuse(self._place, case_id, reason=reason, case_version=case_version)

    def reject(self, case_id: str, *, reason: str, case_version: int) -> CaseView:
        """The draft is of no use: the case is new again."""
        return handing_on.reject(self._place, case_id, reason=reason, case_version=case_version)

    def use_left_out(self, case_id: str, *, chunk_id: str, reason: str) -> CaseView:
        """Use a passage that was left out, and draft again."""
        return choices.use_left_out(self._place, case_id, chunk_id=chunk_id, reason=reason)

    def not_this_one(self, case_id: str, *, chunk_id: str, reason: str) -> CaseView:
        """Leave a passage out, tell its owner, and draft again."""
        return choices.not_this_one(self._place, case_id, chunk_id=chunk_id, reason=reason)

    def flag(self, case_id: str, *, chunk_id: str, claim: str, reason: str) -> SourceFlag:
        """Tell the owner of a passage what is wrong with it."""
        return choices.flag(self._place, case_id, chunk_id=chunk_id, claim=claim, reason=reason)

    def confirm_action(
        self,
        case_id: str,
        *,
        proposal_id: str,
        trace_id: str,
        arguments: Mapping[str, str] | None = None,
        override_reason: str = "",
    ) -> CaseView:
        """Have a proposed action carried out, once, with these arguments."""
        return actions.confirm(
            self._place,
            case_id,
            proposal_id=proposal_id,
            trace_id=trace_id,
            arguments=arguments,
            override_reason=override_reason,
        )

    def decline_action(
        self, case_id: str, *, proposal_id: str, trace_id: str, reason: str
    ) -> CaseView:
        """Say that a proposed action is not to be carried out."""
        return actions.decline(
            self._place, case_id, proposal_id=proposal_id, trace_id=trace_id, reason=reason
        )

    def take_back_action(self, case_id: str, *, proposal_id: str) -> CaseView:
        """Take one's own confirmation back within the undo window."""
        return actions.take_back(self._place, case_id, proposal_id=proposal_id)

    def settle_action(self, case_id: str, *, proposal_id: str, done: bool, note: str) -> CaseView:
        """Say whether an action of unknown outcome was done (supervisors)."""
        return actions.settle(self._place, case_id, proposal_id=proposal_id, done=done, note=note)

    def trace_json(self, case_id: str) -> str:
        """The record of the run behind the current draft."""
        return choices.trace_json(self._place, case_id)

    def ledger_json(self, case_id: str) -> str:
        """The citation ledger of the current draft."""
        return choices.ledger_json(self._place, case_id)
