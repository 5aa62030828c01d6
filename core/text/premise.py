"""Does a passage deny what a question takes for granted?

Each presupposition is laid beside each sentence and clause of the passage that speaks of the same
subject, and compared by what can turn a statement round: a value in the same unit, a date, a bound,
a negation before the shared verb, opposite words, another name or role in the same place, the plain
statement that the thing does not exist, or a fact line with another value. A sentence that states
the presupposition as it is outweighs one that fits it less well and seems to deny it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from core.text.asked import own_case, proposition
from core.text.contrast import narrower
from core.text.facts import find_facts, other_value_asked, speaks_of
from core.text.language import detect_language
from core.text.premise_fillers import other_filler, strangers
from core.text.premise_turns import turned_round
from core.text.premise_values import other_value, same_days, same_values
from core.text.presupposition import Presupposition
from core.text.scope import foreign_scope
from core.text.sentences import split_sentences
from core.text.statements import Statement, core, families, read
from core.text.tokens import content_words

DenialKind = Literal[
    "value",
    "date",
    "bound",
    "polarity",
    "affirmed",
    "opposite",
    "filler",
    "fact",
    "existence",
    "read",
]
"""``read`` is found by a model that reads the two together, not by a rule of this module."""
_CLAUSE = re.compile(
    r"\s*(?:;|—|\s–\s|,?\s+(?:while|whereas|but|although|though|however)\b,?|，(?=但|而|不过|然而)|；)\s*",
    re.I,
)
_ZH_CLAUSE = re.compile("[，；;]")
_ENOUGH, _SUPPORTED = 0.5, 0.8
_FEWEST_ZH = 4
"""Characters a Chinese premise must have beside its values to be about something."""
_STRAY = 0.58
"""What is left of a denial that speaks of another case."""


class Denial(NamedTuple):
    """The premise in the asker's words, the exact span of the passage that denies it, how well the
    two fit (0..1), and what kind of rule found it. The fit is no probability: see
    ``core.adapters.gate_premise``. ``statement`` is the premise as a statement."""

    score: float
    premise: str
    quote: str
    kind: DenialKind
    statement: str


def denial(
    premises: Sequence[Presupposition], text: str, *, query: str = "", context: str = ""
) -> Denial | None:
    """The surest denial of one of ``premises`` in ``text``; ``None`` without any.

    ``context`` is the title and headings the text stands under.
    """
    found = (_denied(p, text, query or p.text, context) for p in premises)
    return max((d for d in found if d), key=lambda d: d.score, default=None)


def agrees(premise: str, text: str) -> bool:
    """Whether a sentence of ``text`` states every value of ``premise`` for the same matter.

    ``premise`` is a statement or a yes/no question; without a value nothing can agree.
    """
    asked = proposition(premise)
    mine = read(asked.text if asked else premise)
    return any(
        _fit(mine.about, clause, frozenset()) >= _ENOUGH and same_values(mine, read(clause.text))
        for clause in _clauses(text)
    )


class _Clause(NamedTuple):
    text: str
    quote: str
    words: frozenset[str]


@lru_cache(maxsize=512)
def _clauses(text: str) -> tuple[_Clause, ...]:
    """Every sentence of ``text``, and its clauses where it has several."""
    return tuple(
        _Clause(piece, sentence.text, families(piece))
        for sentence in split_sentences(text)
        for piece in _pieces(sentence.text)
    )


def _pieces(sentence: str) -> list[str]:
    chinese = detect_language(sentence) == "zh"
    pieces = [p for p in (_ZH_CLAUSE if chinese else _CLAUSE).split(sentence) if p and p.strip()]
    return [sentence, *pieces] if len(pieces) > 1 else [sentence]


def _denied(premise: Presupposition, text: str, query: str, context: str) -> Denial | None:
    if premise.kind == "thing":
        return _no_such_thing(premise, text)
    if premise.names == "anything" and (found := _other_fact(premise, text)):
        return found
    mine = read(premise.text)
    if not mine.about or (mine.chinese and _bare_value(mine)):
        return None
    return _weighed(premise, list(_compared(premise, mine, text, query, context)))


def _bare_value(mine: Statement) -> bool:
    """A day or an amount with hardly a word beside it."""
    lengths = [q.end - q.start for q in mine.quantities]
    lengths += [d.end - d.start for d in mine.dates]
    return len(mine.text) - sum(lengths) < _FEWEST_ZH


class _Compared(NamedTuple):
    fit: float
    kind: DenialKind | Literal["", "supports"]
    quote: str
    length: int


def _compared(
    premise: Presupposition, mine: Statement, text: str, query: str, context: str
) -> Iterator[_Compared]:
    heading = families(context)
    unknown = strangers(mine, text)
    for clause in _clauses(text):
        if not mine.about & clause.words or _fit(mine.about - unknown, clause, heading) < _ENOUGH:
            continue
        statement, quote = read(clause.text), clause.quote
        kind, filler = _turn(premise, mine, statement, text)
        about = mine.about - filler
        if kind == "opposite" and len(rest := core(mine.text)) > 2:
            about = rest
        fit = _fit(about, clause, heading)
        if fit < _ENOUGH:
            continue
        if not kind:
            valued = mine.quantities or mine.dates
            same = same_values(mine, statement) if valued else fit >= _SUPPORTED
            yield _Compared(fit, "supports" if same else "", quote, len(statement.text))
            continue
        if foreign_scope(query, statement.text, context) or _beside(mine, statement, kind, context):
            fit *= _STRAY
        yield _Compared(fit, kind, quote, len(statement.text))


def _fit(about: frozenset[str], stated: _Clause, heading: frozenset[str]) -> float:
    """Share of what the premise is about that the clause, or its heading, speaks of."""
    if not about:
        return 0.0
    share = len(about & (stated.words | heading)) / len(about)
    if detect_language(stated.text) != "zh":
        return share
    # Two characters side by side are parted by any word between them: single ones count half.
    single = {ch for word in about for ch in word}
    return (share + sum(ch in stated.text for ch in single) / len(single)) / 2


def _beside(mine: Statement, stated: Statement, kind: str, context: str) -> bool:
    """A value of June says little against one of October, a rule for all against one for the
    holidays."""
    if kind != "value":
        return False
    other_time = bool(mine.dates and stated.dates) and not same_days(mine, stated)
    return other_time or narrower(mine.text, f"{context} {stated.text}")


def _turn(
    premise: Presupposition, mine: Statement, stated: Statement, text: str
) -> tuple[DenialKind | Literal[""], frozenset[str]]:
    """What in ``stated`` turns the premise round, and which of its words name the wrong thing.

    A yes/no question can only be wrong in what it names.
    """
    nothing: frozenset[str] = frozenset()
    value = other_value(mine, stated)
    if value and not (premise.names and _own_values(mine)):
        return value, nothing
    if premise.names != "values" and (filler := other_filler(mine, stated, text)):
        return "filler", filler
    return ("" if premise.names else turned_round(mine, stated)), nothing


def _own_values(mine: Statement) -> bool:
    return any(own_case(mine.text, q.start) for q in mine.quantities)


def _weighed(premise: Presupposition, compared: Sequence[_Compared]) -> Denial | None:
    """The best denial, unless a sentence that fits as well says what the premise says."""
    against = [c for c in compared if c.kind not in ("", "supports")]
    if not against:
        return None
    best = max(against, key=lambda c: (c.fit, -c.length))
    support = max((c.fit for c in compared if c.kind == "supports"), default=0.0)
    if support >= best.fit:
        return None
    return _found(best.fit, premise, best.quote, best.kind)  # type: ignore[arg-type]


def _other_fact(premise: Presupposition, text: str) -> Denial | None:
    facts = [f for f in find_facts(text) if speaks_of(f, premise.text)]
    if not facts or not all(other_value_asked(f, premise.text) for f in facts):
        return None
    return _found(1.0, premise, facts[0].quote, "fact")


def _found(
    fit: float, premise: Presupposition, quote: str, kind: DenialKind, statement: str = ""
) -> Denial:
    statement = statement or premise.text
    return Denial(fit, premise.said or statement, quote, kind, statement)


_NONE = re.compile(
    r"\b(?:no|never (?:have|had|charge)|"
    r"(?:do|does|did) not (?:have|offer|charge|require|provide|sell)|"
    r"don't (?:have|offer|charge|require|provide|sell)|doesn't (?:have|offer|charge|require)|"
    r"no longer (?:have|offer|charge|require|provide|sell)|without (?:a|an|any))\s+"
    r"(?P<thing>(?:[\w-]+\s+){0,3}[\w-]+)",
    re.I,
)


def _no_such_thing(premise: Presupposition, text: str) -> Denial | None:
    """ "There is no membership fee" against "my lifetime membership fee"."""
    if detect_language(premise.text) == "zh":
        return _no_such_thing_zh(premise, text)
    wanted = content_words(premise.text)
    if len(wanted) < 2:
        return None
    head, modifiers = wanted[-1], set(wanted[:-1])
    for sentence in split_sentences(text):
        named = modifiers & set(content_words(sentence.text))
        for match in _NONE.finditer(sentence.text) if named else ():
            if head in content_words(match["thing"])[:3]:
                fit = 0.8 + 0.2 * len(named) / len(modifiers)
                return _found(
                    fit, premise, sentence.text, "existence", f"there is a {premise.text}"
                )
    return None


_NONE_ZH = "(?:没有(?:任何)?|无|不收取?(?:任何)?|不设|不提供|无需(?:支付|缴纳)?)"


def _no_such_thing_zh(premise: Presupposition, text: str) -> Denial | None:
    """没有会员费 against 会员费怎么取消."""
    pattern = re.compile(_NONE_ZH + "[^，。；]{0,4}" + re.escape(premise.text))
    for sentence in split_sentences(text):
        if pattern.search(sentence.text):
            return _found(1.0, premise, sentence.text, "existence", f"有{premise.text}")
    return None
