"""Other encoders by setting: plain BERT folders run without torch, prefixes are the model's own."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.adapters.caching_encoder import CachingEncoder
from core.adapters.lancedb_index import LanceIndex
from core.adapters.onnx_encoder import OnnxEncoder
from core.adapters.open_encoder import open_encoder
from core.errors import BadInput, IndexMismatch, Unavailable
from core.ports import Encoder
from tests.adapters.model_folders import PLACES, a_folder, by_hand

TEXTS = ("how long may i keep a coat", "holiday purchases", "a")
PROMPTS = {"query": "query: ", "document": "passage: "}


def opened(folder: Path, **choices: Any) -> Encoder:
    encoder = open_encoder(str(folder), cache_dir=folder / "cache", **choices)
    assert isinstance(encoder, OnnxEncoder)
    return encoder


@pytest.mark.parametrize("prefix", ["", "bert."], ids=["bare", "under a head"])
def test_a_plain_bert_folder_runs_without_torch(tmp_path: Path, prefix: str) -> None:
    if prefix:
        a_folder(tmp_path / "with", prefix=prefix)
        plain = opened(a_folder(tmp_path / "plain")).encode(TEXTS)
        assert np.allclose(opened(tmp_path / "with").encode(TEXTS), plain, atol=1e-6)
        return
    encoder = opened(a_folder(tmp_path))
    for text, vector in zip(TEXTS, encoder.encode(TEXTS), strict=True):
        assert float(vector @ by_hand(tmp_path, text)) > 0.99999


def test_a_roberta_folder_counts_positions_from_its_padding(tmp_path: Path) -> None:
    encoder = opened(a_folder(tmp_path, kind="xlm-roberta"))
    for text, vector in zip(TEXTS, encoder.encode(TEXTS), strict=True):
        assert float(vector @ by_hand(tmp_path, text, first=2)) > 0.99999
    long = " ".join(["coat"] * 300)
    most = " ".join(["coat"] * (PLACES - 4))  # two places before the first token, two marks
    assert float(encoder.encode([long])[0] @ encoder.encode([most])[0]) > 0.99999


@pytest.mark.parametrize(
    "pooling",
    [{"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, {"pooling_mode": "cls"}],
    ids=["older notation", "newer notation"],
)
def test_a_model_that_pools_by_its_first_token_is_pooled_so(
    tmp_path: Path, pooling: dict[str, Any]
) -> None:
    encoder = opened(a_folder(tmp_path, pooling=pooling))
    for text, vector in zip(TEXTS, encoder.encode(TEXTS), strict=True):
        assert float(vector @ by_hand(tmp_path, text, pooling="cls")) > 0.99999


def test_questions_and_passages_get_the_prefixes_of_the_model(tmp_path: Path) -> None:
    encoder = opened(a_folder(tmp_path, prompts=PROMPTS))
    (asked,), (told,) = encoder.encode_queries(TEXTS[:1]), encoder.encode(TEXTS[:1])
    assert float(asked @ by_hand(tmp_path, f"query: {TEXTS[0]}")) > 0.99999
    assert float(told @ by_hand(tmp_path, f"passage: {TEXTS[0]}")) > 0.99999


def test_prefixes_of_the_settings_go_before_those_of_the_model(tmp_path: Path) -> None:
    folder = a_folder(tmp_path, prompts=PROMPTS)
    none = opened(folder, query_prefix="", passage_prefix="")
    assert float(none.encode_queries(TEXTS[:1])[0] @ by_hand(folder, TEXTS[0])) > 0.99999
    other = opened(folder, query_prefix="passage: ")
    assert np.allclose(other.encode_queries(TEXTS), other.encode(TEXTS), atol=1e-6)


def test_an_index_never_mixes_prefixes(tmp_path: Path) -> None:
    folder = a_folder(tmp_path / "model")
    LanceIndex(tmp_path / "index", opened(folder), chunker="test-1")
    prefixed = opened(folder, passage_prefix="passage: ")
    with pytest.raises(IndexMismatch, match="ingest --rebuild"):
        LanceIndex(tmp_path / "index", prefixed, chunker="test-1")


def test_a_memory_keeps_questions_apart_from_passages(tmp_path: Path) -> None:
    behind = opened(a_folder(tmp_path, prompts=PROMPTS))
    encoder = CachingEncoder(behind)
    for _ in range(2):
        assert np.allclose(encoder.encode(TEXTS), behind.encode(TEXTS), atol=1e-6)
        assert np.allclose(encoder.encode_queries(TEXTS), behind.encode_queries(TEXTS), atol=1e-6)


@pytest.mark.parametrize(
    "unfit",
    [
        {"kind": "mpnet"},
        {"hidden_act": "gelu_new"},
        {"pooling": {"pooling_mode_max_tokens": True}},
        {"pooling": {"pooling_mode": ["mean", "max"]}},
        {"pooling": {"pooling_mode": "mean", "include_prompt": False}},
    ],
    ids=["kind", "activation", "pooling", "two poolings", "prompt left out"],
)
@pytest.mark.skipif(
    importlib.util.find_spec("sentence_transformers") is not None, reason="the extra is installed"
)
def test_what_is_no_plain_bert_goes_through_sentence_transformers(
    tmp_path: Path, unfit: dict[str, Any]
) -> None:
    folder = a_folder(tmp_path, **unfit)
    with pytest.raises(Unavailable, match=r"countersign\[sentence-transformers\]"):
        open_encoder(str(folder), cache_dir=tmp_path)


def test_int8_is_refused_where_it_would_have_no_effect(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="encoder_precision"):
        open_encoder("some/model", cache_dir=tmp_path, precision="int8")


def test_a_chinese_vocabulary_reads_chinese(tmp_path: Path) -> None:
    """Single characters are words there; in an English vocabulary they are leftovers."""
    from core.adapters.vocabulary import Vocabulary

    english = Vocabulary(["the", "##s", "refund", "a", "b", "退"], unknown="[UNK]")
    chinese = Vocabulary(["退", "货", "政", "策", "the"], unknown="[UNK]")
    assert chinese.covers(["退", "货", "政", "策"])
    assert not chinese.covers(["[UNK]", "货"])
    assert not english.covers(["退", "退"])
