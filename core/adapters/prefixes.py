"""What some models want to read before a question or a passage."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Literal

Role = Literal["query", "passage"]

_NAMES: dict[Role, tuple[str, ...]] = {
    "query": ("query",),
    "passage": ("document", "passage", "corpus"),
}


def own_prefix(role: Role, prompts: Mapping[str, str], default: str | None) -> str:
    """The prefix for a role out of a model's own prompts, as sentence-transformers chooses it.

    ``default`` names the prompt that the model puts before every text without a role.
    """
    chosen = next((name for name in _NAMES[role] if name in prompts), default)
    return prompts.get(chosen or "", "")


def prefix_mark(query: str, passage: str) -> str:
    """What a fingerprint says of the prefixes: nothing where there are none."""
    if not (query or passage):
        return ""
    return "/" + hashlib.sha256(f"{query}\0{passage}".encode()).hexdigest()[:8]
