"""Adjudication: which of two disagreeing sources counts, by rules in a fixed order.

Authority first, then recency, then scope; a tie goes to a person, with the questions to ask.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Literal, NamedTuple

from core.models.evidence import Evidence, EvidenceCandidate, EvidencePackage
from core.models.judgement import ConflictKind, Contradiction, Judgement, Resolution
from core.models.plan import QueryPlan
from core.models.standing import standing
from core.text.provenance import day_words
from core.text.sentences import split_sentences
from core.text.winners import NOBODY, consistent

Winner = Literal["claim_a", "claim_b", "NO_WINNER_NEED_HUMAN"]


class _Step(NamedTuple):
    """One step of the way: who it favours, if anyone, and why in one line."""

    winner: Winner | None
    line: str


def adjudicate(
    judgement: Judgement, package: EvidencePackage, plan: QueryPlan
) -> tuple[Resolution, ...]:
    """A resolution for each contradiction of the judgement, in order, without circles.

    Left out are ties between two values that both lost to a third of the same dimension.
    """
    evidence = package.by_id()
    by_dimension: dict[str, list[Resolution]] = {}
    for found in judgement.contradictions:
        a, b = evidence[found.claim_a.evidence_id], evidence[found.claim_b.evidence_id]
        by_dimension.setdefault(found.dimension, []).append(_resolve(found, a, b, plan))
    return tuple(
        _asked(one, evidence) for group in by_dimension.values() for one in consistent(group)
    )


def _asked(resolution: Resolution, evidence: Mapping[str, Evidence]) -> Resolution:
    """With the questions to the owners where nobody won."""
    if resolution.winner != NOBODY:
        return resolution
    found = resolution.contradiction
    a, b = (evidence[side.evidence_id].candidate for side in (found.claim_a, found.claim_b))
    return resolution.model_copy(update={"questions": _questions(found, a, b)})


def _resolve(found: Contradiction, a: Evidence, b: Evidence, plan: QueryPlan) -> Resolution:
    lines: list[str] = []
    for name, step in (("authority", _authority), ("recency", _recency), ("scope", _scope)):
        taken = step(a.candidate, b.candidate, plan)
        lines.append(taken.line)
        if taken.winner:
            return Resolution.model_validate(
                {
                    "dimension": found.dimension,
                    "contradiction": found,
                    "winner": taken.winner,
                    "decided_by": name,
                    "reason": tuple(lines),
                }
            )
    return Resolution(
        dimension=found.dimension,
        contradiction=found,
        winner="NO_WINNER_NEED_HUMAN",
        decided_by="nobody",
        reason=(*lines, "No rule decides: a person has to."),
    )


def _authority(a: EvidenceCandidate, b: EvidenceCandidate, plan: QueryPlan) -> _Step:
    on = None if plan.temporal.prefer_current else plan.temporal.effective_policy_date
    left, right = standing(a, on=on), standing(b, on=on)
    if left.rank == right.rank:
        return _Step(
            None,
            f"Authority: equal (class {left.letter}): {left.words} and {right.words}.",
        )
    high, low = (left, right) if left.rank < right.rank else (right, left)
    titles = (a.source_title, b.source_title) if high is left else (b.source_title, a.source_title)
    return _Step(
        "claim_a" if high is left else "claim_b",
        f"Authority: “{titles[0]}” ({high.words}, class {high.letter}) outranks "
        f"“{titles[1]}” ({low.words}, class {low.letter}).",
    )


def _recency(a: EvidenceCandidate, b: EvidenceCandidate, _: QueryPlan) -> _Step:
    begun_a, begun_b = a.valid_from, b.valid_from
    if begun_a is None or begun_b is None:
        return _Step(None, "Recency: a date of validity is missing, so age decides nothing.")
    if begun_a == begun_b:
        return _Step(None, f"Recency: both hold since {day_words(begun_a)}.")
    newer, older = (a, b) if begun_a > begun_b else (b, a)
    if special := _special_case(newer, older):
        return _Step(
            None,
            f"Recency: “{newer.source_title}” is newer but says it covers only a special case: "
            f"{special}",
        )
    return _Step(
        "claim_a" if newer is a else "claim_b",
        f"Recency: “{newer.source_title}” (since {day_words(max(begun_a, begun_b))}) replaces "
        f"“{older.source_title}” (since {day_words(min(begun_a, begun_b))}).",
    )


_ONLY_FOR = re.compile(
    r"\b(?:appl(?:ies|y)|covers?|holds?|(?:is|are) (?:valid|meant|in force)|extends?) (?:only|sole"
    r"ly)\b|\bonly (?:appl(?:ies|y)|covers?|holds?|(?:valid|meant) for)\b|\blimited to\b|\bpilot\b"
    r"|仅适用|只适用|仅限|试点",
    re.IGNORECASE,
)


def _special_case(newer: EvidenceCandidate, older: EvidenceCandidate) -> str:
    """What the newer version limits itself to, in its own words; empty where it is general."""
    if newer.scope_note:
        return newer.scope_note
    for name in ("product", "region"):
        mine, theirs = str(getattr(newer, name)), str(getattr(older, name))
        if mine and not theirs:
            return f"{name} {mine}."
    limits = (s.text for s in split_sentences(newer.text) if _ONLY_FOR.search(s.text))
    return next((s for s in limits if s not in older.text), "")


def _scope(a: EvidenceCandidate, b: EvidenceCandidate, plan: QueryPlan) -> _Step:
    left, right = _fit(a, plan), _fit(b, plan)
    if left.points == right.points:
        return _Step(
            None, "Scope: both fit the question equally (time, department, product, region)."
        )
    better, source = (left, a) if left.points > right.points else (right, b)
    worse = right if better is left else left
    why = better.why or worse.why
    return _Step(
        "claim_a" if source is a else "claim_b",
        f"Scope: “{source.source_title}” fits the question better ({why}).",
    )


class _Fit(NamedTuple):
    points: int
    why: str


def _fit(candidate: EvidenceCandidate, plan: QueryPlan) -> _Fit:
    """A limit the question names speaks for a source, one it does not name against it."""
    asked = " ".join((plan.normalized_query, *plan.subqueries)).casefold()
    points, why = 0, []
    for name in ("department", "product", "region"):
        value = str(getattr(candidate, name))
        if not value:
            continue
        meant = _mentions(asked, value)
        points += 1 if meant else (0 if name == "department" else -1)
        if meant or name != "department":
            why.append(f"{name} {value}: {'asked for' if meant else 'not asked for'}")
    if note := candidate.scope_note or _stated_limit(candidate):
        meant = _note_applies(asked, note)
        points += 1 if meant else -1
        why.append("its special case applies" if meant else "its special case does not apply")
    points += _holds_on(candidate, plan.temporal.effective_policy_date, why)
    return _Fit(points, "; ".join(why))


def _stated_limit(candidate: EvidenceCandidate) -> str:
    """The sentence by which a passage limits itself, where it has no note of its own."""
    return next((s.text for s in split_sentences(candidate.text) if _ONLY_FOR.search(s.text)), "")


def _holds_on(candidate: EvidenceCandidate, day: date, why: list[str]) -> int:
    begun = candidate.valid_from is None or candidate.valid_from <= day
    open_still = candidate.valid_to is None or day < candidate.valid_to
    if begun and open_still:
        return 0
    why.append(f"not in force on {day_words(day)}")
    return -1


def _mentions(asked: str, value: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(value.casefold())}(?!\w)", asked)) or (
        not value.isascii() and value.casefold() in asked
    )


def _note_applies(asked: str, note: str) -> bool:
    telling = set(re.findall(r"[a-z]{4,}", note.casefold())) - _PLAIN
    return any(_mentions(asked, word) or _mentions(asked, word.rstrip("s")) for word in telling)


_PLAIN_WORDS = """
    only applies apply covers cover case cases special purchases orders items this version
    policy with from that when made during between until returns return customers sales
"""
_PLAIN = frozenset(_PLAIN_WORDS.split())


def _questions(found: Contradiction, a: EvidenceCandidate, b: EvidenceCandidate) -> tuple[str, ...]:
    owners = {a.owner or "the owner", b.owner or "the owner"}
    to = " and ".join(sorted(owners))
    questions = [
        f"To {to}: “{_named(a)}” says {found.claim_a.value}, “{_named(b)}” says "
        f"{found.claim_b.value}. {_WHICH[found.kind]}",
        "Does one of them cover only a special case (time, department, product, region)? Which?",
    ]
    undated = [_named(c) for c in (a, b) if c.valid_from is None]
    if undated:
        questions.append("Since when does it hold: " + ", ".join(f"“{t}”" for t in undated) + "?")
    return tuple(questions)


_WHICH: dict[ConflictKind, str] = {
    "number": "Which one holds today?",
    "amount": "Which amount holds today?",
    "date": "Which day is right?",
    "polarity": "Is it so or not?",
    "list": "Is it on the list today?",
    "party": "Whose part is it?",
    "name": "Which one is right?",
}


def _named(candidate: EvidenceCandidate) -> str:
    """Its title, or its id where it has none; the version where two of one title meet."""
    return candidate.source_title or candidate.chunk_id
