"""Passages that arrive in a batch row instead of the index, as candidates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from core.errors import BadInput
from core.models.evidence import EvidenceCandidate
from core.models.source import Authority

_AUTHORITIES: dict[str, Authority] = {name: name for name in get_args(Authority)}
_BY_TYPE: dict[str, Authority] = {
    "policy": "official_policy",
    "official": "official_policy",
    "procedure": "approved_procedure",
    "guide": "approved_procedure",
    "record": "case_record",
    "case": "case_record",
    "forum": "community_forum",
    "community": "community_forum",
    "upload": "user_upload",
}


def candidate_of(passage: Any, tenant_id: str, position: int = 1) -> EvidenceCandidate:
    """A supplied passage: a string, or an object with ``text`` and perhaps id, title, source_type.

    Raises ``BadInput`` when there is no text.
    """
    row = {"text": passage} if isinstance(passage, str) else passage
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise BadInput(f"passage {position}: must be a string or an object with a 'text' string.")
    identifier = str(row.get("id") or row.get("chunk_id") or f"passage-{position}")
    kind = str(row.get("source_type") or row.get("authority") or "")
    return EvidenceCandidate(
        chunk_id=identifier,
        source_id=str(row.get("source_id") or identifier),
        document_id=str(row.get("document_id") or identifier),
        tenant_id=tenant_id,
        text=row["text"],
        source_title=str(row.get("title") or ""),
        char_end=len(row["text"]),
        score=1.0 / position,
        rank=position,
        retrieval_source="supplied",
        authority=_AUTHORITIES.get(kind) or _BY_TYPE.get(kind.lower(), "faq"),
    )


def candidates_of(passages: Sequence[Any], tenant_id: str) -> tuple[EvidenceCandidate, ...]:
    """All passages of a row, ids made unique by position where they repeat."""
    found: dict[str, EvidenceCandidate] = {}
    for position, passage in enumerate(passages, start=1):
        candidate = candidate_of(passage, tenant_id, position)
        key = candidate.chunk_id
        if key in found:
            key = f"{key}#{position}"
            candidate = candidate.model_copy(update={"chunk_id": key})
        found[key] = candidate
    return tuple(found.values())
