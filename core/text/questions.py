"""What a message asks: its questions one by one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.text.coordination import coordinated
from core.text.factual import is_courtesy
from core.text.leaning import leans_on_context
from core.text.sentences import split_sentences

_I = re.IGNORECASE
_QUESTION_WORD = (
    r"(?:what|when|where|who|whom|whose|which|why|how|can|could|may|do|does|did|is|are|was|were|"
    r"will|"
    r"would|should|am|has|have|until|till|within how|from which|in which|on which|at what|by when)"
)
_OPENS_LIKE_QUESTION = re.compile(
    rf"^(?:(?:hi|hello|hey|so|and|but|also|then|please|now|ok|okay|well|by the way|"
    rf"btw)[,!]?\s+)*{_QUESTION_WORD}\b",
    _I,
)
_REQUEST = re.compile(
    r"\b(?:please (?:tell|explain|show|send|delete|cancel|change|help|let|list|give|confirm|make|"
    r"provide)|tell me|"
    r"explain|show me|i(?:'d| would) (?:like|love) to (?:know|return|cancel|change|exchange|get)|"
    r"i (?:want|need|wish) to|i wonder|"
    r"let me know|can you|could you|give me|list (?:the|all|your))\b|请|帮我|想(?:要|知道|问)|"
    r"告诉我",
    _I,
)
_ZH_QUESTION = re.compile(
    r"[吗呢么]|多少|多久|多长|几|什么|怎么|如何|哪|是否|能否|可否|谁|为什么|何时"
)
_AUX = (
    r"(?:can|could|may|do|does|did|is|are|was|were|will|would|should|am|has|have)\s+"
    r"(?:i|you|we|they|it|he|she|the|my|your|our|there|this|that|these|those|an?|any|[a-z]+s)\b"
)
_WH = r"(?:what|when|where|who|which|why|how)\b(?!\s+(?:to\b|ever))"
_SPLIT = re.compile(
    rf"(?:,|;|，|；)\s*(?:(?:and|also|then|plus)\s+)?(?:also\s+)?(?={_WH}|{_AUX}|until\b)"
    rf"|\s+(?:and|also|plus)\s+(?:also\s+|then\s+)?(?={_WH}|{_AUX})"
    r"|(?:^|[\s,，;:：])(?:and\s+)?\(?[1-9][.)、]\s*"
    r"|[，,；;]?(?:另外|还有|以及|并且)[，,]?",
    _I,
)
_SUBORDINATE = re.compile(
    r"^(?:since|if|as|although|because|given|while|once|after|before|in|on|"
    r"(?:when|where|how|what|who)\s+(?:i|you|we|they|he|she|my|your|our|a customer|"
    r"the customer)\b(?! (?:can|do|will)\b))",
    _I,
)
_LEAD_IN = re.compile(
    r"^(?:(?:two|three|four|a few|some) (?:more )?questions?|question|q)\s*[:：]\s*", _I
)
MAX_ASKS = 4


_RANK = re.compile(
    r"^\s*(?:i am|i['’]m|as) (?:an? |the |your )?(?:system )?"
    r"(?:admin(?:istrator)?|manager|supervisor|ceo|owner|director|developer|auditor)"
    r"\s*[,:;]\s*(?:so )?",
    re.IGNORECASE,
)


def without_courtesy(text: str) -> str:
    """The text without greeting, thanks and sign-off sentences, and without a claim of rank in
    front of a request ("I am an admin, show me …"); unchanged when nothing is left."""
    kept = [_RANK.sub("", s.text) for s in split_sentences(text) if not is_courtesy(s.text)]
    return " ".join(kept) if kept else text


def asks(text: str) -> tuple[str, ...]:
    """The questions and requests of a message, at most four; the whole text when none is found.

    A wish that a later question leans on ("I want to return the kettle. What does it cost?") says
    what the question is about and is no ask of its own.
    """
    found: list[str] = []
    for sentence in split_sentences(text):
        if is_ask(sentence.text):
            found += _parts(sentence.text)
    kept = [ask for n, ask in enumerate(found) if not _sets_the_scene(ask, found[n + 1 :])]
    unique = list(dict.fromkeys(kept))
    return tuple(unique[:MAX_ASKS]) if unique else (text.strip(),)


_WISH = re.compile(
    r"^\W*(?:(?:hi|hello|so|well)\b,? )?(?:i|we)(?:['’]d| would)? (?:want|need|wish|like|love|plan|"
    r"have|am (?:trying|going))(?: to)?\b[^?？]*$|^我(?:想|要|打算)[^?？吗呢么]*$",
    _I,
)


def _sets_the_scene(ask: str, later: Sequence[str]) -> bool:
    return bool(_WISH.match(ask)) and any(leans_on_context(other) for other in later)


def is_ask(sentence: str) -> bool:
    """Whether the sentence asks or requests something."""
    if sentence.rstrip(" \"'”)").endswith(("?", "？")) or _OPENS_LIKE_QUESTION.match(sentence):
        return True
    return bool(_REQUEST.search(sentence) or _ZH_QUESTION.search(sentence))


def _parts(sentence: str) -> list[str]:
    """A compound question cut where a new question begins.

    A part that does not ask by itself ("If I order at 15:30") stays with the question it
    introduces or, after one, with the question it belongs to.
    """
    body = _LEAD_IN.sub("", sentence)
    return [
        ask for joined in coordinated(body) for part in _cut(joined) for ask in coordinated(part)
    ]


def _cut(body: str) -> list[str]:
    out: list[str] = []
    opening = ""
    for part in (p.strip(" ,;，；") for p in _SPLIT.split(body)):
        if not part:
            continue
        if _independent(part):
            out.append(f"{opening}, {part}" if opening else part)
            opening = ""
        elif out:
            out[-1] = f"{out[-1]}, {part}"
        else:
            opening = f"{opening}, {part}" if opening else part
    return out or [body.strip()]


def _independent(part: str) -> bool:
    if _SUBORDINATE.match(part):
        return False
    return bool(
        _OPENS_LIKE_QUESTION.match(part) or _REQUEST.search(part) or _ZH_QUESTION.search(part)
    )


def background(text: str) -> str:
    """The sentences of a message that state rather than ask, courtesies left out."""
    asked = asks(text)
    return " ".join(
        s.text
        for s in split_sentences(text)
        if not is_courtesy(s.text)
        and not (is_ask(s.text) and any(p in asked for p in _parts(s.text)))
    )
