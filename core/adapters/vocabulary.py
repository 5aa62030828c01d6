"""Whether a model's vocabulary covers a text, so that its vector may have a vote."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

_OPAQUE_LIMIT = 0.25
_OTHER_SCRIPTS = 0.2
_LAST_LATIN = 0x24F  # end of the block Latin Extended-B
_LONGEST_WORD = 100  # WordPiece gives up on longer ones


class Vocabulary:
    """Judges token lists. Opaque tokens are unknown ones and, where the vocabulary is Latin,
    pieces in another script: there they are single letters without meaning to the model.
    """

    def __init__(self, tokens: Iterable[str], *, unknown: str | None) -> None:
        self._unknown = unknown
        listed = list(tokens)
        foreign = sum(1 for token in listed if _foreign(token))
        self._latin_only = foreign < _OTHER_SCRIPTS * len(listed)

    def covers(self, tokens: Sequence[str]) -> bool:
        """Whether at most a quarter of ``tokens`` is opaque; nothing at all is not covered."""
        opaque = sum(1 for token in tokens if token == self._unknown or self._unread(token))
        return bool(tokens) and opaque / len(tokens) <= _OPAQUE_LIMIT

    def _unread(self, token: str) -> bool:
        return self._latin_only and _foreign(token)


def unknown_token(tokenizer: Any) -> str | None:
    """The token a ``tokenizers`` tokenizer gives for what it cannot read."""
    model = tokenizer.model
    named = getattr(model, "unk_token", None)
    number = getattr(model, "unk_id", None)
    return named if named or number is None else tokenizer.id_to_token(number)


def plainly_known(text: str) -> bool:
    """Whether ``text`` is covered by any vocabulary with Latin letters: no need to cut it up."""
    if not text.isascii():
        return False
    words = text.split()
    return any(map(str.isalnum, text)) and max(map(len, words)) <= _LONGEST_WORD


def _foreign(token: str) -> bool:
    return any(ord(letter) > _LAST_LATIN and letter.isalpha() for letter in token)
