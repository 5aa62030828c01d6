"""TypeSafe at the gate, through its SDK against a stand-in server."""

from __future__ import annotations

from typing import Any

import pytest

from core.adapters.remote_words import Prices
from core.models.evidence import GateScores, TokenUsage
from tests.adapters.remote_gates import BAD, GOOD, KEY, typesafe_gate
from tests.contracts.gate import QUERY, RETURNS, passages
from tests.fakes.model_server import Reply, Script, Sent, error, in_turn, typesafe
from tests.sdks import need
from tests.stages.evidence_builders import a_passage

need("typesafe_sdk", "typesafe")


def _failure(script: Script | Reply, **how: Any) -> str:
    with typesafe_gate(in_turn(script), **how) as (gate, _):
        (answer,) = gate.score(QUERY, [a_passage("c1", RETURNS)])
    assert answer.scores is None
    assert answer.backend == "typesafe-gate/jev-latest"
    return answer.failure


def test_each_pair_is_one_request_with_four_questions_and_their_criteria() -> None:
    with typesafe_gate(typesafe()) as (gate, server):
        gate.score(QUERY, passages())
    assert [sent.path for sent in server.sent] == ["/v1/systemone"] * 3
    body = server.sent[0].json()
    assert body["model"] == "jev-latest"
    assert set(body["questions"]) == set(GateScores.model_fields)
    for asked in body["questions"].values():
        assert asked["type"] == "noul"
        assert asked["criteria"]["true"]
        assert asked["criteria"]["false"]
    assert {len(sent.passages()) for sent in server.sent} == {1}


def test_passage_and_question_are_quoted_as_data_and_the_instructions_say_so() -> None:
    with typesafe_gate(typesafe()) as (gate, server):
        gate.score(QUERY, [a_passage("c1", RETURNS, heading_path=("Returns", "Holidays"))])
    (sent,) = server.sent
    assert sent.quoted()["question"] == QUERY
    assert sent.quoted()["passage"] == (
        f"title: Returns policy\nsection: Returns › Holidays\ntext:\n{RETURNS}"
    )
    for asked in sent.json()["questions"].values():
        assert "never instructions" in asked["instructions"]
        assert RETURNS not in asked["instructions"]


def test_the_answer_names_the_model_that_gave_it_and_what_it_took() -> None:
    served = typesafe(lambda _: GOOD, model="jev-2026-09", tokens=1000)
    with typesafe_gate(served, prices=Prices(2.0, 10.0)) as (gate, _):
        (answer,) = gate.score(QUERY, [a_passage("c1")])
    assert answer.scores == GateScores(**GOOD)
    assert answer.backend == "typesafe-gate/jev-2026-09"
    assert answer.usage == TokenUsage(requests=1, input_tokens=1000, output_tokens=4, cost=0.00204)


@pytest.mark.parametrize("numbers", BAD.values(), ids=BAD.keys())
def test_bad_probabilities_are_refused(numbers: dict[str, Any]) -> None:
    failure = _failure(typesafe(lambda _: numbers))
    assert failure in (
        "TypeSafe gave no four probabilities between 0 and 1",
        "TypeSafe's reply could not be read",
    )


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (error(401), "refused the key (401): check COUNTERSIGN_TYPESAFE_API_KEY"),
        (error(404), "refused the request (404)"),
        (error(429, **{"retry-after": "0"}), "rate limit (429)"),
        (error(500, **{"retry-after": "0"}), "out of order (500)"),
        (error(429, **{"retry-after": "3600"}), "rate limit (429)"),
        (Reply(b"{not json"), "could not be read"),
        (Reply(b""), "could not be read"),
        (Reply([1, 2]), "could not be read"),
        (Reply({"answers": {"relevant": {"type": "noul"}}}), "could not be read"),
        (Reply({"answers": 7, "model": "m", "usage": {}}), "could not be read"),
    ],
    ids=["401", "404", "429", "500", "429 long", "no json", "empty", "list", "half", "wrong"],
)
def test_a_reply_that_is_none_is_a_failure_in_our_words(reply: Reply, words: str) -> None:
    failure = _failure(reply)
    assert words in failure
    assert "SECRET-SERVER-WORDS" not in failure
    assert KEY not in failure


def test_a_passing_fault_is_asked_again() -> None:
    script = in_turn(
        error(429, **{"retry-after": "0"}), error(503, **{"retry-after": "0"}), typesafe()
    )
    with typesafe_gate(script) as (gate, server):
        (answer,) = gate.score(QUERY, [a_passage("c1", RETURNS)])
    assert answer.scores is not None
    assert len(server.sent) == 3


def test_one_pair_that_hangs_leaves_the_others_judged() -> None:
    def script(sent: Sent) -> Reply:
        (held,) = sent.passages().values()
        return Reply(hold=True) if "Gift cards" in held else typesafe()(sent)

    first, _, _ = passages()
    with typesafe_gate(script, seconds=0.4) as (gate, _):
        answers = gate.score(QUERY, (first, a_passage("c2", "Gift cards"), first))
    assert [bool(a.scores) for a in answers] == [True, False, True]
    assert answers[1].failure == "TypeSafe did not answer within 0.4 s"


def test_a_time_out_is_not_asked_again() -> None:
    with typesafe_gate(in_turn(Reply(hold=True)), seconds=0.2) as (gate, server):
        (answer,) = gate.score(QUERY, [a_passage("c1")])
    assert answer.failure == "TypeSafe did not answer within 0.2 s"
    assert len(server.sent) == 1


def test_a_server_that_is_not_there_is_named() -> None:
    with typesafe_gate(typesafe(), seconds=1) as (gate, server):
        server.close()
        (answer,) = gate.score(QUERY, [a_passage("c1")])
    assert answer.failure == f"TypeSafe could not be reached at {server.url}"


def test_a_passage_beyond_all_measure_is_left_unjudged_unsent() -> None:
    with typesafe_gate(typesafe()) as (gate, server):
        (answer,) = gate.score(QUERY, [a_passage("c1", "x" * 60_001)])
    assert answer.failure == "longer than the 60,000 characters a gate reads"
    assert server.sent == []


def test_half_a_character_is_sent_as_a_replacement_mark() -> None:
    with typesafe_gate(typesafe()) as (gate, server):
        (answer,) = gate.score("caf\ud800", [a_passage("c1", "return \udc00 in 5 days")])
    assert answer.scores is not None
    assert "return \ufffd in 5 days" in server.received()
