"""Values a passage states in answer to a question, and whether two passages disagree on one.

Two values disagree when they stand in the same unit, in clauses about the same thing, limited to
the same cases. "30 days" for most returns and "45 days" for holiday purchases do not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.text.acts import Actor, actor
from core.text.answer_type import expected_type
from core.text.opposites import SYNONYMS
from core.text.polarity import negators
from core.text.quantities import Quantity, find_quantities, same_quantity
from core.text.scope import foreign_scope, scope_words
from core.text.sentences import split_sentences
from core.text.tokens import content_words, stem

_ASKING = frozenset(map(stem, ("long", "much", "many", "often", "soon", "late", "far")))
"""Words of "how long", "how much": they ask for the value and stand in no statement of it."""
_TIMES = ("second", "minute", "hour", "day", "business_day", "week", "month", "year")
_COVER = 0.4
_WHOLE_ASK = 0.8
"""Share of the question a clause must hold to say yes or no to it; all, of three words or fewer."""
_CLAUSE = re.compile(r"\s*(?:;|—|\s–\s|,?\s+(?:while|whereas|but)\b,?|；|，)\s*", re.I)
_CONDITION = re.compile(
    r"\b(?:if|unless|except|only when|provided|subject to)\b|如果|若|除非|除外", re.I
)


class Stated(NamedTuple):
    """One value: its words, the exact sentence it stands in, and what it is limited to.

    ``quantity`` is ``None`` for a plain yes or no. ``about`` are the stems of its clause, ``by``
    says whose act it times.
    """

    value: str
    quote: str
    quantity: Quantity | None
    about: frozenset[str]
    scope: frozenset[str]
    by: Actor = ""


def stated_values(query: str, text: str, context: str = "") -> tuple[Stated, ...]:
    """What ``text`` states in answer to ``query``, in order. ``context`` are title and headings."""
    wanted = _stems(_ask(query)) - _ASKING or _stems(query)
    if not wanted:
        return ()
    heading = _stems(context)
    asked_scope = scope_words(query)
    kind = expected_type(query)
    found: list[Stated] = []
    for sentence in split_sentences(text):
        for clause in _clauses(sentence.text):
            about = _stems(clause)
            cover = len(wanted & (about | heading)) / len(wanted)
            if cover < _COVER or (not wanted & about and cover < 0.8):
                continue
            scope = foreign_scope(query, clause, context) | _unmet(asked_scope, clause, context)
            found += [
                Stated(q.text, sentence.text, q, about, scope, actor(clause))
                for q in find_quantities(clause)
                if _fits(kind, q)
            ]
            if kind == "yes_no" and _answers_whole(wanted, about):
                found += _yes_or_no(clause, sentence.text, wanted, about, scope)
    return tuple(found)


def disagreement(
    query: str, left: Sequence[Stated], right: Sequence[Stated]
) -> tuple[Stated, Stated] | None:
    """A pair of values of both sides that cannot both be right; ``None`` when they agree on any
    value of that kind or speak of different cases."""
    for a in left:
        for b in right:
            if _disagree(query, a, b) and not _settled(a, b, left, right):
                return a, b
    return None


def _settled(a: Stated, b: Stated, left: Sequence[Stated], right: Sequence[Stated]) -> bool:
    """Whether one side also states the other's value for the same cases: then it lists both."""
    return any(_same(a, other) for other in right if _alike(a, other)) or any(
        _same(b, other) for other in left if _alike(b, other)
    )


def _same(a: Stated, b: Stated) -> bool:
    if a.quantity is None or b.quantity is None:
        return a.quantity is b.quantity and a.value == b.value
    return same_quantity(a.quantity, b.quantity) == "same"


def _disagree(query: str, a: Stated, b: Stated) -> bool:
    if not _alike(a, b):
        return False
    wanted = _stems(_ask(query))
    if a.quantity is None or b.quantity is None:
        alike = a.about & wanted == b.about & wanted
        return a.quantity is b.quantity and a.value != b.value and alike
    if same_quantity(a.quantity, b.quantity) != "different" or _open_ended(a, b):
        return False
    if a.quantity.unit.startswith("count:") and a.quantity.unit != b.quantity.unit:
        return False
    both = a.about & b.about
    return len(both & wanted) >= 1 and len(both) >= 0.25 * min(len(a.about), len(b.about))


def _alike(a: Stated, b: Stated) -> bool:
    """Limited to the same cases, and timing the same party's act."""
    return a.scope == b.scope and not (a.by and b.by and a.by != b.by)


def _open_ended(a: Stated, b: Stated) -> bool:
    """ "At least 30 days" leaves room for "45 days"."""
    bounds = {a.quantity.bound if a.quantity else "", b.quantity.bound if b.quantity else ""}
    return bool(bounds & {"at_least", "more_than"}) and bool(bounds - {"at_least", "more_than"})


def _unmet(asked: frozenset[str], clause: str, context: str) -> frozenset[str]:
    """Marks a statement that is not limited to what the question is limited to."""
    if not asked or asked & (scope_words(clause) | scope_words(context)):
        return frozenset()
    return frozenset({"general"})


def _answers_whole(wanted: frozenset[str], about: frozenset[str]) -> bool:
    needed = len(wanted) if len(wanted) <= 3 else _WHOLE_ASK * len(wanted)
    return len(wanted & about) >= needed


def _clauses(sentence: str) -> list[str]:
    return [piece for piece in _CLAUSE.split(sentence) if piece and piece.strip()]


def _ask(query: str) -> str:
    """The question as asked, without the topic that was added to make it stand alone."""
    return query.split(" (regarding:")[0]


def _stems(text: str) -> frozenset[str]:
    return frozenset(SYNONYMS.get(word, word) for word in content_words(text))


def _fits(kind: str, quantity: Quantity) -> bool:
    unit = quantity.unit
    if unit in ("number", "time"):
        return unit == "time" and kind in ("date", "duration")
    if kind == "duration":
        return unit in _TIMES
    if kind == "money":
        return (len(unit) == 3 and unit.isupper()) or unit == "percent"
    return True


def _yes_or_no(
    clause: str, quote: str, wanted: frozenset[str], about: frozenset[str], scope: frozenset[str]
) -> list[Stated]:
    if _CONDITION.search(quote):
        return []
    denied = False
    for _, end in negators(clause):
        denied = denied or bool(_stems(clause[end : end + 40]) & wanted)
    return [Stated("no" if denied else "yes", quote, None, about, scope)]
