"""Second looks: the gate's relevance, and a model that reads both texts."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import pytest

from core.adapters.cross_encoder_reranker import CrossEncoderReranker
from core.adapters.gate_reranker import GateReranker
from core.errors import Unavailable
from core.models.evidence import EvidenceCandidate, GateAnswer, GateScores
from core.ports import Reranker
from tests.stages.language_builders import a_candidate

_COAT = a_candidate("coat", text="A coat may be returned.", heading_path=("Clothes",))
_CARD = a_candidate("card", text="Gift cards never expire.")


class RelevanceOnly:
    """A gate that finds one passage on the subject."""

    name = "scripted/1"

    def score(self, query: str, candidates: Sequence[EvidenceCandidate]) -> tuple[GateAnswer, ...]:
        return tuple(
            GateAnswer(
                scores=GateScores(
                    relevant=0.9 if "coat" in c.text else 0.2,
                    evidence=0.5,
                    contradicts=0.0,
                    injection=0.0,
                )
            )
            for c in candidates
        )


class Model:
    """Stands for a CrossEncoder: scores are the lengths of the passages, less ten."""

    def __init__(self, name: str, device: str) -> None:
        if name == "missing":
            raise OSError("no such model")
        self.name, self.read = name, list[tuple[str, str]]()

    def predict(self, pairs: list[tuple[str, str]], **_: Any) -> list[Any]:
        self.read += pairs
        if self.name == "three-way":
            return [[0.1, 0.2, 0.7] for _ in pairs]
        if self.name == "share":
            return [len(passage) / 100 for _, passage in pairs]
        return [float(len(passage)) - 10 for _, passage in pairs]


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = ModuleType("sentence_transformers")
    fake.CrossEncoder = Model  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", fake)


def test_the_gate_says_how_far_each_is_on_the_subject() -> None:
    reranker: Reranker = GateReranker(RelevanceOnly())
    assert reranker.scores("return a coat", [_CARD, _COAT]) == (0.2, 0.9)
    assert reranker.name == "gate/scripted/1"
    assert 0 < reranker.weight < 0.5


@pytest.mark.usefixtures("library")
def test_a_cross_encoder_reads_title_headings_and_text_beside_the_question() -> None:
    reranker = CrossEncoderReranker("any/model")
    first, second = reranker.scores("return a coat", [_COAT, _CARD])
    assert 0 < second < first < 1 or 0 < first < second < 1 or first == second == 1.0
    assert reranker._model.read[0] == (
        "return a coat",
        "Returns › Clothes\nA coat may be returned.",
    )
    assert reranker.name == "cross-encoder/any/model"
    assert reranker.scores("return a coat", []) == ()


@pytest.mark.usefixtures("library")
def test_logits_keep_their_order_inside_0_and_1_and_shares_stay_as_they_are() -> None:
    short, long = a_candidate("a", text="x"), a_candidate("b", text="x" * 20)
    low, high = CrossEncoderReranker("logits").scores("q", [short, long])
    assert 0 <= low < high <= 1
    assert CrossEncoderReranker("share").scores("q", [short])[0] == pytest.approx(0.09)


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("model", ["missing", "three-way"])
def test_a_model_that_cannot_serve_is_named_with_the_setting(model: str) -> None:
    with pytest.raises(Unavailable, match=rf"'{model}'.*'reranker'"):
        CrossEncoderReranker(model).scores("q", [_COAT])


@pytest.mark.skipif(
    importlib.util.find_spec("sentence_transformers") is not None, reason="the extra is installed"
)
def test_a_missing_extra_is_named_with_its_command() -> None:
    with pytest.raises(Unavailable, match=r"pip install 'countersign\[sentence-transformers\]'"):
        CrossEncoderReranker("any/model")
