"""Any sentence-transformers model by name or path. Needs the extra of the same name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.errors import Unavailable
from core.ports import Vectors

_UNKNOWN_LIMIT = 0.25


class SentenceTransformersEncoder:
    """``Encoder`` through sentence-transformers; imports torch, so it costs seconds to open.

    Raises ``Unavailable`` when the extra is not installed or the model cannot be opened.
    """

    def __init__(self, model: str, *, device: str = "cpu") -> None:
        self._model = _opened(model, device)
        self._dimension = int(self._model.get_sentence_embedding_dimension())
        self._fingerprint = f"sentence-transformers/{model}/{_revision(self._model)}"

    @property
    def fingerprint(self) -> str:
        """Library, model, and a hash of a few reference vectors (files may hide in a cache)."""
        return self._fingerprint

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._dimension

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, one row a text, in the order given."""
        if not texts:
            return np.zeros((0, self._dimension), dtype=np.float32)
        found = self._model.encode(
            list(texts), batch_size=32, normalize_embeddings=True, show_progress_bar=False
        )
        return np.asarray(found, dtype=np.float32)

    def knows(self, text: str) -> bool:
        """Whether at most a quarter of the tokens are unknown to the model's tokenizer."""
        tokenizer = self._model.tokenizer
        ids = tokenizer.encode(text, add_special_tokens=False)
        unknown = sum(1 for number in ids if number == tokenizer.unk_token_id)
        return bool(ids) and unknown / len(ids) <= _UNKNOWN_LIMIT


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


def _revision(model: Any) -> str:
    import hashlib

    probe = model.encode(["a", "refund policy", "退货"], normalize_embeddings=True)
    return hashlib.sha256(np.round(np.asarray(probe), 2).tobytes()).hexdigest()[:12]
