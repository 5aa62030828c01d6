"""Opens the gate that runs here, with what it reads and measures by."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from core.ports import Encoder

if TYPE_CHECKING:
    from core.adapters.local_gate import LocalGate


def open_local_gate(encoder: Encoder, models: Path) -> LocalGate:
    """The local gate over the packaged model; ``models`` keeps its exported graphs.

    What is not English is left to ``encoder``. The pair reader opens with its first pair. Raises
    ``Unavailable`` where weights are missing.
    """
    from core.adapters.local_gate import LocalGate
    from core.adapters.onnx_encoder import OnnxEncoder
    from core.adapters.pair_reader import PairReader

    return LocalGate(
        encoder,
        reader=PairReader(models),
        # Its own, whatever encoder the office has: the heads are fitted to these vectors.
        sentences=OnnxEncoder(models, precision="int8", apart=True),
    )
