"""Without the extra the encoder says what to install."""

from __future__ import annotations

import importlib.util

import pytest

from core.adapters.sentence_transformers_encoder import SentenceTransformersEncoder
from core.errors import Unavailable


@pytest.mark.skipif(
    importlib.util.find_spec("sentence_transformers") is not None, reason="the extra is installed"
)
def test_a_missing_extra_is_named_with_its_command() -> None:
    with pytest.raises(Unavailable, match=r"pip install 'countersign\[sentence-transformers\]'"):
        SentenceTransformersEncoder("any/model")
