"""What the desk shows: words tied to rules, cards, left-out passages, what would change."""

from __future__ import annotations

from datetime import date

import pytest

from core.errors import NotAllowed
from core.models.evidence import Evidence
from core.review.cards import evidence_cards
from tests.fakes.scripted_copilot import (
    EVIDENCE,
    FAQ,
    POLICY,
    WINDOW,
    faq_conflict,
    gated,
    stale,
)
from tests.review.builders import Bureau, a_case


def _policy(**changes: object) -> tuple[Evidence, ...]:
    changed = gated(POLICY.model_copy(update=changes))
    return (Evidence(evidence_id="EVID-0001", gated=changed), EVIDENCE[1])


def test_evidence_is_labelled_with_quotes_and_trust_in_words(bureau: Bureau) -> None:
    policy, record = bureau.desk().open("1042").evidence

    assert (policy.label, policy.title, policy.section) == (
        "E1",
        "Return policy",
        "Holiday returns",
    )
    assert policy.quotes == ("within 45 days of the purchase",)
    assert policy.trust == ("quote found", "official policy", "reviewed 12 days ago")
    assert (record.label, record.is_record) == ("R1", True)
    assert record.trust == ("quote found", "from our records")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"last_reviewed": date(2026, 8, 20)}, "past its review date by 12 days"),
        ({"last_reviewed": date(2026, 8, 31)}, "past its review date by 1 day"),
        ({"last_reviewed": date(2026, 11, 29)}, "reviewed yesterday"),
        ({"last_reviewed": date(2026, 11, 30)}, "reviewed today"),
        ({"last_reviewed": None}, "never reviewed"),
        ({"authority": "approved_procedure"}, "approved procedure"),
        ({"authority": "faq", "signed": False}, "unsigned FAQ"),
        ({"permission_tag": "INTERNAL_ONLY"}, "internal: never quoted to customers"),
        ({"scope_note": "online only"}, "special case: online only"),
        (
            {"status": "superseded", "valid_to": date(2025, 6, 1)},
            "superseded version, valid before 1 June 2025",
        ),
    ],
)
def test_every_trust_word_comes_from_a_rule(
    bureau: Bureau, changes: dict[str, object], words: str
) -> None:
    bureau.copilot.evidence = _policy(**changes)

    assert words in bureau.desk().open("1042").evidence[0].trust


def test_no_trust_word_is_a_percentage(bureau: Bureau) -> None:
    for name, value in faq_conflict().items():
        setattr(bureau.copilot, name, value)
    view = bureau.desk().open("1042")

    words = [*(w for card in view.evidence for w in card.trust), *(c.label for c in view.checks)]
    assert words
    assert not any("%" in word or "0." in word for word in words)


def test_two_sources_that_bear_one_sentence_agree(bureau: Bureau) -> None:
    desk = bureau.desk()
    view = desk.open("1042")
    assert view.draft is not None
    assert view.run is not None
    guide = POLICY.model_copy(update={"chunk_id": "g#1", "source_id": "guide", "document_id": "g"})
    second = Evidence(evidence_id="EVID-0009", gated=gated(guide))
    assert view.run.package is not None
    package = view.run.package.model_copy(update={"selected_evidence": (*EVIDENCE, second)})
    run = view.run.model_copy(update={"package": package})
    claim = view.draft.claims[0]
    span = claim.spans[0].model_copy(update={"evidence_id": "EVID-0009"})
    draft = view.draft.model_copy(
        update={"claims": (claim.model_copy(update={"spans": (*claim.spans, span)}),)}
    )

    cards = {c.evidence_id: c for c in evidence_cards(run, draft, today=date(2026, 11, 30))}
    assert "two sources agree" in cards["EVID-0001"].trust
    assert "two sources agree" in cards["EVID-0009"].trust
    assert not any("agree" in word for word in cards["EVID-0002"].trust)


def test_a_conflict_shows_both_sides_the_rule_and_the_questions(bureau: Bureau) -> None:
    for name, value in faq_conflict().items():
        setattr(bureau.copilot, name, value)

    (card,) = bureau.desk().open("1042").conflicts

    assert (card.quote_a, card.quote_b) == ("within 45 days", "60 days to return")
    assert (card.title_a, card.title_b) == ("Return policy › Holiday returns", "Holiday FAQ")
    assert card.steps == ("authority: official policy > unsigned FAQ",)
    assert card.questions == ("Does the FAQ still hold?",)
    assert not card.opened


def test_a_conflict_the_draft_keeps_silent_about_is_shown_all_the_same(bureau: Bureau) -> None:
    told = faq_conflict()
    bureau.copilot.conflicting = told["conflicting"]  # type: ignore[assignment]
    bureau.copilot.resolutions = told["resolutions"]  # type: ignore[assignment]

    (card,) = bureau.desk().open("1042").conflicts

    assert card.conflict.winner_evidence_id == "EVID-0001"
    assert not bureau.desk().view("1042").can_approve


def test_left_out_passages_say_why_and_an_instruction_can_never_come_back(bureau: Bureau) -> None:
    cards, trap = bureau.desk().open("1042").left_out

    assert (cards.reason, cards.can_use) == ("about refund cards", True)
    assert (trap.reason, trap.can_use) == ("tries to instruct the model", False)


def test_what_would_change_names_every_source_and_its_end(bureau: Bureau) -> None:
    bureau.copilot.evidence = _policy(valid_to=date(2027, 3, 1))

    assert bureau.desk().open("1042").what_would_change == (
        "An edit or withdrawal of “Return policy” (version 4.2); it holds until 1 March 2027",
        "A change of the record “Orders”",
    )


def test_case_facts_come_from_the_case_itself(bureau: Bureau) -> None:
    assert bureau.desk().view("1042").case_facts == (
        "order: A-10293",
        "membership: Silver",
        "29 Nov 2026: called",
        "missing: photo received",
    )


def test_a_question_the_run_would_ask_is_offered(bureau: Bureau) -> None:
    bureau.copilot.question = "Which size is the coat?"

    assert bureau.desk().open("1042").suggested_question == "Which size is the coat?"


def test_freshness_is_shown_for_what_the_text_leans_on_only(bureau: Bureau) -> None:
    bureau.copilot.freshness = (stale(POLICY), stale(FAQ, "EVID-0003"))

    view = bureau.desk().open("1042")

    assert [w.title for w in view.freshness] == ["Return policy"]
    assert [c.kind for c in view.checks].count("stale") == 1


def test_a_plain_case_of_low_risk_asks_for_nothing_to_be_opened(bureau: Bureau) -> None:
    view = bureau.desk().open("1042")

    assert [c.kind for c in view.checks] == ["claim", "compliance"]
    assert all(check.done for check in view.checks)
    assert view.can_approve
    assert view.checks[0].label == "2 verified · 0 open"


def test_the_ledger_and_the_trace_come_as_json_with_the_contracts_keys(bureau: Bureau) -> None:
    desk = bureau.desk()
    desk.open("1042")

    assert '"answer_quality_metrics"' in desk.ledger_json("1042")
    assert '"index_versions"' in desk.trace_json("1042")


def test_the_queue_puts_risk_first_then_the_longest_waiting(bureau: Bureau) -> None:
    early = a_case("old", opened_at=a_case().opened_at.replace(hour=5), messages=())
    bureau.take_in(early, a_case("high", risk="high"), a_case("mid", risk="medium"))
    desk = bureau.desk()
    assert [row.case_id for row in desk.queue()] == ["high", "mid", "old", "1042"]

    desk.open("mid")
    for name, value in faq_conflict().items():
        setattr(bureau.copilot, name, value)
    desk.open("high")

    rows = {row.case_id: row for row in bureau.desk("ben").queue()}
    assert (rows["mid"].held_by, rows["mid"].mine) == ("Ana Ruiz", False)
    assert (rows["mid"].warning, rows["high"].warning) == ("", "conflict")
    assert [row.case_id for row in desk.queue(risk="high")] == ["high"]
    assert [row.case_id for row in desk.queue(channel="slack")] == []
    assert [row.case_id for row in desk.queue(search="#high")] == ["high"]
    assert [row.case_id for row in desk.queue(search="lindqvist COAT")] != []
    assert [row.case_id for row in desk.queue(states=("sent",))] == []
    assert desk.counts().model_dump() == {"mine": 2, "open": 4, "back": 0}


def test_a_passage_can_be_used_after_all_and_stays_used(bureau: Bureau) -> None:
    desk = bureau.desk()
    desk.open("1042")

    desk.use_left_out("1042", chunk_id="cards#3", reason="she paid by card")
    desk.redraft("1042")
    desk.not_this_one("1042", chunk_id="cards#3", reason="wrong after all")

    assert [(i, e) for _, i, e in bureau.copilot.drafted] == [
        ((), ()),
        (("cards#3",), ()),
        (("cards#3",), ()),
        ((), ("cards#3",)),
    ]
    assert [k for k in bureau.kinds() if k.startswith(("case.source", "source"))] == [
        "case.source_used",
        "case.source_left_out",
        "source.flagged",
    ]


def test_an_instruction_to_the_model_cannot_be_forced_in(bureau: Bureau) -> None:
    desk = bureau.desk()
    desk.open("1042")

    with pytest.raises(NotAllowed, match="instruct the model"):
        desk.use_left_out("1042", chunk_id="forum#9", reason="looks fine to me")
    assert len(bureau.copilot.drafted) == 1


def test_a_flag_opens_work_for_the_owner_without_touching_the_draft(bureau: Bureau) -> None:
    desk = bureau.desk()
    view = desk.open("1042")

    flag = desk.flag("1042", chunk_id=POLICY.chunk_id, claim=WINDOW, reason="unclear wording")

    assert (flag.source_id, flag.claim, flag.state) == ("returns-policy", WINDOW, "open")
    with bureau.store.read() as txn:
        assert txn.flags("athena") == (flag,)
    assert bureau.events()[-1].subject_kind == "source"
    assert desk.view("1042").draft == view.draft
