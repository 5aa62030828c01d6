"""Sentences of an answer with the markers that belong to each, placed in the text without markers.

A marker belongs to the sentence it stands in or directly behind.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from core.text.markers import MARKER, is_inference, strip_markers, with_markers
from core.text.sentences import split_sentences

_BARE_ITEM = re.compile(r"\s*(?:[-*•]|\d{1,2}[.)])\s*")


class CitedSentence(NamedTuple):
    """``start``/``end`` locate ``text`` in the plain text; ``evidence_ids`` in order of mention."""

    start: int
    end: int
    text: str
    evidence_ids: tuple[str, ...]
    inference: bool


class CitedText(NamedTuple):
    """The text without markers, and its sentences."""

    plain: str
    sentences: tuple[CitedSentence, ...]


def cited_sentences(markdown: str) -> CitedText:
    """Splits an answer into sentences and gives each its markers."""
    plain = strip_markers(markdown)
    spans = split_sentences(plain)
    owners: dict[int, list[str]] = {}
    for match in MARKER.finditer(markdown):
        at = len(strip_markers(markdown[: match.start()]).rstrip())
        index = max((i for i, span in enumerate(spans) if span.start < at), default=None)
        if index is not None:
            owners.setdefault(index, []).append(match.group(1))
    return CitedText(
        plain,
        tuple(
            CitedSentence(
                span.start,
                span.end,
                span.text,
                tuple(dict.fromkeys(owners.get(index, ()))),
                is_inference(span.text),
            )
            for index, span in enumerate(spans)
        ),
    )


def with_replaced(markdown: str, changes: Mapping[int, str]) -> str:
    """``markdown`` with the sentences of these indexes replaced, an empty text removing one.

    The other sentences keep their wording and markers; lines left empty by a removal go.
    """
    plain, sentences = cited_sentences(markdown)
    kept: list[str] = []
    at = 0
    for index, sentence in enumerate(sentences):
        kept.append(plain[at : sentence.start])
        kept.append(changes[index] if index in changes else _marked(sentence))
        at = sentence.end
    return _tidy("".join([*kept, plain[at:]]))


def _marked(sentence: CitedSentence) -> str:
    return with_markers(sentence.text, sentence.evidence_ids)


def _tidy(text: str) -> str:
    # One blank at the start of a line is what a removed sentence left; an indented list has more.
    lines = [re.sub(r"^ (?=\S)", "", line.rstrip()) for line in text.split("\n")]
    kept = [line for line in lines if not _BARE_ITEM.fullmatch(line)]
    out: list[str] = []
    for line in kept:
        if line or (out and out[-1]):
            out.append(line)
    return "\n".join(out).strip()
