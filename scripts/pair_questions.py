"""Turns statements into questions by rule, for training a reader of (question, passage) pairs.

After cloze translation (Lewis, Denoyer and Riedel 2019, "Unsupervised Question Answering by Cloze
Translation"): an answer is taken out of a sentence, a question word for its kind is put first, and
some of the remaining words are dropped, so that wording alone does not give the answer away.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import NamedTuple

from core.text.names import find_names

_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_DATE = rf"{_MONTH} \d{{1,2}}(?:, \d{{4}})?|\d{{1,2}} {_MONTH}(?: \d{{4}})?|{_MONTH} \d{{4}}"
_COUNT = r"\d[\d,.]*|two|three|four|five|six|seven|ten|twelve|thirty"
_UNIT = r"(?:business |working |calendar )?(?:second|minute|hour|day|week|month|year)s?"
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("date", re.compile(rf"\b(?:{_DATE})\b")),
    ("money", re.compile(r"[$€£]\s?\d[\d,.]*\d(?: (?:million|billion))?|[$€£]\s?\d")),
    ("percent", re.compile(r"\b\d[\d.,]*\s?(?:%|percent)")),
    ("duration", re.compile(rf"\b(?:{_COUNT})[ -]{_UNIT}\b")),
    ("year", re.compile(r"\b(?:1[5-9]|20)\d\d\b")),
    ("number", re.compile(r"(?<![\w.,$€£])\d[\d,]*(?:\.\d+)?(?= [a-z])")),
)
_WORDS = {
    "date": ("when", "on what date", "what day"),
    "year": ("when", "in what year", "what year"),
    "money": ("how much", "what price", "how much money"),
    "percent": ("how much", "what percentage", "what share"),
    "duration": ("how long", "how many days", "what is the time limit"),
    "number": ("how many",),
    "person": ("who",),
    "name": ("what", "which", "who", "where"),
}
_FRONTED = re.compile(
    r"^(?P<subject>(?:The |An? )?[A-Z0-9][\w'’.&-]*"
    r"(?: (?:[A-Z0-9(][\w'’.)&-]*|of|the|de|van|and|for))*?)"
    r" (?P<aux>is|was|are|were|has|had|can|will) (?P<rest>[^.?!]+)\.?$"
)
_DROPPED = 0.15


class Answer(NamedTuple):
    """A span of a sentence that a question could ask for."""

    start: int
    end: int
    kind: str


def answers(sentence: str) -> tuple[Answer, ...]:
    """Values and names in ``sentence``, values first, none overlapping another."""
    found: list[Answer] = []
    for kind, pattern in _KINDS:
        for match in pattern.finditer(sentence):
            _add(found, Answer(match.start(), match.end(), kind))
    for name in find_names(sentence):
        at = sentence.find(name)
        if at > 0:
            _add(found, Answer(at, at + len(name), "name"))
    return tuple(found)


def _add(found: list[Answer], answer: Answer) -> None:
    if all(answer.end <= other.start or answer.start >= other.end for other in found):
        found.append(answer)


def cloze_question(sentence: str, answer: Answer, chance: random.Random) -> str:
    """A rough question that ``answer`` answers; empty where too little is left to ask with."""
    before, after = _clause(sentence, answer)
    word = chance.choice(_WORDS[answer.kind])
    if answer.kind == "number":
        after, noun = _leading_noun(after)
        word = f"{word} {noun}" if noun else word
    before = re.sub(r"\s+(?:in|on|at|of|by|for|to|from|until|within|about|the|a)$", "", before)
    rest = [w for w in f"{before} {after}".split() if w]
    kept = [w for w in rest if w[0].isupper() or chance.random() >= _DROPPED]
    if len(kept) < 3:
        return ""
    text = " ".join(kept).strip(" ,;:()")
    fronted = _FRONTED.match(text)
    if fronted and chance.random() < 0.7:
        text = f"{fronted['aux']} {fronted['subject']} {fronted['rest']}"
    if chance.random() < 0.3:
        text = text.lower()
    return f"{word} {text}" + chance.choice(("?", "", "?"))


def _clause(sentence: str, answer: Answer) -> tuple[str, str]:
    """What stands around the answer, cut at the nearest strong break of a long sentence."""
    before, after = sentence[: answer.start], sentence[answer.end :]
    if len(sentence) > 140:
        breaks = [m.end() for m in re.finditer(r"[;:]\s|,\s(?:and|but|while|which|who)\s", before)]
        if breaks and len(before) - breaks[-1] > 25:
            before = before[breaks[-1] :]
        after = re.split(r"[;:]\s|,\s(?:and|but|while|which|who)\s", after)[0]
    return before.strip(), re.sub(r"[.!?]+$", "", after).strip()


def _leading_noun(text: str) -> tuple[str, str]:
    match = re.match(r"^\W*([a-z][\w-]+)(?:\s+([a-z][\w-]+s))?", text)
    return (text[match.end() :], match[0].strip()) if match else (text, "")


def fronted_question(statement: str) -> str:
    """``X was born in Y.`` → ``Was X born in Y?``; empty where the rule does not fit."""
    match = _FRONTED.match(statement.strip())
    if not match:
        return ""
    return f"{match['aux'].capitalize()} {match['subject']} {match['rest']}?"


def presupposing(statement: str, chance: random.Random) -> str:
    """A question that takes ``statement`` for granted."""
    bare = statement.strip().rstrip(".")
    match = _FRONTED.match(statement.strip())
    forms = [
        f"Since {bare}, what follows from that?",
        f"I read that {bare}. How does that work?",
        f"{bare} - what should I know about it?",
        f"Given that {bare}, what do I do next?",
        f"Is it true that {bare}?",
    ]
    if match:
        forms += [f"Why {match['aux']} {match['subject']} {match['rest']}?"] * 4
    return chance.choice(forms)


def without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """``text`` with the spans taken out."""
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + text[end:]
    return re.sub(r"\s{2,}", " ", text).strip()
