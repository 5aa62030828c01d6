"""Whether two wordings give one value: rounding, notation and aliases aside."""

from __future__ import annotations

import re

from core.text.dates import absolute_dates
from core.text.polarity import negated
from core.text.quantities import find_quantities, same_quantity
from core.text.tokens import content_words

_ALIASES = (
    ("united states of america", "united states", "u.s.a.", "u.s.", "usa", "us", "america"),
    ("united kingdom", "great britain", "u.k.", "uk", "britain"),
    ("european union", "e.u.", "eu"),
    ("united arab emirates", "u.a.e.", "uae"),
    ("people's republic of china", "prc", "china"),
    ("new york city", "nyc"),
    ("national basketball association", "nba"),
    ("national football league", "nfl"),
    ("association football", "soccer"),
)
"""Spellings of one name; compared whole, so "US" inside another name is none."""
_SAME_NAME = {word: group[0] for group in _ALIASES for word in group}
_ARTICLE = re.compile(r"^(?:the|an?|about|around|approximately|some|circa|c\.)\s+", re.IGNORECASE)


def same_value(a: str, b: str) -> bool:
    """Whether two wordings give one value: equal amounts, dates that agree as far as both are
    named, or names of which one contains the other or stands for it."""
    plain_a, plain_b = _plain(a), _plain(b)
    if plain_a == plain_b:
        return True
    dated = _same_day(a, b)
    if dated is not None:
        return dated
    left, right = find_quantities(a), find_quantities(b)
    if len(left) == len(right) == 1:
        alike = same_quantity(left[0], right[0])
        if alike != "incomparable":
            return alike == "same"
    if negated(a) != negated(b):
        return False
    words_a, words_b = set(content_words(plain_a)), set(content_words(plain_b))
    if not words_a or not words_b:
        return False
    return words_a <= words_b or words_b <= words_a


def _same_day(a: str, b: str) -> bool | None:
    left, right = absolute_dates(a), absolute_dates(b)
    if not left or not right:
        return None
    x, y = left[0], right[0]
    return all(
        p is None or q is None or p == q
        for p, q in ((x.year, y.year), (x.month, y.month), (x.day, y.day))
    )


def _plain(value: str) -> str:
    text = _ARTICLE.sub("", " ".join(value.split()).casefold()).strip(" .,;:")
    return _SAME_NAME.get(text, text)
