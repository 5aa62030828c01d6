"""Without the extra the encoder says what to install; with it, it asks the model its own way."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from core.adapters.sentence_transformers_encoder import SentenceTransformersEncoder
from core.errors import Unavailable
from core.ports import Vectors


class FakeTokenizer:
    """Words are tokens; only Latin ones are known."""

    unk_token = "<unk>"

    def get_vocab(self) -> dict[str, int]:
        return {"a": 0, "coat": 1, "<unk>": 2}

    def tokenize(self, text: str) -> list[str]:
        return [word if word.isascii() else "<unk>" for word in text.split()]


class FakeModel:
    """What ``SentenceTransformer`` offers the encoder; a vector counts the letters q and p."""

    prompts = {"query": "qqq: ", "document": "ppp: "}  # noqa: RUF012 - as the library has it
    default_prompt_name = None
    tokenizer = FakeTokenizer()

    def __init__(self, name: str, device: str) -> None:
        if name == "no/such":
            raise OSError("nothing there")

    def get_embedding_dimension(self) -> int:
        return 2

    def encode(self, texts: Sequence[str], *, prompt: str = "", **_: Any) -> Vectors:
        rows = [[1 + (prompt + t).count("q"), 1 + (prompt + t).count("p")] for t in texts]
        vectors = np.asarray(rows, dtype=np.float32)
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("sentence_transformers")
    module.__dict__["SentenceTransformer"] = FakeModel
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)


@pytest.mark.skipif(
    importlib.util.find_spec("sentence_transformers") is not None, reason="the extra is installed"
)
def test_a_missing_extra_is_named_with_its_command() -> None:
    with pytest.raises(Unavailable, match=r"pip install 'countersign\[sentence-transformers\]'"):
        SentenceTransformersEncoder("any/model")


@pytest.mark.usefixtures("library")
def test_a_model_that_cannot_be_opened_is_named() -> None:
    with pytest.raises(Unavailable, match="no/such"):
        SentenceTransformersEncoder("no/such")


@pytest.mark.usefixtures("library")
def test_questions_and_passages_go_to_the_model_with_its_own_prompts() -> None:
    encoder = SentenceTransformersEncoder("any/model")
    assert (encoder.encode_queries(["a coat"]) @ [1, 0]).item() > 0.9
    assert (encoder.encode(["a coat"]) @ [0, 1]).item() > 0.9
    assert encoder.encode([]).shape == (0, encoder.dimension)


@pytest.mark.usefixtures("library")
def test_prefixes_of_the_settings_replace_them_and_change_the_fingerprint() -> None:
    own = SentenceTransformersEncoder("any/model")
    none = SentenceTransformersEncoder("any/model", query_prefix="", passage_prefix="")
    assert np.allclose(none.encode_queries(["a coat"]), none.encode(["a coat"]))
    assert own.fingerprint != none.fingerprint


@pytest.mark.usefixtures("library")
def test_a_text_of_unknown_words_has_no_vote() -> None:
    encoder = SentenceTransformersEncoder("any/model")
    assert encoder.knows("a coat")
    assert not encoder.knows("退货 政策")
    assert not encoder.knows("")
