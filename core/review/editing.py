"""A person's own words: kept while they type, checked on demand, stored as a new draft version."""

from __future__ import annotations

from core.errors import BadInput, NotReady, StaleVersion
from core.models.review import DraftVersion, WorkingEdit
from core.review.access import case_in, next_number, reply_text, require, text_hash
from core.review.cards import conflict_cards
from core.review.checks import draft_findings, text_findings
from core.review.drafting import check_text, claim_counts, current, needed_run, person_draft
from core.review.present import case_view, live_sources, snapshot
from core.review.rules import moved
from core.review.views import CaseView, CheckedText
from core.review.workplace import Workplace, same_version
from core.text.diff import word_diff


def autosave(place: Workplace, case_id: str, *, base_draft_id: str, text: str) -> WorkingEdit:
    """Keep what the user has typed so far. Nothing is checked and no one else's text is touched.

    Works even after the lease was lost: typed words are never thrown away.
    """
    require(place.context, "review")
    if len(text) > place.rules.max_reply_chars:
        raise BadInput(
            f"At most {place.rules.max_reply_chars:,} characters can be kept. Shorten it."
        )
    text_hash(text)
    edit = WorkingEdit(
        case_id=case_id,
        user_id=place.user.user_id,
        base_draft_id=base_draft_id,
        text=text,
        saved_at=place.clock.now(),
    )
    with place.store.write() as txn:
        case = case_in(txn, place.context, case_id)
        _base(txn.draft(base_draft_id), case_id)
        txn.put_working_edit(edit)
        if place.mine(txn.lease(case_id)):
            place.hold(txn, case)
    return edit


def _base(draft: DraftVersion | None, case_id: str) -> DraftVersion:
    if draft is None or draft.case_id != case_id:
        raise BadInput("That draft does not belong to this case. Load the case again.")
    return draft


def discard_edit(place: Workplace, case_id: str) -> None:
    """Throw away the user's own unsaved text."""
    require(place.context, "review")
    with place.store.write() as txn:
        case_in(txn, place.context, case_id)
        txn.drop_working_edit(case_id, place.user.user_id)


def check(place: Workplace, case_id: str, text: str) -> CheckedText:
    """Claims, compliance and difference of ``text``; stores nothing."""
    require(place.context, "review")
    reply_text(text, max_chars=place.rules.max_reply_chars)
    seen = snapshot(place, case_id)
    if seen.draft is None:
        raise NotReady("There is no draft to check against. Open the case first.")
    run = needed_run(place, seen.draft)
    checked = check_text(place, seen.case, run, text)
    copilot = next((d for d in reversed(seen.drafts) if d.kind == "copilot"), seen.draft)
    as_draft = seen.draft.model_copy(update={"kind": "edited", "claims": checked.claims})
    besides = draft_findings(
        as_draft,
        run,
        conflict_cards(run),
        live_sources(place, as_draft, run),
        place.clock.now().date(),
    )
    found = text_findings(text, checked.claims, checked.compliance)
    return CheckedText(
        text=text,
        text_hash=text_hash(text),
        claims=checked.claims,
        compliance=checked.compliance,
        diff=word_diff(copilot.text, text),
        blocking=(*besides, *found.words()),
    )


def submit_edit(
    place: Workplace, case_id: str, *, base_draft_id: str, text: str, case_version: int
) -> CaseView:
    """Check the text and store it as the newest draft, whatever the check says of it.

    Raises ``StaleVersion`` when the case moved on or a newer draft than the base exists. The text
    of the base itself stores nothing.
    """
    require(place.context, "review")
    reply_text(text, max_chars=place.rules.max_reply_chars)
    seen = snapshot(place, case_id)
    moved(seen.case, "edit", place.clock.now())
    same_version(seen.case, case_version)
    base = _base(next((d for d in seen.drafts if d.draft_id == base_draft_id), None), case_id)
    _newest(seen.draft, base)
    run = needed_run(place, base)
    if text == base.text:
        discard_edit(place, case_id)
        return case_view(place, case_id)
    checked = check_text(place, seen.case, run, text)
    with place.store.write() as txn:
        case = case_in(txn, place.context, case_id)
        changed = moved(case, "edit", place.clock.now())
        same_version(case, case_version)
        place.hold(txn, case)
        _newest(current(txn, case_id), base)
        number = next_number(txn.drafts(case_id))
        draft = person_draft(
            base,
            text,
            checked,
            draft_id=place.ids.new("draft"),
            number=number,
            kind="edited",
            by=place.user.user_id,
            at=place.clock.now(),
        )
        txn.add_draft(draft)
        txn.save_case(changed, expected_version=case_version)
        txn.drop_working_edit(case_id, place.user.user_id)
        place.note(
            txn,
            case,
            "case.edited",
            draft_id=draft.draft_id,
            base_draft_id=base.draft_id,
            number=number,
            text_hash=draft.text_hash,
            claims=claim_counts(checked.claims),
            compliance=checked.compliance.decision,
            state=changed.state,
        )
    return case_view(place, case_id)


def _newest(newest: DraftVersion | None, base: DraftVersion) -> None:
    if newest is None or newest.draft_id != base.draft_id:
        raise StaleVersion(
            "A newer draft was written since you began to edit. Your text is kept; compare the two "
            "and check it in on top of the newer one."
        )
