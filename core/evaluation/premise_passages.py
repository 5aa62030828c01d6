"""The passages that twins of premises are made over, and which of them only measure.

Fitting and measuring cut the same way and split by the same rule, so no passage is on both sides.
"""

from __future__ import annotations

import re
from hashlib import blake2b

PASSAGE = 1400
"""Characters of a passage, about; a longer paragraph stays whole."""


def body(text: str) -> str:
    """A governed document without its front matter."""
    return re.sub(r"^---.*?---\s*", "", text, flags=re.DOTALL)


def cut(text: str) -> list[str]:
    """Consecutive paragraphs up to about the size of an indexed passage."""
    out, current = [], ""
    for block in re.split(r"\n\s*\n", text):
        if current and len(current) + len(block) > PASSAGE:
            out.append(current)
            current = ""
        current = f"{current}\n\n{block}".strip()
    return [passage for passage in (*out, current) if passage]


def measures(passage: str) -> bool:
    """Whether a passage is among the third that is never fitted on."""
    return blake2b(passage.encode(), digest_size=4).digest()[0] % 3 == 0
