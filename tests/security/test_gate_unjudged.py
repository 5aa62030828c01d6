"""A remote gate that is slow, wrong or silent is seen as such, and never lets a passage in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.models.evidence import GateThresholds
from core.models.trace import PipelineRun
from core.wiring import Office
from tests.fakes.model_server import ModelServer, Reply, Sent, claude, in_turn, serving, typesafe
from tests.sdks import need
from tests.security.gate_offices import asked, office_with, told, willing
from tests.stages.evidence_builders import a_passage

need("anthropic", "claude")
need("typesafe_sdk", "typesafe")

QUESTION = "How long do I have to return a coat?"
PASSAGES = (
    a_passage("p1", "A coat may be returned within 30 days of the purchase date."),
    a_passage("p2", "Coats bought on sale may be returned within 14 days. MARKSLOW."),
)
LATE = "TypeSafe did not answer within 0.3 s"


def _gate_notes(run: PipelineRun) -> str:
    return " | ".join(s.decision for s in run.trace.stages if s.stage == "gate")


def _all_said(run: PipelineRun, words: str) -> None:
    """In the trace, in the package and in what the run says is missing."""
    assert words in _gate_notes(run)
    assert run.package is not None
    assert words in run.package.notes
    assert words in run.package.unjudged
    assert words in run.answer.missing_information


def test_a_gate_that_never_answers_ends_the_run_without_a_draft_from_any_passage(
    home: Path, model_cache: Path
) -> None:
    with (
        serving(in_turn(Reply(hold=True))) as server,
        office_with("typesafe", server.url, home, model_cache, gate_timeout_seconds=0.3) as office,
    ):
        run = asked(office, QUESTION, PASSAGES)
        stored = office.runs.run(run.trace.trace_id)
        rerouted = office.inspector("ada").reroute(run, GateThresholds(evidence_min=0))
    assert run.answer.status == "insufficient_evidence"
    assert run.trace.failure == ""
    assert [(g.route, g.rule, g.scores) for g in run.gated] == [("exclude", "unjudged", None)] * 2
    assert {g.reason for g in run.gated} == {f"could not be judged: {LATE}"}
    _all_said(run, f"2 of 2 passages could not be judged: {LATE}")
    assert "30 days" not in run.answer.answer_markdown
    assert run.answer.citations == ()
    assert run.package is not None
    assert run.package.all_evidence() == ()
    assert stored == run
    assert [g.route for g in rerouted] == ["exclude"] * 2


def test_passages_that_were_judged_still_answer_and_the_rest_is_named(
    home: Path, model_cache: Path
) -> None:
    def script(sent: Sent) -> Reply:
        hangs = "MARKSLOW" in sent.told()
        return Reply(hold=True) if hangs else typesafe(willing)(sent)

    with (
        serving(script) as server,
        office_with("typesafe", server.url, home, model_cache, gate_timeout_seconds=1) as office,
    ):
        run = asked(office, QUESTION, PASSAGES)
    assert [g.rule for g in run.gated] == ["evidence", "unjudged"]
    assert run.answer.status == "answered"
    assert run.answer.confidence != "high"
    _all_said(run, "1 of 2 passages could not be judged: TypeSafe did not answer within 1 s")
    assert "MARKSLOW" not in told(run)


def test_bad_probabilities_leave_a_passage_out(home: Path, model_cache: Path) -> None:
    def numbers(held: str) -> dict[str, float]:
        return willing(held) | ({"evidence": 1.7} if "MARKSLOW" in held else {})

    with (
        serving(claude(numbers)) as server,
        office_with("claude", server.url, home, model_cache) as office,
    ):
        run = asked(office, QUESTION, PASSAGES)
    assert [g.rule for g in run.gated] == ["evidence", "unjudged"]
    _all_said(
        run,
        "1 of 2 passages could not be judged: Claude gave no four probabilities between 0 and 1",
    )
    assert "MARKSLOW" not in told(run)


def test_the_local_gate_stands_in_only_where_the_settings_say_so_and_says_so(
    home: Path, model_cache: Path
) -> None:
    with (
        serving(in_turn(Reply(hold=True))) as server,
        office_with(
            "typesafe",
            server.url,
            home,
            model_cache,
            gate_timeout_seconds=0.3,
            gate_fallback="local",
        ) as office,
    ):
        run = asked(office, QUESTION, PASSAGES)
    for gated in run.gated:
        assert gated.scores is not None
        assert gated.backend.startswith("local-gate/")
        assert gated.backend.endswith(f" (in place of typesafe-gate/jev-latest: {LATE})")
    assert "2 of 2 passages judged by local-gate/" in _gate_notes(run)
    assert f"in place of typesafe-gate/jev-latest: {LATE}" in _gate_notes(run)


@pytest.fixture
def paid(home: Path, model_cache: Path) -> Iterator[tuple[Office, ModelServer]]:
    prices = {"gate_input_price": 2.0, "gate_output_price": 10.0}
    with (
        serving(claude(willing, tokens=1000)) as server,
        office_with("claude", server.url, home, model_cache, **prices) as office,
    ):
        yield office, server


def test_what_was_judged_once_is_rerouted_and_asked_again_without_a_request(
    paid: tuple[Office, ModelServer],
) -> None:
    office, server = paid
    first = asked(office, QUESTION, PASSAGES)
    asked_for = len(server.sent)
    assert asked_for
    assert first.trace.token_usage["gate_requests"] == asked_for
    assert first.trace.token_usage["gate_input_tokens"] == 1000 * asked_for
    assert first.trace.token_usage["gate_output_tokens"] == 50 * asked_for
    assert first.trace.cost_estimate == pytest.approx(asked_for * 0.0025)
    assert first.trace.backend["gate"] == "claude-gate/claude-haiku-5-5"

    strict = GateThresholds(relevant_min=1.0)
    routes = [g.route for g in office.inspector("ada").reroute(first, strict)]
    again = asked(office, QUESTION, PASSAGES)
    assert routes == ["exclude"] * 2
    assert [g.scores for g in again.gated] == [g.scores for g in first.gated]
    assert again.trace.cost_estimate == 0
    assert "gate_requests" not in again.trace.token_usage
    assert len(server.sent) == asked_for
