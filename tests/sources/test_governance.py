"""Fields become governance, with defaults that are safe."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pytest

from core.errors import BadSource
from core.models.access import AclPolicy, User
from core.models.source import Governance
from core.sources.governance import (
    GovernanceRules,
    check_governance,
    governance_fields,
    read_governance,
    warnings_of,
)


def read(text: str = "Refunds take five days.", **fields: Any) -> Governance:
    return read_governance("returns.md", fields, owner="me", text=text)


def test_silence_means_a_public_active_faq_of_the_ingesting_user() -> None:
    governance = read()
    assert governance == Governance(owner="me")
    assert (governance.authority, governance.status, governance.signed) == ("faq", "active", True)


def test_the_language_is_detected_unless_given() -> None:
    assert read("大衣可以在三十天内退货。").language == "zh"
    assert read("大衣可以在三十天内退货。", language="en").language == "en"


@pytest.mark.parametrize(
    "written",
    ["2026-11-30", date(2026, 11, 30), datetime(2026, 11, 30, 8, 0)],  # noqa: DTZ001
)
def test_dates_are_read_as_yaml_gives_them(written: Any) -> None:
    assert read(valid_from=written).valid_from == date(2026, 11, 30)


@pytest.mark.parametrize(
    ("fields", "reason", "fix"),
    [
        ({"valid_from": "30.11.2026"}, "'valid_from' is not a date", "YYYY-MM-DD"),
        ({"valid_from": "2026-02-30"}, "'valid_from' is not a date", "YYYY-MM-DD"),
        ({"status": "live"}, "'status' cannot be 'live'", "active"),
        ({"authority": "boss"}, "'authority' cannot be 'boss'", "official_policy"),
        ({"review_sla_days": 0}, "'review_sla_days'", "from 1 to 3650"),
        ({"signed": "maybe"}, "'signed'", "true or false"),
        ({"owner": ["a", "b"]}, "'owner' must be one text", "owner: text"),
        ({"review_sla_days": 36_500}, "'review_sla_days'", "from 1 to 3650"),
        ({"review_sla_days": True}, "'review_sla_days'", "from 1 to 3650"),
        ({"permission_tag": "SOMETHING"}, "'permission_tag' cannot be 'SOMETHING'", "PUBLIC"),
        ({"language": "the usual"}, "'language' cannot be 'the usual'", "en, zh or other"),
        ({"uri": "javascript:alert(1)"}, "'uri' is not a link", "https"),
        ({"valid_from": "0026-02-01"}, "'valid_from' lies too far", "year"),
        ({"owner": "x" * 501}, "'owner' is too long", "500"),
        (
            {"permission_tag": "INTERNAL_ONLY", "classification": "public"},
            "the tag INTERNAL_ONLY contradicts the classification 'public'",
            "internal",
        ),
        (
            {"valid_from": "2026-02-01", "valid_to": "2026-02-01"},
            "it holds on no day",
            "one day on",
        ),
        (
            {"valid_from": "2026-02-01", "valid_to": "2026-01-01"},
            "valid_to lies before valid_from",
            "in order",
        ),
    ],
)
def test_a_bad_field_is_named_with_its_remedy(
    fields: dict[str, Any], reason: str, fix: str
) -> None:
    with pytest.raises(BadSource) as error:
        read(**fields)
    assert error.value.item == "returns.md"
    assert reason in error.value.reason
    assert fix in error.value.fix


@pytest.mark.parametrize(
    ("fields", "classification", "tag"),
    [
        ({"permission_tag": "INTERNAL_ONLY"}, "internal", "INTERNAL_ONLY"),
        ({"permission_tag": "CONFIDENTIAL_DEPT_HR"}, "confidential", "CONFIDENTIAL_DEPT_HR"),
        ({"permission_tag": "PERSONAL_DATA_PII"}, "restricted", "PERSONAL_DATA_PII"),
        ({"permission_tag": "internal only"}, "internal", "INTERNAL_ONLY"),
        ({"classification": "internal"}, "internal", "INTERNAL_ONLY"),
        (
            {"classification": "confidential", "department": "hr"},
            "confidential",
            "CONFIDENTIAL_DEPT_HR",
        ),
        ({"classification": "restricted"}, "restricted", "CONFIDENTIAL_DEPT_GENERAL"),
        ({"classification": "public", "permission_tag": "PUBLIC"}, "public", "PUBLIC"),
    ],
)
def test_tag_and_class_never_leave_each_other_public(
    fields: dict[str, Any], classification: str, tag: str
) -> None:
    governance = read(**fields)
    assert (governance.classification, governance.permission_tag) == (classification, tag)


def test_short_names_and_odd_types_are_understood() -> None:
    governance = read(acl="staff", version=4.2, signed="no", region=None)
    assert (governance.acl_policy_id, governance.version) == ("staff", "4.2")
    assert (governance.signed, governance.region) == (False, "")


def test_other_spellings_of_a_value_and_other_names_of_a_field_are_understood() -> None:
    governance = read(
        authority="Official policy",
        status="Active",
        language="zh-CN",
        effective_date="2026-01-01T00:00:00Z",
        expires="2027-01-01",
        review_sla="30 days",
        source_type="web page",
        permission_tag="confidential-dept-hr",
    )
    assert (governance.authority, governance.status) == ("official_policy", "active")
    assert (governance.language, governance.review_sla_days) == ("zh", 30)
    assert (governance.valid_from, governance.valid_to) == (date(2026, 1, 1), date(2027, 1, 1))
    assert (governance.source_type, governance.classification) == ("WEB_PAGE", "confidential")
    assert read(language="de").language == "other"
    assert read(expires="2027-01-01", valid_to="2028-01-01").valid_to == date(2028, 1, 1)


def test_an_empty_value_says_nothing() -> None:
    assert read(owner=" ", region="", valid_to="", authority="") == Governance(owner="me")


def test_every_fault_is_named_at_once() -> None:
    with pytest.raises(BadSource) as error:
        read(status="live", valid_from="soon", signed="maybe")
    assert all(word in error.value.reason for word in ("'status'", "'valid_from'", "'signed'"))


TODAY = date(2026, 11, 30)


def a_user(user_id: str, department: str, *, active: bool = True) -> User:
    return User(
        user_id=user_id,
        tenant_id="athena",
        name=user_id.title(),
        email=f"{user_id}@athena.example",
        roles=("knowledge_owner",),
        department=department,
        permission_level="L3",
        active=active,
    )


RULES = GovernanceRules(
    today=TODAY,
    acl_policies=(
        AclPolicy(policy_id="staff", tenant_id="athena", description="", roles=("agent",)),
        AclPolicy(
            policy_id="hr-only",
            tenant_id="athena",
            description="",
            roles=("hr",),
            departments=("HR",),
        ),
    ),
    users=(a_user("kim", "Customer service"), a_user("rex", "Sales", active=False)),
)


@pytest.mark.parametrize(
    ("fields", "field", "reason", "fix"),
    [
        ({"acl_policy_id": "staf"}, "acl_policy_id", "no access policy 'staf'", "hr-only, public"),
        ({"acl": "nobody"}, "acl_policy_id", "no access policy 'nobody'", "use one of"),
        ({"last_reviewed": "2026-12-02"}, "last_reviewed", "yet to come", "last review"),
        ({"supersedes": "returns-v2"}, "supersedes", "replaces itself", "older version"),
    ],
)
def test_what_the_tenant_cannot_mean_is_refused(
    fields: dict[str, Any], field: str, reason: str, fix: str
) -> None:
    (problem,) = check_governance(fields, RULES, document_id="returns-v2")
    assert (problem.field, problem.severity) == (field, "refused")
    assert reason in problem.reason
    assert fix in problem.fix
    with pytest.raises(BadSource):
        read_governance(
            "x.md", fields, owner="me", text="Text.", rules=RULES, document_id="returns-v2"
        )


@pytest.mark.parametrize(
    ("fields", "field", "reason"),
    [
        ({"valid_to": "2026-11-30"}, "valid_to", "ended on 2026-11-29"),
        ({"valid_from": "2026-12-24"}, "valid_from", "not used before"),
        ({"status": "superseded"}, "valid_to", "does not say since when"),
        ({"authority": "draft"}, "status", "draft by authority but active"),
        ({"review_sla_days": 1}, "review_sla_days", "nearly always be overdue"),
        ({"owner": "nobody"}, "owner", "neither a user nor a department"),
        ({"owner": "Rex"}, "owner", "no longer active"),
        ({"permission_tag": "CONFIDENTIAL_DEPT_MOON"}, "permission_tag", "no department here"),
        (
            {"permission_tag": "CONFIDENTIAL_DEPT_HR", "department": "Sales"},
            "permission_tag",
            "another department than 'Sales'",
        ),
        (
            {"classification": "confidential", "department": "HR", "acl": "staff"},
            "classification",
            "may read confidential documents",
        ),
        ({"acl": "staff"}, "acl_policy_id", "classified public but only readers"),
    ],
)
def test_what_is_doubtful_is_said_and_taken_in(
    fields: dict[str, Any], field: str, reason: str
) -> None:
    found = check_governance(fields, RULES)
    assert [(p.field, p.severity) for p in found] == [(field, "warning")]
    assert reason in found[0].reason
    assert read_governance("x.md", fields, owner="me", text="Text.", rules=RULES)
    (said,) = warnings_of(fields, RULES)
    assert reason in said
    assert found[0].fix in said


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"owner": "kim@athena.example", "acl": "public", "last_reviewed": "2026-12-01"},
        {"owner": "customer service", "valid_to": "2026-12-01", "supersedes": "returns-v1"},
        {"classification": "confidential", "department": "HR", "acl": "hr-only"},
        {"classification": "internal", "acl": "staff"},
    ],
)
def test_what_holds_together_is_taken_in_without_a_word(fields: dict[str, Any]) -> None:
    assert check_governance(fields, RULES, document_id="returns-v2") == ()


def test_what_is_not_known_is_not_checked() -> None:
    assert check_governance({"acl": "any", "owner": "any"}, GovernanceRules(today=TODAY)) == ()
    assert check_governance({"acl": "any", "last_reviewed": "2030-01-01"}) == ()


def test_the_form_has_every_field_of_the_model_with_what_it_takes() -> None:
    fields = {field.name: field for field in governance_fields(RULES)}
    assert set(fields) == set(Governance.model_fields)
    assert fields["status"].choices == ("active", "draft", "superseded", "archived")
    assert fields["acl_policy_id"].choices == ("hr-only", "public", "staff")
    assert fields["owner"].suggestions == ("kim", "Customer service", "HR", "Sales")
    assert (fields["review_sla_days"].minimum, fields["review_sla_days"].default) == (1, "90")
    kinds = {name: field.kind for name, field in fields.items()}
    assert (kinds["valid_to"], kinds["signed"], kinds["region"]) == ("date", "truth", "text")


def test_everything_a_form_offers_is_taken() -> None:
    for field in governance_fields():
        for value in (*field.choices, field.default):
            found = check_governance({field.name: value})
            assert [p for p in found if p.severity == "refused"] == []
