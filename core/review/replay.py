"""An answer's evidence looked up again on the index as it was when the answer was given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from core.errors import NotFound
from core.models.access import SecurityContext, User
from core.models.base import Model
from core.models.evidence import EvidenceCandidate
from core.models.trace import PipelineRun
from core.ports import PassageIndex, RunStore
from core.review.access import require, visible_run

_FROM_THE_INDEX = ("lexical", "vector", "hybrid")

Standing = Literal["word for word", "other words", "not there"]


class ReplayedPassage(Model):
    """A passage of the run, and how it stood in the index of then.

    ``evidence_id`` is empty for one that was weighed and left out; ``found_again`` says whether
    the same search still returns it.
    """

    chunk_id: str
    document_id: str
    source_id: str
    title: str
    evidence_id: str = ""
    standing: Standing
    found_again: bool


class Replay(Model):
    """A run held against the index it was made on."""

    trace_id: str
    question: str
    index_version: str
    queries: tuple[str, ...]
    passages: tuple[ReplayedPassage, ...]

    @property
    def agrees(self) -> bool:
        """Whether every passage that was used stood there word for word."""
        return all(p.standing == "word for word" for p in self.passages if p.evidence_id)


class ReplayDesk:
    """Replays answers for who may audit them. What this user may not read is left out."""

    def __init__(
        self, *, user: User, context: SecurityContext, runs: RunStore, index: PassageIndex
    ) -> None:
        self.user = user
        self._context, self._runs, self._index = context, runs, index

    def replay(self, trace_id: str) -> Replay:
        """Look every passage of a run up in the index of then, and search again.

        Raises ``NotFound`` for a run this user may not know of, and when the index of then is not
        kept any more; ``IndexMismatch`` when another encoder built it.
        """
        require(self._context, "supervise", "administer")
        stored = self._runs.run(trace_id)
        if stored is None or stored.request.tenant_id != self._context.tenant_id:
            raise NotFound(f"There is no run {trace_id!r}.")
        run = visible_run(stored, self._context)
        if run is None:
            raise NotFound(f"There is no run {trace_id!r}.")
        version = run.trace.index_versions.get("passages")
        if version is None:
            raise NotFound(f"Run {trace_id} searched no index: there is nothing to replay.")
        then = self._index.as_of(version)
        queries = _queries(run)
        found = _found_again(run, then, queries)
        return Replay(
            trace_id=trace_id,
            question=run.request.raw_query,
            index_version=version,
            queries=queries,
            passages=tuple(_replayed(run, then, found)),
        )


def _queries(run: PipelineRun) -> tuple[str, ...]:
    plan = run.trace.retrieval_plan
    asked = (plan.query, *plan.subqueries) if plan else ()
    return tuple(dict.fromkeys((*asked, *(round_.query for round_ in run.trace.rounds))))


def _found_again(run: PipelineRun, then: PassageIndex, queries: Iterable[str]) -> set[str]:
    plan = run.trace.retrieval_plan
    if plan is None:
        return set()
    plans = [plan.model_copy(update={"query": query, "subqueries": ()}) for query in queries]
    return {hit.chunk_id for once in plans for hit in then.search(once)}


def _replayed(run: PipelineRun, then: PassageIndex, found: set[str]) -> Iterable[ReplayedPassage]:
    package = run.package.all_evidence() if run.package else ()
    used = {item.candidate.chunk_id: item.evidence_id for item in package}
    weighed = [gated.candidate for gated in run.gated] + [item.candidate for item in package]
    texts: dict[str, dict[str, str]] = {}
    for candidate in {c.chunk_id: c for c in weighed}.values():
        if candidate.retrieval_source not in _FROM_THE_INDEX:
            continue
        name = candidate.document_id
        if name not in texts:
            texts[name] = {hit.chunk_id: hit.text for hit in then.passages_of(name)}
        yield ReplayedPassage(
            chunk_id=candidate.chunk_id,
            document_id=name,
            source_id=candidate.source_id,
            title=candidate.source_title,
            evidence_id=used.get(candidate.chunk_id, ""),
            standing=_standing(candidate, texts[name]),
            found_again=candidate.chunk_id in found,
        )


def _standing(candidate: EvidenceCandidate, texts: dict[str, str]) -> Standing:
    text = texts.get(candidate.chunk_id)
    if text is None:
        return "not there"
    return "word for word" if text == candidate.text else "other words"
