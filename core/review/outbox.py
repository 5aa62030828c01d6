"""The outbox: every approved reply leaves exactly once, after compliance looked at it a last time.

An item is claimed in one transaction (``pending`` → ``delivering``), handed to its channel, and
settled in another. A crash anywhere between leaves it ``delivering``; it is taken up again after a
while under the same idempotency key, so the channel delivers nothing twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from core.errors import (
    BadInput,
    CountersignError,
    InvalidTransition,
    NotFound,
    StaleVersion,
    Unavailable,
)
from core.models.review import Case, Disposition, DraftVersion, OutboxItem, OutboxState
from core.ports import Clock
from core.ports_delivery import DeliveryChannel, KnowsReceipts
from core.review.access import text_hash
from core.review.checks import compliance_findings
from core.review.rules import OutboxRules, allowed, moved
from core.review.send_check import ComplyAgain
from core.review.store import ReviewStore, ReviewTransaction
from core.text.markers import strip_markers

ACTOR = "system:outbox"
ANY_CHANNEL = "*"
"""Key of the channel that takes what no other is named for."""


class Outbox:
    """Delivers what was approved. Several may run side by side, in threads or processes.

    ``channels`` is by the case's channel name; ``"*"`` takes the rest. ``comply_again`` looks at
    the text right before it leaves.
    """

    def __init__(
        self,
        store: ReviewStore,
        channels: Mapping[str, DeliveryChannel],
        clock: Clock,
        *,
        comply_again: ComplyAgain,
        rules: OutboxRules | None = None,
    ) -> None:
        self._store = store
        self._channels = channels
        self._clock = clock
        self._comply_again = comply_again
        self._rules = rules or OutboxRules()

    def run_once(self) -> tuple[OutboxItem, ...]:
        """Deliver everything due, each item at most once in this call; returns what became of them.

        One item that fails does not hold up the others. What breaks unexpectedly propagates; its
        item is taken up again later.
        """
        with self._store.read() as txn:
            waiting = txn.outbox(states=("pending", "delivering"))
        settled = []
        for item in waiting:
            if item.not_before <= self._clock.now() and (claimed := self._claim(item.item_id)):
                settled.append(self._deliver(claimed))
        return tuple(settled)

    def items(
        self, *, states: Sequence[OutboxState] | None = None, case_id: str | None = None
    ) -> tuple[OutboxItem, ...]:
        """Outbox items, oldest first."""
        with self._store.read() as txn:
            return txn.outbox(states=states, case_id=case_id)

    def retry(self, item_id: str) -> OutboxItem:
        """Put a failed item back in line, its attempts counted anew.

        Raises ``NotFound``, or ``InvalidTransition`` when it did not fail or its case moved on.
        """
        with self._store.write() as txn:
            item = txn.outbox_item(item_id)
            if item is None:
                raise NotFound(f"There is no outbox item {item_id!r}.")
            case = txn.case(item.case_id)
            if item.state != "failed" or case is None or not allowed(case.state, "undo"):
                raise InvalidTransition(
                    f"Outbox item {item_id} is {item.state} and cannot be sent again; "
                    "decide on the case anew."
                )
            again = {"state": "pending", "attempts": 0, "not_before": self._clock.now()}
            item = txn.save_outbox(item.model_copy(update=again), expected_state="failed")
            self._note(txn, case, item, "outbox.retried")
            return item

    def _claim(self, item_id: str) -> OutboxItem | None:
        """Mark a due item as being delivered; ``None`` when somebody else was quicker."""
        with self._store.write() as txn:
            item = txn.outbox_item(item_id)
            if item is None or item.state not in ("pending", "delivering"):
                return None
            if item.not_before > self._clock.now():
                return None
            claimed = {
                "state": "delivering",
                "attempts": item.attempts + 1,
                # While it is being delivered, the moment after which it counts as stuck.
                "not_before": self._clock.now() + timedelta(seconds=self._rules.stuck_seconds),
            }
            return txn.save_outbox(item.model_copy(update=claimed), expected_state=item.state)

    def _deliver(self, item: OutboxItem) -> OutboxItem:
        channel = self._channels.get(item.channel, self._channels.get(ANY_CHANNEL))
        if channel is None:
            return self._later(item, f"No way to deliver by {item.channel!r} is set up.")
        try:
            if (receipt := _earlier_receipt(channel, item)) is not None:
                return self._delivered(item, receipt)
            if item.attempts > self._rules.max_attempts:
                return self._later(item, f"Delivery broke off {item.attempts - 1} times.")
            if reason := self._stopped(item):
                return self._refused(item, reason)
            return self._delivered(item, channel.deliver(item))
        except Unavailable as error:
            return self._later(item, str(error))
        except BadInput as error:
            return self._refused(item, str(error))

    def _stopped(self, item: OutboxItem) -> str:
        """Why the item must not leave; empty when it may."""
        with self._store.read() as txn:
            case, draft = txn.case(item.case_id), txn.draft(item.draft_id)
            decision = txn.disposition(item.disposition_id)
        if case is None or draft is None or decision is None:
            return "The case, draft or decision behind this reply is missing."
        if not allowed(case.state, "bounce"):
            return "The case moved on after this reply was approved."
        if not text_hash(item.body) == item.body_hash == draft.text_hash == decision.text_hash:
            return "The text is not the text that was approved."
        try:
            return self._forbidden(item, case, draft, decision)
        except Unavailable:
            raise
        except CountersignError as error:
            return f"The last look before sending stopped it: {error}"

    def _forbidden(
        self, item: OutboxItem, case: Case, draft: DraftVersion, decision: Disposition
    ) -> str:
        verdict = self._comply_again(case, draft, decision)
        final = strip_markers(verdict.final_answer_text_after_enforcement)
        if decision.kind == "refuse" and verdict.decision == "DENY" and final == item.body:
            return ""  # a DENY sends nothing but its standard sentence, and this is it
        return " ".join(compliance_findings(item.body, verdict))

    def _delivered(self, item: OutboxItem, receipt: str) -> OutboxItem:
        done = item.model_copy(
            update={
                "state": "delivered",
                "delivered_at": self._clock.now(),
                "receipt": receipt,
                "last_error": "",
            }
        )
        with self._store.write() as txn:
            if (settled := _settled(txn, item)) is not None:
                return settled
            done = txn.save_outbox(done, expected_state="delivering")
            case = _case(txn, item)
            if case.state == "approved":
                case = txn.save_case(
                    moved(case, "send", self._clock.now()), expected_version=case.version
                )
                self._note_case(txn, case, item, "case.sent")
            self._note(txn, case, done, "outbox.delivered", receipt=receipt)
        return done

    def _later(self, item: OutboxItem, reason: str) -> OutboxItem:
        """A passing fault: again after a while, or visibly failed after the last attempt."""
        last = item.attempts >= self._rules.max_attempts
        wait = min(
            self._rules.backoff_seconds * 2 ** (item.attempts - 1), self._rules.backoff_cap_seconds
        )
        again = item.model_copy(
            update={
                "state": "failed" if last else "pending",
                "last_error": reason,
                "not_before": self._clock.now() + timedelta(seconds=wait),
            }
        )
        with self._store.write() as txn:
            if (settled := _settled(txn, item)) is not None:
                return settled
            again = txn.save_outbox(again, expected_state="delivering")
            kind = "outbox.failed" if last else "outbox.delayed"
            self._note(txn, _case(txn, item), again, kind, reason=reason)
        return again

    def _refused(self, item: OutboxItem, reason: str) -> OutboxItem:
        """It must not or cannot leave: the item failed, and the case is back in review."""
        failed = item.model_copy(update={"state": "failed", "last_error": reason})
        with self._store.write() as txn:
            if (settled := _settled(txn, item)) is not None:
                return settled
            failed = txn.save_outbox(failed, expected_state="delivering")
            case = _case(txn, item)
            if allowed(case.state, "bounce"):
                case = txn.save_case(
                    moved(case, "bounce", self._clock.now()), expected_version=case.version
                )
                self._note_case(txn, case, item, "case.returned", reason=reason)
            self._note(txn, case, failed, "outbox.refused", reason=reason)
        return failed

    def _note(
        self, txn: ReviewTransaction, case: Case, item: OutboxItem, kind: str, **more: str
    ) -> None:
        txn.audit(
            tenant_id=case.tenant_id,
            actor=ACTOR,
            kind=kind,
            subject_kind="outbox",
            subject_id=item.item_id,
            payload={
                "case_id": item.case_id,
                "draft_id": item.draft_id,
                "body_hash": item.body_hash,
                "attempts": item.attempts,
                "state": item.state,
                **more,
            },
        )

    def _note_case(
        self, txn: ReviewTransaction, case: Case, item: OutboxItem, kind: str, **more: str
    ) -> None:
        txn.audit(
            tenant_id=case.tenant_id,
            actor=ACTOR,
            kind=kind,
            subject_kind="case",
            subject_id=case.case_id,
            payload={"outbox_item_id": item.item_id, "state": case.state, **more},
        )


def _earlier_receipt(channel: DeliveryChannel, item: OutboxItem) -> str | None:
    """What the channel delivered under this key before a crash: no later rule can stop that."""
    return channel.receipt_of(item.idempotency_key) if isinstance(channel, KnowsReceipts) else None


def _settled(txn: ReviewTransaction, item: OutboxItem) -> OutboxItem | None:
    """The item as another worker settled it meanwhile, or ``None`` while it is still ours."""
    stored = txn.outbox_item(item.item_id)
    if stored is None:
        raise StaleVersion(f"Outbox item {item.item_id} is gone.")
    return None if stored.state == "delivering" else stored


def _case(txn: ReviewTransaction, item: OutboxItem) -> Case:
    case = txn.case(item.case_id)
    if case is None:
        raise NotFound(f"The case of outbox item {item.item_id} is gone.")
    return case
