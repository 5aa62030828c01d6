"""The governance fields as data: what each means, what may stand in it, what holds in its absence.

Forms and checks read this, so neither can drift from the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Literal, get_args

from core.models.access import AclPolicy, User
from core.models.base import Model
from core.models.source import Governance

FieldKind = Literal["text", "choice", "date", "number", "truth"]

ALIASES = {
    "acl": "acl_policy_id",
    "acl_policy": "acl_policy_id",
    "effective_date": "valid_from",
    "effective_from": "valid_from",
    "expiry_date": "valid_to",
    "expires": "valid_to",
    "last_review": "last_reviewed",
    "review_sla": "review_sla_days",
}
"""Other names people give to a field."""

LONGEST_SLA = 3_650
PUBLIC_POLICY = "public"
"""The access policy of a document that names none; every tenant has it."""


class GovernanceRules(Model):
    """What the checks hold a document's fields against.

    ``None`` for policies or users means nobody knows them here: what needs them is not checked.
    """

    today: date
    acl_policies: tuple[AclPolicy, ...] | None = None
    users: tuple[User, ...] | None = None

    def policy_ids(self) -> tuple[str, ...]:
        """Every access policy a document may carry; empty when they are not known."""
        if self.acl_policies is None:
            return ()
        return tuple(sorted({PUBLIC_POLICY, *(policy.policy_id for policy in self.acl_policies)}))

    def departments(self) -> tuple[str, ...]:
        """Departments that users or policies name; empty when neither are known."""
        named = {user.department for user in self.users or ()}
        named |= {name for policy in self.acl_policies or () for name in policy.departments}
        return tuple(sorted(name for name in named if name))


class GovernanceField(Model):
    """One field as a form shows it.

    ``choices`` is empty for free text; ``suggestions`` are known values of a field that takes
    others too. ``absent`` says in words what holds without it.
    """

    name: str
    label: str
    kind: FieldKind
    help: str
    absent: str
    default: str = ""
    choices: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None


_WORDS: dict[str, tuple[str, str, str]] = {
    "owner": (
        "Owner",
        "The person or department that answers for it: a user id, name, e-mail or department.",
        "the collection's owner, else whoever takes the document in",
    ),
    "authority": (
        "Authority",
        "How much weight it carries against other sources.",
        "FAQ",
    ),
    "status": (
        "Status",
        "Only active versions answer present questions; drafts are never retrieved.",
        "active",
    ),
    "version": ("Version", "The version's own number or name. Quote it: 4.10 is not 4.1.", "1"),
    "signed": ("Signed", "Whether somebody answers for it; unsigned ones rank below.", "true"),
    "valid_from": ("Effective from", "The first day it holds.", "it has always held"),
    "valid_to": (
        "Expires on",
        "The first day it no longer holds.",
        "it holds until it is replaced",
    ),
    "last_reviewed": ("Last reviewed", "When its owner last found it right.", "not known"),
    "review_sla_days": (
        "Review every (days)",
        "After so many days without a review it counts as stale.",
        "90 days",
    ),
    "classification": (
        "Classification",
        "How sensitive it is. It must agree with the permission tag.",
        "what the permission tag says, else public",
    ),
    "permission_tag": (
        "Permission tag",
        "PUBLIC, INTERNAL_ONLY, CONFIDENTIAL_DEPT_ and a department, or PERSONAL_DATA_PII.",
        "what the classification says, else PUBLIC",
    ),
    "acl_policy_id": ("Access policy", "Which policy says who may read it.", "public"),
    "department": ("Department", "The department whose matter it is.", "any"),
    "region": ("Region", "The region it holds for.", "every region"),
    "product": ("Product", "The product or subject it is about.", "any"),
    "language": ("Language", "The language it is written in.", "detected from the text"),
    "supersedes": ("Replaces", "The document id of the version it replaces.", "none"),
    "scope_note": (
        "Special case",
        "Set when it covers only a special case, in words.",
        "it covers the general case",
    ),
    "source_type": ("Kind of source", "Where it is kept.", "a file"),
    "uri": ("Permanent link", "Where people find the original.", "none"),
}
_KINDS: dict[str, FieldKind] = {
    "signed": "truth",
    "valid_from": "date",
    "valid_to": "date",
    "last_reviewed": "date",
    "review_sla_days": "number",
}
_TAGS = ("PUBLIC", "INTERNAL_ONLY", "PERSONAL_DATA_PII")


def governance_fields(rules: GovernanceRules | None = None) -> tuple[GovernanceField, ...]:
    """Every governance field in the order of a form; ``rules`` fill in a tenant's own values."""
    return tuple(_field(name, rules) for name in _WORDS)


def choices_of(name: str) -> tuple[str, ...]:
    """The values a field is limited to by the model; empty when it is not."""
    annotation = Governance.model_fields[name].annotation
    found = get_args(annotation)
    return tuple(found) if found and all(isinstance(value, str) for value in found) else ()


def _field(name: str, rules: GovernanceRules | None) -> GovernanceField:
    label, words, absent = _WORDS[name]
    choices = choices_of(name)
    if name == "acl_policy_id" and rules is not None:
        choices = rules.policy_ids()
    number = name == "review_sla_days"
    return GovernanceField(
        name=name,
        label=label,
        kind=_KINDS.get(name) or ("choice" if choices else "text"),
        help=words,
        absent=absent,
        default=_default(name),
        choices=choices,
        suggestions=_suggestions(rules).get(name, ()) if rules else (),
        minimum=1 if number else None,
        maximum=LONGEST_SLA if number else None,
    )


def _default(name: str) -> str:
    if name in ("owner", "language"):
        return ""
    value: Any = Governance.model_fields[name].default
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def _suggestions(rules: GovernanceRules) -> Mapping[str, tuple[str, ...]]:
    departments = rules.departments()
    owners = sorted(user.user_id for user in rules.users or () if user.active)
    return {
        "owner": (*owners, *departments),
        "department": departments,
        "permission_tag": (*_TAGS, *(department_tag(name) for name in departments)),
    }


def department_tag(department: str) -> str:
    """The permission tag of a department's confidential documents."""
    name = "_".join(department.upper().replace("-", " ").split())
    return f"CONFIDENTIAL_DEPT_{name or 'GENERAL'}"
