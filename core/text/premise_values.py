"""Values that a premise and a passage state differently: quantities, bounds, dates."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

from core.text.bounds import opposed, side_of
from core.text.dates import PartialDate
from core.text.quantities import Quantity, same_quantity, satisfied
from core.text.statements import Statement, families
from core.text.tokens import word_set

_AROUND = 3


def other_value(premise: Statement, stated: Statement) -> Literal["value", "date", "bound", ""]:
    """What kind of value ``stated`` gives differently for the same place; empty for none."""
    if _other_quantity(premise, stated):
        return "value"
    if _other_date(premise, stated):
        return "date"
    return "bound" if _other_bound(premise.quantities, stated.quantities) else ""


def same_values(premise: Statement, stated: Statement) -> bool:
    """Whether every value of the premise stands in ``stated`` too, and it has any."""
    if not premise.quantities and not premise.dates:
        return False
    left, _ = _unmatched(premise.quantities, stated.quantities)
    return not left and same_days(premise, stated)


def same_days(premise: Statement, stated: Statement) -> bool:
    """Whether every date of the premise is named in ``stated`` too."""
    return all(any(_same_day(d, o) for o in stated.dates) for d in premise.dates)


def _unmatched(
    mine: Sequence[Quantity], theirs: Sequence[Quantity]
) -> tuple[list[Quantity], list[Quantity]]:
    """The quantities of each side that the other side does not state."""
    rest = list(theirs)
    left = []
    for quantity in mine:
        twin = next((q for q in rest if same_quantity(quantity, q) == "same"), None)
        if twin is None:
            left.append(quantity)
        else:
            rest.remove(twin)
    return left, rest


def _other_quantity(premise: Statement, stated: Statement) -> bool:
    left, rest = _unmatched(premise.quantities, stated.quantities)
    for assumed in left:
        rivals = [
            q for q in rest if excludes(assumed, q) and _same_counted(premise, assumed, stated, q)
        ]
        open_still = any(_leaves_open(assumed, q) for q in stated.quantities)
        placed = len(rivals) == 1 or any(_same_place(premise, assumed, stated, q) for q in rivals)
        if rivals and placed and not open_still:
            return True
    return False


def excludes(assumed: Quantity, stated: Quantity) -> bool:
    """Different in the same unit, and not inside what the other's bound leaves open."""
    if {assumed.unit, stated.unit} == {"day", "business_day"}:
        return _apart(assumed, stated)
    if satisfied(assumed, stated):
        return False
    return same_quantity(assumed, stated) == "different" and not (
        assumed.unit == stated.unit and (_admits(assumed, stated) or _admits(stated, assumed))
    )


_WEEKENDS, _SLACK = Decimal("1.4"), 2
"""Five business days are seven days on the calendar, or two more around a weekend."""


def _apart(a: Quantity, b: Quantity) -> bool:
    """Calendar days that business days cannot be, wherever the weekend falls."""
    calendar, business = (a, b) if a.unit == "day" else (b, a)
    low = business.value
    high = (business.upper or business.value) * _WEEKENDS + _SLACK
    return not low <= calendar.value <= high


def _same_counted(
    premise: Statement, assumed: Quantity, stated: Statement, other: Quantity
) -> bool:
    """Whether two counts count the same: "three photos" and "one photo of the damage"."""
    if not assumed.unit.startswith("count:") or assumed.unit == other.unit:
        return True
    noun = assumed.unit.removeprefix("count:")
    behind = stated.text[other.end : other.end + _BEHIND]
    return noun in behind if premise.chinese else noun in families(behind)


_BEHIND = 24
"""Characters behind a number in which what it counts is named."""


def _leaves_open(assumed: Quantity, stated: Quantity) -> bool:
    """A range that holds the value assumed, or one that an open bound admits."""
    if satisfied(assumed, stated):
        return True
    return stated.unit == assumed.unit and same_quantity(assumed, stated) == "incomparable"


def _admits(loose: Quantity, other: Quantity) -> bool:
    high = other.upper if other.upper is not None else other.value
    if loose.bound in ("at_least", "more_than"):
        same = (loose.bound,) if loose.bound == "more_than" else ()
        return other.bound in ("exact", "approx", *same) and other.value >= loose.value
    if loose.bound == "less_than" and other.bound == "exact":
        return high < loose.value
    if loose.bound == "at_most" and other.bound == "exact":
        return loose.noun != other.noun and high <= loose.value
    return False


def _same_place(premise: Statement, assumed: Quantity, stated: Statement, other: Quantity) -> bool:
    """Whether the words around the two values are partly the same."""
    return bool(_around(premise, assumed) & _around(stated, other))


def _around(statement: Statement, value: Quantity | PartialDate) -> frozenset[str]:
    """The terms next to a value."""
    starts = sorted([q.start for q in statement.quantities] + [d.start for d in statement.dates])
    places = [at for at, term in enumerate(statement.terms) if term in "#@"]
    if len(starts) != len(places):
        return frozenset()
    at = places[starts.index(value.start)]
    near = statement.terms[max(0, at - _AROUND) : at + _AROUND + 1]
    return frozenset(near) - {"#", "@"}


def _other_bound(mine: Sequence[Quantity], theirs: Sequence[Quantity]) -> bool:
    """The same value bounded the other way: at least 30 days against at most 30 days."""
    return any(
        same_quantity(a, b) == "same" and opposed(a.bound, b.bound) for a in mine for b in theirs
    )


def _other_date(premise: Statement, stated: Statement) -> bool:
    left = [d for d in premise.dates if not any(_same_day(d, o) for o in stated.dates)]
    rest = [o for o in stated.dates if not any(_same_day(d, o) for d in premise.dates)]
    return any(_rival_date(premise, d, stated, o) for d in left for o in rest)


def _rival_date(
    premise: Statement, mine: PartialDate, stated: Statement, other: PartialDate
) -> bool:
    """Another day for the same thing; "after 2005" is no rival of 2008."""
    both = [(x, y) for x, y in zip(_parts(mine), _parts(other), strict=True) if x and y]
    if not both:
        return False
    side = side_of(premise.text, mine.start, mine.end)
    earlier = [x for x, _ in both] < [y for _, y in both]
    if side and mine.year and earlier == (side == "after"):
        return False
    alike = [x is None for x in _parts(mine)] == [x is None for x in _parts(other)]
    return alike or bool(_around(premise, mine) & _around(stated, other) - _SLOTS)


_SLOTS = word_set("in on at by from to of for with")


def _parts(day: PartialDate) -> tuple[int | None, int | None, int | None]:
    return day.year, day.month, day.day


def _same_day(a: PartialDate, b: PartialDate) -> bool:
    """No part that both name differs, and they name one in common."""
    both = [(x, y) for x, y in zip(_parts(a), _parts(b), strict=True) if x and y]
    return bool(both) and all(x == y for x, y in both)
