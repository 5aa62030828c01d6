"""Carries out what reviewers confirmed: each action exactly once, like replies leave the outbox.

An action is claimed in one transaction (``confirmed`` → ``running``), handed to its tool, and
settled in another. A crash anywhere between leaves it ``running``; it is taken up again after a
while: the tool is asked for the receipt of the key first, so nothing is done twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta

from core.errors import BadInput, CountersignError, NotFound, StaleVersion, Unavailable
from core.models.access import SecurityContext
from core.models.action import ActionRecord, ActionState
from core.ports import Clock
from core.review.action_arguments import typed
from core.review.action_tool import ActionTool, StillBorne, as_proposed
from core.review.rules import OutboxRules
from core.review.store import ReviewStore, ReviewTransaction

ACTOR = "system:actions"
_KINDS: Mapping[ActionState, str] = {
    "done": "action.done",
    "failed": "action.failed",
    "unknown": "action.outcome_unknown",
    "confirmed": "action.delayed",
}


class ActionRunner:
    """Runs confirmed actions. Several may run side by side, in threads or processes.

    ``tools`` is by name. ``context_of`` gives the rights of whoever confirmed, as they are now, and
    ``still_borne`` looks at the records a last time before the tool is called.
    """

    def __init__(
        self,
        store: ReviewStore,
        tools: Mapping[str, ActionTool],
        clock: Clock,
        *,
        context_of: Callable[[str], SecurityContext],
        still_borne: StillBorne = as_proposed,
        rules: OutboxRules | None = None,
    ) -> None:
        self._store = store
        self._tools = tools
        self._clock = clock
        self._context_of = context_of
        self._still_borne = still_borne
        self._rules = rules or OutboxRules()

    def run_once(self) -> tuple[ActionRecord, ...]:
        """Carry out everything due, each at most once in this call; returns what became of it.

        One action that fails does not hold up the others. What breaks unexpectedly propagates; its
        action is taken up again later.
        """
        with self._store.read() as txn:
            waiting = txn.actions(states=("confirmed", "running"))
        settled = []
        for action in waiting:
            due = action.not_before <= self._clock.now()
            if due and (claimed := self._claim(action)) is not None:
                settled.append(self._carry_out(claimed))
        return tuple(settled)

    def actions(
        self, *, states: Sequence[ActionState] | None = None, case_id: str | None = None
    ) -> tuple[ActionRecord, ...]:
        """What was decided on, oldest first."""
        with self._store.read() as txn:
            return txn.actions(states=states, case_id=case_id)

    def _claim(self, seen: ActionRecord) -> ActionRecord | None:
        """Mark a due action as running; ``None`` when somebody else was quicker."""
        with self._store.write() as txn:
            action = txn.action(seen.tenant_id, seen.proposal_id)
            if action is None or action.state not in ("confirmed", "running"):
                return None
            if action.not_before > self._clock.now():
                return None
            claimed = action.model_copy(
                update={
                    "state": "running",
                    "attempts": action.attempts + 1,
                    "not_before": self._clock.now() + timedelta(seconds=self._rules.stuck_seconds),
                }
            )
            txn.save_action(claimed, expected_state=action.state)
            self._note(txn, claimed, "action.started")
            return claimed

    def _carry_out(self, action: ActionRecord) -> ActionRecord:
        tool = self._tools.get(action.proposal.tool)
        if tool is None:
            return self._later(action, f"No tool {action.proposal.tool!r} is set up.", sure=True)
        try:
            receipt = tool.receipt_of(action.idempotency_key)
        except Unavailable as error:
            # Nothing was called yet in a first attempt; a later one may follow a lost answer.
            return self._later(action, str(error), sure=action.attempts == 1)
        if receipt is not None:
            return self._settle(action, "done", receipt=receipt)
        if action.attempts > self._rules.max_attempts:
            return self._settle(action, "failed", error=f"Broke off {action.attempts - 1} times.")
        return self._call(tool, action)

    def _call(self, tool: ActionTool, action: ActionRecord) -> ActionRecord:
        try:
            if reason := self._stopped(action):
                return self._settle(action, "failed", error=reason)
        except Unavailable as error:
            return self._later(action, str(error), sure=True)
        try:
            receipt = tool.run(
                typed(action.proposal.tool, action.arguments),
                idempotency_key=action.idempotency_key,
                tenant_id=action.tenant_id,
            )
        except Unavailable as error:
            return self._later(action, str(error), sure=self._was_not_done(tool, action))
        except BadInput as error:
            return self._settle(action, "failed", error=str(error))
        return self._settle(action, "done", receipt=receipt)

    def _stopped(self, action: ActionRecord) -> str:
        """Why it must not run after all; empty when it may."""
        try:
            context = self._context_of(action.by)
            if "review" not in context.actions or context.tenant_id != action.tenant_id:
                return "Whoever confirmed this may not review cases any more."
            return self._still_borne(
                context, action.proposal.tool, action.arguments, action.case_id
            )
        except Unavailable:
            raise
        except CountersignError as error:
            return f"The last look before it ran stopped it: {error}"

    def _was_not_done(self, tool: ActionTool, action: ActionRecord) -> bool:
        """Whether the tool says for certain that nothing was done under the key."""
        try:
            return tool.receipt_of(action.idempotency_key) is None
        except Unavailable:
            return False

    def _later(self, action: ActionRecord, reason: str, *, sure: bool) -> ActionRecord:
        """A passing fault: again after a while; after the last attempt failed, or unknown."""
        if action.attempts >= self._rules.max_attempts:
            return self._settle(action, "failed" if sure else "unknown", error=reason)
        wait = min(
            self._rules.backoff_seconds * 2 ** (action.attempts - 1),
            self._rules.backoff_cap_seconds,
        )
        again = {
            "state": "confirmed",
            "error": reason,
            "not_before": self._clock.now() + timedelta(seconds=wait),
        }
        return self._save(action, again, reason=reason)

    def _settle(
        self, action: ActionRecord, state: ActionState, *, receipt: str = "", error: str = ""
    ) -> ActionRecord:
        settled = {
            "state": state,
            "receipt": receipt,
            "error": error,
            "settled_at": self._clock.now(),
        }
        told = {"receipt": receipt} if receipt else {"reason": error}
        return self._save(action, settled, **told)

    def _save(
        self, action: ActionRecord, changes: Mapping[str, object], **told: str
    ) -> ActionRecord:
        changed = action.model_copy(update=dict(changes))
        with self._store.write() as txn:
            stored = txn.action(action.tenant_id, action.proposal_id)
            if stored is None:
                raise StaleVersion(f"Action {action.proposal_id} is gone.")
            if stored.state != "running" or stored.attempts != action.attempts:
                return stored  # another worker took it up meanwhile and settles it
            txn.save_action(changed, expected_state="running")
            self._note(txn, changed, _KINDS[changed.state], **told)
        return changed

    def _note(self, txn: ReviewTransaction, action: ActionRecord, kind: str, **more: str) -> None:
        if txn.case(action.case_id) is None:
            raise NotFound(f"The case of action {action.proposal_id} is gone.")
        txn.audit(
            tenant_id=action.tenant_id,
            actor=ACTOR,
            kind=kind,
            subject_kind="case",
            subject_id=action.case_id,
            payload={
                "proposal_id": action.proposal_id,
                "tool": action.proposal.tool,
                "confirmed_by": action.by,
                "attempts": action.attempts,
                "state": action.state,
                "idempotency_key": action.idempotency_key,
                **more,
            },
        )
