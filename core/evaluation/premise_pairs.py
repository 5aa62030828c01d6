"""Twins of questions over policy prose, made by rule: a premise that holds, and one changed.

A sentence of the passage gives the true premise; the same sentence with one fact changed gives the
false one; both are put into the same question form. Yes/no forms are used only where the changed
fact is a value or a name, for of anything else a yes/no question is open and assumes nothing.
The same passages and seed give the same pairs.
"""

# ruff: noqa: E501 - patterns read better unbroken
from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Literal

from core.evaluation.premise_changes import Change, changes
from core.evaluation.premise_forms import fill, form_for
from core.models.base import Model
from core.text.extract import units
from core.text.language import detect_language
from core.text.names import find_names

NAMED = frozenset(("duration", "money", "percent", "count", "date", "name", "role"))
"""Kinds whose fact is a value or a name: what a yes/no question can name."""
_MOST_NAMES = 400


class PremisePair(Model):
    """One question beside the passage it is about. ``pair_id`` joins the two twins.

    ``kind`` says which fact is (or would be) changed, ``form`` how it is asked.
    """

    pair_id: str
    query: str
    text: str
    premise: str
    premise_false: bool
    kind: str
    form: str
    language: Literal["en", "zh"]


def premise_pairs(
    passages: Sequence[str], seed: int, *, per_passage: int = 4
) -> tuple[PremisePair, ...]:
    """Twins for each passage, at most ``per_passage``, each kind where the passage offers it."""
    chance = random.Random(seed)  # noqa: S311 - reproducible data, nothing secret
    names = _names(passages, chance)
    out: list[PremisePair] = []
    for number, passage in enumerate(passages):
        out += _twins(f"p{number}", passage, names, chance, per_passage)
    return tuple(out)


def _names(passages: Sequence[str], chance: random.Random) -> tuple[str, ...]:
    """Names that stand inside a sentence somewhere, not only where any word is capitalised."""
    found = sorted(
        name
        for passage in passages
        for name in set(find_names(passage))
        if re.search(rf"[a-z] {re.escape(name)}\b", passage)
    )
    found = list(dict.fromkeys(found))
    return tuple(chance.sample(found, min(_MOST_NAMES, len(found))))


def _twins(
    key: str, passage: str, names: Sequence[str], chance: random.Random, most: int
) -> list[PremisePair]:
    offered: dict[str, list[tuple[str, Change]]] = {}
    for sentence in statements(passage):
        for change in changes(sentence, passage, names, chance):
            offered.setdefault(change.kind, []).append((sentence, change))
    kinds = sorted(offered)
    chance.shuffle(kinds)
    out: list[PremisePair] = []
    for kind in kinds[:most]:
        sentence, change = chance.choice(offered[kind])
        out += _both(f"{key}-{kind}", passage, sentence, change, chance)
    return out


def _both(
    key: str, passage: str, sentence: str, change: Change, chance: random.Random
) -> list[PremisePair]:
    true, false = addressed(sentence), addressed(change.text)
    form = form_for(true, chance, named=change.kind in NAMED)
    language: Literal["en", "zh"] = "zh" if detect_language(passage) == "zh" else "en"
    pair = []
    for premise, is_false in ((true, False), (false, True)):
        query = fill(form, premise)
        if query is None:
            return []
        pair.append(
            PremisePair(
                pair_id=key,
                query=query,
                text=passage,
                premise=premise,
                premise_false=is_false,
                kind=change.kind,
                form=form.name,
                language=language,
            )
        )
    return pair


_LEANS = re.compile(
    r"^(?:this|that|these|those|it|they|he|she|such|but|and|or|so|however|for example|note|please|"
    r"then|also|here|see|let|ask|tell|if so|instead|otherwise|yes|no|if|when|since|explain|make sure|"
    r"keep|use|get|try|check|remember|whether|start|enter|click|accordingly|other)\b",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"[A-Z0-9][^?:“”\"`<>{}|=\[\]*—;!()]+\.")
_LEANS_ZH = re.compile("^(?:这|那|其|它|他|她|但|此|该|否则|同时|因此|而|并|也|故|当时)")
_PLAIN_ZH = re.compile("[^？：“”`<>{}|=*—；！（）()《》\\s]+。?")
_LONGEST, _SHORTEST = 30, 6
_LONGEST_ZH, _SHORTEST_ZH = 40, 10
_CLAUSES_ZH = 2


def statements(passage: str) -> list[str]:
    """Sentences of ``passage`` that can be understood alone and are of a length people repeat."""
    chosen = []
    for unit in units(passage):
        text = unit.prose.strip()
        if unit.kind not in ("sentence", "item") or unit.leans_on is not None:
            continue
        if "\n" not in text and (_fits_zh if detect_language(text) == "zh" else _fits)(text):
            chosen.append(text)
    return chosen


def _fits(text: str) -> bool:
    long_enough = _SHORTEST <= len(text.split()) <= _LONGEST
    return long_enough and not _LEANS.search(text) and bool(_PLAIN.fullmatch(text))


def _fits_zh(text: str) -> bool:
    long_enough = _SHORTEST_ZH <= len(text) <= _LONGEST_ZH
    few_clauses = text.count("，") < _CLAUSES_ZH
    return (
        long_enough
        and few_clauses
        and not _LEANS_ZH.search(text)
        and bool(_PLAIN_ZH.fullmatch(text))
    )


_PERSON = (
    (r"\bwe['’]re\b", "you are"),
    (r"\bwe['’]ll\b", "you will"),
    (r"\bwe['’]ve\b", "you have"),
    (r"\bwe\b", "you"),
    (r"\bours?\b", "your"),
    (r"\bus\b", "you"),
)
_CUSTOMER = (
    (r"\byou['’]re\b|\byou are\b", "I am"),
    (r"\byou['’]ll\b", "I will"),
    (r"\byou['’]ve\b", "I have"),
    (r"\byours?\b", "my"),
    (r"(?:(?<=^)|(?<=if )|(?<=when )|(?<=that )|(?<=and )|(?<=once )|(?<=, )|(?<=until )|(?<=before ))you\b", "I"),
    (r"\byou(?= (?:can|cannot|may|must|will|have|need|get|receive|should|do|did|could|want|pay|buy|are)\b)", "I"),
    (r"\byou\b", "me"),
)  # fmt: skip

_REWORDED = (
    (r"\bpurchase date\b", "date of purchase"),
    (r"\breceive\b", "get"),
    (r"\brequires\b", "needs"),
    (r"\bcan be\b", "may be"),
    (r"\brequested\b", "asked for"),
    (r"\bvia\b", "through"),
    (r"\bpurchased\b", "bought"),
    ("商品", "东西"),
    ("提供", "给出"),
    ("位于", "坐落于"),
)
"""What a customer says in other words, in both twins alike."""


def addressed(sentence: str) -> str:
    """The sentence as a customer would say it: our "we" becomes "you", "you" becomes "I"."""
    text = sentence.rstrip(".。 ")
    for pattern, other in _REWORDED:
        text = re.sub(pattern, other, text)
    for pattern, other in _CUSTOMER:
        text = re.sub(pattern, other, text, flags=re.IGNORECASE)
    for pattern, other in _PERSON:
        text = re.sub(pattern, other, text, flags=re.IGNORECASE)
    return text[:1].upper() + text[1:]
