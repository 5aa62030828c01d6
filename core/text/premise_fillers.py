"""Another name or role in the place where a premise names one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import takewhile

from core.text.names import find_names, name_in
from core.text.opposites import CLASSES
from core.text.relevance import is_closed_list
from core.text.statements import Statement, families
from core.text.tokens import word_set

_REACH = 3
"""Terms behind the shared word among which the passage's own name must stand."""


def other_filler(premise: Statement, stated: Statement, passage: str) -> frozenset[str]:
    """The premise's words in whose place ``stated`` puts something else of the same kind; empty
    for none.

    The name of the premise must not occur in ``passage`` at all: it may be one of several.
    """
    if bool(premise.denied) != bool(stated.denied):
        return _beyond_list(premise, stated, passage) if stated.denied else frozenset()
    for rule in (_other_name, _other_agent, _other_member, _beyond_list):
        if found := rule(premise, stated, passage):
            return found
    return _other_rank(premise, stated)


def strangers(premise: Statement, passage: str) -> frozenset[str]:
    """The words of the premise's names that ``passage`` does not know."""
    foreign = [families(n) for n in _names(premise.text) if not name_in(n, passage)]
    return frozenset().union(*foreign)


def _other_agent(premise: Statement, stated: Statement, passage: str) -> frozenset[str]:
    """ "Approved by the finance team", "Finance approves" against "approved by a supervisor"."""
    theirs, known = _agents(stated), families(passage)
    for verb, agent in {**_subjects(premise, theirs), **_agents(premise)}.items():
        if verb in theirs and theirs[verb] != agent and not known & set(agent):
            return frozenset(agent)
    return frozenset()


def _subjects(premise: Statement, verbs: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    """Who does each of ``verbs`` in an active premise: the words in front of it."""
    terms = premise.terms
    return {
        verb: terms[:at]
        for at, verb in enumerate(terms)
        if verb in verbs and 0 < at <= _REACH and "by" not in terms and at + 1 < len(terms)
    }


def _beyond_list(premise: Statement, stated: Statement, passage: str) -> frozenset[str]:
    """ "You ship to Australia" against "only to the United States and Canada"."""
    foreign = strangers(premise, passage)
    closed = foreign and is_closed_list(stated.text) and _names(stated.text)
    return foreign if closed else frozenset()


_RANKS = word_set("first second third fourth fifth sixth seventh eighth ninth tenth last")


def _other_rank(premise: Statement, stated: Statement) -> frozenset[str]:
    """ "Her second studio album" against "her first studio album"."""
    mine, theirs = _ranked(premise), _ranked(stated)
    return frozenset(r for noun, r in mine.items() if theirs.get(noun, r) != r)


def _ranked(statement: Statement) -> dict[str, str]:
    terms = statement.terms
    return {
        terms[at + 1]: term
        for at, term in enumerate(terms[:-1])
        if term in _RANKS and terms[at + 1] not in _SLOTS
    }


def _agents(statement: Statement) -> dict[str, tuple[str, ...]]:
    """Who does what, where it is said with "by": the verb before it, the words behind it."""
    terms = statement.terms
    found: dict[str, tuple[str, ...]] = {}
    for at, term in enumerate(terms[:-1]):
        if term == "by" and at and terms[at + 1] not in _SLOTS:
            behind = tuple(takewhile(lambda t: t not in _SLOTS, terms[at + 1 : at + 3]))
            found[terms[at - 1]] = behind
    return found


def _other_name(premise: Statement, stated: Statement, passage: str) -> frozenset[str]:
    foreign = strangers(premise, passage)
    if not foreign:
        return frozenset()
    named = frozenset().union(*(families(n) for n in _names(stated.text))) - premise.words
    if not named:
        return frozenset()
    matcher = SequenceMatcher(None, premise.terms, stated.terms, autojunk=False)
    for kind, start, end, low, high in matcher.get_opcodes():
        mine = set(premise.terms[start:end])
        if kind == "replace" and start and mine & foreign and mine <= foreign | _GLUE:
            there = set(stated.terms[low : min(high, low + _REACH)])
            return foreign if there & named else frozenset()
    return frozenset()


_GLUE = word_set("of the and for")
_SLOTS = word_set("in on at by to from with of for # @")


def _other_member(premise: Statement, stated: Statement, passage: str) -> frozenset[str]:
    """Members of one class (days of the week, ways to reach us, who decides) exclude each other."""
    for pattern in _PATTERNS:
        mine = _members(pattern, premise.text)
        theirs = _members(pattern, stated.text)
        apart = mine and theirs and not mine & (theirs | _members(pattern, passage))
        if apart:
            return families(" ".join(mine))
    return frozenset()


def _members(pattern: re.Pattern[str], text: str) -> set[str]:
    return {found.lower() for found in pattern.findall(text)}


@lru_cache(maxsize=4096)
def _names(text: str) -> tuple[str, ...]:
    return find_names(text)


_PATTERNS = tuple(
    re.compile(
        "|".join(m if not m.isascii() else rf"\b{re.escape(m)}\b" for m in members), re.IGNORECASE
    )
    for members in CLASSES
)
