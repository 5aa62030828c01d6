"""What is wrong with the metadata of an upload, named beside its field with what to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from core.identity.access import answers_for, may_read
from core.knowledge.upload_form import WIDE_OPEN, Asker
from core.knowledge.upload_views import Problem
from core.models.source import Governance
from core.sources.governance import check_governance, read_governance
from core.sources.governance_fields import GovernanceRules


def problems_of(values: Mapping[str, str], asker: Asker) -> tuple[Problem, ...]:
    """Everything wrong with the fields by themselves and with this person's right to set them.

    Those that are not ``blocking`` are only worth saying.
    """
    found = [*_beyond_rights(values, asker)]
    mine = {problem.field for problem in found}
    for checked in check_governance(_stated(values), _rules(asker)):
        if checked.field not in mine:
            found.append(
                Problem(
                    field=checked.field,
                    reason=checked.reason,
                    fix=checked.fix,
                    blocking=checked.severity == "refused",
                )
            )
    if not any(problem.blocking for problem in found):
        found += _out_of_sight(values, asker)
    if not values["title"].strip():
        found.append(Problem(field="title", reason="it has no title", fix="give it one"))
    return tuple(dict.fromkeys(found))


def governance_of(values: Mapping[str, str], *, item: str, owner: str) -> Governance:
    """The governance the values state. Raises ``BadSource``."""
    return read_governance(item, _stated(values), owner=owner, text="")


def _out_of_sight(values: Mapping[str, str], asker: Asker) -> list[Problem]:
    """The whole test that reading makes, in case a part of it has no rule of its own above."""
    governance = governance_of(values, item="upload", owner=asker.user.user_id)
    if may_read(asker.context, asker.context.tenant_id, governance):
        return []
    return [
        Problem(
            field="source_type" if asker.context.allowed_source_types else "",
            reason="you could not read it once it is published",
            fix="change who may read it, or ask somebody who may to publish it",
        )
    ]


def _rules(asker: Asker) -> GovernanceRules:
    """Only policies that let this person in: a message lists no others."""
    allowed = asker.context.allowed_acl_policy_ids
    return GovernanceRules(
        today=date.fromisoformat(asker.today),
        acl_policies=tuple(p for p in asker.policies if p.policy_id in allowed),
        users=asker.people,
    )


def _stated(values: Mapping[str, str]) -> dict[str, str]:
    return {n: v.strip() for n, v in values.items() if v.strip() and n != "title"}


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
