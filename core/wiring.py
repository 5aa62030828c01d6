"""The only place that joins ports to adapters. Nothing is opened before somebody needs it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from core.adapters.file_channel import FileChannel
from core.adapters.lancedb_index import LanceIndex
from core.adapters.local_checker import LocalClaimChecker
from core.adapters.local_gate import LocalGate
from core.adapters.onnx_encoder import OnnxEncoder
from core.adapters.records_build import build_records
from core.adapters.records_db import SqliteRecords
from core.adapters.sentence_transformers_encoder import SentenceTransformersEncoder
from core.adapters.sql_case_files import SqlCaseFiles
from core.adapters.sql_migrate import open_database
from core.adapters.sql_policies import SqlPolicyStore
from core.adapters.sql_registry import SqlRegistry
from core.adapters.sql_review_store import SqlReviewStore
from core.adapters.sql_runs import SqlRunStore
from core.adapters.system_clock import SystemClock
from core.adapters.token_counter import BundledTokenCounter
from core.adapters.ulid_ids import UlidIds
from core.errors import NotFound
from core.evaluation.inspector import Inspector
from core.evaluation.probes import Probes
from core.identity.service import Identity
from core.knowledge.shelf import KnowledgeShelf
from core.models.evidence import EvidenceCandidate
from core.models.request import UserRequest
from core.models.review import Case
from core.models.source import IngestReport
from core.models.trace import PipelineRun
from core.pipeline import answer
from core.pipeline_run import Limits, Options, Tools
from core.pipeline_search import search
from core.ports import ClaimChecker, Encoder, Gate
from core.review.audit import AuditDesk
from core.review.chain import verify_stored
from core.review.desk import ReviewDesk
from core.review.escalations import EscalationDesk
from core.review.outbox import ANY_CHANNEL, Outbox
from core.review.pipeline_copilot import PipelineCopilot
from core.review.rules import DeskRules
from core.review.send_check import SendCheck
from core.review.views import ChainState
from core.settings import Settings
from core.sources.chunk import CHUNKER_VERSION
from core.sources.ingest import ingest


class Office:
    """One open Countersign: stores, index and models of a home, and the desks over them.

    Safe to share between threads. Parts open on first use, so a command that only reads the audit
    never loads a model.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.clock, self.ids = SystemClock(), UlidIds()

    # -- stores ---------------------------------------------------------------------------------

    @cached_property
    def engine(self) -> Engine:
        """The case store's database, migrated to the present schema."""
        self.settings.home.mkdir(parents=True, exist_ok=True)
        return open_database(self.settings.sqlalchemy_url)

    @cached_property
    def store(self) -> SqlReviewStore:
        """Cases, drafts, decisions, outbox, audit."""
        return SqlReviewStore(self.engine, self.clock)

    @cached_property
    def registry(self) -> SqlRegistry:
        """Governed documents and their versions."""
        return SqlRegistry(self.engine, self.clock)

    @cached_property
    def policies(self) -> SqlPolicyStore:
        """Users and access policies."""
        return SqlPolicyStore(self.engine, self.clock)

    @cached_property
    def runs(self) -> SqlRunStore:
        """Finished pipeline runs."""
        return SqlRunStore(self.engine)

    @cached_property
    def records(self) -> SqliteRecords:
        """Orders and customers, read only."""
        return SqliteRecords(self.settings.home / "records.db")

    def build_records(self, customers: Path, orders: Path) -> tuple[int, int]:
        """Replace the records database by two CSV files; returns (customers, orders) written."""
        self.settings.home.mkdir(parents=True, exist_ok=True)
        return build_records(
            self.settings.home / "records.db",
            customers=customers,
            orders=orders,
            tenant_id=self.settings.tenant,
        )

    # -- models and the flow --------------------------------------------------------------------

    @cached_property
    def encoder(self) -> Encoder:
        """The configured sentence encoder."""
        if self.settings.encoder == "packaged":
            return OnnxEncoder(self.settings.model_folder)
        return SentenceTransformersEncoder(self.settings.encoder)

    @cached_property
    def index(self) -> LanceIndex:
        """The passages."""
        return LanceIndex(self.settings.home / "index", self.encoder, chunker=CHUNKER_VERSION)

    @cached_property
    def tokens(self) -> BundledTokenCounter:
        """Counts tokens for budgets."""
        return BundledTokenCounter()

    @cached_property
    def gate(self) -> Gate:
        """Answers the four questions."""
        return LocalGate(self.encoder)

    @cached_property
    def checker(self) -> ClaimChecker:
        """Checks claims."""
        return LocalClaimChecker(self.encoder)

    @cached_property
    def probes(self) -> Probes:
        """Single stages for texts that come with the question."""
        return Probes(gate=self.gate, checker=self.checker, thresholds=self.settings.thresholds)

    @cached_property
    def tools(self) -> Tools:
        """Everything a pipeline run reaches the world through."""
        s = self.settings
        return Tools(
            clock=self.clock,
            ids=self.ids,
            index=self.index,
            registry=self.registry,
            policies=self.policies,
            records=self.records,
            cases=SqlCaseFiles(self.engine),
            gate=self.gate,
            checker=self.checker,
            encoder=self.encoder,
            tokens=self.tokens,
            runs=self.runs,
            limits=Limits(
                thresholds=s.thresholds,
                max_rounds=s.max_rounds,
                top_k=s.top_k,
                candidate_k=s.candidate_k,
                token_budget=s.token_budget,
            ),
        )

    @cached_property
    def copilot(self) -> PipelineCopilot:
        """The pipeline, as desks see it."""
        return PipelineCopilot(self.tools)

    def ask(
        self, request: UserRequest, *, supplied: tuple[EvidenceCandidate, ...] | None = None
    ) -> PipelineRun:
        """The whole flow for one request."""
        return answer(request, self.tools, Options(supplied=supplied))

    def search(self, request: UserRequest, *, k: int) -> tuple[EvidenceCandidate, ...]:
        """Retrieval alone."""
        return search(request, self.tools, k=k)

    def ingest(
        self,
        paths: Sequence[Path],
        *,
        tenant_id: str,
        actor: str,
        progress: Callable[[int, str], None] | None = None,
    ) -> IngestReport:
        """Take files and folders in; ``progress`` gets the documents handled and the last name."""
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
        )

    # -- people ---------------------------------------------------------------------------------

    @cached_property
    def identity(self) -> Identity:
        """Who may sign in, and with which rights."""
        return Identity(self.policies, tenant_id=self.settings.tenant)

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
        )

    def shelf(self, user_id: str) -> KnowledgeShelf:
        """The sources of a user."""
        return KnowledgeShelf(
            **self._person(user_id), registry=self.registry, index=self.index, clock=self.clock
        )

    def inspector(self, user_id: str) -> Inspector:
        """One question through every stage."""
        return Inspector(**self._person(user_id), tools=self.tools)

    def case_for(self, user_id: str, case_id: str) -> Case | None:
        """A case the user may review, else ``None``."""
        if "review" not in self.identity.context_of(user_id).actions:
            return None
        return SqlCaseFiles(self.engine).case(self.settings.tenant, case_id)

    def _name(self, user_id: str) -> str:
        user = self.policies.user(user_id)
        return user.name if user else user_id

    def _person(self, user_id: str) -> dict[str, Any]:
        user = self.policies.user(user_id)
        if user is None or not user.active:
            raise NotFound(f"no active user {user_id!r}. Name one with --as.")
        return {"user": user, "context": self.identity.context_of(user_id)}

    # -- delivery and watching ------------------------------------------------------------------

    @cached_property
    def outbox(self) -> Outbox:
        """Delivers approved replies."""
        channel = FileChannel(self.settings.home / "outbox")
        check = SendCheck(self.copilot, self.runs, self.identity.context_of)
        return Outbox(self.store, {ANY_CHANNEL: channel}, self.clock, comply_again=check)

    def counters(self) -> Mapping[str, Mapping[str, int]]:
        """Counts by state for ``/metrics``."""
        with self.store.read() as transaction:
            cases = Counter[str](c.state for c in transaction.cases(self.settings.tenant))
            items = Counter[str](
                i.state for i in transaction.outbox(tenant_id=self.settings.tenant)
            )
        return {"cases": {**cases}, "outbox": {**items}}

    def verify_audit(self) -> ChainState:
        """Prove the audit chain from its first event to its head."""
        with self.store.read() as transaction:
            return verify_stored(transaction)

    def close(self) -> None:
        """Let go of the database."""
        if "engine" in self.__dict__:
            self.engine.dispose()

    def settings_summary(self) -> dict[str, str]:
        """Settings as text, secrets redacted."""
        return self.settings.shown()


def open_office(settings: Settings) -> Office:
    """The office over ``settings``; nothing is opened yet."""
    return Office(settings)
