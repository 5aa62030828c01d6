"""Words that turn a statement round: a negation on one side only, or opposite words."""

from __future__ import annotations

import re
from typing import Literal

from core.text.opposites import OPPOSITES
from core.text.polarity import negators
from core.text.predicates import antonyms
from core.text.statements import Statement

_QUIET_DENIAL = re.compile(
    r"\b(?:not|never|no|n't|yet to|refus\w+|fail\w*|lack\w*|zero|0|against|stop\w*|unable|avoid\w*|"
    r"before|ended|former\w*|only|remov\w+|prevent\w*|incapable|instead|rather than|other than|"
    r"until|(?:stay|stayed|turn|turned|drop|dropped|pass|passed) (?:away|down|out|on|along|up))\b"
    r"|不|没|无|未",
    re.I,
)


Turn = Literal["polarity", "affirmed", "opposite", ""]


def turned_round(premise: Statement, stated: Statement) -> Turn:
    """What kind of turn lies between the two, "" for none.

    ``polarity``: ``stated`` denies what the premise affirms; ``affirmed``: it affirms what the
    premise denies, which is less telling, for a denial has many wordings; ``opposite``: they use
    opposite words.
    """
    if kind := _denied_once(premise, stated):
        return kind
    if _bare_denial(premise, stated):
        return "polarity"
    return "opposite" if _opposed(premise, stated) else ""


def _denied_once(premise: Statement, stated: Statement) -> Turn:
    """A negation reaches a shared word on one side and no such word on the other."""
    mine = {w for w in premise.denied - stated.denied if _says(stated, w)}
    theirs = {w for w in stated.denied - premise.denied if _says(premise, w)}
    if bool(mine) == bool(theirs) or (premise.about and premise.about <= mine | theirs):
        return ""
    if theirs:
        return "polarity"
    if premise.denied & stated.denied:
        return ""
    return "" if not stated.denied and _QUIET_DENIAL.search(stated.text) else "affirmed"


def _bare_denial(premise: Statement, stated: Statement) -> bool:
    """The same words throughout, with a negation more or less."""
    if len(premise.about) < 3 or len(premise.about ^ stated.about) > 1:
        return False
    return len(negators(premise.text)) % 2 != len(negators(stated.text)) % 2


def _says(statement: Statement, word: str) -> bool:
    if not statement.chinese:
        return word in statement.words
    return word in "".join(statement.terms)


def _opposed(premise: Statement, stated: Statement) -> bool:
    for left, right in OPPOSITES:
        mine = _side(premise.text, left, right)
        if mine and (theirs := _side(stated.text, left, right)) and mine != theirs:
            return True
    if premise.chinese or premise.denied != stated.denied:
        return False
    return antonyms(premise.words - stated.words, stated.words - premise.words) is not None


def _side(text: str, left: re.Pattern[str], right: re.Pattern[str]) -> str:
    """``left`` or ``right``, turned round where the word is denied; empty for neither or both."""
    on_left, on_right = left.search(text), right.search(text)
    if bool(on_left) == bool(on_right):
        return ""
    found = on_left or on_right
    denied = found is not None and any(
        0 <= found.start() - end <= 8 and not re.search(r"[,，.;；]", text[end : found.start()])
        for _, end in negators(text)
    )
    return "left" if bool(on_left) != denied else "right"
