"""The things a question compares: "standard versus two-day shipping" has two sides."""

from __future__ import annotations

import re
from typing import NamedTuple

from core.models.plan import Aspect
from core.text.aspects import attribute
from core.text.language import detect_language
from core.text.tokens import content_words

_I = re.IGNORECASE
_COMPARATIVE = (
    r"(?:better|worse|cheaper|faster|slower|quicker|sooner|longer|shorter|larger|smaller|higher|"
    r"lower|safer|easier|harder|(?:more|less) [\w-]+)"
)
_END = r"(?=\s*[?.!,;:]|\s*$|\s+(?:in terms of|when it comes|regarding|with regard|as for)\b)"
_FORMS = tuple(
    re.compile(form, _I)
    for form in (
        rf"\bdifferen(?:ces?|t)\b(?: in (?:the )?(?P<in>[\w ]{{3,40}}?))? (?:between|among)"
        rf"\s+(?P<list>.+?\band\b.+?){_END}",
        r"\bhow (?:do|does|is|are|did) (?P<a>.+?)"
        r"(?: and | differ(?:s|ent)? from | compare (?:to|with) )"
        rf"(?P<b>.+?)(?: differ(?:ent)?| compare[d]?)?{_END}",
        r"\bcompar(?:e|ing|ison (?:of|between)) (?P<a>.+?) (?:and|with|to|against) "
        rf"(?P<b>.+?){_END}",
        rf"\b(?:is|are|do|does|was|were|will) (?P<a>[^,?]+?) (?:\w+ )?(?P<than>{_COMPARATIVE})"
        rf" than (?P<b>.+?){_END}",
        rf"\bwhich (?:one |option )?(?:is|are|costs?|takes?|lasts?|arrives?|ships?)"
        rf" (?:the )?(?P<than>{_COMPARATIVE})\s*[,:;]?\s*(?P<a>[^,?]+?),? or (?P<b>.+?){_END}",
        rf"^(?:\W*(?:what about|how about|is it|so)\s+)?(?P<a>[^,?.]+?)"
        rf"(?:,?\s+(?:versus|vs\.?|compared (?:to|with))\s+)(?P<b>.+?){_END}",
    )
)  # fmt: skip
_DIFFER = re.compile(r"\bdiffer|\bcompare", _I)
_ZH_FORMS = (
    re.compile(
        r"(?P<a>[^，。？！、]{2,16}?)(?:和|与|跟|同)(?P<b>[^，。？！、]{2,16}?)(?:之间)?"
        r"(?P<in>)(?:(?:的|在哪|有|有什么|有何|有哪些)?(?:主要|最大)?(?:的)?(?:区别|差别|差异)"
        r"|有(?:什么|何|哪些)不同|哪个更)"
    ),
    re.compile(
        r"(?P<a>[^，。？！、]{2,16}?)比(?P<b>[^，。？！、]{2,16}?)"
        r"(?P<than>更?(?:便宜|贵|快|慢|好|久|长|短))"
    ),
)
_ARTICLE = re.compile(r"^(?:the|your|our|an?|its|my|of)\s+", _I)
_ZH_LEAD = re.compile(r"^(?:请问|那么|那|你们的?|您的?)")
_PRONOUN = re.compile(
    r"^(?:it|this|that|these|those|they|them|both|one|the other|你|我|它|这个?)$", _I
)
_LIST = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+", _I)
_BY_COMPARATIVE: tuple[tuple[Aspect, re.Pattern[str]], ...] = (
    ("amount", re.compile(r"cheap|expensive|cost|便宜|贵", _I)),
    ("deadline", re.compile(r"fast|slow|quick|soon|快|慢", _I)),
)
MOST_SIDES = 4
_LONGEST = 400
"""Characters of an ask that is looked at; a longer one compares nothing in a few words."""


class Comparison(NamedTuple):
    """What is compared, side by side, and by which attribute ("price"), if one is named."""

    sides: tuple[str, ...]
    by: str = ""
    aspect: Aspect = "answer"


def comparison(ask: str) -> Comparison | None:
    """The two to four sides that ``ask`` compares, or ``None`` when it compares nothing named."""
    if len(ask) > _LONGEST:
        return None
    chinese = detect_language(ask) == "zh"
    for form in _ZH_FORMS if chinese else _FORMS:
        match = form.search(ask.strip())
        if match is None:
            continue
        found = match.groupdict()
        sides = _sides(found, chinese=chinese)
        if len(sides) >= 2 and (chinese or _compares(ask, form)):
            by = (found.get("in") or "").strip()
            return Comparison(sides[:MOST_SIDES], by, _aspect(by, found.get("than") or ""))
    return None


def _compares(ask: str, form: re.Pattern[str]) -> bool:
    """ "How do A and B work?" matches the form of "How do A and B differ?"."""
    return not form.pattern.startswith(r"\bhow (?:do") or bool(_DIFFER.search(ask))


def _sides(found: dict[str, str | None], *, chinese: bool) -> tuple[str, ...]:
    listed = found.get("list")
    raw = _LIST.split(listed) if listed else [found.get("a") or "", found.get("b") or ""]
    lead = _ZH_LEAD if chinese else _ARTICLE
    sides = [lead.sub("", side.strip(" \"'“”")).strip() for side in raw]
    if any(_PRONOUN.match(side) or not content_words(side) for side in sides):
        return ()
    return tuple(dict.fromkeys(sides if chinese else _with_heads(sides)))


def _with_heads(sides: list[str]) -> list[str]:
    """ "standard and two-day shipping": the noun of the last side belongs to each; what stands
    before "version 3" belongs to "version 4" too."""
    head, first = sides[-1].split(), sides[0].split()
    if head[0] in first[1:]:
        of = " ".join(first[: first.index(head[0])])
        return [side if side.startswith(of) else f"{of} {side}" for side in sides]
    tail = re.search(r"\s(?:of|in|for)\s.+$", sides[-1])
    return [_completed(side, head, tail[0] if tail else "") for side in sides]


def _completed(side: str, head: list[str], tail: str) -> str:
    """One side with what it shares with the last one: its noun, or "of matter"."""
    if " " not in side:
        if tail:
            return side + tail
        return f"{side} {head[-1]}" if len(head) > 1 and side != head[-1] else side
    last = side.split()[-1]
    if last in head[:-1] and not tail:
        return " ".join((side, *head[head.index(last) + 1 :]))
    return side


def _aspect(by: str, comparative: str) -> Aspect:
    named = attribute(by) if by else None
    if named is not None:
        return named
    return next((a for a, rule in _BY_COMPARATIVE if rule.search(comparative)), "answer")


def side_query(side: str, compared: Comparison) -> str:
    """The question for one side: "What is the price of two-day shipping?"."""
    chinese = detect_language(side) == "zh"
    if compared.by:
        return (
            f"{side}的{compared.by}是什么？" if chinese else f"What is the {compared.by} of {side}?"
        )
    english, zh = _SIDE.get(compared.aspect, ("What is {}?", "{}是什么？"))
    return (zh if chinese else english).format(side)


_SIDE: dict[Aspect, tuple[str, str]] = {
    "amount": ("What does {} cost?", "{}的价格是多少？"),
    "deadline": ("How long does {} take?", "{}需要多久？"),
}
