# ruff: noqa: E501 - word lists and patterns read better unbroken
"""Values a passage may give in answer to a question of any kind: dates, names, numbers, kinds.

Wikipedia-like and support text alike: candidates of the kind asked for are collected with what
speaks for each (how near it stands to the words of the question, where it stands, how often), and
``value_ranking`` picks one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.text.answer_type import AnswerType, expected_type
from core.text.dates import absolute_dates
from core.text.names import find_names
from core.text.quantities import find_quantities
from core.text.sentences import split_sentences
from core.text.tokens import content_words, stem, words

_SPORTS = "american football|association football|australian rules football|gaelic football|football|soccer|basketball|baseball|ice hockey|field hockey|hockey|cricket|rugby union|rugby league|rugby|tennis|golf|boxing|wrestling|athletics|track and field|swimming|volleyball|handball|water polo|cycling|rowing|sailing|chess|weightlifting|judo|karate|fencing|gymnastics|skiing|cross-country skiing|ski jumping|snowboarding|badminton|table tennis|squash|snooker|darts|curling|lacrosse|softball|motorsport|racing|speedway|horse racing|polo|archery|shooting|surfing|figure skating|speed skating|bobsleigh|luge|biathlon|triathlon|hurling|netball|floorball|futsal|kickboxing|mixed martial arts|sumo|afl|nascar"
_MEDIA = "video game|board game|computer game|role-playing game|card game|short story|short film|television series|tv series|television film|tv show|radio drama|radio play|radio series|radio|comic book|comic|manga|anime|novella|novel|stage play|play|musical|opera|film|movie|song|single|studio album|live album|album|ep|book|telenovela|painting|sculpture|magazine|newspaper|poem|ballet|documentary|miniseries|web series|podcast|sitcom"
_GENRES = "thriller|comedy|drama|horror|western|romance|science fiction|fantasy|action|adventure|documentary|jazz|rock|pop|country|hip hop|rap|metal|punk|folk|blues|soul|r&b|electronic|classical music|classical|reggae|indie|gospel|spanish tropical|top 40|news|talk|sports|oldies|christian|baroque|gothic|modernist|romanesque|renaissance|abstract expressionist|poetry"
_PARTIES = "republican|democratic|democrat|liberal|conservative|labour|whig|federalist|socialist|communist|green|libertarian|progressive|christian democratic|social democratic|national|independent|nationalist|unionist|congress"
_LANGUAGES = "english|french|german|spanish|italian|portuguese|russian|chinese|mandarin|cantonese|japanese|korean|hindi|urdu|bengali|tamil|telugu|malayalam|kannada|marathi|gujarati|punjabi|assamese|odia|arabic|persian|turkish|hebrew|greek|latin|polish|czech|hungarian|romanian|swedish|danish|norwegian|finnish|dutch|thai|vietnamese|indonesian|malay|tagalog|filipino|swahili|serbian|croatian|bulgarian|ukrainian|nepali|sinhala|burmese|catalan|welsh|irish|icelandic"
_JOBS = "actor|actress|singer|songwriter|musician|composer|pianist|guitarist|drummer|politician|lawyer|judge|attorney|physician|surgeon|doctor|engineer|architect|painter|sculptor|artist|photographer|journalist|writer|author|poet|novelist|playwright|screenwriter|director|producer|filmmaker|historian|philosopher|economist|mathematician|physicist|chemist|biologist|botanist|zoologist|geologist|astronomer|scientist|professor|teacher|academic|priest|bishop|cardinal|pastor|theologian|soldier|general|admiral|officer|businessman|businesswoman|entrepreneur|banker|chef|comedian|model|dancer|choreographer|cartoonist|illustrator|designer|footballer|cricketer|golfer|boxer|wrestler|swimmer|cyclist|rower|coach|manager|referee|player|jockey|racing driver|pilot|astronaut|sailor|explorer|activist|diplomat|spy|nurse|psychologist|psychiatrist|sociologist|anthropologist|archaeologist|linguist|translator|editor|publisher|librarian|broadcaster|presenter|radio host|television host|rapper|dj|conductor|violinist|cellist|trombonist|soprano|mezzo-soprano|tenor|baritone|instructor|inventor|mechanic|farmer|merchant|monk|nun|saint|noble|aristocrat"
_RANKS = "admiral|rear admiral|vice admiral|general|lieutenant general|major general|generalmajor|brigadier general|brigadier|colonel|lieutenant colonel|major|captain|lieutenant|sergeant|corporal|marshal|field marshal|commodore|commander"
_POSITIONS = "goalkeeper|defender|centre-back|left-back|right-back|full-back|midfielder|attacking midfielder|defensive midfielder|central midfielder|winger|forward|striker|quarterback|running back|fullback|halfback|wide receiver|tight end|linebacker|cornerback|safety|defensive end|defensive tackle|offensive tackle|offensive guard|center|guard|tackle|kicker|punter|pitcher|catcher|first baseman|second baseman|third baseman|shortstop|outfielder|point guard|shooting guard|small forward|power forward|prop|hooker|lock|flanker|scrum-half|fly-half|wing"
_SEXES = (
    "all-boys|all-girls|boys|girls|co-ed|coeducational|co-educational|mixed|male|female|single-sex"
)
_TRANSPORT = "motorway|railway|rail|road|metro|tram|bus|ferry|canal|highway|subway"
_LISTS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (
        re.compile(asked, re.I),
        re.compile(rf"(?<![\w-])(?:{values})(?:e?s|-language)?(?![\w-])", re.I),
    )
    for asked, values in (
        (r"\bsport\b", _SPORTS),
        (r"\bmedium\b|\bwhat (?:kind|type) of (?:work|media|game)\b", _MEDIA),
        (r"\bgenre\b|\bstyle\b|\bformat\b|\bart form\b", f"{_GENRES}|{_MEDIA}"),
        (r"\bparty\b", _PARTIES),
        (r"\blanguage\b", _LANGUAGES),
        (r"\bprofession\b|\boccupation\b|\bjob\b|\bknown for\b|\bwork as\b", _JOBS),
        (r"\brank\b", _RANKS),
        (r"\bposition\b", _POSITIONS),
        (r"\bgender\b", _SEXES),
        (r"\btransport", _TRANSPORT),
    )
)
_PREDICATE = re.compile(
    r"\b(?:is|are|was|were|as|be|called|named|means?|includes?)\s+(?:an?|the)?\s*(?P<np>(?:[\w'’-]+\s+){0,4}?[\w'’-]+)(?=\s+(?:in|of|on|at|for|from|by|that|which|who|and|with|located|based)\b|[,.;()]|$)",
    re.I,
)
_PLACE = re.compile(
    r"\b(?:in|at|near|from|of|to)\s+(?:the\s+)?(?P<place>[A-Z][\w.'’-]*(?:\s+(?:of\s+)?[A-Z][\w.'’-]*)*(?:,\s+[A-Z][\w.'’-]*(?:\s+[A-Z][\w.'’-]*)*)*)"
)
_YEAR = re.compile(r"(?<![\d.,$€£-])(?:1[0-9]|20)\d\d(?![\d,]\d|\.\d)")
_BARE_NUMBER = re.compile(r"(?<![\w.,$€£])\d[\d,]*(?:\.\d+)?(?![\w%]|,\d)")
_ZH_NUMBER = re.compile(r"\d[\d,.]*(?:[万亿]|多)?[^\s，。；、（）()\d]{0,2}")


class Candidate(NamedTuple):
    """One possible value with its place and what speaks for it (see ``value_ranking``)."""

    value: str
    kind: str
    start: int
    end: int
    quote: str
    features: tuple[float, ...]


class _Found(NamedTuple):
    value: str
    kind: str
    start: int
    end: int


FEATURES = (
    "near",
    "near_any",
    "cover",
    "early",
    "first",
    "often",
    "precise",
    "by",
    "bracket",
    "title",
)


def asks_for_listed(query: str) -> bool:
    """Whether the question asks for one of a known kind (a sport, a language, a profession …)."""
    return any(wanted.search(query) for wanted, _ in _LISTS)


def value_candidates(query: str, text: str) -> tuple[Candidate, ...]:
    """Possible values in order of appearance, none of which the question itself names."""
    asked = frozenset(content_words(query))
    names = frozenset(w for name in find_names(query) for w in content_words(name))
    relation = asked - names
    kind = expected_type(query)
    listed = next((values for wanted, values in _LISTS if wanted.search(query)), None)
    found: list[tuple[_Found, str, int, float]] = []
    for number, sentence in enumerate(split_sentences(text)):
        cover = len(asked & set(content_words(sentence.text))) / max(1, len(asked))
        for item in _collect(kind, listed, sentence.text):
            if not set(content_words(item.value)) <= asked or not content_words(item.value):
                shifted = item._replace(
                    start=item.start + sentence.start, end=item.end + sentence.start
                )
                found.append((shifted, sentence.text, number, cover))
    counts = [_key(item.value) for item, *_ in found]
    out = []
    for rank, (item, quote, number, cover) in enumerate(found):
        if content_words(item.value) or item.kind in ("number", "date"):
            near, near_any = _nearness(text, item, relation, asked)
            features = (
                near,
                near_any,
                cover,
                1.0 / (1 + number),
                float(rank == 0),
                min(1.0, counts.count(counts[rank]) / 4),
                _precise(item),
                float(
                    bool(
                        re.search(
                            r"\bby\s+(?:\w+\s+)?$", text[max(0, item.start - 14) : item.start]
                        )
                    )
                ),
                float(text[max(0, item.start - 2) : item.start].strip().endswith("(")),
                float(item.start < 80),
            )
            out.append(Candidate(item.value, item.kind, item.start, item.end, quote, features))
    return tuple(out)


def _collect(kind: AnswerType, listed: re.Pattern[str] | None, sentence: str) -> Iterator[_Found]:
    if listed is not None:
        yield from (_Found(m[0], "kind", *m.span()) for m in listed.finditer(sentence))
    elif kind == "date":
        yield from _dates(sentence)
    elif kind in ("number", "money", "duration"):
        yield from _numbers(kind, sentence)
    elif kind == "person":
        yield from _names(sentence)
    elif kind == "place":
        yield from (
            _Found(m["place"], "place", *m.span("place")) for m in _PLACE.finditer(sentence)
        )
    else:
        yield from _names(sentence)
        yield from (_Found(m["np"], "kind", *m.span("np")) for m in _PREDICATE.finditer(sentence))


def _dates(sentence: str) -> Iterator[_Found]:
    taken: list[tuple[int, int]] = []
    for day in absolute_dates(sentence):
        if day.year is not None or day.day is not None:
            taken.append((day.start, day.end))
            yield _Found(day.text, "date", day.start, day.end)
    for match in _YEAR.finditer(sentence):
        if not any(left <= match.start() < right for left, right in taken):
            yield _Found(match[0], "date", *match.span())


def _numbers(kind: AnswerType, sentence: str) -> Iterator[_Found]:
    taken: list[tuple[int, int]] = []
    for q in find_quantities(sentence):
        money = len(q.unit) == 3 and q.unit.isupper()
        timed = q.unit in (
            "second",
            "minute",
            "hour",
            "day",
            "business_day",
            "week",
            "month",
            "year",
        )
        if (kind == "money" and not money) or (kind == "duration" and not timed):
            continue
        if kind == "number" and (q.unit == "percent" or money):
            continue
        taken.append((q.start, q.end))
        yield _Found(q.text, "number", q.start, q.end)
    if kind == "number":
        for match in _BARE_NUMBER.finditer(sentence):
            if not any(
                left <= match.start() < right for left, right in taken
            ) and not _YEAR.fullmatch(match[0]):
                yield _Found(match[0], "number", *match.span())


def _names(sentence: str) -> Iterator[_Found]:
    for name in find_names(sentence):
        at = sentence.find(name)
        if at >= 0:
            yield _Found(name, "name", at, at + len(name))


def _nearness(
    text: str, item: _Found, relation: frozenset[str], asked: frozenset[str]
) -> tuple[float, float]:
    """1/(1+words between) to the nearest word of the relation asked for, and of the question."""
    before = [stem(w) for w in words(text[max(0, item.start - 120) : item.start])][::-1]
    after = [stem(w) for w in words(text[item.end : item.end + 90])]
    return _closest(before, after, relation), _closest(before, after, asked)


def _closest(before: Sequence[str], after: Sequence[str], wanted: frozenset[str]) -> float:
    left = next((at for at, word in enumerate(before) if word in wanted), None)
    right = next((at for at, word in enumerate(after) if word in wanted), None)
    return max(
        1.0 / (1 + left) if left is not None else 0.0,
        0.8 / (1 + right) if right is not None else 0.0,
    )


def _precise(item: _Found) -> float:
    if item.kind == "date":
        return 1.0 if len(item.value) > 7 else 0.0
    if item.kind == "number":
        return 1.0 if re.search(r"\d,\d{3}|people|inhabitants|residents", item.value) else 0.0
    return 1.0 if " " in item.value else 0.0


def _key(value: str) -> str:
    return " ".join(sorted(content_words(value))) or value.casefold()
