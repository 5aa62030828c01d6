"""What a refund comes to, on the demo company's records and policies, with every input and step."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from core.models.access import SecurityContext
from core.models.calculation import Calculation
from core.models.evidence import EvidenceCandidate
from core.models.tool import ToolAnswer
from core.text.sentences import split_sentences
from core.wiring import Office
from tests.company import ask, open_at

DAY = "2026-11-30"


@pytest.fixture(scope="module")
def company(
    company_home: Path, model_cache: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Office]:
    home = tmp_path_factory.mktemp("refunds") / "home"
    shutil.copytree(company_home, home)
    opened = open_at(home, model_cache)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def ana(company: Office) -> SecurityContext:
    return company.identity.context_of("ana")


def _refund(
    office: Office, who: SecurityContext, order: str, reason: str = "unwanted", **more: str
) -> ToolAnswer:
    given = {"order_id": order, "reason": reason, "on": DAY, **more}
    return office.toolbox.call("calculate_refund", who, given).answer


def _worked(answer: ToolAnswer) -> tuple[EvidenceCandidate, Calculation]:
    assert answer.failure is None, answer.failure
    assert answer.calculation is not None
    return answer.rows[0], answer.calculation


@pytest.mark.parametrize(
    ("order", "reason", "amount"),
    [
        ("A-10293", "unwanted", "189.00"),  # free shipping
        ("A-10224", "unwanted", "124.00"),  # shipping of 24.95 stays with the customer
        ("A-10224", "wrong_item", "148.95"),  # our mistake: shipping goes back too
        ("A-10266", "damaged", "86.00"),
        ("A-10240", "unwanted", "0"),  # Final Sale
        ("A-10240", "damaged", "54.95"),  # Final Sale, but damaged
        ("A-10117", "unwanted", "0"),  # bought in February: too late
        ("A-10308", "unwanted", "258.00"),
    ],
)
def test_the_sum_follows_from_the_record_and_the_policies_in_force(
    company: Office, ana: SecurityContext, order: str, reason: str, amount: str
) -> None:
    candidate, calculation = _worked(_refund(company, ana, order, reason))
    assert Decimal(candidate.metadata["amount"]) == Decimal(amount)
    assert calculation.steps[-1].label == "Refund"
    assert calculation.result == f"${Decimal(amount):,.2f}"


def test_a_calculation_is_a_citable_row_with_its_key(company: Office, ana: SecurityContext) -> None:
    candidate, _ = _worked(_refund(company, ana, "A-10293"))
    assert candidate.chunk_id == candidate.source_uri == "calculation:refund/A-10293"
    assert (candidate.retrieval_source, candidate.source_type) == ("record", "INTERNAL_DB_TABLE")
    assert candidate.permission_tag == "PERSONAL_DATA_PII"
    first = split_sentences(candidate.text)[0].text
    assert first == "The refund for order A-10293 comes to $189.00."
    assert "18 November 2026 (purchase) + 45 days = 2 January 2027" in candidate.text


def test_every_input_and_step_names_a_row_or_a_passage_that_comes_with_the_answer(
    company: Office, ana: SecurityContext
) -> None:
    answer = _refund(company, ana, "A-10224", "wrong_item")
    _, calculation = _worked(answer)
    known = {row.chunk_id for row in answer.rows}
    assert {given.source for given in calculation.inputs} <= known
    assert calculation.steps
    assert all(step.sources for step in calculation.steps)
    assert {source for step in calculation.steps for source in step.sources} <= known
    passages = [row for row in answer.rows if row.retrieval_source != "record"]
    assert passages
    rules = [g.value for g in calculation.inputs if g.label == "Rule"]
    assert rules
    assert all(any(rule in p.text for p in passages) for rule in rules)


def test_what_the_policies_do_not_say_is_said_and_not_guessed(
    company: Office, ana: SecurityContext
) -> None:
    candidate, calculation = _worked(_refund(company, ana, "A-10113", on="2026-02-20"))
    # Version 4.1, in force then, names the label's price and says nothing of shipping.
    assert calculation.result == "$131.05 to $151.00"
    assert candidate.metadata["amount"] == ""
    assert any("shipping charge of $19.95" in words for words in calculation.unknown)
    assert {g.source for g in calculation.inputs if g.label == "Rule"} == {
        "returns-policy-4.1::0000",
        "returns-policy-4.1::0002",
    }


def test_a_part_of_an_order_is_worked_out_by_name(company: Office, ana: SecurityContext) -> None:
    candidate, _ = _worked(_refund(company, ana, "A-10308", items="the tent"))
    assert candidate.metadata["amount"] == "159.00"
    failure = _refund(company, ana, "A-10308", items="the piano").failure
    assert failure is not None
    assert "contains no 'the piano'. It contains 1 x bed linen set" in failure.message


def test_a_refund_that_was_paid_already_says_so(company: Office, ana: SecurityContext) -> None:
    candidate, _ = _worked(_refund(company, ana, "A-10188"))
    assert "The refund for order A-10188 was paid on 24 November 2026." in candidate.text


@pytest.mark.parametrize(
    ("given", "kind", "words"),
    [
        ({"order_id": "A-99999", "reason": "unwanted"}, "not_found", "no order 'A-99999'"),
        ({"order_id": "A-10129", "reason": "unwanted"}, "not_found", "was cancelled"),
        ({"order_id": "A-10293", "reason": "bored"}, "wrong_type", "unwanted, damaged or wrong"),
        ({"order_id": "A-10293"}, "wrong_type", "needs reason"),
        ({"order_id": "A-1' OR 1=1 --", "reason": "unwanted"}, "not_found", "no order"),
    ],
)
def test_what_cannot_be_worked_out_ends_in_a_clear_state(
    company: Office, ana: SecurityContext, given: dict[str, object], kind: str, words: str
) -> None:
    failure = company.toolbox.call("calculate_refund", ana, given).answer.failure
    assert failure is not None
    assert failure.kind == kind
    assert words in failure.message


def test_only_who_may_review_cases_may_work_out_refunds(company: Office) -> None:
    for user, outcome in (("ana", "answered"), ("sam", "answered"), ("helen", "not_allowed")):
        context = company.identity.context_of(user)
        given = {"order_id": "A-10293", "reason": "unwanted"}
        assert company.toolbox.call("calculate_refund", context, given).call.outcome == outcome


def test_a_question_for_the_sum_is_answered_from_the_calculation_and_cites_it(
    company: Office,
) -> None:
    run = ask(company, "How much do I get back for order A-10219?", as_user="ana")
    assert run.answer.status == "answered"
    assert "The refund for order A-10219 comes to $112.00." in run.answer.answer_markdown
    assert {c.support_status for c in run.claims} == {"supported"}
    assert run.ledger is not None
    cited = {(c.source_type, c.source_location) for c in run.ledger.citations}
    assert cited == {("INTERNAL_DB_TABLE", "calculation:refund/A-10219")}
    assert [c.tool for c in run.trace.tool_calls] == ["check_order_status", "calculate_refund"]


def test_a_sum_is_never_replaced_by_one_of_its_inputs(company: Office) -> None:
    run = ask(company, "How much will be refunded for A-10240?", as_user="ana")
    assert "Nothing is refunded for a return of order A-10240" in run.answer.answer_markdown
    assert "$48.00" not in run.answer.answer_markdown


def test_a_refund_that_cannot_be_worked_out_is_no_answer(company: Office) -> None:
    run = ask(company, "How much will be refunded for A-10129?", as_user="ana")
    assert run.answer.status == "insufficient_evidence"
    assert any("was cancelled" in words for words in run.answer.missing_information)


def test_return_rules_come_as_passages_in_force_and_name_what_was_asked(
    company: Office, ana: SecurityContext
) -> None:
    given = {"category": "cosmetics", "purchase_type": "regular", "on": DAY}
    answer = company.toolbox.call("get_return_policy", ana, given).answer
    assert "Opened cosmetics" in answer.rows[0].text
    assert {row.status for row in answer.rows} == {"active"}
    assert {row.authority for row in answer.rows} <= {"official_policy", "approved_procedure"}
    holiday = {"category": "candles", "purchase_type": "holiday", "on": DAY}
    answer = company.toolbox.call("get_return_policy", ana, holiday).answer
    assert any("45 days" in row.text for row in answer.rows)
    assert not any("60 days" in row.text for row in answer.rows)  # the unsigned FAQ
    assert answer.notes == ("No rule in force names 'candles'; these are the general ones.",)


def test_a_case_is_read_with_its_events_and_a_customer_with_the_other_cases(
    company: Office, ana: SecurityContext
) -> None:
    rows = company.toolbox.call("get_case", ana, {"case_id": "1077"}).answer.rows
    assert {"case:1077/event/EV-1", "case:1077/checklist/CL-3"} <= {r.chunk_id for r in rows}
    given = {"customer_id": "C-0088", "days": 3650, "except_case": "1042", "on": DAY}
    earlier = company.toolbox.call("earlier_cases", ana, given).answer.rows
    assert [row.metadata["case_id"] for row in earlier] == ["1081"]
    assert (
        company.toolbox.call("earlier_cases", ana, {"customer_id": "99999"}).call.outcome
        == "not_found"
    )
