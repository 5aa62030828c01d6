"""Two texts as one row of tokens: ``[CLS] first [SEP] second [SEP]``.

Training and use cut the texts here, so that both read the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from core.errors import Unavailable

FIRST_TOKENS = 64
"""Tokens of the first text that are read."""


class PairRow(NamedTuple):
    """Token ids; ``first`` of them, the opening mark and the first closing mark included, belong
    to the first text (token type 0), the others to the second (token type 1)."""

    ids: list[int]
    first: int


def pair_rows(tokenizer: Any, pairs: Sequence[tuple[str, str]], max_tokens: int) -> list[PairRow]:
    """The rows of ``pairs`` in order, each of at most ``max_tokens`` tokens.

    ``tokenizer`` neither truncates nor pads. Raises ``Unavailable`` where it lacks the marks.
    """
    opening, closing = (_mark(tokenizer, name) for name in ("[CLS]", "[SEP]"))
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    encoded = tokenizer.encode_batch_fast(texts, add_special_tokens=False)
    held = {text: entry.ids for text, entry in zip(texts, encoded, strict=True)}
    rows = []
    for first, second in pairs:
        head = [opening, *held[first][: min(FIRST_TOKENS, max_tokens - 3)], closing]
        rows.append(
            PairRow([*head, *held[second][: max_tokens - len(head) - 1], closing], len(head))
        )
    return rows


def _mark(tokenizer: Any, name: str) -> int:
    number = tokenizer.token_to_id(name)
    if number is None:
        raise Unavailable(f"the pair reader's tokenizer has no {name} mark; use the packaged model")
    return int(number)
