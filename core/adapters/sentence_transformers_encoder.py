"""Any sentence-transformers model by name or path. Needs the extra of the same name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.adapters.prefixes import own_prefix, prefix_mark
from core.adapters.vocabulary import Vocabulary
from core.errors import Unavailable
from core.ports import Vectors


class SentenceTransformersEncoder:
    """``Encoder`` through sentence-transformers; imports torch, so it costs seconds to open.

    The prefixes default to the model's own prompts for queries and documents.
    Raises ``Unavailable`` when the extra is not installed or the model cannot be opened.
    """

    def __init__(
        self,
        model: str,
        *,
        device: str = "cpu",
        query_prefix: str | None = None,
        passage_prefix: str | None = None,
    ) -> None:
        self._model = _opened(model, device)
        prompts, default = dict(self._model.prompts), self._model.default_prompt_name
        self._query_prefix = (
            own_prefix("query", prompts, default) if query_prefix is None else query_prefix
        )
        self._passage_prefix = (
            own_prefix("passage", prompts, default) if passage_prefix is None else passage_prefix
        )
        self._dimension = _dimension(self._model)
        tokenizer = self._model.tokenizer
        self._vocabulary = Vocabulary(tokenizer.get_vocab(), unknown=tokenizer.unk_token)
        self._fingerprint = f"sentence-transformers/{model}/{_revision(self._model)}" + prefix_mark(
            self._query_prefix, self._passage_prefix
        )

    @property
    def fingerprint(self) -> str:
        """Library, model, a hash of a few reference vectors (files may hide in a cache), prefixes.

        Reference vectors are rounded, so that another processor gives the same hash.
        """
        return self._fingerprint

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._dimension

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of passages, one row a text, in the order given."""
        return self._vectors(texts, self._passage_prefix)

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of questions, one row a text, in the order given."""
        return self._vectors(texts, self._query_prefix)

    def knows(self, text: str) -> bool:
        """Whether the vocabulary covers ``text``."""
        return self._vocabulary.covers(self._model.tokenizer.tokenize(text))

    def _vectors(self, texts: Sequence[str], prefix: str) -> Vectors:
        if not texts:
            return np.zeros((0, self._dimension), dtype=np.float32)
        found = self._model.encode(
            list(texts),
            prompt=prefix,
            batch_size=32,
            normalize_embeddings=True,
            show_progress_bar=False,
        )
        return np.asarray(found, dtype=np.float32)


def _opened(model: str, device: str) -> Any:
    try:
        from sentence_transformers import SentenceTransformer  # pulls in torch: only when asked for
    except ImportError as error:
        raise Unavailable(
            "the sentence-transformers encoder is configured but not installed; "
            "run `pip install 'countersign[sentence-transformers]'` or choose the default encoder"
        ) from error
    try:
        return SentenceTransformer(model, device=device)
    except (OSError, ValueError) as error:
        raise Unavailable(
            f"the encoder model {model!r} cannot be opened ({error}); "
            "give a folder that holds it or a name that can be downloaded"
        ) from error


def _dimension(model: Any) -> int:
    named = getattr(model, "get_embedding_dimension", None)  # its name since release 6
    return int((named or model.get_sentence_embedding_dimension)())


def _revision(model: Any) -> str:
    import hashlib

    probe = model.encode(["a", "refund policy", "退货"], normalize_embeddings=True, prompt="")
    return hashlib.sha256(np.round(np.asarray(probe), 2).tobytes()).hexdigest()[:12]
