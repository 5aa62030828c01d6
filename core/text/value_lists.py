"""Two lists of the same things of which one holds what the other does not."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from core.text.answer_type import expected_type
from core.text.polarity import negated
from core.text.scope import scope_words
from core.text.sentences import split_sentences
from core.text.tokens import content_words

_SEPARATOR = re.compile(r"\s*(?:,|;|、|，|；)\s*(?:and|or|以及|和|或)?\s*|\s+(?:and|or)\s+", re.I)
_LEAD = re.compile(r"^.*?(?:[:：]|\b(?:are|is|from|include[sd]?|including|match(?:es)?|accepts?"
                   r"|covers?|ships? to|by|of|at|with|such as|e\.g\.)\b)\s*", re.I)  # fmt: skip
_BULLET = re.compile(r"^[ \t]*(?:[-*•·]|\d{1,2}[.)])[ \t]+(?P<item>\S.{0,60}?)[ \t]*$", re.M)
_ASKS = re.compile(
    r"\b(?:which|what) (?:\w+ ){0,2}(?:\w+s|people) (?:do|does|are|can|will|may|count|belong)\b"
    r"|\b(?:which|what) of\b|\bon the list\b|\blists?\b|\binclud|哪些|包括|名单",
    re.I,
)
_LEAST, _SHARED = 3, 2
_LONGEST = 5
"""Words of one item; what is longer is a sentence, not an item."""
_ASKED = 0.3


class _List(NamedTuple):
    items: dict[frozenset[str], str]
    quote: str


def list_disagreement(
    query: str, left: str, right: str
) -> tuple[tuple[str, str], tuple[str, str]] | None:
    """("lists X", sentence) and ("does not list X", sentence) where two lists of ``left`` and
    ``right`` share most items, answer ``query``, and differ in one it names or in any."""
    if not _ASKS.search(query) and expected_type(query) != "yes_no":
        return None
    wanted = frozenset(content_words(query))
    for a in _lists(left):
        for b in _lists(right):
            if not _comparable(a, b) or scope_words(a.quote) != scope_words(b.quote):
                continue
            more, fewer = set(a.items) - set(b.items), set(b.items) - set(a.items)
            named = next((i for i in (*more, *fewer) if i <= wanted), None)
            asks_for_list = _about(wanted, a.quote) and _about(wanted, b.quote)
            chosen = named or (_only(more, fewer) if asks_for_list else None)
            if chosen:
                return _sides(a, b, chosen)
    return None


def _sides(a: _List, b: _List, item: frozenset[str]) -> tuple[tuple[str, str], tuple[str, str]]:
    words = a.items.get(item) or b.items[item]
    one, other = f"lists {words}", f"does not list {words}"
    if item in a.items:
        return (one, a.quote), (other, b.quote)
    return (other, a.quote), (one, b.quote)


def _only(more: set[frozenset[str]], fewer: set[frozenset[str]]) -> frozenset[str] | None:
    """The one item in which two lists differ that are otherwise the same."""
    extra = [*more, *fewer]
    return extra[0] if len(extra) == 1 else None


def _comparable(a: _List, b: _List) -> bool:
    shared = len(set(a.items) & set(b.items))
    return shared >= _SHARED and 2 * shared >= min(len(a.items), len(b.items))


def _about(wanted: frozenset[str], quote: str) -> bool:
    return bool(wanted) and len(wanted & set(content_words(quote))) >= _ASKED * len(wanted)


@lru_cache(maxsize=512)
def _lists(text: str) -> tuple[_List, ...]:
    found = [_inline(s.text) for s in split_sentences(text) if not negated(s.text)]
    bullets = [m["item"] for m in _BULLET.finditer(text)]
    if len(bullets) >= _LEAST:
        found.append(_list_of(bullets, "; ".join(bullets)))
    return tuple(one for one in found if len(one.items) >= _LEAST)


def _inline(sentence: str) -> _List:
    parts = _SEPARATOR.split(sentence.rstrip(".。 "))
    if len(parts) < _LEAST:
        return _List({}, sentence)
    first = _LEAD.sub("", parts[0])
    return _list_of([first, *parts[1:]], sentence)


def _list_of(items: list[str], quote: str) -> _List:
    kept: dict[frozenset[str], str] = {}
    for item in items:
        words = frozenset(content_words(item))
        if 0 < len(words) <= _LONGEST:
            kept[words] = item.strip()
    return _List(kept, quote)
