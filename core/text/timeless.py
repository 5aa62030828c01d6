"""A question without the days that pick its versions, and its parts for each day compared.

The filter of a search stands for the day; in the wording it only hides what is asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from core.models.plan import Dimension
from core.models.request import ExtractedDate
from core.text.language import detect_language
from core.text.provenance import day_words
from core.text.sentences import split_sentences
from core.text.tokens import content_words, stem

_I = re.IGNORECASE
_NOW = r"(?:right now|now|today|currently|nowadays|these days|at present|at the moment)"
_LEADS = (
    r"(?:(?:that (?:was|were|applied) |which (?:was|were) )?(?:in force|valid|in effect|"
    r"applicable|effective)\s+(?:on|in|at|from|during|as of)|as (?:of|on|in)|back (?:on|in)|"
    r"starting(?: from)?|since|until|till|up to|before|after|between|from|during|on|in|at|by|of|"
    r"for)"
)
_DAY = "\0"
_NAMED = re.compile(
    rf"(?:,?\s*\b{_LEADS}\s+(?:the\s+)?)?{_DAY}"
    rf"(?:\s*,?\s*\b(?:and|or|versus|vs\.?|to|until)\s+(?:{_LEADS}\s+)?(?:{_DAY}|{_NOW}\b))?",
    _I,
)
_STRETCH = re.compile(rf"\b(?:between|from)\b[^?.!]{{0,20}}\b(?:and|to|until|till)\b\s+{_DAY}", _I)
_CHANGE = re.compile(r"\b(?:chang|differ|same|compar)\w*", _I)
_THEN = re.compile(r",?\s*\b(?:back then|at (?:that|the) time|then(?=\s*[?.,;!]|$))|当时|那时", _I)
_AGAIN = re.compile(
    rf",?\s*\b(?:compared (?:to|with)|versus|vs\.?|and|than|until|to|as of)\s+{_NOW}\b"
    rf"|\b{_NOW}\b|\b(?:previously|formerly|originally)\b|\bbefore(?=\s*[?.!,;]|$)"
    r"|\bbefore (?:the|that|this|it|they|your?)\b(?: \w+){0,3}? (?:chang\w+|updat\w+|amend\w+|"
    r"revis\w+)"
    r"|\b(?:old|previous|former|earlier|prior)\s+(?=(?:[\w-]+\s+){0,3}(?:version|polic(?:y|ies)|"
    r"rules?|terms|wording|conditions)\b)|现在|目前|如今|以前|之前|原来|原先",
    _I,
)
_ASKED_WHETHER = re.compile(
    r"^(?:so\s+)?(?:has|have|had|did|does|do|is|are|was|were)\s+"
    r"(?P<what>.+?)\s*\b(?:been\s+)?(?:chang(?:e|ed)|differ(?:ent|s)?|(?:stay(?:ed)?|still)?\s*"
    r"the same|updated?|amended|revised|altered)\b.{0,20}$",
    _I,
)
_HOW_CHANGED = re.compile(
    r"\b(?:how|what) (?:has|have|did) (?P<what>.+?) chang(?:e|ed)\b"
    r"|\bwhat (?:has )?changed (?:in|about|with) (?P<about>.+)",
    _I,
)
_DAY_IN_NAME = re.compile(r"\s*[(（][^()（）]*[)）]$")
_ASKED = re.compile(r"[?？]\s*$")
_POINTING = frozenset({"it", "that", "this", "they", "do", "be"})
_SPOKEN = frozenset(
    stem(word)
    for word in (
        "rule",
        "policy",
        "now",
        "today",
        "current",
        "currently",
        "change",
        "then",
        "same",
        "apply",
        "before",
        "still",
        "difference",
        "different",
        "new",
        "old",
        "version",
        "me",
        "one",
        "time",
    )
)


def without_days(text: str, dates: Sequence[ExtractedDate]) -> str:
    """``text`` without the phrases that name ``dates``.

    A stretch of days ("between 15 November and 31 December 2025") stays: a rule may be for it.
    Unchanged where no word would be left.
    """
    out = text
    for found in sorted(dates, key=lambda d: -len(d.text)):
        out = out.replace(found.text, _DAY)
    if _STRETCH.search(out) and not _CHANGE.search(out):
        return text
    out = _tidy(_THEN.sub("", _NAMED.sub(" ", out)).replace(_DAY, " "))
    return out if content_words(out) else text


def without_now(text: str) -> str:
    """``text`` without the words that set today beside another day."""
    out = _tidy(_AGAIN.sub("", text))
    return out if content_words(out) else text


def matters(parts: Sequence[str]) -> tuple[str, ...]:
    """What is asked about the days, each matter once: "and what is the rule now?" asks nothing new,
    "has the fee changed?" asks for the fee."""
    named = [_matter(part) for part in parts]
    kept: list[str] = []
    for at, part in enumerate(named):
        own = _words(part)
        said = any(own <= _words(p) for p in kept)
        if own and not said and not any(own < _words(p) for p in named[at + 1 :]):
            kept.append(part)
    return tuple(kept) or tuple(named[:1])


def with_statement(part: str, question: str) -> str:
    """An ask that only points back ("what was it?") with the rule the message states before it."""
    said = [s.text for s in split_sentences(question) if not _ASKED.search(s.text)]
    own = _words(part) - _POINTING
    if not said or len(own) > 1:
        return part
    return f"{part.rstrip(' ?？')}: {said[-1].rstrip('.。!')}?"


def for_each_day(
    dimensions: Sequence[Dimension], days: Sequence[date], *, today: date, undated: bool = False
) -> tuple[Dimension, ...]:
    """Every dimension that passages cover once for each day, the earlier day first.

    With ``undated`` the earlier day is not known yet: its dimension carries the day before
    everything (``date.min``) until the stored versions tell it.
    """
    asked = (date.min, *days) if undated else tuple(days)
    out: list[Dimension] = []
    for dimension in dimensions:
        if dimension.kind != "passage":
            out.append(dimension)
            continue
        out += [
            dimension.model_copy(
                update={"name": _on_day(dimension.name, day, today), "valid_on": day}
            )
            for day in asked
        ]
    return tuple(d.model_copy(update={"id": f"D{n}"}) for n, d in enumerate(out, start=1))


def at_last_dated(dimensions: Sequence[Dimension], day: date) -> tuple[Dimension, ...]:
    """The dimensions of ``for_each_day``, the earlier day known at last."""
    return tuple(
        d.model_copy(
            update={
                "valid_on": day,
                "name": _on_day(_DAY_IN_NAME.sub("", d.name), day, date.max),
            }
        )
        if d.valid_on == date.min
        else d
        for d in dimensions
    )


def _on_day(name: str, day: date, today: date) -> str:
    """The name with its day: ``today``, ``on 15 October 2020``, or ``before the change`` while the
    day is not known."""
    if detect_language(name) == "zh":
        words = "变更之前" if day == date.min else "今天" if day == today else day_words(day, "zh")
        return f"{name}（{words}）"
    if day == date.min:
        return f"{name} (before the change)"
    words = "today" if day == today else f"on {day_words(day, 'en')}"
    return f"{name} ({words})"


def _matter(part: str) -> str:
    for pattern in (_HOW_CHANGED, _ASKED_WHETHER):
        if match := pattern.search(part.rstrip(" ?？.")):
            found = next((g for g in match.groups() if g), "")
            if _words(found):
                return _tidy(found)
    return part


def _words(part: str) -> frozenset[str]:
    return frozenset(w for w in content_words(part) if w not in _SPOKEN)


def _tidy(text: str) -> str:
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r"\s+(?:and|or|than|compared(?: to| with)?|between)\s*(?=[?.!,;]|$)", "", text)
    text = re.sub(r"([？?])\s*呢[？?]", r"\1", text)
    text = re.sub(r"\s+([?.,;!？。，])", r"\1", text)
    text = re.sub(r"([,;，])(?=[?.!;？。])|([,;])(?=[,;])", "", text)
    text = re.sub(r"^[\s,;，]+", "", text).strip()
    return text[:1].upper() + text[1:]
