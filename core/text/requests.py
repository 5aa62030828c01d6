"""What a message asks to be done: cancel, refund, change … , with what and in which words.

A question about the rule ("Can I return it?") asks for an answer, not for an act.
"""

# ruff: noqa: E501 - word lists and patterns read better unbroken
from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from core.text.requests_acts import Act, acts_in, matters, other_acts
from core.text.sentences import split_sentences

_I = re.IGNORECASE
_LONGEST, _MOST_FRAMES, _CLAUSE = 6000, 12, 300
"""Characters of a message, wishes of a sentence and characters of a wish that are looked at."""
_WHO = r"(?:i|we|you|he|she|they|(?:the|my|our|this) (?:customer|user|client|guest|wife|husband|mother|father|son|daughter|member))"
_FRAME = re.compile(
    rf"\b{_WHO}(?:['’]d| would| will|['’]ll)?\s+(?:(?:also|really|just|only|now|still|then|simply|urgently|"
    r"both|very much)\s+)*(?:like|love|wants?|wish(?:es)?|needs?|prefers?|demands?|insists?(?: on)?|"
    r"requests?|expects?|rather|ask(?:ing)?|require)\b(?!\s+to\s+(?:know|ask|see if|find out|check|"
    r"understand|figure))"
    r"|\b(?:i['’]m|i am|we['’]re|we are|was|were)\s+(?:trying|looking|hoping|calling|writing|contacting you|"
    r"asking|planning|here)\s+(?:to|for)\b"
    r"|\b(?:and|but|so|or|to)\s+(?:would like|wants?|wish|need|prefer)\b(?!\s+to\s+(?:know|ask|see if))"
    r"|\b(?:please|kindly)\b|\b(?:can|could|would|will)\s+you\s+(?:please\s+|just\s+|kindly\s+)*(?=\w)"
    r"|\b(?:let|allow)\s+(?:me|us)\b|\b(?:give|grant|get|send|pay|offer)\s+(?:me|us)\b|\bgo ahead and\b",
    _I,
)
_ZH_FRAME = re.compile(
    "请(?!问)|帮我|帮忙|麻烦|我们?(?:想要?|要(?!求知道)|需要|希望|打算|要求)|能不能(?:帮|给)|"
    "可以(?:帮|给)我|给我"
)
_REFUSES = re.compile(
    r"\b(?:do(?:es)? not|don['’]t|doesn['’]t|did not|didn['’]t|never|no longer|not)\s+(?:\w+\s+){0,2}$|不(?:想|要)?$",
    _I,
)
_STOP = re.compile(
    r"[;；。]|,\s+(?=(?:i|i['’]m|we|my wife|my husband|it|he|she|they|there|a friend)\b)|,?\s+\b(?:because|since|although|though|whereas|but|unless|if|when|as (?:i|we|it|my|you)\b|"
    r"so that|which|after|before|even though|until)\b|，(?:因为|但|如果)|因为",
    _I,
)
_BARE = re.compile(
    r"(?:^|[,:;.!?]\s+|\b(?:so|and|then|also|instead|now)\s+)(?:(?:just|simply|also|then)\s+)*(?=\w)",
    _I,
)
_BASE_FORM = re.compile(r"^\w+(?<!ed)(?<!ing)(?<!s)\b", _I)
_OBJECT = re.compile(
    r"^\s+(?:(?:it|them|this|that|these|those|everything|all|both|my|our|the|an?|one|two|three|"
    r"me|us|her|his|their|for)\b|[A-Z#{0-9])",
    _I,
)
_QUESTION_FIRST = re.compile(
    r"(?:\W|so|and|but|or|ok|hi|hello|then|also|well)*(?:can i|could i|may i|am|are|is|do|does|did|what|when|where|who|"
    r"which|why|how|until)\b(?!.*\bplease\b)|.*(?:[吗呢]|是否|多久|多少)",
    _I,
)
_POLITE = re.compile(
    r"\b(?:can|could|would|will)\s+you\s+(?:please\s+|just\s+|kindly\s+)*\w+\s+(?:\w+\s+)?(?:me|my|our|us|it|"
    r"this|that|the|them)\b|\bplease\b|\b(?:i|we)(?:['’]d| would)?\s+(?:like|want|need|wish)\b|请(?!问)|帮我",
    _I,
)
"""What makes an act wanted although the sentence ends as a question."""
_HYPOTHETIC = re.compile(r"\b(?:if|in case|unless|whether)\s+[^,;]*$", _I)
_CLAUSE_OF = re.compile(r"\b(?:wants?|needs?)\s+(?:you\s+)?to\s+know\b", _I)


class WantedAct(NamedTuple):
    """One thing asked for. ``words`` are the asker's own clause, ``about`` the stems it is about.

    ``certain`` is false for a mere question about whether it may be done.
    """

    act: str
    words: str
    about: frozenset[str]
    sentence: str


@lru_cache(maxsize=512)
def wanted_acts(text: str) -> tuple[WantedAct, ...]:
    """What ``text`` asks to be done, in order, each act with one thing once."""
    found: dict[tuple[str, frozenset[str]], WantedAct] = {}
    for span in split_sentences(text[:_LONGEST]):
        for wanted in _in_sentence(span.text):
            found.setdefault((wanted.act, wanted.about), wanted)
    return tuple(found.values())


def _in_sentence(sentence: str) -> Iterator[WantedAct]:
    if _only_asks(sentence):
        return
    taken: set[int] = set()
    for start, end in _clauses(sentence):
        clause = sentence[start:end]
        for act in (*acts_in(clause), *_first_other(clause)):
            at = start + act.start
            if (
                at in taken
                or _REFUSES.search(sentence[max(0, at - 60) : at])
                or _HYPOTHETIC.search(clause[: act.start])
            ):
                continue
            taken.add(at)
            yield WantedAct(
                act.name, clause.strip(" ,.!?"), matters(_own_part(clause, act)), sentence
            )


def _only_asks(sentence: str) -> bool:
    """A question whether, when or how; "could you cancel it" is none."""
    if not sentence.rstrip(" \"'”)").endswith(("?", "？")):
        return False
    if _POLITE.search(sentence):
        return bool(re.match(_QUESTION_FIRST, sentence))
    return True


def _clauses(sentence: str) -> Iterator[tuple[int, int]]:
    """Where a wish stands: behind "I want", "please", "could you", or as a bare order."""
    frames = (*_FRAME.finditer(sentence), *_ZH_FRAME.finditer(sentence))
    for frame in frames[:_MOST_FRAMES]:
        if _REFUSES.search(
            sentence[max(0, frame.end() - 60) : frame.end()].rsplit(" ", 1)[0] + " "
        ) or _CLAUSE_OF.match(sentence, frame.start()):
            continue
        yield frame.start(), _end(sentence, frame.end())
    for bare in tuple(_BARE.finditer(sentence))[:_MOST_FRAMES]:
        first = acts_in(sentence[bare.end() : bare.end() + _CLAUSE])[:1]
        if first and first[0].start == 0 and _orders(sentence, bare.end(), first[0]):
            yield bare.end(), _end(sentence, bare.end() + first[0].end)


def _first_other(clause: str) -> tuple[Act, ...]:
    """The verb of a wish that no family of acts holds: "please renew my books"."""
    others = other_acts(clause)[:1]
    known = acts_in(clause)
    return others if others and not any(a.start < others[0].start + 25 for a in known) else ()


def _orders(sentence: str, start: int, act: Act) -> bool:
    word = sentence[start : start + act.end]
    return bool(_BASE_FORM.match(word) and _OBJECT.match(sentence[start + act.end :]))


def _end(sentence: str, start: int) -> int:
    last = min(len(sentence), start + _CLAUSE)
    stop = _STOP.search(sentence, start, last)
    return stop.start() if stop else last


def _own_part(clause: str, act: Act) -> str:
    """The stretch of the clause around one act, as far as the next act's own thing."""
    others = [a for a in acts_in(clause) if a.start > act.end]
    joint = re.compile(r",|\b(?:and|or|then)\b|，|并", _I)
    for other in others:
        joints = [m.start() for m in joint.finditer(clause, act.end, other.start)]
        if joints and matters(clause[act.end : joints[-1]]):
            return clause[: joints[-1]]
    return clause
