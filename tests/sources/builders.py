"""Documents, passages and filters for tests, with one-line variations."""

from __future__ import annotations

from datetime import date
from typing import Any

from core.models.plan import RetrievalFilters, RetrievalPlan
from core.models.source import DocumentVersion, Governance, Passage
from core.sources.chunk import chunk

TODAY = date(2026, 11, 30)
TENANT = "athena"


def a_governance(**changes: Any) -> Governance:
    return Governance(**({"owner": "dana"} | changes))


def a_version(text: str, **changes: Any) -> DocumentVersion:
    """A version of ``text``; keyword arguments of ``Governance`` go there."""
    governed = {k: changes.pop(k) for k in list(changes) if k in Governance.model_fields}
    values: dict[str, Any] = {
        "document_id": "returns-v1",
        "source_id": changes.get("document_id", "returns"),
        "tenant_id": TENANT,
        "title": "Return policy",
        "text": text,
        "original_text": text,
        "governance": a_governance(**governed),
        "content_hash": "hash",
    }
    return DocumentVersion(**(values | changes))


def passages(text: str, **changes: Any) -> tuple[Passage, ...]:
    return chunk(a_version(text, **changes))


def a_filter(**changes: Any) -> RetrievalFilters:
    values: dict[str, Any] = {
        "tenant_id": TENANT,
        "acl_policy_ids": ("public",),
        "classifications": ("public",),
        "valid_on": TODAY,
    }
    return RetrievalFilters(**(values | changes))


def a_plan(query: str, *, mode: str = "hybrid", top_k: int = 10, **filters: Any) -> RetrievalPlan:
    return RetrievalPlan.model_validate(
        {"query": query, "mode": mode, "top_k": top_k, "filters": a_filter(**filters)}
    )
