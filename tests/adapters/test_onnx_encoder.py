"""The exported encoder computes what the weights say."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors import SafetensorError

from core.adapters import onnx_folder
from core.adapters.lancedb_index import LanceIndex
from core.adapters.onnx_batches import batches, pooled
from core.adapters.onnx_encoder import OnnxEncoder
from core.adapters.onnx_export import exported
from core.adapters.onnx_folder import ModelFolder, packaged_model
from core.adapters.onnx_graph import build
from core.adapters.token_counter import BundledTokenCounter
from core.errors import IndexMismatch, Unavailable
from tests.adapters.model_folders import a_folder, by_hand

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec(onnx_folder.WEIGHTS_PACKAGE) is None,
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


def test_vectors_equal_those_computed_by_hand(encoder: OnnxEncoder) -> None:
    for text, vector in zip(TEXTS, encoder.encode(TEXTS), strict=True):
        assert float(vector @ by_hand(packaged_model(), text)) > 0.99999


def test_vectors_equal_those_sentence_transformers_computed_once(encoder: OnnxEncoder) -> None:
    stored = json.loads((Path(__file__).parent / "data" / "minilm_reference.json").read_text())
    theirs = np.asarray(stored["vectors"])
    theirs /= np.linalg.norm(theirs, axis=1, keepdims=True)
    assert (encoder.encode(stored["texts"]) * theirs).sum(axis=1).min() > 0.99999


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
        ("Did Nguyễn Thị Minh Khai, Łukasz Żółć or Þórdís Björk sign for Wojciech's parcel?", True),
        ("def refund(order): return {k: v[0] for k, v in order.items() if k != '__all__'}", True),
        ("SELECT id, total FROM orders WHERE note LIKE '%late%' ORDER BY 2 DESC;", True),
        ("The loss ΔE = α·β² is explained in section 4 of the manual.", True),
        ("Does the 退货 form cover a phone bought abroad on the web site of the shop?", True),
        ("refund 退货政策", False),
        ("返品ポリシーはどうなっていますか", False),
        ("반품 정책은 무엇입니까", False),
        ("ما هي سياسة الإرجاع", False),
        ("מהי מדיניות ההחזרות", False),
        ("Ποια είναι η πολιτική επιστροφών", False),
        ("คืนสินค้าได้ไหม", False),
        ("a" * 300, False),
        ("😀😀😀", False),
        ("   ", False),
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


def test_a_graph_of_an_older_make_goes_when_the_new_one_is_there(tmp_path: Path) -> None:
    folder = ModelFolder(a_folder(tmp_path / "model"))
    older = tmp_path / f"{folder.weights_hash[:16]}-fp32-g1.onnx"
    other = tmp_path / f"{folder.weights_hash[:16]}-int8-g1.onnx"
    for file in (older, other):
        file.write_bytes(b"old")
    new = exported(folder, tmp_path, precision="fp32")
    assert set(tmp_path.glob("*.onnx")) == {new, other}


def test_a_failed_export_leaves_nothing_behind(tmp_path: Path) -> None:
    model = tmp_path / "model"
    shutil.copytree(packaged_model(), model, ignore=shutil.ignore_patterns("*.safetensors"))
    (model / "model.safetensors").write_bytes(b"cut short")
    with pytest.raises(SafetensorError):
        exported(ModelFolder(model), tmp_path / "cache", precision="fp32")
    assert list((tmp_path / "cache").iterdir()) == []


def test_the_graph_names_its_inputs_and_its_output() -> None:
    graph = build(ModelFolder(packaged_model())).graph
    assert [value.name for value in graph.input] == ["input_ids", "attention_mask"]
    assert [value.name for value in graph.output] == ["last_hidden_state"]


def test_missing_weights_name_the_command_that_gets_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(onnx_folder, "WEIGHTS_PACKAGE", "no_such_package_here")
    with pytest.raises(Unavailable, match="make setup"):
        OnnxEncoder(tmp_path)


def test_int8_is_close_but_says_that_it_is_not_the_same(
    tmp_path: Path, encoder: OnnxEncoder
) -> None:
    small = OnnxEncoder(tmp_path, precision="int8")
    assert (small.encode(TEXTS[:3]) * encoder.encode(TEXTS[:3])).sum(axis=1).min() > 0.95
    assert small.fingerprint != encoder.fingerprint
    assert small.encode_queries(TEXTS[:1]) @ small.encode(TEXTS[:1]).T > 0.99999


def test_an_index_of_one_precision_is_refused_by_the_other(
    tmp_path: Path, encoder: OnnxEncoder
) -> None:
    LanceIndex(tmp_path / "index", encoder, chunker="test-1")
    small = OnnxEncoder(tmp_path, precision="int8")
    with pytest.raises(IndexMismatch, match="ingest --rebuild"):
        LanceIndex(tmp_path / "index", small, chunker="test-1")


def test_many_texts_at_once_give_what_each_gives_alone(encoder: OnnxEncoder) -> None:
    texts = [f"{text} Answer {number}." * (1 + number % 7) for number in range(9) for text in TEXTS]
    together = encoder.encode(texts)
    alone = np.concatenate([encoder.encode([text]) for text in texts])
    assert (together * alone).sum(axis=1).min() > 0.99999


@given(st.lists(st.integers(min_value=1, max_value=512), max_size=200))
def test_every_row_is_in_one_batch_and_no_batch_of_several_is_too_large(lengths: list[int]) -> None:
    made = batches(lengths)
    assert sorted(number for batch in made for number in batch) == list(range(len(lengths)))
    for batch in made:
        longest = max(lengths[number] for number in batch)
        assert len(batch) == 1 or longest * len(batch) <= 512


def test_tokens_are_counted_exactly_and_chinese_by_character() -> None:
    counter = BundledTokenCounter()
    assert counter.count("") == 0
    assert counter.count("refunds are paid") == 4  # refund ##s are paid
    assert counter.count("退货政策") == 4
    assert BundledTokenCounter(factor=1.5).count("退货政策") == 6
