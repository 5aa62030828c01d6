"""What a question takes for granted: the statements it would need to be true to make sense.

"Refresh tokens expire after 30 days - how do I extend that window?" presupposes that they expire
after 30 days; "Do refresh tokens ever expire?" presupposes nothing. Only statements about how
things are in general count: what customers say of themselves ("I bought it in May") is theirs to
know. A yes/no question asks rather than assumes; what it can still name wrongly is decided in
``core.text.asked``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from core.text.asked import proposition
from core.text.identifiers import find_identifiers
from core.text.language import detect_language
from core.text.presupposition_zh import find_chinese_presuppositions, find_chinese_things

PresuppositionKind = Literal["statement", "why", "since", "measure", "thing", "asked"]
_MOST = 6


class Presupposition(NamedTuple):
    """One thing taken for granted. ``thing`` and ``measure`` name something said to exist.

    ``asked`` is held up by a yes/no question, which can be wrong only in what it ``names``.
    """

    text: str
    kind: PresuppositionKind
    names: Literal["", "anything", "values"] = ""
    said: str = ""
    """The asker's own words, where they are not ``text``: the question of a yes/no question."""

    @property
    def chinese(self) -> bool:
        """Chinese questions often state something in one clause and ask in the next."""
        return detect_language(self.text) == "zh"


_ADDED_TOPIC = re.compile(r"\s*\(regarding: [^)]*\)")
"""What normalising adds to make a question stand alone; it states nothing."""
_AUX = (
    r"(?:is|are|was|were|am|do|does|did|can|could|will|would|shall|should|may|might|must|has|have"
    r"|had|isn't|aren't|wasn't|weren't|don't|doesn't|didn't|can't|couldn't|won't|wouldn't|shouldn't"
    r"|hasn't|haven't|cannot)"
)
_WH = r"(?:how|what|what's|why|when|where|which|who|whom|whose)"
_ASKS = re.compile(
    rf"^(?:so|and|but|then|also|ok|okay|please|hi|hello)?[\s,]*(?:{_WH}|{_AUX})\b", re.I
)
_PLEASE = re.compile(r"^(?:please|kindly|i (?:want|need|would like) (?:you )?to)\b", re.I)
_AND_ASKS = re.compile(
    rf"\s+and\s+(?={_WH}\b|(?:do|does|can|is|are|will|may)\s+(?:i|you|we|it|the|my)\b)", re.I
)
_YES_NO = re.compile(rf"^(?:so|and|but|then|also)?[\s,]*{_AUX}\b", re.I)
_COMMANDS = re.compile(
    r"^(?:please\s+)?(?:tell|explain|describe|show|help|let|give|list|summari[sz]e|confirm|check)\b",
    re.I,
)
_SPLIT = re.compile(r"(?<=[.!?;])(?<!\b[A-Z]\.)\s+|\s+[-–—]{1,2}\s+|[—\n]+|;\s*")
_INNER_QUESTION = re.compile(
    rf",\s*(?:so\s+|and\s+|but\s+|then\s+)?(?=(?:{_WH}\b|{_AUX}\s(?=.*\?$)(?:(?:i|you|we|it|they|he|she|there|the|"
    r"this|that|these|my|your|our|an?|any|all)\b|(?<=do\s|es\s|id\s|an\s|ll\s|ay\s|ld\s)(?!be\b|have\b|not\b|also\b|only\b)\w)))",
    re.I,
)
_OPENER = r"for|in|on|at|with|without|under|during|as|to|after|before"
_SUBORDINATE = re.compile(
    rf"^(?:if|when|whenever|once|while|until|unless|{_OPENER}|"
    r"assuming|suppose|supposing|regarding|about|besides|hi|hello|hey|dear|thanks|"
    r"thank|sorry|please|yes|no|okay|ok)\b",
    re.I,
)
_OPENED = re.compile(rf"^(?:{_OPENER})\b(?:\s+\S+){{6}}", re.I)
"""A whole statement behind a time, place or purpose: "For security, the code is valid for …"."""
_CAUSE = re.compile(
    r"\b(?:since|because|given\s+that|given|now\s+that|considering(?:\s+that)?|seeing\s+(?:that|as))"
    r"\s+(?P<rest>(?:[^,?]|,(?=\d))+)",
    re.I,
)
_WHY = re.compile(
    r"\b(?:why|how\s+come|what(?:'s|\s+is)\s+the\s+reason(?:\s+(?:why|that))?)\s+(?P<rest>.+?)[?.!]*$",
    re.I,
)
_IS_IT_THAT = re.compile(r"^is\s+it\s+(?:\w+\s+)?that\s+", re.I)
_ATTRIBUTED = re.compile(
    r"^(?:but\s+|and\s+|so\s+)?(?:i(?:'ve|'m|\s+have|\s+am)?\s+(?:know|read|heard|see|saw|seen|understand|was\s+told|"
    r"been\s+told|told|noticed|believe|gather|learned|realise|realize)|apparently,?|as\s+you\s+know,?|it\s+says|as\s+far\s+as\s+i\s+know|(?:your|the)\s+(?:\w+\s+){0,3}(?:says?|said|states?|claims?)|"
    r"according\s+to\s+[^,]+,)\s*(?:that\s+)?",
    re.I,
)
_RULE_FOR_ME = re.compile(
    r"^(?:i|we)\s+(?:can|may|must|should|will|would|need|get|receive|pay|earn|only|always|never|cannot|"
    r"can't|won't|don't|do|am|are|have\s+to|have\s+(?:only\s+)?\S+\s+\w+\s+to)\b"
    r"(?!\s+(?:buying|trying|looking|going|planning|here|not\s+sure))",
    re.I,
)
"""What holds for every customer, said in the first person: "I can return it within 60 days"."""
_OWN_MATTER = re.compile(
    r"^(?:i|i'm|i've|i'd|i'll|we|we've|we're|mine)\b|^(?:my|our)\s+(?:\w+\s+)?(?:order|parcel|package|"
    r"shipment|delivery|case|ticket|claim|complaint|purchase|coat|kettle|friend|wife|husband|mother|father|son|"
    r"daughter|boss|company)\b|^(?:my|our)\s+(?:\w+\s+){1,3}?(?:\w{3,}ed|broke|died|came|got|fell|went|is\s+(?:late|broken|"
    r"lost|missing|damaged|marked|not\s+here|gone))\b",
    re.I,
)
_OWN_PAST = re.compile(
    r"\b(?:i|we)(?:'ve|\s+have|'d|\s+had)?\s+(?:just\s+|already\s+)?(?:\w+ed|bought|got|sent|lost|paid|ordered|made|had|went|saw|live|want|"
    r"was|were|broke|found|took|own|think|hope|like|love|wonder|work|moved|just)\b|\bi'(?:m|d)\b|\bwe're\b",
    re.I,
)
_DONE_TO_ME = re.compile(
    r"^(?:(?:in|on|at|last)\s+[\w ]{1,25}?,?\s+)?(?:your|an?|the|one\s+of\s+your)\s+(?:\w+\s+)?"
    r"(?:colleagues?|agents?|advis[eo]rs?|staff|representatives?|reps?|drivers?|couriers?|assistants?|"
    r"employees?|stores?|shops?)\s+(?:\w+ly\s+)?(?!promised|claimed|confirmed|assured|explained|"
    r"informed|stated|advised)(?:\w{2,}ed|gave|sent|took|left|made|put|did(?:n't| not)?)\b"
    r".*\b(?:me|us|my|our)\b",
    re.I,
)
"""What one of us did to the asker: "your colleague refused to exchange it for me". No rule."""
_ASKS_TO_CONFIRM = re.compile(
    r"\b(?:is|isn't)\s+(?:that|this|it)\s+(?:\w+\s+)?(?:right|correct|true|so|still|the\s+case)|"
    r"^(?:right|correct|true|really)\s*\?|,\s*(?:right|correct)\s*\?",
    re.I,
)
_UNIT = (
    r"(?:(?:business|working|calendar)[-\s])?(?:second|minute|hour|day|week|month|year|point|percent"
    r"|dollar|euro)s?"
)
_NUMBER = (
    r"(?:[$€£¥]\s?\d[\d,.]*|\d[\d,.]*\s?%|(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|"
    r"twelve|fourteen|fifteen|twenty|thirty|forty-five|forty|sixty|ninety)[-\s]" + _UNIT + r")"
)
_STOPS = (
    r"(?!(?:in|on|of|for|to|from|with|if|when|after|before|and|or|is|are|was|were|at|by|that|which|"
    r"so|as|do|does|can|i|we|you|apply|work|start|end)\b)"
)
_MEASURE = re.compile(
    rf"\b(?:the|your|my|our|this|that)\s+(?:{_STOPS}[\w-]+\s+){{0,2}}?{_NUMBER}(?:\s+{_STOPS}[\w-]+){{1,3}}",
    re.I,
)
_COUNTED = re.compile(
    r"\b(?:which|what)\s+(?:one\s+)?of\s+(?:the|your|these)\s+(?P<thing>(?:two|three|four|five|six|seven|eight|nine|ten|\d+)\s+.+?)"
    r"(?:\s+(?:should|do|does|is|are|can|will|would|may|must)\b|\?|$)",
    re.I,
)
"""Which of the three boxes: there are three."""
_WHO_IN = re.compile(
    r"^who\s+(?:in|at|from|on)\s+(?:the\s+|your\s+)?(?P<who>[\w-]+(?:\s+team|\s+department)?)\s+(?P<rest>(?!is\b|are\b|can\b|do\b)\w+.+?)\??$",
    re.I,
)
"""Who in Finance approves it: somebody in Finance does."""
_THING = re.compile(rf"\b(?:the|your|my|our)\s+((?:{_STOPS}[\w-]+\s+){{1,3}}{_STOPS}[\w-]+)", re.I)


def question_parts(query: str) -> tuple[str, ...]:
    """The asks of a message that says more than one thing, each by itself; empty for a plain one.

    "My vase broke. How long do I have to report it and what do you need?" has two.
    """
    clauses = _clauses(_ADDED_TOPIC.sub("", query))
    asks = [clause for clause in clauses if _is_question(clause) or _PLEASE.match(clause)]
    parts = [piece.strip() for ask in asks for piece in _AND_ASKS.split(ask) if piece.strip()]
    return tuple(dict.fromkeys(parts))[:_MOST] if len(clauses) > 1 or len(parts) > 1 else ()


@lru_cache(maxsize=1024)
def find_presuppositions(query: str) -> tuple[Presupposition, ...]:
    """What ``query`` takes for granted, at most six, in the order of the text; where it takes
    nothing for granted, what it holds up to be confirmed."""
    assumed: tuple[Presupposition, ...]
    if detect_language(query) == "zh":
        assumed = (
            *(Presupposition(text, "statement") for text in find_chinese_presuppositions(query)),
            *(Presupposition(text, "thing") for text in find_chinese_things(query)),
        )
    else:
        assumed = _assumed(query)
    asked = None if assumed and not assumed[0].chinese else proposition(query)
    if asked is None:
        return assumed
    return (*assumed, Presupposition(asked.text, "asked", asked.names, asked.question))


def _assumed(query: str) -> tuple[Presupposition, ...]:
    clauses = _clauses(_ADDED_TOPIC.sub("", query))
    if any(_ASKS_TO_CONFIRM.search(clause) for clause in clauses):
        return ()
    asks = [clause for clause in clauses if _is_question(clause)]
    if not asks:
        return ()
    found: list[Presupposition] = []
    for clause in clauses:
        found.extend(_from_question(clause) if _is_question(clause) else _from_statement(clause))
    return tuple(dict.fromkeys(found))[:_MOST]


def _clauses(query: str) -> tuple[str, ...]:
    pieces: list[str] = []
    for sentence in _SPLIT.split(query):
        match = _INNER_QUESTION.search(sentence)
        before = sentence[: match.start()].strip() if match else ""
        if match and before and not _ASKS.match(before) and not _SUBORDINATE.match(before):
            pieces.extend((before, sentence[match.end() :]))
        else:
            pieces.append(sentence)
    return tuple(piece.strip(" ,") for piece in pieces if piece.strip(" ,"))


def _is_question(clause: str) -> bool:
    return clause.endswith("?") or bool(_ASKS.match(clause)) or bool(_COMMANDS.match(clause))


def _from_statement(clause: str) -> list[Presupposition]:
    cause = _CAUSE.match(clause)
    text = clause[cause.start("rest") :] if cause else clause
    text = _ATTRIBUTED.sub("", text).strip(" .,!")
    aside = _SUBORDINATE.match(text) and not (cause or _OPENED.match(text))
    if aside or not _is_general(text):
        return []
    return [Presupposition(text, "since" if cause else "statement")]


def _from_question(clause: str) -> list[Presupposition]:
    found = _why(clause) + _cause(clause)
    if who := _WHO_IN.match(clause):
        found.append(Presupposition(f"{who['who']} {who['rest']}", "statement"))
    found += [Presupposition(m["thing"], "measure") for m in _COUNTED.finditer(clause)]
    if not _YES_NO.match(clause):
        measures = [match[0] for match in _MEASURE.finditer(clause)]
        found += [Presupposition(text, "measure") for text in measures]
        if not measures:
            found += [Presupposition(m[1].strip(), "thing") for m in _THING.finditer(clause)]
    return found


def _why(clause: str) -> list[Presupposition]:
    match = _WHY.search(clause)
    if not match:
        return []
    text = _declarative(_IS_IT_THAT.sub("", match["rest"]))
    return [Presupposition(text, "why")] if _is_general(text) else []


def _cause(clause: str) -> list[Presupposition]:
    found = []
    for match in _CAUSE.finditer(clause):
        text = _ATTRIBUTED.sub("", match["rest"]).strip(" .,!")
        if _is_general(text) and not re.match(r"\d|last\b|yesterday\b|january|then\b", text, re.I):
            found.append(Presupposition(text, "since"))
    return found


def _is_general(text: str) -> bool:
    """About how things are, not about the asker; long enough to say something."""
    if len(text.split()) < 3 or _OWN_PAST.search(text):
        return False
    if _DONE_TO_ME.match(text):
        return False
    if _OWN_MATTER.match(text) and not _RULE_FOR_ME.match(text):
        return False
    return all(
        i.kind == "email" for i in find_identifiers(text)
    )  # "Order A-10151, $182" tells of one order


_PREDICATE = re.compile(
    r"(?:\w{2,}(?:ed|ing|en|ly)|not|never|only|always|so|too|free|a|an|the|able|available|no|"
    r"\d\S*|in|on|for|to|from|at|by|under|sent|kept|lost|paid|made|held|cut|set)$",
    re.I,
)


def _declarative(rest: str) -> str:
    """``are sessions deleted at once`` → ``sessions are deleted at once`` (best effort)."""
    words = rest.split()
    first = words[0].lower() if words else ""
    if not re.fullmatch(_AUX, first):
        return rest
    tail = words[1:]
    if first in ("do", "does", "did"):
        return " ".join(tail)
    if first in ("don't", "doesn't", "didn't"):
        place = min(len(tail), 1 + _subject_length(tail))
        return " ".join((*tail[:place], first, *tail[place:]))
    place = _subject_length(tail)
    return " ".join((*tail[:place], first, *tail[place:]))


def _subject_length(words: list[str]) -> int:
    start = 1 if words and words[0].lower() in ("the", "a", "an", "your", "all", "some") else 0
    for at in range(start + 1, len(words)):
        if _PREDICATE.match(words[at]):
            return at
    return min(len(words), start + 1)
