"""A small, fast encoder: texts that share words lie near each other."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import numpy as np

from core.ports import Vectors

_WORD = re.compile(r"[a-z0-9]+")


class WordEncoder:
    """Each word pushes the vector in a direction of its own; only Latin script is known."""

    def __init__(self, dimension: int = 64, name: str = "words/1") -> None:
        self._dimension, self._name = dimension, name
        self.encoded: list[str] = []

    @property
    def fingerprint(self) -> str:
        return self._name

    @property
    def dimension(self) -> int:
        return self._dimension

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.encoded += texts
        rows = [self._vector(text) for text in texts]
        return np.asarray(rows, dtype=np.float32).reshape(len(texts), self._dimension)

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        return self.encode(texts)

    def knows(self, text: str) -> bool:
        letters = [letter for letter in text if letter.isalpha()]
        foreign = sum(1 for letter in letters if ord(letter) > 0x24F)
        return bool(letters) and foreign / len(letters) <= 0.25

    def _vector(self, text: str) -> Vectors:
        total = np.zeros(self._dimension, dtype=np.float32)
        for word in _WORD.findall(text.lower()):
            seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big")
            total += np.random.default_rng(seed).standard_normal(self._dimension)
        length = float(np.linalg.norm(total))
        return total / length if length else total
