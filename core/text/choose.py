"""Chooses the few sentences of a reply: answers first, then the conditions that limit them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.text.answer_type import expected_type, holds
from core.text.compare import compare_sentences
from core.text.concepts import concepts, kinds
from core.text.polarity import negated
from core.text.record_facts import record_fit
from core.text.relevance import is_condition
from core.text.scope import for_another_case, foreign_scope
from core.text.scoring import Option, Part, Scorer, Similarity, is_long
from core.text.similarity import overlap, term_coverage
from core.text.tokens import stem, words

__all__ = ["Choice", "Chosen", "Option", "Part", "Similarity", "choose", "choose_parts"]

_SAME = 0.75
_EXTRA = 0.75
"""Share of the best answer's relevance plus share of its words in an answer: enough to be added."""
_EQUAL = 0.93
"""So near the best answer that the question does not tell them apart: both are given."""
_TIED = 0.98
_ROWS_ALIKE, _MOST_ROWS = 0.75, 6
_THING_UNKNOWN = 0.7
"""The same where no answer names the thing asked about: the rules for its kinds are all given."""
_THING = re.compile(
    r"\b(?:a|an|my|this)\s+((?:[a-z-]+\s)?[a-z-]{3,})(?=\W*$|[?.,;]| that| which| from)", re.I
)
_VALUES = frozenset({"number", "money", "date", "bound"})
_FACT = 0.4
"""From here on a fact of a record answers the question about it."""
_AS_GOOD = 0.7
_INSTEAD, _FAINT = 0.8, 0.3
"""Share of the score of an answer given already, from which on another is given beside it."""
_SAID = 0.85
"""Share of a sentence's matters that a row holds (or the other way) which says it again."""
_FLOOR = 0.12


class Choice(NamedTuple):
    """A chosen option and the part it answers; ``""`` for a condition or exception."""

    option: Option
    part_id: str


def choose(
    question: str,
    parts: Sequence[Part],
    options: Sequence[Option],
    *,
    limit: int,
    similarity: Similarity | None = None,
) -> tuple[Choice, ...]:
    """At most ``limit`` options (a part without a word in common gets none), answers first.

    An option that leans on the sentence before it brings that sentence along, beyond the limit.
    """
    return choose_parts(question, parts, options, limit=limit, similarity=similarity).choices


class Chosen(NamedTuple):
    """What was chosen, and the ids of the parts that some sentence answers."""

    choices: tuple[Choice, ...]
    answered: frozenset[str]


def choose_parts(
    question: str,
    parts: Sequence[Part],
    options: Sequence[Option],
    *,
    limit: int,
    similarity: Similarity | None = None,
) -> Chosen:
    """Like ``choose``, saying also which parts of the question got an answer."""
    if not options:
        return Chosen((), frozenset())
    scorer = Scorer(question, parts, options, similarity)
    chosen: list[Choice] = []
    answered: set[str] = set()
    for part in parts:
        ranked = [(s, o) for s, o in scorer.ranked(part) if s >= _FLOOR]
        if ranked:
            answered.add(part.part_id)
        best = _unsaid(part, ranked, chosen)
        if best is not None and len(chosen) < max(limit, len(parts)):
            told = _table(part, best, ranked) or (_as_sentence(best, ranked),)
            chosen += [Choice(option, part.part_id) for option in told]
            chosen += _second_fact(part, question, [o for _, o in ranked], chosen)
    chosen += _further(scorer, question, chosen, options, limit - len(chosen))
    return Chosen(_with_support(chosen, options), frozenset(answered))


def _unsaid(
    part: Part, ranked: Sequence[tuple[float, Option]], chosen: Sequence[Choice]
) -> Option | None:
    """The best option not given yet; none where what was given is the answer to this part too."""
    best = next(((s, o) for s, o in ranked if not _repeated(o, chosen)), None)
    if best is None:
        return None
    kind = expected_type(part.question)
    given = kind != "open" and holds(kind, ranked[0][1].words)
    return best[1] if best[0] >= (_INSTEAD if given else _FAINT) * ranked[0][0] else None


def _table(part: Part, best: Option, ranked: Sequence[tuple[float, Option]]) -> tuple[Option, ...]:
    """The rows of the table asked for ("what are the rates?"), where none answers more than the
    others; else nothing."""
    if best.unit.kind != "row" or expected_type(part.question) != "open":
        return ()
    enough = _ROWS_ALIKE * ranked[0][0]
    rows = [
        o
        for s, o in ranked
        if s >= enough and o.unit.kind == "row" and o.evidence_id == best.evidence_id
    ]
    return tuple(sorted(rows, key=lambda o: o.place))[:_MOST_ROWS] if len(rows) > 1 else ()


def _as_sentence(best: Option, ranked: Sequence[tuple[float, Option]]) -> Option:
    """The sentence that states the fact of a table row, where there is one about as good."""
    if best.unit.kind != "row":
        return best
    enough = _AS_GOOD * ranked[0][0]
    return next((o for s, o in ranked if s >= enough and _row_says(best, o)), best)


def _second_fact(
    part: Part, question: str, ranked: Sequence[Option], chosen: Sequence[Choice]
) -> list[Choice]:
    """Where an order is takes two facts: its status and when it is expected."""
    if not part.recorded:
        return []
    facts = (o for o in ranked if record_fit(question, o.words) >= _FACT)
    return [Choice(o, part.part_id) for o in facts if not _repeated(o, chosen)][:1]


def _further(
    scorer: Scorer,
    question: str,
    chosen: Sequence[Choice],
    options: Sequence[Option],
    room: int,
) -> list[Choice]:
    """What limits the answers: conditions of the matter asked about, exclusions of that rule.

    Never a sentence that says otherwise than an answer: one reply must not hold two values.
    """
    if not chosen or room <= 0:
        return []
    scores = dict.fromkeys(map(id, options), 0.0)
    scores |= {id(o): s for s, o in scorer.ranked(Part("", question, frozenset()))}
    best = max(scores[id(c.option)] for c in chosen) or 1.0
    answers = [c.option for c in chosen]
    alone = len({c.part_id for c in chosen}) == 1
    tied = _TIED if _thing_named(question, answers) else _THING_UNKNOWN
    documents = {a.document for a in answers}
    weights = {id(o): scores[id(o)] / best + _bearing(o, answers) for o in options}
    extra: list[Choice] = []
    for option in sorted(options, key=lambda o: -weights[id(o)]):
        if len(extra) >= room or weights[id(option)] < _EXTRA:
            break
        equal = alone and scores[id(option)] >= _EQUAL * best and option.unit.kind != "row"
        # One document with two values for two things the question does not tell apart: both.
        rival = _rivals(option, answers) and not for_another_case(question, option.words)
        if not (equal or option.document in documents) or _of_another_kind(question, option):
            continue  # a condition of another rule limits nothing here
        if rival and not (scores[id(option)] >= tied * best and option.document in documents):
            continue
        wanted = not is_long(option) and (equal or rival or _limits(option, question))
        if wanted and not _repeated(option, [*chosen, *extra]):
            extra.append(Choice(option, ""))
    return sorted(extra, key=lambda c: (c.option.evidence_id, c.option.place))


def _thing_named(question: str, answers: Sequence[Option]) -> bool:
    """Whether the answers speak of the very thing asked about ("a hair dryer")."""
    things = {stem(w) for found in _THING.findall(question) for w in found.split()}
    said = {stem(w) for a in answers for w in words(f"{a.words} {a.context}")}
    named = kinds(question) & {k for a in answers for k in kinds(a.words)}
    return not things or bool(things & said or named)


def _of_another_kind(question: str, option: Option) -> bool:
    """Whether the sentence is about kinds of goods (shoes) to which the thing asked about (a hair
    dryer) does not belong."""
    asked, told = kinds(question), kinds(option.words)
    return bool(asked and told) and not asked & told


def _rivals(option: Option, answers: Sequence[Option]) -> bool:
    """Whether it gives another value for what an answer gives one for."""
    return any(
        finding.kind in _VALUES
        for answer in answers
        for finding in compare_sentences(option.words, answer.words).contradicted
    )


def _bearing(option: Option, answers: Sequence[Option]) -> float:
    """How far a sentence speaks of what an answer from the same document speaks of."""
    same = [a for a in answers if a.document == option.document]
    return max((term_coverage(option.words, a.words) for a in same), default=0.0)


def _limits(option: Option, question: str) -> bool:
    """A condition or exclusion, not another rule for another case."""
    if not is_condition(option.words) and not negated(option.words):
        return False
    if option.unit.kind == "row":
        return False
    foreign = foreign_scope(question, option.words, option.context)
    return not foreign or (negated(option.words) and len(foreign) < 2)


def _repeated(option: Option, chosen: Sequence[Choice]) -> bool:
    return any(
        (o.evidence_id, o.place) == (option.evidence_id, option.place)
        or overlap(o.words, option.words) >= _SAME
        or option.words.casefold() in o.words.casefold()
        or _row_says(o, option)
        for o in (c.option for c in chosen)
    )


def _row_says(one: Option, other: Option) -> bool:
    """Whether a table row and a sentence state the same fact."""
    if (one.unit.kind == "row") == (other.unit.kind == "row"):
        return False
    row, sentence = (one, other) if one.unit.kind == "row" else (other, one)
    held, said = set(concepts(f"{row.words} {row.context}")), set(concepts(sentence.words))
    return bool(said) and len(said & held) >= _SAID * len(said)


def _with_support(chosen: Sequence[Choice], options: Sequence[Option]) -> tuple[Choice, ...]:
    by_place = {(o.evidence_id, o.place): o for o in options}
    placed: dict[tuple[str, int], Choice] = {}
    for choice in chosen:
        option = choice.option
        before = option.unit.leans_on
        support = by_place.get((option.evidence_id, before)) if before is not None else None
        if support is not None:
            placed.setdefault((support.evidence_id, support.place), Choice(support, choice.part_id))
        placed.setdefault((option.evidence_id, option.place), choice)
    return tuple(placed.values())
