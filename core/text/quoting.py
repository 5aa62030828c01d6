"""Finds sentences of one text that repeat the wording of another."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.text.plain import plain
from core.text.sentences import split_sentences

RUN = 8
"""So many words in a row (or twelve CJK characters) are a quotation, not a coincidence."""
SHORT = 5
"""A whole sentence of at least so many words found inside the other text is one as well."""

_TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+", re.UNICODE)


def quoted_sentences(text: str, source: str, *, unless_in: Sequence[str] = ()) -> tuple[str, ...]:
    """Sentences of ``text`` that repeat ``source`` word for word, and none of ``unless_in``."""
    haystack = _joined(source)
    open_stacks = [_joined(other) for other in unless_in]
    found = []
    for span in split_sentences(text):
        tokens = _tokens(span.text)
        if _repeats(tokens, haystack) and not any(_repeats(tokens, o) for o in open_stacks):
            found.append(span.text.strip())
    return tuple(found)


def _repeats(tokens: list[str], haystack: str) -> bool:
    run = 12 if tokens and _is_cjk(tokens[0]) else RUN
    if SHORT <= len(tokens) <= run:
        return f" {' '.join(tokens)} " in haystack
    return any(
        f" {' '.join(tokens[i : i + run])} " in haystack for i in range(len(tokens) - run + 1)
    )


def _joined(text: str) -> str:
    return f" {' '.join(_tokens(text))} "


def _tokens(text: str) -> list[str]:
    return [t.lower() for t in _TOKEN.findall(plain(text))]


def _is_cjk(token: str) -> bool:
    return "\u3400" <= token[0] <= "\u9fff"
