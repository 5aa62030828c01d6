"""What a draft shows of sources that disagree, and of a name that stands for two things."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.models.draft import GroundedAnswer
from core.models.evidence import EvidencePackage
from core.ports import ClaimVerdict
from core.stages.adjudicate import adjudicate
from core.stages.draft import draft
from core.stages.judge import judge
from core.stages.validate import validate
from core.text.conflicts import provenance
from tests.stages.drafting_builders import (
    a_normalized,
    a_package,
    a_plan,
    a_request,
    an_evidence,
)

QUESTION = "How many days do I have to return an engraved watch?"
SHOP = "An engraved watch can be returned within 14 days of delivery."
WEB = "An engraved watch can be returned within 21 days of delivery."
BROKEN_BOW = "What is the population of Broken Bow?"
NEBRASKA = (
    "Broken Bow, Nebraska Broken Bow is a city in Custer County. "
    "The population of Broken Bow was 3,559 people at the last census."
)
OKLAHOMA = (
    "Broken Bow, Oklahoma Broken Bow is a town in McCurtain County. "
    "The population of Broken Bow was 4,120 people at the last census."
)


class NeverAsked:
    """A checker nobody needs: a quotation is held against its source word for word."""

    name = "never"

    def check(self, claim: str, evidence: Sequence[tuple[str, str]]) -> ClaimVerdict:
        raise AssertionError(f"checked: {claim}")


def written(question: str, package: EvidencePackage, **more: Any) -> GroundedAnswer:
    plan = a_plan(question)
    judgement = judge(plan, package)
    resolutions = adjudicate(judgement, package, plan)
    request = a_request(question, **({"output_form": "chat_reply"} | more))
    return draft(request, a_normalized(question), plan, package, judgement, resolutions)


def two_sources(*, authority: str = "official_policy") -> EvidencePackage:
    return a_package(
        an_evidence(SHOP, 1, source_title="Engraving in stores", authority=authority),
        an_evidence(WEB, 2, source_title="Engraving online", authority=authority),
    )


def test_who_asks_in_a_chat_reads_both_values_under_their_sources() -> None:
    answer = written(QUESTION, two_sources())
    assert answer.status == "conflicting_evidence"
    assert answer.confidence == "low"
    assert f"According to “Engraving in stores, version 4.2”: “{SHOP}”" in answer.answer_markdown
    assert f"According to “Engraving online, version 4.2”: “{WEB}”" in answer.answer_markdown
    assert {c.quote for c in answer.citations} == {SHOP, WEB}
    assert answer.conflicts[0].value_kind == "number"


def test_a_customer_is_told_neither_value() -> None:
    for more in ({"case_id": "9001"}, {"output_form": "email"}):
        answer = written(QUESTION, two_sources(), **more)
        assert answer.status == "conflicting_evidence"
        assert "14" not in answer.answer_markdown
        assert "21" not in answer.answer_markdown
        assert any("Which one holds today?" in line for line in answer.missing_information)


def test_the_lone_voice_is_marked_but_nobody_wins_by_number() -> None:
    package = a_package(
        an_evidence(SHOP, 1, source_title="Shops"),
        an_evidence(WEB, 2, source_title="Web"),
        an_evidence("For engraved watches the return period is 21 days.", 3, source_title="Mail"),
    )
    answer = written(QUESTION, package)
    assert answer.status == "conflicting_evidence"
    assert f"Only “Shops, version 4.2” says: “{SHOP}”" in answer.answer_markdown
    assert "“Web, version 4.2” and 1 more" in answer.answer_markdown


def test_no_quotation_of_an_open_conflict_counts_as_verified() -> None:
    package = two_sources()
    plan = a_plan(QUESTION)
    resolutions = adjudicate(judge(plan, package), package, plan)
    answer = written(QUESTION, package)
    claims = validate(
        answer.answer_markdown, package, checker=NeverAsked(), resolutions=resolutions
    )
    assert [c.support_status for c in claims] == ["unclear", "unclear"]
    assert all("nobody has decided" in c.reasons[0] for c in claims)


def test_a_quotation_under_another_source_s_name_is_not_supported() -> None:
    package = a_package(an_evidence(SHOP, 1, source_title="Shops"))
    name = provenance(package.selected_evidence[0], "en")
    for text, status in (
        (f"According to “{name}”: “{SHOP}” [#EVID-0001]", "supported"),
        (f"According to “The law”: “{SHOP}” [#EVID-0001]", "unsupported"),
        (f"According to “{name}”: “{WEB}” [#EVID-0001]", "unsupported"),
        (f"About “engraved watch”: “{SHOP}” [#EVID-0001]", "supported"),
        (f"About “the golden clock”: “{SHOP}” [#EVID-0001]", "unsupported"),
    ):
        (claim,) = validate(text, package, checker=NeverAsked())
        assert claim.support_status == status, text


def test_two_things_of_one_name_are_answered_each_under_its_own() -> None:
    package = a_package(
        an_evidence(NEBRASKA, 1, authority="faq", source_title="Almanac"),
        an_evidence(OKLAHOMA, 2, authority="faq", source_title="Gazetteer"),
    )
    answer = written(BROKEN_BOW, package)
    assert answer.status == "answered"
    assert "Several things go by this name: “Broken Bow”." in answer.answer_markdown
    assert "About “Broken Bow, Nebraska”: “The population of" in answer.answer_markdown
    assert "About “Broken Bow, Oklahoma”: “The population of" in answer.answer_markdown
    assert answer.conflicts == ()
    assert answer.follow_up_question == (
        "Which one do you mean: Broken Bow, Nebraska or Broken Bow, Oklahoma?"
    )


def test_a_customer_is_asked_which_thing_is_meant() -> None:
    package = a_package(
        an_evidence("The battery warranty is 12 months.", 1, product="Aqua 1"),
        an_evidence("The battery warranty is 24 months.", 2, product="Aqua 2"),
    )
    answer = written("How long is the battery warranty?", package, case_id="9001")
    assert answer.status == "needs_clarification"
    assert answer.follow_up_question == "Which one do you mean: Aqua 1 or Aqua 2?"
    assert "months" not in answer.answer_markdown


def test_an_unsigned_source_never_makes_the_reading_of_an_official_one_disputed() -> None:
    package = a_package(
        an_evidence(SHOP, 1, source_title="Policy"),
        an_evidence(WEB, 2, source_title="Forum", authority="community_forum", signed=False),
    )
    answer = written(QUESTION, package)
    assert answer.status == "answered"
    assert "14 days" in answer.answer_markdown
    assert "21 days" not in answer.answer_markdown
