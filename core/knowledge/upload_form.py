"""The metadata form of an upload: its fields, what they hold at first, and what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple, get_args

from core.errors import BadSource
from core.knowledge.upload_models import UploadDraft
from core.knowledge.upload_views import Choice, FieldKind, FieldView, Problem
from core.models.access import AclPolicy, Classification, SecurityContext, User
from core.models.request import Language
from core.models.source import Authority, Governance
from core.sources.governance import read_governance

WIDE_OPEN = ("public", "internal")
"""Classes that are not closed to a department."""
_LAST_NUMBER = re.compile(r"\d+(?=\D*\Z)")


class Field(NamedTuple):
    """A field as the form asks for it."""

    name: str
    label: str
    kind: FieldKind
    main: bool = True
    help: str = ""


FIELDS = (
    Field("title", "Title", "text"),
    Field("owner", "Owner", "choice", help="Who answers for it and reviews it."),
    Field("authority", "Authority", "choice", help="How much its word weighs against others."),
    Field("status", "Status", "choice", help="A draft is kept, but answers nothing."),
    Field("version", "Version", "text"),
    Field("valid_from", "Holds from", "date", help="The first day it holds."),
    Field("classification", "Classification", "choice"),
    Field("acl_policy_id", "Who may read it", "choice"),
    Field("review_sla_days", "Review every … days", "number"),
    Field("last_reviewed", "Last review", "date", help="Empty: nobody has reviewed it yet."),
    Field("valid_to", "Holds until", "date", main=False, help="The first day it no longer holds."),
    Field("language", "Language", "choice", main=False, help="Detected from the text."),
    Field("department", "Department", "text", main=False),
    Field("region", "Region", "text", main=False),
    Field("product", "Product", "text", main=False),
    Field("scope_note", "Covers only", "text", main=False, help="When it is a special case."),
    Field("signed", "Somebody signed it", "yes_no", main=False),
    Field("permission_tag", "Permission tag", "text", main=False, help="Empty: as classified."),
    Field("source_type", "Kept in", "choice", main=False),
    Field("uri", "Address", "text", main=False, help="Where the original is kept."),
)
LABELS = {field.name: field.label for field in FIELDS}
_WORDS = {"en": "English", "zh": "Chinese", "active": "in force", "draft": "draft"}


class Asker(NamedTuple):
    """Who fills the form in, and what there is to choose from."""

    user: User
    context: SecurityContext
    policies: tuple[AclPolicy, ...]
    people: tuple[User, ...]
    today: str


AskerOf = Callable[[str], Asker]
"""The asker of a user id, with today's rights. Raises ``NotAllowed``, ``NotFound``."""


def values_of(
    draft: UploadDraft, asker: Asker, before: Governance | None
) -> tuple[dict[str, str], dict[str, str]]:
    """The value of every field, and where each came from."""
    given = {"title": draft.title, **_kept(draft.stated)}
    origins = dict.fromkeys(draft.stated, "file")
    if before is not None:
        inherited = _inherited(before)
        origins.update({n: "version before" for n in inherited if n not in given})
        given = {**inherited, **given}
        if given.get("version") == before.version:
            given["version"] = next_version(before.version)
            origins["version"] = "default"
        if given.get("valid_from", "") < asker.today:  # it cannot have held before today
            given["valid_from"] = asker.today
            origins["valid_from"] = "default"
    edited = _kept(draft.edited, known_only=False)
    origins.update(dict.fromkeys(edited, "edited"))
    given.update(edited)
    values = {**_defaults(draft, asker), **given}
    if before is not None and values["classification"] != before.classification:
        # The tag of the version before would contradict the new class; empty, it follows it.
        values = {**values, "permission_tag": draft.edited.get("permission_tag", "")}
    return {field.name: values.get(field.name, "") for field in FIELDS}, origins


def _kept(fields: Mapping[str, str], *, known_only: bool = True) -> dict[str, str]:
    return {n: v for n, v in fields.items() if n in LABELS and (v or not known_only)}


def _inherited(before: Governance) -> dict[str, str]:
    """What the next version of a source takes over; dates and reviews are its own."""
    kept = before.model_dump(
        mode="json",
        exclude={"valid_from", "valid_to", "last_reviewed", "supersedes", "status", "language"},
        exclude_defaults=False,
    )
    return {name: _text(value) for name, value in kept.items() if value not in (None, "")}


def _text(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def next_version(version: str) -> str:
    """``4.2`` → ``4.3``; a version without a number gets one."""
    if found := _LAST_NUMBER.search(version):
        return f"{version[: found.start()]}{int(found[0]) + 1}{version[found.end() :]}"
    return f"{version} 2"


def _defaults(draft: UploadDraft, asker: Asker) -> dict[str, str]:
    return {
        "authority": "faq",
        "status": "active",
        "version": "1",
        "valid_from": asker.today,
        "review_sla_days": "90",
        "language": draft.language,
        "signed": "yes",
        "source_type": "FILE",
        **draft.preset,
    }


def preset_for(asker: Asker, stated: Mapping[str, str]) -> dict[str, str]:
    """Owner and access where the file is silent: never laxer than the person's strictest right."""
    level = (
        stated.get("classification")
        or _level_of(stated)
        or (asker.context.allowed_classifications[-1])
    )
    return {
        "owner": asker.user.user_id,
        "classification": level,
        "acl_policy_id": _policy(asker, level),
    }


def _level_of(stated: Mapping[str, str]) -> str:
    """The class a tag alone decides."""
    if not stated.get("permission_tag"):
        return ""
    try:
        tag = {"permission_tag": stated["permission_tag"]}
        return read_governance("upload", tag, owner="-", text="").classification
    except BadSource:
        return "restricted"


def _policy(asker: Asker, level: str) -> str:
    """For the public everyone's policy; inside, the widest that is not everyone's; else narrow."""
    mine = [p for p in asker.policies if p.policy_id in asker.context.allowed_acl_policy_ids]
    if level == "public":
        return next((p.policy_id for p in mine if p.everyone), "public")
    closed = sorted((p for p in mine if not p.everyone), key=_reach)
    if not closed:
        return "public"
    return (closed[-1] if level in WIDE_OPEN else closed[0]).policy_id


def _reach(policy: AclPolicy) -> int:
    return len(policy.roles) + len(policy.departments)


# -- the form -----------------------------------------------------------------------------------


def fields_of(
    values: Mapping[str, str],
    origins: Mapping[str, str],
    problems: tuple[Problem, ...],
    asker: Asker,
) -> tuple[FieldView, ...]:
    """The form with its values, choices and problems beside the fields."""
    return tuple(
        FieldView(
            name=field.name,
            label=field.label,
            kind=field.kind,
            value=values[field.name],
            origin=origins.get(field.name, "default"),
            choices=_choices(field.name, values[field.name], asker),
            help=field.help,
            main=field.main,
            problems=tuple(p for p in problems if p.field == field.name),
        )
        for field in FIELDS
    )


def _choices(name: str, value: str, asker: Asker) -> tuple[Choice, ...]:
    """What may be chosen; a value that may not stays visible until it is changed."""
    offered = _offered(name, asker)
    if offered and value not in {choice.value for choice in offered}:
        offered = (*offered, Choice(value=value, words=value or "(nothing)"))
    return offered


def _offered(name: str, asker: Asker) -> tuple[Choice, ...]:
    if name == "owner":
        people = [Choice(value=p.user_id, words=p.name) for p in asker.people]
        departments = sorted({p.department for p in asker.people if p.department})
        return (*people, *(Choice(value=d, words=f"{d} (department)") for d in departments))
    if name == "acl_policy_id":
        return tuple(
            Choice(value=p.policy_id, words=f"{p.description} ({p.policy_id})")
            for p in asker.policies
            if p.policy_id in asker.context.allowed_acl_policy_ids
        )
    return tuple(
        Choice(value=v, words=_WORDS.get(v, v.replace("_", " "))) for v in _literals(name, asker)
    )


def _literals(name: str, asker: Asker) -> tuple[str, ...]:
    if name == "classification":
        allowed = asker.context.allowed_classifications
        return tuple(c for c in get_args(Classification) if c in allowed)
    return {
        "authority": get_args(Authority),
        "status": ("active", "draft"),
        "language": get_args(Language),
        "source_type": get_args(Governance.model_fields["source_type"].annotation),
    }.get(name, ())
