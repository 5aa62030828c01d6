"""What a message asks: its questions one by one, and whether they stand on their own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from core.text.coordination import coordinated
from core.text.factual import is_courtesy
from core.text.intent import too_vague
from core.text.language import detect_language
from core.text.names import find_names
from core.text.sentences import split_sentences
from core.text.tokens import content_words

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
_DEPENDENT = re.compile(
    r"\b(?:it|its|they|them|their|theirs|this|these|those|he|she|him|her|the same|the other|"
    r"the latter|ones?|(?<!is )(?<!are )(?<!was )(?<!were )(?<!be )there|such|both|either|neither|"
    r"(?:is|was|does|did|about|of|for|like|with|do|how|to|on|in) that|that(?=\s*(?:[?.!]|$|is\b|"
    r"was\b)))\b"
    r"|[它他她]们?|这个?|那个?|该|此|其",
    _I,
)
_ELLIPTIC = re.compile(
    r"^(?:and|but|so|or|also|then|what about|how about|what if|why not|any|only|still|even|same|"
    r"in that case|"
    r"how come|really|sure|ok(?:ay)?|yes|no|那|那么|还有|如果)\b",
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
    """The questions and requests of a message, at most four; the whole text when none is found."""
    found: list[str] = []
    for sentence in split_sentences(text):
        if is_ask(sentence.text):
            found += _parts(sentence.text)
    unique = list(dict.fromkeys(found))
    return tuple(unique[:MAX_ASKS]) if unique else (text.strip(),)


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
    return " ".join(
        s.text for s in split_sentences(text) if not is_ask(s.text) and not is_courtesy(s.text)
    )


def leans_on_context(question: str) -> bool:
    """Whether the question needs what came before it: a pronoun without its noun, an ellipsis,
    or too few words of its own."""
    terms = set(content_words(question))
    if too_vague(question):
        return True
    if _ELLIPTIC.match(question.strip()) and len(terms) <= 6:
        return True
    if len(terms) <= 1:
        return not _WHAT_IS.match(question) and not _chinese(question)
    pronoun = _DEPENDENT.search(question)
    if pronoun is None or len(terms) > 5:
        return False
    return len(content_words(question[: pronoun.start()])) < 2 or _chinese(question)


_WHAT_IS = re.compile(
    r"^\W*(?:what|who) (?:is|are|was|were) (?!it\b|that\b|this\b|they\b|these\b)", _I
)


def _chinese(text: str) -> bool:
    return detect_language(text) == "zh"


def topic(
    turns: Sequence[str], *, beside: str = "", limit: int = 8, replies: Sequence[str] = ()
) -> str:
    """What earlier turns (oldest first) are about, in their own words.

    The words several turns come back to count most, then the latest. ``replies`` (the other side's
    turns) only add weight to words. What ``beside`` already says is left out.
    """
    said = set(content_words(beside))
    heard = Counter(w for reply in replies for w in set(content_words(reply)))
    ranked: dict[str, tuple[float, str]] = {}
    for age, turn in enumerate(reversed(turns)):
        for place, word in enumerate((*find_names(turn), *_plain_words(turn))):
            stems = set(content_words(word))
            if not stems or stems <= said or _CODE.fullmatch(word):
                continue
            key = " ".join(sorted(stems))
            weight = 1 / (1 + age) + 0.25 * max(min(heard[w], 4) for w in stems)
            known = ranked.get(key, (0.0, word))
            ranked[key] = (known[0] + weight - place * 1e-3, known[1])
    out: list[str] = []
    for _, word in sorted(ranked.values(), key=lambda item: -item[0]):
        stems = set(content_words(word))
        if len(out) < limit and not stems <= said:
            out.append(word)
            said |= stems
    return " ".join(out)


_CODE = re.compile(r"[\d.,]+|[A-Za-z]{1,2}-\d{3,}")
_WORDS = re.compile(r"[\u4e00-\u9fff]+|[^\W_]+(?:[-'.][^\W_]+)*")
_SMALL_TALK = frozenset(
    content_words(
        "tell explain show more about question information please help currently possible kind "
        "because "
        "while already ever everything everybody everyone nothing myself however really finally "
        "simply "
        "said say asked ask told went came go come take took read think thought maybe still "
        "always often "
        "now today going ridiculous angry sorry hello thanks"
    )
)


def _plain_words(turn: str) -> list[str]:
    return [
        word
        for word in _WORDS.findall(turn)
        if (terms := set(content_words(word))) and not terms <= _SMALL_TALK
    ]
