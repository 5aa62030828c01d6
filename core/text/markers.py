"""Citation markers ``[#EVID-0001]`` and inference tags inside a draft."""

from __future__ import annotations

import re
from collections.abc import Sequence

MARKER = re.compile(r"\[#(EVID-\d{4,})\]")
"""One citation marker; group 1 is the evidence id."""

_WITH_SPACE = re.compile(r"[ \t]*\[#EVID-\d{4,}\]")

INFERENCE_TAGS = (
    "[inference, not in the sources]",
    "[inference]",
    "【AI推演，非原文数据】",
    "【AI推演】",
)


def strip_markers(markdown: str) -> str:
    """The text as people read it: markers and the space before them are gone."""
    return _WITH_SPACE.sub("", markdown)


def markers_in(sentence: str) -> tuple[str, ...]:
    """Evidence ids named in the sentence, in order, each once."""
    return tuple(dict.fromkeys(MARKER.findall(sentence)))


def with_markers(sentence: str, ids: Sequence[str]) -> str:
    """The sentence with a marker for each id at its end (none is repeated)."""
    bare = sentence.rstrip()
    missing = [i for i in dict.fromkeys(ids) if i not in markers_in(bare)]
    return bare + "".join(f" [#{i}]" for i in missing)


def is_inference(sentence: str) -> bool:
    """Whether the sentence opens with an inference tag (list markers before it do not count)."""
    opening = sentence.lstrip(" \t-*•>0123456789.)").casefold()
    return any(opening.startswith(tag.casefold()) for tag in INFERENCE_TAGS)
