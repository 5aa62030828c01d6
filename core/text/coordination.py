"""Several asks joined in one question: "how long and under what conditions can I return shoes?",
"what are the fee and the deadline for an exchange?".

Only question words, and nouns that name different aspects, are taken apart. "Can I return shoes and
socks?" asks one thing of two.
"""

from __future__ import annotations

import re

from core.text.aspects import ATTRIBUTES, attribute
from core.text.aspects_zh import ATTRIBUTES_ZH
from core.text.language import detect_language

_I = re.IGNORECASE
_LONGEST = 400
"""Characters of an ask that is looked at."""
_W = (
    r"(?:(?:at|by|under|in|on|within|until|for|to|from|with) (?:what|which|when|how)(?: \w+){0,2}?|"
    r"how (?:long|much|soon|often|far)|how many \w+|(?:which|what) \w+|"
    r"how|when|where|who|what|why)"
)
_AUX = (
    r"(?:can|could|may|must|do|does|did|is|are|was|were|will|would|should|am|has|have)\s+"
    r"(?:i|we|you|one|they|it|he|she|there|the|a|an|my|our|your|this|that|these|those|\w+)\b"
)
_WORDS_JOINED = re.compile(
    rf"^(?P<open>(?:\w+,?\s+){{0,3}}?)(?P<first>{_W})(?P<more>(?:\s*,\s*{_W})*)\s*,?\s+"
    rf"(?:and|&|or)\s+(?P<last>{_W})\s+(?P<rest>{_AUX}.*)$",
    _I,
)
_OPENING = re.compile(
    r"(?:^|\b)(?:what(?:'s| is| are| were| was| will be| about)?|which(?: are| is)?|"
    r"(?:tell|show|give|explain to) (?:me|us)(?: about)?|explain|list|state|name|"
    r"i (?:need|want|would like)(?: to know)?|questions? about|asking about)\s*[:,]?\s+",
    _I,
)
_TAIL = re.compile(
    r"\s+(?:of|for|to|on|in|with|when|if|after|before|by|from|concerning|regarding)\s+.*$", _I
)
_COMMA_OR_AND = re.compile(r"\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|as well as|plus|&)\s+", _I)
_ARTICLE = re.compile(r"^(?:the|your|our|its|their|any|an?|also)\s+", _I)
_ZH_BETWEEN = re.compile(r"、|和|与|及|以及|还有")
_ZH_ASKS = re.compile(r"(?:分别|各|都)?(?:是(?:多少|什么|多久)|有哪些|怎么样|如何)[？?]?$")


def coordinated(ask: str) -> tuple[str, ...]:
    """The asks joined in ``ask``, each a question of its own; ``ask`` alone when it is one."""
    if len(ask) > _LONGEST:
        return (ask,)
    if detect_language(ask) == "zh":
        return _chinese_attributes(ask) or (ask,)
    return _joined_words(ask) or _joined_attributes(ask) or (ask,)


def _joined_words(ask: str) -> tuple[str, ...]:
    """Question words that share the rest of the sentence."""
    match = _WORDS_JOINED.match(ask.strip())
    if match is None:
        return ()
    more = [w.strip() for w in match["more"].split(",") if w.strip()]
    return tuple(f"{word} {match['rest']}" for word in (match["first"], *more, match["last"]))


def _joined_attributes(ask: str) -> tuple[str, ...]:
    """Nouns of at least two aspects in one list, with what they are attributes of."""
    opening = _OPENING.search(ask)
    if opening is None:
        return ()
    body = ask[opening.end() :].rstrip(" ?!.")
    tail = _TAIL.search(body)
    about = tail[0] if tail else ""
    items = [i for i in _COMMA_OR_AND.split(body.removesuffix(about)) if i.strip()]
    named = [_ARTICLE.sub("", item.strip()) for item in items]
    kinds = {attribute(item) for item in named}
    if len(named) < 2 or len(kinds) < 2 or None in kinds:
        return ()
    of = _modifier(named[0])
    lead = ask[: opening.start()].strip()
    opened = f"{lead} " if lead else ""
    return tuple(
        f"{opened}{'what' if opened else 'What'} {_is(item)} the {_whose(of, item)}{about}?"
        for item in named
    )


def _is(item: str) -> str:
    plural = item.endswith("s") and not item.endswith(("ss", "process"))
    return "are" if plural or item == "criteria" else "is"


def _modifier(item: str) -> str:
    """What stands before the noun that names the aspect: ``return`` of "return deadline"."""
    for _, rule in ATTRIBUTES:
        if found := rule.search(item):
            return item[: found.start()].strip()
    return ""


def _whose(of: str, item: str) -> str:
    return item if not of or _modifier(item) else f"{of} {item}"


def _chinese_attributes(ask: str) -> tuple[str, ...]:
    """ "退货的期限和费用是多少" asks for the limit and for the fee."""
    asking = _ZH_ASKS.search(ask.strip())
    if asking is None:
        return ()
    body = ask.strip()[: asking.start()]
    whose, mark, listed = body.rpartition("的")
    items = [i for i in _ZH_BETWEEN.split(listed) if i]
    kinds = [next((a for a, rule in ATTRIBUTES_ZH if rule.search(i)), None) for i in items]
    if len(items) < 2 or None in kinds or len(set(kinds)) < 2:
        return ()
    return tuple(f"{whose}{mark}{item}是什么？" for item in items)
