"""The case store as read tools: one case with its decisions, and a customer's earlier cases."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Annotated

from pydantic import Field

from core.lookups.case_rows import case_file, decision_rows, earlier_rows
from core.lookups.lookup import AsOf, CustomerId, Lookup
from core.models.access import SecurityContext
from core.models.base import Model
from core.models.tool import ToolAnswer, failed
from core.tools.ports import CaseHistory, ReadTool

CASE, EARLIER = "get_case", "earlier_cases"
_MOST = 20
CaseId = Annotated[
    str, Field(min_length=1, max_length=60, description="a case number such as 1042")
]


class CaseWanted(Model):
    """Which case."""

    case_id: CaseId


class EarlierWanted(Model):
    """Whose cases, how far back, and which one is not to be counted."""

    customer_id: CustomerId
    days: Annotated[int, Field(ge=1, le=3650, description="a number of days such as 90")] = 90
    except_case: Annotated[
        str, Field(max_length=60, description="the number of a case to leave out")
    ] = ""
    on: AsOf = None


def case_lookup(history: CaseHistory) -> ReadTool:
    """``get_case(case_id)``: fields, events, checklist and decisions, one row each."""

    def answer(context: SecurityContext, wanted: CaseWanted) -> ToolAnswer:
        case = history.case(context.tenant_id, wanted.case_id)
        if case is None or case.tenant_id != context.tenant_id:
            return failed("not_found", f"There is no case {wanted.case_id!r}. Check the number.")
        rows = case_file(case)
        rows += decision_rows(case, history.decisions(context.tenant_id, case.case_id))
        if not rows:
            return failed("not_found", f"Nothing is recorded on case {wanted.case_id!r}.")
        return ToolAnswer(rows=tuple(rows))

    return Lookup(
        name=CASE,
        description="The fields, events, checklist and decisions on one case's record.",
        parameters=CaseWanted,
        answer=answer,
    )


def earlier_lookup(history: CaseHistory, today: Callable[[], date]) -> ReadTool:
    """``earlier_cases(customer_id, days)``, oldest first; the newest 20 where there are more."""

    def answer(context: SecurityContext, wanted: EarlierWanted) -> ToolAnswer:
        until = wanted.on or today()
        since = until - timedelta(days=wanted.days)
        found = [
            case
            for case in history.of_customer(
                context.tenant_id, wanted.customer_id, since=since, until=until
            )
            if case.case_id != wanted.except_case
        ]
        if not found:
            said = f"customer {wanted.customer_id!r} in the {wanted.days} days up to {until}"
            return failed("not_found", f"There is no other case of {said}.")
        more = len(found) > _MOST
        notes = (f"There are {len(found)} cases; the newest {_MOST} are given.",) if more else ()
        return ToolAnswer(rows=tuple(earlier_rows(found[-_MOST:])), notes=notes)

    return Lookup(
        name=EARLIER,
        description="A customer's other cases of the last days: number, subject, day and state.",
        parameters=EarlierWanted,
        answer=answer,
    )
