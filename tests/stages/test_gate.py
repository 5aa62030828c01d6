"""The gate's fixed order, its thresholds, and what a reviewer may overrule."""

from __future__ import annotations

import pytest

from core.models.evidence import EvidenceCandidate, GatedPassage, GateScores, GateThresholds
from core.stages.gate import gate, reroute
from tests.stages.evidence_builders import ScriptedGate, a_passage, scores

EVERYTHING_WRONG = scores(relevant=0.1, evidence=0.1, contradicts=0.99, injection=0.99)


def routed(
    given: GateScores, candidate: EvidenceCandidate | None = None, **forced: set[str]
) -> GatedPassage:
    passage = candidate or a_passage("p")
    scripted = ScriptedGate({passage.chunk_id: given})
    return gate("How long?", [passage], gate=scripted, thresholds=GateThresholds(), **forced)[0]


@pytest.mark.parametrize(
    ("given", "route", "rule"),
    [
        (EVERYTHING_WRONG, "exclude", "injection"),
        (scores(relevant=0.1, evidence=0.1, contradicts=0.9), "conflict", "contradicts"),
        (scores(relevant=0.44, evidence=0.99), "exclude", "not_relevant"),
        (scores(relevant=0.45, evidence=0.55), "exclude", "no_evidence"),
        (scores(relevant=0.45, evidence=0.56), "include", "evidence"),
        (scores(injection=0.70, contradicts=0.60), "include", "evidence"),
    ],
)
def test_the_four_questions_decide_in_a_fixed_order(
    given: GateScores, route: str, rule: str
) -> None:
    decided = routed(given)
    assert (decided.route, decided.rule) == (route, rule)


def test_an_injection_is_excluded_even_when_a_reviewer_forces_it_in() -> None:
    decided = routed(scores(injection=0.95), force_include={"p"})
    assert (decided.route, decided.rule) == ("exclude", "injection")


def test_a_reviewer_may_use_a_passage_the_gate_would_leave_out() -> None:
    decided = routed(scores(relevant=0.0, evidence=0.0), force_include={"p"})
    assert (decided.route, decided.rule) == ("include", "forced")


def test_leaving_out_beats_everything() -> None:
    decided = routed(scores(), force_include={"p"}, force_exclude={"p"})
    assert (decided.route, decided.rule) == ("exclude", "forced")


def test_a_record_needs_no_relevance_but_still_passes_the_injection_test() -> None:
    record = a_passage("r", retrieval_source="record", authority="case_record")
    low = scores(relevant=0.0, evidence=0.0)
    assert routed(low, record).route == "include"
    assert routed(low.model_copy(update={"injection": 0.9}), record).rule == "injection"


def test_rerouting_equals_a_fresh_run_with_the_new_thresholds_and_asks_no_model() -> None:
    table = {
        "a": scores(relevant=0.5, evidence=0.6),
        "b": scores(contradicts=0.6),
        "c": scores(injection=0.6),
        "d": scores(relevant=0.3),
    }
    passages = [a_passage(name) for name in table]
    strict = GateThresholds(
        injection_max=0.5, contradicts_min=0.5, relevant_min=0.2, evidence_min=0.7
    )
    scripted = ScriptedGate(table)
    first = gate("How long?", passages, gate=scripted, thresholds=GateThresholds())
    again = reroute(first, strict)
    assert scripted.asked == 1
    fresh = gate("How long?", passages, gate=scripted, thresholds=strict)
    assert [(p.route, p.rule) for p in again] == [(p.route, p.rule) for p in fresh]
    assert [p.scores for p in again] == [p.scores for p in first]


def test_rerouting_back_restores_the_first_verdict() -> None:
    first = (routed(scores(relevant=0.5, evidence=0.6)),)
    strict = GateThresholds(evidence_min=0.9)
    back = reroute(reroute(first, strict), GateThresholds())
    assert [(p.route, p.rule) for p in back] == [("include", "evidence")]


def test_a_forced_passage_comes_back_when_the_injection_limit_is_loosened() -> None:
    first = (routed(scores(injection=0.8, relevant=0.0), force_include={"p"}),)
    loose = reroute(first, GateThresholds(injection_max=0.9))
    assert (loose[0].route, loose[0].rule) == ("include", "forced")


def test_reasons_are_words_a_reviewer_reads() -> None:
    off = a_passage("p", "Cards come in $25.", source_title="Gift cards", heading_path=("Amounts",))
    low = scores(relevant=0.1)
    scripted = ScriptedGate({"p": low})
    decided = gate("Can I return shoes?", [off], gate=scripted, thresholds=GateThresholds())[0]
    assert decided.reason == "about “Amounts”, not return"
    assert routed(scores(injection=0.9)).reason == "tries to instruct the model"


def test_no_candidates_ask_no_model() -> None:
    scripted = ScriptedGate({})
    assert gate("How long?", [], gate=scripted, thresholds=GateThresholds()) == ()
    assert scripted.asked == 0
