"""The pair reader computes what encoder, adapter and head say, and refuses what does not fit."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from core.adapters import onnx_folder
from core.adapters.onnx_export import exported_pair
from core.adapters.onnx_folder import ModelFolder, load_tokenizer
from core.adapters.pair_adapter import FORMAT, OUTPUTS, PairAdapter
from core.adapters.pair_reader import PairReader
from core.adapters.pair_tokens import FIRST_TOKENS, pair_rows
from core.errors import Unavailable
from tests.adapters.model_folders import LAYERS, WIDTH, a_folder, forward

PAIRS = (
    ("how long may i keep a coat", "returns: holiday purchases go back in 45 days"),
    ("how long", "passage"),
    ("keep a coat", "in 45 days holiday purchases go back, how long may i keep a coat in 45 days"),
    ("", ""),
)
MOST = 30


def an_adapter(folder: Path, path: Path, *, seed: int = 3, **changed: Any) -> Path:
    """A small random adapter for ``folder``; ``changed`` replaces tensors, or drops them by
    ``None``, and metadata by a string."""
    rng = np.random.default_rng(seed)
    inner = 2 * WIDTH
    shapes = {
        "head.weight": (5, 2 * WIDTH),
        "head.bias": (5,),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
        "encoder.layer.0.output.dense.bias": (WIDTH,),
        "encoder.layer.1.output.LayerNorm.weight": (WIDTH,),
    }
    for number in range(LAYERS):
        for module, (out, into) in {
            "attention.self.query": (WIDTH, WIDTH),
            "attention.self.value": (WIDTH, WIDTH),
            "intermediate.dense": (inner, WIDTH),
            "output.dense": (WIDTH, inner),
        }.items():
            shapes[f"encoder.layer.{number}.{module}.lora_A"] = (4, into)
            shapes[f"encoder.layer.{number}.{module}.lora_B"] = (out, 4)
    tensors = {n: rng.normal(0, 0.3, s).astype(np.float16) for n, s in shapes.items()}
    meta = {
        "format": FORMAT,
        "base": ModelFolder(folder).weights_hash,
        "max_tokens": str(MOST),
        "outputs": ",".join(OUTPUTS),
        "version": "test",
    }
    meta |= {name: value for name, value in changed.items() if isinstance(value, str)}
    tensors |= {n: v for n, v in changed.items() if isinstance(v, np.ndarray)}
    kept = {n: v for n, v in tensors.items() if n not in changed or changed[n] is not None}
    save_file(kept, str(path), metadata=meta)
    return path


def by_hand(folder: Path, adapter: Path, pair: tuple[str, str]) -> Any:
    """The five logits in plain numpy, written apart from the graph."""
    weights = load_file(str(folder / "model.safetensors"))
    change = {n: v.astype(np.float32) for n, v in load_file(str(adapter)).items()}
    for name, value in change.items():
        if name.endswith(".lora_B"):
            layer = name.removesuffix(".lora_B")
            weights[f"{layer}.weight"] = (
                weights[f"{layer}.weight"] + value @ change[f"{layer}.lora_A"]
            )
        elif not name.endswith(".lora_A"):
            weights[name] = value
    tokenizer = load_tokenizer(folder)
    first, second = (tokenizer.encode(text, add_special_tokens=False).ids for text in pair)
    head = [2, *first[: min(64, MOST - 3)], 3]
    ids = [*head, *second[: MOST - len(head) - 1], 3]
    types = [0] * len(head) + [1] * (len(ids) - len(head))
    hidden = forward(folder, weights, ids, types)
    return (
        np.concatenate([hidden[0], hidden.mean(0)]) @ weights["head.weight"].T
        + weights["head.bias"]
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return a_folder(tmp_path_factory.mktemp("pair") / "model")


@pytest.fixture(scope="module")
def adapter(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return an_adapter(folder, tmp_path_factory.mktemp("pair") / "adapter.safetensors")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def exact(folder: Path, adapter: Path, cache: Path) -> PairReader:
    return PairReader(cache, model_dir=folder, adapter=adapter, precision="fp32")


def test_logits_equal_those_computed_by_hand(
    exact: PairReader, folder: Path, adapter: Path
) -> None:
    for pair, logits in zip(PAIRS, exact.logits(PAIRS), strict=True):
        assert np.allclose(logits, by_hand(folder, adapter, pair), atol=1e-4)


def test_pairs_read_together_get_what_each_gets_alone(
    folder: Path, adapter: Path, cache: Path
) -> None:
    def reader() -> PairReader:
        return PairReader(cache, model_dir=folder, adapter=adapter, precision="int8")

    together = reader().logits(PAIRS)
    alone = np.concatenate([reader().logits([pair]) for pair in reversed(PAIRS)])[::-1]
    assert together.shape == (len(PAIRS), len(OUTPUTS))
    assert np.array_equal(together, alone)


def test_integers_come_near_what_floats_give(
    exact: PairReader, folder: Path, adapter: Path, cache: Path
) -> None:
    rough = PairReader(cache, model_dir=folder, adapter=adapter, precision="int8").logits(PAIRS)
    spread = float(exact.logits(PAIRS).std())
    assert 0 < np.abs(rough - exact.logits(PAIRS)).max() < spread / 2


def test_which_text_comes_first_matters(exact: PairReader) -> None:
    first, second = PAIRS[0]
    one, other = exact.logits([(first, second), (second, first)])
    assert not np.allclose(one, other, atol=1e-2)


def test_no_pairs_give_no_logits(exact: PairReader) -> None:
    assert exact.logits([]).shape == (0, len(OUTPUTS))


def test_a_long_pair_loses_its_end_and_keeps_its_marks(folder: Path) -> None:
    long = "coat " * 300
    (row,) = pair_rows(load_tokenizer(folder), [(long, long)], 192)
    assert (len(row.ids), row.first) == (192, FIRST_TOKENS + 2)
    assert [row.ids[0], row.ids[row.first - 1], row.ids[-1]] == [2, 3, 3]


def test_answers_are_remembered_within_bounds_and_are_the_callers_own(
    folder: Path, adapter: Path, cache: Path
) -> None:
    reader = PairReader(cache, model_dir=folder, adapter=adapter, precision="fp32", kept=2)
    first = reader.logits(PAIRS)
    kept = first.copy()
    first[:] = 7
    assert len(reader) == 2
    assert np.allclose(reader.logits(PAIRS), kept, atol=1e-5)


def test_it_knows_what_its_words_are_made_of(exact: PairReader) -> None:
    assert exact.knows("how long may I keep a coat")
    assert not exact.knows("保修期是多久")


def test_nothing_opens_before_the_first_pair(tmp_path: Path) -> None:
    PairReader(tmp_path / "models", adapter=tmp_path / "none.safetensors")
    assert not (tmp_path / "models").exists()


def test_a_missing_adapter_names_the_remedy(folder: Path, tmp_path: Path) -> None:
    reader = PairReader(tmp_path, model_dir=folder, adapter=tmp_path / "none.safetensors")
    with pytest.raises(Unavailable, match=r"none\.safetensors.*train_pair_reader"):
        reader.logits(PAIRS)


def test_a_broken_adapter_is_refused(folder: Path, tmp_path: Path) -> None:
    broken = tmp_path / "adapter.safetensors"
    whole = an_adapter(folder, tmp_path / "whole.safetensors").read_bytes()
    for body, reason in ((b"cut short", "no pair reader's"), (whole[:-9], "not readable")):
        broken.write_bytes(body)
        with pytest.raises(Unavailable, match=reason):
            PairReader(tmp_path / "models", model_dir=folder, adapter=broken).open()


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"format": "pair-reader-9"}, "another format"),
        ({"outputs": "relevant"}, "another format"),
        ({"base": "0" * 64}, "other weights"),
        ({"head.bias": None}, "lacks head.bias"),
        ({"encoder.layer.0.output.dense.lora_B": None}, "lacks encoder.layer.0.output.dense"),
        ({"head.weight": np.zeros((5, 3), dtype=np.float16)}, "no head.weight of shape"),
        (
            {"encoder.layer.9.output.dense.bias": np.zeros(4, dtype=np.float16)},
            "no encoder.layer.9",
        ),
    ],
)
def test_an_adapter_that_does_not_fit_is_refused_and_leaves_no_graph(
    folder: Path, tmp_path: Path, changed: dict[str, Any], reason: str
) -> None:
    file = an_adapter(folder, tmp_path / "adapter.safetensors", **changed)
    reader = PairReader(tmp_path / "models", model_dir=folder, adapter=file)
    with pytest.raises(Unavailable, match=reason):
        reader.logits(PAIRS)
    assert not list((tmp_path / "models").glob("*"))


def test_a_new_adapter_replaces_the_graph_of_the_old_one(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "53aa-fp32-g2.onnx"
    other.write_bytes(b"the encoder's")
    files = [an_adapter(folder, tmp_path / f"{seed}.safetensors", seed=seed) for seed in (1, 2)]
    old, new = (
        exported_pair(ModelFolder(folder), PairAdapter(file), tmp_path, precision="fp32")
        for file in files
    )
    assert old != new
    assert set(tmp_path.glob("*.onnx")) == {new, other}


@pytest.mark.skipif(
    importlib.util.find_spec(onnx_folder.WEIGHTS_PACKAGE) is None,
    reason="the encoder's weights are not installed (make setup)",
)
def test_a_passage_that_answers_is_read_as_nearer_than_one_that_does_not(tmp_path: Path) -> None:
    reader = PairReader(tmp_path)
    question = "How long do I have to return a coat?"
    answers, silent, elsewhere = reader.logits(
        [
            (question, "Returns: You may return unworn clothing, coats too, within 30 days."),
            (question, "Returns: Bring the coat and the receipt to any store to return it."),
            (question, "Shipping: Standard shipping costs $6.95 for orders under $75."),
        ]
    )
    assert answers[1] > silent[1] > elsewhere[1]
    assert min(answers[0], silent[0]) > elsewhere[0]
