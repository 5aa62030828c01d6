"""A thing of the asker's own, and the question asked for its kind.

Nobody writes a rule for each thing sold. "How long can I return a coat?" is answered by the rule
for items, which a reader who looks for coats does not find.
"""

from __future__ import annotations

import re

from core.text.tokens import content_words

INSTANCE = re.compile(
    r"(?<!\bto )(?<!\bby )(?<!\bwith )(?<!\bfrom )(?<!\bat )(?<!\binto )"
    r"\b(?:an?|my|this|our|his|her|their)\s+((?:[a-z][\w-]*\s+){0,2}?[a-z][\w-]*)"
    r"(?=\s*(?:[?.,;!)]|$)|\s+(?:i|we|he|she|they|you|that|which|who|in|on|from|for|to|by|with|at|of|"
    r"is|are|was|were|has|have|had|do|does|did|can|after|before|without|worth|bought|online|back)\b)",
    re.IGNORECASE,
)
"""A thing of the asker's own ("a toaster", "my coat"): the rule for its kind serves."""
_BOUGHT = re.compile(
    r"\bthe\s+((?:[a-z][\w-]*\s+){0,2}?[a-z][\w-]*)"
    r"(?=\s+(?:that\s+)?(?:i|we|he|she|they)(?:\s+have|'ve)?\s+(?:just\s+)?"
    r"(?:bought|ordered|purchased|got|received)\b)",
    re.IGNORECASE,
)
_OF_THE_DESK = frozenset(
    word
    for words in (
        "account address answer app bill call card case chat claim code complaint copy coupon day "
        "delivery deposit discount document email exchange fee form friend gift hour invoice label "
        "letter link member membership message month name number offer order parcel package "
        "password payment person phone photo point policy present price problem proof purchase "
        "question receipt refund replacement return reward shipment shop store subscription "
        "supervisor tier ticket voucher warranty week year item product article thing",
    )
    for word in content_words(words)
)
"""What is spoken of at a service desk and is not itself sold there as one thing among many."""


def of_its_kind(question: str) -> tuple[str, frozenset[str]] | None:
    """``question`` asked of "an item" instead of the thing it names, and the words of that thing.

    ``None`` where it names no thing, more than one, or what has rules of its own ("a refund").
    """
    named = [*INSTANCE.finditer(question), *_BOUGHT.finditer(question)]
    things = {m.span(1): frozenset(content_words(m[1])) for m in named}
    things = {span: words for span, words in things.items() if words - _OF_THE_DESK}
    if len(things) != 1:
        return None
    ((start, end), words), *_ = things.items()
    if words & _OF_THE_DESK:
        return None
    article = re.search(r"\b\w+\s+$", question[:start])
    return f"{question[: article.start() if article else start]}an item{question[end:]}", words
