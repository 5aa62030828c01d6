"""What the pair reader reads of a passage: the sentences nearest to the question, in their order.

A long passage would cost as much as ten short ones, and the sentence that answers mostly shares
words with the question or stands beside one that does. Training and use cut the text alike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from core.text.sentences import split_sentences
from core.text.tokens import content_words

_BUDGET = 640
"""Characters of the passage that are read: about 150 tokens."""
_QUESTION = 320
_HEADING = 100
_NEIGHBOUR = 0.3
"""What a sentence gains from standing beside one that shares words with the question."""
_SPACE = re.compile(r"\s+")


class _Sentence(NamedTuple):
    place: int
    text: str
    words: frozenset[str]


def pair_text(question: str, text: str, context: str) -> tuple[str, str]:
    """The two texts the pair reader is given: the question, and ``context: sentences``.

    ``context`` is title and headings. A text of up to 640 characters is read whole; of a longer
    one the sentences that share the rarest words with the question, and their neighbours.
    """
    asked = _SPACE.sub(" ", question).strip()[:_QUESTION]
    heading = _SPACE.sub(" ", context).strip()[-_HEADING:]
    window = _window(asked, text)
    return asked, f"{heading}: {window}" if heading else window


def _window(question: str, text: str) -> str:
    whole = _SPACE.sub(" ", text).strip()
    if len(whole) <= _BUDGET:
        return whole
    sentences = [
        _Sentence(place, _SPACE.sub(" ", span.text).strip(), frozenset(content_words(span.text)))
        for place, span in enumerate(split_sentences(text))
    ]
    if len(sentences) < 2:
        return whole[:_BUDGET]
    kept: list[_Sentence] = []
    room = _BUDGET
    for sentence in _nearest(question, sentences):
        if kept and len(sentence.text) > room:
            continue
        kept.append(sentence)
        room -= len(sentence.text) + 1
        if room < 40:
            break
    kept.sort(key=lambda sentence: sentence.place)
    return " ".join(sentence.text for sentence in kept)[:_BUDGET]


def _nearest(question: str, sentences: Sequence[_Sentence]) -> list[_Sentence]:
    """Best first; of equal ones the earlier."""
    wanted = set(content_words(question))
    spread = Counter(word for sentence in sentences for word in sentence.words & wanted)
    own = [sum(1 / spread[word] for word in sentence.words & wanted) for sentence in sentences]
    near = [
        value
        + _NEIGHBOUR * max(own[at - 1] if at else 0.0, own[at + 1] if at + 1 < len(own) else 0.0)
        for at, value in enumerate(own)
    ]
    return sorted(sentences, key=lambda sentence: (-near[sentence.place], sentence.place))
