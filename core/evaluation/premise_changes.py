"""One fact of a sentence changed by rule: what a false premise is made of.

Each change says its kind. A change is only offered where the sentence names the thing plainly, so
that the changed sentence cannot be true where the first one is.
"""

# ruff: noqa: E501 - word lists and patterns read better unbroken
from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import NamedTuple

from core.text.dates import absolute_dates
from core.text.language import detect_language
from core.text.names import find_names
from core.text.quantities import Quantity, find_quantities
from core.text.units import CURRENCIES


class Change(NamedTuple):
    """The sentence with one fact changed, and what kind of fact it was."""

    text: str
    kind: str


_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve")
_ZH_DIGITS = "一二三四五六七八九十"
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_Rule = tuple[str, str, str]
_ENGLISH: tuple[_Rule, ...] = (
    # kind, pattern, replacement
    ("polarity", r"\b(can|could|will|would|should)(?:not| not|n't)\b", r"\1"),
    ("polarity", r"\bcan't\b|\bcannot\b", "can"),
    ("polarity", r"\bwon't\b", "will"),
    ("polarity", r"\b(is|are|was|were|does|do|did) ?(?:not|n't)\b", r"\1"),
    ("polarity", r"\b(can|will|should|is|are|was|were)\b(?! (?:not|only|no|never|also)\b)", r"\1 not"),
    ("requirement", r"\bmust not\b", "may"),
    ("requirement", r"\bmust\b(?! not)", "do not have to"),
    ("requirement", r"\b(is|are) (required|mandatory)\b", r"\1 optional"),
    ("requirement", r"\b(is|are) (optional|not required|not needed)\b", r"\1 mandatory"),
    ("frequency", r"\bnever\b", "always"),
    ("frequency", r"\balways\b", "never"),
    ("order", r"\bbefore\b", "after"),
    ("order", r"\bafter\b(?! (?:all|that|which|this))", "before"),
    ("order", r"\b(?:immediately|instantly|right away)\b", "only after several weeks"),
    ("cost", r"\b(is|are) free(?: of charge)?\b(?! (?:to|from))", r"\1 charged extra"),
    ("cost", r"\bat no (?:extra |additional )?(?:cost|charge)\b", "for a fee"),
    ("comparison", r"\bat least\b", "at most"),
    ("comparison", r"\b(?:at most|up to|no more than)\b(?= \$?\d| [a-z]+ )", "at least"),
    ("comparison", r"\bmore than\b", "less than"),
    ("comparison", r"\b(?:less|fewer) than\b", "more than"),
    ("comparison", r"\bminimum\b", "maximum"),
    ("comparison", r"\bmaximum\b", "minimum"),
    ("opposite", r"\bautomatically\b", "manually"),
    ("opposite", r"\bmanually\b", "automatically"),
    ("opposite", r"\b(is|are) included\b", r"\1 excluded"),
    ("opposite", r"\b(is|are) excluded\b", r"\1 included"),
    ("opposite", r"\b(is|are) (?:allowed|permitted|accepted)\b", r"\1 prohibited"),
    ("opposite", r"\b(is|are) (?:prohibited|forbidden)\b", r"\1 allowed"),
    ("opposite", r"\benabled by default\b", "disabled by default"),
    ("opposite", r"\bdisabled by default\b", "enabled by default"),
    ("opposite", r"\bincrease(s|d)?\b", r"decrease\1"),
    ("opposite", r"\bpermanently\b", "temporarily"),
)  # fmt: skip
_CHINESE: tuple[_Rule, ...] = (
    ("polarity", "不(?:能|可以|可|得)", "可以"),
    ("polarity", "(?<!不)可以", "不可以"),
    ("polarity", "不会", "会"),
    ("polarity", "(?<![不机社协])会(?=[在将退把收给])", "不会"),
    ("polarity", "不支持", "支持"),
    ("polarity", "不在(?=.{0,12}范围)", "在"),
    ("polarity", "没有", "有"),
    ("polarity", "不是", "是"),
    ("polarity", "(?<![不只就可总还但于是])是(?=[^否非])", "不是"),
    ("requirement", "(?:必须|须|需要|应当)", "无需"),
    ("requirement", "(?:无需|不需要|不必)", "必须"),
    ("cost", "免费", "收费"),
    ("order", "之前|以前", "之后"),
    ("order", "之后|以后", "之前"),
    ("comparison", "至少", "最多"),
    ("comparison", "(?:最多|不超过)", "至少"),
    ("opposite", "自动", "手动"),
    ("opposite", "增加", "减少"),
)  # fmt: skip
_ROLES = (
    "supervisor", "store manager", "support team", "courier", "finance team", "warehouse",
    "account owner", "legal department", "data controller", "branch office",
)  # fmt: skip
_ROLE = re.compile(
    r"\bby (?:a |an |the )?(?P<role>(?:\w+ )?(?:supervisor|manager|team|agent|owner|customer|courier|"
    r"carrier|sender|buyer|seller|user|administrator|admin|bank|issuer|company|department))\b"
)  # fmt: skip


def changes(
    sentence: str, passage: str, names: Sequence[str], chance: random.Random
) -> list[Change]:
    """Every change the sentence admits, each to something the passage does not say.

    ``names`` are names of other passages, to put in the place of one here.
    """
    found = [*_values(sentence, passage, chance), *_dates(sentence, passage, chance)]
    found += _turned(sentence)
    found += _renamed(sentence, passage, names, chance)
    found += _other_role(sentence, passage, chance)
    return [c for c in found if c.text != sentence]


def _values(sentence: str, passage: str, chance: random.Random) -> list[Change]:
    taken = {(q.unit, q.value) for q in find_quantities(passage)}
    found = []
    for quantity in find_quantities(sentence):
        if quantity.unit in ("number", "x", "count:") or quantity.upper is not None:
            continue
        new = _other(quantity, chance)
        if new and (quantity.unit, new[1]) not in taken:
            text = f"{sentence[: quantity.start]}{new[0]}{sentence[quantity.end :]}"
            found.append(Change(text, _value_kind(quantity)))
    return found


def _value_kind(quantity: Quantity) -> str:
    if quantity.unit in CURRENCIES:
        return "money"
    if quantity.unit == "percent":
        return "percent"
    return "count" if quantity.unit.startswith("count:") else "duration"


def _other(quantity: Quantity, chance: random.Random) -> tuple[str, object] | None:
    match = _NUMBER.search(quantity.text)
    factor = chance.choice((2, 3))
    if match:
        value = type(quantity.value)(match[0].replace(",", ""))
        fresh = value * factor if value < 1000 else value + 500 * factor
        text = f"{fresh:,}" if "," in match[0] else str(fresh)
        scale = quantity.value / value if value else 1
        return quantity.text.replace(match[0], text, 1), fresh * scale
    low = quantity.text.lower()
    for place, word in enumerate(_WORDS[:-2]):
        if re.match(rf"{word}\b", low):
            fresh_word = _WORDS[min(place + factor, len(_WORDS) - 2)]
            return fresh_word + quantity.text[len(word) :], quantity.value + factor
    if (
        quantity.text
        and quantity.text[0] in _ZH_DIGITS[:7]
        and quantity.text[1:2] not in "十百千万"
    ):
        place = _ZH_DIGITS.index(quantity.text[0]) + factor
        return _ZH_DIGITS[place] + quantity.text[1:], quantity.value + factor
    return None


def _dates(sentence: str, passage: str, chance: random.Random) -> list[Change]:
    found = []
    taken = {d.text for d in absolute_dates(passage)}
    for day in absolute_dates(sentence):
        numbers = list(_NUMBER.finditer(day.text))
        if not numbers:
            continue
        at = chance.choice(numbers)
        value = int(at[0].replace(",", ""))
        fresh = (
            value + chance.choice((-7, 3, 6)) if value > 31 else value % 12 + chance.choice((2, 4))
        )
        text = day.text[: at.start()] + str(fresh) + day.text[at.end() :]
        if fresh != value and text not in taken:
            found.append(Change(sentence[: day.start] + text + sentence[day.end :], "date"))
    return found


_ASIDE = re.compile(
    r"\b(?:if|when|whether|unless|until|who|which|that|where|because|as|once)\b|如果|若|除非|当"
)


def _turned(sentence: str) -> list[Change]:
    rules = _CHINESE if detect_language(sentence) == "zh" else _ENGLISH
    found: dict[str, Change] = {}
    for kind, pattern, other in rules:
        places = list(re.finditer(pattern, sentence))
        # A word that stands twice may be turned in the wrong place; a condition denies nothing.
        if len(places) == 1 and not _ASIDE.search(sentence[: places[0].start()]):
            found.setdefault(kind, Change(re.sub(pattern, other, sentence), kind))
    return list(found.values())


def _renamed(
    sentence: str, passage: str, names: Sequence[str], chance: random.Random
) -> list[Change]:
    """A name after the first words put in the place of another: what is said, not of whom."""
    own = [n for n in find_names(sentence) if sentence.find(n) > len(sentence) * 0.3]
    others = [n for n in names if n.lower() not in passage.lower()]
    if not own or not others:
        return []
    old = chance.choice(own)
    alike = [n for n in others if len(n.split()) == len(old.split())] or others
    if sentence.count(old) != 1:
        return []
    return [Change(sentence.replace(old, chance.choice(alike)), "name")]


def _other_role(sentence: str, passage: str, chance: random.Random) -> list[Change]:
    match = _ROLE.search(sentence)
    fitting = [role for role in _ROLES if role.split()[-1] not in passage.lower()]
    if not match or not fitting:
        return []
    start, end = match.span("role")
    return [Change(sentence[:start] + chance.choice(fitting) + sentence[end:], "role")]
