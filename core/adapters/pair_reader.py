"""Reads a question and a passage together: what the local gate's heads weigh most."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from core.adapters.array_memory import ArrayMemory
from core.adapters.onnx_batches import batches, singles
from core.adapters.onnx_export import Precision, exported_pair
from core.adapters.onnx_folder import ModelFolder, load_tokenizer, packaged_model
from core.adapters.onnx_session import SLOW_FUSIONS, cores, open_session
from core.adapters.pair_adapter import ADAPTER, OUTPUTS, PairAdapter
from core.adapters.pair_tokens import PairRow, pair_rows
from core.adapters.vocabulary import Vocabulary, plainly_known, unknown_token

Logits = npt.NDArray[np.float32]
Pair = tuple[str, str]

KEPT = 8192
"""Answers remembered by default: about 1 MB."""


class _Opened(NamedTuple):
    session: Any
    tokenizer: Any
    max_tokens: int
    vocabulary: Vocabulary


class PairReader:
    """A cross-encoder without torch: the packaged encoder with the trained adapter.

    Graph and tokenizer open on the first use; what is missing or does not fit then raises
    ``Unavailable`` and names the remedy. The answers for the ``kept`` last used pairs are not
    computed again (pairs are kept as digests, never as text). Safe to share between threads.
    ``int8`` is twice as fast; an answer never depends on what was asked beside it.
    """

    def __init__(
        self,
        cache_dir: Path,
        *,
        model_dir: Path | None = None,
        adapter: Path = ADAPTER,
        precision: Precision = "int8",
        threads: int = 0,
        kept: int = KEPT,
    ) -> None:
        self._cache_dir, self._model_dir, self._adapter = cache_dir, model_dir, adapter
        self._precision: Precision = precision
        self._answers, self._opening = ArrayMemory(kept), threading.Lock()
        self._open: _Opened | None = None
        self._workers = ThreadPoolExecutor(threads or cores(), thread_name_prefix="pair-reader")

    def logits(self, pairs: Sequence[Pair]) -> Logits:
        """One row of ``OUTPUTS`` for each pair, in order, in an array of the caller's own."""
        return self._answers.recalled([_name(p) for p in pairs], pairs, len(OUTPUTS), self._read)

    def knows(self, text: str) -> bool:
        """Whether the vocabulary covers ``text``: of other scripts it reads next to nothing."""
        if plainly_known(text):
            return True
        opened = self._opened()
        tokens = opened.tokenizer.encode(text, add_special_tokens=False).tokens
        return opened.vocabulary.covers(tokens)

    def open(self) -> None:
        """Opens it ahead of the first use. Raises ``Unavailable`` as the first use would."""
        self._opened()

    def __len__(self) -> int:
        """Number of answers remembered at present."""
        return len(self._answers)

    def _opened(self) -> _Opened:
        with self._opening:
            if self._open is None:
                folder = ModelFolder(self._model_dir or packaged_model())
                adapter = PairAdapter(self._adapter)
                graph = exported_pair(folder, adapter, self._cache_dir, precision=self._precision)
                self._open = _opened(folder, graph, adapter.max_tokens)
            return self._open

    def _read(self, pairs: Sequence[Pair]) -> Logits:
        opened = self._opened()
        rows = pair_rows(opened.tokenizer, pairs, opened.max_tokens)
        out = np.empty((len(rows), len(OUTPUTS)), dtype=np.float32)

        def fill(batch: list[int]) -> None:
            (out[batch],) = opened.session.run(None, _inputs([rows[number] for number in batch]))

        lengths = [len(row.ids) for row in rows]
        list(self._workers.map(fill, self._batches(lengths)))
        return out

    def _batches(self, lengths: Sequence[int]) -> list[list[int]]:
        """Integer activations are scaled by the largest of the batch: each row is its own."""
        if self._precision == "int8":
            return singles(lengths)
        return batches(lengths)


def _opened(folder: ModelFolder, graph: Path, most: int) -> _Opened:
    tokenizer = load_tokenizer(folder.path)
    return _Opened(
        session=open_session(graph, without=SLOW_FUSIONS),
        tokenizer=tokenizer,
        max_tokens=min(most, folder.places),
        vocabulary=Vocabulary(tokenizer.get_vocab(), unknown=unknown_token(tokenizer)),
    )


def _inputs(rows: Sequence[PairRow]) -> dict[str, npt.NDArray[np.int64]]:
    """Padded on the right to the longest row."""
    shape = (len(rows), max(len(row.ids) for row in rows))
    names = ("input_ids", "attention_mask", "token_type_ids")
    made = {name: np.zeros(shape, dtype=np.int64) for name in names}
    for number, row in enumerate(rows):
        made["input_ids"][number, : len(row.ids)] = row.ids
        made["attention_mask"][number, : len(row.ids)] = 1
        made["token_type_ids"][number, row.first : len(row.ids)] = 1
    return made


def _name(pair: Pair) -> bytes:
    digest = blake2b(digest_size=16)
    for text in pair:
        held = text.encode("utf-8", "surrogatepass")
        digest.update(len(held).to_bytes(8, "big") + held)
    return digest.digest()
