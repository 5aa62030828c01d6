"""How the proposed actions of a case stand for one user, in words."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from core.models.access import SecurityContext
from core.models.action import ActionProposal, ActionRecord
from core.models.review import Case, DraftVersion, Lease
from core.models.trace import PipelineRun
from core.ports import RunStore
from core.review.access import visible_run
from core.review.rules import REVIEW_STATES
from core.review.store import ReviewTransaction
from core.review.views import ActionView
from core.review.workplace import Workplace
from core.text.refund_due import amount

PROPOSED = "action.proposed"


def action_views(
    place: Workplace, case: Case, lease: Lease | None, run: PipelineRun | None
) -> tuple[ActionView, ...]:
    """The proposals of the current draft, then what was decided on before and moved on."""
    proposals = run.proposals if run else ()
    with place.store.read() as txn:
        before = txn.actions(case_id=case.case_id)
        decided = {p.proposal_id: txn.action(case.tenant_id, p.proposal_id) for p in proposals} | {
            record.proposal_id: record for record in before
        }
    open_here = case.state in REVIEW_STATES and place.mine(lease)
    trace_id = run.trace.trace_id if run else ""
    shown = [
        _view(place, case, p, decided[p.proposal_id], trace_id, open_here=open_here)
        for p in proposals
    ]
    known = {proposal.proposal_id for proposal in proposals}
    moved_on = [r for r in before if r.proposal_id not in known and _worth_showing(r)]
    seen = [seen_action(record, place.runs, place.context) for record in moved_on]
    shown += [_view(place, case, r.proposal, r, trace_id, open_here=False) for r in seen]
    return tuple(shown)


def note_proposals(
    place: Workplace,
    txn: ReviewTransaction,
    case: Case,
    draft: DraftVersion,
    proposals: Iterable[ActionProposal],
) -> None:
    """An audit event for each action that a new draft proposes, in the draft's transaction."""
    for proposal in proposals:
        place.note(
            txn,
            case,
            PROPOSED,
            proposal_id=proposal.proposal_id,
            tool=proposal.tool,
            arguments=proposal.arguments,
            evidence_ids=list(proposal.evidence_ids),
            draft_id=draft.draft_id,
            trace_id=draft.trace_id,
        )


def seen_action(record: ActionRecord, runs: RunStore, context: SecurityContext) -> ActionRecord:
    """The record as this reader may see it: grounds of a withheld run stay withheld."""
    run = runs.run(record.trace_id)
    if run is not None and visible_run(run, context) is not None:
        return record
    bare = {"reason": "", "evidence_ids": (), "steps": ()}
    return record.model_copy(update={"proposal": record.proposal.model_copy(update=bare)})


def _worth_showing(record: ActionRecord) -> bool:
    return record.state not in ("declined", "taken_back")


def _view(
    place: Workplace,
    case: Case,
    proposal: ActionProposal,
    record: ActionRecord | None,
    trace_id: str,
    *,
    open_here: bool,
) -> ActionView:
    undecided = record is None or _may_decide_again(record, trace_id)
    supervises = "supervise" in place.context.actions
    elsewhere = record is not None and record.case_id != case.case_id
    return ActionView(
        proposal=proposal,
        record=None if record is not None and undecided and elsewhere else record,
        words=_words(record, case, undecided=undecided),
        open=undecided and open_here,
        settled=record is None or record.state not in ("confirmed", "running"),
        blocked_by=_blocked(place, proposal, supervises=supervises) if undecided else (),
        may_pass_bound=supervises,
        take_back_until=_take_back_until(place, record),
        may_settle=supervises and record is not None and record.state == "unknown",
    )


def _may_decide_again(record: ActionRecord, trace_id: str) -> bool:
    if record.state == "declined":
        return record.trace_id != trace_id
    return record.state in ("failed", "taken_back")


def _blocked(place: Workplace, proposal: ActionProposal, *, supervises: bool) -> tuple[str, ...]:
    if "review" not in place.context.actions:
        return ("Your role lets you look at cases, not work on them.",)
    proposed = amount(proposal.arguments.get("amount", ""))
    limit = place.rules.refund_supervisor_above
    if proposal.moves_money and proposed is not None and proposed > limit and not supervises:
        return (f"A refund of more than {limit:.2f} needs a supervisor. Escalate the case.",)
    return ()


def _words(record: ActionRecord | None, case: Case, *, undecided: bool) -> str:
    if record is None:
        return "Proposed. Nothing happens until somebody confirms it."
    where = f" for case {record.case_id}" if record.case_id != case.case_id else ""
    who = f"{record.by_name}{where}"
    return {
        "confirmed": f"Confirmed by {who}; it runs in a moment.{_tried(record)}",
        "running": f"Confirmed by {who}; it is running.",
        "done": f"Done, confirmed by {who}. Receipt: {record.receipt}",
        "failed": (
            f"Failed, nothing was changed: {record.error} "
            "Set right what is wrong and confirm again, or escalate."
        ),
        "unknown": (
            f"Nobody knows whether it was done: {record.error} Look it up there under the key "
            f"{record.idempotency_key[:16]}…; then a supervisor says which it was."
        ),
        "declined": f"{_DECLINED[undecided]} by {who}: {record.reason}",
        "taken_back": f"Taken back by {who} before it ran. It can be confirmed again.",
    }[record.state]


_DECLINED = {False: "Declined", True: "Proposed again. Before, it was declined"}


def _tried(record: ActionRecord) -> str:
    return f" Tried {record.attempts} times: {record.error}" if record.error else ""


def _take_back_until(place: Workplace, record: ActionRecord | None) -> datetime | None:
    if record is None or record.state != "confirmed" or record.attempts:
        return None
    mine = record.by == place.user.user_id
    return record.not_before if mine and record.not_before > place.clock.now() else None
