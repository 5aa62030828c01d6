"""Measures ways of cutting documents on the same sets, with one encoder and one retrieval.

Only long documents show a difference, so sets of short passages are joined into longer documents
first. What counts is whether the right document is found, and whether one of the first passages
holds the whole answer.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from core.evaluation.chunkers import Chunker, as_passages, by_meaning, fixed, recursive
from core.evaluation.chunking_sets import SETS, Asked, LongSet, load_long_set
from core.evaluation.retrieval_metrics import distinct, ndcg_at, recall_at
from core.models.base import Model
from core.models.evidence import EvidenceCandidate
from core.models.plan import RetrievalFilters, RetrievalPlan
from core.models.source import DocumentVersion, Governance, Passage
from core.ports import Clock, Encoder, PassageIndex, TokenCounter
from core.sources.chunk import chunk
from core.sources.clean import clean_markdown
from core.sources.front_matter import read_front_matter
from core.sources.measure import size

BUDGET_WORDS = 600
"""What a reader is given in the fair comparison of lengths: the first passages up to so much."""
_TENANT = "bench"
_TOP = 40


class ChunkingRow(Model):
    """One way of cutting on one set.

    ``answer_at_5`` is the share of answers that stand whole in one of the first five passages;
    ``answer_in_budget`` in one of the first passages that fit into ``BUDGET_WORDS`` together, so
    that long passages win nothing by their length. ``index_share`` is words indexed over words
    there were, ``seconds`` the time to cut, encode and store.
    """

    dataset: str
    chunker: str
    documents: int
    queries: int
    passages: int
    mean_words: float
    index_share: float
    index_kilobytes: int
    recall_at_5: float
    ndcg_at_10: float
    answer_at_5: float
    answer_in_budget: float
    seconds: float


class ChunkingReport(Model):
    """All rows, and what was skipped and why."""

    rows: tuple[ChunkingRow, ...]
    skipped: tuple[str, ...] = ()

    def table(self) -> str:
        """The rows as aligned text."""
        lines = [
            f"{'set':<18} {'chunker':<10} {'docs':>5} {'asked':>5} {'pieces':>6} {'words':>6} "
            f"{'share':>6} {'kB':>6} {'R@5':>6} {'nDCG@10':>8} {'ans@5':>6} {'ans@600w':>9} "
            f"{'s':>6}"
        ]
        lines += [
            f"{r.dataset:<18} {r.chunker:<10} {r.documents:>5} {r.queries:>5} {r.passages:>6} "
            f"{r.mean_words:>6.0f} {r.index_share:>6.2f} {r.index_kilobytes:>6} "
            f"{r.recall_at_5:>6.3f} {r.ndcg_at_10:>8.3f} {r.answer_at_5:>6.3f} "
            f"{r.answer_in_budget:>9.3f} {r.seconds:>6.1f}"
            for r in self.rows
        ]
        return "\n".join(lines + [f"skipped: {reason}" for reason in self.skipped])


def run_chunking_bench(
    data: Path,
    encoder: Encoder,
    open_index: Callable[[Path], PassageIndex],
    *,
    questions: Path,
    clock: Clock,
    tokens: TokenCounter | None = None,
    sets: Sequence[str] = SETS,
    chunkers: Mapping[str, Chunker] | None = None,
) -> ChunkingReport:
    """Cut each set in every way, index the passages in a folder of their own, and ask.

    ``open_index`` opens an index with ``encoder`` in the folder it is given; ``questions`` is our
    own file of labelled questions about sets that come without any.
    """
    ways = chunkers or standard_chunkers(encoder, tokens)
    rows: list[ChunkingRow] = []
    skipped: list[str] = []
    for name in sets:
        long_set = load_long_set(data, name, questions)
        if long_set is None:
            skipped.append(f"{name} is not in {data}")
            continue
        versions = [_version(key, *found) for key, found in long_set.texts.items()]
        rows += [
            _measured(long_set, versions, label, way, open_index, clock)
            for label, way in ways.items()
        ]
    return ChunkingReport(rows=tuple(rows), skipped=tuple(skipped))


def standard_chunkers(encoder: Encoder, tokens: TokenCounter | None = None) -> dict[str, Chunker]:
    """Ours and its three rivals, by name."""

    def ours(version: DocumentVersion) -> tuple[Passage, ...]:
        return chunk(version, tokens)

    def spans(
        cut: Callable[[str], list[tuple[int, int]]], version: DocumentVersion
    ) -> tuple[Passage, ...]:
        return as_passages(version, cut(version.text))

    return {
        "structure": ours,
        "fixed": partial(spans, fixed),
        "recursive": partial(spans, recursive),
        "semantic": partial(spans, partial(by_meaning, encoder=encoder)),
    }


def _measured(
    long_set: LongSet,
    versions: Sequence[DocumentVersion],
    label: str,
    way: Chunker,
    open_index: Callable[[Path], PassageIndex],
    clock: Clock,
) -> ChunkingRow:
    with tempfile.TemporaryDirectory(prefix="countersign-chunking-") as folder:
        index = open_index(Path(folder))
        started = time.perf_counter()
        cut = [(version.document_id, way(version)) for version in versions]
        index.replace_documents(cut)
        index.finish()
        seconds = time.perf_counter() - started
        results = [(asked, _search(index, asked.query, clock)) for asked in long_set.questions]
        stored = sum(f.stat().st_size for f in Path(folder).rglob("*") if f.is_file())
    lengths = [size(passage.text) for _, passages in cut for passage in passages]
    whole = sum(size(version.text) for version in versions)
    names = [(asked, distinct(hit.document_id for hit in hits)) for asked, hits in results]
    return ChunkingRow(
        dataset=long_set.name,
        chunker=label,
        documents=len(versions),
        queries=len(results),
        passages=len(lengths),
        mean_words=round(_mean(lengths), 1),
        index_share=round(sum(lengths) / max(whole, 1e-9), 3),
        index_kilobytes=stored // 1000,
        recall_at_5=_mean(recall_at(found, {asked.gold}, 5) for asked, found in names),
        ndcg_at_10=_mean(ndcg_at(found, {asked.gold}, 10) for asked, found in names),
        answer_at_5=_mean(_held(asked, hits[:5]) for asked, hits in results),
        answer_in_budget=_mean(_held(asked, _affordable(hits)) for asked, hits in results),
        seconds=round(seconds, 1),
    )


def _search(index: PassageIndex, query: str, clock: Clock) -> tuple[EvidenceCandidate, ...]:
    filters = RetrievalFilters(
        tenant_id=_TENANT,
        acl_policy_ids=("public",),
        classifications=("public",),
        valid_on=clock.now().date(),
    )
    return index.search(RetrievalPlan(query=query, mode="hybrid", filters=filters, top_k=_TOP))


def _held(asked: Asked, hits: Sequence[EvidenceCandidate]) -> float:
    """Share of the answer's groups that stand whole in one passage of the right document."""
    texts = [_plain(hit.text) for hit in hits if hit.document_id == asked.gold]
    found = [
        any(all(_plain(quote) in text for quote in group) for text in texts)
        for group in asked.answers
    ]
    return sum(found) / len(found)


def _affordable(hits: Sequence[EvidenceCandidate]) -> list[EvidenceCandidate]:
    taken: list[EvidenceCandidate] = []
    left = float(BUDGET_WORDS)
    for hit in hits:
        left -= size(hit.text)
        if left < 0:
            break
        taken.append(hit)
    return taken


def _plain(text: str) -> str:
    return "".join(text.split())


def _version(name: str, title: str, original: str) -> DocumentVersion:
    cleaned = clean_markdown(original, skip_to=read_front_matter(name, original).body)
    return DocumentVersion(
        document_id=name,
        source_id=name,
        tenant_id=_TENANT,
        title=title,
        text=cleaned.text,
        original_text=original,
        span_map=cleaned.span_map,
        governance=Governance(owner="bench"),
        content_hash="",
    )


def _mean(values: Iterable[float]) -> float:
    held = list(values)
    return round(sum(held) / len(held), 4) if held else 0.0
