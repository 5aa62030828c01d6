"""The office as the demo company fills it: every call goes through an ordinary door."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.models.access import AclPolicy, User
from core.models.review import Case
from core.models.source import IngestReport

if TYPE_CHECKING:
    from core.wiring import Office

ACTOR = "demo"


class OfficeTarget:
    """A ``core.demo.DemoTarget`` over an office."""

    def __init__(self, office: Office) -> None:
        self._office = office

    @property
    def tenant_id(self) -> str:
        """The configured tenant."""
        return self._office.settings.tenant

    def put_acl_policy(self, policy: AclPolicy) -> None:
        """Store or replace an access policy."""
        self._office.policies.put_acl_policy(policy, actor=ACTOR)

    def put_user(self, user: User) -> None:
        """Store or replace a user."""
        self._office.policies.put_user(user, actor=ACTOR)

    def build_records(self, customers: Path, orders: Path) -> tuple[int, int]:
        """Build the records database; returns (customers, orders)."""
        return self._office.build_records(customers, orders)

    def ingest(self, paths: Sequence[Path]) -> IngestReport:
        """Take files and folders in."""
        return self._office.ingest(paths, tenant_id=self.tenant_id, actor=ACTOR)

    def add_case(self, case: Case) -> bool:
        """Open a case with its audit event; ``False`` when its id is known."""
        with self._office.store.write() as transaction:
            if transaction.case(case.case_id) is not None:
                return False
            transaction.add_case(case)
            transaction.audit(
                tenant_id=case.tenant_id,
                actor=ACTOR,
                kind="case.opened",
                subject_kind="case",
                subject_id=case.case_id,
                payload={"subject": case.subject, "channel": case.channel, "risk": case.risk},
            )
        return True


def has_demo(office: Office) -> bool:
    """Whether the demo company is there: its people, its records and its cases."""
    if not (office.settings.home / "records.db").is_file():
        return False
    with office.store.read() as transaction:
        cases = transaction.cases(office.settings.tenant)
    return bool(cases) and bool(office.policies.users(office.settings.tenant))
