"""Rules for what is asked to be done are evidence, except where they must not be."""

from __future__ import annotations

from typing import Any

from core.models.evidence import GatedPassage, GateScores
from core.stages.admit_rules import MOST, admit_rules
from tests.stages.drafting_builders import a_candidate, a_request

_SCORES = GateScores(relevant=0.5, evidence=0.2, contradicts=0.02, injection=0.02)


def left_out(text: str, number: int = 1, **more: Any) -> GatedPassage:
    rule = more.pop("rule", "no_evidence")
    candidate = a_candidate(text, chunk_id=f"chunk#{number}", document_id=f"doc-{number}", **more)
    return GatedPassage(
        candidate=candidate, scores=_SCORES, route="exclude", rule=rule, reason="left out"
    )


def routes(message: str, *passages: GatedPassage) -> list[str]:
    return [passage.route for passage in admit_rules(a_request(message), passages)]


RULE = "A booking can be cancelled only until the day before arrival."


def test_the_rule_for_what_is_asked_is_let_in_and_the_rest_stays_out() -> None:
    other = left_out("Breakfast is served from seven.", 2)

    assert routes("Please cancel my booking.", left_out(RULE), other) == ["include", "exclude"]


def test_a_question_lets_nothing_in() -> None:
    assert routes("Can a booking be cancelled?", left_out(RULE)) == ["exclude"]


def test_what_instructs_a_model_a_person_left_out_or_is_not_in_force_stays_out() -> None:
    kept_out = (
        left_out(RULE, 1, rule="injection"),
        left_out(RULE, 2, rule="forced"),
        left_out(RULE, 3, status="superseded"),
    )

    assert routes("Please cancel my booking.", *kept_out) == ["exclude"] * 3


def test_only_a_few_are_let_in() -> None:
    many = [left_out(RULE, number) for number in range(1, MOST + 3)]

    assert routes("Please cancel my booking.", *many).count("include") == MOST
