"""Words for counting and comparing: lower case, light English stemming, Chinese bigrams."""

from __future__ import annotations

import re
from functools import lru_cache

from core.text.language import CJK

_TOKEN = re.compile(
    rf"(?P<cjk>[{CJK}]+)"
    r"|(?P<id>[A-Za-z]{1,4}-\d{3,})"
    r"|(?P<number>\d+(?:[.,:]\d+)*)"
    rf"|(?P<word>(?:(?![{CJK}])[^\W_])+(?:['’](?:(?![{CJK}])[^\W\d_])+)*)"
)


def word_set(text: str) -> frozenset[str]:
    """The words of a word list written as prose."""
    return frozenset(text.split())


STOP_WORDS = word_set(
    """a an the this that these those there here it its itself i me my mine we us our ours you your
    yours he him his she her hers they them their theirs who whom whose which what when where why
    how is are was were be been being am do does did done doing have has had having will would
    shall should can could may might must of in on at by for with from to into onto as and or but
    nor so if then than too very just also about over under again only own same such no not any
    some all both each few more most other out up down off please thanks thank hi hello dear tell
    say get got like want wants need needs know let use used using i'm i've i'd i'll you're it's
    don't doesn't didn't can't won't isn't aren't wasn't what's that's there's let's anyone
    someone something anything okay ok yes s t re ve ll d m"""
)

_ZH_STOP = re.compile(
    "请问|怎么|怎样|如何|什么|多少|哪些|哪个|是否|可以|能否|能不能|可不可以|是不是|有没有|为什么|"
    "一下|我们|你们|他们|这个|那个|的|了|吗|呢|吧|啊|我|你|您|他|她|它|是|在|和|与|及|或|也|就|都|"
    "把|被|对|从|到|给|将|要|会|能|请|想|这|那|有|为|之|起|以|于|自"
)

_IRREGULAR = {
    "bought": "buy", "sent": "send", "paid": "pay", "payment": "pay", "shipment": "ship",
    "made": "make", "gave": "giv", "given": "giv", "took": "tak", "taken": "tak", "went": "go",
    "lost": "lose", "broke": "break", "broken": "break", "chose": "choos", "chosen": "choos",
    "wrote": "writ", "written": "writ", "found": "find", "sold": "sell", "told": "tell",
    "kept": "keep", "held": "hold", "began": "begin", "begun": "begin", "won": "win", "led": "lead",
    "became": "becom", "born": "bear", "built": "build", "spent": "spend", "won't": "not",
    "children": "child", "people": "person", "men": "man", "women": "woman", "days": "day",
    "lose": "lose", "news": "news", "less": "less", "process": "process", "access": "access",
    "address": "address", "business": "business", "this": "this", "does": "do", "during": "during",
    "nothing": "nothing", "something": "something", "evening": "evening", "morning": "morning",
}  # fmt: skip

_VOWEL = re.compile(r"[aeiouy]")


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """Lower-cased words in order. Numbers keep their decimals ("6.95") and lose thousands commas.

    A Chinese run gives its characters followed by its bigrams.
    """
    out: list[str] = []
    for match in _TOKEN.finditer(text):
        if run := match["cjk"]:
            out.extend(run)
            out.extend(_bigrams(run))
        else:
            out.append(_plain(match))
    return tuple(out)


@lru_cache(maxsize=4096)
def content_words(text: str) -> tuple[str, ...]:
    """Stemmed words that carry meaning: function words of English and Chinese are dropped."""
    out: list[str] = []
    for match in _TOKEN.finditer(text):
        if run := match["cjk"]:
            out.extend(_chinese_terms(run))
            continue
        word = _plain(match)
        if word not in STOP_WORDS and (len(word) > 1 or word.isdigit()):
            out.append(stem(word))
    return tuple(out)


def _plain(match: re.Match[str]) -> str:
    word = match[0].lower().replace("’", "'")
    return word.replace(",", "") if match["number"] else word.removesuffix("'s")


def _bigrams(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)]


def _chinese_terms(run: str) -> list[str]:
    terms: list[str] = []
    for part in _ZH_STOP.split(run):
        terms.extend(_bigrams(part) if len(part) > 1 else ([part] if part else []))
    return terms


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A light English stem: return, returns, returned and returning are equal. Idempotent enough
    to compare words with; not a dictionary form."""
    word = word.lower()
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 3 or not word.isascii() or not word.isalpha():
        return word
    return _ending(_derivation(_inflection(_plural(word))))


def _plural(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _inflection(word: str) -> str:
    for suffix in ("ing", "ed"):
        base = word.removesuffix(suffix)
        if base != word and len(base) >= 3 and _VOWEL.search(base) and not word.endswith("eed"):
            return _undouble(base)
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    return word


def _undouble(base: str) -> str:
    if base[-1] == base[-2] and base[-1] not in "sz":
        return base[:-1]
    return base


def _derivation(word: str) -> str:
    if word.endswith("ication") and len(word) > 9:
        return word[:-6]
    if word.endswith("ation") and len(word) > 8:
        return _undouble(word[:-5])
    if word.endswith("ment") and len(word) > 8:
        return word[:-4]
    if word.endswith("ly") and len(word) > 6:
        return word[:-2]
    return word


def _ending(word: str) -> str:
    if len(word) > 4 and word.endswith("ll"):
        word = word[:-1]
    if len(word) > 3 and word.endswith("e"):
        return word[:-1]
    if len(word) > 3 and word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "i"
    return word
