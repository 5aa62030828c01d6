"""What training changed in the encoder's weights to make a pair reader of it.

The file holds whole tensors (biases, norms, token types, the head) and, for each dense layer, two
thin matrices A and B: the layer's weight becomes W + B A (Hu et al. 2021).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from core.errors import Unavailable

ADAPTER = (
    Path(__file__).resolve().parents[2]
    / "data" / "models" / "pair_reader" / "adapter.safetensors"
)  # fmt: skip
FORMAT = "pair-reader-1"
OUTPUTS = ("relevant", "evidence", "entailment", "neutral", "contradiction")
"""What the five logits speak for. The last three are one choice among three."""

Array = npt.NDArray[Any]

_THIN = (".lora_A", ".lora_B")


class PairAdapter:
    """An adapter file. Raises ``Unavailable`` where it is missing, unreadable or of another kind.

    Opening it reads the header alone; the tensors are read where they are applied.
    """

    def __init__(self, path: Path = ADAPTER) -> None:
        self.path = path
        body = _bytes(path)
        self.hash: str = hashlib.blake2b(body, digest_size=8).hexdigest()
        try:
            length = int.from_bytes(body[:8], "little")
            self._meta: dict[str, str] = dict(json.loads(body[8 : 8 + length])["__metadata__"])
        except (ValueError, KeyError, TypeError) as error:
            raise Unavailable(f"{path} is no pair reader's weights. Restore the file") from error
        if self._meta.get("format") != FORMAT or self._meta.get("outputs") != ",".join(OUTPUTS):
            raise self._misfit("it is of another format")

    @property
    def version(self) -> str:
        """As its maker named it."""
        return self._meta.get("version", self.hash)

    @property
    def max_tokens(self) -> int:
        """Tokens of a pair, marks included, that it was trained to read."""
        return int(self._meta.get("max_tokens", "192"))

    def check_base(self, weights_hash: str) -> None:
        """Raises ``Unavailable`` unless it was trained on the weights of this hash."""
        if self._meta.get("base") != weights_hash:
            raise self._misfit("it was trained on other weights than those installed")

    def apply(self, base: Mapping[str, Array]) -> dict[str, Array]:
        """The encoder's tensors, float32, as training left them, and those of the head.

        Raises ``Unavailable`` where a tensor has no place or another shape.
        """
        change = self._tensors()
        made = {name: np.asarray(value, dtype=np.float32) for name, value in base.items()}
        width = made["embeddings.word_embeddings.weight"].shape[1]
        made["head.weight"] = np.zeros((len(OUTPUTS), 2 * width), dtype=np.float32)
        made["head.bias"] = np.zeros(len(OUTPUTS), dtype=np.float32)
        if missing := {"head.weight", "head.bias"} - set(change):
            raise self._misfit(f"it lacks {min(missing)}")
        for name, value in change.items():
            if not name.endswith(_THIN):
                made[name] = self._fitting(name, value, made)
            elif name.endswith(_THIN[0]):
                layer = name.removesuffix(_THIN[0])
                if f"{layer}{_THIN[1]}" not in change:
                    raise self._misfit(f"it lacks {layer}{_THIN[1]}")
                product = change[f"{layer}{_THIN[1]}"] @ value
                made[f"{layer}.weight"] = made.get(f"{layer}.weight", 0) + self._fitting(
                    f"{layer}.weight", product, made
                )
        return made

    def _tensors(self) -> dict[str, Array]:
        from safetensors import SafetensorError, safe_open  # build time only

        try:
            with safe_open(str(self.path), "numpy") as stored:
                return {
                    name: np.asarray(stored.get_tensor(name), dtype=np.float32)
                    for name in stored.keys()  # noqa: SIM118 - it is no mapping
                }
        except SafetensorError as error:
            raise self._misfit(f"it is not readable ({error})") from error

    def _fitting(self, name: str, value: Array, into: Mapping[str, Array]) -> Array:
        if name not in into or into[name].shape != value.shape:
            raise self._misfit(f"the encoder has no {name} of shape {value.shape}")
        return value

    def _misfit(self, reason: str) -> Unavailable:
        return Unavailable(
            f"the pair reader's weights {self.path} do not fit: {reason}. Restore the file and run "
            "`make setup` (it installs the encoder's weights), or train it anew by "
            "scripts/train_pair_reader.py"
        )


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise Unavailable(
            f"the pair reader's weights are missing: {path}. Restore the file, or train it anew by "
            "scripts/train_pair_reader.py"
        ) from error
