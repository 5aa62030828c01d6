"""Do passages answer one question differently: on which value, and about the same thing?

One interface for everybody who asks: the judge, the probes, the evaluation. Rules are compared
strictly, by unit, subject, procedure and scope (``stated``); lists by what stands on them; who
decides or pays by the party named; sentences that are the same but for a value by that value; and
facts about a named thing by the value each passage most likely gives (``value_ranking``). Only the
last guesses, so it never speaks of two official texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from core.models.judgement import ConflictKind
from core.text.answer_type import expected_type
from core.text.dates import absolute_dates
from core.text.entities import apart, asked_name, copied, named_apart, thing_of
from core.text.quantities import find_quantities
from core.text.same_value import same_value
from core.text.similarity import overlap
from core.text.stated import Stated, disagreement, stated_values
from core.text.tokens import content_words
from core.text.twins import twin_values
from core.text.units import CURRENCIES
from core.text.value_lists import list_disagreement
from core.text.value_parties import party_disagreement
from core.text.value_ranking import best_values

_ONE_RULE = 0.5
_STRICT = ("yes_no", "money", "duration", "how_to", "reason")


class Account(NamedTuple):
    """One passage as a witness. ``document`` is its version, ``region`` and ``product`` what it is
    limited to; ``official`` sources are only compared strictly."""

    name: str
    text: str
    title: str = ""
    document: str = ""
    region: str = ""
    product: str = ""
    official: bool = False


class Said(NamedTuple):
    """A value one passage states, in the exact sentence ``quote``. ``thing``: of what, if told."""

    name: str
    value: str
    quote: str
    kind: ConflictKind
    thing: str = ""


class SameValue(NamedTuple):
    """One value and everybody who gives it; ``said[0]`` speaks for them."""

    said: tuple[Said, ...]

    @property
    def value(self) -> str:
        """The wording of the first who gives it."""
        return self.said[0].value


class Disagreement(NamedTuple):
    """``pairs`` cannot both be right; ``readings`` are right about a thing of their own each.

    ``values`` are all values found, whether or not they stand against each other.
    """

    pairs: tuple[tuple[Said, Said], ...] = ()
    readings: tuple[SameValue, ...] = ()
    values: tuple[SameValue, ...] = ()


@lru_cache(maxsize=64)
def disagree(query: str, accounts: tuple[Account, ...]) -> Disagreement:
    """What ``accounts`` disagree on in answer to ``query``. Two accounts of one document version
    or with one text never do, and nobody is believed more than another."""
    strict = _strictly(query, accounts)
    if strict.pairs or strict.readings:
        return strict
    if expected_type(query) in _STRICT or all(a.official for a in accounts):
        return strict
    return _of_named_things(query, accounts)


# ---- rules, compared strictly ----------------------------------------------------------------


def _strictly(query: str, accounts: Sequence[Account]) -> Disagreement:
    stated = {a.name: stated_values(query, a.text, a.title) for a in accounts}
    pairs: list[tuple[Said, Said]] = []
    readings: dict[str, SameValue] = {}
    for a, b in combinations(accounts, 2):
        if not _independent(a, b):
            continue
        found = _stated_pair(query, a, b, stated[a.name], stated[b.name])
        found = found or _other_pair(query, a, b)
        if found is None:
            continue
        reaches = _elsewhere(a, b)
        things = _other_thing(query, a, b) if reaches is None else reaches
        if things is None:
            pairs.append(found)
        elif reaches is None or _one_rule(query, reaches, found):
            for thing, said in zip(things, found, strict=True):
                readings.setdefault(thing, SameValue((said._replace(thing=thing),)))
    return Disagreement(
        tuple(pairs), tuple(readings.values()), _grouped([s for p in pairs for s in p])
    )


def _elsewhere(a: Account, b: Account) -> tuple[str, str] | None:
    """The two regions or products that two accounts are limited to, where they differ."""
    for left, right in ((a.product, b.product), (a.region, b.region)):
        if left and right and left.casefold() != right.casefold():
            return left, right
    return None


def _other_thing(query: str, a: Account, b: Account) -> tuple[str, str] | None:
    """The two things of the asked name that two accounts name, where both say which."""
    one, other = (thing_of(asked_name(query), account.text) for account in (a, b))
    told = named_apart(one, other) and not copied(a.text, b.text)
    return (one.label, other.label) if told else None


def _one_rule(query: str, reaches: tuple[str, str], found: tuple[Said, Said]) -> bool:
    """Whether both state the same rule for their own region or product, and neither is asked for.

    Rules of two procedures differ in more than the value; they need no telling apart.
    """
    asked = set(content_words(query))
    named = any(set(content_words(reach)) & asked for reach in reaches)
    return not named and overlap(_worded(found[0].quote), _worded(found[1].quote)) >= _ONE_RULE


def _worded(quote: str) -> str:
    return " ".join(word for word in quote.split() if not any(ch.isdigit() for ch in word))


def _independent(a: Account, b: Account) -> bool:
    """Passages of one version add to each other; two copies of a text say one thing."""
    same_version = bool(a.document) and a.document == b.document
    return not same_version and " ".join(a.text.split()) != " ".join(b.text.split())


def _stated_pair(
    query: str, a: Account, b: Account, left: Sequence[Stated], right: Sequence[Stated]
) -> tuple[Said, Said] | None:
    pair = disagreement(query, left, right)
    if pair is None:
        return None
    x, y = (
        Said(one.name, s.value, s.quote, kind_of(s.value) if s.quantity else "polarity")
        for one, s in zip((a, b), pair, strict=True)
    )
    return x, y


def _other_pair(query: str, a: Account, b: Account) -> tuple[Said, Said] | None:
    """A list, a party, or one sentence with another value in it."""
    kinds: tuple[tuple[ConflictKind | None, object], ...] = (
        ("list", list_disagreement(query, a.text, b.text)),
        ("party", party_disagreement(query, a.text, b.text)),
        (None, twin_values(query, a.text, b.text)),
    )
    for kind, found in kinds:
        if isinstance(found, tuple):
            (value_a, quote_a), (value_b, quote_b) = found
            named = kind or kind_of(value_a)
            return Said(a.name, value_a, quote_a, named), Said(b.name, value_b, quote_b, named)
    return None


# ---- facts about a named thing ----------------------------------------------------------------


def _of_named_things(query: str, accounts: Sequence[Account]) -> Disagreement:
    """The value each passage most likely gives; different things of one name are no conflict."""
    name = asked_name(query)
    by_name = {a.name: a for a in accounts}
    said = []
    found = best_values(query, [account.text for account in accounts])
    for account, best in zip(accounts, found, strict=True):
        if best is not None:
            thing = thing_of(name, account.text, account.title).label
            said.append(Said(account.name, best.value, best.quote, kind_of(best.value), thing))
    groups = _grouped(said)
    if len(groups) < 2:
        return Disagreement(values=groups)
    clashing = [
        (x, y)
        for x, y in combinations(groups, 2)
        if not (_all_official(x, by_name) and _all_official(y, by_name))
        and not _two_things(name, x, y, by_name)
    ]
    disputed = {id(group) for pair in clashing for group in pair}
    pairs = tuple((x.said[0], y.said[0]) for x, y in clashing)
    return Disagreement(pairs, tuple(g for g in groups if id(g) not in disputed), groups)


def _all_official(group: SameValue, accounts: dict[str, Account]) -> bool:
    return all(accounts[said.name].official for said in group.said)


def _two_things(name: str, x: SameValue, y: SameValue, accounts: dict[str, Account]) -> bool:
    """Whether the two groups speak of two things: somebody says so and nobody's text is the
    other's with a value changed."""
    told = False
    for left in x.said:
        for right in y.said:
            a, b = accounts[left.name], accounts[right.name]
            if copied(a.text, b.text):
                return False
            one = thing_of(name, a.text, a.title)
            other = thing_of(name, b.text, b.title)
            told = told or apart(one, other)
    return told


def _grouped(said: Sequence[Said]) -> tuple[SameValue, ...]:
    """Those who give one value together, the best attested value first."""
    groups: list[list[Said]] = []
    for one in said:
        home = next((g for g in groups if same_value(g[0].value, one.value)), None)
        if home is None:
            groups.append([one])
        elif all(one.name != other.name for other in home):
            home.append(one)
    return tuple(SameValue(tuple(g)) for g in sorted(groups, key=lambda g: -len(g)))


def kind_of(value: str) -> ConflictKind:
    """What kind of value it is: money, a day, another number, or a name."""
    if absolute_dates(value):
        return "date"
    found = find_quantities(value)
    if any(q.unit in CURRENCIES or q.unit == "percent" for q in found):
        return "amount"
    return "number" if found or any(ch.isdigit() for ch in value) else "name"
