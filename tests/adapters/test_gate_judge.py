"""Which pairs the gate reads, by what it judges the others, and what a reading is worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from core.adapters.caching_encoder import CachingEncoder
from core.adapters.gate_injection import INJECTION_FEATURES
from core.adapters.gate_judge import Judged, PairJudge
from core.adapters.gate_look import Asked
from core.adapters.gate_model import GateModel
from core.adapters.gate_reading import read_features
from core.adapters.local_gate import LocalGate
from core.models.evidence import EvidenceCandidate
from tests.fakes.word_encoder import WordEncoder

HEADS = ("relevant", "evidence", "injection")


class FakeReader:
    """Finds a passage on the subject if it shares a word with the question, and evidence if it
    holds a digit; knows Latin script only."""

    def __init__(self) -> None:
        self.batches: list[list[tuple[str, str]]] = []

    def logits(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray[Any, np.dtype[np.float32]]:
        self.batches.append(list(pairs))
        rows = []
        for first, second in pairs:
            shared = set(first.lower().strip("?").split()) & set(second.lower().split())
            digit = any(letter.isdigit() for letter in second)
            rows.append([6.0 if shared else -6.0, 6.0 if shared and digit else -6.0, 0, 0, 0])
        return np.array(rows, dtype=np.float32).reshape(len(pairs), 5)

    def knows(self, text: str) -> bool:
        return WordEncoder().knows(text)

    def open(self) -> None:
        pass


def a_model(**changed: dict[str, Any]) -> GateModel:
    """The reader decides where it reads; the other heads always say .7 and .6."""

    def head(features: list[str], weights: list[float], bias: float) -> dict[str, Any]:
        return {"features": features, "weights": weights, "bias": bias}

    heads = {
        "relevant": head(["reader_relevant"], [4.0], 0.0),
        "evidence": head(["reader_evidence"], [4.0], 0.0),
        "relevant_vectors": head(["cosine_best"], [0.0], 0.8473),
        "evidence_vectors": head(["cosine_best"], [0.0], 0.8473),
        "relevant_lexical": head(["cover_all"], [0.0], 0.4055),
        "evidence_lexical": head(["cover_all"], [0.0], 0.4055),
        "injection": head(["clear"], [1.0], -4.0),
    }
    for name, change in changed.items():
        heads[name] |= change
    return GateModel({"version": "test", "idf": {}, "idf_unseen": 5.0, "heads": heads})


def passage(text: str, title: str = "") -> EvidenceCandidate:
    return EvidenceCandidate(
        chunk_id="c", source_id="s", document_id="d", tenant_id="t", text=text,
        source_title=title, authority="faq",
    )  # fmt: skip


SHIPPING = passage("Two-day shipping costs 12.95 for any order.", "Shipping")
COATS = passage("Coats hang in the back of each store.")
ZH = passage("保修期为购买之日起24个月，请保留发票。")


@pytest.fixture
def reader() -> FakeReader:
    return FakeReader()


def judged(reader: FakeReader | None, *pairs: tuple[str, EvidenceCandidate]) -> tuple[Judged, ...]:
    judge = PairJudge(a_model(), CachingEncoder(WordEncoder()), reader)
    return judge.judge([Asked(*pair) for pair in pairs])


def test_what_the_reader_knows_it_reads_all_at_once(reader: FakeReader) -> None:
    on, off = judged(reader, ("what costs shipping?", SHIPPING), ("what costs shipping?", COATS))
    assert [on.way, off.way] == ["reader", "reader"]
    assert on.relevant > 0.9 > 0.1 > off.relevant
    assert len(reader.batches) == 1


def test_the_title_is_read_with_the_passage(reader: FakeReader) -> None:
    judged(reader, ("what costs shipping?", SHIPPING))
    assert reader.batches == [
        [("what costs shipping?", "Shipping: Two-day shipping costs 12.95 for any order.")]
    ]


@pytest.mark.parametrize(
    ("query", "candidate"), [("保修期是多久？", ZH), ("保修期是多久？", COATS), ("how long?", ZH)]
)
def test_what_the_reader_does_not_know_is_judged_by_its_words(
    reader: FakeReader, query: str, candidate: EvidenceCandidate
) -> None:
    (found,) = judged(reader, (query, candidate))
    assert (found.way, found.relevant) == ("words", 0.6)
    assert not reader.batches


def test_without_a_reader_words_and_vectors_judge() -> None:
    known, unknown = judged(None, ("what costs shipping?", SHIPPING), ("保修期是多久？", ZH))
    assert [known.way, unknown.way] == ["vectors", "words"]
    assert [known.relevant, unknown.relevant] == [0.7, 0.6]


def test_what_the_reader_may_read_is_encoded_by_an_encoder_of_its_own(reader: FakeReader) -> None:
    own, other = WordEncoder(), WordEncoder()
    judge = PairJudge(a_model(), CachingEncoder(other), reader, CachingEncoder(own))
    judge.judge([Asked("what costs shipping?", SHIPPING)])
    assert own.encoded
    assert not other.encoded


def test_what_the_first_look_finds_off_the_subject_is_not_read(reader: FakeReader) -> None:
    strict = {"features": ["cover_all"], "weights": [20.0], "bias": -10.0}
    model = a_model(relevant_vectors=strict)
    asked = [Asked("what costs shipping?", candidate) for candidate in (SHIPPING, COATS)]
    on, off = PairJudge(model, CachingEncoder(WordEncoder()), reader).judge(asked)
    assert [on.way, off.way] == ["reader", "vectors"]
    assert off.relevant < 0.01
    assert [len(batch) for batch in reader.batches] == [1]


def test_parts_of_a_message_are_read_in_one_batch_and_only_on_its_subject(
    reader: FakeReader,
) -> None:
    gate = LocalGate(WordEncoder(), reader=reader, model=a_model())
    query = "My shipping is late. What does shipping cost? Who packs it?"
    answers = gate.score(query, [SHIPPING, COATS])
    assert [len(batch) for batch in reader.batches] == [2, 2]
    assert {second for _, second in reader.batches[1]} == {reader.batches[0][0][1]}
    assert [bool(a.scores and a.scores.evidence > 0.5) for a in answers] == [True, False]


def test_the_name_says_whether_a_reader_judged(reader: FakeReader) -> None:
    names = {LocalGate(WordEncoder(), reader=r, model=a_model()).name for r in (reader, None)}
    assert names == {"local-gate/test", "local-gate/test/unread"}


def test_a_reading_is_bounded() -> None:
    assert read_features([99, 4], [99, -99, 99, 0, 0]) == [2.0, 1.0, 2.0, -2.0, 2.0, -2.0]
    neither, denied = (read_features([0, 0], [0, 0, -8, *last]) for last in ((8, -8), (-8, 8)))
    assert neither[4] < -1.9 < 1.9 < denied[5]


def test_a_calibrated_head_rises_along_its_table() -> None:
    table = [(-30.0, 0.01), (-4.0, 0.2), (-3.0, 0.4), (30.0, 0.99)]
    model = a_model(injection={"calibration": table})
    asked = [
        [clear, *([0.0] * (len(INJECTION_FEATURES) - 1))] for clear in (-50.0, 0.0, 0.5, 1.0, 99.0)
    ]
    found = [model.probability("injection", row) for row in asked]
    assert found == [0.01, 0.2, 0.3, 0.4, 0.99]


def test_a_calibration_out_of_order_is_refused() -> None:
    with pytest.raises(ValueError, match="does not rise"):
        a_model(injection={"calibration": [(0.0, 0.2), (-1.0, 0.4)]})
