"""What a passage answers to a yes/no question: here, whether it says no."""

from __future__ import annotations

import re

from core.text.premise import denial
from core.text.presupposition import Presupposition
from core.text.sentences import split_sentences
from core.text.tokens import content_words

_AUX = re.compile(
    r"^(?:so |and |but |then )?(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|"
    r"had)\s+",
    re.I,
)
_CAPITALISED = re.compile(
    r"[\"“'‘](?P<q>[A-Z][^\"”’]{2,60}?)[\"”’'](?!\w)|[A-Z0-9][\w&'’.-]*(?:\s+(?:(?:of|the|and|for|de|von)\s+){0,2}[A-Z0-9][\w&'’.-]*)*"
)
_SHORT = 18


def answered_no(query: str, text: str, context: str = "") -> float:
    """How surely ``text`` answers a yes/no question with no, 0..1.

    Either it denies the thing asked, or it states the same relation of the same subject with
    another name in the place of the one asked about.
    """
    asked = _AUX.sub("", query.strip().rstrip("?").strip())
    denied = denial([Presupposition(asked, "statement")], text, query=query, context=context)
    return max(denied.score if denied else 0.02, _another_name(asked, text))


def _another_name(asked: str, text: str) -> float:
    """The passage names the subject and the relation, but another object than the one asked for."""
    names = [frozenset(content_words(m[0])) for m in _CAPITALISED.finditer(asked)]
    names = [name for name in names if name]
    named = frozenset().union(*names)
    wanted = frozenset(content_words(asked))
    best = 0.0
    for sentence in split_sentences(text):
        held = frozenset(content_words(sentence.text))
        if len(held) > _SHORT or not any(name <= held for name in names) or held <= wanted:
            continue
        relation = wanted - named
        shared = len(relation & held) / len(relation) if relation else 0.5
        if any(len(name & held) * 2 <= len(name) and not name <= held for name in names):
            best = max(best, 0.45 + 0.2 * shared)
        elif relation - held and len(names) == 1:
            best = max(best, 0.15 + 0.2 * shared)
    return best
