"""Keeps the ONNX graphs of a model folder in a cache, built on first use."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from core.adapters.onnx_folder import ModelFolder
from core.adapters.pair_adapter import PairAdapter
from core.errors import Unavailable

Precision = Literal["fp32", "int8"]

GRAPH_VERSION = 2
"""Raised whenever another graph is built: cached files of old graphs are ignored."""
PAIR_GRAPH_VERSION = 1
"""The same for the graph of a pair reader."""


def exported(folder: ModelFolder, cache_dir: Path, *, precision: Precision) -> Path:
    """The ONNX file for these weights, built on first use and kept in ``cache_dir``, newest only.

    The file appears whole or not at all: it is written beside its place and moved there.
    """

    def build() -> Any:
        from core.adapters.onnx_graph import build as build_graph  # build time only

        return build_graph(folder)

    kind = f"{folder.weights_hash[:16]}-{precision}-g"
    target = cache_dir / f"{kind}{GRAPH_VERSION}.onnx"
    return _kept(target, f"{kind}*.onnx", build, precision)


def exported_pair(
    folder: ModelFolder, adapter: PairAdapter, cache_dir: Path, *, precision: Precision
) -> Path:
    """The same for the pair reader that ``adapter`` makes of the folder's model.

    Raises ``Unavailable`` where the adapter does not fit the folder.
    """

    def build() -> Any:
        from core.adapters.onnx_graph import build_pair  # build time only

        return build_pair(folder, adapter)

    adapter.check_base(folder.weights_hash)
    base = f"pair-{folder.weights_hash[:8]}-"
    kind = f"{precision}-g{PAIR_GRAPH_VERSION}.onnx"
    older = f"{base}*-{precision}-g*.onnx"
    return _kept(
        cache_dir / f"{base}{adapter.hash}-{kind}", older, build, precision, apart=("logits",)
    )


def _kept(
    target: Path,
    older: str,
    build: Callable[[], Any],
    precision: Precision,
    *,
    apart: Sequence[str] = (),
) -> Path:
    """``target``, built if it is not there; files beside it that match ``older`` then go.

    Nodes named in ``apart`` keep their precision.
    """
    if target.is_file():
        return target
    _writable(target.parent)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".export-") as scratch:
        built = _saved(build(), Path(scratch) / "model.onnx")
        if precision == "int8":
            built = _quantised(built, Path(scratch) / "int8.onnx", apart)
        os.replace(built, target)  # noqa: PTH105 - the atomic move is the point
    for file in set(target.parent.glob(older)) - {target}:
        file.unlink(missing_ok=True)  # 90 MB each, and nothing opens them again
    return target


def _writable(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise Unavailable(
            f"the models' graphs cannot be kept in {folder} ({error.strerror}). Set "
            "COUNTERSIGN_MODEL_CACHE to a folder that can be written, or fill this one first."
        ) from error


def _saved(model: Any, target: Path) -> Path:
    import onnx  # costs more to import than the finished graph to open

    onnx.save_model(model, str(target))
    return target


def _quantised(source: Path, target: Path, apart: Sequence[str]) -> Path:
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
            nodes_to_exclude=list(apart),
            # Shapes cannot be inferred through the runtime's own operators; all are float.
            extra_options={"DefaultTensorType": TensorProto.FLOAT},
        )
    finally:
        root.setLevel(level)
    return target
