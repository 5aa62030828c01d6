"""A training pair of the pair reader, and the sets of claims that pairs are made from."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from core.adapters.pair_window import pair_text
from scripts.gate_rows import read

Inference = Literal[
    "entailment", "neutral", "contradiction", "not_entailment", "not_contradiction", ""
]


class Pair(NamedTuple):
    """Two texts and what is known of them; ``None`` and ``""`` mean not known."""

    first: str
    second: str
    source: str
    relevant: float | None = None
    evidence: float | None = None
    nli: Inference = ""
    weight: float = 1.0


def pair_of(
    query: str, text: str, title: str, source: str,
    relevant: float | None, evidence: float | None, weight: float = 1.0, nli: Inference = "",
) -> Pair:  # fmt: skip
    """The pair cut as the gate cuts it when it reads."""
    first, second = pair_text(query, text, title)
    return Pair(first, second, source, relevant, evidence, nli, weight)


def training_rows(name: str) -> list[dict[str, Any]]:
    """All rows of a set of claims or inferences that is kept for training alone."""
    return read("training", f"{name}/train_{name}.jsonl")
