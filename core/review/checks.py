"""What stands between a text and approval: findings on the text, and risky items nobody opened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from core.models.compliance import ComplianceDecision, FreshnessWarning
from core.models.draft import GeneratedClaim
from core.models.evidence import EvidenceCandidate
from core.models.review import Case, DraftVersion
from core.models.source import DocumentVersion
from core.models.trace import PipelineRun
from core.review.drafting import failed, stopped_words
from core.review.leaning import leaned_on, risky
from core.review.views import ConflictCard, ReviewCheck
from core.text.dates import absolute_dates
from core.text.markers import strip_markers
from core.text.quantities import find_quantities
from core.text.sides import takes_side

SENTENCE = "value:"
"""Begins the id of a check on one sentence of one text."""

_TERMS = frozenset({"day", "business_day", "week", "month", "year"})


class Findings(NamedTuple):
    """``hard`` findings are never overridden; ``soft`` ones may be, with a reason."""

    hard: tuple[str, ...] = ()
    soft: tuple[str, ...] = ()

    def words(self) -> tuple[str, ...]:
        """All of them, the gravest first."""
        return self.hard + self.soft


def text_findings(
    text: str, claims: Iterable[GeneratedClaim], compliance: ComplianceDecision | None
) -> Findings:
    """What validation and compliance hold against exactly ``text``."""
    hard, soft = [], []
    for claim in claims:
        if claim.support_status == "contradicted":
            hard.append(_claim_words("The evidence says otherwise", claim))
        elif claim.support_status != "supported" and not claim.is_inference:
            soft.append(_claim_words("Not verified", claim))
    return Findings((*hard, *compliance_findings(text, compliance)), tuple(soft))


def _claim_words(lead: str, claim: GeneratedClaim) -> str:
    reason = f" ({claim.reasons[0].rstrip('.')})" if claim.reasons else ""
    return f"{lead}: “{_short(claim.text)}”{reason}."


def compliance_findings(text: str, decision: ComplianceDecision | None) -> tuple[str, ...]:
    """Why ``text`` may not go out as it stands; empty when it may, byte for byte."""
    if decision is None:
        return ("Compliance has not looked at this text yet.",)
    if decision.decision == "DENY":
        return (f"This may not go out: {decision.reason}",)
    found = [f"Must not go out: {finding}." for finding in decision.guard_findings]
    if strip_markers(decision.final_answer_text_after_enforcement) != text:
        redactions = decision.if_partial_allow_redaction_list
        found += [
            f"Must be removed or masked: {item.why_must_remove_or_mask}" for item in redactions
        ] or ["Compliance would send another text than this one. Check the text again."]
    return tuple(found)


def draft_findings(
    draft: DraftVersion,
    run: PipelineRun | None,
    conflicts: Sequence[ConflictCard],
    live: dict[str, DocumentVersion],
    today: date,
) -> tuple[str, ...]:
    """What stands against the draft besides its wording; none of it can be overridden."""
    if run is None:
        return ("The evidence behind this draft cannot be shown to you. Draft again.",)
    if draft.kind == "copilot" and failed(run):
        return (stopped_words(run),)
    return (*_undecided(draft, run, conflicts), *changed_sources(draft, run, live, today))


def _undecided(
    draft: DraftVersion, run: PipelineRun, conflicts: Sequence[ConflictCard]
) -> list[str]:
    """Conflicts no rule decided: where the text takes a side, or is still the co-pilot's own."""
    found = [
        f"The sources disagree (“{_short(card.conflict.side_a)}” against "
        f"“{_short(card.conflict.side_b)}”) and no rule decides. Escalate, or leave it out."
        for card in conflicts
        if not card.conflict.decided and _leans(draft, run, card)
    ]
    if not found and draft.kind == "copilot" and run.answer.status == "conflicting_evidence":
        found.append(
            "The sources disagree and nobody has decided, so this is no answer yet. Escalate, or "
            "write what may be said without it."
        )
    return found


def _leans(draft: DraftVersion, run: PipelineRun, card: ConflictCard) -> bool:
    """Whether a sentence of the text leans on, or in its own words takes, one of the sides."""
    quotes = [span.quote for claim in draft.claims for span in claim.spans]
    sides = [side for side in (card.quote_a, card.quote_b) if side]
    if any(side in quote or quote in side for side in sides for quote in quotes):
        return True
    return any(
        takes_side(claim.text, side)
        for resolution in run.resolutions
        if {
            resolution.contradiction.claim_a.evidence_id,
            resolution.contradiction.claim_b.evidence_id,
        }
        <= set(card.conflict.evidence_ids)
        for side in (resolution.contradiction.claim_a, resolution.contradiction.claim_b)
        for claim in draft.claims
    )


def changed_sources(
    draft: DraftVersion, run: PipelineRun, live: dict[str, DocumentVersion], today: date
) -> tuple[str, ...]:
    """Sources that were withdrawn, replaced or ran out after the draft was written."""
    evidence = run.package.by_id() if run.package else {}
    found = []
    for evidence_id in leaned_on(draft, run):
        candidate = evidence[evidence_id].candidate
        if candidate.retrieval_source in ("record", "case_file", "supplied"):
            continue
        change = _change(candidate, live.get(candidate.document_id), draft.created_at.date(), today)
        if change:
            found.append(
                f"“{candidate.source_title}” {change} since this was written. Draft again."
            )
    return tuple(dict.fromkeys(found))


def _change(
    then: EvidenceCandidate, now: DocumentVersion | None, written: date, today: date
) -> str:
    if now is None:
        return "was withdrawn"
    governance = now.governance
    ends = governance.valid_to
    if ends is not None and written < ends <= today:
        return "ran out"
    rules = (governance.acl_policy_id, governance.classification, governance.permission_tag)
    if rules != (then.acl_policy_id, then.classification, then.permission_tag):
        return "may be read by other people"
    shortened = ends is not None and ends <= today and ends != then.valid_to
    if governance.status != then.status or shortened:
        return "was replaced"
    return "" if then.text in now.text else "was changed"


def review_checks(
    case: Case,
    draft: DraftVersion,
    conflicts: Sequence[ConflictCard],
    warnings: Sequence[FreshnessWarning],
    opened: Iterable[str],
) -> tuple[ReviewCheck, ...]:
    """Risky items to open before approval, and what the machine settled, in reading order.

    Only conflicts, stale or superseded sources the text leans on, and, on cases of medium or high
    risk, sentences with money or dates ask to be opened.
    """
    seen = set(opened)
    findings = text_findings(draft.text, draft.claims, draft.compliance)
    held = compliance_findings(draft.text, draft.compliance)
    open_claims = len(findings.hard) - len(held) + len(findings.soft)
    verified = sum(claim.support_status == "supported" for claim in draft.claims)
    return (
        *(_conflict_check(card) for card in conflicts),
        *_stale_checks(warnings, seen),
        *(_value_checks(draft, seen) if case.risk != "low" else ()),
        ReviewCheck(
            check_id="claims",
            kind="claim",
            label=f"{verified} verified · {open_claims} open",
            done=open_claims == 0,
        ),
        ReviewCheck(
            check_id="compliance",
            kind="compliance",
            label=f"Nothing internal goes out ({case.output_form.replace('_', ' ')})",
            done=not held,
        ),
    )


def _conflict_check(card: ConflictCard) -> ReviewCheck:
    side_a, side_b = _short(card.conflict.side_a), _short(card.conflict.side_b)
    label = f"Read the conflict: “{side_a}” against “{side_b}”"
    return ReviewCheck(check_id=card.conflict_id, kind="conflict", label=label, done=card.opened)


def _stale_checks(warnings: Sequence[FreshnessWarning], seen: set[str]) -> list[ReviewCheck]:
    return [
        ReviewCheck(
            check_id=f"stale:{warning.evidence_id}",
            kind="stale",
            label=f"Open “{warning.title}”: {warning.message}",
            done=not seen.isdisjoint({f"stale:{warning.evidence_id}", warning.evidence_id}),
        )
        for warning in warnings
        if risky(warning)
    ]


def _value_checks(draft: DraftVersion, seen: set[str]) -> list[ReviewCheck]:
    """One check for each sentence with money or dates; opening its passage settles it."""
    return [
        ReviewCheck(
            check_id=f"{SENTENCE}{claim.claim_id}",
            kind="money_or_date",
            label=f"Check against its passage: “{_short(claim.text)}”",
            done=not seen.isdisjoint({f"{SENTENCE}{claim.claim_id}", *claim.evidence_ids}),
        )
        for claim in draft.claims
        if holds_money_or_date(claim.text)
    ]


def holds_money_or_date(sentence: str) -> bool:
    """Whether a sentence names an amount of money, a day, or a period of days or longer."""
    if absolute_dates(sentence):
        return True
    return any(
        quantity.unit in _TERMS or (len(quantity.unit) == 3 and quantity.unit.isupper())
        for quantity in find_quantities(sentence)
    )


def unopened(checks: Iterable[ReviewCheck]) -> tuple[str, ...]:
    """What must still be opened, in words."""
    opening = ("conflict", "stale", "money_or_date")
    return tuple(check.label for check in checks if check.kind in opening and not check.done)


def _short(text: str, limit: int = 90) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
