"""Finds a sentence word for word in a passage, whatever its blanks, marks and Markdown."""

from __future__ import annotations

import re

from core.text.plain import plain

_TOKEN = re.compile(
    r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+(?:[.,:'’][^\W_\u3400-\u9fff]+)*|[%$€£¥+<>=−-](?=\d)|(?<=\d)[%％]"
)
MIN_WORDS = 3


def find_quote(sentence: str, passage: str) -> tuple[int, int] | None:
    """Where all words of ``sentence`` stand in a row in ``passage`` (start, end), or ``None``.

    A row that begins in the middle of a sentence of the passage is no quotation: "Refunds are not
    final" does not say "are not final". Nor is one shorter than three words.
    """
    wanted = [t.lower() for t in _TOKEN.findall(plain(sentence))]
    if len(wanted) < MIN_WORDS:
        return None
    spans = [(m.group(0).lower(), m.start(), m.end()) for m in _TOKEN.finditer(passage)]
    words = [word for word, _, _ in spans]
    for at in range(len(words) - len(wanted) + 1):
        if words[at] == wanted[0] and words[at : at + len(wanted)] == wanted:
            start, end = spans[at][1], spans[at + len(wanted) - 1][2]
            if _whole(passage, start, end):
                return start, _with_stop(passage, end)
    return None


def _whole(passage: str, start: int, end: int) -> bool:
    """The row is bounded by sentence ends, line breaks, table cells or the passage's ends."""
    ahead = passage[:start].rstrip(" \t*_`>\"'“‘「(（")
    before = ahead.rstrip(" \t#-•|0123456789.)")  # the mark or number of a list item
    opens = (
        not before
        or ahead[-1] in ".!?。！？:：;；|"
        or before[-1] in "\n.!?。！？:：;；|"
        or passage[:start].endswith(("\n", "| "))
    )
    after = passage[end:].lstrip(" \t*_`\"'”’」)）")
    closes = not after or after[0] in "\n.!?。！？:：;；|"
    return opens and closes


def _with_stop(passage: str, end: int) -> int:
    return end + 1 if end < len(passage) and passage[end] in ".!?。！？" else end
