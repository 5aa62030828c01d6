"""Seeding goes through the target's own doors, once or many times, whole or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.demo import DATA_DIR, seed_demo
from core.errors import BadSource, Unavailable
from core.models.access import AclPolicy, User
from core.models.review import Case
from core.models.source import IngestReport


class MemoryTarget:
    """Keeps what it is given, by id."""

    def __init__(self, tenant_id: str = "athena") -> None:
        self.tenant_id = tenant_id
        self.policies: dict[str, AclPolicy] = {}
        self.users: dict[str, User] = {}
        self.cases: dict[str, Case] = {}
        self.ingested: list[Path] = []
        self.records: tuple[Path, Path] | None = None

    def put_acl_policy(self, policy: AclPolicy) -> None:
        self.policies[policy.policy_id] = policy

    def put_user(self, user: User) -> None:
        self.users[user.user_id] = user

    def build_records(self, customers: Path, orders: Path) -> tuple[int, int]:
        self.records = (customers, orders)
        return 36, 67

    def ingest(self, paths: Sequence[Path]) -> IngestReport:
        again = bool(self.ingested)
        self.ingested.extend(paths)
        return IngestReport(documents=0 if again else 39, passages=0, unchanged=39 if again else 0)

    def add_case(self, case: Case) -> bool:
        if case.case_id in self.cases:
            return False
        self.cases[case.case_id] = case
        return True


def _copy(tmp_path: Path) -> Path:
    copy = tmp_path / "data"
    shutil.copytree(DATA_DIR, copy, ignore=shutil.ignore_patterns("models"))
    return copy


def test_everything_is_stored_and_told() -> None:
    target = MemoryTarget()
    told: list[str] = []
    report = seed_demo(target, DATA_DIR, told.append)
    assert report.users == len(target.users) >= 8
    assert report.acl_policies == len(target.policies) == 4
    assert report.cases == len(target.cases) >= 44
    assert (report.customers, report.orders) == (36, 67)
    assert target.ingested == [DATA_DIR / "sources"]
    assert len(told) == 4


def test_seeding_twice_opens_no_case_twice() -> None:
    target = MemoryTarget()
    first = seed_demo(target, DATA_DIR, lambda _: None)
    second = seed_demo(target, DATA_DIR, lambda _: None)
    assert (second.cases, second.cases_unchanged) == (0, first.cases)
    assert (second.documents, second.unchanged) == (0, first.documents)


def test_the_company_lives_in_the_tenant_of_the_target() -> None:
    target = MemoryTarget(tenant_id="trial")
    seed_demo(target, DATA_DIR, lambda _: None)
    assert {user.tenant_id for user in target.users.values()} == {"trial"}
    assert {policy.tenant_id for policy in target.policies.values()} == {"trial"}
    assert {case.tenant_id for case in target.cases.values()} == {"trial"}


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("cases.jsonl", '{"case_id": "1"}\n', r"cases\.jsonl:1: subject"),
        ("cases.jsonl", "not json\n", r"cases\.jsonl:1: is not JSON"),
        ("users.yaml", "people: []\n", r"users\.yaml: has no readable list 'users'"),
        ("acl_policies.yaml", "acl_policies:\n  - 7\n", r"acl_policies\.yaml, entry 1"),
    ],
)
def test_a_faulty_file_is_named_before_anything_is_stored(
    tmp_path: Path, name: str, text: str, complaint: str
) -> None:
    data, target = _copy(tmp_path), MemoryTarget()
    (data / name).write_text(text, encoding="utf-8")
    with pytest.raises(BadSource, match=complaint):
        seed_demo(target, data, lambda _: None)
    assert not target.users
    assert not target.cases
    assert not target.ingested


def test_a_folder_without_a_company_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="holds no demo company"):
        seed_demo(MemoryTarget(), tmp_path, lambda _: None)
