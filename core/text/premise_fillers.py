"""Another name or role in the place where a premise names one."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache

from core.text.names import find_names, name_in
from core.text.opposites import CLASSES
from core.text.statements import Statement, families

_REACH = 3
"""Terms behind the shared word among which the passage's own name must stand."""


def other_filler(premise: Statement, stated: Statement, passage: str) -> bool:
    """Whether ``stated`` puts something else of the same kind where the premise names one.

    The name of the premise must not occur in ``passage`` at all: it may be one of several.
    """
    if bool(premise.denied) != bool(stated.denied):
        return False
    return (
        _other_name(premise, stated, passage)
        or _other_rank(premise, stated)
        or _other_agent(premise, stated, passage)
        or _other_member(premise, stated, passage)
    )


def strangers(premise: Statement, passage: str) -> frozenset[str]:
    """The words of the premise's names that ``passage`` does not know."""
    foreign = [families(n) for n in _names(premise.text) if not name_in(n, passage)]
    return frozenset().union(*foreign)


def _other_agent(premise: Statement, stated: Statement, passage: str) -> bool:
    """ "Approved by the finance team" against "approved by a supervisor"."""
    mine, theirs = _agents(premise), _agents(stated)
    known = families(passage)
    return any(
        verb in theirs and theirs[verb] != agent and agent not in known
        for verb, agent in mine.items()
    )


_RANKS = frozenset("first second third fourth fifth sixth seventh eighth ninth tenth last".split())


def _other_rank(premise: Statement, stated: Statement) -> bool:
    """ "Her second studio album" against "her first studio album"."""
    mine, theirs = _ranked(premise), _ranked(stated)
    return any(noun in theirs and theirs[noun] != rank for noun, rank in mine.items())


def _ranked(statement: Statement) -> dict[str, str]:
    terms = statement.terms
    return {
        terms[at + 1]: term
        for at, term in enumerate(terms[:-1])
        if term in _RANKS and terms[at + 1] not in _SLOTS
    }


def _agents(statement: Statement) -> dict[str, str]:
    terms = statement.terms
    return {
        terms[at - 1]: terms[at + 1]
        for at, term in enumerate(terms[:-1])
        if term == "by" and at and terms[at + 1] not in "#@"
    }


def _other_name(premise: Statement, stated: Statement, passage: str) -> bool:
    foreign = strangers(premise, passage)
    if not foreign:
        return False
    named = frozenset().union(*(families(n) for n in _names(stated.text))) - premise.words
    if not named:
        return False
    matcher = SequenceMatcher(None, premise.terms, stated.terms, autojunk=False)
    for kind, start, end, low, high in matcher.get_opcodes():
        mine = set(premise.terms[start:end])
        if kind == "replace" and start and mine & foreign and mine <= foreign | _GLUE:
            return bool(set(stated.terms[low : min(high, low + _REACH)]) & named)
    return False


_GLUE = frozenset("of the and for".split())
_SLOTS = frozenset("in on at by to from with of for # @".split())


def _other_member(premise: Statement, stated: Statement, passage: str) -> bool:
    """Members of one class (days of the week, ways to reach us, who decides) exclude each other."""
    for members, pattern in zip(CLASSES, _PATTERNS, strict=True):
        mine = {m.lower() for m in pattern.findall(premise.text)}
        theirs = {m.lower() for m in pattern.findall(stated.text)}
        if mine and theirs and not mine & theirs and members:
            if not mine & {m.lower() for m in pattern.findall(passage)}:
                return True
    return False


@lru_cache(maxsize=4096)
def _names(text: str) -> tuple[str, ...]:
    return find_names(text)


_PATTERNS = tuple(
    re.compile(
        "|".join(m if not m.isascii() else rf"\b{re.escape(m)}\b" for m in members), re.IGNORECASE
    )
    for members in CLASSES
)
