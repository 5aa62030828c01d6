"""The audit chain: canonical JSON, the hash that links events, and the proof that none moved.

Pure functions. Storage appends with :func:`link`; anybody verifies with :func:`verify`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from typing import Any, Protocol

from pydantic import BaseModel

from core.errors import IntegrityBroken
from core.models.review import AuditEvent
from core.review.store import SubjectKind
from core.review.views import ChainState

GENESIS = "0" * 64
"""``prev_hash`` of the first event."""

Head = tuple[int, str]
"""Sequence number and hash of the last event; ``(0, GENESIS)`` for an empty chain."""

_PAGE = 1000


class ChainReader(Protocol):
    """What verification reads; a review transaction fits."""

    def audit_events(self, *, after_seq: int = 0, limit: int = 1000) -> tuple[AuditEvent, ...]: ...
    def audit_head(self) -> Head: ...


def canonical_json(value: object) -> str:
    """One spelling for one value: sorted keys, no spaces, ASCII only.

    Times become UTC with microseconds, models their JSON form. Raises ``ValueError`` for NaN and
    infinities and ``TypeError`` for anything else JSON cannot say.
    """
    return json.dumps(
        value,
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=True,
        allow_nan=False,
        default=_plain,
    )


def _plain(value: object) -> Any:
    if isinstance(value, datetime):
        return timestamp(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    raise TypeError(f"{type(value).__name__} has no canonical JSON form")


def timestamp(at: datetime) -> str:
    """``at`` in UTC with microseconds. Raises ``ValueError`` for a naive time."""
    if at.tzinfo is None:
        raise ValueError("an audit time needs a time zone")
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def link_hash(event: AuditEvent) -> str:
    """SHA-256 in hex over the canonical JSON of everything in ``event`` but its own hash."""
    rest = {
        "seq": event.seq,
        "at": timestamp(event.at),
        "tenant_id": event.tenant_id,
        "actor": event.actor,
        "kind": event.kind,
        "subject_kind": event.subject_kind,
        "subject_id": event.subject_id,
        "payload": event.payload,
        "prev_hash": event.prev_hash,
    }
    return hashlib.sha256(canonical_json(rest).encode("ascii")).hexdigest()


def link(
    head: Head,
    *,
    at: datetime,
    tenant_id: str,
    actor: str,
    kind: str,
    subject_kind: SubjectKind,
    subject_id: str,
    payload: dict[str, Any],
) -> AuditEvent:
    """The event that follows ``head``, its payload reduced to what JSON keeps."""
    seq, prev_hash = head
    event = AuditEvent(
        seq=seq + 1,
        at=at,
        tenant_id=tenant_id,
        actor=actor,
        kind=kind,
        subject_kind=subject_kind,
        subject_id=subject_id,
        payload=json.loads(canonical_json(payload)),
        prev_hash=prev_hash,
        hash="",
    )
    return event.model_copy(update={"hash": link_hash(event)})


def verify(events: Iterable[AuditEvent], *, head: Head | None = None) -> ChainState:
    """Walk the chain from its first event; stop at the first that does not fit.

    With ``head``, the stored end of the chain, missing events at the end are found too.
    """
    seq, last = 0, GENESIS
    for event in events:
        if problem := _problem(event, seq, last):
            return ChainState(ok=False, events=seq, head=last, broken_at=seq + 1, reason=problem)
        seq, last = event.seq, event.hash
    if head is not None and head != (seq, last):
        return ChainState(
            ok=False,
            events=seq,
            head=last,
            broken_at=seq + 1 if head[0] > seq else seq,
            reason=f"the chain should end at event {head[0]} but ends at event {seq}",
        )
    return ChainState(ok=True, events=seq, head=last)


def _problem(event: AuditEvent, seq: int, last: str) -> str:
    if event.seq != seq + 1:
        return f"event {seq + 1} is missing"
    if event.prev_hash != last:
        return f"event {event.seq} does not follow event {seq}"
    if _hash_or_none(event) != event.hash:
        return f"event {event.seq} was changed after it was written"
    return ""


def _hash_or_none(event: AuditEvent) -> str | None:
    try:
        return link_hash(event)
    except (TypeError, ValueError, AttributeError):  # a row somebody edited into nonsense
        return None


def verify_stored(reader: ChainReader) -> ChainState:
    """Verify everything ``reader`` holds, page by page, up to its stored head.

    Run it inside one read transaction, so that chain and head are of one moment.
    """
    try:
        head = reader.audit_head()
    except IntegrityBroken as error:
        found = verify(_pages(reader))
        if not found.ok:
            return found
        broken = {"ok": False, "broken_at": found.events + 1, "reason": str(error)}
        return found.model_copy(update=broken)
    return verify(_pages(reader), head=head)


def _pages(reader: ChainReader) -> Iterator[AuditEvent]:
    after = 0
    while page := reader.audit_events(after_seq=after, limit=_PAGE):
        yield from page
        after = page[-1].seq
