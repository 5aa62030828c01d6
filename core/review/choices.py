"""What a reviewer does with evidence: open it, use it after all, leave it out, flag it."""

from __future__ import annotations

from core.errors import BadInput, NotAllowed, NotFound, NotReady
from core.models.evidence import GatedPassage
from core.models.review import Case, SourceFlag
from core.models.trace import PipelineRun
from core.review.access import case_in, given, record, require
from core.review.cards import instructs_the_model
from core.review.drafting import LEFT_OUT, USED, current, new_draft, run_of
from core.review.present import case_view, snapshot
from core.review.rules import moved
from core.review.store import ReviewTransaction
from core.review.views import CaseView
from core.review.workplace import Workplace


def mark_opened(place: Workplace, case_id: str, item_id: str) -> None:
    """Remember that the user opened an evidence card, a conflict or a check of the current draft.

    Raises ``BadInput`` for an id the case does not show: nothing is opened by guessing.
    """
    require(place.context, "review")
    view = case_view(place, case_id)
    shown = {card.evidence_id for card in view.evidence}
    shown |= {card.conflict_id for card in view.conflicts}
    shown |= {check.check_id for check in view.checks}
    if view.draft is None or item_id not in shown:
        raise BadInput(f"{item_id!r} is nothing that can be opened on case {case_id}.")
    with place.store.write() as txn:
        case = case_in(txn, place.context, case_id)
        txn.add_opened(case_id, place.user.user_id, view.draft.draft_id, item_id, place.clock.now())
        if place.mine(txn.lease(case_id)):
            place.hold(txn, case)


def redraft(place: Workplace, case_id: str, *, reason: str = "") -> CaseView:
    """A new co-pilot draft beside the old ones. What a person is typing stays as it is."""
    require(place.context, "review")
    with place.store.write() as txn:
        case = _reviewed(place, txn, case_id)
    new_draft(place, case, reason=reason.strip())
    return case_view(place, case_id)


def _reviewed(place: Workplace, txn: ReviewTransaction, case_id: str) -> Case:
    """The case, if the user may have it drafted again now; takes or renews the lease."""
    case = case_in(txn, place.context, case_id)
    moved(case, "redraft", place.clock.now())
    place.hold(txn, case)
    return case


def use_left_out(place: Workplace, case_id: str, *, chunk_id: str, reason: str) -> CaseView:
    """Have a left-out passage used and draft again. What tries to instruct the model stays out."""
    require(place.context, "review")
    reason = given(reason, "why this passage should be used")
    found = _passage(place, case_id, chunk_id)
    if instructs_the_model(found):
        raise NotAllowed("This passage tries to instruct the model; it stays out.")
    return _choose(place, case_id, found, reason, USED)


def not_this_one(place: Workplace, case_id: str, *, chunk_id: str, reason: str) -> CaseView:
    """Have a passage left out and draft again; its owner is told why."""
    require(place.context, "review")
    reason = given(reason, "why this passage should be left out")
    return _choose(place, case_id, _passage(place, case_id, chunk_id), reason, LEFT_OUT)


def _choose(
    place: Workplace, case_id: str, found: GatedPassage, reason: str, kind: str
) -> CaseView:
    with place.store.write() as txn:
        case = _reviewed(place, txn, case_id)
        candidate = found.candidate
        place.note(
            txn,
            case,
            kind,
            chunk_id=candidate.chunk_id,
            document_id=candidate.document_id,
            source_id=candidate.source_id,
            reason=reason,
        )
        if kind == LEFT_OUT:
            _flag(place, txn, case, found, claim="", reason=f"Left out by a reviewer: {reason}")
    new_draft(place, case, reason=reason)
    return case_view(place, case_id)


def flag(place: Workplace, case_id: str, *, chunk_id: str, claim: str, reason: str) -> SourceFlag:
    """Tell the owner of a passage what is wrong with it. Opens work for them; changes no draft."""
    require(place.context, "review")
    reason = given(reason, "what is wrong with this passage")
    found = _passage(place, case_id, chunk_id)
    with place.store.write() as txn:
        case = case_in(txn, place.context, case_id)
        return _flag(place, txn, case, found, claim=claim.strip(), reason=reason)


def _flag(
    place: Workplace,
    txn: ReviewTransaction,
    case: Case,
    found: GatedPassage,
    *,
    claim: str,
    reason: str,
) -> SourceFlag:
    raised = SourceFlag(
        flag_id=place.ids.new("flag"),
        tenant_id=case.tenant_id,
        source_id=found.candidate.source_id,
        document_id=found.candidate.document_id,
        chunk_id=found.candidate.chunk_id,
        case_id=case.case_id,
        claim=claim,
        reason=reason,
        raised_by=place.user.user_id,
        raised_at=place.clock.now(),
    )
    txn.add_flag(raised)
    record(
        txn,
        place.user,
        "source.flagged",
        raised.source_id,
        subject_kind="source",
        flag_id=raised.flag_id,
        document_id=raised.document_id,
        chunk_id=raised.chunk_id,
        case_id=case.case_id,
        claim=claim,
        reason=reason,
    )
    return raised


def _passage(place: Workplace, case_id: str, chunk_id: str) -> GatedPassage:
    """The passage among those the run found and this user may see."""
    with place.store.read() as txn:
        case_in(txn, place.context, case_id)
        draft = current(txn, case_id)
    run = run_of(place, draft)
    for found in run.gated if run else ():
        if found.candidate.chunk_id == chunk_id:
            return found
    raise NotFound(f"Case {case_id} has no passage {chunk_id!r} you may see.")


def trace_json(place: Workplace, case_id: str) -> str:
    """The record of the run behind the current draft, as JSON."""
    return _run(place, case_id).trace.model_dump_json(indent=2)


def ledger_json(place: Workplace, case_id: str) -> str:
    """The citation ledger of exactly the current draft, as JSON with the contract's keys."""
    require(place.context, "review", "supervise", "administer")
    _run(place, case_id)
    draft = snapshot(place, case_id).draft
    if draft is None or draft.ledger is None:
        raise NotReady(f"The draft of case {case_id} has no ledger: the co-pilot did not finish.")
    return draft.ledger.model_dump_json(indent=2)


def _run(place: Workplace, case_id: str) -> PipelineRun:
    require(place.context, "review", "supervise", "administer")
    run = run_of(place, snapshot(place, case_id).draft)
    if run is None:
        raise NotFound(f"Case {case_id} has no draft whose record you may see.")
    return run
