"""What is wrong with the metadata of an upload, named beside its field with what to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.errors import BadSource
from core.identity.access import answers_for
from core.knowledge.upload_form import WIDE_OPEN, Asker
from core.knowledge.upload_views import Problem
from core.models.source import Governance
from core.sources.governance import read_governance


def problems_of(values: Mapping[str, str], asker: Asker) -> tuple[Problem, ...]:
    """Everything wrong with the fields by themselves and with this person's right to set them."""
    found = [*_unreadable(values, asker), *_beyond_rights(values, asker)]
    if not values["title"].strip():
        found.append(Problem(field="title", reason="it has no title", fix="give it one"))
    return tuple(dict.fromkeys(found))


def governance_of(values: Mapping[str, str], *, item: str, owner: str) -> Governance:
    """The governance the values state. Raises ``BadSource``."""
    return read_governance(item, _stated(values), owner=owner, text="")


def _stated(values: Mapping[str, str]) -> dict[str, object]:
    stated: dict[str, object] = {
        name: value.strip() for name, value in values.items() if value.strip() and name != "title"
    }
    if "review_sla_days" in stated and str(stated["review_sla_days"]).isdigit():
        stated["review_sla_days"] = int(str(stated["review_sla_days"]))
    return stated


def _unreadable(values: Mapping[str, str], asker: Asker) -> Iterator[Problem]:
    """Each field by itself, so that all are named at once; then all of them together."""
    alone = list(_each_alone(values, asker))
    yield from alone
    if not alone:
        try:
            governance_of(values, item="upload", owner=asker.user.user_id)
        except BadSource as error:
            yield Problem(field="", reason=error.reason, fix=error.fix)


def _each_alone(values: Mapping[str, str], asker: Asker) -> Iterator[Problem]:
    for name, value in _stated(values).items():
        try:
            read_governance("upload", {name: value}, owner=asker.user.user_id, text="")
        except BadSource as error:
            yield Problem(field=name, reason=error.reason, fix=error.fix)


def _beyond_rights(values: Mapping[str, str], asker: Asker) -> Iterator[Problem]:
    """Nobody publishes what they could not read afterwards, or in nobody's name."""
    if values["classification"] not in asker.context.allowed_classifications:
        yield Problem(
            field="classification",
            reason=f"you may not read what is {values['classification'] or 'unclassified'}",
            fix="choose one you may read, or ask somebody who may to publish it",
        )
    if values["acl_policy_id"] not in asker.context.allowed_acl_policy_ids:
        yield Problem(
            field="acl_policy_id",
            reason="you are not among its readers",
            fix="choose a policy that lets you in, or ask one of its readers to publish it",
        )
    yield from _foreign_department(values, asker)
    if not any(answers_for(person, values["owner"]) for person in asker.people):
        yield Problem(
            field="owner",
            reason=f"nobody here answers for {values['owner']!r}",
            fix="name a person or a department",
        )
    if values["status"] not in ("active", "draft"):
        yield Problem(
            field="status",
            reason=f"a new version is not {values['status']}",
            fix="use active or draft",
        )


def _foreign_department(values: Mapping[str, str], asker: Asker) -> Iterator[Problem]:
    """What is closed to a department belongs to it alone; others' departments are not mine."""
    tag = values["permission_tag"].upper()
    tagged = tag.removeprefix("CONFIDENTIAL_DEPT_") if tag.startswith("CONFIDENTIAL_DEPT_") else ""
    closed = values["classification"] not in WIDE_OPEN
    named = [("department", values["department"])] if closed or tagged else []
    for field, department in (*named, ("permission_tag", tagged)):
        if department.strip() and _plain(department) != _plain(asker.user.department):
            yield Problem(
                field=field,
                reason=f"you do not belong to {department.strip()}",
                fix="leave closed documents of other departments to them",
            )


def _plain(department: str) -> str:
    return department.strip().casefold().replace("_", " ")
