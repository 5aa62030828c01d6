"""Facts written as one line, "subject — attribute: value", and what a question makes of them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from core.text.statements import families
from core.text.tokens import content_words, stem


class Fact(NamedTuple):
    """One line of a fact sheet; ``quote`` is its exact span."""

    subject: str
    attribute: str
    value: str
    quote: str


_LINE = re.compile(
    r"^[ \t>*•|-]{0,4}(?P<subject>[^\n:：|]{1,90}?)\s+[—–-]{1,2}\s+(?P<attribute>[^\n:：|]{2,60})"
    r"\s*[:：]\s*(?P<value>[^\n]{1,120}?)[ \t|]*$",
    re.M,
)
_SAME_THING = tuple(
    frozenset(stem(word) for word in group.split())
    for group in (
        "die died death dead",
        "born birth birthplace",
        "married marry spouse wife husband",
        "reside residence live lives home",
        "star cast play member actor actress",
        "religion affiliated belief faith",
        "border adjacent neighbour neighbor",
        "citizen citizenship national nationality",
        "employed employer work works job occupation profession",
        "educated attend study graduate",
        "twinned sister partner",
        "member belong",
        "edit edited editor",
        "part include contain has",
        "origin from made",
        "author writer write wrote written screenwriter",
        "founder founded found established formation formed",
        "owner own owned owns",
        "branch serve served associated military army",
        "approve approver approved approves",
        "contact responsible owner",
    )
)
_PREFIX = 5
"""Words that begin alike are taken to be of one root: director and directed."""


@lru_cache(maxsize=1024)
def find_facts(text: str) -> tuple[Fact, ...]:
    """The fact lines of ``text``, in order."""
    return tuple(
        Fact(m["subject"].strip(), m["attribute"].strip(), m["value"].strip(), m[0].strip(" \t|"))
        for m in _LINE.finditer(text)
    )


def speaks_of(fact: Fact, proposition: str) -> bool:
    """Whether the proposition names the subject and speaks of this attribute."""
    subject = families(fact.subject) or frozenset({fact.subject.lower()})
    said = families(proposition) | frozenset(proposition.lower().split())
    if not subject <= said:
        return False
    rest = _roots(proposition) - _roots(fact.subject)
    return any(_related(a, b) for a in _roots(fact.attribute) for b in rest)


def other_value_asked(fact: Fact, proposition: str) -> bool:
    """Whether the proposition names something that is not the value the fact gives."""
    if fact.value.lower() in proposition.lower():
        return False
    value = families(fact.value)
    said = families(proposition) - families(fact.subject)
    if value and value <= said:
        return False
    attribute = _roots(fact.attribute)
    filler = [w for w in said - value if not any(_related(w, a) for a in attribute)]
    return bool(filler)


def _roots(text: str) -> frozenset[str]:
    return frozenset(content_words(text))


def _related(a: str, b: str) -> bool:
    if a == b or (min(len(a), len(b)) >= _PREFIX and a[:_PREFIX] == b[:_PREFIX]):
        return True
    return any(a in group and b in group for group in _SAME_THING)
