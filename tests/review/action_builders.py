"""A case with a refund proposed, and short ways to decide on it."""

from __future__ import annotations

from typing import Any

from core.models.action import ActionParameter, ActionProposal, ActionRecord
from core.review.action_runner import ActionRunner
from core.review.store import ReviewStore
from core.review.views import CaseView
from tests.fakes.recording_tool import RecordingTool
from tests.review.builders import Bureau

PROPOSAL = ActionProposal(
    proposal_id="act_1",
    tool="start_refund",
    title="Refund of order A-10293",
    arguments={
        "order_id": "A-10293",
        "amount": "112.00",
        "currency": "USD",
        "reason": "return received",
    },
    preview="112.00 USD is paid back to Visa.",
    reason="The return came in.",
    evidence_ids=("EVID-0002",),
    parameters=(
        ActionParameter(name="order_id", label="Order", editable=False),
        ActionParameter(
            name="amount", label="Amount", kind="money", maximum="112.00", ceiling="118.95"
        ),
        ActionParameter(name="currency", label="Currency", editable=False),
        ActionParameter(name="reason", label="Reason"),
    ),
    moves_money=True,
)


def costing(amount: str, ceiling: str = "5000.00") -> ActionProposal:
    """The proposal with another amount, which is also its bound."""
    money = PROPOSAL.parameters[1].model_copy(update={"maximum": amount, "ceiling": ceiling})
    parameters = (PROPOSAL.parameters[0], money, *PROPOSAL.parameters[2:])
    arguments = {**PROPOSAL.arguments, "amount": amount}
    return PROPOSAL.model_copy(update={"arguments": arguments, "parameters": parameters})


def opened(bureau: Bureau, user: str = "ana", proposal: ActionProposal = PROPOSAL) -> CaseView:
    """The case 1042 opened, with the action proposed beside its draft."""
    bureau.copilot.proposals = (proposal,)
    return bureau.desk(user).open("1042")


def confirm(bureau: Bureau, view: CaseView, user: str = "ana", **changes: Any) -> CaseView:
    """Confirm what the view proposes."""
    assert view.run is not None
    seen: dict[str, Any] = {"proposal_id": "act_1", "trace_id": view.run.trace.trace_id}
    return bureau.desk(user).confirm_action(view.case.case_id, **(seen | changes))


def decline(bureau: Bureau, view: CaseView, user: str = "ana") -> CaseView:
    """Decline what the view proposes."""
    assert view.run is not None
    return bureau.desk(user).decline_action(
        view.case.case_id,
        proposal_id="act_1",
        trace_id=view.run.trace.trace_id,
        reason="Paid in the store.",
    )


def runner(
    bureau: Bureau, tool: RecordingTool, *, store: ReviewStore | None = None
) -> ActionRunner:
    """A worker over the bureau's store."""
    return ActionRunner(
        store or bureau.store,
        {tool.name: tool},
        bureau.clock,
        context_of=lambda user_id: bureau.contexts[user_id],
        still_borne=bureau.still_borne,
        rules=bureau.outbox_rules,
    )


def record_of(bureau: Bureau, proposal_id: str = "act_1") -> ActionRecord:
    """What was decided on the proposal."""
    with bureau.store.read() as txn:
        record = txn.action("athena", proposal_id)
    assert record is not None
    return record


def nothing_decided(bureau: Bureau) -> bool:
    """Whether no action is stored."""
    with bureau.store.read() as txn:
        return txn.actions() == ()
