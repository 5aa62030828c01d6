"""What a policy forbids, allows and makes depend on something, clause by clause.

A clause is read, never understood: which acts it speaks of, what it is about, whether it denies or
allows, and under which conditions. Deciding whether it bears on a request is done elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from core.text.requests_acts import acts_in, matters, other_acts
from core.text.restrictions_parts import Condition, either, taken_apart
from core.text.restrictions_words import (
    ALL_OF,
    ALLOWS,
    ANY_OF,
    APPROVAL,
    DENIES,
    NO_RULE,
    PARTIAL,
    STAFF,
    STATES,
    denial,
)
from core.text.sentences import Span, split_sentences
from core.text.tokens import stem, word_set

_LONGEST = 700
"""Characters of a sentence: what is longer is no rule but a row or a listing."""
Force = Literal["forbids", "allows", "needs_approval"]


class Clause(NamedTuple):
    """One rule of a passage, ``source[start:end] == text``.

    ``acts`` are those it speaks of (empty: any act), ``about`` the stems of what it is about.
    ``any_of`` says that one of several conditions suffices. ``approver`` decides it, if anybody.
    ``partial`` marks a ban on treating a part unlike the rest ("for just one segment").
    """

    start: int
    end: int
    text: str
    force: Force
    acts: frozenset[str]
    about: frozenset[str]
    conditions: tuple[Condition, ...] = ()
    any_of: bool = False
    approver: str = ""
    heading: frozenset[str] = frozenset()
    partial: bool = False


@lru_cache(maxsize=1024)
def clauses(text: str, heading: str = "") -> tuple[Clause, ...]:
    """The rules that ``text`` states, in order. ``heading`` is what stands above it."""
    found: list[Clause] = []
    spans = split_sentences(text)
    lead, skip = "", 0
    for at, span in enumerate(spans):
        if at < skip or len(span.text) > _LONGEST:
            continue
        if span.text.rstrip().endswith((":", "：")) and not _listed(span.text):
            lead = span.text
            continue
        items = _items(text, spans[at + 1 :]) if _listed(span.text) else ()
        skip = at + 1 + len(items)
        found += _rules(span, f"{heading} {lead}", items)
    return tuple(found)


def _listed(sentence: str) -> bool:
    choice = ANY_OF.search(sentence) or ALL_OF.search(sentence)
    return bool(choice) and sentence.rstrip().endswith((":", "："))


def _items(text: str, after: tuple[Span, ...]) -> tuple[str, ...]:
    """The items of the list that begins right here."""
    items: list[str] = []
    for span in after:
        before = text[: span.start].rsplit("\n", 1)[-1]
        if not re.search(r"[-*+•·]|\d[.)]", before):
            break
        items.append(span.text)
    return tuple(items)


_BUT = re.compile(r",?\s+\bbut\s+|，但|[；;]\s*", re.I)
_VERB = re.compile(r"\b(?:can|may|must|is|are|will|cannot|should)\b", re.I)
_DOER = re.compile(
    r"\bby (?:the |an? )?(?:customer|user|client|student|member|guest|holder|agent)s?\b", re.I
)
_STARTS_ANEW = re.compile(r"(?:not|cannot|can|may|must|only|never)\b", re.I)


def _rules(span: Span, context: str, items: tuple[str, ...]) -> Iterator[Clause]:
    """The sentence's statements: "can add but not remove bags" has two."""
    subject, acts = "", frozenset[str]()
    for piece in _BUT.split(span.text):
        part = f"{subject} {piece}".strip() if _STARTS_ANEW.match(piece) else piece.strip()
        rule = _rule(span, part, context, items, acts)
        verb = _VERB.search(part)
        subject = subject or (part[: verb.start()] if verb else "")
        acts = acts or frozenset(a.name for a in acts_in(part))
        if rule is not None:
            yield rule


def _rule(
    span: Span, part: str, context: str, items: tuple[str, ...], before: frozenset[str]
) -> Clause | None:
    main, conditions = taken_apart(part)
    approval = APPROVAL.search(part)
    approver = next((g for g in approval.groups() if g), "") if approval else ""
    staffed = approval is not None and (not approver or bool(STAFF.search(approver)))
    force = _force(part, main, conditions, staffed=staffed)
    if force is None:
        return None
    if items:
        conditions = tuple(Condition(item, "only_if") for item in items)
    if needs := [c for c in conditions if c.sense == "needs"]:
        force = "allows" if force == "forbids" else force
        conditions = tuple(c if c not in needs else c._replace(sense="only_if") for c in conditions)
    bare = _DOER.sub(" ", DENIES.sub(" ", APPROVAL.sub(" ", main) if staffed else main))
    named = _denied_acts(main) if force == "forbids" else None
    if named is None:
        named = frozenset(a.name for a in acts_in(bare)) or frozenset(
            a.name for a in other_acts(main)
        )
    above = frozenset(a.name for a in acts_in(context))
    return Clause(
        start=span.start,
        end=span.end,
        text=span.text,
        force=force,
        acts=(above or named)
        if re.search(r"\bcannot help\b", part, re.I)
        else named or before or above,
        about=matters(bare),
        conditions=conditions,
        any_of=bool(items and ANY_OF.search(part)) or either(conditions),
        approver=approver if staffed else "",
        heading=matters(context),
        partial=bool(PARTIAL.search(part)),
    )


_ADJECTIVE = re.compile(
    r"\s*(?:(?:be|been)\s+)?(?P<word>[a-z]+(?:ed|en|wn))\b", re.I
)  # fmt: skip
_NEUTRAL = word_set(
    "allowed permitted accepted covered granted given issued offered provided entitled made needed "
    "required excluded taken supported included done"
)


def _denied_acts(main: str) -> frozenset[str] | None:
    """The acts behind the denial; something else is denied of "a deleted account cannot be
    restored". ``None`` where the denial names no act of its own ("is not possible")."""
    no = denial(main)
    if no is None:
        return None
    behind = main[no.end() :]
    if acts := frozenset(a.name for a in acts_in(behind)):
        return acts
    other = _ADJECTIVE.match(behind)
    if other and other["word"].lower() not in _NEUTRAL:
        return frozenset({f"={stem(other['word'])}"})
    return None


def _force(
    part: str, main: str, conditions: tuple[Condition, ...], *, staffed: bool
) -> Force | None:
    if NO_RULE.search(part):
        return None
    if staffed:
        return "needs_approval"
    if denial(main) is not None or any(c.sense == "needs" for c in conditions):
        return "forbids"
    if PARTIAL.search(part) and re.search(r"\bmust\b", part, re.I):
        return "forbids"
    if ALLOWS.search(main):
        return "allows"
    needed = [c for c in conditions if c.sense == "only_if"]
    return "allows" if needed or STATES.search(main) else None
