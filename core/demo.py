"""Builds the demo company from the files in ``data/`` through the console's own doors.

Nothing here is special to a demo but the files: documents are ingested, people and policies stored
and cases opened as any deployment would. Running it twice changes nothing.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import yaml
from pydantic import ValidationError

from core.errors import BadSource, Unavailable
from core.models.access import AclPolicy, User
from core.models.base import Model
from core.models.review import Case
from core.models.source import IngestFailure, IngestReport

DATA_DIR = Path(__file__).resolve().parent.parent / "data"
"""Where the demo company's files are."""

_Row = TypeVar("_Row", bound=Model)


class DemoTarget(Protocol):
    """What a wired console offers to be filled. Every call may be repeated without effect."""

    @property
    def tenant_id(self) -> str:
        """The tenant that the demo company lives in, whatever its files say."""
        ...

    def put_acl_policy(self, policy: AclPolicy) -> None:
        """Store or replace an access policy."""
        ...

    def put_user(self, user: User) -> None:
        """Store or replace a user."""
        ...

    def build_records(self, customers: Path, orders: Path) -> tuple[int, int]:
        """Build the records database from two CSV files; returns (customers, orders) written."""
        ...

    def ingest(self, paths: Sequence[Path]) -> IngestReport:
        """Take files and folders in."""
        ...

    def add_case(self, case: Case) -> bool:
        """Open a case; ``False`` and no change when its id is known already."""
        ...


class DemoReport(Model):
    """What seeding did. ``cases`` were new, ``cases_unchanged`` already there."""

    documents: int = 0
    passages: int = 0
    unchanged: int = 0
    failed: tuple[IngestFailure, ...] = ()
    users: int = 0
    acl_policies: int = 0
    customers: int = 0
    orders: int = 0
    cases: int = 0
    cases_unchanged: int = 0
    seconds: float = 0.0


def seed_demo(target: DemoTarget, data_dir: Path, progress: Callable[[str], None]) -> DemoReport:
    """Fill ``target`` with the demo company. Raises ``BadSource`` naming a faulty file and row.

    All files are read before the first write, so a faulty one leaves the target as it was.
    """
    if not (data_dir / "sources").is_dir():
        raise Unavailable(f"{data_dir} holds no demo company. Run from a checkout of the project.")
    started = time.perf_counter()
    tenant = target.tenant_id
    policies = load_acl_policies(data_dir, tenant)
    users = load_users(data_dir, tenant)
    cases = load_cases(data_dir, tenant)
    for policy in policies:
        target.put_acl_policy(policy)
    for user in users:
        target.put_user(user)
    progress(f"{len(users)} people and {len(policies)} access policies")
    customers, orders = target.build_records(data_dir / "customers.csv", data_dir / "orders.csv")
    progress(f"{customers} customers and {orders} orders in the records database")
    taken = target.ingest((data_dir / "sources",))
    progress(
        f"{taken.documents} documents in {taken.passages} passages, {taken.unchanged} as before"
    )
    added = sum(target.add_case(case) for case in cases)
    progress(f"{added} cases opened, {len(cases) - added} as before")
    return DemoReport(
        documents=taken.documents,
        passages=taken.passages,
        unchanged=taken.unchanged,
        failed=taken.failed,
        users=len(users),
        acl_policies=len(policies),
        customers=customers,
        orders=orders,
        cases=added,
        cases_unchanged=len(cases) - added,
        seconds=round(time.perf_counter() - started, 3),
    )


def load_users(data_dir: Path, tenant_id: str) -> tuple[User, ...]:
    """The demo people."""
    return _from_yaml(data_dir / "users.yaml", "users", User, tenant_id)


def load_acl_policies(data_dir: Path, tenant_id: str) -> tuple[AclPolicy, ...]:
    """The demo access policies."""
    return _from_yaml(data_dir / "acl_policies.yaml", "acl_policies", AclPolicy, tenant_id)


def load_cases(data_dir: Path, tenant_id: str) -> tuple[Case, ...]:
    """The demo cases, in the order of the file."""
    path = data_dir / "cases.jsonl"
    rows: list[Case] = []
    for number, line in enumerate(_text(path).splitlines(), start=1):
        if line.strip():
            where = f"{path}:{number}"
            try:
                row = json.loads(line)
            except json.JSONDecodeError as error:
                raise BadSource(where, f"is not JSON ({error.msg}).") from error
            rows.append(_valid(where, Case, row, tenant_id))
    return tuple(rows)


def _from_yaml(path: Path, key: str, kind: type[_Row], tenant_id: str) -> tuple[_Row, ...]:
    try:
        rows = yaml.safe_load(_text(path))[key]
    except (yaml.YAMLError, KeyError, TypeError) as error:
        raise BadSource(str(path), f"has no readable list {key!r}.") from error
    return tuple(
        _valid(f"{path}, entry {number}", kind, row, tenant_id)
        for number, row in enumerate(rows, start=1)
    )


def _valid(where: str, kind: type[_Row], row: Any, tenant_id: str) -> _Row:
    if not isinstance(row, dict):
        raise BadSource(where, "is not an object.")
    try:
        return kind.model_validate({**row, "tenant_id": tenant_id})
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise BadSource(where, f"{field}: {first['msg']}.") from error


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadSource(str(path), f"cannot be read ({error}).") from error
