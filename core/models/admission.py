"""Whether a candidate may reach a reader: the second check, after the index's own filter."""

from __future__ import annotations

from core.models.evidence import EvidenceCandidate
from core.models.plan import RetrievalFilters
from core.models.source import DocumentVersion, VersionStatus

_PRESENT: tuple[VersionStatus, ...] = ("active",)
_PAST: tuple[VersionStatus, ...] = ("active", "superseded", "archived")
_HELD_NOW = (
    "acl_policy_id",
    "classification",
    "source_type",
    "permission_tag",
    "status",
    "valid_from",
    "valid_to",
    "last_reviewed",
    "review_sla_days",
    "owner",
    "authority",
    "signed",
)


def admitted(
    candidate: EvidenceCandidate,
    live: DocumentVersion | None,
    filters: RetrievalFilters,
    required: tuple[str, ...] = (),
) -> tuple[EvidenceCandidate | None, str]:
    """The candidate under the governance its document has now, or ``None`` and why not.

    Checked as the index told it and as the registry holds it: an index may lag behind, rights may
    not. ``live`` is the registry's version, ``None`` when there is none or it is withdrawn.
    """
    if live is None:
        return None, "its document is withdrawn or unknown"
    why = breach(candidate, filters, required)
    if why:
        return None, why
    now = governed(candidate, live)
    why = breach(now, filters, required)
    return (None, why) if why else (now, "")


def governed(candidate: EvidenceCandidate, version: DocumentVersion) -> EvidenceCandidate:
    """The candidate under the governance its document has now."""
    rules = {name: getattr(version.governance, name) for name in _HELD_NOW}
    return candidate.model_copy(update={"tenant_id": version.tenant_id, **rules})


def breach(
    candidate: EvidenceCandidate, filters: RetrievalFilters, required: tuple[str, ...] = ()
) -> str:
    """Why the candidate must not pass, in words that name no content; empty when it may."""
    if candidate.tenant_id != filters.tenant_id:
        return "it belongs to another tenant"
    if candidate.acl_policy_id not in filters.acl_policy_ids:
        return "its access policy is not allowed"
    if candidate.classification not in filters.classifications:
        return "its classification is not allowed"
    if filters.source_types and candidate.source_type not in filters.source_types:
        return "its source type is not allowed"
    absent = [name for name in required if getattr(candidate, name) in ("", None)]
    if absent:
        return f"it has no {absent[0]}"
    return _out_of_time(candidate, filters)


def _out_of_time(candidate: EvidenceCandidate, filters: RetrievalFilters) -> str:
    if candidate.status not in (_PAST if filters.include_past_versions else _PRESENT):
        return f"its version is {candidate.status}"
    if candidate.valid_from and candidate.valid_from > filters.valid_on:
        return "its version is not valid yet"
    if candidate.valid_to and candidate.valid_to <= filters.valid_on:
        return "its version is no longer valid"
    return ""
