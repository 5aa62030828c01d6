"""The exported encoder computes what the weights say."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors import safe_open

from core.adapters import onnx_encoder
from core.adapters.onnx_encoder import OnnxEncoder, packaged_model, pooled
from core.adapters.onnx_export import build, exported
from core.adapters.token_counter import BundledTokenCounter
from core.errors import Unavailable

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec(onnx_encoder.WEIGHTS_PACKAGE) is None,
    reason="the encoder's weights are not installed (make setup)",
)
TEXTS = (
    "How long may I keep a coat before I return it?",
    "Holiday purchases can be returned within 45 days.",
    "Gift cards never expire and cannot be redeemed for cash; ask at the service desk if unsure.",
    "!",
)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def encoder(cache: Path) -> OnnxEncoder:
    return OnnxEncoder(cache)


def by_hand(text: str) -> Any:
    """The same model in plain numpy, written apart from the graph: one text, no padding."""
    folder = packaged_model()
    config = json.loads((folder / "config.json").read_text())
    with safe_open(str(folder / "model.safetensors"), "numpy") as weights:
        w = {name: weights.get_tensor(name) for name in weights.keys()}  # noqa: SIM118
    ids = onnx_encoder.load_tokenizer(folder).encode(text).ids
    heads = config["num_attention_heads"]

    def norm(x: Any, name: str) -> Any:
        centred = x - x.mean(-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(-1, keepdims=True) + config["layer_norm_eps"])
        return centred / spread * w[f"{name}.weight"] + w[f"{name}.bias"]

    def dense(x: Any, name: str) -> Any:
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    def gelu(x: Any) -> Any:
        # erf by its Taylor-free form: the integral of the bell curve, accurate to 1e-7
        t = 1 / (1 + 0.3275911 * np.abs(x) / np.sqrt(2))
        poly = t * (
            0.254829592
            + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))
        )
        return 0.5 * x * (1 + np.sign(x) * (1 - poly * np.exp(-(x**2) / 2)))

    x = w["embeddings.word_embeddings.weight"][ids]
    x = x + w["embeddings.position_embeddings.weight"][: len(ids)]
    x = norm(x + w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for number in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{number}"
        q, k, v = (
            dense(x, f"{layer}.attention.self.{part}").reshape(len(ids), heads, -1)
            for part in ("query", "key", "value")
        )
        scores = np.einsum("qhd,khd->hqk", q, k) / np.sqrt(q.shape[-1])
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        shares /= shares.sum(-1, keepdims=True)
        mixed = np.einsum("hqk,khd->qhd", shares, v).reshape(len(ids), -1)
        x = norm(
            x + dense(mixed, f"{layer}.attention.output.dense"),
            f"{layer}.attention.output.LayerNorm",
        )
        inner = dense(gelu(dense(x, f"{layer}.intermediate.dense")), f"{layer}.output.dense")
        x = norm(x + inner, f"{layer}.output.LayerNorm")
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)


def test_vectors_equal_those_computed_by_hand(encoder: OnnxEncoder) -> None:
    for text, vector in zip(TEXTS, encoder.encode(TEXTS), strict=True):
        assert float(vector @ by_hand(text)) > 0.99999


def test_vectors_equal_those_of_sentence_transformers(encoder: OnnxEncoder) -> None:
    library = pytest.importorskip("sentence_transformers", reason="the extra is not installed")
    model = library.SentenceTransformer(str(packaged_model()), device="cpu")
    theirs = model.encode(list(TEXTS), normalize_embeddings=True)
    assert (encoder.encode(TEXTS) * theirs).sum(axis=1).min() >= 0.9999


def test_vectors_are_unit_length_in_the_order_given(encoder: OnnxEncoder) -> None:
    vectors = encoder.encode(TEXTS)
    assert vectors.shape == (len(TEXTS), encoder.dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    for number, text in enumerate(TEXTS):
        assert float(vectors[number] @ encoder.encode([text])[0]) > 0.99999


def test_like_meaning_lies_nearer_than_unlike(encoder: OnnxEncoder) -> None:
    question, near, far, _ = encoder.encode(TEXTS)
    assert question @ near > question @ far


def test_no_texts_give_no_vectors(encoder: OnnxEncoder) -> None:
    assert encoder.encode([]).shape == (0, encoder.dimension)


def test_long_texts_are_cut_not_refused(encoder: OnnxEncoder) -> None:
    long = "refund " * 2_000
    assert float(encoder.encode([long])[0] @ encoder.encode(["refund " * 254])[0]) > 0.99999


def test_padding_has_no_part_in_the_mean() -> None:
    hidden = np.array([[[1.0, 0.0], [9.0, 9.0]]], dtype=np.float32)
    assert np.allclose(pooled(hidden, np.array([[1, 0]])), [[1.0, 0.0]])


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("How do refunds work?", True),
        ("Rückgabe für Käufe", True),
        ("order A-10293", True),
        ("退货政策是什么", False),
        ("iPhone 保修多久", False),
        ("Как вернуть товар", False),
        ("", False),
    ],
)
def test_only_texts_in_a_known_script_have_a_vote(
    encoder: OnnxEncoder, text: str, known: bool
) -> None:
    assert encoder.knows(text) is known


def test_the_graph_is_built_once_and_whole(cache: Path, encoder: OnnxEncoder) -> None:
    (file,) = cache.iterdir()
    before = file.stat().st_mtime_ns
    assert OnnxEncoder(cache).fingerprint == encoder.fingerprint
    assert [f.stat().st_mtime_ns for f in cache.iterdir()] == [before]


def test_a_failed_export_leaves_nothing_behind(tmp_path: Path) -> None:
    model = tmp_path / "model"
    model.mkdir()
    (model / "config.json").write_text('{"model_type": "gpt", "hidden_act": "gelu"}')
    with pytest.raises(Unavailable, match="not a plain BERT encoder"):
        exported(model, tmp_path / "cache", weights_hash="0" * 64, precision="fp32")
    assert list((tmp_path / "cache").iterdir()) == []


def test_the_graph_names_its_inputs_and_its_output() -> None:
    graph = build(packaged_model()).graph
    assert [value.name for value in graph.input] == ["input_ids", "attention_mask"]
    assert [value.name for value in graph.output] == ["last_hidden_state"]


def test_missing_weights_name_the_command_that_gets_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(onnx_encoder, "WEIGHTS_PACKAGE", "no_such_package_here")
    with pytest.raises(Unavailable, match="make setup"):
        OnnxEncoder(tmp_path)


def test_int8_is_close_but_says_that_it_is_not_the_same(
    tmp_path: Path, encoder: OnnxEncoder
) -> None:
    small = OnnxEncoder(tmp_path, precision="int8")
    assert (small.encode(TEXTS[:3]) * encoder.encode(TEXTS[:3])).sum(axis=1).min() > 0.95
    assert small.fingerprint != encoder.fingerprint


def test_tokens_are_counted_exactly_and_chinese_by_character() -> None:
    counter = BundledTokenCounter()
    assert counter.count("") == 0
    assert counter.count("refunds are paid") == 4  # refund ##s are paid
    assert counter.count("退货政策") == 4
    assert BundledTokenCounter(factor=1.5).count("退货政策") == 6
