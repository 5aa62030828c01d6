"""An answer is held against the index it was given on, for those who may audit it."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import NotAllowed, NotFound
from core.models.access import SecurityContext
from core.models.plan import RetrievalPlan
from core.models.trace import PipelineRun
from core.review.replay import ReplayDesk
from tests.contracts.builders import a_run, a_user
from tests.contracts.passage_index import COAT, put
from tests.fakes.memory_index import MemoryIndex
from tests.sources.builders import a_plan


class Runs:
    """Keeps one run."""

    def __init__(self, run: PipelineRun) -> None:
        self._run = run

    def run(self, trace_id: str) -> PipelineRun | None:
        return self._run if trace_id == self._run.trace.trace_id else None


def an_answer(index: MemoryIndex, **changes: Any) -> PipelineRun:
    """A run that used the first passage found for its question."""
    plan: RetrievalPlan = a_plan("return a coat")
    run = a_run("trace_1", "returns-v1")
    assert run.package is not None
    (hit,) = index.search(plan)
    (item,) = run.package.selected_evidence
    used = item.model_copy(update={"gated": item.gated.model_copy(update={"candidate": hit})})
    trace = run.trace.model_copy(
        update={"retrieval_plan": plan, "index_versions": {"passages": index.version()}} | changes
    )
    package = run.package.model_copy(update={"selected_evidence": (used,)})
    return run.model_copy(update={"trace": trace, "package": package})


def desk(run: PipelineRun, index: MemoryIndex, **rights: Any) -> ReplayDesk:
    context = SecurityContext.model_validate(
        run.context.model_dump() | {"user_id": "sue", "actions": ("supervise",)} | rights
    )
    return ReplayDesk(user=a_user(), context=context, runs=Runs(run), index=index)  # type: ignore[arg-type]


@pytest.fixture
def index() -> MemoryIndex:
    made = MemoryIndex()
    put(made, COAT)
    return made


def test_evidence_stands_in_the_index_of_then_whatever_came_later(index: MemoryIndex) -> None:
    run = an_answer(index)
    put(index, "A coat may not be returned at all.")
    replay = desk(run, index).replay("trace_1")
    (passage,) = replay.passages
    assert (passage.evidence_id, passage.standing) == ("EVID-0001", "word for word")
    assert passage.found_again
    assert replay.agrees
    assert replay.queries == ("return a coat",)


def test_evidence_that_stood_otherwise_or_not_at_all_is_told(index: MemoryIndex) -> None:
    run = an_answer(index)
    put(index, "A coat may not be returned at all.")
    changed = an_answer(index).trace.index_versions
    other = run.model_copy(
        update={"trace": run.trace.model_copy(update={"index_versions": changed})}
    )
    replay = desk(other, index).replay("trace_1")
    assert (replay.passages[0].standing, replay.agrees) == ("other words", False)
    index.remove_document("returns-v1")
    gone = {"index_versions": {"passages": index.version()}}
    other = run.model_copy(update={"trace": run.trace.model_copy(update=gone)})
    replay = desk(other, index).replay("trace_1")
    assert (replay.passages[0].standing, replay.passages[0].found_again) == ("not there", False)


def test_a_version_that_was_cleaned_away_says_so(index: MemoryIndex) -> None:
    run = an_answer(index)
    put(index, "Gift cards.", "cards")
    index.forget("1")
    with pytest.raises(NotFound, match="not kept"):
        desk(run, index).replay("trace_1")


def test_who_may_not_audit_or_may_not_know_of_the_run_learns_nothing(index: MemoryIndex) -> None:
    run = an_answer(index)
    with pytest.raises(NotAllowed):
        desk(run, index, actions=("review",)).replay("trace_1")
    for rights in ({"tenant_id": "acme"}, {"allowed_acl_policy_ids": ("other",)}):
        with pytest.raises(NotFound, match="no run"):
            desk(run, index, **rights).replay("trace_1")
    with pytest.raises(NotFound, match="no run"):
        desk(run, index).replay("trace_2")


def test_a_run_that_searched_nothing_has_nothing_to_replay(index: MemoryIndex) -> None:
    with pytest.raises(NotFound, match="nothing to replay"):
        desk(an_answer(index, index_versions={}), index).replay("trace_1")
