"""Fields become governance, with defaults that are safe."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pytest

from core.errors import BadSource
from core.models.source import Governance
from core.sources.governance import read_governance


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
        ({"review_sla_days": 0}, "'review_sla_days'", "greater than or equal to 1"),
        ({"signed": "maybe"}, "'signed'", "boolean"),
        ({"owner": ["a", "b"]}, "'owner' must be one text", "owner: text"),
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
        ({"permission_tag": "SOMETHING"}, "restricted", "SOMETHING"),
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
