"""Words of a customer that take a case out of a plain reply: law, danger, a person, a repeat."""

# ruff: noqa: E501 - word lists and patterns read better unbroken
from __future__ import annotations

import re
from typing import Literal, NamedTuple

AlarmKind = Literal["legal", "safety", "privacy", "person", "exception", "again", "press"]
_I = re.IGNORECASE
_LONGEST = 6000
"""Characters of a message that are looked at."""
_RULES: tuple[tuple[AlarmKind, re.Pattern[str]], ...] = (
    (
        "safety",
        re.compile(
            r"\b(?:burn(?:ed|t|s)?|scald(?:ed)?|injur\w+|electrocut\w+|electric(?:al)? shock|got a shock|hurt|wounded|bleed\w*|"
            r"hospitali[sz]ed|poison\w*|chok(?:ed|ing)|allerg(?:ic|y) (?:reaction|shock)|had a reaction to|caught fire|on fire|"
            r"fire hazard|flames|smok(?:e|ing) (?:came|coming|from)|explod\w+|exploded|sparks?|overheat\w*|gas leak|carbon monoxide)\b"
            r"|烫伤|烧伤|受伤|触电|起火|着火|冒烟|爆炸|过敏|中毒|流血",
            _I,
        ),
    ),
    (
        "legal",
        re.compile(
            r"\b(?:my|our|a|an|the) (?:lawyer|attorney|solicitor|legal counsel|law firm)\b|\b(?:lawyers?|attorneys?|solicitors?) will\b|"
            r"\b(?:sue|suing) (?:you|your|the|them|this)\b|\b(?:i|we)(?:['’]ll| will| am going to|['’]m going to)\s+(?:sue|take you to court)\b|"
            r"\blegal (?:action|steps|proceedings|claim)\b|\blawsuit\b|\bsmall claims\b|\bto court\b|\btribunal\b|"
            r"\b(?:report|complain|complaint)\b.{0,40}\b(?:regulator|ombudsman|authority|trading standards|consumer protection|ftc|cfpb|fca)\b|"
            r"\b(?:regulator|ombudsman)\b|\bfile a (?:claim|complaint|suit) (?:against|with)\b|\bpress charges\b|"
            r"律师|起诉|诉讼|法院|消费者协会|消协|监管|投诉到|12315|仲裁",
            _I,
        ),
    ),
    (
        "privacy",
        re.compile(
            r"\bdata (?:breach|leak)\b|\bleaked\b.{0,30}\b(?:data|address|details|card)\b|\bidentity theft\b|\bhacked\b|\bunauthori[sz]ed (?:access|"
            r"orders?|charges?|payments?)\b|\bfraud(?:ulent|ster)?\b|\b(?:order|charge|payment|transaction)s?\b.{0,40}\b(?:i|we) did(?: not|n['’]t) "
            r"(?:place|make|authori[sz]e)\b|数据泄露|信息泄露|盗刷|被盗|诈骗",
            _I,
        ),
    ),
    (
        "press",
        re.compile(
            r"\b(?:i am|i['’]m) a (?:journalist|reporter)\b|\bi write for\b|\bfor (?:an|my) article\b|\bgo(?:ing)? to the (?:press|media|newspapers)\b|"
            r"记者|媒体曝光",
            _I,
        ),
    ),
    (
        "person",
        re.compile(
            r"\b(?:speak|talk|chat|transfer(?:red)?|connect(?:ed)?|put me through|escalat\w+|pass(?:ed)?|hand(?:ed)?)\s+(?:me\s+)?(?:this\s+)?(?:on\s+)?"
            r"(?:to|with)\s+(?:an?|your|the|some)?\s*(?:\w+\s+)?(?:human|person|supervisor|manager|representative|agent|boss|superior|someone "
            r"(?:else|senior|higher))\b|\b(?:want|need|ask(?:ing)? for|demand|request|get me|like)\s+(?:to (?:see|speak to|talk to)\s+)?(?:an?|your|the)\s+"
            r"(?:human|real person|supervisor|manager|human (?:agent|representative))\b|转人工|人工客服|找(?:你们)?(?:经理|主管|领导)",
            _I,
        ),
    ),
    (
        "exception",
        re.compile(
            r"\b(?:make|grant|allow|give|consider)\s+(?:me\s+|us\s+)?(?:an|one|some|any)\s+(?:\w+\s+)?exception\b|\bjust this once\b|\bbend the rules?\b|"
            r"\bas (?:an exception|a gesture|a goodwill|a courtesy)\b|\b(?:goodwill|courtesy) (?:credit|gesture|refund|payment)\b(?=.*\b(?:me|i|my)\b)|"
            r"\bexceptionally\b|\bturn a blind eye\b|\blet it slide\b|破例|通融|例外|网开一面",
            _I,
        ),
    ),
    (
        "again",
        re.compile(
            r"\b(?:second|third|fourth|fifth|2nd|3rd|\d+th) time (?:i|i['’]m|we|that|now|writing|contact\w*|call\w*|asking)\b|"
            r"\b(?:called|phoned|written|wrote|emailed|contacted|asked|complained|chased)\s+(?:\w+\s+){0,3}(?:twice|again|three times|several times|"
            r"many times|repeatedly|already|before)\b|\balready (?:said|told|called|written|wrote|explained|asked|contacted|sent)\b|"
            r"\bas i (?:have )?(?:already )?(?:said|told)\b|\bkeep (?:asking|calling|writing)\b|\bstill no (?:answer|reply|response)\b|"
            r"再次|第[二三四五]次|多次(?:联系|投诉|打电话)|已经(?:说过|打过|联系过|反映过)",
            _I,
        ),
    ),
)
_NOT_MEANT = re.compile(
    r"\bburn(?:ed|t)? (?:a )?(?:cd|dvd|out|through)\b|\bhurt(?:s)? (?:my )?(?:feelings|business|wallet)\b|\bfire (?:tv|stick|sale|pit)\b|"
    r"\bspark(?:s)? joy\b|\bspark plugs?\b|\bburn warning\b|\bif\b[^.?!]{0,80}\b(?:burn|fire|injur|hurt)\w*[^.?!]{0,80}\?|\bwill it hurt\b|过敏吗",
    _I,
)


class Alarm(NamedTuple):
    """Words that raised an alarm, as they were written."""

    kind: AlarmKind
    words: str


def alarms(text: str) -> tuple[Alarm, ...]:
    """What ``text`` says that a person must hear of, each kind once, the gravest first."""
    plain = _NOT_MEANT.sub(" ", text[:_LONGEST])
    found = ((kind, rule.search(plain)) for kind, rule in _RULES)
    return tuple(Alarm(kind, match[0].strip()) for kind, match in found if match)
