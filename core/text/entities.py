"""Which of several things of one name a passage speaks of.

"Broken Bow" is a city in Nebraska and one in Oklahoma; a passage says which by brackets, by an
apposition, by its title, by a longer name, or by saying what it is. Two passages speak of different
things only where both say which, and differ; where one is silent nobody can tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from core.text.names import find_names
from core.text.tokens import STOP_WORDS, content_words, words

_QUOTED = re.compile(r"[\"“«「]\s*(?P<name>[^\"”»」]{2,80}?)\s*[\"”»」]")
_BRACKET = re.compile(r"\s*\(\s*(?P<mark>[^()]{2,60}?)\s*\)")
_PLACE = re.compile(
    r"\s*,\s*(?P<mark>[A-Z][\w.'’-]+(?:\s[A-Z][\w.'’-]+){0,3}"
    r"(?:\s*,\s*[A-Z][\w.'’-]+(?:\s[A-Z][\w.'’-]+){0,2}){0,2})"
)
_DEFINED = re.compile(
    r"\s*(?:\([^()]{0,120}\)\s*)?,?\s*(?:is|was|are|were)\s+(?:an?|the|one of the)\s+"
    r"(?P<mark>[^.;()]{3,110})"
)
_DOCUMENTS = frozenset(
    content_words(
        "faq policy policies post posts guide page version thread forum procedure handbook note "
        "notes draft update updates article wiki question answer reply upload table section about"
    )
)
"""What a title says of the document, not of the thing."""
_SHINGLE = 4
_COPIED, _COPIED_RUNS = 0.35, 9
"""Share and number of runs of four words that make one text the other's."""
_FEW = 2
_SAME_KIND, _OTHER_KIND = 0.35, 0.1
"""Share of the words that say what a thing is: one kind from here, another up to here."""
_SAID = 4
_OPENING = 90


class Thing(NamedTuple):
    """What one passage says of which thing it speaks: words for a person, and its marks by kind.

    Without marks the passage does not say which one it means.
    """

    label: str = ""
    bracket: frozenset[str] = frozenset()
    place: frozenset[str] = frozenset()
    title: frozenset[str] = frozenset()
    longer: frozenset[str] = frozenset()
    kind: frozenset[str] = frozenset()

    @property
    def named(self) -> tuple[frozenset[str], ...]:
        """The marks that belong to the name, in a fixed order; ``kind`` only says what it is."""
        return self.bracket, self.place, self.title, self.longer


@lru_cache(maxsize=512)
def asked_name(query: str) -> str:
    """The name the question asks about: what it quotes, else its longest name; empty without."""
    quoted = _QUOTED.search(query)
    if quoted:
        return quoted["name"]
    return max(find_names(query), key=lambda name: len(name.split()), default="")


@lru_cache(maxsize=2048)
def thing_of(name: str, text: str, title: str = "") -> Thing:
    """Which thing called ``name`` the passage speaks of, as far as it says so."""
    if not name:
        return Thing()
    own = frozenset(content_words(name))
    found: dict[str, tuple[str, frozenset[str]]] = {}
    if title and own & set(content_words(title)):
        _keep(found, "title", title, own | _DOCUMENTS, title)
    for kind, label, mark in _marks(name, text):
        _keep(found, kind, mark, own, label)
    ranked = [found[k][0] for k in ("title", "bracket", "place", "longer", "kind") if k in found]
    return Thing(ranked[0] if ranked else "", **{k: marks for k, (_, marks) in found.items()})


def apart(a: Thing, b: Thing) -> bool:
    """Whether both say which thing they mean and mean different ones."""
    told = [_told_apart(x, y) for x, y in zip(a.named, b.named, strict=True) if x and y]
    alike = _shared(a.kind, b.kind)
    if told:
        return all(told) and alike < _SAME_KIND
    return min(len(a.kind), len(b.kind)) >= _SAID and alike <= _OTHER_KIND


def named_apart(a: Thing, b: Thing) -> bool:
    """``apart`` by bracket or place alone, the marks that only a name carries."""
    told = [_told_apart(x, y) for x, y in zip(a.named[:2], b.named[:2], strict=True) if x and y]
    return bool(told) and all(told)


def _told_apart(a: frozenset[str], b: frozenset[str]) -> bool:
    """ "1977 film" and "1987 film" are two, "film" and "1987 film" may be one."""
    return bool(a - b) and bool(b - a)


def _shared(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / len(a | b) if a and b else 0.0


def copied(a: str, b: str) -> bool:
    """Whether one text is largely the other's, word for word: the same account, perhaps altered."""
    left, right = _shingles(a), _shingles(b)
    shared = len(left & right)
    return shared >= max(_COPIED_RUNS, _COPIED * min(len(left), len(right)))


def _keep(
    found: dict[str, tuple[str, frozenset[str]]],
    kind: str,
    mark: str,
    own: frozenset[str],
    label: str,
) -> None:
    marks = frozenset(content_words(mark)) - own
    if marks and kind not in found:
        found[kind] = (" ".join(label.split()), marks)


def _marks(name: str, text: str) -> Iterator[tuple[str, str, str]]:
    """(kind, label, distinguishing words) where the text first names the thing."""
    pattern = r"\s+".join(re.escape(part) for part in name.split())
    at = re.search(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE)
    if at:
        if (bracket := _BRACKET.match(text, at.end())) and _tells(bracket["mark"]):
            yield "bracket", f"{at[0]} ({bracket['mark']})", bracket["mark"]
        if place := _PLACE.match(text, at.end()):
            mark = re.split(pattern, place["mark"], flags=re.IGNORECASE)[0].strip(" ,")
            yield "place", f"{at[0]}, {mark}", mark
    for place in re.finditer(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE):
        if defined := _DEFINED.match(text, place.end()):
            mark = " ".join(defined["mark"].split()[:12])
            yield "kind", f"{place[0]}, {mark}", mark
            break
    yield from _longer(name, text[:_OPENING])


def _tells(mark: str) -> bool:
    """A bracket with a word in it that is no date of birth, abbreviation or translation."""
    return not set(mark) & set(":：;") and any(
        word.isalpha() and len(word) > _FEW for word in words(mark)
    )


def _longer(name: str, text: str) -> Iterator[tuple[str, str, str]]:
    """Names of the passage that hold the asked one with more around it."""
    asked = [word.casefold() for word in name.split()]
    telling = [word for word in asked if word not in STOP_WORDS]
    for other in find_names(text)[:1]:
        held = [word.casefold() for word in other.split()]
        extra = len(held) - len(asked)
        if telling and 0 < extra <= _FEW and telling[-1] in held and set(telling) <= set(held):
            yield "longer", other, other


@lru_cache(maxsize=1024)
def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    said = words(text)
    return frozenset(said[i : i + _SHINGLE] for i in range(len(said) - _SHINGLE + 1))
