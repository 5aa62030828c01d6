"""One signed-in user's place at the desk: who they are and everything they work with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from core.errors import LeaseHeld, StaleVersion
from core.models.access import SecurityContext, User
from core.models.review import Case, Lease
from core.ports import Clock, DocumentRegistry, Ids, RunStore
from core.review.access import record
from core.review.action_tool import StillBorne, as_proposed
from core.review.copilot import Copilot
from core.review.rules import DeskRules, state_words
from core.review.store import ReviewStore, ReviewTransaction


@dataclass(frozen=True, slots=True)
class Workplace:
    """Collaborators of a desk. Holds no state of its own, so sessions and threads may share it."""

    user: User
    context: SecurityContext
    store: ReviewStore
    copilot: Copilot
    runs: RunStore
    registry: DocumentRegistry
    clock: Clock
    ids: Ids
    rules: DeskRules
    still_borne: StillBorne = as_proposed

    def active(self, lease: Lease | None) -> bool:
        """Whether the lease still holds."""
        return lease is not None and lease.expires_at > self.clock.now()

    def mine(self, lease: Lease | None) -> bool:
        """Whether the lease is this user's and still holds."""
        return lease is not None and lease.user_id == self.user.user_id and self.active(lease)

    def hold(self, txn: ReviewTransaction, case: Case) -> Lease:
        """Take or renew this user's lease. Raises ``LeaseHeld`` while another person's holds."""
        found, now = txn.lease(case.case_id), self.clock.now()
        if found is not None and self.active(found) and not self.mine(found):
            raise LeaseHeld(
                f"{found.user_name} is working on case {case.case_id} "
                f"until {found.expires_at:%H:%M} UTC.",
                holder=found.user_name,
                until=found.expires_at.isoformat(),
            )
        renewed = found is not None and self.mine(found)
        lease = Lease(
            case_id=case.case_id,
            user_id=self.user.user_id,
            user_name=self.user.name,
            acquired_at=found.acquired_at if found is not None and renewed else now,
            expires_at=now + timedelta(minutes=self.rules.lease_minutes),
        )
        txn.put_lease(lease)
        if not renewed:
            self.note(txn, case, "case.lease_taken", until=lease.expires_at)
        return lease

    def note(self, txn: ReviewTransaction, case: Case, kind: str, **payload: Any) -> None:
        """Append an audit event on the case."""
        record(txn, self.user, kind, case.case_id, **payload)


def same_version(case: Case, version: int) -> None:
    """Raise ``StaleVersion`` unless the case is still as the caller read it."""
    if case.version != version:
        raise StaleVersion(
            f"Case {case.case_id} changed since you read it: it is now {state_words(case.state)} "
            f"(version {case.version}, you saw {version}). Look at it again, then decide."
        )
