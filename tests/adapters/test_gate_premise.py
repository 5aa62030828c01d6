"""What a question takes for granted, held against what a passage says."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from core.adapters.gate_premise import TABLE, Passage, PremiseJudge, PremiseTable
from core.adapters.pair_reader import Logits
from core.errors import Unavailable
from core.models.evidence import GateThresholds

LIMIT = GateThresholds().contradicts_min
RETURNS = (
    "Items can be returned within 30 days of the purchase date. Items marked Final Sale cannot be "
    "returned or exchanged. A refund is paid within 5 to 7 business days after the parcel reaches "
    "our returns centre. The original shipping charge is not refunded unless the return is our "
    "mistake."
)
SHIPPING = (
    "Standard shipping costs $6.95 for orders under $75. Standard shipping is free for orders of "
    "$75 or more. Orders to Canada and the United Kingdom arrive within 10 to 15 business days. We "
    "do not ship to countries other than the United States, Canada and the United Kingdom."
)
RULES = (
    "Refunds over $500 are approved by a supervisor. Gift cards never expire. Membership is free: "
    "there is no membership fee. Support is open from 9:00 to 20:00 EST. Points expire 12 months "
    "after they were earned. The kettle was recalled on 3 November 2026."
)
CHINESE = (
    "商品可在购买之日起30天内退货。标有“最终清仓”的商品不能退货，也不能换货。"
    "退货中心收到包裹后，退款会在5至7个工作日内到账。标准配送费为6.95美元。会员免费，没有会员费。"
)
TRIPLE = "Twister — director: Jan de Bont"


@pytest.fixture(scope="module")
def judge() -> PremiseJudge:
    return PremiseJudge()


DENIED = [
    (RETURNS, "Does the return window last 60 days?"),
    (RETURNS, "Is it true that refunds take 3 days?"),
    (RETURNS, "Since Final Sale items can be exchanged, how do I start?"),
    (RETURNS, "I read that I have 90 days to return an item. Where do I send it?"),
    (RETURNS, "How do I use the 60-day return window?"),
    (RETURNS, "Given that the shipping charge is always refunded, when do I get it?"),
    (SHIPPING, "Does standard shipping cost $9.95?"),
    (SHIPPING, "Standard shipping costs $9.95, right?"),
    (SHIPPING, "Do you deliver to Canada within 3 days?"),
    (RULES, "Is it the finance team who approves refunds over $500?"),
    (RULES, "Who in Finance approves refunds over $500?"),
    (RULES, "Gift cards expire after 12 months. How can I extend mine?"),
    (RULES, "How do I cancel my lifetime membership fee?"),
    (RULES, "Why do my points expire after 6 months?"),
    (RULES, "The kettle was recalled on 3 March 2026 - what do I do with mine?"),
    (TRIPLE, "Was 'Twister' directed by Jane Campion?"),
    (CHINESE, "退货期限是60天吗？"),
    (CHINESE, "商品可以在60天内退货吗？"),
    (CHINESE, "既然最终清仓的商品可以退货，我该怎么寄回？"),
    (CHINESE, "标准配送费是9.95美元，对吗？"),
    (CHINESE, "为什么退款要三十天才能到账？"),
]


@pytest.mark.parametrize(("text", "question"), DENIED)
def test_a_wrong_value_name_or_polarity_is_denied_with_the_exact_span(
    judge: PremiseJudge, text: str, question: str
) -> None:
    probability, denial = judge.judge(question, text)
    assert denial is not None
    assert probability > LIMIT
    assert denial.quote in text


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (RETURNS, "Does the return window last 30 days?"),
        (RETURNS, "Is a refund paid within 6 business days?"),
        (RETURNS, "Since Final Sale items cannot be exchanged, what can I do?"),
        (SHIPPING, "Does standard shipping cost $6.95?"),
        (SHIPPING, "Is shipping free for an order of $100?"),
        (RULES, "Is it a supervisor who approves refunds over $500?"),
        (RULES, "Since gift cards do not expire, can I use a card from 2019?"),
        (TRIPLE, "Was 'Twister' directed by Jan de Bont?"),
        (CHINESE, "退货期限是30天吗？"),
        (CHINESE, "退款在5至7个工作日内到账，对吗？"),
        (CHINESE, "既然最终清仓的商品不能退货，我该怎么办？"),
    ],
)
def test_what_the_passage_says_is_not_denied_by_it(
    judge: PremiseJudge, text: str, question: str
) -> None:
    assert judge.judge(question, text).probability < LIMIT


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (RETURNS, "Can I return sale items?"),
        (RETURNS, "Are Final Sale items returnable?"),
        (RETURNS, "Can I return items within 60 days?"),
        (RETURNS, "Is the original shipping charge refunded?"),
        (SHIPPING, "Do you ship to Australia?"),
        (SHIPPING, "Is standard shipping free?"),
        (SHIPPING, "Is shipping free for an order of $50?"),
        (RULES, "Do gift cards expire?"),
        (TRIPLE, "Do you know whether Twister was directed by a woman?"),
        (CHINESE, "最终清仓的商品可以退货吗？"),
        (CHINESE, "我可以在40天后退货吗？"),
    ],
)
def test_an_open_question_that_is_answered_no_is_no_conflict(
    judge: PremiseJudge, text: str, question: str
) -> None:
    assert judge.judge(question, text).probability < LIMIT


def test_a_yes_no_question_is_quoted_in_the_askers_words(judge: PremiseJudge) -> None:
    found = judge.judge("Does the return window last 60 days?", RETURNS).denial
    assert found is not None
    assert found.premise == "Does the return window last 60 days?"
    assert found.statement == "the return window last 60 days"


def test_a_fact_of_another_attribute_denies_nothing(judge: PremiseJudge) -> None:
    text = "Twister — filming location: Oklahoma"
    assert judge.judge("Was 'Twister' directed by Jane Campion?", text).denial is None


def test_a_rule_for_another_case_denies_less(judge: PremiseJudge) -> None:
    text = "Items bought between 15 November and 31 December can be returned within 45 days."
    question = "Since items can be returned within 30 days, where do I bring them?"
    assert judge.judge(question, text, "Holiday returns").probability < LIMIT


@pytest.mark.parametrize("question", ["", "?", "  ", "a" * 3000, "？" * 40, "Why?", "Is it?"])
@pytest.mark.parametrize("text", ["", "—", "a — b: c", "\x00", "。" * 50])
def test_odd_questions_and_passages_deny_nothing(
    judge: PremiseJudge, question: str, text: str
) -> None:
    assert judge.judge(question, text).denial is None


class ScriptedReader:
    """Says of every pair that it contradicts, as surely as it is told."""

    def __init__(self, contradiction: float) -> None:
        self._contradiction = contradiction
        self.pairs: list[tuple[str, str]] = []

    def open(self) -> None:
        """Nothing to open."""

    def knows(self, text: str) -> bool:
        return text.isascii()

    def logits(self, pairs: Sequence[tuple[str, str]]) -> Logits:
        self.pairs += pairs
        return np.array([[0.0, 0.0, 0.0, 0.0, self._contradiction]] * len(pairs), dtype=np.float32)


PARAPHRASED = "Why are sold items taken back so slowly?"
SLOW = "Our depot handles what comes back the day it is unloaded. Parcels are opened at noon."


def test_a_denial_in_other_words_is_found_by_reading_and_quotes_the_passage() -> None:
    reader = ScriptedReader(8.0)
    found = PremiseJudge(reader=reader).judge(PARAPHRASED, SLOW)
    assert found.denial is not None
    assert found.denial.kind == "read"
    assert found.denial.quote in SLOW
    assert found.probability > PremiseJudge().judge(PARAPHRASED, SLOW).probability


def test_an_unsure_reading_changes_nothing() -> None:
    assert PremiseJudge(reader=ScriptedReader(0.5)).judge(PARAPHRASED, SLOW).denial is None


def test_nothing_is_read_where_a_rule_speaks_or_nothing_is_assumed() -> None:
    reader = ScriptedReader(8.0)
    judge = PremiseJudge(reader=reader)
    assert judge.judge("Since Final Sale items can be exchanged, how do I start?", RETURNS).denial
    assert judge.judge("Do gift cards expire?", RULES).denial is None
    assert reader.pairs == []


def test_a_passage_on_another_subject_is_not_read() -> None:
    reader = ScriptedReader(8.0)
    passages = [Passage(SLOW, "", 0.1), Passage(SLOW, "", 0.9)]
    verdicts = PremiseJudge(reader=reader).judge_all(PARAPHRASED, passages)
    assert [v.denial is None for v in verdicts] == [True, False]
    assert len(reader.pairs) == 1


def test_a_missing_table_names_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="fit_premise"):
        PremiseTable.load(tmp_path / "premise.json")


def test_a_table_without_a_kind_is_refused(tmp_path: Path) -> None:
    raw = json.loads(TABLE.read_text(encoding="utf-8"))
    del raw["kinds"]["value"]
    broken = tmp_path / "premise.json"
    broken.write_text(json.dumps(raw), encoding="utf-8")
    with pytest.raises(Unavailable, match="value"):
        PremiseTable.load(broken)


def test_a_better_fit_is_never_worth_less() -> None:
    raw = json.loads(TABLE.read_text(encoding="utf-8"))
    for kind, steps in raw["kinds"].items():
        shares = [share for _, share in steps]
        assert shares == sorted(shares), kind
