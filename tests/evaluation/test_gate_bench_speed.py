"""Speed is taken on passages the gate cannot have remembered, loading apart."""

from __future__ import annotations

from core.evaluation.gate_bench_aims import short, speed_aim
from core.evaluation.gate_bench_speed import WORDS, measure_speed, windows
from core.evaluation.gate_bench_table import speed_text
from core.models.evidence import EvidenceCandidate, GateScores
from core.ports import Gate
from core.text.sentences import split_sentences
from tests.fakes.scripted_gate import ScriptedGate

PROSE = [
    " ".join(
        f"Rule {number} of the {thing} says that it may be returned within {number} days."
        for number in range(2, 40)
    )
    for thing in ("kettle", "lamp", "coat")
]


def half(query: str, candidate: EvidenceCandidate) -> GateScores:
    return GateScores(relevant=0.5, evidence=0.5, contradicts=0.5, injection=0.5)


def test_passages_are_whole_sentences_of_about_the_wanted_length() -> None:
    found = windows(PROSE)
    assert len(found) > 5
    for run in found:
        words = sum(len(sentence.split()) + 2 for sentence in run)
        assert WORDS <= words < WORDS + 30
    assert windows([]) == []
    assert windows(["Too short."]) == []


def test_the_gate_is_opened_once_and_what_that_costs_stands_apart() -> None:
    gate = ScriptedGate(half)
    opened: list[Gate] = []

    def open_gate() -> Gate:
        opened.append(gate)
        return gate

    speed = measure_speed(open_gate, PROSE, {3: 2, 5: 1})
    assert len(opened) == 1
    assert [(row.pairs, row.state, row.runs) for row in speed.rows] == [
        (3, "cold", 1),
        (3, "new", 2),
        (3, "again", 2),
        (5, "new", 1),
        (5, "again", 1),
    ]
    assert [len(candidates) for _, candidates in gate.calls] == [3, 3, 3, 3, 3, 5, 5]
    assert speed.memory_peak_mb >= speed.memory_mb > 0


def test_a_new_passage_shares_no_sentence_with_an_earlier_one() -> None:
    gate = ScriptedGate(half)
    measure_speed(lambda: gate, PROSE, {4: 3})
    cold, *pairs = [candidates for _, candidates in gate.calls]
    seen = {span.text for candidate in cold for span in split_sentences(candidate.text)}
    for new, again in zip(pairs[::2], pairs[1::2], strict=True):
        assert new == again
        fresh = {span.text for candidate in new for span in split_sentences(candidate.text)}
        assert not fresh & seen
        seen |= fresh


def test_only_new_passages_have_an_aim_and_it_is_shown_either_way() -> None:
    speed = measure_speed(lambda: ScriptedGate(half), PROSE, {16: 1})
    assert [row.aim is not None for row in speed.rows] == [False, True, False]
    assert "< 300 ms met" in speed_text(speed)
    slow = speed_aim(60, 5_000.0)
    assert slow is not None
    assert (slow.text, slow.met) == ("< 1,200 ms", False)
    assert speed_aim(5, 1.0) is None


def test_a_share_is_written_without_its_zero() -> None:
    assert [short(value) for value in (0.0, 0.934, 1.0)] == [".00", ".93", "1.00"]
    assert short(0.0417, 3) == ".042"
