"""What the core needs from the world, phrased by the caller. Adapters keep these promises.

Every promise is checked for all implementations alike in ``tests/contracts``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol

import numpy as np
import numpy.typing as npt

from core.models.access import AclPolicy, User
from core.models.draft import EvidenceSpan, SupportStatus
from core.models.evidence import EvidenceCandidate, GateAnswer
from core.models.plan import RetrievalPlan
from core.models.review import Case
from core.models.source import DocumentVersion, Governance, Passage
from core.models.trace import PipelineRun

Vectors = npt.NDArray[np.float32]


class Clock(Protocol):
    """Time comes in by the door."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""
        ...


class Ids(Protocol):
    """Sortable ids: a later id compares greater."""

    def new(self, prefix: str) -> str:
        """A fresh id such as ``case_01J…``."""
        ...


class TokenCounter(Protocol):
    """Counts tokens for budgets."""

    def count(self, text: str) -> int:
        """Number of tokens in ``text``."""
        ...


class Encoder(Protocol):
    """Turns text into unit vectors."""

    @property
    def fingerprint(self) -> str:
        """Model, precision and file hash; stored with the index, compared when it is opened."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Array of shape (len(texts), dimension), L2-normalised, float32."""
        ...

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """As ``encode``, for questions: some models read them another way than passages."""
        ...

    def knows(self, text: str) -> bool:
        """Whether the vocabulary covers the text well enough for its vector to have a vote."""
        ...


class PassageIndex(Protocol):
    """Passages with full-text and vector search. Filters apply before top-k on both sides."""

    def as_of(self, version: str) -> PassageIndex:
        """A view of the index as it was at ``version`` (see ``version()``), for searching only.

        Raises ``NotFound`` when that version is not kept any more, ``BadInput`` for what is none.
        """
        ...

    def search(self, plan: RetrievalPlan) -> tuple[EvidenceCandidate, ...]:
        """Best first, at most ``plan.top_k``, with both ranks. Raises ``Unavailable``."""
        ...

    def replace_document(self, document_id: str, passages: Sequence[Passage]) -> None:
        """Swap a version's passages in one commit; readers never see half of it."""
        ...

    def replace_documents(self, batch: Sequence[tuple[str, Sequence[Passage]]]) -> None:
        """``replace_document`` for many versions in one commit."""
        ...

    def remove_document(self, document_id: str) -> int:
        """Take a version's passages out, prove by probe queries that none is found; the count."""
        ...

    def passages_of(self, document_id: str) -> tuple[EvidenceCandidate, ...]:
        """All passages of a version in order (for owners and neighbours; not filtered)."""
        ...

    def finish(self) -> None:
        """After a load: fold new rows into the indexes once there are enough to slow searches."""
        ...

    def version(self) -> str:
        """The index version an answer can be replayed on."""
        ...

    def explain(self, plan: RetrievalPlan) -> str:
        """The filter of ``plan`` as SQL text, for the trace and the inspector."""
        ...

    def count(self) -> int:
        """Number of passages stored."""
        ...


class DocumentRegistry(Protocol):
    """The governed documents themselves: text, versions, metadata. The truth the index follows."""

    def get(self, document_id: str) -> DocumentVersion | None:
        """The version with this id, or ``None``."""
        ...

    def versions_of(self, source_id: str) -> tuple[DocumentVersion, ...]:
        """Every version of a source, oldest first."""
        ...

    def lifetimes(self, source_ids: Iterable[str]) -> dict[str, dict[str, Governance]]:
        """By source and document id, the governance of every version that is not withdrawn, without
        its text. Sources nobody knows are left out."""
        ...

    def hashes(self, document_ids: Sequence[str]) -> dict[str, str]:
        """``content_hash`` of those ids that are stored *and* fully indexed."""
        ...

    def live(self, document_ids: Iterable[str]) -> dict[str, DocumentVersion]:
        """Those ids that exist and are not withdrawn, with their governance as it is now."""
        ...

    def put(self, documents: Sequence[DocumentVersion], *, actor: str) -> None:
        """Store or replace versions with an audit event each, marked not yet indexed."""
        ...

    def mark_indexed(self, document_ids: Sequence[str], index_version: str) -> None:
        """The passages of these versions are in the index."""
        ...

    def quarantine(
        self, tenant_id: str, path: str, reason: str, fix: str, *, actor: str, found: str = ""
    ) -> None:
        """Remember a file that could not be taken in, for its owner to see.

        ``found`` is the document as it was read, as JSON, when only its metadata is bad.
        """
        ...

    def clear_quarantine(self, tenant_id: str, path: str) -> None:
        """The file was taken in after all: drop its quarantine row (no-op without one)."""
        ...


class Gate(Protocol):
    """Answers the four questions for each (query, passage) pair."""

    @property
    def name(self) -> str:
        """Backend and version, for the trace."""
        ...

    def score(self, query: str, candidates: Sequence[EvidenceCandidate]) -> tuple[GateAnswer, ...]:
        """One answer for each candidate, in order.

        A pair that could not be judged (time-out, refusal, a bad probability) is answered with its
        ``failure``; nothing is raised for it and nothing is made up.
        """
        ...


class Reranker(Protocol):
    """Looks again at the best candidates of a search, each beside the question."""

    @property
    def name(self) -> str:
        """Kind and version, for the plan and the trace."""
        ...

    @property
    def weight(self) -> float:
        """Share of the final score, 0..1, that its own scores make up."""
        ...

    def scores(self, query: str, candidates: Sequence[EvidenceCandidate]) -> tuple[float, ...]:
        """How well each answers the query, 0..1, in order. Raises ``Unavailable``."""
        ...


class ClaimVerdict(Protocol):
    """What a claim checker says of one claim."""

    @property
    def label(self) -> SupportStatus: ...
    @property
    def score(self) -> float: ...
    @property
    def reasons(self) -> tuple[str, ...]: ...
    @property
    def spans(self) -> tuple[EvidenceSpan, ...]: ...
    @property
    def suggestion(self) -> str | None: ...


class ClaimChecker(Protocol):
    """Decides whether evidence bears a claim. ``unclear`` is the default, never ``supported``."""

    @property
    def name(self) -> str:
        """Backend and version, for the trace."""
        ...

    def check(self, claim: str, evidence: Sequence[tuple[str, str]]) -> ClaimVerdict:
        """``evidence`` is ``(evidence_id, text)`` pairs; spans refer to those texts."""
        ...


class RecordStore(Protocol):
    """The company's records (orders, customers), read only. Rows come back as evidence."""

    def order(self, tenant_id: str, number: str) -> EvidenceCandidate | None:
        """The order by its number; ``metadata`` has the raw columns, ``source_uri`` the row key."""
        ...

    def customer(self, tenant_id: str, customer_id: str) -> EvidenceCandidate | None:
        """The customer by id."""
        ...


class CaseFiles(Protocol):
    """Read access to cases for the pipeline (the case record is evidence too)."""

    def case(self, tenant_id: str, case_id: str) -> Case | None:
        """The case, or ``None``."""
        ...


class PolicyStore(Protocol):
    """Users and access policies."""

    def user(self, user_id: str) -> User | None:
        """The user, active or not."""
        ...

    def users(self, tenant_id: str) -> tuple[User, ...]:
        """All users of a tenant by id."""
        ...

    def acl_policies(self, tenant_id: str) -> tuple[AclPolicy, ...]:
        """All access policies of a tenant by id."""
        ...


class RunStore(Protocol):
    """Finished runs, kept whole for replay, the inspector and the audit."""

    def save_run(self, run: PipelineRun) -> None:
        """Store a run under its trace id. Saving the same run again changes nothing."""
        ...

    def run(self, trace_id: str) -> PipelineRun | None:
        """The run as it was stored, or ``None``."""
        ...

    def recent_runs(self, tenant_id: str, limit: int = 50) -> tuple[tuple[str, str, datetime], ...]:
        """``(trace_id, question, started_at)``, newest first."""
        ...
