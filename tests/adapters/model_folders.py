"""Small model folders with random weights, and what their models compute, by plain numpy."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import safe_open
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

from core.adapters.onnx_folder import load_tokenizer

WIDTH, HEADS, LAYERS, PLACES = 32, 4, 2, 40
_SPOKEN = ("query: how long may i keep a coat", "passage: holiday purchases go back in 45 days")


def a_folder(
    path: Path,
    *,
    kind: str = "bert",
    prefix: str = "",
    pooling: dict[str, Any] | None = None,
    prompts: dict[str, str] | None = None,
    **config: Any,
) -> Path:
    """A folder as sentence-transformers saves one, with random weights of fixed seed."""
    path.mkdir(parents=True, exist_ok=True)
    tokenizer = _tokenizer()
    tokenizer.save(str(path / "tokenizer.json"))
    files: dict[str, Any] = {
        "config.json": {
            "model_type": kind,
            "hidden_act": "gelu",
            "hidden_size": WIDTH,
            "num_attention_heads": HEADS,
            "num_hidden_layers": LAYERS,
            "max_position_embeddings": PLACES,
            "layer_norm_eps": 1e-12,
            "pad_token_id": 1,
        }
        | config,
        "modules.json": [
            {"path": "", "type": "sentence_transformers.models.Transformer"},
            {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
        ],
        "1_Pooling/config.json": pooling or {"pooling_mode_mean_tokens": True},
        "config_sentence_transformers.json": {"prompts": prompts or {}},
    }
    (path / "1_Pooling").mkdir(exist_ok=True)
    for name, content in files.items():
        (path / name).write_text(json.dumps(content))
    shapes = _shapes(tokenizer.get_vocab_size())
    rng = np.random.default_rng(7)
    weights = {prefix + n: rng.normal(0, 0.25, s).astype(np.float32) for n, s in shapes.items()}
    save_file(weights, str(path / "model.safetensors"))
    return path


@cache
def _tokenizer() -> Any:
    """Trained once: the trainer orders words of equal count differently each time."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    trainer = trainers.WordPieceTrainer(vocab_size=120, special_tokens=marks, show_progress=False)
    tokenizer.train_from_iterator(_SPOKEN, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return tokenizer


def _shapes(words: int) -> dict[str, tuple[int, ...]]:
    inner = 2 * WIDTH
    made: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (words, WIDTH),
        "embeddings.position_embeddings.weight": (PLACES, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
    }
    dense = {
        "attention.self.query": (WIDTH, WIDTH),
        "attention.self.key": (WIDTH, WIDTH),
        "attention.self.value": (WIDTH, WIDTH),
        "attention.output.dense": (WIDTH, WIDTH),
        "intermediate.dense": (inner, WIDTH),
        "output.dense": (WIDTH, inner),
    }
    norms = ["embeddings.LayerNorm"]
    for number in range(LAYERS):
        layer = f"encoder.layer.{number}"
        norms += [f"{layer}.attention.output.LayerNorm", f"{layer}.output.LayerNorm"]
        for name, shape in dense.items():
            made[f"{layer}.{name}.weight"] = shape
            made[f"{layer}.{name}.bias"] = shape[:1]
    for name in norms:
        made[f"{name}.weight"] = made[f"{name}.bias"] = (WIDTH,)
    return made


def by_hand(folder: Path, text: str, *, pooling: str = "mean", first: int = 0) -> Any:
    """The same model in plain numpy, written apart from the graph: one text, no padding."""
    with safe_open(str(folder / "model.safetensors"), "numpy") as weights:
        w = {name: weights.get_tensor(name) for name in weights.keys()}  # noqa: SIM118
    ids = load_tokenizer(folder).encode(text).ids
    hidden = forward(folder, w, ids, [0] * len(ids), first=first)
    made = hidden[0] if pooling == "cls" else hidden.mean(0)
    return made / np.linalg.norm(made)


def forward(
    folder: Path, w: Mapping[str, Any], ids: Sequence[int], types: Sequence[int], *, first: int = 0
) -> Any:
    """The hidden states of one row of tokens, under the weights ``w``."""
    config = json.loads((folder / "config.json").read_text())
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

    x = w["embeddings.word_embeddings.weight"][list(ids)]
    x = x + w["embeddings.position_embeddings.weight"][first : first + len(ids)]
    x = x + w["embeddings.token_type_embeddings.weight"][list(types)]
    x = norm(x, "embeddings.LayerNorm")
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
    return x
