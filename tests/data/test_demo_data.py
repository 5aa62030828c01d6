"""The demo company agrees with itself: every file loads, every reference points somewhere."""

from __future__ import annotations

import csv
import re
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
import yaml

from core.adapters.records_build import build_records
from core.adapters.records_db import SqliteRecords
from core.demo import DATA_DIR, load_acl_policies, load_cases, load_users
from core.evaluation.golden import GoldenCase, load_golden
from core.models.review import Case
from core.models.source import Governance
from core.sources.documents import FoundDocument
from core.sources.load import load

TENANT = "athena"
TODAY = date(2026, 11, 30)
IDENTITY = {"id", "source", "title"}
SOURCES = DATA_DIR / "sources"


def _front_matter(path: Path) -> tuple[dict[str, object], str]:
    match = re.match(r"---\n(.*?)\n---\n(.*)", path.read_text(encoding="utf-8"), re.DOTALL)
    assert match, f"{path.name} has no front matter"
    return yaml.safe_load(match[1]), match[2]


DOCUMENTS = {
    str(fields["id"]): (path, fields, body)
    for path in sorted(SOURCES.glob("*.md"))
    for fields, body in [_front_matter(path)]
}
PLAIN_FILES = {path.name: path for path in SOURCES.iterdir() if path.suffix in (".txt", ".html")}
GOVERNANCE = {
    document_id: Governance.model_validate({k: v for k, v in fields.items() if k not in IDENTITY})
    for document_id, (_, fields, _) in DOCUMENTS.items()
}
CASES = load_cases(DATA_DIR, TENANT)
GOLDEN = load_golden(DATA_DIR / "golden.jsonl")


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> SqliteRecords:
    path = tmp_path_factory.mktemp("demo") / "records.db"
    build_records(
        path,
        customers=DATA_DIR / "customers.csv",
        orders=DATA_DIR / "orders.csv",
        tenant_id=TENANT,
    )
    return SqliteRecords(path)


def _rows(name: str) -> list[dict[str, str]]:
    with (DATA_DIR / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).casefold()


# --- sources


def test_there_are_enough_sources_of_every_form() -> None:
    assert len(DOCUMENTS) == len(list(SOURCES.glob("*.md"))) >= 25
    assert {path.suffix for path in PLAIN_FILES.values()} == {".txt", ".html"}


def test_a_source_is_named_after_its_document_id() -> None:
    assert [p.stem for p, _, _ in DOCUMENTS.values()] == list(DOCUMENTS)


def test_superseded_versions_are_named_by_their_successor_without_a_gap() -> None:
    successors = {g.supersedes: d for d, g in GOVERNANCE.items() if g.supersedes}
    assert successors == {
        "returns-policy-4.1": "returns-policy-4.2",
        "price-match-2.0": "price-match-3.0",
    }
    for old, new in successors.items():
        assert DOCUMENTS[old][1]["source"] == DOCUMENTS[new][1]["source"]
        assert GOVERNANCE[old].status == "superseded"
        assert GOVERNANCE[old].valid_to == GOVERNANCE[new].valid_from


def test_each_source_has_one_version_in_force() -> None:
    in_force = Counter(
        str(fields["source"])
        for document_id, (_, fields, _) in DOCUMENTS.items()
        if GOVERNANCE[document_id].status == "active"
    )
    assert set(in_force.values()) == {1}
    for document_id, governance in GOVERNANCE.items():
        if governance.status == "active":
            assert governance.valid_from is not None, document_id
            assert governance.valid_from <= TODAY, document_id
            assert governance.valid_to is None or governance.valid_to > TODAY, document_id


def test_owners_and_access_policies_exist() -> None:
    users = {user.user_id for user in load_users(DATA_DIR, TENANT)}
    policies = {policy.policy_id for policy in load_acl_policies(DATA_DIR, TENANT)}
    assert {g.owner for g in GOVERNANCE.values()} <= users
    assert {g.acl_policy_id for g in GOVERNANCE.values()} == policies


def test_what_is_not_public_is_marked_so_in_every_field() -> None:
    for document_id, governance in GOVERNANCE.items():
        public = {
            governance.classification == "public",
            governance.permission_tag == "PUBLIC",
            governance.acl_policy_id == "public",
        }
        assert len(public) == 1, document_id


def test_pay_data_stands_in_the_confidential_document_alone() -> None:
    holders = [d for d, (_, _, body) in DOCUMENTS.items() if "$58,500" in body]
    assert holders == ["hr-pay-bands-2026"]
    assert GOVERNANCE["hr-pay-bands-2026"].classification == "confidential"
    assert GOVERNANCE["hr-pay-bands-2026"].acl_policy_id == "hr-confidential"


def test_exactly_one_policy_is_200_days_past_its_review() -> None:
    overdue = {
        document_id: (TODAY - governance.last_reviewed).days - governance.review_sla_days
        for document_id, governance in GOVERNANCE.items()
        if governance.status == "active" and governance.signed and governance.last_reviewed
    }
    assert {d: days for d, days in overdue.items() if days > 0} == {"store-pickup-1.5": 200}


def test_hidden_instructions_stand_in_community_posts_alone() -> None:
    pattern = re.compile(r"ignore your previous instructions|disregard the company policy", re.I)
    holders = {d for d, (_, _, body) in DOCUMENTS.items() if pattern.search(body)}
    assert holders == {"community-coat-returns", "community-points-tricks"}
    assert {GOVERNANCE[d].authority for d in holders} == {"community_forum"}
    assert "<!--" in DOCUMENTS["community-points-tricks"][2]
    assert "<!--" not in DOCUMENTS["community-coat-returns"][2]


def test_only_the_unsigned_faq_grants_60_days_for_holiday_purchases() -> None:
    holders = [
        d for d, (_, _, body) in DOCUMENTS.items() if "within 60 days of the purchase" in body
    ]
    assert holders == ["faq-holiday-shopping"]
    faq = GOVERNANCE["faq-holiday-shopping"]
    assert (faq.authority, faq.signed, faq.status) == ("faq", False, "active")


def test_best_buy_stands_in_the_superseded_version_alone() -> None:
    holders = [d for d, (_, _, body) in DOCUMENTS.items() if "Best Buy" in body]
    assert holders == ["price-match-2.0"]


def test_chinese_sources_say_so() -> None:
    chinese = {d for d, g in GOVERNANCE.items() if g.language == "zh"}
    written = {d for d, (_, _, body) in DOCUMENTS.items() if re.search(r"[\u4e00-\u9fff]", body)}
    assert chinese == written - {"glossary-1.0"}  # it pairs words of both languages
    assert "warranty-zh-2.1" in chinese


def test_every_file_is_taken_in_without_a_failure_or_a_warning() -> None:
    found = list(load([SOURCES]))
    taken = [item for item in found if isinstance(item, FoundDocument)]
    assert found == taken
    assert {item.document_id for item in taken} == {*DOCUMENTS, *PLAIN_FILES}
    assert [item.item for item in taken if item.warnings] == []


# --- people


def test_every_role_has_somebody_who_can_sign_in() -> None:
    users = load_users(DATA_DIR, TENANT)
    assert len({user.user_id for user in users}) == len(users)
    roles = {role for user in users if user.active for role in user.roles}
    assert roles == {"agent", "knowledge_owner", "supervisor", "hr", "admin"}
    assert any(not user.active for user in users)


def test_only_one_policy_is_open_to_everyone() -> None:
    policies = load_acl_policies(DATA_DIR, TENANT)
    assert [p.policy_id for p in policies if p.everyone] == ["public"]
    assert all(p.everyone or p.roles or p.departments for p in policies)


# --- records


def test_there_are_enough_customers_and_orders() -> None:
    assert len(_rows("customers.csv")) >= 25
    assert len(_rows("orders.csv")) >= 60


def test_order_totals_add_up_and_follow_the_shipping_policy() -> None:
    fees = {"two-day": Decimal("12.95"), "next-day": Decimal("19.95"), "store pickup": Decimal(0)}
    for row in _rows("orders.csv"):
        items = [item.rsplit(" @ ", 1) for item in row["items"].split("; ")]
        value = sum(Decimal(price) * int(name.split(" x ")[0]) for name, price in items)
        shipping = Decimal(row["shipping"])
        assert value == Decimal(row["subtotal"]), row
        assert value + shipping == Decimal(row["total"]), row
        standard = Decimal(0) if value >= 75 else Decimal("6.95")
        if row["method"] != "international":
            assert shipping == fees.get(row["method"], standard), row


def test_order_dates_follow_each_other_and_none_lies_ahead() -> None:
    for row in _rows("orders.csv"):
        names = ("placed_on", "shipped_on", "delivered_on", "returned_on", "refunded_on")
        days = [date.fromisoformat(row[name]) for name in names if row[name]]
        assert days == sorted(days), row
        assert days[-1] <= TODAY, row
        if row["expected_on"]:
            assert date.fromisoformat(row["expected_on"]) >= TODAY, row


def test_tiers_agree_with_points() -> None:
    for row in _rows("customers.csv"):
        points = int(row["points"])
        tier = "Gold" if points >= 1500 else "Silver" if points >= 500 else "Bronze"
        assert row["tier"] == tier, row


# --- cases


def test_there_are_enough_cases_of_every_kind() -> None:
    assert len(CASES) >= 44
    assert len({case.case_id for case in CASES}) == len(CASES)
    assert {case.risk for case in CASES} == {"low", "medium", "high"}
    assert {case.output_form for case in CASES} >= {"email", "chat_reply", "public_post"}
    assert sum(case.language == "zh" for case in CASES) >= 2
    assert {len(case.messages) for case in CASES} >= {1, 2, 3}
    assert all(case.state == "new" for case in CASES)


def test_cases_lie_in_the_last_days_and_their_times_run_forward() -> None:
    end = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
    for case in CASES:
        times = [message.at for message in case.messages]
        assert times == sorted(times), case.case_id
        assert (case.opened_at, case.updated_at) == (times[0], times[-1]), case.case_id
        assert end - timedelta(days=7) <= case.updated_at <= end, case.case_id


def test_case_1042_is_the_coat_from_the_holiday_sale() -> None:
    coat = _case("1042")
    assert (coat.subject, coat.customer_id) == ("Coat from the holiday sale", "88")
    assert coat.fields["order"] == "A-10293"


def test_orders_and_customers_named_by_cases_exist_and_belong_together(
    records: SqliteRecords,
) -> None:
    checked = 0
    for case in CASES:
        if case.customer_id:
            customer = records.customer(TENANT, case.customer_id)
            assert customer is not None, case.case_id
            assert customer.metadata["name"] == case.customer_name, case.case_id
        if number := case.fields.get("order"):
            order = records.order(TENANT, number)
            assert order is not None, case.case_id
            # A daughter asks about her mother's pickup order on purpose.
            assert case.case_id == "1084" or order.metadata["customer_id"] == case.customer_id
            checked += 1
    assert checked >= 20


def test_the_enforcement_case_has_two_events_in_90_days_and_one_gap() -> None:
    case = _case("1077")
    first, second = (event.on for event in case.events)
    assert 0 < (second - first).days <= 90
    assert [item.label for item in case.checklist if not item.done] == ["Evidence of correction"]
    assert case.fields["supervisor_decision"] == "none recorded"


# --- golden set


def test_the_golden_set_is_large_and_mixed() -> None:
    assert len(GOLDEN) >= 64
    assert {row.difficulty_level for row in GOLDEN} == {"EASY", "MEDIUM", "HARD", "EXTREME"}
    assert len({row.kind for row in GOLDEN}) == 14
    assert {row.expected_status for row in GOLDEN} >= {
        "answered",
        "insufficient_evidence",
        "needs_clarification",
        "refused",
    }
    assert sum(row.language == "zh" for row in GOLDEN) >= 4


def test_gold_sources_and_cases_of_golden_rows_exist(records: SqliteRecords) -> None:
    cases = {case.case_id for case in CASES}
    for row in GOLDEN:
        for source in row.gold_sources:
            assert _source_text(source, records), f"{row.query_id}: {source}"
        assert row.case_id is None or row.case_id in cases, row.query_id


def test_required_facts_stand_literally_in_the_gold_sources(records: SqliteRecords) -> None:
    for row in GOLDEN:
        texts = [_source_text(source, records) for source in row.gold_sources]
        if row.case_id:
            texts.append(_case(row.case_id).model_dump_json())
        known = _plain(" ".join(texts))
        for fact in row.required_facts:
            assert _plain(fact) in known, f"{row.query_id}: {fact!r}"


def test_gold_sources_are_in_force_on_the_day_of_the_question_or_the_day_it_names() -> None:
    for row in GOLDEN:
        for source in row.gold_sources:
            governance = GOVERNANCE.get(source)
            if governance is not None and row.kind != "past_date":
                assert governance.status == "active", f"{row.query_id}: {source}"


def test_gold_sources_are_readable_by_the_role_that_asks() -> None:
    policies = {policy.policy_id: policy for policy in load_acl_policies(DATA_DIR, TENANT)}
    for row in GOLDEN:
        for source in row.gold_sources:
            if source in GOVERNANCE:
                policy = policies[GOVERNANCE[source].acl_policy_id]
                assert policy.everyone or row.role in policy.roles, f"{row.query_id}: {source}"


def _case(case_id: str) -> Case:
    return next(case for case in CASES if case.case_id == case_id)


def _source_text(source: str, records: SqliteRecords) -> str:
    if source.startswith("records:orders/"):
        order = records.order(TENANT, source.removeprefix("records:orders/"))
        return order.text if order else ""
    if source.startswith("case:"):
        return _case(source.removeprefix("case:")).model_dump_json()
    if source in DOCUMENTS:
        return DOCUMENTS[source][2]
    return PLAIN_FILES[source].read_text(encoding="utf-8") if source in PLAIN_FILES else ""


def test_golden_rows_round_trip_through_their_file_form() -> None:
    assert all(GoldenCase.model_validate_json(row.model_dump_json()) == row for row in GOLDEN)
