"""Records and the case's own file: only for those who review cases, as sentences."""

from __future__ import annotations

import pytest

from core.errors import TooSlow
from core.models.evidence import EvidenceCandidate
from core.models.plan import QueryPlan
from core.models.request import UserRequest
from core.models.review import Case
from core.pipeline_lookups import standard_toolbox
from core.ports import RecordStore
from core.stages.records import Fetched, fetch_records
from tests.fakes.memory_index import MemoryIndex
from tests.fakes.memory_registry import MemoryRegistry
from tests.stages.language_builders import (
    TODAY,
    ScriptedRecords,
    a_candidate,
    a_request,
    an_enforcement_case,
    planned,
    rights,
)


def _fetched(
    plan: QueryPlan,
    role: str,
    request: UserRequest,
    *,
    records: RecordStore | None = None,
    case: Case | None = None,
) -> Fetched:
    toolbox = standard_toolbox(
        records=records or ScriptedRecords(),
        index=MemoryIndex(),
        registry=MemoryRegistry(),
        today=lambda: TODAY,
    )
    return fetch_records(plan, rights(role), request, toolbox=toolbox, case=case)


_QUESTION = "How long do I have to return an item?"


def _an_order(customer: str = "88") -> EvidenceCandidate:
    return a_candidate(
        "records:orders/A-10293",
        metadata={"customer_id": customer},
        acl_policy_id="support-internal",
    )


_STATUS = "What is the status of order A-10293?"


def test_an_agent_reads_the_order_and_a_guest_does_not() -> None:
    for role, count in (("agent", 1), ("hr", 0), ("guest", 0)):
        records = ScriptedRecords(orders={"A-10293": _an_order()})
        rows = _fetched(planned(_STATUS), role, a_request(_STATUS), records=records).rows
        assert len(rows) == count
        assert bool(records.read) is (role == "agent")


def test_an_unknown_order_gives_no_row() -> None:
    fetched = _fetched(planned(_STATUS), "agent", a_request(_STATUS))
    assert (fetched.rows, fetched.unread) == ((), {})
    assert [call.outcome for call in fetched.calls] == ["not_found"]


def test_a_database_that_does_not_answer_is_named_and_not_taken_for_an_empty_one() -> None:
    class Slow(ScriptedRecords):
        def order(self, tenant_id: str, number: str) -> EvidenceCandidate | None:
            raise TooSlow("The records database did not answer within 5 s.")

    fetched = _fetched(planned(_STATUS), "agent", a_request(_STATUS), records=Slow())
    assert fetched.rows == ()
    assert fetched.unread == {
        "A-10293": "could not be read: The records database did not answer within 5 s."
    }
    assert [call.outcome for call in fetched.calls] == ["too_slow"]


@pytest.mark.parametrize(("asker", "noted"), [("C-0088", False), ("88", False), ("91", True)])
def test_an_order_of_another_customer_is_noted(asker: str, noted: bool) -> None:
    records = ScriptedRecords(orders={"A-10293": _an_order()})
    request = a_request(_STATUS, customer_id=asker)
    (row,) = _fetched(planned(_STATUS), "agent", request, records=records).rows
    assert ("note_owner" in row.metadata) is noted


def test_the_case_file_comes_as_sentences_when_the_case_is_asked_about() -> None:
    case = an_enforcement_case()
    text = "Can we close this case without escalation?"
    rows = _fetched(planned(text, case), "agent", a_request(text), case=case).rows
    said = {row.source_uri: row.text for row in rows}
    assert (
        said["case:1077/event/EV-2"]
        == "Event EV-2 on 14 October 2026: second late filing recorded."
    )
    assert said["case:1077/checklist/2"] == 'Checklist item "Listing check" is not done.'
    assert said["case:1077/field/case_type"] == "Case type: seller compliance."
    assert "case:1077/field/audience" not in said
    tags = {row.source_uri: row.permission_tag for row in rows}
    assert tags["case:1077/field/contact"] == "PERSONAL_DATA_PII"
    assert tags["case:1077/event/EV-1"] == "INTERNAL_ONLY"


def test_the_case_file_stays_shut_for_an_ordinary_question_and_for_other_tenants() -> None:
    text = "Can we close this case without escalation?"
    for case, asked in (
        (an_enforcement_case(), _QUESTION),
        (an_enforcement_case(tenant_id="other"), text),
    ):
        rows = _fetched(planned(asked, case), "agent", a_request(asked), case=case).rows
        assert rows == ()
