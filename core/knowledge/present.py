"""Turns stored facts about sources into the rows an owner reads. Pure; the words live here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from core.knowledge.store import Demand
from core.knowledge.views import SourceListing, SourceRow, VersionRow
from core.models.source import Authority, FreshnessState, Governance
from core.stages.freshness import freshness_state

DEMAND_DAYS = 30
"""How far back replies count as demand."""

_RISKS: dict[Authority, int] = {
    "official_policy": 3,
    "approved_procedure": 3,
    "case_record": 2,
    "faq": 2,
    "user_upload": 1,
    "draft": 1,
    "community_forum": 1,
}
"""What a wrong sentence costs, by how much weight readers give the source."""

_NEVER_REVIEWED_AGE = 2.0
"""A source nobody reviewed counts as if one whole promise had passed since it was due."""


def in_force(versions: Sequence[SourceListing], today: date) -> SourceListing | None:
    """The version that answers a present question; versions come oldest first."""
    holding = [v for v in versions if not v.withdrawn and _holds(v.governance, today)]
    return holding[-1] if holding else None


def shown_version(versions: Sequence[SourceListing], today: date) -> SourceListing:
    """The version in force, else the newest not withdrawn, else the newest."""
    kept = [v for v in versions if not v.withdrawn]
    return in_force(versions, today) or (kept or list(versions))[-1]


def _holds(governance: Governance, today: date) -> bool:
    begun = governance.valid_from is None or governance.valid_from <= today
    over = governance.valid_to is not None and governance.valid_to <= today
    return governance.status == "active" and begun and not over


def source_row(
    versions: Sequence[SourceListing],
    demand: Mapping[str, Demand],
    *,
    today: date,
    open_flags: int,
    can_change: bool,
) -> SourceRow:
    """The line of one source; ``versions`` are all of its versions, oldest first."""
    shown = shown_version(versions, today)
    governance = shown.governance
    asked = [demand.get(version.document_id, Demand()) for version in versions]
    replies = sum(d.replies for d in asked)
    state = freshness_state(governance.last_reviewed, governance.review_sla_days, today)
    return SourceRow(
        source_id=shown.source_id,
        document_id=shown.document_id,
        title=shown.title,
        version=governance.version,
        owner=governance.owner,
        authority=governance.authority,
        state=state,
        words=", ".join(filter(None, (state_words(governance, today), reply_words(replies)))),
        last_reviewed=governance.last_reviewed,
        due_on=_due_on(governance),
        replies_last_30_days=replies,
        open_flags=open_flags,
        urgency=_urgency(governance, sum(d.weighted for d in asked), open_flags, today),
        can_change=can_change,
    )


def _urgency(governance: Governance, weighted: int, open_flags: int, today: date) -> float:
    """Demand × risk × age. An open flag counts as a reply at high risk."""
    demand = 1 + weighted + 3 * open_flags
    if governance.last_reviewed is None:
        age = _NEVER_REVIEWED_AGE
    else:
        age = max(0, (today - governance.last_reviewed).days) / governance.review_sla_days
    return round(demand * _RISKS[governance.authority] * age, 4)


def _due_on(governance: Governance) -> date | None:
    if governance.last_reviewed is None:
        return None
    return governance.last_reviewed + timedelta(days=governance.review_sla_days)


def state_words(governance: Governance, today: date) -> str:
    """The freshness in words, such as ``stale by 110 days``."""
    state: FreshnessState = freshness_state(
        governance.last_reviewed, governance.review_sla_days, today
    )
    due_on = _due_on(governance)
    if governance.last_reviewed is None or due_on is None:
        return "never reviewed"
    if state == "stale":
        return f"stale by {days((today - due_on).days)}"
    if state == "due_soon":
        left = (due_on - today).days
        return "due today" if left == 0 else f"due in {days(left)}"
    age = (today - governance.last_reviewed).days
    return "reviewed today" if age <= 0 else f"reviewed {days(age)} ago"


def reply_words(replies: int) -> str:
    """The demand in words; empty when there was none."""
    if not replies:
        return ""
    noun = "reply" if replies == 1 else "replies"
    return f"{replies} {noun} in the last {DEMAND_DAYS} days"


def version_row(version: SourceListing, replies: int, today: date) -> VersionRow:
    """One version on the source's line."""
    governance = version.governance
    return VersionRow(
        document_id=version.document_id,
        version=governance.version,
        status=governance.status,
        valid_from=governance.valid_from,
        valid_to=governance.valid_to,
        withdrawn=version.withdrawn,
        words=_version_words(version, today),
        replies=replies,
    )


def _version_words(version: SourceListing, today: date) -> str:
    governance = version.governance
    if version.withdrawn:
        return f"withdrawn: {version.withdrawn_reason}" if version.withdrawn_reason else "withdrawn"
    if governance.status == "active":
        return _active_words(governance, today)
    if governance.status == "superseded" and governance.valid_to:
        return f"superseded on {governance.valid_to.isoformat()}"
    return governance.status


def _active_words(governance: Governance, today: date) -> str:
    if governance.valid_from and governance.valid_from > today:
        return f"in force from {governance.valid_from.isoformat()}"
    if governance.valid_to and governance.valid_to <= today:
        return f"expired on {governance.valid_to.isoformat()}"
    if governance.valid_to:
        return f"in force until {governance.valid_to.isoformat()}"
    return "in force"


def days(count: int) -> str:
    """``1 day``, ``12 days``."""
    return "1 day" if count == 1 else f"{count} days"
