"""The desk's rules as data: who may move a case where, and every number the desk goes by."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Literal, NamedTuple

from pydantic import Field

from core.errors import InvalidTransition
from core.models.access import SecurityContext
from core.models.base import Model
from core.models.request import RiskLevel
from core.models.review import Case, CaseState
from core.review.copilot import Recipient
from core.text.reply import frame, standing

Step = Literal[
    "draft",
    "begin",
    "redraft",
    "edit",
    "approve",
    "send",
    "escalate",
    "ask_customer",
    "refuse",
    "reject",
    "renew",
    "undo",
    "bounce",
    "answer",
    "send_back",
    "reopen",
]


class Transition(NamedTuple):
    """A step is allowed from any state in ``before`` and leads to ``after``."""

    before: tuple[CaseState, ...]
    after: CaseState


_REVIEWED: tuple[CaseState, ...] = ("in_review", "edited")
_DECIDED: tuple[CaseState, ...] = ("approved", "awaiting_customer", "refused")

TRANSITIONS: Mapping[Step, Transition] = {
    "draft": Transition(("new", "drafted"), "drafted"),
    "begin": Transition(("drafted",), "in_review"),
    "redraft": Transition(_REVIEWED, "in_review"),
    "edit": Transition(_REVIEWED, "edited"),
    "approve": Transition(_REVIEWED, "approved"),
    "send": Transition(("approved",), "sent"),
    "escalate": Transition(_REVIEWED, "escalated"),
    "ask_customer": Transition(_REVIEWED, "awaiting_customer"),
    "refuse": Transition(_REVIEWED, "refused"),
    "reject": Transition(_REVIEWED, "rejected"),
    "renew": Transition(("rejected",), "new"),
    "undo": Transition(_DECIDED, "in_review"),
    "bounce": Transition(_DECIDED, "in_review"),
    "answer": Transition(("escalated",), "in_review"),
    "send_back": Transition(("escalated",), "in_review"),
    # The customer wrote again, so there is something new to answer.
    "reopen": Transition(("sent", "awaiting_customer", "refused"), "new"),
}
"""Every move a case can make. There is no other."""

OPEN_STATES: tuple[CaseState, ...] = ("new", "drafted", "in_review", "edited")
"""States in which an agent has something to do."""

REVIEW_STATES: tuple[CaseState, ...] = _REVIEWED
"""States in which a decision can be taken."""

_WORDS: Mapping[CaseState, str] = {
    "new": "new",
    "drafted": "drafted but not opened",
    "in_review": "in review",
    "edited": "edited and in review",
    "approved": "approved and on its way",
    "sent": "sent",
    "escalated": "escalated",
    "awaiting_customer": "waiting for the customer",
    "refused": "refused",
    "rejected": "rejected",
}
_STEP_WORDS: Mapping[Step, str] = {
    "ask_customer": "put to the customer",
    "send_back": "sent back",
    "begin": "taken into review",
    "draft": "drafted",
    "redraft": "drafted again",
    "edit": "edited",
    "approve": "approved",
    "send": "sent",
    "escalate": "escalated",
    "refuse": "refused",
    "reject": "rejected",
    "renew": "made new again",
    "undo": "taken back",
    "bounce": "returned from the outbox",
    "answer": "answered",
    "reopen": "reopened",
}


_ESCALATION_HOURS: dict[RiskLevel, int] = {"low": 48, "medium": 24, "high": 4}


class DeskRules(Model):
    """Numbers the desk goes by. ``escalation_hours`` is the clock of an escalation by risk.

    A refund of more than ``refund_supervisor_above`` (in its own currency) needs a supervisor.
    """

    undo_seconds: int = Field(default=10, ge=0)
    lease_minutes: int = Field(default=15, ge=1)
    escalation_hours: dict[RiskLevel, int] = Field(default_factory=_ESCALATION_HOURS.copy)
    escalate_to: str = "supervisor"
    max_reply_chars: int = Field(default=20_000, ge=1)
    refund_supervisor_above: Decimal = Field(default=Decimal(500), ge=0)


class OutboxRules(Model):
    """Numbers of the outbox.

    A passing fault is tried again after ``backoff_seconds``, twice as long each time up to
    ``backoff_cap_seconds``, at most ``max_attempts`` times in all. An item whose delivery was begun
    and never finished is taken up again after ``stuck_seconds``.
    """

    max_attempts: int = Field(default=5, ge=1)
    backoff_seconds: int = Field(default=30, ge=1)
    backoff_cap_seconds: int = Field(default=3600, ge=1)
    stuck_seconds: int = Field(default=120, ge=1)


def allowed(state: CaseState, step: Step) -> bool:
    """Whether a case in ``state`` may take ``step``."""
    return state in TRANSITIONS[step].before


def moved(case: Case, step: Step, now: datetime) -> Case:
    """``case`` after ``step``; storing it raises its version. Raises ``InvalidTransition``."""
    if not allowed(case.state, step):
        raise InvalidTransition(
            f"Case {case.case_id} is {_WORDS[case.state]}; it cannot be {_STEP_WORDS[step]} now."
        )
    return case.model_copy(update={"state": TRANSITIONS[step].after, "updated_at": now})


def state_words(state: CaseState) -> str:
    """The state as people say it."""
    return _WORDS[state]


def recipient_of(case: Case) -> Recipient:
    """Who reads the reply; the case says it, to the pipeline and to the desk alike."""
    return case.reader()


def refusal_text(case: Case) -> str:
    """The standard refusal in the case's language and form. It holds no claim."""
    language = "zh" if case.language == "zh" else "en"
    return frame(standing("refused", language), language, case.output_form, case.customer_name)


def may_supervise(context: SecurityContext) -> bool:
    """Whether this person oversees other people's work."""
    return "supervise" in context.actions or "administer" in context.actions
