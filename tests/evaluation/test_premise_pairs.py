"""Twins of true and false premises made by rule."""

from __future__ import annotations

from core.adapters.gate_premise import PremiseJudge
from core.evaluation.premise_pairs import premise_pairs

PASSAGES = (
    "Items can be returned within 30 days of the purchase date. A receipt must be shown for every "
    "return at the counter. Refunds over $500 are always approved by a supervisor of the store.",
    "Standard shipping costs $6.95 for all orders under $75 in value. Parcels cannot be sent to "
    "post office boxes in Alaska. The catalogue was changed on 3 November 2026 by its editors.",
    "商品可在购买之日起30天内退货。退货中心收到包裹后会在7个工作日内退款。申请保修必须提供订单号。",
)


def test_twins_differ_in_one_fact_and_share_kind_form_and_passage() -> None:
    pairs = premise_pairs(PASSAGES, 7)
    assert len(pairs) >= 12
    for true, false in zip(pairs[::2], pairs[1::2], strict=True):
        assert (true.premise_false, false.premise_false) == (False, True)
        assert (true.pair_id, true.kind, true.form) == (false.pair_id, false.kind, false.form)
        assert true.text == false.text
        assert true.query != false.query


def test_the_same_seed_gives_the_same_pairs_and_another_seed_others() -> None:
    assert premise_pairs(PASSAGES, 7) == premise_pairs(PASSAGES, 7)
    assert premise_pairs(PASSAGES, 7) != premise_pairs(PASSAGES, 8)


def test_both_languages_and_several_kinds_are_made() -> None:
    pairs = [p for seed in range(6) for p in premise_pairs(PASSAGES, seed)]
    assert {p.language for p in pairs} == {"en", "zh"}
    assert {"duration", "money", "polarity", "date"} <= {p.kind for p in pairs}
    assert {"since", "why", "statement", "heard"} <= {p.form for p in pairs}


def test_a_yes_no_form_only_asks_for_values_and_names() -> None:
    pairs = [p for seed in range(12) for p in premise_pairs(PASSAGES, seed)]
    open_kinds = {p.kind for p in pairs if p.form in ("yes_no", "confirm")}
    assert open_kinds
    assert not open_kinds & {"polarity", "requirement", "frequency", "order", "cost"}


def test_the_gate_tells_the_twins_apart() -> None:
    judge = PremiseJudge()
    pairs = [p for seed in range(6) for p in premise_pairs(PASSAGES, seed)]
    said = [(judge.judge(p.query, p.text).probability > 0.70, p.premise_false) for p in pairs]
    found = sum(hit for hit, false in said if false)
    alarms = sum(hit for hit, false in said if not false)
    assert found >= 0.8 * sum(false for _, false in said)
    assert alarms == 0


def test_passages_without_a_statement_give_no_pairs() -> None:
    assert premise_pairs(("", "Short.", "# Heading\n\n- item"), 7) == ()
