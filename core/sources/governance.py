"""Reads governance fields as people write them: front matter, manifests, rows, a form.

A document needs no field at all; what it states must be readable, must not contradict itself and
must name what its tenant knows. Otherwise it is refused with every reason and its remedy.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from core.errors import BadSource
from core.models.source import Governance
from core.ports import PolicyStore
from core.sources.governance_fields import (
    ALIASES,
    GovernanceField,
    GovernanceRules,
    department_tag,
    governance_fields,
)
from core.sources.governance_rules import class_of_tag, contradictions
from core.sources.governance_values import GovernanceProblem, values_of
from core.text.language import detect_language

__all__ = [
    "FIELDS",
    "IDENTITY",
    "GovernanceField",
    "GovernanceProblem",
    "GovernanceRules",
    "canonical",
    "check_governance",
    "governance_fields",
    "read_governance",
    "suspicious_key",
    "tenant_rules",
    "warnings_of",
]

IDENTITY = frozenset({"id", "title", "source_id"})
FIELDS = frozenset(Governance.model_fields) | frozenset(ALIASES)
_KNOWN = FIELDS | IDENTITY


def read_governance(
    item: str,
    fields: Mapping[str, Any],
    *,
    owner: str,
    text: str,
    rules: GovernanceRules | None = None,
    document_id: str = "",
) -> Governance:
    """The governance that ``fields`` state, safe where they are silent.

    Without an owner the ingesting user (``owner``) answers for the source; the language is
    detected; of classification and permission tag the one given decides the other. ``rules`` hold
    it against what the tenant knows. Raises ``BadSource`` naming ``item``, every refused field and
    its remedy.
    """
    refused = [
        problem
        for problem in check_governance(fields, rules, document_id=document_id)
        if problem.severity == "refused"
    ]
    if refused:
        raise BadSource(
            item, "; ".join(p.reason for p in refused), "; ".join(p.fix for p in refused)
        )
    values, _ = values_of(_given(fields))
    values.setdefault("owner", owner)
    values.setdefault("language", detect_language(text))
    try:
        return Governance.model_validate(_settled(values))
    except ValidationError as error:  # a rule of the model that no check here knows yet
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "governance"
        raise BadSource(item, f"{place!r}: {first['msg']}", f"correct {place}") from error


def check_governance(
    fields: Mapping[str, Any], rules: GovernanceRules | None = None, *, document_id: str = ""
) -> tuple[GovernanceProblem, ...]:
    """Everything wrong with ``fields``, refused and merely doubtful, for a form or a report.

    Empty means a document with these fields would be taken in without a word about them. Keys that
    are no governance fields are left to whoever reads the document.
    """
    values, unread = values_of(_given(fields))
    together = contradictions(_settled(values), rules, document_id=document_id)
    return (*unread, *together)


def warnings_of(
    fields: Mapping[str, Any], rules: GovernanceRules | None = None, *, document_id: str = ""
) -> tuple[str, ...]:
    """What is doubtful but not refused, in words, for the report of an ingest."""
    return tuple(
        f"{problem.reason} ({problem.fix})"
        for problem in check_governance(fields, rules, document_id=document_id)
        if problem.severity == "warning"
    )


def tenant_rules(policies: PolicyStore, tenant_id: str, *, today: date) -> GovernanceRules:
    """The rules of a tenant; of one that has no policy or no user yet, none about those."""
    return GovernanceRules(
        today=today,
        acl_policies=policies.acl_policies(tenant_id) or None,
        users=policies.users(tenant_id) or None,
    )


def canonical(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that have a value, under their full names; a full name outdoes another name."""
    full = {key: value for key, value in fields.items() if value is not None}
    return {ALIASES[k]: v for k, v in full.items() if k in ALIASES} | {
        key: value for key, value in full.items() if key not in ALIASES
    }


def suspicious_key(keys: Mapping[str, Any] | list[str]) -> tuple[str, str] | None:
    """A key that looks like a misspelt governance field, and the field it looks like."""
    for key in keys:
        if key not in _KNOWN and (near := _near(key)):
            return key, near
    return None


@lru_cache(maxsize=1_000)  # files of rows bring the same keys with each row
def _near(key: str) -> str:
    near = get_close_matches(key.lower().replace("-", "_"), sorted(_KNOWN), n=1, cutoff=0.85)
    return near[0] if near else ""


def _given(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in canonical(fields).items() if key in FIELDS}


def _settled(values: Mapping[str, Any]) -> dict[str, Any]:
    """A tag without a class, or a class without a tag, must not leave the other one public."""
    tag, level = values.get("permission_tag"), values.get("classification")
    if tag and not level:
        return {**values, "classification": class_of_tag(tag)}
    if level and not tag and level != "public":
        department = str(values.get("department") or "")
        implied = "INTERNAL_ONLY" if level == "internal" else department_tag(department)
        return {**values, "permission_tag": implied}
    return dict(values)
