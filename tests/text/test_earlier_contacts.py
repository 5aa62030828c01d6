"""A customer who comes with one matter again and again is a ground to hand the case on."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.lookups.case_rows import earlier_rows
from core.models.advice import AdviceLimits
from core.models.review import Case
from core.text.earlier_contacts import earlier_grounds


def _case(number: str, subject: str = "Refund for the handbag", order: str = "A-1") -> Case:
    at = datetime(2026, 11, 20, 9, tzinfo=UTC)
    fields = {"order": order} if order else {}
    return Case(
        case_id=number,
        tenant_id="athena",
        subject=subject,
        customer_id="88",
        opened_at=at,
        updated_at=at,
        fields=fields,
    )


@pytest.mark.parametrize(
    ("earlier", "repeated"),
    [
        ([], False),
        ([_case("1", "Parcel late")], False),
        ([_case("1", "Parcel late"), _case("2", "Hello")], True),  # the same order, twice before
        ([_case("1", "Gift card", "A-2"), _case("2", "My points", "A-3")], False),
        ([_case("1", "Handbag refund", ""), _case("2", "Refund for my handbag", "")], True),
    ],
)
def test_only_earlier_cases_about_the_same_matter_count(
    earlier: list[Case], repeated: bool
) -> None:
    found = earlier_grounds(earlier_rows(earlier), _case("9"), AdviceLimits())
    assert [g.ground.kind for g in found] == (["repeated_contact"] if repeated else [])


def test_the_ground_names_the_cases_and_days() -> None:
    rows = earlier_rows([_case("1041"), _case("1042")])
    (ground,) = earlier_grounds(rows, _case("9"), AdviceLimits())
    assert "cases 1041 (2026-11-20), 1042 (2026-11-20)" in ground.ground.words


def test_without_a_case_nothing_is_repeated() -> None:
    assert earlier_grounds(earlier_rows([_case("1"), _case("2")]), None, AdviceLimits()) == []
