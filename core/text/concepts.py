"""The matters a text speaks of: its content words with the words that say the same as one.

"How long does delivery take" and "orders arrive within" share no word, but one matter. Words that
only ask ("how long", "take") are no matter at all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from core.text.tokens import content_words, stem, word_set

_FAMILIES = (
    "deliver delivery ship shipping shipment dispatch arrive arrival",
    "refund reimburse reimbursement refunded",
    "fee charge cost price expensive",
    "cancel cancellation canceled",
    "damaged damage broken defective faulty fault scratch scratched cracked",
    "holiday christmas xmas seasonal season festive",
    "buy purchase bought purchased",
    "shop store",
    "retailer competitor rival",
    "window period timeframe",
    "product item goods article merchandise",
    "student students",
    "return returns",
    "allow permit allowed permitted",
    "delete erase deletion removal",
    "expire expiry expiration lapse",
    "pay salary wage compensation",
)
_KINDS = {
    "appliance": "dryer hairdryer toaster kettle blender heater iron vacuum mixer microwave juicer "
    "fan humidifier fryer grill cooker fridge freezer dishwasher oven appliance appliances",
    "clothing": "coat jacket sweater jumper shirt blouse dress skirt trousers jeans hoodie scarf "
    "suit cardigan shorts socks clothes clothing apparel garment",
    "shoe": "boot boots sneaker sneakers sandal sandals trainers slippers heels shoe shoes "
    "footwear",
    "furniture": "sofa couch chair desk table wardrobe bed shelf bookcase furniture",
    "jewellery": "ring earrings necklace bracelet jewellery jewelry",
}
_KIND_OF = {stem(word): f"={kind}" for kind, all_of in _KINDS.items() for word in all_of.split()}
_HEADS = {stem(word): f"={family.split()[0]}" for family in _FAMILIES for word in family.split()}
_PHRASES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), f"={head}")
    for pattern, head in (
        (
            r"\bmoney(?: \w+){0,2} back\b|\b(?:refund|money)(?: \w+){0,2} (?:arriv\w+|comes?)\b"
            r"|退款|退钱",
            "refund",
        ),
        (r"\b(?:send|sent|sending|ship|bring|take) (?:\w+ ){0,3}?back\b", "return"),
        (r"\b(?:in|into) (?:\w+ )?pieces\b|坏了|损坏|故障", "damaged"),
        (
            r"\b(?:did not|didn['’]t|never) (?:place|order|make|authori[sz]e|buy)\b"
            r"|\bunauthori[sz]ed\b|\bfraud\w*|\bhacked\b|\bsuspicious\b"
            r"|\bsome(?:one|body) else\b(?=[^.?!]{0,30}?\b(?:us(?:ed|es|ing)|ordered|bought|paid|"
            r"signed|logged|accessed|placed|changed|took|taken|spent|got|has|is)\b)",
            "suspicious",
        ),
        (r"\bno later than\b|\b(?:last|latest|final) (?:day|date|moment)\b|\bdeadline\b", "last"),
        (r"\b(?:until|till) when\b|\bby when\b|\border-by\b", "last"),
        (r"\b(?:christmas|x-?mas|holiday|festive) (?:gift|present)s?\b|\bx-mas\b", "holiday"),
        (r"\btime[- ]limits?\b", "window"),
        (r"\b24 december\b|\bdecember 24(?:th)?\b|\bchristmas eve\b", "holiday"),
        (r"\b(?:close|closing|cancel)(?= (?:my|an|the|your) (?:\w+ )?account\b)", "delete"),
        (r"(?=运费|邮费|快递费)", "deliver"),
        (r"运费|邮费|快递费|(?<=配送)费|(?<=送货)费", "fee"),
        (r"不(?=在[^。；]{0,8}范围)|不(?:包括|包含|涵盖|属于)|除外", "excluded"),
        (r"寄到|寄往|寄至|送达|配送|送货|运送|发货|到达", "deliver"),
    )
)
_SPAN = re.compile(
    r"\b(?:\d+|one|two|three|six|twelve|thirty)[ -](?:(?:business|calendar|working) )?"
    r"(?:hour|day|week|month|year)s?\b|\d+\s*个?(?:小时|天|日|周|月|年)",
    re.IGNORECASE,
)
_SPANNED = frozenset({"=window", "=last", "期限"})
"""Matters of a sentence that says "30 days", in whatever words the question calls them."""
_OPTION = re.compile(r"\b(two|next|same|one|three|[1-9])[- ]day\b", re.IGNORECASE)
_ASKING = frozenset(
    stem(word)
    for word in word_set(
        """long much many often soon late far quickly fast take takes time go going happen make give
        find finally now today yet still really actually exactly already back possible able
        question help true due told said ask wonder thing cannot before after within during until
        till one two three four half second minute hour day week month year
        show list display data information info details figures confidential secret"""
    )
)
"""Words of the asking, and of times and numbers: what is asked about is something else."""
_ZH_ASKS = re.compile(
    "多长时间|多久|需要|多少钱|多少|几天|什么时候|什么|请问|怎么办|怎么样|怎样|怎么|如何|哪些|哪里"
    "|为什么|能不能|可不可以|吗|呢"
)


@lru_cache(maxsize=4096)
def concepts(text: str) -> tuple[str, ...]:
    """The matters of ``text``, each once, in order; a family goes by its head ("=deliver")."""
    found: list[str] = []
    rest = _ZH_ASKS.sub(" ", text)
    for pattern, head in _PHRASES:
        if pattern.search(rest):
            found.append(head)
            rest = pattern.sub(" ", rest)
    for match in _OPTION.finditer(rest):
        found.append(f"={match[1].lower()}-day")
    words = content_words(_OPTION.sub(" ", rest))
    longer = [w for w in words if len(w) > 1 or w.isascii()]
    found += [_HEADS.get(word, word) for word in longer or words if word not in _ASKING]
    found += [_KIND_OF[word] for word in words if word in _KIND_OF]
    return tuple(dict.fromkeys(found))


def kinds(text: str) -> frozenset[str]:
    """The kinds of goods that the things in ``text`` belong to: a toaster is an appliance."""
    return frozenset(_KIND_OF[word] for word in content_words(text) if word in _KIND_OF)


def shared(
    wanted: Mapping[str, float],
    text: str,
    weights: Mapping[str, float] | None = None,
    *,
    unknown: float = 1.0,
) -> float:
    """Weighted share (0..1) of the wanted matters that ``text`` speaks of; 0 when none is wanted.

    ``wanted`` says how much each matters to the question, ``weights`` how telling it is;
    ``unknown`` is the weight of a matter that no weight is known for.
    """
    have = set(concepts(text)) | (_SPANNED if _SPAN.search(text) else frozenset())
    weigh = weights or {}
    total = sum(w * weigh.get(c, unknown) for c, w in wanted.items())
    if total <= 0:
        return 0.0
    return sum(w * weigh.get(c, unknown) for c, w in wanted.items() if c in have) / total
