"""Builds the ONNX graph of a BERT encoder straight from its safetensors weights, without torch.

The graph takes ``input_ids`` and ``attention_mask`` (both int64, batch x length) and gives
``last_hidden_state`` (float32, batch x length x width). Token types are all zero, so that row is
folded into the position table. Pooling is left to the caller.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors import safe_open

from core.errors import Unavailable

Precision = Literal["fp32", "int8"]
Array = npt.NDArray[Any]

GRAPH_VERSION = 1
"""Raised whenever this module builds a different graph: cached files of old graphs are ignored."""

_OPSET = 17
_BLOCKED = np.float32(-1e9)  # large enough to vanish in softmax, small enough to stay finite


def exported(model_dir: Path, cache_dir: Path, *, weights_hash: str, precision: Precision) -> Path:
    """The ONNX file for these weights, built on first use and kept in ``cache_dir``.

    The file appears whole or not at all: it is written beside its place and moved there.
    Raises ``Unavailable`` when the architecture is not a plain BERT encoder.
    """
    target = cache_dir / f"{weights_hash[:16]}-{precision}-g{GRAPH_VERSION}.onnx"
    if target.is_file():
        return target
    cache_dir.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache_dir, prefix=".export-") as folder:
        built = Path(folder) / "model.onnx"
        onnx.save_model(build(model_dir), str(built))
        if precision == "int8":
            built = _quantised(built, Path(folder) / "int8.onnx")
        os.replace(built, target)  # noqa: PTH105 - the atomic move is the point
    return target


def build(model_dir: Path) -> onnx.ModelProto:
    """The model as a graph in memory. Raises ``Unavailable`` for other architectures."""
    config = json.loads((model_dir / "config.json").read_text(encoding="utf-8"))
    if config.get("model_type") != "bert" or config.get("hidden_act") != "gelu":
        raise Unavailable(
            f"{model_dir.name} is not a plain BERT encoder; "
            "use the sentence-transformers encoder for it"
        )
    with safe_open(str(model_dir / "model.safetensors"), "numpy") as weights:
        graph = _Graph(config, {name: weights.get_tensor(name) for name in weights.keys()})  # noqa: SIM118
    return graph.model()


def _quantised(source: Path, target: Path) -> Path:
    from onnxruntime.quantization import QuantType, quantize_dynamic  # slow import, build time only

    quantize_dynamic(source, target, weight_type=QuantType.QInt8, per_channel=True)
    return target


class _Graph:
    """Adds nodes one after another; each helper returns the name of its output."""

    def __init__(self, config: dict[str, Any], weights: dict[str, Array]) -> None:
        self._weights = weights
        self._layers = int(config["num_hidden_layers"])
        self._heads = int(config["num_attention_heads"])
        self._width = int(config["hidden_size"])
        self._epsilon = float(config["layer_norm_eps"])
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, onnx.TensorProto] = {}

    def model(self) -> onnx.ModelProto:
        hidden = self._embeddings()
        mask = self._mask()
        for number in range(self._layers):
            hidden = self._layer(f"encoder.layer.{number}", hidden, mask)
        self._op("Identity", [hidden], name="last_hidden_state")
        graph = helper.make_graph(
            self._nodes,
            "bert",
            [_value("input_ids", TensorProto.INT64), _value("attention_mask", TensorProto.INT64)],
            [_value("last_hidden_state", TensorProto.FLOAT, self._width)],
            list(self._constants.values()),
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)])
        model.ir_version = 9
        onnx.checker.check_model(model)
        return model

    def _embeddings(self) -> str:
        words = self._constant("words", self._weights["embeddings.word_embeddings.weight"])
        table = (
            self._weights["embeddings.position_embeddings.weight"]
            + self._weights["embeddings.token_type_embeddings.weight"][0]
        )
        shape = self._op("Shape", ["input_ids"])
        length = self._op("Slice", [shape, self._ints("one", [1]), self._ints("two", [2])])
        places = self._op(
            "Slice",
            [
                self._constant("places", table),
                self._ints("zero", [0]),
                length,
                self._ints("zero", [0]),
            ],
        )
        looked_up = self._op("Gather", [words, "input_ids"])
        return self._norm(self._op("Add", [looked_up, places]), "embeddings.LayerNorm")

    def _mask(self) -> str:
        numbers = self._op("Cast", ["attention_mask"], to=TensorProto.FLOAT)
        one = self._constant("one_f", np.float32(1))
        absent = self._op("Sub", [one, numbers])
        blocked = self._op("Mul", [absent, self._constant("blocked", _BLOCKED)])
        return self._op("Unsqueeze", [blocked, self._ints("middle_axes", [1, 2])])

    def _layer(self, prefix: str, hidden: str, mask: str) -> str:
        attended = self._attention(f"{prefix}.attention.self", hidden, mask)
        attended = self._dense(attended, f"{prefix}.attention.output.dense")
        hidden = self._norm(
            self._op("Add", [attended, hidden]), f"{prefix}.attention.output.LayerNorm"
        )
        inner = self._gelu(self._dense(hidden, f"{prefix}.intermediate.dense"))
        outer = self._dense(inner, f"{prefix}.output.dense")
        return self._norm(self._op("Add", [outer, hidden]), f"{prefix}.output.LayerNorm")

    def _attention(self, prefix: str, hidden: str, mask: str) -> str:
        scale = self._constant("scale", np.float32(np.sqrt(self._width / self._heads)))
        query = self._split(self._dense(hidden, f"{prefix}.query"), [0, 2, 1, 3])
        key = self._split(self._dense(hidden, f"{prefix}.key"), [0, 2, 3, 1])
        value = self._split(self._dense(hidden, f"{prefix}.value"), [0, 2, 1, 3])
        scores = self._op("Div", [self._op("MatMul", [query, key]), scale])
        shares = self._op("Softmax", [self._op("Add", [scores, mask])], axis=-1)
        mixed = self._op("Transpose", [self._op("MatMul", [shares, value])], perm=[0, 2, 1, 3])
        return self._op("Reshape", [mixed, self._ints("joined", [0, 0, self._width])])

    def _split(self, tensor: str, order: list[int]) -> str:
        shape = self._ints("split", [0, 0, self._heads, self._width // self._heads])
        return self._op("Transpose", [self._op("Reshape", [tensor, shape])], perm=order)

    def _dense(self, tensor: str, prefix: str) -> str:
        weight = np.ascontiguousarray(self._weights[f"{prefix}.weight"].T)
        product = self._op("MatMul", [tensor, self._constant(f"{prefix}.weight", weight)])
        bias = self._constant(f"{prefix}.bias", self._weights[f"{prefix}.bias"])
        return self._op("Add", [product, bias])

    def _norm(self, tensor: str, prefix: str) -> str:
        weight = self._constant(f"{prefix}.weight", self._weights[f"{prefix}.weight"])
        bias = self._constant(f"{prefix}.bias", self._weights[f"{prefix}.bias"])
        return self._op(
            "LayerNormalization", [tensor, weight, bias], axis=-1, epsilon=self._epsilon
        )

    def _gelu(self, tensor: str) -> str:
        root = self._constant("root_two", np.float32(np.sqrt(2)))
        spread = self._op("Erf", [self._op("Div", [tensor, root])])
        lifted = self._op("Add", [spread, self._constant("one_f", np.float32(1))])
        product = self._op("Mul", [tensor, lifted])
        return self._op("Mul", [product, self._constant("half", np.float32(0.5))])

    def _ints(self, name: str, values: list[int]) -> str:
        return self._constant(name, np.asarray(values, dtype=np.int64))

    def _constant(self, name: str, value: Array | np.float32) -> str:
        if name not in self._constants:
            self._constants[name] = numpy_helper.from_array(np.asarray(value), name)
        return name

    def _op(self, kind: str, inputs: list[str], *, name: str = "", **attributes: Any) -> str:
        output = name or f"{kind.lower()}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output


def _value(name: str, kind: int, width: int | None = None) -> onnx.ValueInfoProto:
    shape: list[str | int] = ["batch", "length"]
    return helper.make_tensor_value_info(name, kind, shape + ([width] if width else []))
