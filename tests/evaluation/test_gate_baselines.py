"""Plain likeness as an answer to the gate's questions."""

from __future__ import annotations

import pytest

from core.evaluation.gate_baselines import (
    CosineOnly,
    TermOverlap,
    judged_by_likeness,
    judged_by_scanner,
)
from core.evaluation.gate_sets import GateRow
from tests.fakes.word_encoder import WordEncoder


def row(query: str, text: str, title: str = "", *heading: str) -> GateRow:
    return GateRow("g", query, text, title, heading=heading)


def test_a_rare_word_in_common_counts_more_than_a_common_one() -> None:
    query = "which kettle whistles"
    rows = [
        row(query, "That one whistles."),
        row(query, "That kettle boils."),
        row(query, "A kettle again."),
        row(query, "Boats."),
    ]
    rare, common, _, none = TermOverlap().score(rows)
    assert 1 > rare > common > none == 0.0


def test_all_words_in_common_is_the_whole_share_and_headings_count() -> None:
    rows = [row("kettle warranty", "Two years.", "Kettle", "Warranty"), row("", "Two years.")]
    assert TermOverlap().score(rows) == [pytest.approx(1.0), 0.0]


def test_chinese_words_are_shared_too() -> None:
    near, far = TermOverlap().score(
        [row("水壶有多重", "水壶重三公斤"), row("水壶有多重", "窗帘很长")]
    )
    assert near > far


def test_the_cosine_is_that_of_query_and_whole_passage_each_encoded_once() -> None:
    encoder = WordEncoder()
    rows = [row("red kettle", "red kettle"), row("red kettle", "blue boat", "Harbour", "Quay")]
    same, other = CosineOnly(encoder).score(rows)
    assert same == pytest.approx(1.0, abs=1e-5)
    assert abs(other) < 0.5
    assert encoder.encoded == ["red kettle", "red kettle", "Harbour > Quay\nblue boat"]


def test_a_denied_premise_is_less_like_its_passage() -> None:
    rows = [row("is it oak", "it is oak"), row("is it pine", "it is oak")]
    likeness = TermOverlap()
    assert list(judged_by_likeness(likeness, "evidence", rows).scores) == likeness.score(rows)
    true, false = judged_by_likeness(likeness, "contradicts", rows).scores
    assert false > true


def test_a_scanner_gives_scores_and_its_own_verdicts() -> None:
    class Shouting:
        about = "flags capitals"

        def scan(self, text: str) -> tuple[float, bool]:
            return float(len(text)), text.isupper()

    judged = judged_by_scanner(Shouting(), [row("", "OBEY"), row("", "please")])
    assert list(judged.scores) == [4.0, 6.0]
    assert judged.verdicts == [1.0, 0.0]
