"""The rounds of the search: what was missing, what was tried, what came back, why it ended."""

from __future__ import annotations

from core.models.trace import PipelineRun
from pages.components.rounds import rounds_body
from pages.components.untrusted import show
from pages.inspector.stage import stage_card


def draw(run: PipelineRun) -> None:
    """One card for all rounds; open where a second one was needed."""
    more = len(run.trace.rounds) > 1
    with stage_card(run, 5, "Rounds and judgement", "judge", "rewrite", open_=more):
        show(rounds_body(run, figures=True))
