"""Sentences that say who says something, or of what: the lines of a conflict or of two readings.

Written and read back here alone, so that validation can check both the quotation and the name it
is put under.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Kind = Literal["source", "only", "thing"]

_FORMS: dict[str, dict[Kind, str]] = {
    "en": {
        "source": "According to “{of}”{more}: “{quote}”",
        "only": "Only “{of}” says: “{quote}”",
        "thing": "About “{of}”: “{quote}”",
    },
    "zh": {
        "source": "根据“{of}”{more}：“{quote}”",
        "only": "只有“{of}”说：“{quote}”",
        "thing": "关于“{of}”：“{quote}”",
    },
}
_MORE = {"en": " and {n} more", "zh": "等{n}处"}
_LINE = re.compile(
    r"^(?:(?P<source>According to|根据)|(?P<only>Only|只有)|(?P<thing>About|关于)) ?"
    r"“(?P<of>[^“”]{1,160})”(?: and \d{1,2} more|等\d{1,2}处| says|说)?[:：] ?"
    r"“(?P<quote>[^“”]+)”\.?$"
)
_LONGEST = 260
_BOUNDS = "…"


class Attributed(NamedTuple):
    """``quote`` as ``of`` gives it, or as it holds of the thing called ``of``."""

    kind: Kind
    of: str
    quote: str


def attribute(kind: Kind, of: str, quote: str, language: str, *, more: int = 0) -> str:
    """The line that quotes ``quote``. ``more`` further sources say the same."""
    also = _MORE[language].format(n=more) if more else ""
    return _FORMS[language][kind].format(of=_inner(of), quote=_inner(quote), more=also)


def attributed(sentence: str) -> Attributed | None:
    """What such a line says, ``None`` for any other sentence."""
    match = _LINE.match(" ".join(sentence.split()))
    if match is None:
        return None
    kinds: tuple[Kind, ...] = ("source", "only", "thing")
    kind = next(kind for kind in kinds if match[kind])
    return Attributed(kind, match["of"], match["quote"])


def quoted_place(quote: str, passage: str) -> tuple[int, int] | None:
    """Where the passage holds the quotation word for word; dots at its ends stand for more."""
    wanted = quote.strip(f" {_BOUNDS}")
    pattern = r"\s+".join(re.escape(part) for part in _inner(wanted).split())
    match = re.search(pattern, _straight(passage)) if wanted else None
    return match.span() if match else None


def around(quote: str, value: str) -> str:
    """``quote``, where it is long only the part around ``value``, cut between words."""
    if len(quote) <= _LONGEST:
        return quote
    at = max(0, quote.find(value))
    start = max(0, min(at - _LONGEST // 2, len(quote) - _LONGEST))
    end = start + _LONGEST
    start = quote.find(" ", start) + 1 if start else 0
    end = quote.rfind(" ", start, end) if end < len(quote) else len(quote)
    head, tail = (_BOUNDS if start else ""), (_BOUNDS if end < len(quote) else "")
    return f"{head}{quote[start:end].strip()}{tail}"


def _inner(text: str) -> str:
    """One line without double quotation marks, which would end the slot early."""
    return " ".join(_straight(text).split())


def _straight(text: str) -> str:
    """Of the same length, so that places in it are places in the text."""
    return re.sub(r"[“”\"「」]", "'", text)
