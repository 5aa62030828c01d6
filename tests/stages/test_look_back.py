"""The past day only a record or the stored versions can tell."""

from __future__ import annotations

from datetime import date

import pytest

from core.models.evidence import EvidenceCandidate
from core.models.plan import QueryPlan
from core.models.source import DocumentVersion
from core.stages.look_back import begins_later, by_record, look_back
from tests.contracts.builders import a_document
from tests.fakes.memory_registry import MemoryRegistry
from tests.stages.language_builders import TODAY, a_candidate, planned

_ASKED = "What was the return window before?"
_RULE = "The return window is {} days."


def stored(*versions: DocumentVersion) -> MemoryRegistry:
    registry = MemoryRegistry()
    registry.put(versions, actor="kim")
    return registry


def a_chain(*texts: str) -> tuple[DocumentVersion, ...]:
    """Versions beginning on 1 January 2020, 2021 …; all but the last superseded."""
    last = len(texts) - 1
    return tuple(
        a_document(
            f"returns-{n}",
            text=text,
            valid_from=date(2020 + n, 1, 1),
            status="active" if n == last else "superseded",
        )
        for n, text in enumerate(texts)
    )


def found(version: DocumentVersion) -> EvidenceCandidate:
    return a_candidate(
        version.document_id,
        document_id=version.document_id,
        source_id=version.source_id,
        text=version.text,
        valid_from=version.governance.valid_from,
    )


def looked_back(*texts: str) -> QueryPlan:
    chain = a_chain(*texts)
    return look_back(planned(_ASKED), [found(chain[-1])], stored(*chain))


def test_before_is_the_last_day_of_the_version_replaced() -> None:
    plan = looked_back(_RULE.format(14), _RULE.format(30))
    assert plan.temporal.compared == (date(2020, 12, 31), TODAY)
    assert [d.valid_on for d in plan.dimensions] == [date(2020, 12, 31), TODAY]
    assert "(on 31 December 2020)" in plan.dimensions[0].name


def test_versions_that_say_the_same_are_passed_over() -> None:
    same = _RULE.format(30)
    plan = looked_back(_RULE.format(14), same, f"# Returns\n\n{same}", same)
    assert plan.temporal.compared[0] == date(2020, 12, 31)


def test_another_wording_with_the_same_value_is_no_change() -> None:
    plan = looked_back(_RULE.format(14), "The window for a return is 30 days.", _RULE.format(30))
    assert plan.temporal.compared[0] == date(2020, 12, 31)


def test_without_an_earlier_version_nothing_is_made_up() -> None:
    plan = looked_back(_RULE.format(30))
    assert plan.temporal.compared == (date.min, TODAY)
    assert "no earlier version on file" in plan.reasoning_notes


def test_a_question_about_today_is_left_alone() -> None:
    chain = a_chain(_RULE.format(14), _RULE.format(30))
    plan = planned("How long is the return window?")
    assert look_back(plan, [found(chain[-1])], stored(*chain)) is plan


def an_order(placed_on: str) -> EvidenceCandidate:
    return a_candidate(
        "row", retrieval_source="record", metadata={"placed_on": placed_on}, text="Order A-10101"
    )


@pytest.mark.parametrize(
    ("placed_on", "policy"), [("2026-01-08", date(2026, 1, 8)), ("2026-11-02", TODAY)]
)
def test_the_rules_of_an_old_purchases_day_decide_what_becomes_of_it(
    placed_on: str, policy: date
) -> None:
    asked = "Can I still return order A-10101?"
    plan = by_record(planned(asked), [an_order(placed_on)], asked)
    assert plan.temporal.event_date == date.fromisoformat(placed_on)
    assert plan.temporal.effective_policy_date == policy
    assert plan.temporal.prefer_current == (policy == TODAY)


@pytest.mark.parametrize(
    "asked",
    ["Where is order A-10101?", "I bought it on 3 March 2026. Can I return order A-10101?"],
)
def test_a_purchase_decides_nothing_else_and_no_day_the_question_names(asked: str) -> None:
    plan = planned(asked)
    assert by_record(plan, [an_order("2026-01-08")], asked) is plan


def test_two_purchases_leave_the_day_open() -> None:
    asked = "Can I return my orders?"
    plan = planned(asked)
    assert by_record(plan, [an_order("2026-01-08"), an_order("2025-01-08")], asked) is plan


def test_only_a_source_whose_first_version_begins_later_is_named() -> None:
    chain = a_chain(_RULE.format(14), _RULE.format(30))
    registry, answering = stored(*chain), [found(chain[-1])]
    assert begins_later(date(2019, 5, 1), answering, registry) == {"Returns": date(2020, 1, 1)}
    assert begins_later(date(2020, 1, 1), answering, registry) == {}
