"""What every store of gate answers promises about runs that were saved."""

from __future__ import annotations

from datetime import timedelta

from core.evaluation.gate_store import GateAnswers
from core.models.evidence import GatedPassage, GateNote, GateScores
from core.models.trace import PipelineRun
from core.text.gate_answers import answered_run, answers_of
from tests.contracts.builders import TENANT, a_candidate, a_run
from tests.fakes.fixed_clock import DEMO_DAY


def a_gated_run(trace_id: str = "trace_1", minutes: int = 0, **fields: object) -> PipelineRun:
    """A run whose gate judged one passage and could not judge another."""
    run = a_run(trace_id, started_at=DEMO_DAY + timedelta(minutes=minutes), **fields)
    judged = GatedPassage(
        candidate=a_candidate("returns-1"),
        scores=GateScores(relevant=0.9, evidence=0.8, contradicts=0.1, injection=0.0),
        note=GateNote(reasons=("a reviewer asked to use it",)),
        backend="local-gate/1",
        route="include",
        rule="forced",
        reason="a reviewer asked to use it",
    )
    unjudged = GatedPassage(
        candidate=a_candidate("faq-1"),
        scores=None,
        route="exclude",
        rule="unjudged",
        reason="could not be judged: no answer in time",
    )
    return run.model_copy(update={"gated": (judged, unjudged)})


class GateAnswersContract:
    """Subclasses give ``gate_answers`` over the runs ``saved`` puts in."""

    def saved(self, *runs: PipelineRun) -> GateAnswers:
        raise NotImplementedError

    def test_a_runs_answers_come_back_in_order(self) -> None:
        run = a_gated_run()
        stored = self.saved(run)
        assert stored.answers(["trace_1", "trace_9"]) == {"trace_1": answers_of(run)}
        first, second = answers_of(run)
        assert (first.relevant, first.forced, first.sentence) == (0.9, True, "30 days")
        assert (second.relevant, second.rule, second.forced) == (None, "unjudged", None)

    def test_recent_runs_are_the_tenants_newest_first(self) -> None:
        stored = self.saved(
            a_gated_run("trace_1", 1),
            a_gated_run("trace_2", 2),
            a_gated_run("trace_3", 3, tenant_id="other"),
        )
        newest = answered_run(a_gated_run("trace_2", 2))
        assert stored.recent(TENANT)[0] == newest
        assert [run.trace_id for run in stored.recent(TENANT)] == ["trace_2", "trace_1"]
        assert stored.recent(TENANT, 1) == (newest,)

    def test_named_runs_of_another_tenant_are_not_given(self) -> None:
        stored = self.saved(a_gated_run("trace_1"), a_gated_run("trace_3", tenant_id="other"))
        found = stored.heads(TENANT, ["trace_1", "trace_3", "trace_9"])
        assert [run.trace_id for run in found] == ["trace_1"]

    def test_a_run_without_passages_has_a_head_and_no_answers(self) -> None:
        stored = self.saved(a_run("trace_1"))
        assert [run.trace_id for run in stored.recent(TENANT)] == ["trace_1"]
        assert stored.answers(["trace_1"]) == {}
