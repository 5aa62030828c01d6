"""Any sentence-transformers CrossEncoder by name or path. Needs the extra of that name."""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence
from typing import Any

from core.errors import Unavailable
from core.models.evidence import EvidenceCandidate

_BATCH = 16


class CrossEncoderReranker:
    """``Reranker`` that reads question and passage together and alone decides their order.

    It imports torch when it is opened, which costs seconds; a pair costs tens of milliseconds on a
    processor. Raises ``Unavailable`` when the extra is missing or the model cannot be opened.
    """

    weight = 1.0

    def __init__(self, model: str, *, device: str = "cpu") -> None:
        self._name = model
        self._model = _opened(model, device)

    @property
    def name(self) -> str:
        """Library and model."""
        return f"cross-encoder/{self._name}"

    def scores(self, query: str, candidates: Sequence[EvidenceCandidate]) -> tuple[float, ...]:
        """The model's scores, in order; logits are squeezed into 0..1, which keeps their order."""
        if not candidates:
            return ()
        pairs = [(query, _read(candidate)) for candidate in candidates]
        try:
            found = self._model.predict(pairs, batch_size=_BATCH, show_progress_bar=False)
            raw = [float(value) for value in found]
        except (RuntimeError, TypeError, ValueError) as error:
            raise Unavailable(
                f"the reranker {self._name!r} gave no usable score ({error}). It must be a "
                "CrossEncoder with one output; choose another with the setting 'reranker'."
            ) from error
        if all(0.0 <= value <= 1.0 for value in raw):
            return tuple(raw)
        return tuple(_squeezed(value) for value in raw)


def _read(candidate: EvidenceCandidate) -> str:
    """Title and headings, then the text: what the other sides of the search read."""
    above = " › ".join((candidate.source_title, *candidate.heading_path))
    return f"{above}\n{candidate.text}"


def _squeezed(logit: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, logit))))


def _opened(model: str, device: str) -> Any:
    try:
        library = importlib.import_module("sentence_transformers")
    except ImportError as error:
        raise Unavailable(
            f"the reranker {model!r} needs sentence-transformers; run "
            "`pip install 'countersign[sentence-transformers]'`"
        ) from error
    try:
        return library.CrossEncoder(model, device=device)
    except (OSError, RuntimeError, ValueError) as error:
        raise Unavailable(
            f"the reranker {model!r} cannot be opened ({str(error)[:200]}). Give the name or "
            "folder of a sentence-transformers CrossEncoder in the setting 'reranker'."
        ) from error
