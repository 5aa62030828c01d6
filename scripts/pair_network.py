"""The pair reader as a network to train: the packaged encoder, frozen, with what training changes.

Low-rank updates of every dense layer (LoRA, Hu et al. 2021), biases, layer norms, token types and
the head.
"""

from __future__ import annotations

import math

import torch
from safetensors.torch import load_file
from torch.nn import functional

from core.adapters.onnx_folder import ModelFolder
from core.adapters.pair_adapter import OUTPUTS

RANK = 32
HALF = torch.bfloat16


class Dense(torch.nn.Module):
    """A frozen dense layer with a trained low-rank update and bias."""

    def __init__(self, weight: torch.Tensor, bias: torch.Tensor) -> None:
        super().__init__()
        out, inside = weight.shape
        self.register_buffer("frozen", weight.to(HALF))
        self.bias = torch.nn.Parameter(bias.clone())
        self.lora_A = torch.nn.Parameter(torch.randn(RANK, inside) / math.sqrt(inside))
        self.lora_B = torch.nn.Parameter(torch.zeros(out, RANK))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # One product with the merged weight: a thin product beside it would cost more in copies.
        weight = self.frozen + (self.lora_B @ self.lora_A).to(HALF)
        return functional.linear(x, weight, self.bias.to(HALF))


class Norm(torch.nn.Module):
    """Layer normalisation, trained."""

    def __init__(self, weight: torch.Tensor, bias: torch.Tensor, epsilon: float) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(weight.clone())
        self.bias = torch.nn.Parameter(bias.clone())
        self.epsilon = epsilon

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.layer_norm(
            x, x.shape[-1:], self.weight.to(HALF), self.bias.to(HALF), self.epsilon
        )


class Reader(torch.nn.Module):
    """The encoder's layers and a head of five outputs on [CLS] beside the mean of all tokens."""

    DENSE = (
        "attention.self.query", "attention.self.key", "attention.self.value",
        "attention.output.dense", "intermediate.dense", "output.dense",
    )  # fmt: skip

    def __init__(self, folder: ModelFolder) -> None:
        super().__init__()
        base = load_file(str(folder.weights))
        self.layers = int(folder.config["num_hidden_layers"])
        self.heads = int(folder.config["num_attention_heads"])
        epsilon = float(folder.config["layer_norm_eps"])
        width = int(folder.config["hidden_size"])
        self.register_buffer("words", base["embeddings.word_embeddings.weight"].to(HALF))
        self.register_buffer("places", base["embeddings.position_embeddings.weight"].to(HALF))
        types = base["embeddings.token_type_embeddings.weight"].clone()
        types[1] = types[0]  # the second row was never trained; start both alike
        self.types = torch.nn.Parameter(types)
        self.parts = torch.nn.ModuleDict()
        self._norm(base, "embeddings.LayerNorm", epsilon)
        for number in range(self.layers):
            prefix = f"encoder.layer.{number}"
            for name in self.DENSE:
                key = f"{prefix}.{name}"
                self.parts[_safe(key)] = Dense(base[f"{key}.weight"], base[f"{key}.bias"])
            self._norm(base, f"{prefix}.attention.output.LayerNorm", epsilon)
            self._norm(base, f"{prefix}.output.LayerNorm", epsilon)
        self.head = torch.nn.Linear(2 * width, len(OUTPUTS))

    def _norm(self, base: dict[str, torch.Tensor], key: str, epsilon: float) -> None:
        self.parts[_safe(key)] = Norm(base[f"{key}.weight"], base[f"{key}.bias"], epsilon)

    def forward(self, ids: torch.Tensor, types: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Logits, batch x 5, for token ids, token types and mask, each batch x length."""
        rows, length = ids.shape
        x = self.words[ids] + self.places[:length] + self.types.to(HALF)[types]
        x = self._part("embeddings.LayerNorm", x)
        bias = ((1.0 - mask.to(HALF)) * -1e4)[:, None, None, :]
        for number in range(self.layers):
            x = self._layer(f"encoder.layer.{number}", x, bias, rows, length)
        x = x.float()
        weight = mask.float()[:, :, None]
        mean = (x * weight).sum(1) / weight.sum(1)
        pooled = torch.cat([x[:, 0], mean], dim=1)
        return self.head(functional.dropout(pooled, 0.1, self.training))

    def _layer(
        self, prefix: str, x: torch.Tensor, bias: torch.Tensor, rows: int, length: int
    ) -> torch.Tensor:
        def split(name: str) -> torch.Tensor:
            got = self._part(f"{prefix}.attention.self.{name}", x)
            return got.view(rows, length, self.heads, -1).transpose(1, 2)

        query, key, value = split("query"), split("key"), split("value")
        # Written out: the fused attention of this runtime has a slow backward pass on CPU.
        share = (query @ key.transpose(2, 3)) * (1 / math.sqrt(query.shape[-1])) + bias
        mixed = torch.softmax(share, dim=-1) @ value
        mixed = mixed.transpose(1, 2).reshape(rows, length, -1)
        x = self._part(
            f"{prefix}.attention.output.LayerNorm",
            x + self._part(f"{prefix}.attention.output.dense", mixed),
        )
        inner = functional.gelu(self._part(f"{prefix}.intermediate.dense", x))
        return self._part(
            f"{prefix}.output.LayerNorm", x + self._part(f"{prefix}.output.dense", inner)
        )

    def _part(self, key: str, x: torch.Tensor) -> torch.Tensor:
        return self.parts[_safe(key)](x)

    def delta(self) -> dict[str, torch.Tensor]:
        """What differs from the packaged weights, by the packaged names, as 16-bit floats."""
        out = {"embeddings.token_type_embeddings.weight": self.types}
        for key, part in self.parts.items():
            name = key.replace("/", ".")
            out |= {f"{name}.{n}": p for n, p in part.named_parameters()}
        out |= {"head.weight": self.head.weight, "head.bias": self.head.bias}
        return {name: value.detach().half().contiguous() for name, value in out.items()}


def _safe(key: str) -> str:
    return key.replace(".", "/")
