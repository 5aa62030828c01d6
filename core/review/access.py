"""What every desk checks first: rights, company, who may see what a run holds; how it records."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

from core.errors import BadInput, NotAllowed, NotFound
from core.models.access import Action, SecurityContext, User
from core.models.evidence import EvidenceCandidate
from core.models.review import AuditEvent, Case, DraftVersion
from core.models.trace import PipelineRun
from core.review.scrubbed import without_unseen
from core.review.store import ReviewTransaction, SubjectKind

_ACTION_WORDS: dict[Action, str] = {
    "ask": "ask questions",
    "review": "review cases",
    "send": "send replies",
    "own_knowledge": "look after sources",
    "supervise": "oversee other people's work",
    "administer": "administer the console",
    "take_over_lease": "take over a case somebody is working on",
}
_PAGE = 1000


def require(context: SecurityContext, *any_of: Action) -> None:
    """Raise ``NotAllowed`` unless the user holds one of the actions."""
    if not any(action in context.actions for action in any_of):
        raise NotAllowed(f"Your role does not let you {_ACTION_WORDS[any_of[0]]}.")


def case_in(txn: ReviewTransaction, context: SecurityContext, case_id: str) -> Case:
    """The case, if it is one of the user's company; else ``NotFound``."""
    case = txn.case(case_id)
    if case is None or case.tenant_id != context.tenant_id:
        raise NotFound(f"There is no case {case_id!r} you may open.")
    return case


def record(
    txn: ReviewTransaction,
    user: User,
    kind: str,
    subject_id: str,
    *,
    subject_kind: SubjectKind = "case",
    **payload: Any,
) -> None:
    """Append an audit event by ``user``, in the transaction of the change it tells of."""
    txn.audit(
        tenant_id=user.tenant_id,
        actor=user.user_id,
        kind=kind,
        subject_kind=subject_kind,
        subject_id=subject_id,
        payload=payload,
    )


def case_events(txn: ReviewTransaction, case_id: str) -> Iterator[AuditEvent]:
    """All audit events of a case, oldest first."""
    after = 0
    while page := txn.audit_events(
        subject_kind="case", subject_id=case_id, after_seq=after, limit=_PAGE
    ):
        yield from page
        after = page[-1].seq
        if len(page) < _PAGE:
            return


def may_see(context: SecurityContext, candidate: EvidenceCandidate) -> bool:
    """Whether the user may read this passage or record now, by the rule retrieval filters with."""
    if candidate.tenant_id != context.tenant_id:
        return False
    if candidate.acl_policy_id in context.denied_acl_policy_ids:
        return False
    types = context.allowed_source_types
    return (
        candidate.acl_policy_id in context.allowed_acl_policy_ids
        and candidate.classification in context.allowed_classifications
        and (not types or candidate.source_type in types)
    )


def visible_run(run: PipelineRun, context: SecurityContext) -> PipelineRun | None:
    """The run as this user may see it, or ``None`` when its draft leans on more than that.

    A run made under the very same rights is whole. Under other rights, passages the user may not
    read are gone without a trace, and a run whose package holds one is withheld.
    """
    if _same_rights(run.context, context):
        return run
    package = run.package.all_evidence() if run.package else ()
    if any(not may_see(context, item.candidate) for item in package):
        return None
    return without_unseen(run, lambda candidate: may_see(context, candidate))


def _same_rights(made_under: SecurityContext, now: SecurityContext) -> bool:
    ignored = {"user_id", "policy_version", "actions", "purpose"}
    return made_under.model_dump(exclude=ignored) == now.model_dump(exclude=ignored)


def current_draft(drafts: Iterable[DraftVersion]) -> DraftVersion | None:
    """The reply as it stands: the newest draft that is neither a question nor a refusal."""
    replies = [draft for draft in drafts if draft.kind in ("copilot", "edited")]
    return max(replies, key=lambda draft: draft.number, default=None)


def next_number(drafts: Iterable[DraftVersion]) -> int:
    """The number of the next draft version of a case."""
    return max((draft.number for draft in drafts), default=0) + 1


def text_hash(text: str) -> str:
    """SHA-256 in hex of the UTF-8 bytes of ``text``; ``BadInput`` when it is no valid text."""
    try:
        return hashlib.sha256(text.encode("utf-8")).hexdigest()
    except UnicodeEncodeError as error:
        raise BadInput("The text holds a broken character; type it again.") from error


def reply_text(text: str, *, max_chars: int) -> str:
    """``text`` unchanged if it can be sent; ``BadInput`` naming what is wrong with it."""
    if not text.strip():
        raise BadInput("The text is empty; write something first.")
    if len(text) > max_chars:
        raise BadInput(
            f"The text has {len(text):,} characters; at most {max_chars:,} can be sent. Shorten it."
        )
    if any(ch < " " and ch not in "\n\r\t" for ch in text):
        raise BadInput("The text holds a control character that cannot be sent; remove it.")
    text_hash(text)
    return text


def given(words: str, what: str) -> str:
    """``words`` trimmed; ``BadInput`` when there are none (or far too many)."""
    words = words.strip()
    if not words:
        raise BadInput(f"Please say {what}.")
    if len(words) > 2000:
        raise BadInput(f"Please say {what} in at most 2,000 characters.")
    return words
