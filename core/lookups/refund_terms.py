"""Which of the rules that were read hold for one order, and what they leave open."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from core.lookups.refund_rules import Charge, RefundRules, Rule, Window
from core.models.evidence import EvidenceCandidate

_NAMES: dict[str, frozenset[str]] = {
    "US": frozenset({"us", "usa", "u.s", "united states", "united states of america", "america"}),
    "GB": frozenset({"gb", "uk", "u.k", "united kingdom", "great britain", "britain"}),
    "CA": frozenset({"ca", "canada"}),
}


class Terms(NamedTuple):
    """The rules of one order, ``None`` where no source states one; ``open`` are sentences on what
    the sources leave open or do not agree on."""

    window: Rule | None
    report: Rule | None
    final_sale: Rule | None
    shipping: Rule | None
    label: Rule | None
    open: tuple[str, ...]


def terms_for(rules: RefundRules, *, bought: date | None, country: str) -> Terms:
    """The rules for a purchase on ``bought``, delivered to ``country`` (``US``; empty: not known).

    A rule for a period or a place holds only there, and before the general one. Where two sources
    of one standing state different values, none is taken and both are named as open.
    """
    kept = RefundRules(
        *(tuple(r for r in found if _in_region(r.passage, country)) for found in rules)
    )
    open_: list[str] = []
    window = _agreed("how long a return may take", _windows(kept.windows, bought), open_)
    label = _agreed("what a return label costs", _placed(kept.labels, country, open_), open_)
    terms = Terms(
        window=window,
        report=_agreed("how soon damage must be reported", kept.report_windows, open_),
        final_sale=kept.final_sale[0] if kept.final_sale else None,
        shipping=_agreed("whether shipping is refunded", kept.shipping, open_),
        label=label,
        open=(),
    )
    unread = [*kept.open, *kept.restocking]
    open_ += [f"It may matter that “{r.sentence}” ({r.passage.source_title})." for r in unread]
    return terms._replace(open=tuple(dict.fromkeys(open_)))


def is_country(name: str, code: str) -> bool:
    """Whether a place as written is the country with this code."""
    written = name.casefold().strip(" .")
    return written == code.casefold() or written in _NAMES.get(code.upper(), frozenset())


def _in_region(passage: EvidenceCandidate, country: str) -> bool:
    return not passage.region or (bool(country) and is_country(passage.region, country))


def _windows(rules: Sequence[Rule], bought: date | None) -> tuple[Rule, ...]:
    """Those for the period the purchase falls into, else the general ones."""
    limited, general = [], []
    for rule in rules:
        window = rule.value
        if not isinstance(window, Window):
            continue
        if window.period is None:
            general.append(rule)
        elif bought is not None and window.period.holds(bought):
            limited.append(rule)
    return tuple(limited or general)


def _placed(rules: Sequence[Rule], country: str, open_: list[str]) -> tuple[Rule, ...]:
    here, everywhere = [], []
    for rule in rules:
        place = rule.value.place if isinstance(rule.value, Charge) else ""
        if not place:
            everywhere.append(rule)
        elif country and is_country(place, country):
            here.append(rule)
        elif not country:
            said = f"“{rule.sentence}” ({rule.passage.source_title})"
            open_.append(f"{said} holds for {place} only, and the record names no country.")
    return tuple(here or everywhere)


def _agreed(what: str, rules: Sequence[Rule], open_: list[str]) -> Rule | None:
    """The rule that all sources of the highest standing state; else what they state is open."""
    top = [r for r in rules if r.passage.authority == rules[0].passage.authority]
    values = {_comparable(r.value) for r in top}
    if len(values) <= 1:
        return top[0] if top else None
    said = "; ".join(f"“{r.sentence}” ({r.passage.source_title})" for r in top)
    open_.append(f"The sources do not agree on {what}: {said}.")
    return None


def _comparable(value: object) -> tuple[object, ...]:
    if isinstance(value, Window):
        return value.days, value.counted_from
    if isinstance(value, Charge):
        return value.refunded, value.amount or Decimal(0)
    return (value,)
