"""A toolbox answers, or says in words why not; it never raises and never hands on foreign rows."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from pydantic import Field

from core.errors import TryAgainLater
from core.models.access import SecurityContext
from core.models.base import Model
from core.models.evidence import EvidenceCandidate
from core.models.tool import ToolAccess, ToolAnswer, failed
from core.tools.toolbox import Called, Toolbox
from tests.stages.language_builders import a_candidate, rights


class Wanted(Model):
    order_id: str = Field(min_length=1, max_length=40, description="an order number such as A-1")
    count: int = Field(default=1, ge=1, description="a whole number from 1 on")
    on: date | None = Field(default=None, description="a day such as 2026-11-30")
    amount: Decimal | None = Field(default=None, description="an amount such as 12.50")


def _row(**more: Any) -> EvidenceCandidate:
    return a_candidate("records:orders/A-1", acl_policy_id="support-internal", **more)


class LookUp:
    """A tool that answers with what a test gives it, and remembers who asked for what."""

    name = "look_up"
    description = "Looks one order up."
    parameters = Wanted

    def __init__(
        self,
        answer: Callable[[], ToolAnswer] = lambda: ToolAnswer(rows=(_row(),)),
        *,
        access: ToolAccess | None = None,
        timeout_ms: int = 5_000,
    ) -> None:
        self._answer, self.timeout_ms = answer, timeout_ms
        self.access = access or ToolAccess(acl_policy_id="support-internal")
        self.asked: list[tuple[str, Wanted]] = []

    def call(self, context: SecurityContext, arguments: Wanted) -> ToolAnswer:
        self.asked.append((context.tenant_id, arguments))
        return self._answer()


class Log:
    def __init__(self) -> None:
        self.reported: list[tuple[str, tuple[str, ...]]] = []

    def report(self, context: SecurityContext, tool: str, violations: tuple[str, ...]) -> None:
        self.reported.append((context.user_id, violations))


def _call(tool: LookUp, role: str = "agent", log: Log | None = None, **given: object) -> Called:
    return Toolbox([tool], log=log).call("look_up", rights(role), given or {"order_id": "A-1"})


def _failure(called: Called) -> tuple[str, str]:
    assert called.answer.failure is not None
    assert called.answer.rows == ()
    assert called.call.outcome == called.answer.failure.kind
    return called.answer.failure.kind, called.answer.failure.message


def test_an_answer_carries_rows_and_is_recorded() -> None:
    tool = LookUp()
    answer, call = _call(tool, order_id="A-1", count=2)
    assert [row.chunk_id for row in answer.rows] == ["records:orders/A-1"]
    assert (call.tool, call.outcome, call.rows) == ("look_up", "answered", 1)
    assert call.arguments == {"order_id": "A-1", "count": "2"}
    assert call.row_keys == ("records:orders/A-1",)
    assert tool.asked == [("athena", Wanted(order_id="A-1", count=2))]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"order_id": 12.5}, "order_id is a number that does not fit; give an order number"),
        ({"order_id": True}, "order_id is true or false"),
        ({"order_id": None}, "order_id is an empty value"),
        ({"order_id": ["A-1"]}, "order_id is a list"),
        ({"order_id": ""}, "order_id is text that does not fit; give an order number such as A-1"),
        ({"order_id": "A-1", "count": "three"}, "count is text"),
        ({"order_id": "A-1", "count": 1.5}, "count is a number"),
        ({"order_id": "A-1", "on": "yesterday"}, "on is text that does not fit; give a day such"),
        ({"order_id": "A-1", "amount": "ten"}, "amount is text"),
        ({"order_id": object()}, "order_id is an object"),
        ({}, "look_up needs order_id: give an order number such as A-1"),
        ({"order_id": "A-1", "sql": "1"}, "no parameter 'sql'. Call it as look_up(order_id, "),
    ],
)
def test_a_wrong_type_names_the_parameter_its_kind_and_the_remedy(
    given: dict[str, object], words: str
) -> None:
    tool = LookUp()
    kind, message = _failure(Toolbox([tool]).call("look_up", rights("agent"), given))
    assert kind == "wrong_type"
    assert words in message
    assert tool.asked == []


def test_text_from_a_command_line_is_read_as_the_type_of_the_parameter() -> None:
    tool = LookUp()
    _call(tool, order_id="A-1", count="3", on="2026-11-30", amount="12.50")
    ((_, read),) = tool.asked
    assert (read.count, read.on, read.amount) == (3, date(2026, 11, 30), Decimal("12.50"))


@pytest.mark.parametrize(
    ("access", "role"),
    [
        (ToolAccess(), "guest"),
        (ToolAccess(action="supervise"), "agent"),
        (ToolAccess(roles=("supervisor",)), "agent"),
        (ToolAccess(acl_policy_id="hr-confidential"), "agent"),
        (ToolAccess(acl_policy_id="no-such-policy"), "supervisor"),
        (ToolAccess(tenants=("borealis",)), "agent"),
    ],
)
def test_without_the_right_the_tool_is_never_called(access: ToolAccess, role: str) -> None:
    tool = LookUp(access=access)
    kind, _ = _failure(_call(tool, role))
    assert kind == "not_allowed"
    assert tool.asked == []


def test_rights_are_checked_before_arguments_so_that_nothing_is_said_of_them() -> None:
    kind, message = _failure(_call(LookUp(), "guest", order_id=5))
    assert kind == "not_allowed"
    assert "order_id" not in message


@pytest.mark.parametrize(
    "beyond",
    [
        {"tenant_id": "borealis"},
        {"acl_policy_id": "hr-confidential"},
        {"classification": "restricted"},
    ],
)
def test_a_row_beyond_the_callers_rights_is_dropped_and_reported(beyond: dict[str, str]) -> None:
    foreign = _row().model_copy(update={"chunk_id": "records:orders/A-2", **beyond})
    log = Log()
    answer, call = _call(LookUp(lambda: ToolAnswer(rows=(_row(), foreign))), log=log)
    assert [row.chunk_id for row in answer.rows] == ["records:orders/A-1"]
    assert call.dropped == 1
    assert "A-2" not in call.model_dump_json()
    ((who, (said,)),) = log.reported
    assert who == "ana"
    assert "A-2 dropped" in said


def test_nothing_but_foreign_rows_is_as_if_nothing_were_there() -> None:
    foreign = _row().model_copy(update={"tenant_id": "borealis"})
    kind, message = _failure(_call(LookUp(lambda: ToolAnswer(rows=(foreign,)))))
    assert kind == "not_found"
    assert "borealis" not in message


def test_a_source_that_does_not_answer_in_time_ends_too_slow() -> None:
    released = threading.Event()

    def hang() -> ToolAnswer:
        released.wait(30)
        return ToolAnswer(rows=(_row(),))

    try:
        kind, message = _failure(_call(LookUp(hang, timeout_ms=20)))
    finally:
        released.set()
    assert kind == "too_slow"
    assert "0.02 s" in message


def test_a_source_that_fails_says_so_and_one_that_breaks_tells_nothing_of_its_insides() -> None:
    def away() -> ToolAnswer:
        raise TryAgainLater("The orders database does not answer.")

    def broken() -> ToolAnswer:
        raise KeyError("password=hunter2")

    assert _failure(_call(LookUp(away))) == ("unavailable", "The orders database does not answer.")
    kind, message = _failure(_call(LookUp(broken)))
    assert kind == "unavailable"
    assert "KeyError" in message
    assert "hunter2" not in message


def test_an_unknown_tool_is_answered_with_those_there_are() -> None:
    called = Toolbox([LookUp()]).call("drop_table", rights("agent"), {})
    kind, message = _failure(called)
    assert kind == "not_found"
    assert "look_up(order_id, [count], [on], [amount])" in message


def test_an_answer_without_rows_must_say_why() -> None:
    with pytest.raises(ValueError, match="rows or with a failure"):
        ToolAnswer()
    with pytest.raises(ValueError, match="rows or with a failure"):
        ToolAnswer(rows=(_row(),), failure=failed("not_found", "none").failure)
