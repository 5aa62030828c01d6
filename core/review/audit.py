"""The audit: every decision with what was known at the time, the chain, and its export."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Literal

from core.errors import BadInput, NotFound
from core.models.access import SecurityContext, User
from core.models.action import ActionRecord
from core.models.review import AuditEvent, Case, Disposition, DraftVersion, OutboxItem
from core.models.trace import PipelineRun
from core.ports import Clock, RunStore
from core.review.access import case_events, record, require, visible_run
from core.review.action_views import seen_action
from core.review.audit_export import to_csv, to_jsonl
from core.review.cards import conflict_cards, evidence_cards
from core.review.chain import verify_stored
from core.review.leaning import leaned_on
from core.review.replay import Replay
from core.review.store import ReviewStore, ReviewTransaction
from core.review.views import ChainState, DecisionRow, DecisionView
from core.review.withheld import within_rights
from core.text.diff import word_diff

_PAGE = 1000
_OUTBOX_WORDS = {
    "pending": "waiting to be sent",
    "delivering": "being sent",
    "delivered": "sent",
    "failed": "not sent",
    "cancelled": "taken back",
}


class AuditDesk:
    """What a supervisor sees of everybody's decisions.

    ``names`` turns a user id into a name; ``hidden`` gives the ids of sources, versions and uploads
    that this user may not know of: events do not tell them either. ``replay`` looks a run up again
    on the index it was made on.
    """

    def __init__(
        self,
        *,
        user: User,
        context: SecurityContext,
        store: ReviewStore,
        runs: RunStore,
        clock: Clock,
        names: Callable[[str], str] = str,
        hidden: Callable[[], frozenset[str]] = frozenset,
        replay: Callable[[str], Replay] | None = None,
    ) -> None:
        self.user = user
        self._context = context
        self._store = store
        self._runs = runs
        self._clock = clock
        self._names = names
        self._hidden = hidden
        self._replay = replay

    def replay(self, trace_id: str) -> Replay:
        """A run's evidence looked up on the index of its day. Raises ``NotFound``."""
        self._allowed()
        if self._replay is None:
            raise NotFound("There is no index to replay runs on.")
        return self._replay(trace_id)

    def decisions(
        self,
        *,
        person: str | None = None,
        case_id: str | None = None,
        source_id: str | None = None,
        kind: str | None = None,
        since: datetime | None = None,
        text: str = "",
    ) -> tuple[DecisionRow, ...]:
        """Decisions that match every filter given, newest first (the newest 500 are looked at).

        ``text`` is looked for in the subject, the decided text, the reason and the note.
        """
        self._allowed()
        with self._store.read() as txn:
            looked_at = self._looked_at(txn, case_id)
            outbox = {
                item.disposition_id: item
                for item in txn.outbox(tenant_id=self._context.tenant_id, case_id=case_id)
            }
            rows = []
            for decision, case in looked_at:
                if (
                    (person and decision.by != person)
                    or (kind and decision.kind != kind)
                    or (since and decision.at < since)
                ):
                    continue
                draft = txn.draft(decision.draft_id) if decision.draft_id else None
                if _mentions(text, case, decision, draft):
                    rows.append((decision, case, draft, outbox.get(decision.disposition_id)))
        return tuple(self._rows(rows, source_id))

    def decision(self, disposition_id: str) -> DecisionView:
        """One decision: text, difference, passages as they were then, trace, delivery, events."""
        self._allowed()
        with self._store.read() as txn:
            decision = txn.disposition(disposition_id)
            case = txn.case(decision.case_id) if decision else None
            if decision is None or case is None or case.tenant_id != self._context.tenant_id:
                raise NotFound(f"There is no decision {disposition_id!r}.")
            draft = txn.draft(decision.draft_id) if decision.draft_id else None
            drafts = txn.drafts(case.case_id)
            items = txn.outbox(case_id=case.case_id)
            events = tuple(case_events(txn, case.case_id))
            actions = txn.actions(case_id=case.case_id)
        item = next((i for i in items if i.disposition_id == disposition_id), None)
        run = self._run(draft)
        copilot = _copilot_draft(draft, drafts)
        shown = draft if run is not None or (item and item.state == "delivered") else None
        before = copilot if run is not None else None
        return DecisionView(
            disposition=decision,
            case=case,
            draft=shown,
            copilot_draft=before,
            diff=word_diff(before.text, shown.text) if before and shown else (),
            passages=evidence_cards(run, draft, today=decision.at.date()) if run else (),
            conflicts=conflict_cards(run, decision.opened_items) if run else (),
            trace=run.trace if run else None,
            outbox=item,
            events=self._within_rights(events),
            actions=self._seen(actions),
        )

    def actions(self, case_id: str | None = None) -> tuple[ActionRecord, ...]:
        """What was decided on proposed actions, newest first, and what became of it."""
        self._allowed()
        with self._store.read() as txn:
            found = txn.actions(tenant_id=self._context.tenant_id, case_id=case_id)
        return self._seen(found[::-1])

    def _seen(self, actions: Sequence[ActionRecord]) -> tuple[ActionRecord, ...]:
        return tuple(seen_action(action, self._runs, self._context) for action in actions)

    def events(self, *, after_seq: int = 0, limit: int = 200) -> tuple[AuditEvent, ...]:
        """The company's events in chain order."""
        self._allowed()
        with self._store.read() as txn:
            found = txn.audit_events(
                tenant_id=self._context.tenant_id, after_seq=after_seq, limit=limit
            )
        return self._within_rights(found)

    def verify(self) -> ChainState:
        """Prove the whole chain from its first event to its head."""
        self._allowed()
        with self._store.read() as txn:
            return verify_stored(txn)

    def export(self, format: Literal["csv", "jsonl"], *, full: bool = False) -> bytes:
        """The company's events as UTF-8 bytes; the export is an event itself.

        Personal data (e-mail addresses, phone numbers …) is masked unless a supervisor asks for the
        ``full`` record. Names of documents outside the user's rights are withheld even then.
        Such events do not match their hashes; ``verify`` proves the originals.
        """
        self._allowed()
        if full:
            require(self._context, "supervise")
        if format not in ("csv", "jsonl"):
            raise BadInput(f"No export as {format!r}. Choose csv or jsonl.")
        with self._store.read() as txn:
            events = tuple(self._all_events(txn))
        with self._store.write() as txn:
            record(
                txn,
                self.user,
                "export.audit",
                f"audit.{format}",
                subject_kind="export",
                format=format,
                full=full,
                events=len(events),
                up_to=events[-1].seq if events else 0,
            )
        shown = self._within_rights(events)
        return to_csv(shown, full=full) if format == "csv" else to_jsonl(shown, full=full)

    def _within_rights(self, events: Sequence[AuditEvent]) -> tuple[AuditEvent, ...]:
        hidden = self._hidden()
        return tuple(within_rights(event, hidden) for event in events)

    def _allowed(self) -> None:
        require(self._context, "supervise", "administer")

    def _looked_at(
        self, txn: ReviewTransaction, case_id: str | None
    ) -> list[tuple[Disposition, Case]]:
        if case_id is None:
            found = txn.dispositions(tenant_id=self._context.tenant_id)
        else:
            found = txn.dispositions(case_id=case_id)[::-1]
        cases = {d.case_id: txn.case(d.case_id) for d in found}
        pairs = ((decision, cases[decision.case_id]) for decision in found)
        return [
            (decision, case)
            for decision, case in pairs
            if case is not None and case.tenant_id == self._context.tenant_id
        ]

    def _rows(
        self,
        found: list[tuple[Disposition, Case, DraftVersion | None, OutboxItem | None]],
        source_id: str | None,
    ) -> Iterator[DecisionRow]:
        titles: dict[str, dict[str, str]] = {}
        for decision, case, draft, item in found:
            if draft is not None and draft.draft_id not in titles:
                titles[draft.draft_id] = self._sources(draft)
            sources = titles[draft.draft_id] if draft else {}
            if source_id is not None and source_id not in sources:
                continue
            yield DecisionRow(
                disposition=decision,
                subject=case.subject,
                actor_name=self._names(decision.by),
                sources=tuple(dict.fromkeys(sources.values())),
                status=_OUTBOX_WORDS[item.state] if item else decision.to and f"to {decision.to}",
            )

    def _sources(self, draft: DraftVersion) -> dict[str, str]:
        """Title by source id of what a text leaned on, as far as this user may know."""
        run = self._run(draft)
        evidence = run.package.by_id() if run and run.package else {}
        cited = [evidence[i].candidate for i in (leaned_on(draft, run) if run else ())]
        return {candidate.source_id: candidate.source_title for candidate in cited}

    def _run(self, draft: DraftVersion | None) -> PipelineRun | None:
        stored = self._runs.run(draft.trace_id) if draft else None
        return visible_run(stored, self._context) if stored else None

    def _all_events(self, txn: ReviewTransaction) -> Iterator[AuditEvent]:
        after = 0
        while page := txn.audit_events(
            tenant_id=self._context.tenant_id, after_seq=after, limit=_PAGE
        ):
            yield from page
            after = page[-1].seq


def _mentions(text: str, case: Case, decision: Disposition, draft: DraftVersion | None) -> bool:
    words = text.casefold().split()
    parts = (
        case.subject,
        case.case_id,
        decision.reason,
        decision.note,
        draft.text if draft else "",
    )
    held = " ".join(parts).casefold()
    return all(word in held for word in words)


def _copilot_draft(
    draft: DraftVersion | None, drafts: tuple[DraftVersion, ...]
) -> DraftVersion | None:
    """The co-pilot's draft that a text goes back to, through every edit in between."""
    by_id = {version.draft_id: version for version in drafts}
    while draft is not None and draft.kind != "copilot":
        draft = by_id.get(draft.base_draft_id or "")
    return draft
