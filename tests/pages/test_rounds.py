"""The rounds of a search as an agent and as the inspector see them."""

from __future__ import annotations

import re

import pytest

from core.models.judgement import CoverageSignals
from core.models.trace import LoopEnd, PipelineRun
from pages.components.rounds import rounds_body
from tests.pages.run_builders import a_run


def a_judged_run(end: LoopEnd = "nothing_new") -> PipelineRun:
    """The coat's run, its last judgement with a figure in its reason and its signals."""
    run = a_run()
    first, second = run.trace.rounds
    assert second.judgement is not None
    coverage = second.judgement.dimension_coverage_matrix["D1"].model_copy(
        update={
            "reason": "stated directly by: official policy (evidence 0.93); fresh",
            "signals": CoverageSignals(evidence=0.93, directness=0.8, authority="A", sources=2),
        }
    )
    judged = second.judgement.model_copy(update={"dimension_coverage_matrix": {"D1": coverage}})
    last = second.model_copy(
        update={"judgement": judged, "gap_filled": True, "new_evidence_ids": ("EVID-0001",)}
    )
    trace = run.trace.model_copy(update={"rounds": (first, last), "loop_end": end})
    return run.model_copy(update={"trace": trace})


def words(run: PipelineRun, *, figures: bool) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", rounds_body(run, figures=figures).source).split())


def test_an_agent_reads_words_and_no_probabilities() -> None:
    told = words(a_judged_run(), figures=False)
    assert "stated directly by: official policy; fresh" in told
    assert "0.93" not in told


def test_the_inspector_reads_what_the_judge_went_by() -> None:
    told = words(a_judged_run(), figures=True)
    assert "usable evidence 0.93 · directness 0.80 · authority A · 2 sources" in told


def test_a_round_names_what_it_accepted_and_what_it_settled() -> None:
    told = words(a_judged_run(), figures=False)
    assert "EVID-0001 Return policy 4.2 › Holiday returns" in told
    assert "✔ gap filled" in told
    assert "missing ✔ covered changed" in told


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ("nothing_new", "○ Ended after 2 rounds: further search brought nothing new"),
        ("enough", "✔ Ended after 2 rounds: everything asked is covered"),
        ("cancelled", "○ Ended after 2 rounds: somebody stopped it"),
    ],
)
def test_it_says_why_there_was_no_further_round(end: LoopEnd, said: str) -> None:
    assert said in words(a_judged_run(end), figures=False)


def test_a_run_that_searched_nothing_says_so() -> None:
    run = a_run()
    trace = run.trace.model_copy(update={"rounds": (), "loop_end": "nothing_to_search"})
    told = words(run.model_copy(update={"trace": trace}), figures=False)
    assert told == "No search was run: there was nothing to search for."
