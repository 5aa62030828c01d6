"""The loop over the demo company: what each round is for, what it brought, and why it ended."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from core.cli import main
from core.models.evidence import EvidenceCandidate, GateAnswer, GateScores, TokenUsage
from core.models.request import Turn, UserRequest
from core.models.round_words import LOOP_ENDS, STRATEGIES
from core.models.trace import PipelineRun
from core.pipeline import answer
from core.pipeline_tools import Limits, Options, Tools, never
from core.wiring import Office
from tests.company import ask
from tests.fakes.scripted_gate import ScriptedGate

SLANG = "How high may a GWC be?"
"""Colleagues say GWC; the handbook says goodwill credit, the desk glossary that it is the same."""
HOPELESS = "Which of your founders speaks Finnish?"


class HandStopwatch:
    """Seconds that pass only when somebody moves the hand."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


class WatchedGate:
    """The gate of the house; tells ``on_call`` and remembers each pair it was asked."""

    def __init__(self, tools: Tools, on_call: Callable[[], None] = lambda: None) -> None:
        self._gate, self._on_call = tools.gate, on_call
        self.pairs: list[tuple[str, str]] = []

    @property
    def name(self) -> str:
        return self._gate.name

    def score(self, query: str, candidates: Sequence[EvidenceCandidate]) -> tuple[GateAnswer, ...]:
        self._on_call()
        self.pairs += [(query, c.chunk_id) for c in candidates]
        return self._gate.score(query, candidates)


def nothing_found(_query: str, _candidate: EvidenceCandidate) -> GateScores:
    return GateScores(relevant=0.1, evidence=0.1, contradicts=0.0, injection=0.0)


def run(
    office: Office,
    question: str,
    *,
    user: str = "ana",
    cancelled: Callable[[], bool] = never,
    options: Options | None = None,
    **changes: object,
) -> PipelineRun:
    """One run under ``user``'s rights with some tools exchanged."""
    tools = replace(office.tools, **changes)  # type: ignore[arg-type]
    request = UserRequest(
        request_id=office.ids.new("req"),
        tenant_id=office.settings.tenant,
        user_id=user,
        raw_query=question,
    )
    return answer(request, tools, options, cancelled=cancelled)


def test_every_round_says_what_it_was_for_and_what_it_brought(office: Office) -> None:
    first, second = ask(office, SLANG, as_user="ana").trace.rounds
    assert (first.rewrite, first.gap_filled, first.covered) == (None, None, ())
    assert second.rewrite is not None
    assert second.rewrite.gap == "D1"
    assert "goodwill credit" in second.query
    assert (second.gap_filled, second.covered) == (True, ("D1",))
    assert second.new_evidence_ids
    assert first.ms > 0 < second.ms


def test_a_glossary_carries_a_question_to_the_words_of_the_policy(office: Office) -> None:
    done = ask(office, SLANG, as_user="ana")
    assert done.trace.loop_end == "enough"
    assert done.answer.status == "answered"
    assert "$25" in done.answer.answer_markdown
    assert done.plan is not None
    assert any("GWC = goodwill credit" in note for note in done.plan.reasoning_notes)


def test_a_word_from_a_paper_one_may_not_see_stays_out_of_ones_trace(office: Office) -> None:
    done = ask(office, SLANG, as_user="guest")
    assert "goodwill" not in done.model_dump_json()
    assert done.answer.status == "insufficient_evidence"


def test_a_glossary_lends_words_and_answers_only_what_a_word_means(office: Office) -> None:
    done = ask(office, "Is a DOA coat sent back?", as_user="ana")
    assert "glossary-1.0" not in {g.candidate.document_id for g in done.gated}


def test_a_hopeless_question_does_not_cost_all_rounds(office: Office) -> None:
    done = ask(office, HOPELESS, as_user="ana")
    assert done.trace.loop_end in ("nothing_new", "nothing_left_to_try")
    assert 1 < len(done.trace.rounds) < office.tools.limits.max_rounds


def test_the_loop_ends_with_its_rounds(office: Office) -> None:
    limits = Limits(max_rounds=2)
    done = run(office, HOPELESS, limits=limits)
    assert (done.trace.loop_end, len(done.trace.rounds)) == ("rounds_spent", 2)


def test_no_round_begins_once_the_time_is_spent(office: Office) -> None:
    watch = HandStopwatch()

    def slow() -> None:
        watch.seconds += 3.0

    gate, limits = WatchedGate(office.tools, slow), Limits(round_time_ms=2_500)
    done = run(office, HOPELESS, gate=gate, stopwatch=watch, limits=limits)
    assert (done.trace.loop_end, len(done.trace.rounds)) == ("time_spent", 1)
    assert done.trace.rounds[0].ms == 3_000
    patient = run(office, HOPELESS, gate=gate, stopwatch=watch, limits=Limits(round_time_ms=1e6))
    assert len(patient.trace.rounds) > 1


class DearGate(ScriptedGate):
    """Finds nothing, for a price."""

    def score(self, query: str, candidates: Sequence[EvidenceCandidate]) -> tuple[GateAnswer, ...]:
        found = super().score(query, candidates)
        bill = TokenUsage(requests=1, cost=0.2)
        return tuple(a.model_copy(update={"usage": bill}) for a in found[:1]) + found[1:]


def test_no_round_begins_once_the_money_is_spent(office: Office) -> None:
    gate = DearGate(nothing_found)
    done = run(office, HOPELESS, gate=gate, limits=Limits(round_cost=0.1))
    assert (done.trace.loop_end, len(done.trace.rounds)) == ("cost_spent", 1)
    assert done.trace.cost_estimate == 0.2
    assert len(run(office, HOPELESS, gate=gate, limits=Limits()).trace.rounds) == 2


def test_a_wording_is_held_against_a_passage_once_in_a_run(office: Office) -> None:
    gate = WatchedGate(office.tools)
    done = run(office, "Who has to be told about an ATO, and how long does a DSAR take?", gate=gate)
    assert len(done.trace.rounds) > 1
    assert len(set(gate.pairs)) == len(gate.pairs)


def test_supplied_passages_are_all_there_is(office: Office) -> None:
    one = run(office, "How much is two-day shipping?").gated[0].candidate
    supplied = Options(supplied=(one.model_copy(update={"text": "Coats are warm."}),))
    done = run(office, "How much is two-day shipping?", options=supplied)
    assert (done.trace.loop_end, len(done.trace.rounds)) == ("nothing_left_to_try", 1)


def test_what_is_asked_back_is_not_searched_for(office: Office) -> None:
    done = ask(office, "It does not work. Can you fix it?", as_user="ana")
    assert (done.trace.loop_end, done.trace.rounds) == ("nothing_to_search", ())


def test_a_contradiction_about_one_part_does_not_end_the_search_for_another(
    office: Office,
) -> None:
    question = "How long can I return a holiday purchase, and which founder speaks Finnish?"
    done = ask(office, question, as_user="ana")
    assert done.judgement is not None
    assert {c.dimension for c in done.judgement.contradictions} == {"D1"}
    assert next(r.rewrite.gap for r in done.trace.rounds if r.rewrite) == "D2"


def test_a_broken_part_ends_the_loop_in_words(office: Office) -> None:
    def explode() -> None:
        raise RuntimeError("the model fell over")

    done = run(office, HOPELESS, gate=WatchedGate(office.tools, explode))
    assert done.trace.loop_end == "failed"


# ---- stopping a run ---------------------------------------------------------------------------


@pytest.mark.parametrize("calls", [0, 1, 2])
def test_a_cancelled_run_ends_safely_and_leaves_its_trace(office: Office, calls: int) -> None:
    asked: list[None] = []
    gate = WatchedGate(office.tools, lambda: asked.append(None))
    done = run(office, HOPELESS, gate=gate, cancelled=lambda: len(asked) >= calls)
    stored = office.runs.run(done.trace.trace_id)
    assert stored == done
    assert done.trace.loop_end == "cancelled"
    assert done.trace.failure.startswith("stopped by request before the stage")
    assert done.answer.status == "escalated"
    assert (done.claims, done.answer.citations, done.compliance) == ((), (), None)
    assert len(asked) == calls


def test_a_run_that_is_let_be_is_the_same_run(office: Office) -> None:
    let_be = run(office, SLANG, cancelled=lambda: False)
    assert let_be.answer == run(office, SLANG).answer


def test_ctrl_c_ends_a_question_with_a_stored_trace(
    home: Path,
    model_cache: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from core.adapters.local_gate import LocalGate

    monkeypatch.setenv("COUNTERSIGN_MODEL_CACHE", str(model_cache))
    real = LocalGate.score

    def interrupted(self: LocalGate, *pair: object) -> tuple[GateAnswer, ...]:
        signal.raise_signal(signal.SIGINT)
        return real(self, *pair)  # type: ignore[arg-type]

    monkeypatch.setattr(LocalGate, "score", interrupted)
    before = signal.getsignal(signal.SIGINT)
    code = main(["--home", str(home), "ask", HOPELESS, "--as", "ana", "--json"])
    out = capsys.readouterr()
    told = json.loads(out.out)
    assert code == 130
    assert told["loop_end"] == "cancelled"
    assert f"stopped. The trace {told['trace_id']} is stored" in out.err
    assert signal.getsignal(signal.SIGINT) == before


def test_ctrl_c_during_a_batch_finishes_no_further_line(
    home: Path,
    model_cache: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from core.adapters.local_gate import LocalGate

    monkeypatch.setenv("COUNTERSIGN_MODEL_CACHE", str(model_cache))
    real = LocalGate.score

    def interrupted(self: LocalGate, *pair: object) -> tuple[GateAnswer, ...]:
        signal.raise_signal(signal.SIGINT)
        return real(self, *pair)  # type: ignore[arg-type]

    monkeypatch.setattr(LocalGate, "score", interrupted)
    batch = tmp_path / "batch.jsonl"
    batch.write_text("".join(json.dumps({"id": n, "query": HOPELESS}) + "\n" for n in range(3)))
    assert main(["--home", str(home), "ask", "--batch", str(batch), "--as", "ana"]) == 130
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["loop_end"] == "cancelled"


def test_the_terminal_shows_one_line_a_round(
    home: Path,
    model_cache: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COUNTERSIGN_MODEL_CACHE", str(model_cache))
    assert main(["--home", str(home), "ask", SLANG, "--as", "ana"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Round ")]
    assert [line[:8] for line in lines] == ["Round 1:", "Round 2:"]
    assert STRATEGIES["SWITCH_KEYWORD_SYNONYM"] in lines[1]
    assert "the gap is filled" in lines[1]


def test_every_end_and_every_strategy_has_words() -> None:
    from typing import get_args

    from core.models.plan import RewriteStrategy
    from core.models.trace import LoopEnd

    assert set(LOOP_ENDS) == set(get_args(LoopEnd))
    assert set(STRATEGIES) == set(get_args(RewriteStrategy))


@pytest.mark.parametrize(
    "question", ["How long can I return a coat?", "Can I return a lamp I bought three days ago?"]
)
def test_a_thing_without_a_rule_of_its_own_is_answered_by_the_rule_for_items(
    office: Office, question: str
) -> None:
    """The gate of the house, which finds no answer of coats in a rule for items."""
    done = run(office, question)
    assert done.answer.status == "answered"
    assert "within 30 days" in done.answer.answer_markdown
    assert {c.source_id for c in done.answer.citations} == {"returns-policy"}


def test_a_thing_with_a_rule_of_its_own_keeps_it(office: Office) -> None:
    gate = WatchedGate(office.tools)
    done = run(office, "How long is the warranty on a toaster?", gate=gate)
    assert done.answer.status == "answered"
    assert not [query for query, _ in gate.pairs if "an item" in query]


def test_a_bare_follow_up_is_read_with_the_question_before_it(office: Office) -> None:
    one = run(office, "How much is two-day shipping?").gated[0].candidate
    said = "How much is two-day shipping?"

    def by_subject(query: str, _candidate: EvidenceCandidate) -> GateScores:
        on = 0.9 if said in query else 0.1
        return GateScores(relevant=on, evidence=0.1, contradicts=0.0, injection=0.0)

    request = UserRequest(
        request_id=office.ids.new("req"),
        tenant_id=office.settings.tenant,
        user_id="ana",
        raw_query="And why is that so dear?",
        history=(Turn(role="customer", text=said), Turn(role="agent", text="$12.95.")),
    )
    tools = replace(office.tools, gate=ScriptedGate(by_subject))
    done = answer(request, tools, Options(supplied=(one,)))
    assert [g.rule for g in done.gated] == ["no_evidence"]
    assert done.answer.status == "insufficient_evidence"
