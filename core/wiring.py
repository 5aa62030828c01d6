"""The only place that joins ports to adapters. Nothing is opened before somebody needs it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from core.adapters.case_fields import CaseFields
from core.adapters.file_actions import FileActions
from core.adapters.file_channel import FileChannel
from core.adapters.guarded_gate import GuardedGate
from core.adapters.sql_case_files import SqlCaseFiles
from core.evaluation.golden import GoldenCase
from core.evaluation.golden_run import asker, request_for
from core.identity.admin import SettingsDesk
from core.knowledge.glossary import GlossaryDesk
from core.knowledge.shelf import KnowledgeShelf
from core.models.evidence import EvidenceCandidate, GateThresholds
from core.models.request import UserRequest
from core.models.review import Case
from core.models.source import IngestReport
from core.models.trace import PipelineRun
from core.pipeline import answer
from core.pipeline_search import search
from core.pipeline_tools import Options, never
from core.review.action_check import RecordCheck
from core.review.action_runner import ActionRunner
from core.review.action_tool import StartRefund
from core.review.audit import AuditDesk
from core.review.chain import verify_stored
from core.review.desk import ReviewDesk
from core.review.escalations import EscalationDesk
from core.review.outbox import ANY_CHANNEL, Outbox
from core.review.pipeline_copilot import PipelineCopilot
from core.review.replay import ReplayDesk
from core.review.rules import DeskRules
from core.review.send_check import SendCheck
from core.review.views import ChainState
from core.settings import Settings
from core.sources.governance import tenant_rules
from core.sources.ingest import ingest
from core.sources.progress import Progress
from core.wiring_doctor import looks
from core.wiring_evaluation import EvaluationParts
from core.wiring_index import IndexParts
from core.wiring_parts import later


class Office(EvaluationParts, IndexParts):
    """One open Countersign: the flow and the desks over the parts of a home."""

    @cached_property
    def copilot(self) -> PipelineCopilot:
        """The pipeline, as desks see it."""
        return later(lambda: PipelineCopilot(self.tools))

    def ask(
        self,
        request: UserRequest,
        *,
        supplied: tuple[EvidenceCandidate, ...] | None = None,
        thresholds: GateThresholds | None = None,
        cancelled: Callable[[], bool] = never,
    ) -> PipelineRun:
        """The whole flow for one request; ``thresholds`` are on trial, for this run alone.

        Once ``cancelled`` says yes it ends before its next stage, and its trace says so.
        """
        options = Options(supplied=supplied, thresholds=thresholds)
        return answer(request, self.tools, options, cancelled=cancelled)

    def search(
        self, request: UserRequest, *, k: int, at_index: str | None = None
    ) -> tuple[EvidenceCandidate, ...]:
        """Retrieval alone, on the index as it is or as it was at the version ``at_index``."""
        return search(request, self.tools_at(at_index), k=k)

    def ingest(
        self,
        paths: Sequence[Path],
        *,
        tenant_id: str,
        actor: str,
        progress: Progress | None = None,
        prune: bool = False,
    ) -> IngestReport:
        """Take files and folders in; ``progress`` is told how far it is.

        With ``prune`` documents that came from these paths and are gone are withdrawn.
        """
        return ingest(
            paths,
            tenant_id=tenant_id,
            actor=actor,
            registry=self.registry,
            index=self.index,
            clock=self.clock,
            tokens=self.tokens,
            progress=progress,
            max_bytes=self.settings.max_file_mb * 1024 * 1024,
            prune=prune,
            rules=tenant_rules(self.policies, tenant_id, today=self.clock.now().date()),
        )

    # -- people ---------------------------------------------------------------------------------

    @cached_property
    def rules(self) -> DeskRules:
        """The desk's times and limits."""
        return DeskRules(
            undo_seconds=self.settings.undo_seconds, lease_minutes=self.settings.lease_minutes
        )

    def desk(self, user_id: str) -> ReviewDesk:
        """The reply desk of a user."""
        return ReviewDesk(
            **self._person(user_id),
            store=self.store,
            copilot=self.copilot,
            runs=self.runs,
            registry=self.registry,
            clock=self.clock,
            ids=self.ids,
            rules=self.rules,
            still_borne=self.still_borne,
        )

    def escalation_desk(self, user_id: str) -> EscalationDesk:
        """The escalation board of a user."""
        return EscalationDesk(
            **self._person(user_id),
            store=self.store,
            runs=self.runs,
            copilot=self.copilot,
            clock=self.clock,
            ids=self.ids,
            rules=self.rules,
        )

    def audit_desk(self, user_id: str) -> AuditDesk:
        """The audit of a user."""
        return AuditDesk(
            **self._person(user_id),
            store=self.store,
            runs=self.runs,
            clock=self.clock,
            names=self._name,
            hidden=lambda: self._beyond_rights(user_id),
            replay=self.replay_desk(user_id).replay,
        )

    def replay_desk(self, user_id: str) -> ReplayDesk:
        """Answers looked up again on the index they were given on."""
        return ReplayDesk(**self._person(user_id), runs=self.runs, index=later(lambda: self.index))

    def shelf(self, user_id: str) -> KnowledgeShelf:
        """The sources of a user."""
        return KnowledgeShelf(
            **self._person(user_id),
            registry=self.registry,
            index=later(lambda: self.index),
            clock=self.clock,
            tokens=later(lambda: self.tokens),
            uploads=self.upload_desk(user_id),
            finder=self.duplicate_finder,
        )

    def glossary_desk(self, user_id: str) -> GlossaryDesk:
        """The company's words that say the same, as a user may see and change them."""
        return GlossaryDesk(
            **self._person(user_id),
            words=self.company_words,
            registry=self.registry,
            file=self.home_folder() / "glossary" / f"{self.settings.tenant}.md",
            take_in=lambda file, by: self.ingest([file], tenant_id=self.settings.tenant, actor=by),
            clock=self.clock,
        )

    def settings_desk(self, user_id: str) -> SettingsDesk:
        """People, rights and the state of every part, for an administrator."""
        return SettingsDesk(
            **self._person(user_id),
            policies=self.policies,
            sources=self.registry,
            shown=self.settings_summary(),
            parts=looks(self),
            gate_policy=lambda: self.gate_policies.active(self.settings.tenant),
        )

    def case_for(self, user_id: str, case_id: str) -> Case | None:
        """A case the user may review, else ``None``."""
        if "review" not in self.identity.context_of(user_id).actions:
            return None
        return SqlCaseFiles(self.engine).case(self.settings.tenant, case_id)

    def _beyond_rights(self, user_id: str) -> frozenset[str]:
        shelf = self.shelf(user_id)
        uploads = shelf.uploads.beyond_rights() if shelf.uploads else frozenset[str]()
        return shelf.beyond_rights() | uploads

    def _name(self, user_id: str) -> str:
        user = self.policies.user(user_id)
        return user.name if user else user_id

    # -- evaluation -----------------------------------------------------------------------------

    def ask_golden(
        self,
        row: GoldenCase,
        thresholds: GateThresholds | None = None,
        cancelled: Callable[[], bool] = never,
    ) -> PipelineRun:
        """Answer a golden question with the rights of its role; ``thresholds`` are on trial."""
        user = asker(row, self.identity.sign_in_choices())
        case = self.case_for(user.user_id, row.case_id) if user and row.case_id else None
        return self.ask(
            request_for(
                row,
                request_id=self.ids.new("req"),
                tenant_id=self.settings.tenant,
                user=user,
                case=case,
            ),
            thresholds=thresholds,
            cancelled=cancelled,
        )

    # -- delivery and watching ------------------------------------------------------------------

    @cached_property
    def outbox(self) -> Outbox:
        """Delivers approved replies."""
        channel = FileChannel(self.settings.home / "outbox")
        check = SendCheck(
            self.copilot,
            self.runs,
            self.identity.context_of,
            registry=self.registry,
            clock=self.clock,
        )
        return Outbox(self.store, {ANY_CHANNEL: channel}, self.clock, comply_again=check)

    @cached_property
    def still_borne(self) -> RecordCheck:
        """The records as they are when an action is confirmed, and again when it runs."""
        files = later(lambda: SqlCaseFiles(self.engine))
        return RecordCheck(self.records, lambda tenant, case_id: files.case(tenant, case_id))

    @cached_property
    def actions(self) -> ActionRunner:
        """Carries out the actions that reviewers confirmed."""
        folder = self.settings.home / "actions"
        tools = (FileActions("start_refund", StartRefund, folder), CaseFields(self.store))
        return ActionRunner(
            self.store,
            {tool.name: tool for tool in tools},
            self.clock,
            context_of=self.identity.context_of,
            still_borne=self.still_borne,
        )

    def counters(self) -> Mapping[str, Mapping[str, int]]:
        """Counts by state for ``/metrics``."""
        with self.store.read() as transaction:
            cases = Counter[str](c.state for c in transaction.cases(self.settings.tenant))
            items = Counter[str](
                i.state for i in transaction.outbox(tenant_id=self.settings.tenant)
            )
            events = transaction.audit_head()[0]
        return {"cases": {**cases}, "outbox": {**items}, "chain_events": {"": events}}

    def verify_audit(self) -> ChainState:
        """Prove the audit chain from its first event to its head."""
        with self.store.read() as transaction:
            return verify_stored(transaction)

    def close(self) -> None:
        """Let go of the database, and of a remote gate's connections."""
        if "engine" in self.__dict__:
            self.engine.dispose()
        for connector in self.__dict__.get("connectors", ()):
            connector.close()
        if "gate" in self.__dict__ and isinstance(self.gate, GuardedGate):
            self.gate.close()

    def settings_summary(self) -> dict[str, str]:
        """Settings as text, secrets redacted."""
        return self.settings.shown()


def open_office(settings: Settings) -> Office:
    """The office over ``settings``; nothing is opened yet."""
    return Office(settings)
