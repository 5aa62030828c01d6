"""Which of the words a question asks with nothing in a passage speaks of.

"Is there parking at the store?" is not answered by a passage that never speaks of parking. A word
counts as spoken of in any of its forms, by a word that says the same, or by the kind it belongs to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from core.text.concepts import concepts
from core.text.coverage_need import Need
from core.text.language import cjk_share
from core.text.names import find_names
from core.text.own_things import INSTANCE
from core.text.synonyms import GROUPS
from core.text.tokens import content_words, stem, word_set

_SPELLED = re.compile(r"[A-Za-z0-9][\w'’.,-]*\w|\w+")
_SPELLING, _ALIKE = 7, 0.88
"""Letters from which a word may be misspelt, and how alike the two spellings must be (0..1)."""
_KINDS = frozenset({"appliance", "clothing", "shoe", "furniture", "jewellery"})
_CLAUSE = re.compile(
    r"(?:^|[,;，；]?\s)(?:if|when|once|after|before|since|because|while|although|as)\s+(?:i|we|you|my|our|the|an?)\b[^,;?]*"
    r"|如果[^，。？]*[，,]",
    re.IGNORECASE,
)
"""Tells the circumstances of what is asked, seldom the words of the rule for them."""
_DOTTED = re.compile(r"\b(?:[A-Z]\.){2,4}")
_ALIAS = {"USA": "US"}
_PARTICIPLE = re.compile(r"(?<=\w )\w+ed$")
_EXISTS = re.compile(
    r"\bthere (?:is|are|was|were)\b|\b(?:is|are|was|were) there\b"
    r"|\b(?:do|does|did|will) [\w' -]{1,30}? "
    r"(?:have|has|offer|provide|get|carry|sell|stock|come with|include)\b",
    re.IGNORECASE,
)
"""Asks whether the thing exists: then it is what must be spoken of."""
_WRITTEN_SAYS = re.compile(
    r"(\b(?:policy|policies|list|rules?|terms|page|document|faq|guide|handbook)(?:\s+(?:then|now|still|"
    r"also|already|currently|ever))?)\s+(?:includes?|covers?|contains?|lists?)\b",
    re.IGNORECASE,
)
"""What any document does: a policy that names a shop never says that it "includes" it."""
_GENERIC = frozenset(
    map(
        stem,
        word_set(
            """happen happens need give take bring come comes do make go work works offer have mean
            means send put keep look help cost much many long often soon late far fast quickly
            kind sort type part thing way case time different possible able allowed sure exactly
            currently really actually usually normally still already ever anything else another
            other new good best main certain specific general number total maximum minimum most
            least high low big large small short old year day month week hour minute business
            receive find see show try ask answer apply belong concern regard relate handle
            deal end count worth due true correct one two three four between among during without
            before after last first next add mean well also lot cut ins difference detail
            information
            important difficult easy hard major minor significant impact effect affect term via
            provid procedure entire entirely wonder interest recommend advice idea
            somebody someone anybody anyone everybody everyone nobody elsewhere somewhere anywhere
            view meant enough word understand consider concept mention
            staff company team agent colleague employee people person
            材料 东西 问题 时候 情况 要求 哪里 哪家 哪些 商品 规定 一下"""
        ),
    )
)
"""Words that carry a question without being what it is about."""


def unspoken(ask: str, need: Need, text: str) -> tuple[str, ...]:
    """The stems of ``ask`` that matter and that ``text`` (with title and headings) lacks, in order.

    ``ask`` is one question without added topic. Numbers, the words that name the kind of answer and
    the asker's own things are not looked for; a phrase ("money back") counts as the one matter it
    stands for.
    """
    named = _names_in(ask, text)
    have, said = _have(text) | named, frozenset(concepts(text))
    return tuple(
        w.stem for w in _wanted(ask, need) if not (w.matters & said or _spoken(w.stem, have))
    )


def _names_in(ask: str, text: str) -> frozenset[str]:
    """Stems of the abbreviations that ``text`` spells out ("UK")."""
    short = [name for name in find_names(ask) if name.isupper() and 1 < len(name) <= 5]
    if not short:
        return frozenset()
    initials = {_initials(name) for name in find_names(text)}
    initials |= {found.replace(".", "") for found in _DOTTED.findall(text)}
    return frozenset(
        word for name in short if _ALIAS.get(name, name) in initials for word in content_words(name)
    )


def _initials(name: str) -> str:
    return "".join(part[0] for part in name.split() if part[0].isupper()) if " " in name else ""


class _Word(NamedTuple):
    """A word to look for: its stem, and the matters it stands for."""

    stem: str
    matters: frozenset[str]


@lru_cache(maxsize=1024)
def _wanted(ask: str, need: Need) -> tuple[_Word, ...]:
    core = _CLAUSE.sub(" ", ask)
    plain = core if need.kind == "named" else core.replace(need.asking, f" {need.counted} ", 1)
    plain = _WRITTEN_SAYS.sub(r"\1", plain)
    named = {w for n in find_names(ask) for w in content_words(n)}
    exempt = set() if asks_existence(core) else _instances(core) - named
    matters = concepts(plain)
    said = [
        _Word(stem, frozenset(concepts(spelled)))
        for spelled in _SPELLED.findall(plain)
        for stem in content_words(spelled)
    ]
    own = frozenset(c for word in said for c in word.matters)
    phrases = [_Word(c[1:], frozenset({c})) for c in matters if c[0] == "=" and c not in own]
    wanted = [w for w in said if w.stem not in exempt and _tells(w, matters)]
    wanted += [p for p in phrases if "-" not in p.stem and p.stem not in _KINDS]
    return tuple(dict.fromkeys(wanted))


def _tells(word: _Word, matters: Sequence[str]) -> bool:
    """Whether a word is about something and was not taken up in a phrase."""
    if word.stem[0].isdigit() or word.stem in _GENERIC:
        return False
    return not word.stem.isascii() or not word.matters.isdisjoint(matters)


def asked_words(ask: str, need: Need) -> tuple[str, ...]:
    """The words that ``unspoken`` looks for."""
    return unspoken(ask, need, "")


def spoken_share(ask: str, need: Need, text: str) -> float:
    """Share (0..1) of the words that ``unspoken`` looks for that ``text`` speaks of; 1 of none."""
    wanted = asked_words(ask, need)
    return 1 - len(unspoken(ask, need, text)) / len(wanted) if wanted else 1.0


def asks_existence(ask: str) -> bool:
    """Whether it asks if a thing is there at all: "is there parking", "do you have a café"."""
    return bool(_EXISTS.search(ask))


def _instances(text: str) -> set[str]:
    # "Is a lost parcel insured?": the participle at the end is what is asked of the thing.
    return {w for m in INSTANCE.finditer(text) for w in content_words(_PARTICIPLE.sub("", m[1]))}


@lru_cache(maxsize=2048)
def _have(text: str) -> frozenset[str]:
    return frozenset(content_words(text))


def _spoken(word: str, have: frozenset[str]) -> bool:
    if word in have:
        return True
    if cjk_share(word) == 1:
        return all(any(ch in other for other in have) for ch in word)
    if any(_akin(word, other) for other in have):
        return True
    if any(other in have for other in _others(word)):
        return True
    return len(word) >= _SPELLING and any(_misspelt(word, other) for other in have)


def _misspelt(a: str, b: str) -> bool:
    """One word with a letter left out or swapped ("phtography")."""
    if a[0] != b[0] or abs(len(a) - len(b)) > 1 or not b.isalpha():
        return False
    return SequenceMatcher(None, a, b).ratio() >= _ALIKE


def _akin(a: str, b: str) -> bool:
    """Forms of one word: "decid" and "decision", "worn" and "unworn", "insur" and "insurance"."""
    if min(len(a), len(b)) < 4 or not (a.isascii() and b.isascii()):
        return False
    shared = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        shared += 1
    longest = max(len(a), len(b))
    return (shared >= 4 and shared >= 0.5 * longest) or a.endswith(b) or b.endswith(a)


_RELATIONS = (
    "play role portray star actor actress cast",
    "sing sang sung song singer vocals record",
    "write wrote author writer written compose",
    "found founder establish create start launch origin",
    "invent inventor develop discover devise",
    "direct director film movie",
    "build construct erect",
    "die death dead",
    "born birth",
    "win won winner champion victory",
    "marry married wife husband spouse",
    "own owner belong",
    "lead leader head run manage",
    "manufacture manufacturer produce producer maker make",
    "decide decision determine resolve",
    "locate location situate",
    "announce publish post",
    "insure insurance",
    "hand drop",
    "switch turn enable activate",
)
"""Verbs of "who" and "where" questions beside the nouns that say the same."""


@lru_cache(maxsize=4096)
def _others(word: str) -> frozenset[str]:
    """Stems of one-word synonyms from the general table and of the relations."""
    akin = (frozenset(map(stem, line.split())) for line in _RELATIONS)
    return frozenset(_synonyms(word)).union(*(group for group in akin if word in group))


def _synonyms(word: str) -> Iterable[str]:
    for group in GROUPS:
        stems = [content_words(w) for w in group]
        if any(s == (word,) for s in stems):
            yield from (s[0] for s in stems if len(s) == 1)
