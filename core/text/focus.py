"""What a conversation is about: the things its last turns name, as short phrases.

A verb tells what happens to a thing, not which thing it is, so verbs are left out by their place:
after a pronoun, an auxiliary or "to". Where nothing else is left, any word will do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.text.language import CJK
from core.text.leaning import leans_on_context
from core.text.names import find_names
from core.text.sentences import split_sentences
from core.text.tokens import STOP_WORDS, content_words, stem, word_set

_I = re.IGNORECASE
_TOKEN = re.compile(rf"[{CJK}]+|[^\W_]+(?:[-'’.][^\W_]+)*|[^\w\s]")
_CODE = re.compile(r"[\d.,]+|[A-Za-z]{1,2}-\d{3,}")
_SUBJECTS = word_set("i we you they he she it who")
_AUXILIARIES = word_set(
    """can could may might must shall should will would do does did don't doesn't didn't can't
    won't cannot not let please"""
)
_TAKES_TO = word_set(
    """want need needs have has had like how try able required going order allowed ways way used
    is are was were decide decided plan planning trying hope where what when easy hard possible
    try wish wanted"""
)
_ARTICLES = word_set("the a an my your our their any all")
_BEFORE_CLAUSE = word_set("what when where who which why how and but so or then also long much")
_OBJECTS = word_set("it them this that these those me us him her you")
_PLAIN = frozenset(
    stem(w)
    for w in word_set(
        """tell explain show more about question information please help currently possible kind
        because while already ever everything everybody everyone nothing myself however really
        finally simply said say asked ask told went came go come take took read think thought maybe
        still always often now today again going ridiculous angry sorry hello thanks give mean meant
        happen happens work works make made find keep need needs want without between other another
        different difference differ popular important interesting similar good best better typical
        certain convenient available specific main many much outside inside part parts thing things
        way ways lot details called call currently idea reason sample actually course put cannot
        name enough speaking seeing word start end become getting take long own next
        after before during until till since within per via understand believe hope sure right fine
        thought guess see suppose ask wonder clear wait bad problem issue disappointed unhappy"""
    )
)
_ZH_CUT = re.compile(
    "请问|怎么|怎样|如何|什么|多少|哪些|哪个|是否|可以|能否|能不能|可不可以|是不是|有没有|为什么|多久|一下|我们|"
    "你们|他们|这个|那个|需要|应该|[的了吗呢吧啊我你您他她它是在和与及或也就都把被对从到给将要会能请想这那有为之起以于自买卖]"
)  # fmt: skip
_OLDER = 0.5
"""What a turn counts beside the one after it."""
_LEANING = 0.5
"""What a turn counts that itself leans on the one before: its "it" is what it is about."""
_ANSWER = 0.45
"""What naming a thing in the other side's answer counts beside naming it oneself."""


def topic(
    turns: Sequence[str],
    *,
    beside: str = "",
    limit: int = 8,
    replies: Sequence[str] = (),
    verbs: bool = False,
) -> str:
    """What earlier turns (oldest first) are about, in their own words, at most ``limit`` words.

    Things that several turns come back to count most, then the latest. ``replies`` are the other
    side's turns, of the same conversation: they add weight, and what the last one itself is about.
    What ``beside`` already says is left out. With ``verbs`` what happens to a thing counts as well:
    "And for gift cards?" after a question about returning asks about returning.
    """
    said = set(content_words(beside))
    scores: dict[str, float] = {}
    words: dict[str, str] = {}
    for phrase, weight in _weighed(turns, replies, verbs=verbs):
        key = " ".join(sorted(set(content_words(phrase))))
        if key and not _CODE.fullmatch(phrase):
            scores[key] = scores.get(key, 0.0) + weight
            words.setdefault(key, phrase)
    out: list[str] = []
    for key in sorted(scores, key=lambda k: -scores[k]):
        stems = set(key.split())
        if stems - said and len(out) < limit:
            out.append(words[key])
            said |= stems
    return " ".join(" ".join(out).split()[: max(limit, 1)])


def _weighed(
    turns: Sequence[str], replies: Sequence[str], *, verbs: bool
) -> Iterator[tuple[str, float]]:
    """Every phrase with what its place counts: late turns more, first phrases of a turn more."""
    heard = [set(content_words(reply)) for reply in replies]
    for age, turn in enumerate(reversed(turns)):
        for place, phrase in enumerate(phrases(turn, verbs=verbs and not age)):
            stems = set(content_words(phrase))
            echoes = sum(bool(stems & reply) for reply in heard)
            own = _OLDER**age * (_LEANING if leans_on_context(turn) else 1.0)
            yield phrase, own + _ANSWER * min(echoes, 3) / (1 + age) - place * 1e-3
    if replies:
        for place, phrase in enumerate(_answer_topic(replies[-1])):
            yield phrase, _ANSWER - place * 1e-3


def _answer_topic(reply: str) -> tuple[str, ...]:
    """What an answer is itself about: things of its first sentence that it comes back to."""
    sentences = split_sentences(reply)
    if not sentences:
        return ()
    later = set(content_words(" ".join(s.text for s in sentences[1:])))
    named = (_trimmed(p, later) for p in phrases(sentences[0].text))
    return tuple(p for p in named if p)[:3]


def _trimmed(phrase: str, later: set[str]) -> str:
    """``phrase`` between its first and last word that is said again."""
    parts = phrase.split()
    again = [n for n, part in enumerate(parts) if set(content_words(part)) & later]
    return " ".join(parts[again[0] : again[-1] + 1]) if again else ""


def phrases(text: str, *, verbs: bool = False) -> tuple[str, ...]:
    """The things ``text`` names, in order: names as they are written, then noun phrases.

    With ``verbs`` also what happens to them.
    """
    names = find_names(text)
    rest = text
    for name in names:
        rest = rest.replace(name, " , ")
    nouns = [phrase for run in _runs(rest, verbs=verbs) for phrase in run]
    return tuple(dict.fromkeys((*names, *nouns))) or tuple(_any_words(text))


def _runs(text: str, *, verbs: bool) -> Iterator[list[str]]:
    """Neighbouring words that may name a thing, without verbs and words that say nothing."""
    run: list[str] = []
    start = 0
    tokens = _TOKEN.findall(text)
    for place, token in enumerate([*tokens, "."]):
        if place < len(tokens) and re.match(rf"[{CJK}]", token):
            yield [part for part in _ZH_CUT.split(token) if len(part) > 1]
        elif place < len(tokens) and _names_a_thing(tokens, place, verbs=verbs):
            start = start if run else place
            run.append(token)
            continue
        if run:
            # "Do gift cards expire?": after an inverted subject stands its verb.
            turned = not verbs and len(run) > 1 and _inverted(tokens, start, place)
            kept = run[:-1] if turned else run
            yield [" ".join(kept)]
            run = []


def _names_a_thing(tokens: Sequence[str], place: int, *, verbs: bool) -> bool:
    word = tokens[place].lower()
    if not word[0].isalnum() or word in STOP_WORDS or stem(word) in _PLAIN:
        return False
    return verbs or not _is_verb(tokens, place)


def _is_verb(tokens: Sequence[str], place: int) -> bool:
    before = tokens[place - 1].lower() if place else ""
    after = tokens[place + 1].lower() if place + 1 < len(tokens) else ""
    if before in _SUBJECTS:
        return True
    if before in _AUXILIARIES:
        return not _opens_clause(tokens, place - 1)
    if before == "to":
        return place < 2 or tokens[place - 2].lower() in _TAKES_TO
    word = tokens[place].lower()
    return after in _OBJECTS or (
        word.endswith("ed") and after in ("from", "by", "to", "in", "with")
    )


def _inverted(tokens: Sequence[str], start: int, end: int) -> bool:
    """Whether the subject of a question and its verb stand there: "Can [the] women play"."""
    after = tokens[end].lower() if end < len(tokens) else "."
    if after[0].isalnum() and after not in STOP_WORDS:
        return False
    at = start - 1
    while at >= 0 and tokens[at].lower() in _ARTICLES:
        at -= 1
    return at >= 0 and tokens[at].lower() in _AUXILIARIES and _opens_clause(tokens, at)


def _opens_clause(tokens: Sequence[str], place: int) -> bool:
    before = tokens[place - 1].lower() if place else "."
    return not before[0].isalnum() or before in _BEFORE_CLAUSE


def telling_words(text: str) -> set[str]:
    """Stems of the words of ``text`` that may say what it is about: no small talk."""
    return set(content_words(text)) - _PLAIN


def _any_words(text: str) -> list[str]:
    words = [t for t in _TOKEN.findall(text) if t[0].isalnum() and content_words(t)]
    return [w for w in words if not set(content_words(w)) <= _PLAIN]
