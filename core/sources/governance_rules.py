"""What contradicts what in a document's governance, and what its tenant does not know."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from difflib import get_close_matches
from typing import Any

from core.models.access import AclPolicy, Classification, User
from core.sources.governance_fields import PUBLIC_POLICY, GovernanceRules, department_tag
from core.sources.governance_values import GovernanceProblem
from core.stages.authorise import CLASSIFICATIONS

_CLASSES_OF_TAG: dict[str, tuple[Classification, ...]] = {
    "PUBLIC": ("public",),
    "INTERNAL_ONLY": ("internal",),
    "CONFIDENTIAL_DEPT": ("confidential", "restricted"),
    "PERSONAL_DATA_PII": ("restricted", "confidential"),
}
_SHORT_SLA = 7  # days
_TIME_ZONES = timedelta(days=1)
"""Somebody east of here may have reviewed it on what is tomorrow here."""

_Check = Callable[[Mapping[str, Any], GovernanceRules], Iterator[GovernanceProblem]]


def class_of_tag(tag: str) -> Classification:
    """The classification that a permission tag alone implies."""
    return _CLASSES_OF_TAG.get(_stem(tag), ("restricted",))[0]


def contradictions(
    values: Mapping[str, Any], rules: GovernanceRules | None, *, document_id: str = ""
) -> Iterator[GovernanceProblem]:
    """Problems of fields that can each be read but do not hold together, or name nothing known.

    ``values`` are what the document itself states, read; without ``rules`` only what can be told
    from the fields alone is checked.
    """
    yield from _sensitivity(values)
    yield from _validity(values)
    if document_id and values.get("supersedes") == document_id:
        yield _refused(
            "supersedes", "the version says it replaces itself", "name the older version"
        )
    for check in _WITH_RULES if rules is not None else ():
        yield from check(values, rules)  # type: ignore[arg-type]


def _sensitivity(values: Mapping[str, Any]) -> Iterator[GovernanceProblem]:
    tag, level = values.get("permission_tag"), values.get("classification")
    if tag and level and level not in _CLASSES_OF_TAG[_stem(tag)]:
        fitting = " or ".join(_CLASSES_OF_TAG[_stem(tag)])
        yield _refused(
            "permission_tag",
            f"the tag {tag} contradicts the classification {level!r}",
            f"make the classification {fitting}, or leave one of the two out",
        )
    department = str(values.get("department") or "")
    if tag and _stem(tag) == "CONFIDENTIAL_DEPT" and department:
        wanted = department_tag(department)
        if tag != wanted:
            yield _warning(
                "permission_tag",
                f"the tag {tag} names another department than {department!r}",
                f"check whether it should be {wanted}",
            )


def _validity(values: Mapping[str, Any]) -> Iterator[GovernanceProblem]:
    first, end = values.get("valid_from"), values.get("valid_to")
    if first and end and end < first:
        yield _refused("valid_to", "valid_to lies before valid_from", "put the dates in order")
    elif first and end and end == first:
        yield _refused(
            "valid_to",
            "it holds on no day: valid_to is the first day it no longer holds",
            "move valid_to at least one day on",
        )
    if values.get("authority") == "draft" and values.get("status", "active") == "active":
        yield _warning("status", "it is a draft by authority but active", "make its status draft")


def _dates(values: Mapping[str, Any], rules: GovernanceRules) -> Iterator[GovernanceProblem]:
    status, today = values.get("status", "active"), rules.today
    reviewed, first, end = (values.get(n) for n in ("last_reviewed", "valid_from", "valid_to"))
    if reviewed and reviewed > today + _TIME_ZONES:
        yield _refused(
            "last_reviewed",
            f"it says it was reviewed on {reviewed}, which is yet to come",
            "give the day of the last review",
        )
    if status == "active" and end and end <= today:
        yield _warning(
            "valid_to",
            f"it is active but ended on {_last_day(end)}: no present question will find it",
            "make its status superseded or archived, or move valid_to",
        )
    if status == "active" and first and first > today:
        yield _warning(
            "valid_from", f"it holds from {first} on and is not used before", "nothing, if so meant"
        )
    if status in ("superseded", "archived") and not end:
        yield _warning(
            "valid_to",
            f"it is {status} but does not say since when",
            "give the first day it no longer held as valid_to",
        )


def _review(values: Mapping[str, Any], rules: GovernanceRules) -> Iterator[GovernanceProblem]:
    days = values.get("review_sla_days")
    if days is not None and days < _SHORT_SLA:
        yield _warning(
            "review_sla_days",
            f"a review every {days} days will nearly always be overdue",
            "use 30, 90 or 365",
        )


def _policy(values: Mapping[str, Any], rules: GovernanceRules) -> Iterator[GovernanceProblem]:
    if rules.acl_policies is None:
        return
    named, known = str(values.get("acl_policy_id") or PUBLIC_POLICY), rules.policy_ids()
    if named not in known:
        near = get_close_matches(named, known, n=1)
        guess = f"did you mean {near[0]!r}? " if near else ""
        yield _refused(
            "acl_policy_id",
            f"there is no access policy {named!r}",
            f"{guess}use one of: {', '.join(known)}",
        )
        return
    level: Classification = values.get("classification", "public")
    if not _has_readers(rules.acl_policies, named, level):
        yield _warning(
            "classification",
            f"nobody whom the policy {named!r} lets in may read {level} documents",
            "choose another policy or classification",
        )
    elif level == "public" and named != PUBLIC_POLICY and not _open_to_all(rules, named):
        yield _warning(
            "acl_policy_id",
            f"it is classified public but only readers under {named!r} may see it",
            "classify it internal, or use the policy public",
        )


def _has_readers(policies: tuple[AclPolicy, ...], named: str, level: Classification) -> bool:
    """A department's policy may let anybody of that department in, whatever the role."""
    policy = next((p for p in policies if p.policy_id == named), None)
    if policy is None or policy.everyone or policy.departments:
        return any(level in levels for levels in CLASSIFICATIONS.values())
    return any(level in CLASSIFICATIONS[role] for role in policy.roles)


def _open_to_all(rules: GovernanceRules, named: str) -> bool:
    return any(p.policy_id == named and p.everyone for p in rules.acl_policies or ())


def _people(values: Mapping[str, Any], rules: GovernanceRules) -> Iterator[GovernanceProblem]:
    owner = str(values.get("owner") or "")
    if rules.users is None or not owner:
        return
    named = [user for user in rules.users if _names(user, owner)]
    if not named:
        yield _warning(
            "owner",
            f"the owner {owner!r} is neither a user nor a department here",
            f"name one who answers for it, such as {_some(rules)}",
        )
    elif not any(user.active for user in named):
        yield _warning("owner", f"the owner {owner!r} is no longer active", "name another owner")


def _department(values: Mapping[str, Any], rules: GovernanceRules) -> Iterator[GovernanceProblem]:
    tag, known = str(values.get("permission_tag") or ""), rules.departments()
    if not known or _stem(tag) != "CONFIDENTIAL_DEPT":
        return
    if tag not in {department_tag(name) for name in known}:
        yield _warning(
            "permission_tag",
            f"the tag {tag} names no department here",
            f"use one of: {', '.join(department_tag(name) for name in known)}",
        )


_WITH_RULES: tuple[_Check, ...] = (_dates, _review, _policy, _people, _department)


def _names(user: User, owner: str) -> bool:
    names = (user.user_id, user.name, user.email, user.department)
    return owner.casefold() in {name.casefold() for name in names if name}


def _some(rules: GovernanceRules) -> str:
    return ", ".join([user.user_id for user in rules.users or () if user.active][:3]) or "a user"


def _last_day(end: date) -> date:
    return end - timedelta(days=1)


def _stem(tag: str) -> str:
    return "CONFIDENTIAL_DEPT" if tag.startswith("CONFIDENTIAL_DEPT") else tag


def _refused(field: str, reason: str, fix: str) -> GovernanceProblem:
    return GovernanceProblem(field=field, reason=reason, fix=fix)


def _warning(field: str, reason: str, fix: str) -> GovernanceProblem:
    return GovernanceProblem(field=field, reason=reason, fix=fix, severity="warning")
