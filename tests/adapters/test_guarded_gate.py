"""The guard before a remote gate: who is asked, whose answer counts, and what is said."""

from __future__ import annotations

from collections.abc import Sequence

from core.adapters.guarded_gate import GuardedGate
from core.models.evidence import (
    EvidenceCandidate,
    GateAnswer,
    GateNote,
    GateScores,
    GateThresholds,
    TokenUsage,
)
from core.stages.gate import gate as routed
from tests.stages.evidence_builders import a_passage, scores

QUERY = "Why do returns take 60 days?"


class TableGate:
    """Answers by chunk id and remembers what it was shown."""

    def __init__(self, name: str, table: dict[str, GateAnswer]) -> None:
        self.name, self._table = name, table
        self.shown: list[str] = []

    @property
    def fingerprint(self) -> str:
        return self.name

    def score(self, query: str, candidates: Sequence[EvidenceCandidate]) -> tuple[GateAnswer, ...]:
        self.shown += [c.chunk_id for c in candidates]
        return tuple(self._table[c.chunk_id] for c in candidates)


def _said(backend: str, given: GateScores, note: GateNote | None = None) -> GateAnswer:
    return GateAnswer(scores=given, backend=backend, note=note or GateNote())


def _local(**injection: float) -> TableGate:
    """Each chunk's local suspicion; locally nothing is relevant."""
    return TableGate(
        "local/1",
        {
            name: _said("local/1", scores(relevant=0.1, injection=doubt))
            for name, doubt in injection.items()
        },
    )


def _passages(*names: str) -> list[EvidenceCandidate]:
    return [a_passage(name) for name in names]


def test_what_the_local_scan_flags_is_answered_locally_and_never_shown() -> None:
    local, remote = (
        _local(bad=0.9, good=0.1),
        TableGate("far/1", {"good": _said("far/1", scores())}),
    )
    gate = GuardedGate(local, remote, injection_max=0.7)
    bad, good = gate.score(QUERY, _passages("bad", "good"))
    assert remote.shown == ["good"]
    assert bad.scores == scores(relevant=0.1, injection=0.9)
    assert bad.backend == "local/1 (kept from far/1)"
    assert good.backend == "far/1"


def test_the_threshold_of_the_run_decides_what_is_held_back() -> None:
    for limit, shown in ((0.3, []), (0.5, ["c1"]), (0.7, ["c1"])):
        remote = TableGate("far/1", {"c1": _said("far/1", scores())})
        gate = GuardedGate(_local(c1=0.5), remote, injection_max=0.0)
        routed(QUERY, _passages("c1"), gate=gate, thresholds=GateThresholds(injection_max=limit))
        assert remote.shown == shown


def test_the_higher_suspicion_counts() -> None:
    for own, theirs, joined in ((0.5, 0.1, 0.5), (0.1, 0.8, 0.8)):
        remote = TableGate("far/1", {"c1": _said("far/1", scores(injection=theirs))})
        (answer,) = GuardedGate(_local(c1=own), remote, injection_max=0.7).score(
            QUERY, _passages("c1")
        )
        assert answer.scores == scores(injection=joined)


def test_a_passage_the_local_gate_could_not_read_is_not_sent() -> None:
    local = TableGate("local/1", {"c1": GateAnswer(failure="unreadable", backend="local/1")})
    remote = TableGate("far/1", {"c1": _said("far/1", scores())})
    (answer,) = GuardedGate(local, remote, injection_max=0.7).score(QUERY, _passages("c1"))
    assert remote.shown == []
    assert answer.scores is None


def test_local_rules_give_the_premise_where_the_remote_gate_gives_none() -> None:
    own = GateNote(premise="returns take 60 days", counter_quote="Returns take 30 days.")
    local = TableGate("local/1", {"c1": _said("local/1", scores(), own)})
    remote = TableGate("far/1", {"c1": _said("far/1", scores(contradicts=0.9))})
    (answer,) = GuardedGate(local, remote, injection_max=0.7).score(QUERY, _passages("c1"))
    assert (answer.note.premise, answer.note.counter_quote) == (own.premise, own.counter_quote)


def test_the_remote_gates_own_quotes_stand() -> None:
    theirs = GateNote(premise="60 days", counter_quote="30 days")
    own = GateNote(premise="returns take 60 days", counter_quote="Returns take 30 days.")
    local = TableGate("local/1", {"c1": _said("local/1", scores(), own)})
    remote = TableGate("far/1", {"c1": _said("far/1", scores(contradicts=0.9), theirs)})
    (answer,) = GuardedGate(local, remote, injection_max=0.7).score(QUERY, _passages("c1"))
    assert (answer.note.premise, answer.note.counter_quote) == ("60 days", "30 days")


def test_a_denial_nobody_quotes_is_shown_by_the_sentence_nearest_the_question() -> None:
    text = "We are glad you ask. Returns take 30 days at most. Write to us."
    remote = TableGate("far/1", {"c1": _said("far/1", scores(contradicts=0.9))})
    (answer,) = GuardedGate(_local(c1=0.1), remote, injection_max=0.7).score(
        QUERY, [a_passage("c1", text)]
    )
    assert answer.note.counter_quote == "Returns take 30 days at most."


def _failing(reason: str = "no answer within 10 s") -> TableGate:
    spent = TokenUsage(requests=1)
    failed = GateAnswer(failure=reason, backend="far/1", usage=spent)
    return TableGate("far/1", {"c1": failed, "c2": _said("far/1", scores()), "c3": failed})


def test_what_was_not_judged_is_left_out_by_default() -> None:
    gate = GuardedGate(_local(c1=0.1, c2=0.1), _failing(), injection_max=0.7)
    first, second = routed(QUERY, _passages("c1", "c2"), gate=gate, thresholds=GateThresholds())
    assert (first.route, first.rule, first.scores) == ("exclude", "unjudged", None)
    assert first.reason == "could not be judged: no answer within 10 s"
    assert second.route == "include"


def test_what_was_not_judged_may_be_judged_locally_and_says_so() -> None:
    gate = GuardedGate(_local(c1=0.1, c2=0.1), _failing(), injection_max=0.7, fallback="local")
    first, second = gate.score(QUERY, _passages("c1", "c2"))
    assert first.scores == scores(relevant=0.1, injection=0.1)
    assert first.backend == "local/1 (in place of far/1: no answer within 10 s)"
    assert first.usage == TokenUsage(requests=1)
    assert second.backend == "far/1"


def test_a_gate_that_answers_nothing_is_left_alone_for_a_while() -> None:
    now = [100.0]
    remote = _failing()
    gate = GuardedGate(
        _local(c1=0.1, c2=0.1, c3=0.1),
        remote,
        injection_max=0.7,
        rest_seconds=15,
        monotonic=lambda: now[0],
    )
    assert all(a.failure for a in gate.score(QUERY, _passages("c1", "c3")))
    (resting,) = gate.holding_back(0.6).score(QUERY, _passages("c2"))
    assert resting.failure == "no answer within 10 s"
    assert remote.shown == ["c1", "c3"]
    now[0] += 15
    assert gate.score(QUERY, _passages("c2"))[0].scores is not None


def test_one_failure_among_answers_is_no_reason_to_rest() -> None:
    remote = _failing()
    gate = GuardedGate(_local(c1=0.1, c2=0.1), remote, injection_max=0.7, monotonic=lambda: 1.0)
    for _ in range(2):
        gate.score(QUERY, _passages("c1", "c2"))
    assert remote.shown == ["c1", "c2"] * 2
