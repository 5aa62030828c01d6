"""Builds the ONNX graph of a BERT encoder straight from its safetensors weights, without torch.

The graph takes ``input_ids`` and ``attention_mask`` (both int64, batch x length, padding on the
right) and gives ``last_hidden_state`` (float32, batch x length x width). Token types are all zero,
so that row is folded into the position table. Pooling is left to the caller.

The graph of a pair reader has the same layers. It takes ``token_type_ids`` too and gives
``logits`` (float32, batch x outputs): a linear head over the first token and the mean of all.

Imported at build time only: ``onnx`` costs more to import than the finished graph to open.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors import safe_open

from core.adapters.onnx_folder import ModelFolder
from core.adapters.pair_adapter import PairAdapter

Array = npt.NDArray[Any]

_OPSET = 17
_RUNTIME = "com.microsoft"  # ONNX Runtime's own operators


def build(folder: ModelFolder) -> onnx.ModelProto:
    """The model as a graph in memory."""
    return _Graph(folder, _stored(folder)).model()


def build_pair(folder: ModelFolder, adapter: PairAdapter) -> onnx.ModelProto:
    """The model with what ``adapter`` changes and its head. Raises ``Unavailable`` on a misfit."""
    return _PairGraph(folder, adapter.apply(_stored(folder))).model()


def _stored(folder: ModelFolder) -> dict[str, Array]:
    with safe_open(str(folder.weights), "numpy") as weights:
        return _without_prefix({name: weights.get_tensor(name) for name in weights.keys()})  # noqa: SIM118


def _without_prefix(tensors: dict[str, Array]) -> dict[str, Array]:
    """Weights by their names inside the encoder; a model with a head puts its own name first."""
    mark = "embeddings.word_embeddings.weight"
    prefix = next(name for name in tensors if name.endswith(mark)).removesuffix(mark)
    return {
        name.removeprefix(prefix): np.asarray(value, dtype=np.float32)
        for name, value in tensors.items()
        if name.startswith(prefix)
    }


class _Graph:
    """Adds nodes one after another; each helper returns the name of its output."""

    inputs: tuple[str, ...] = ("input_ids", "attention_mask")

    def __init__(self, folder: ModelFolder, weights: dict[str, Array]) -> None:
        self._weights = weights
        self._layers = int(folder.config["num_hidden_layers"])
        self._heads = int(folder.config["num_attention_heads"])
        self._width = int(folder.config["hidden_size"])
        self._epsilon = float(folder.config["layer_norm_eps"])
        self._first_position = folder.first_position
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, onnx.TensorProto] = {}

    def model(self) -> onnx.ModelProto:
        hidden = self._embeddings()
        lengths = self._lengths()
        for number in range(self._layers):
            hidden = self._layer(f"encoder.layer.{number}", hidden, lengths)
        output = self._output(hidden)
        graph = helper.make_graph(
            self._nodes,
            "bert",
            [_value(name, TensorProto.INT64) for name in self.inputs],
            [output],
            list(self._constants.values()),
        )
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", _OPSET), helper.make_opsetid(_RUNTIME, 1)]
        )
        model.ir_version = 9
        onnx.checker.check_model(model)
        return model

    def _output(self, hidden: str) -> onnx.ValueInfoProto:
        self._op("Identity", [hidden], name="last_hidden_state")
        return _value("last_hidden_state", TensorProto.FLOAT, self._width)

    def _embeddings(self) -> str:
        words = self._constant("words", self._weights["embeddings.word_embeddings.weight"])
        table = self._weights["embeddings.position_embeddings.weight"][self._first_position :]
        table = table + self._weights["embeddings.token_type_embeddings.weight"][0]
        shape = self._op("Shape", ["input_ids"])
        length = self._op("Slice", [shape, self._ints("one", [1]), self._ints("two", [2])])
        start = self._ints("zero", [0])
        places = self._op("Slice", [self._constant("places", table), start, length, start])
        looked_up = self._typed(self._op("Gather", [words, "input_ids"]))
        return self._norm(self._op("Add", [looked_up, places]), "embeddings.LayerNorm")

    def _typed(self, looked_up: str) -> str:
        """Nothing to add: the one token type is in the position table."""
        return looked_up

    def _lengths(self) -> str:
        """Tokens of each row: with padding on the right this is all that attention must know."""
        counted = self._op("ReduceSum", ["attention_mask", self._ints("one", [1])], keepdims=0)
        return self._op("Cast", [counted], to=TensorProto.INT32)

    def _layer(self, prefix: str, hidden: str, lengths: str) -> str:
        attended = self._attention(f"{prefix}.attention.self", hidden, lengths)
        attended = self._dense(attended, f"{prefix}.attention.output.dense")
        # Add and LayerNormalization apart: the runtime's fused SkipLayerNormalization is slower.
        hidden = self._norm(
            self._op("Add", [attended, hidden]), f"{prefix}.attention.output.LayerNorm"
        )
        inner = self._gelu(hidden, f"{prefix}.intermediate.dense")
        outer = self._dense(inner, f"{prefix}.output.dense")
        return self._norm(self._op("Add", [outer, hidden]), f"{prefix}.output.LayerNorm")

    def _attention(self, prefix: str, hidden: str, lengths: str) -> str:
        """Query, key and value by one product, then softmax and mix, in one operator."""
        parts = [f"{prefix}.{part}" for part in ("query", "key", "value")]
        weight = np.concatenate([self._weights[f"{part}.weight"].T for part in parts], axis=1)
        bias = np.concatenate([self._weights[f"{part}.bias"] for part in parts])
        inputs = [
            hidden,
            self._constant(f"{prefix}.weight", weight),
            self._constant(f"{prefix}.bias", bias),
            lengths,
        ]
        return self._op("Attention", inputs, domain=_RUNTIME, num_heads=self._heads)

    def _dense(self, tensor: str, prefix: str) -> str:
        return self._op("Add", [self._product(tensor, prefix), self._bias(prefix)])

    def _gelu(self, tensor: str, prefix: str) -> str:
        """The exact form (by the error function), the bias added on the way."""
        inputs = [self._product(tensor, prefix), self._bias(prefix)]
        return self._op("BiasGelu", inputs, domain=_RUNTIME)

    def _product(self, tensor: str, prefix: str) -> str:
        weight = self._weights[f"{prefix}.weight"].T
        return self._op("MatMul", [tensor, self._constant(f"{prefix}.weight", weight)])

    def _bias(self, prefix: str) -> str:
        return self._constant(f"{prefix}.bias", self._weights[f"{prefix}.bias"])

    def _norm(self, tensor: str, prefix: str) -> str:
        weight = self._constant(f"{prefix}.weight", self._weights[f"{prefix}.weight"])
        return self._op(
            "LayerNormalization",
            [tensor, weight, self._bias(prefix)],
            axis=-1,
            epsilon=self._epsilon,
        )

    def _ints(self, name: str, values: list[int]) -> str:
        return self._constant(name, np.asarray(values, dtype=np.int64))

    def _constant(self, name: str, value: Any) -> str:
        if name not in self._constants:
            self._constants[name] = numpy_helper.from_array(np.asarray(value, order="C"), name)
        return name

    def _op(self, kind: str, inputs: list[str], *, name: str = "", **attributes: Any) -> str:
        output = name or f"{kind.lower()}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, inputs, [output], name=name, **attributes))
        return output


class _PairGraph(_Graph):
    """Two texts in a row, told apart by their token type, and a head over the whole."""

    inputs = ("input_ids", "attention_mask", "token_type_ids")

    def _typed(self, looked_up: str) -> str:
        """The second type as its difference from the first, which the position table holds."""
        types = self._weights["embeddings.token_type_embeddings.weight"]
        second = self._constant("second_type", types[1] - types[0])
        marked = self._op("Cast", ["token_type_ids"], to=TensorProto.FLOAT)
        marked = self._op("Unsqueeze", [marked, self._ints("two", [2])])
        return self._op("Add", [looked_up, self._op("Mul", [marked, second])])

    def _output(self, hidden: str) -> onnx.ValueInfoProto:
        first = self._op("Gather", [hidden, self._constant("first", np.int64(0))], axis=1)
        both = self._op("Concat", [first, self._mean(hidden)], axis=1)
        head = self._constant("head.weight", self._weights["head.weight"])
        inputs = [both, head, self._bias("head")]
        self._op("Gemm", inputs, name="logits", transB=1)
        shape: list[str | int] = ["batch", len(self._weights["head.bias"])]
        return helper.make_tensor_value_info("logits", TensorProto.FLOAT, shape)

    def _mean(self, hidden: str) -> str:
        """Of the tokens that the mask marks."""
        mask = self._op("Cast", ["attention_mask"], to=TensorProto.FLOAT)
        mask = self._op("Unsqueeze", [mask, self._ints("two", [2])])
        summed = self._op(
            "ReduceSum", [self._op("Mul", [hidden, mask]), self._ints("one", [1])], keepdims=0
        )
        counted = self._op("ReduceSum", [mask, self._ints("one", [1])], keepdims=0)
        return self._op("Div", [summed, counted])


def _value(name: str, kind: int, width: int | None = None) -> onnx.ValueInfoProto:
    shape: list[str | int] = ["batch", "length"]
    return helper.make_tensor_value_info(name, kind, shape + ([width] if width else []))
