"""A model cache that nothing can be kept in is named with its remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.adapters.onnx_encoder import OnnxEncoder
from core.errors import Unavailable


def test_a_cache_that_cannot_be_written_is_named_with_its_remedy(tmp_path: Path) -> None:
    taken = tmp_path / "models"
    taken.write_text("a file where the folder should be")
    with pytest.raises(Unavailable, match="COUNTERSIGN_MODEL_CACHE"):
        OnnxEncoder(taken).encode(["a gift"])
