"""What a run says where its gate did not judge."""

from __future__ import annotations

from core.models.evidence import GateAnswer, GateThresholds, TokenUsage
from core.models.gate_words import route_words, unjudged_words
from core.pipeline_tools import MeteredGate
from core.stages.gate import gate
from tests.stages.evidence_builders import a_passage, scores

SLOW = "TypeSafe did not answer within 10 s"
GOOD = GateAnswer(scores=scores(), backend="far/1", usage=TokenUsage(requests=1, input_tokens=7))


class Told:
    """A gate that gives the answers it was told to give."""

    name = "told"

    def __init__(self, *answers: GateAnswer) -> None:
        self._answers = answers

    def score(self, query: str, candidates: object) -> tuple[GateAnswer, ...]:
        return self._answers


def _failed(why: str = SLOW) -> GateAnswer:
    return GateAnswer(failure=why, backend="far/1", usage=TokenUsage(requests=1))


def _gated(*answers: GateAnswer):  # type: ignore[no-untyped-def]
    passages = [a_passage(f"c{n}") for n in range(len(answers))]
    return gate("q", passages, gate=Told(*answers), thresholds=GateThresholds())


def test_a_gate_that_judged_everything_has_nothing_to_say() -> None:
    assert unjudged_words(_gated(GOOD, GOOD)) == ()
    assert route_words(_gated(GOOD, GOOD)) == "2 include, 0 conflict, 0 exclude"
    assert unjudged_words(()) == ()


def test_the_share_and_the_reason_are_said() -> None:
    assert unjudged_words(_gated(GOOD, _failed(), _failed())) == (
        f"2 of 3 passages could not be judged: {SLOW}",
    )


def test_several_reasons_are_counted_and_the_commonest_leads() -> None:
    gated = _gated(_failed("b"), _failed("a"), _failed("a"), _failed("c"))
    assert unjudged_words(gated) == (
        "4 of 4 passages could not be judged: a (2); b (1); and other reasons",
    )


def test_a_passage_another_gate_judged_is_said_too() -> None:
    stand_in = GOOD.model_copy(update={"backend": f"local/1 (in place of far/1: {SLOW})"})
    assert route_words(_gated(GOOD, stand_in)) == (
        "2 include, 0 conflict, 0 exclude; "
        f"1 of 2 passages judged by local/1 in place of far/1: {SLOW}"
    )


def test_a_run_counts_what_its_gate_took() -> None:
    metered = MeteredGate(Told(GOOD, _failed()))
    assert metered.tokens() == {}
    metered.score("q", [a_passage("c1"), a_passage("c2")])
    metered.score("q", [a_passage("c1"), a_passage("c2")])
    assert metered.tokens() == {"gate_requests": 4, "gate_input_tokens": 14}
