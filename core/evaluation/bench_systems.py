"""The systems of a retrieval bench: ours in each of its ways, and the peers, as one kind of thing.

A system turns a question into a ranking of documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from core.errors import Unavailable
from core.evaluation.bench_peer import Peer, Peers, PeerText
from core.evaluation.bench_sets import BenchSet, Question
from core.evaluation.peer_bm25 import PeerBm25
from core.evaluation.retrieval_metrics import distinct
from core.models.evidence import EvidenceCandidate
from core.models.plan import Fusion, RetrievalFilters, RetrievalMode, RetrievalPlan
from core.models.request import UserRequest
from core.models.source import IngestReport
from core.ports import Clock, PassageIndex

PIECES = 40
"""Passages each system returns; documents are ranked by their best one."""
READER = "guest"
PRODUCT = "countersign"
RERANKED = f"{PRODUCT}, reranked by the gate"
TEXTBOOK = "textbook"

_MODES: tuple[tuple[str, RetrievalMode, Fusion], ...] = (
    ("lexical", "lexical", "scores"),
    ("vector", "vector", "scores"),
    ("rrf", "hybrid", "rrf"),
    ("hybrid", "hybrid", "scores"),
)
RAW = ", raw turn"
OWN_HALVES = ("lexical", "vector", f"lexical{RAW}", f"vector{RAW}")


class Home(Protocol):
    """A fresh Countersign over a folder of its own, as far as a bench needs it."""

    @property
    def index(self) -> PassageIndex:
        """Its passages."""
        ...

    @property
    def tenant(self) -> str:
        """Whose documents it takes in."""
        ...

    def ingest(self, paths: Sequence[Path]) -> IngestReport:
        """Take files in."""
        ...

    def search(
        self, request: UserRequest, *, k: int, reranked: bool = False
    ) -> tuple[EvidenceCandidate, ...]:
        """What the product retrieves for a request, as set or with its local reranker."""
        ...


class System(NamedTuple):
    """A way to rank documents. ``kind`` says whose it is; ``pieces`` what it searches over."""

    name: str
    kind: str
    pieces: int
    search: Callable[[Question], tuple[str, ...]]


def own_systems(home: Home, bench_set: BenchSet, clock: Clock) -> Iterator[System]:
    """Ours: each side alone, both by rank, both by score, and the product's whole search."""
    today = clock.now().date()
    filters = RetrievalFilters(
        tenant_id=home.tenant,
        acl_policy_ids=("public",),
        classifications=("public",),
        valid_on=today,
    )
    pieces = home.index.count()

    def by(mode: RetrievalMode, fusion: Fusion, *, raw: bool = False) -> System:
        def search(question: Question) -> tuple[str, ...]:
            plan = RetrievalPlan(
                query=question.query if raw else question.asked,
                mode=mode,
                filters=filters,
                top_k=PIECES,
                fusion=fusion,
            )
            return distinct(hit.document_id for hit in home.index.search(plan))

        return System("", "ours", pieces, search)

    for name, mode, fusion in _MODES:
        yield by(mode, fusion)._replace(name=name)
        if bench_set.conversational:
            yield by(mode, fusion, raw=True)._replace(name=f"{name}{RAW}")
    yield System(RERANKED, "ours", pieces, _product(home, reranked=True))
    yield System(PRODUCT, "ours", pieces, _product(home))


def _product(home: Home, *, reranked: bool = False) -> Callable[[Question], tuple[str, ...]]:
    def search(question: Question) -> tuple[str, ...]:
        request = UserRequest(
            request_id="bench",
            tenant_id=home.tenant,
            user_id=READER,
            raw_query=question.query,
            history=question.history,
            channel="batch",
        )
        found = home.search(request, k=PIECES, reranked=reranked)
        # The product says a thing once; documents that hold the same text stand right behind.
        return distinct(
            name for c in found for name in (c.document_id, *(o.document_id for o in c.also_in))
        )

    return search


def peer_systems(
    peers: Peers,
    bench_set: BenchSet,
    passages: Sequence[PeerText],
    skipped: list[str],
    abouts: dict[str, str],
) -> Iterator[System]:
    """The peers over the documents with their own splitter, and again over our ``passages``.

    A peer that cannot be opened is named in ``skipped``, and a textbook BM25 stands in for bm25s;
    ``abouts`` gets how each is set up.
    """
    documents = [(row["id"], row["title"], row["text"]) for row in bench_set.rows]
    for name, opened in peers.items():
        try:
            peer = opened()
        except Unavailable as error:
            if str(error) not in skipped:
                skipped.append(str(error))
            continue
        abouts[name] = peer.about
        pieces = peer.load(documents, split=True, chinese=bench_set.chinese)
        yield System(name, "peer", pieces, _of(peer))
        if bench_set.conversational:
            yield System(f"{name}{RAW}", "peer", pieces, _of(peer, raw=True))
        # The lexical floor has no splitter; of Chinese both cuts make one piece a document or so.
        if name != "bm25s" and not bench_set.chinese:
            cut = peer.load(passages, split=False, chinese=bench_set.chinese)
            yield System(f"{name}, our passages", "peer", cut, _of(peer))
    if "bm25s" not in peers or any("bm25s" in reason for reason in skipped):
        plain = PeerBm25({name: f"{title} {text}" for name, title, text in documents})
        yield System(
            TEXTBOOK, "peer", len(documents), lambda q: plain.search(q.asked, limit=PIECES)
        )


def _of(peer: Peer, *, raw: bool = False) -> Callable[[Question], tuple[str, ...]]:
    def search(question: Question) -> tuple[str, ...]:
        return distinct(peer.search(question.query if raw else question.asked, limit=PIECES))

    return search


def passages_of(index: PassageIndex, bench_set: BenchSet) -> list[PeerText]:
    """Our passages of all documents, each with what stands above it."""
    return [
        (row["id"], passage.metadata.get("context", ""), passage.text)
        for row in bench_set.rows
        for passage in index.passages_of(row["id"])
    ]
