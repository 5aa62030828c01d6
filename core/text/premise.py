"""Does a passage deny what a question takes for granted?

Each presupposition is laid beside each clause of the passage that speaks of the same subject, and
compared by what can turn a statement round: a value in the same unit, a negation before the shared
verb, an opposite adverb, or the plain statement that the thing does not exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.text.language import detect_language
from core.text.opposites import OPPOSITES, SYNONYMS
from core.text.polarity import negators
from core.text.presupposition import Presupposition
from core.text.quantities import Quantity, find_quantities, same_quantity
from core.text.scope import foreign_scope
from core.text.sentences import Span, split_sentences
from core.text.tokens import content_words, stem

_LIGHT_WORDS = """
    take takes have has be get give make made go last allow allowed apply applies only just
    always ever still already currently usually normally actually within after before up
    least most per total set long time amount one two day days week weeks month months year
    years hour hours minute minutes business calendar dollar percent reason happen work
"""
_LIGHT = frozenset(stem(w) for w in _LIGHT_WORDS.split())
_CLAUSE = re.compile(
    r"\s*(?:;|—|\s–\s|,?\s+(?:while|whereas|but|although|though|however)\b,?|，(?=但|而|不过|然而)|；)\s*",
    re.I,
)
_ZH_CLAUSE = re.compile("[，；;]")
_CONDITION = re.compile(
    r"\b(?:if|unless|whether|when|where|once|until|in case)\b|如果|若|除非", re.I
)
_RELATIVE = re.compile(r"\b(?:that|which|who|whose)\b\s*(?:\w+\s*){0,2}$", re.I)
_NOT_QUITE = re.compile(
    r"\s*(?:the only|the first|the same|always|necessarily|all|just|yet)\b", re.I
)
_BREAK = re.compile(
    r"[,，.;；:]|\b(?:because|so that|but|if|when|unless|until|which|that|who|and|or)\b", re.I
)
_QUIET_DENIAL = re.compile(
    r"\b(?:not|never|no|n't|yet to|refus\w+|fail\w*|lack\w*|zero|0|against|stop\w*|unable|avoid\w*|"
    r"before|ended|former\w*|only)\b|不|没|无|未",
    re.I,
)
_NEAR = 34
"""Characters between a negation and the verb it denies, at most."""


class Denial(NamedTuple):
    """The premise, the exact span of the passage that denies it, how surely (0..1) and why."""

    score: float
    premise: str
    quote: str
    kind: str


def denial(
    premises: Sequence[Presupposition], text: str, *, query: str = "", context: str = ""
) -> Denial | None:
    """The surest denial of one of ``premises`` in ``text``; ``None`` without any.

    ``context`` is the title and headings the text stands under.
    """
    best: Denial | None = None
    clauses = tuple(_clauses(text)) if premises else ()
    for premise in premises:
        found = _denied(premise, clauses, query or premise.text, context)
        if found and (best is None or found.score > best.score):
            best = found
    return best


class _Clause(NamedTuple):
    text: str
    quote: str
    words: frozenset[str]


def _clauses(text: str) -> Iterator[_Clause]:
    for sentence in split_sentences(text):
        for piece in _pieces(sentence):
            yield _Clause(piece, sentence.text, _subject(piece))


def _pieces(sentence: Span) -> list[str]:
    chinese = detect_language(sentence.text) == "zh"
    pieces = (_ZH_CLAUSE if chinese else _CLAUSE).split(sentence.text)
    return [piece for piece in pieces if piece and piece.strip()]


def _subject(text: str) -> frozenset[str]:
    """The words that say what a statement is about: no measures, no light verbs."""
    bare = text
    for quantity in sorted(find_quantities(text), key=lambda q: -q.start):
        bare = f"{bare[: quantity.start]} {bare[quantity.end :]}"
    return frozenset(
        _family([w for w in content_words(bare) if w not in _LIGHT and not w[0].isdigit()])
    )


def _denied(
    premise: Presupposition, clauses: Sequence[_Clause], query: str, context: str
) -> Denial | None:
    if premise.kind == "thing":
        return _first(_no_such_thing(premise, clause) for clause in clauses)
    about = _subject(premise.text)
    if not about:
        return None
    subject = about & set(_family(content_words(premise.text))[:2])
    measures = find_quantities(premise.text)
    heading = frozenset(_family(content_words(context)))
    best: Denial | None = None
    for clause in clauses:
        shared = about & clause.words
        share = len(about & (clause.words | heading)) / len(about)
        if not shared or share < 0.5:
            continue
        if _agrees(measures, clause.text) and share >= 0.6:
            return None
        found = _compare(premise, measures, clause, shared, share)
        if found is None:
            continue
        # Of access tokens, not refresh tokens; of holiday purchases, not all of them.
        strays = int(not subject <= (clause.words | heading))
        strays += bool(foreign_scope(query, clause.text, context))
        found = found._replace(score=found.score * 0.7**strays)
        best = found if best is None or found.score > best.score else best
    return best


def _first(found: Iterator[Denial | None]) -> Denial | None:
    return next((item for item in found if item), None)


def _agrees(measures: Sequence[Quantity], clause: str) -> bool:
    return any(same_quantity(a, b) == "same" for a in measures for b in find_quantities(clause))


def _compare(
    premise: Presupposition,
    measures: Sequence[Quantity],
    clause: _Clause,
    shared: frozenset[str],
    share: float,
) -> Denial | None:
    kind, strength = "", 0.0
    for name, value in (
        ("polarity", _flipped(premise.text, clause, shared)),
        ("opposite", _opposed(premise.text, clause, shared)),
        ("value", _differs(measures, clause, share)),
    ):
        if value > strength:
            kind, strength = name, value
    if not strength:
        return None
    score = min(0.97, strength + 0.25 * (share - 0.5) + 0.04 * (len(shared) - 2))
    return Denial(max(0.0, score), premise.text, clause.quote, kind)


def _differs(measures: Sequence[Quantity], clause: _Clause, share: float) -> float:
    """A value in the same unit that cannot be the one assumed."""
    if not measures or share < 0.6:
        return 0.0
    other = [q for q in find_quantities(clause.text) if q.unit != "number"]
    return 0.72 if any(_excludes(a, b) for a in measures for b in other) else 0.0


def _excludes(assumed: Quantity, stated: Quantity) -> bool:
    """Different in the same unit, and not inside what the other's bound leaves open."""
    if same_quantity(assumed, stated) != "different":
        return False
    if assumed.unit != stated.unit:
        return True
    return not (_admits(assumed, stated) or _admits(stated, assumed))


def _admits(loose: Quantity, other: Quantity) -> bool:
    high = other.upper if other.upper is not None else other.value
    if loose.bound in ("at_least", "more_than"):
        return other.bound in ("exact", "approx", loose.bound) and other.value >= loose.value
    if loose.bound in ("at_most", "less_than") and other.bound == "exact":
        return loose.noun != other.noun and high <= loose.value
    return False


def _flipped(premise: str, clause: _Clause, shared: frozenset[str]) -> float:
    """The same thing, once denied and once not; the negation must reach a shared word."""
    if len(shared) < 2 and detect_language(premise) != "zh":
        return 0.0
    mine = _denied_words(premise, shared)
    theirs = _denied_words(clause.text, shared)
    if bool(mine) == bool(theirs):
        return 0.0
    subject = _family(content_words(premise))[:1]
    denied = (mine or theirs) - set(subject)
    if not denied or not shared - denied:
        return 0.0
    if mine and _QUIET_DENIAL.search(clause.text):
        return 0.0
    return 0.72 if mine else 0.8


def _denied_words(text: str, shared: frozenset[str]) -> frozenset[str]:
    """Shared words that a negation of ``text`` reaches, outside conditions and relative clauses."""
    reached: set[str] = set()
    most = 5 if detect_language(text) == "zh" else 2
    for start, end in negators(text):
        before = re.split(r"[,，]", text[max(0, start - 60) : start])[-1]
        if _CONDITION.search(before) or _RELATIVE.search(before):
            continue
        ahead = _BREAK.split(text[end : end + _NEAR])[0]
        if _NOT_QUITE.match(ahead):
            continue
        reached |= set(_family(content_words(ahead))[:most]) & shared
    return frozenset(reached)


def _family(stems: Sequence[str]) -> list[str]:
    return [SYNONYMS.get(word, word) for word in stems]


def _opposed(premise: str, clause: _Clause, shared: frozenset[str]) -> float:
    """Opposite words around two shared ones; or the same word, once denied and once not."""
    if len(shared) < 2:
        return 0.0
    for left, right in OPPOSITES:
        mine, theirs = _side(premise, left, right), _side(clause.text, left, right)
        if mine and theirs and mine != theirs:
            return (
                0.8 if _denies(premise, left, right) != _denies(clause.text, left, right) else 0.72
            )
    return 0.0


def _side(text: str, left: re.Pattern[str], right: re.Pattern[str]) -> str:
    """``left`` or ``right``, turned round where the word is denied; empty for neither or both."""
    on_left, on_right = bool(left.search(text)), bool(right.search(text))
    if on_left == on_right:
        return ""
    return "left" if on_left != _denies(text, left, right) else "right"


def _denies(text: str, left: re.Pattern[str], right: re.Pattern[str]) -> bool:
    """Whether a negation stands right before the word of the pair."""
    found = left.search(text) or right.search(text)
    if found is None:
        return False
    return any(0 <= found.start() - end <= 8 for _, end in negators(text))


_NONE = re.compile(
    r"\b(?:no|never (?:have|had|charge)|"
    r"(?:do|does|did) not (?:have|offer|charge|require|provide|sell)|"
    r"don't (?:have|offer|charge|require|provide|sell)|doesn't (?:have|offer|charge|require)|"
    r"no longer (?:have|offer|charge|require|provide|sell)|without (?:a|an|any))\s+"
    r"(?P<thing>(?:[\w-]+\s+){0,3}[\w-]+)",
    re.I,
)


def _no_such_thing(premise: Presupposition, clause: _Clause) -> Denial | None:
    """ "There is no membership fee" against "my lifetime membership fee"."""
    wanted = content_words(premise.text)
    if len(wanted) < 2:
        return None
    head, modifiers = wanted[-1], set(wanted[:-1])
    for match in _NONE.finditer(clause.text):
        thing = content_words(match["thing"])
        named = modifiers & set(content_words(clause.quote))
        if head in thing[:3] and named:
            return Denial(
                0.8 + 0.1 * len(named) / len(modifiers),
                f"there is a {premise.text}",
                clause.quote,
                "existence",
            )
    return None
