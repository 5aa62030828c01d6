"""Keeps the ONNX graph of a model folder in a cache, built on first use."""

from __future__ import annotations

import logging
import os
import tempfile
from pathlib import Path
from typing import Literal

from core.adapters.onnx_folder import ModelFolder

Precision = Literal["fp32", "int8"]

GRAPH_VERSION = 2
"""Raised whenever another graph is built: cached files of old graphs are ignored."""


def exported(folder: ModelFolder, cache_dir: Path, *, precision: Precision) -> Path:
    """The ONNX file for these weights, built on first use and kept in ``cache_dir``, newest only.

    The file appears whole or not at all: it is written beside its place and moved there.
    """
    kind = f"{folder.weights_hash[:16]}-{precision}-g"
    target = cache_dir / f"{kind}{GRAPH_VERSION}.onnx"
    if target.is_file():
        return target
    cache_dir.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache_dir, prefix=".export-") as scratch:
        built = _built(folder, Path(scratch) / "model.onnx")
        if precision == "int8":
            built = _quantised(built, Path(scratch) / "int8.onnx")
        os.replace(built, target)  # noqa: PTH105 - the atomic move is the point
    for older in set(cache_dir.glob(f"{kind}*.onnx")) - {target}:
        older.unlink(missing_ok=True)  # 90 MB each, and nothing opens them again
    return target


def _built(folder: ModelFolder, target: Path) -> Path:
    import onnx  # build time only, as is the graph builder

    from core.adapters.onnx_graph import build

    onnx.save_model(build(folder), str(target))
    return target


def _quantised(source: Path, target: Path) -> Path:
    """Weights as 8-bit integers, one scale a column; activations are scaled as they come."""
    from onnx import TensorProto
    from onnxruntime.quantization import QuantType, quantize_dynamic

    root = logging.getLogger()
    level = root.level
    root.setLevel(logging.ERROR)  # it advises, on the root logger, a step the graph does not need
    try:
        quantize_dynamic(
            source,
            target,
            weight_type=QuantType.QInt8,
            per_channel=True,
            # Shapes cannot be inferred through the runtime's own operators; all are float.
            extra_options={"DefaultTensorType": TensorProto.FLOAT},
        )
    finally:
        root.setLevel(level)
    return target
