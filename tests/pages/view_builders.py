"""The coat case as the reply desk sees it: cards, checks and the whole view."""

from __future__ import annotations

from datetime import timedelta

from core.models.compliance import FreshnessWarning
from core.models.review import Case, Lease
from core.review.views import CaseView, ConflictCard, EvidenceCard, LeftOutCard, ReviewCheck
from tests.pages.builders import HOSTILE, NOW, POLICY, REFUNDS, a_case, a_draft, a_ledger
from tests.pages.run_builders import a_conflict, a_run


def evidence_cards() -> tuple[EvidenceCard, ...]:
    """Policy, procedure, and the order's record."""
    return (
        _card(
            "E1",
            "EVID-0001",
            "returns",
            POLICY,
            "Return policy 4.2",
            "Holiday returns",
            ("within 45 days of the purchase date",),
            ("quote found", "official policy", "reviewed 12 days ago"),
        ),
        _card(
            "E2",
            "EVID-0002",
            "refunds",
            REFUNDS,
            "Refund procedure",
            "Timing",
            ("within 5 business days after the item reaches our warehouse",),
            ("quote found", "approved procedure", "past its review date by 12 days"),
            FreshnessWarning(
                evidence_id="EVID-0002",
                source_id="refunds",
                document_id="refunds@4.2",
                title="Refund procedure",
                state="stale",
                days_past_due=12,
                message="Past its review date by 12 days.",
                owner="kim",
            ),
        ),
        _card(
            "R1",
            "EVID-0004",
            "orders",
            "order A-10293 · purchased 18 November 2026 · wool coat · $189.00",
            "Orders",
            "A-10293",
            ("purchased 18 November 2026",),
            ("record", "read just now"),
            record=True,
        ),
    )


def _card(
    label: str,
    evidence_id: str,
    source: str,
    text: str,
    title: str,
    section: str,
    quotes: tuple[str, ...],
    trust: tuple[str, ...],
    freshness: FreshnessWarning | None = None,
    *,
    record: bool = False,
) -> EvidenceCard:
    return EvidenceCard(
        label=label,
        evidence_id=evidence_id,
        chunk_id=f"{source}#3",
        document_id=f"{source}@4.2",
        source_id=source,
        title=title,
        section=section,
        text=text,
        quotes=quotes,
        trust=trust,
        freshness=freshness,
        is_record=record,
    )


def left_out_cards() -> tuple[LeftOutCard, ...]:
    """One that may come back, one that may not."""
    return (
        LeftOutCard(
            chunk_id="giftcards#1",
            title="Gift cards",
            section="Balance",
            text="Gift cards never expire and can be used in any store.",
            reason="about gift cards, not returns",
            can_use=True,
        ),
        LeftOutCard(
            chunk_id="forum#2",
            title="Community post",
            section="",
            text=HOSTILE,
            reason="tries to instruct the model",
            can_use=False,
        ),
    )


def conflict_card(*, opened: bool = False) -> ConflictCard:
    """The FAQ against the policy, as a card."""
    return ConflictCard(
        conflict_id="conflict-1",
        conflict=a_conflict(),
        quote_a="within 45 days of the purchase date",
        quote_b="within 60 days, no questions asked",
        title_a="Return policy 4.2 › Holiday returns",
        title_b="Holiday FAQ (unsigned)",
        steps=("authority: official policy over unsigned FAQ",),
        questions=(),
        opened=opened,
    )


def a_lease(case_id: str = "1042", user_id: str = "ana", name: str = "Ana Ruiz") -> Lease:
    """A lease with some minutes left."""
    return Lease(
        case_id=case_id,
        user_id=user_id,
        user_name=name,
        acquired_at=NOW,
        expires_at=NOW + timedelta(minutes=14),
    )


def a_view(
    case: Case | None = None, *, opened: tuple[str, ...] = (), **changes: object
) -> CaseView:
    """The coat case as its agent sees it; ``opened`` holds what was already read."""
    case = case or a_case()
    draft = a_draft(case.case_id)
    read = "conflict-1" in opened
    checks = (
        ReviewCheck(check_id="conflict-1", kind="conflict", label="conflict opened", done=read),
        ReviewCheck(
            check_id="value:C13",
            kind="money_or_date",
            label="money and dates checked",
            done="value:C13" in opened,
        ),
        ReviewCheck(
            check_id="compliance",
            kind="compliance",
            label="nothing internal goes out (e-mail)",
            done=True,
        ),
    )
    waiting = tuple(c.label for c in checks if not c.done)
    base = {
        "case": case,
        "lease": a_lease(case.case_id),
        "mine": True,
        "draft": draft,
        "run": a_run(),
        "evidence": evidence_cards(),
        "conflicts": (conflict_card(opened=read),),
        "left_out": left_out_cards(),
        "claims": draft.claims,
        "ledger": a_ledger(),
        "freshness": tuple(c.freshness for c in evidence_cards() if c.freshness),
        "checks": checks,
        "can_approve": not waiting,
        "approve_blocked_by": waiting,
        "what_would_change": ("If the coat was Final Sale, it cannot be returned (E1).",),
        "case_facts": ("order A-10293 delivered 24 November 2026", "Silver member"),
        "suggested_question": "Was the coat marked Final Sale?",
        "suggested_escalation_to": "Sam Whitlock",
    }
    return CaseView.model_validate({**base, **changes})
