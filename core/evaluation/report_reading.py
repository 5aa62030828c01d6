"""Stored runs of the golden set as one person may read them."""

from __future__ import annotations

from core.evaluation.golden import GoldenCase
from core.evaluation.golden_views import Comparison, ReportView, compared, report_view
from core.evaluation.report_store import AskedAs, Choice, ReportHead, ReportStore
from core.models.access import SecurityContext, User


class ReportReader:
    """The store within one user's rights."""

    def __init__(self, store: ReportStore, *, user: User, context: SecurityContext) -> None:
        self.user, self.context = user, context
        self._store = store

    def heads(self) -> tuple[ReportHead, ...]:
        """Stored runs, newest first."""
        return self._store.heads()

    def report(self, run_id: str) -> ReportView:
        """One stored run, within this user's rights. Raises ``NotFound``."""
        stored = self._store.get(run_id)

        def may_read(query_id: str) -> bool:
            asked = stored.asked_as.get(query_id)
            return asked is not None and self.covers(asked)

        def may_open(query_id: str) -> bool:
            return self.opens(stored.asked_as[query_id].user_id)

        return report_view(stored, may_read, lambda q: may_read(q) and may_open(q))

    def compare(self, before_id: str, after_id: str) -> Comparison:
        """Two stored runs, and the rows whose verdict changed."""
        return compared(self.report(before_id), self.report(after_id))

    def taken(self) -> tuple[GoldenCase, ...]:
        """Rows taken into the set that this user may read."""
        return tuple(
            choice.row for choice in self._store.choices() if choice.taken and self.covers(choice)
        )

    def opens(self, asked_by: str) -> bool:
        """Another person's run is for supervisors; the inspector says the same."""
        return asked_by == self.user.user_id or "supervise" in self.context.actions

    def covers(self, made_under: AskedAs | Choice | SecurityContext) -> bool:
        """Whether this user may read all that could be read there."""
        policies, classes = made_under.allowed_acl_policy_ids, made_under.allowed_classifications
        return set(policies) <= set(self.context.allowed_acl_policy_ids) and set(classes) <= set(
            self.context.allowed_classifications
        )
