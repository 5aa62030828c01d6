"""Names a text mentions: capitalised words, brands, acronyms."""

from __future__ import annotations

import re
from functools import lru_cache

from core.text.sentences import split_sentences
from core.text.tokens import STOP_WORDS, word_set

_NAME = re.compile(
    r"(?<![\w@/.])(?:[A-Z][\w&'’-]*|[a-z]{1,2}[A-Z]\w+)"
    r"(?:(?: (?:of|de|du|von|van|the|and|&) |\s)(?:[A-Z][\w&'’-]*))*"
)
_CALENDAR = word_set(
    """january february march april may june july august september october november december monday
    tuesday wednesday thursday friday saturday sunday jan feb mar apr jun jul aug sep sept oct nov
    dec mon tue wed thu fri sat sun am pm est pst utc gmt ok faq id url pdf"""
)
_NOT_NAMES = STOP_WORDS | word_set(
    """yes no if once after before during while although because since until unless when every many
    however therefore moreover according also first second finally next then please note hello hi
    dear thanks sorry great sure click go open see read contact call send visit enter select
    choose sign return returns refund refunds order orders customer customers standard step policy
    question answer q a"""
)

_RETAILER = re.compile(
    r"\b(?:best buy|walmart|wal-mart|amazon|costco|ikea|ebay|etsy|nordstrom|macy['’]?s|kohl['’]?s|"
    r"home depot|jc ?penney|bloomingdale['’]?s|saks|neiman marcus|sephora|zara|h&m|uniqlo|"
    r"alibaba|aliexpress|temu|shein|tesco|argos|zalando|john lewis|"
    r"marks and spencer|sam['’]?s club)"
    r"(?![\w-])"
)
"""Shops that customers write in small letters."""


@lru_cache(maxsize=2048)
def find_names(text: str) -> tuple[str, ...]:
    """Names in order, each once. A capitalised first word counts only when more speaks for it:
    a second capitalised word, an inner capital, or the same word capitalised inside a sentence."""
    found: dict[str, None] = {}
    doubtful: list[str] = []
    for sentence in split_sentences(text):
        for match in _NAME.finditer(sentence.text):
            name = _stripped(match[0])
            if not name:
                continue
            if match.start() <= 1 and _doubtful(name):
                doubtful.append(name)
            else:
                found[name] = None
    found |= {m[0].title().replace("'S", "'s"): None for m in _RETAILER.finditer(text)}
    inner = {word for name in found for word in name.split()}
    ordered = [n for n in doubtful if n in inner and n not in found]
    return tuple(found) + tuple(dict.fromkeys(ordered))


def _doubtful(name: str) -> bool:
    return " " not in name and not any(ch.isupper() for ch in name[1:])


def _stripped(name: str) -> str:
    """The name without leading and trailing words that only start a sentence or date it."""
    parts = name.replace("’", "'").split()
    while parts and _empty(parts[0]):
        parts = parts[1:]
    while parts and _empty(parts[-1]):
        parts = parts[:-1]
    joined = " ".join(parts).removesuffix("'s").strip("'-&")
    return joined if len(joined) > 1 else ""


def _empty(word: str) -> bool:
    lower = word.lower().removesuffix("'s")
    return lower in _CALENDAR or lower in _NOT_NAMES or lower == "&"


def name_in(name: str, text: str) -> bool:
    """Whether ``text`` mentions the name: in full, by its last word, by or as an acronym."""
    low, folded = name.casefold(), text.casefold()
    if low in folded or low.replace("-", " ") in folded.replace("-", " "):
        return True
    parts = low.split()
    initials = "".join(p[0] for p in parts).upper()
    if len(parts) > 1 and (parts[-1] in folded or (len(initials) > 2 and initials in text)):
        return True
    return name.isupper() and len(name) > 1 and _spelled_out(name, text)


def _spelled_out(acronym: str, text: str) -> bool:
    return any(
        "".join(p[0] for p in name.split() if p[0].isupper()) == acronym
        for name in find_names(text)
        if " " in name
    )
