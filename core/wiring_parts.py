"""Stores, index and models of a home, each opened on first use.

Index and models are imported then too: that takes longer than most commands take to run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, TypeVar, cast

from core.adapters.caching_encoder import CachingEncoder
from core.adapters.open_gate import open_gate
from core.adapters.open_local_gate import open_local_gate
from core.adapters.sql_case_files import SqlCaseFiles
from core.adapters.sql_gate_policies import SqlGatePolicies
from core.adapters.sql_policies import SqlPolicyStore
from core.adapters.sql_registry import SqlRegistry
from core.adapters.sql_review_store import SqlReviewStore
from core.adapters.sql_runs import SqlRunStore
from core.errors import CountersignError, IndexMismatch
from core.evaluation.probes import Probes
from core.knowledge.company_words import CompanyWords
from core.models.evidence import GateThresholds
from core.pipeline_lookups import standard_toolbox
from core.pipeline_tools import Limits, Tools
from core.ports import ClaimChecker, Encoder, Gate, Reranker
from core.sources.chunk import CHUNKER_VERSION
from core.tools.toolbox import Toolbox
from core.wiring_home import HomeParts

if TYPE_CHECKING:
    from core.adapters.lancedb_index import LanceIndex
    from core.adapters.local_gate import LocalGate
    from core.adapters.token_counter import BundledTokenCounter

T = TypeVar("T")


class Parts(HomeParts):
    """What an office stands on. Safe to share between threads.

    Parts open on first use, so a command that only reads the audit never loads a model.
    """

    # -- stores ---------------------------------------------------------------------------------

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
    def gate_policies(self) -> SqlGatePolicies:
        """The gate's thresholds as supervisors saved them."""
        return SqlGatePolicies(self.engine, self.clock)

    def gate_thresholds(self) -> GateThresholds:
        """Those of the policy in force, else the settings'.

        A home that has no database yet gets none for being asked.
        """
        stored = self.settings.database_url is not None or self.settings.database_file.is_file()
        policy = self.gate_policies.active(self.settings.tenant) if stored else None
        return policy.thresholds if policy else self.settings.thresholds

    @cached_property
    def runs(self) -> SqlRunStore:
        """Finished pipeline runs."""
        return SqlRunStore(self.engine)

    # -- models and the flow --------------------------------------------------------------------

    @cached_property
    def encoder(self) -> Encoder:
        """The configured sentence encoder, with one memory for all who ask it."""
        self.home_folder()
        from core.adapters.open_encoder import open_encoder

        chosen = self.settings
        return CachingEncoder(
            open_encoder(
                chosen.encoder,
                cache_dir=chosen.model_folder,
                precision=chosen.encoder_precision,
                query_prefix=chosen.encoder_query_prefix,
                passage_prefix=chosen.encoder_passage_prefix,
            )
        )

    @property
    def index_folder(self) -> Path:
        """Where the passage index lies."""
        return self.settings.home / "index"

    @cached_property
    def index(self) -> LanceIndex:
        """The passages. Raises ``IndexMismatch`` when they are gone though documents are stored."""
        index = self.open_index()
        if not index.count() and self.registry.has_indexed():
            raise IndexMismatch(
                f"the passage index in {self.index_folder} is empty, but documents are stored; "
                "run `countersign ingest --rebuild` to build it anew"
            )
        return index

    def open_index(self) -> LanceIndex:
        """The index as it lies in the home, empty if it is not there."""
        from core.adapters.lancedb_index import LanceIndex

        return LanceIndex(self.index_folder, self.encoder, chunker=CHUNKER_VERSION)

    @contextmanager
    def index_beside(self) -> Iterator[LanceIndex]:
        """A new, empty index beside the one in use, for the one process that may build it.

        Raises ``TryAgainLater`` while another process builds one.
        """
        from core.adapters.lancedb_index import LanceIndex
        from core.adapters.lancedb_lock import rebuild_lock

        with rebuild_lock(self.index_folder).held():
            yield LanceIndex.beside(self.index_folder, self.encoder, chunker=CHUNKER_VERSION)

    @cached_property
    def tokens(self) -> BundledTokenCounter:
        """Counts tokens for budgets."""
        from core.adapters.token_counter import BundledTokenCounter

        return BundledTokenCounter()

    @cached_property
    def local_gate(self) -> LocalGate:
        """Answers the four questions on this machine."""
        return open_local_gate(self.encoder, self.settings.model_folder)

    @cached_property
    def gate(self) -> Gate:
        """Answers the four questions, as the settings choose."""
        return open_gate(self.settings, self.local_gate, lambda: self.engine, self.clock)

    @cached_property
    def reranker(self) -> Reranker | None:
        """The configured second look at search results, ``None`` without one."""
        chosen = self.settings.reranker
        if not chosen:
            return None
        if chosen == "gate":
            from core.adapters.gate_reranker import GateReranker

            return GateReranker(self.local_gate)
        from core.adapters.cross_encoder_reranker import CrossEncoderReranker

        return CrossEncoderReranker(chosen)

    @cached_property
    def checker(self) -> ClaimChecker:
        """Checks claims."""
        from core.adapters.local_checker import LocalClaimChecker

        return LocalClaimChecker(self.encoder)

    @cached_property
    def probes(self) -> Probes:
        """Single stages for texts that come with the question."""
        return Probes(gate=self.gate, checker=self.checker, thresholds=self.gate_thresholds())

    @cached_property
    def company_words(self) -> CompanyWords:
        """The company's own other words, as far as a reader may learn of them."""
        return CompanyWords(self.registry, index_version=lambda: self.index.version())

    @cached_property
    def tools(self) -> Tools:
        """Everything a pipeline run reaches the world through."""
        s = self.settings
        with self._opening:  # cached properties alone would let two threads open two of each
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
                reranker=self.reranker,
                gate_policy=self.gate_policies.active,
                connectors=self.connector_tools(),
                tool_log=self.tool_log,
                company_words=self.company_words,
                limits=Limits.model_validate(s.model_dump(include=set(Limits.model_fields))),
            )

    @cached_property
    def toolbox(self) -> Toolbox:
        """The read tools by themselves; no index or model is opened before one needs it."""
        return standard_toolbox(
            records=self.records,
            index=later(lambda: self.index),
            registry=self.registry,
            today=lambda: self.clock.now().date(),
            cases=later(lambda: SqlCaseFiles(self.engine)),
            connectors=self.connector_tools(),
            log=self.tool_log,
        )

    def tools_at(self, index_version: str | None) -> Tools:
        """The tools of a run, on a past version of the index. Rights stay those of now.

        Raises ``NotFound`` when that version is not kept any more.
        """
        if index_version is None:
            return self.tools
        return replace(self.tools, index=self.index.as_of(index_version))

    def warm(self) -> Thread:
        """Open index and models on a thread, ahead of the first draft.

        What cannot be opened says so when it is used.
        """
        thread = Thread(target=self._warmed, name="warm-up")
        thread.start()
        return thread

    def _warmed(self) -> None:
        with suppress(CountersignError):
            self.tools.encoder.encode(["warm"])
            self.local_gate.open()
            self.company_words.warm(self.settings.tenant)


def later(opening: Callable[[], T]) -> T:
    """Stands for a part until its first use opens it.

    A desk holds a copilot and a shelf an index, but listing, reading and deciding needs neither.
    """
    return cast("T", _Later(opening))


class _Later:
    def __init__(self, opening: Callable[[], object]) -> None:
        self._opening, self._lock = opening, Lock()
        self._part: object | None = None

    def __getattr__(self, name: str) -> Any:
        # Reached only for names that are not its own: those of the part it stands for.
        if self._part is None:
            with self._lock:
                if self._part is None:
                    self._part = self._opening()
        return getattr(self._part, name)
