"""What may leave, to whom, in which form; and that DENY says one sentence only."""

from __future__ import annotations

from typing import Any

import pytest

from core.models.compliance import STANDARD_DENIAL, ComplianceDecision
from core.models.evidence import Evidence
from core.stages.comply import Recipient, comply
from tests.stages.drafting_builders import NOW, a_context, an_evidence

PUBLIC = "Items can be returned within 30 days of the purchase date."
INTERNAL = "An agent may grant a goodwill credit of up to $25 without approval."
PAY = "Band C earns between $61,000 and $74,000 a year."
ORDER = "Order A-10293 was placed by customer C-0088. The e-mail address is anna@mail.example."


def public() -> Evidence:
    return an_evidence(PUBLIC)


def internal() -> Evidence:
    return an_evidence(
        INTERNAL, 2, permission_tag="INTERNAL_ONLY", classification="internal", owner="kim"
    )


def pay_data() -> Evidence:
    return an_evidence(
        PAY,
        3,
        permission_tag="CONFIDENTIAL_DEPT_HR",
        classification="confidential",
        acl_policy_id="hr-only",
        owner="hana",
    )


def order() -> Evidence:
    return an_evidence(
        ORDER,
        4,
        permission_tag="PERSONAL_DATA_PII",
        classification="internal",
        retrieval_source="record",
        metadata={"customer_id": "C-0088", "email": "anna@mail.example", "name": "Anna Lee"},
    )


def decided(
    text: str, *used: Evidence, recipient: Recipient = "customer", **more: Any
) -> ComplianceDecision:
    fields: dict[str, Any] = {"output_form": "email", "context": a_context()}
    return comply(
        text, used=used, recipient=recipient, query_id="req_1", now=NOW, **(fields | more)
    )


def test_public_wording_goes_out_untouched() -> None:
    text = f"Hello,\n\n{PUBLIC}\n\nKind regards"
    decision = decided(text, public())
    assert decision.decision == "ALLOW"
    assert decision.final_answer_text_after_enforcement == text
    assert decision.guard_findings == ()


def test_internal_wording_is_taken_out_for_a_customer_and_stays_for_a_colleague() -> None:
    text = f"{PUBLIC} {INTERNAL}"
    outside = decided(text, public(), internal())
    assert outside.decision == "PARTIAL_ALLOW_NEED_REDACTION"
    assert "goodwill" not in outside.final_answer_text_after_enforcement
    assert PUBLIC in outside.final_answer_text_after_enforcement
    assert outside.if_partial_allow_redaction_list[0].citation_id == "EVID-0002"
    inside = decided(text, public(), internal(), recipient="colleague")
    assert inside.final_answer_text_after_enforcement == text


def test_internal_evidence_may_stand_behind_other_words() -> None:
    decision = decided("We have added a small credit to your account.", internal())
    assert decision.decision == "ALLOW"


def test_wording_that_is_public_elsewhere_is_not_taken_out() -> None:
    twin = an_evidence(PUBLIC, 5, permission_tag="INTERNAL_ONLY")
    assert decided(PUBLIC, public(), twin).decision == "ALLOW"


@pytest.mark.parametrize("recipient", ["customer", "public"])
def test_confidential_sources_send_nothing_but_the_standard_sentence(recipient: Recipient) -> None:
    context = a_context(
        roles=("hr",),
        allowed_acl_policy_ids=("public", "hr-only"),
        allowed_classifications=("public", "internal", "confidential"),
    )
    decision = decided(
        f"{PUBLIC} {PAY}", public(), pay_data(), recipient=recipient, context=context
    )
    assert decision.decision == "DENY"
    assert decision.final_answer_text_after_enforcement == STANDARD_DENIAL
    assert decision.if_partial_allow_redaction_list == ()
    assert "HR" not in decision.reason


def test_a_colleague_reads_confidential_sources_only_with_the_rights_to_them() -> None:
    hr = a_context(
        allowed_acl_policy_ids=("hr-only",), allowed_classifications=("public", "confidential")
    )
    assert decided(PAY, pay_data(), recipient="colleague", context=hr).decision == "ALLOW"
    assert decided(PAY, pay_data(), recipient="colleague").decision == "DENY"


def test_an_unknown_tag_does_not_reach_a_customer() -> None:
    odd = an_evidence("Margins are 40 percent on average.", permission_tag="SECRET_SAUCE")
    assert decided("Margins are fine.", odd).decision == "DENY"


def test_the_readers_own_record_is_theirs_in_private_and_masked_in_public() -> None:
    text = "Order A-10293 goes to Anna Lee, anna@mail.example."
    private = decided(text, order(), customer_id="C-0088")
    assert private.decision == "ALLOW"
    post = decided(text, order(), recipient="customer", output_form="public_post")
    assert post.decision == "PARTIAL_ALLOW_NEED_REDACTION"
    assert post.recipient == "public"
    assert "anna@mail.example" not in post.final_answer_text_after_enforcement
    assert "Anna Lee" not in post.final_answer_text_after_enforcement


def test_somebody_elses_record_is_denied() -> None:
    decision = decided("The order was delivered.", order(), customer_id="C-0001")
    assert decision.decision == "DENY"


def test_a_strangers_address_is_masked_but_the_published_one_stays() -> None:
    desk = an_evidence("Write to help@athena.example.", 6)
    text = "Write to help@athena.example or to bob.smith@mail.example."
    final = decided(text, desk).final_answer_text_after_enforcement
    assert "help@athena.example" in final
    assert "bob.smith@mail.example" not in final


@pytest.mark.parametrize("recipient", ["customer", "colleague", "public"])
def test_a_card_number_never_leaves_in_full(recipient: Recipient) -> None:
    decision = decided("Your card 4111 1111 1111 1111 was charged.", recipient=recipient)
    assert decision.decision == "PARTIAL_ALLOW_NEED_REDACTION"
    assert "4111 1111" not in decision.final_answer_text_after_enforcement
    assert decision.final_answer_text_after_enforcement.endswith("1111 was charged.")


def test_a_text_of_which_nothing_may_leave_is_denied() -> None:
    decision = decided(INTERNAL, internal())
    assert decision.decision == "DENY"
    assert decision.final_answer_text_after_enforcement == STANDARD_DENIAL


@pytest.mark.parametrize(
    "left_over",
    [
        "Hello {{first_name}},",
        "Dear [CUSTOMER NAME],",
        "TODO: check the amount.",
        "It takes 3 days. [#EVID-0001]",
        "Internal note: customer is difficult.",
        "Thanks @kim.owner for looking into it.",
        "See https://confluence.athena.example/x/12.",
        "The row is orders:A-10293.",
        "[inference, not in the sources] It will be fine.",
    ],
)
def test_the_outbound_guard_finds_what_must_not_be_left_in_a_text(left_over: str) -> None:
    assert decided(left_over).guard_findings


@pytest.mark.parametrize(
    "ordinary",
    [
        "Hello Anna,\n\nyour order A-10293 arrives on 12 December 2026.",
        "You can write to help@athena.example or open https://www.athena.example/help/faq.",
        "Choose [Start a return] in the menu. The price is $5 (about 5%).",
        "您好！退货期限为45天。",
    ],
)
def test_the_outbound_guard_leaves_ordinary_replies_alone(ordinary: str) -> None:
    desk = an_evidence("Write to help@athena.example.", 6)
    assert decided(ordinary, desk).guard_findings == ()


def test_the_audit_entry_names_who_when_and_which_tags() -> None:
    entry = decided(f"{PUBLIC} {INTERNAL}", public(), internal()).audit_trail_entry
    assert entry.timestamp == NOW
    assert entry.user_id == "ana"
    assert entry.query_id == "req_1"
    assert entry.permission_tags_involved == ("PUBLIC", "INTERNAL_ONLY")
    assert entry.redactions_count == 1
    assert entry.escalation_contact_if_user_appeals == "kim"


def test_complying_twice_changes_nothing_more() -> None:
    first = decided(f"{PUBLIC} {INTERNAL} Card 4111 1111 1111 1111.", public(), internal())
    text = first.final_answer_text_after_enforcement
    again = decided(text, public(), internal())
    assert again.decision == "ALLOW"
    assert again.final_answer_text_after_enforcement == text
