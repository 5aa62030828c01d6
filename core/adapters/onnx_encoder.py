"""The default encoder: all-MiniLM-L6-v2 from an installed package, run by ONNX Runtime."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import numpy as np

from core.adapters.onnx_batches import batches, padded, pooled, singles, unit
from core.adapters.onnx_export import Precision, exported
from core.adapters.onnx_folder import ModelFolder, load_tokenizer, packaged_model
from core.adapters.onnx_session import SLOW_FUSIONS, cores, open_session
from core.adapters.prefixes import prefix_mark
from core.adapters.vocabulary import Vocabulary, plainly_known, unknown_token
from core.ports import Vectors

_VECTORS_VERSION = 1  # raised when the same weights give other vectors: old indexes then mismatch
_SLICE = 64  # texts cut into tokens by one worker at a time

Part = TypeVar("Part")
Made = TypeVar("Made")


class OnnxEncoder:
    """``Encoder`` over a folder of BERT weights: vectors of unit length, float32.

    ``cache_dir`` keeps the exported graph (90 MB fp32, 23 MB int8). Texts are cut at the model's
    own limit, 256 tokens for the packaged one. The prefixes default to the model's own prompts.
    ``threads`` batches run side by side (0: one for each core of this process), each on one
    thread: that scales, where cutting up the work inside one batch does not.
    With ``apart`` every text is a batch of its own: 8-bit activations are scaled by the largest of
    the batch, so that otherwise a vector hangs a little on the texts beside it.
    Safe to share between threads. Vectors of another ``precision`` or prefix must not enter the
    same index; the fingerprint says which is which.
    """

    def __init__(
        self,
        cache_dir: Path,
        *,
        model_dir: Path | None = None,
        precision: Precision = "fp32",
        threads: int = 0,
        apart: bool = False,
        query_prefix: str | None = None,
        passage_prefix: str | None = None,
    ) -> None:
        folder = ModelFolder(model_dir or packaged_model())
        graph = exported(folder, cache_dir, precision=precision)
        self._apart = apart
        self._session = open_session(graph, without=SLOW_FUSIONS if apart else ())
        self._dimension = int(self._session.get_outputs()[0].shape[-1])
        self._tokenizer = load_tokenizer(folder.path)
        self._vocabulary = Vocabulary(
            self._tokenizer.get_vocab(), unknown=unknown_token(self._tokenizer)
        )
        self._max_tokens, self._pooling = folder.max_tokens, folder.pooling
        self._query_prefix = folder.prefix("query") if query_prefix is None else query_prefix
        self._passage_prefix = (
            folder.prefix("passage") if passage_prefix is None else passage_prefix
        )
        name = "all-MiniLM-L6-v2" if model_dir is None else folder.path.name
        self._fingerprint = (
            f"{name}/{precision}{'-apart' if apart else ''}/g{_VECTORS_VERSION}"
            f"/{folder.weights_hash[:12]}" + prefix_mark(self._query_prefix, self._passage_prefix)
        )
        self._workers = ThreadPoolExecutor(threads or cores(), thread_name_prefix="encoder")

    @property
    def fingerprint(self) -> str:
        """Model, precision, version and weights hash; the prefixes where there are any."""
        return self._fingerprint

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._dimension

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of passages, one row a text, in the order given."""
        return self._vectors([self._passage_prefix + text for text in texts])

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of questions, one row a text, in the order given."""
        return self._vectors([self._query_prefix + text for text in texts])

    def knows(self, text: str) -> bool:
        """Whether the vocabulary covers ``text``.

        To an English model other scripts come out as unknown tokens or single letters without
        meaning; above a quarter of such tokens its vector is noise and gets no vote.
        """
        if plainly_known(text):
            return True
        tokens = self._tokenizer.encode(text, add_special_tokens=False).tokens
        return self._vocabulary.covers(tokens)

    def _vectors(self, texts: list[str]) -> Vectors:
        vectors = np.zeros((len(texts), self._dimension), dtype=np.float32)
        slices = [texts[start : start + _SLICE] for start in range(0, len(texts), _SLICE)]
        rows = [row for part in self._spread(self._token_rows, slices) for row in part]

        def fill(batch: list[int]) -> None:
            vectors[batch] = self._batch([rows[number] for number in batch])

        lengths = [len(row) for row in rows]
        self._spread(fill, singles(lengths) if self._apart else batches(lengths))
        return vectors

    def _spread(self, work: Callable[[Part], Made], parts: Sequence[Part]) -> list[Made]:
        """``work`` done on each part, side by side where there are several."""
        if len(parts) <= 1:
            return [work(part) for part in parts]
        return list(self._workers.map(work, parts))

    def _token_rows(self, texts: list[str]) -> list[list[int]]:
        """Token ids of each text; a long one loses its end but keeps the closing mark."""
        rows: Iterable[list[int]] = (e.ids for e in self._tokenizer.encode_batch_fast(texts))
        most = self._max_tokens
        return [row if len(row) <= most else [*row[: most - 1], row[-1]] for row in rows]

    def _batch(self, rows: list[list[int]]) -> Vectors:
        ids, mask = padded(rows)
        (hidden,) = self._session.run(None, {"input_ids": ids, "attention_mask": mask})
        return unit(hidden[:, 0]) if self._pooling == "cls" else pooled(hidden, mask)
