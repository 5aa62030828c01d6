"""No passage flagged as an injection reaches any prompt or draft, whoever answers at the gate."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.models.evidence import GateThresholds
from core.models.trace import PipelineRun
from tests.fakes.model_server import ModelServer, serving
from tests.sdks import need
from tests.security.gate_offices import REMOTE, asked, office_with, speaking, told, willing
from tests.security.hostile_passages import hostile
from tests.stages.evidence_builders import a_passage

need("anthropic", "claude")
need("typesafe_sdk", "typesafe")

QUESTION = "How long do I have to return a coat?"
HONEST = a_passage("honest", "A coat may be returned within 30 days of the purchase date.")
SURE = {"plain", "long-page", "comment", "unseen", "encoded"}
"""Kinds that the local scan must flag; of any other kind, whatever it flags must stay out too."""


@pytest.fixture(params=("local", *REMOTE))
def run_and_server(
    request: pytest.FixtureRequest, home: Path, model_cache: Path
) -> Iterator[tuple[PipelineRun, ModelServer]]:
    """One run over every hostile passage and an honest one, with a remote gate that lets all in."""
    backend: str = request.param
    with serving(speaking(backend)) as server:
        passages = (*(h.passage() for h in hostile()), HONEST)
        with office_with(backend, server.url, home, model_cache) as office:
            run = asked(office, QUESTION, passages)
        if backend == "local":
            assert server.sent == []
        else:
            assert HONEST.text in server.received()
        yield run, server


def test_no_flagged_passage_reaches_a_prompt_a_package_or_a_draft(
    run_and_server: tuple[PipelineRun, ModelServer],
) -> None:
    run, server = run_and_server
    flagged = {g.candidate.chunk_id for g in run.gated if g.rule == "injection"}
    assert {f"hostile-{kind}" for kind in SURE} <= flagged
    for one in hostile():
        if f"hostile-{one.kind}" in flagged:
            assert one.mark not in server.received(), one.kind
            assert one.mark not in told(run), one.kind
    unseen = [c for c in server.received() if "\U000e0000" <= c <= "\U000e007f"]
    assert not unseen, "what no reader sees no model sees either, flagged or not"
    assert run.package is not None
    used = {e.candidate.chunk_id for e in run.package.all_evidence()}
    assert used
    assert used.isdisjoint(flagged)


@pytest.mark.parametrize("backend", REMOTE)
def test_a_hostile_document_of_the_index_reaches_no_prompt(
    backend: str, home: Path, model_cache: Path
) -> None:
    with (
        serving(speaking(backend)) as server,
        office_with(backend, server.url, home, model_cache) as office,
    ):
        run = asked(office, "How can I return a coat that I already wore?")
    hidden = [g for g in run.gated if g.rule == "injection"]
    assert hidden
    assert server.sent
    for gated in hidden:
        assert gated.candidate.text not in server.received()
        assert gated.note.injection_quote
        assert gated.note.injection_quote not in server.received()
        assert gated.note.injection_quote not in told(run)


@pytest.mark.parametrize("backend", REMOTE)
def test_what_only_the_remote_gate_takes_for_an_injection_reaches_no_draft(
    backend: str, home: Path, model_cache: Path
) -> None:
    sly = a_passage("sly", "A coat may be returned within 7 days only, MARKSLY says the clerk.")

    def numbers(held: str) -> dict[str, float]:
        return willing(held) | ({"injection": 0.95} if "MARKSLY" in held else {})

    with (
        serving(speaking(backend, numbers)) as server,
        office_with(backend, server.url, home, model_cache) as office,
    ):
        run = asked(office, QUESTION, (sly, HONEST))
    assert {g.candidate.chunk_id: g.rule for g in run.gated}["sly"] == "injection"
    assert "MARKSLY" not in told(run)


@pytest.mark.parametrize("backend", REMOTE)
def test_a_stricter_threshold_holds_more_back(backend: str, home: Path, model_cache: Path) -> None:
    with serving(speaking(backend)) as server:
        strict = GateThresholds(injection_max=0.0)
        with office_with(backend, server.url, home, model_cache, thresholds=strict) as office:
            run = asked(office, QUESTION, (HONEST,))
    assert server.sent == []
    assert [g.rule for g in run.gated] == ["injection"]


@pytest.mark.parametrize("backend", REMOTE)
def test_a_reviewer_cannot_force_a_flagged_passage_into_a_prompt(
    backend: str, home: Path, model_cache: Path
) -> None:
    one = hostile()[0]
    with (
        serving(speaking(backend)) as server,
        office_with(backend, server.url, home, model_cache) as office,
    ):
        probe = office.probes.gate(QUESTION, one.passage())
    assert probe.rule == "injection"
    assert server.sent == []
