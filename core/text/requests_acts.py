"""What a customer can ask a service desk to do, by the words requests and policies use for it."""

# ruff: noqa: E501 - word lists and patterns read better unbroken
from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from core.text.tokens import content_words, stem, word_set

_MONEY = r"(?:money|fees?|postage|deposit|payment|price|difference|premiums?|cash|amount|fare|cost)"
_WORDS: dict[str, str] = {
    "cancel": r"cancel\w*|terminat\w+|call(?:ed|ing)? off|annul\w*|(?<=to )end\b|(?<=be )ended\b"
    r"|\bend(?=\s+(?:my|our|the|an?|this)\b)|取消|解约|注销|终止",
    "refund": rf"(?:non-?)?refund\w*|reimburs\w+|{_MONEY}\s+back\b|\$\s?[\d,.]+\s+back\b"
    r"|pa(?:y|id)\w*\s+(?:\w+\s+)?back|退款|退钱|退费|退还|返还|费.{0,3}退(?!货|票)|退给我",
    "return": r"return(?:s|ed|ing|able)?\b(?!\s+(?:flight|trip|ticket|leg|label|date|journey))"
    r"|sen[dt](?:ing)?\s+(?:\w+\s+){0,3}back\b|take\s+(?:\w+\s+){0,2}back\b|退货|退回",
    "exchange": r"exchang\w+|swap\w*|trad(?:e|ing) in|换货|换成|调换",
    "replace": r"replac\w+|更换|补发",
    "change": r"chang(?:e|es|ed|ing)\b|modif\w+|alter(?:ed|ing|s)?\b|amend\w*|updat\w+|edit(?:ed|ing)?\b"
    r"|correct(?:ed|ing)\b|switch(?:ed|ing)?\b(?!\s+(?:\w+\s+)?o(?:n|ff)\b)|mov(?:e|es|ed|ing)\b"
    r"|reschedul\w+|push(?:ed|ing)?\s+back|bring\s+forward|修改|更改|改成|改到|改为|改签|变更|改期",
    "upgrade": r"upgrad\w+|升级|升舱",
    "downgrade": r"downgrad\w+|降级",
    "remove": r"remov\w+|delet\w+|take\s+(?:\w+\s+){0,3}(?:off|out)\b|eras\w+|undo\w*|删除|移除|去掉|撤销",
    "add": r"add(?:s|ed|ing)?\b|添加|增加|加上",
    "compensate": r"compensat\w+|vouchers?\b|goodwill|gesture|credits?\b(?!\s+(?:card|limit|check))"
    r"|discounts?\b|rebate\w*|payout|赔偿|补偿|优惠|折扣|代金券",
    "waive": r"waiv\w+|免除|减免|免收",
    "extend": r"exten(?:d|ds|ded|ding|sion)\b|prolong\w*|lengthen\w*|延长|延期|展期",
    "reveal": r"reveal\w*|disclos\w+|shar(?:e|ed|ing)\b|tell(?:ing)?\b(?!\s+me\s+(?:if|how|what|when"
    r"|why|whether|where))|(?<=to )see\b(?!\s+(?:if|whether))|send\s+(?:me|us)\s+(?:the|a)\s+(?:\w+\s+)?list|told\b(?=\s+to\b)|show(?:ing)?\b|透露|泄露|提供.{0,6}(?:信息|资料|记录)",
    "transfer": r"transfer\w*|hand(?:ed)?\s+over|reassign\w*|转让|转给|转账|过户|转移",
    "combine": r"combin\w+|merg\w+|stack\w*|合并|叠加|同时使用",
    "split": r"split\w*|拆分",
    "freeze": r"fr(?:eez|oz)\w*|paus(?:e|ed|ing)\b|suspend\w*|冻结|暂停",
    "redirect": r"redirect\w*|rerout\w+|divert\w*|转寄|改投",
    "book": r"book\b(?!\s+\w+\s+by)|reserve\b|purchase\b|预订|预约",
    "close": r"clos(?:e|ed|ing)\b|关闭|销户",
    "raise": r"rais(?:e|ed|ing)\b|increas\w+|提高|上调",
    "reduce": r"reduc\w+|lower(?:ed|ing)?\b|decreas\w+|降低|下调",
    "defer": r"defer\w*|postpone\w*|推迟|延后|缓交",
    "switch on": r"(?:switch|turn)(?:ed|ing)?\s+(?:\w+\s+)?on\b|activat\w+|enabl\w+|开通|启用",
    "block": r"block(?:ed|ing)?\b|挂失|封停",
    "hold": r"hold\b(?! on\b|ing)|(?<=be )held\b|保留",
    "issue": r"issu(?:ed|ing)\b|issue\b(?=\s+(?:me|a|an|the|another)\b)|开具|补办",
    "reset": r"reset\w*|unlock\w*|重置|解锁",
    "withdraw": r"withdraw\w*|cash\s+out|提现|取现",
    "top up": r"top(?:ped|ping)?[- ]up|充值",
    "hand back a ticket": r"退票",
    "ship": r"ship(?:ped|ping)?\b|deliver(?:ed)?\b|dispatch\w*|发货|配送",
    "recall": r"recall\w*|撤回",
    "match": r"match(?:ed|ing)?\b|价格匹配|保价",
    "pay": r"pay\s+(?:out|my|the|our|for)\b|paid\s+out|赔付|支付",
    "appeal": r"appeal\w*|申诉",
    "bring": r"bring\b|携带",
}  # fmt: skip
_ACTS = tuple((name, re.compile(rf"\b(?:{rule})" if not rule.startswith("退") else rule, re.I))
              for name, rule in _WORDS.items())  # fmt: skip
_CHINESE = tuple(
    (name, re.compile("|".join(parts)))
    for name, rule in _WORDS.items()
    if (parts := [p for p in rule.split("|") if re.search(r"[\u4e00-\u9fff]", p)])
)
_KINDS: dict[str, frozenset[str]] = {
    "upgrade": frozenset({"change"}),
    "downgrade": frozenset({"change"}),
    "exchange": frozenset({"change"}),
    "remove": frozenset({"change"}),
    "add": frozenset({"change", "bring"}),
    "defer": frozenset({"change"}),
    "extend": frozenset({"change"}),
    "split": frozenset({"change"}),
    "combine": frozenset({"change"}),
    "change": frozenset({"split", "exchange"}),
    "withdraw": frozenset({"refund"}),
    "cancel": frozenset({"recall"}),
    "recall": frozenset({"cancel"}),
}
"""A rule about changing something bears on upgrading it; a change may split what it changes."""


class Act(NamedTuple):
    """One act in a text, at ``text[start:end]``."""

    name: str
    start: int
    end: int


@lru_cache(maxsize=4096)
def acts_in(text: str) -> tuple[Act, ...]:
    """Every act that ``text`` names, in order; the longest reading of a place wins."""
    found: list[Act] = []
    for rules in (_ACTS, _CHINESE):
        for name, rule in rules:
            found += [Act(name, m.start(), m.end()) for m in rule.finditer(text)]
    found.sort(key=lambda a: (a.start, -(a.end - a.start)))
    kept: list[Act] = []
    for act in found:
        if not kept or act.start >= kept[-1].end:
            kept.append(act)
    return tuple(kept)


_OPEN_VERB = re.compile(
    r"\b(?:can(?:not|['’]t)?|may|must|shall|should|not|never|only|please|kindly|you|"
    r"(?:want|like|need|wish|love|prefer|you)\s+to)\s+"
    r"(?:(?:not|only|be|also|please|just|kindly)\s+)*(?P<verb>[a-z]{3,})\b(?!['’])",
    re.I,
)
_NO_ACTS = word_set(
    """be have has had get got know make made do done give given send sent help tell let see find go
    use used check confirm want need like ask say think contact call write read try look speak talk
    the this that these those any all more less most least made allowed permitted accepted covered
    granted issued offered provided entitled needed required excluded supported included eligible
    refundable possible available negotiable longer one two you your our its it for and or with
    understand understood receive keep become come provide provided hear work apply applied later
    only just even exceed able choose happen follow offer grant issue charge cost"""
)


@lru_cache(maxsize=4096)
def other_acts(text: str) -> tuple[Act, ...]:
    """Verbs in the place of an act that no family holds: ``=renew``, by their stems."""
    known = acts_in(text)
    found = []
    for match in _OPEN_VERB.finditer(text):
        verb, start, end = match["verb"].lower(), match.start("verb"), match.end("verb")
        if verb in _NO_ACTS or verb.endswith("ly"):
            continue
        if not any(a.start < end and start < a.end for a in known):
            found.append(Act(f"={stem(verb)}", start, end))
    return tuple(found)


def answers_to(wanted: str) -> frozenset[str]:
    """The acts a rule may speak of so that it bears on the act ``wanted``."""
    return frozenset({wanted, f"={stem(wanted)}"}) | _KINDS.get(wanted, frozenset())


_CARRIERS = frozenset(
    stem(word)
    for word in word_set(
        """
        user customer client agent member sender staff colleague people person someone else
        other another new own current already also still even help request action case one two
        first make made give given get got take taken want need able possible allow allowed
        permit must mandatory certain following true reason way thing time day hour week month
        year within under above same different full back away only just once again later early
        earlier soon now today tomorrow please demand rather next ago anyway instead well half
        come came sign signed find found post posted five three four six seven eight nine ten
        twenty more less than least most not no never without acceptable accepted negotiable
        otherwise including include total etc list per end circumstance afterwards going charge
        charged dollar euro percent cost regard number-of granted offered offer provide provided
        issued available ask asked apply
        """
    )
)
"""Words that carry a sentence and do not say what a rule is about."""
_ZH_CARRIERS = frozenset(
    [
        "人",
        "客户",
        "用户",
        "会员",
        "他人",
        "本人",
        "店长",
        "每张",
        "每次",
        "只能",
        "一次",
        "收取",
        "的话",
        "帮我",
        "给我",
    ]
)
_MONEY_WORD = re.compile(rf"{_MONEY}(?=\s+back\b)", re.I)
_RHYTHM = re.compile(r"\b(?:monthly|weekly|yearly|daily)\b", re.I)
"""Kinds of contract, not times; stemming would make them times."""


@lru_cache(maxsize=8192)
def matters(text: str) -> frozenset[str]:
    """The stems that say what ``text`` is about: no act, no carrier, no number."""
    rest = text
    for act in reversed(acts_in(text)):
        inner = rest[act.start : act.end].split()[1:-1] if act.end > act.start else []
        kept = " ".join(inner) or (_MONEY_WORD.match(rest, act.start) or [""])[0]
        rest = f"{rest[: act.start]} {kept} {rest[act.end :]}"
    kinds = frozenset(match[0].lower() for match in _RHYTHM.finditer(rest))
    return kinds | frozenset(
        word
        for word in content_words(_RHYTHM.sub(" ", rest))
        if word not in _CARRIERS and word not in _ZH_CARRIERS and not any(c.isdigit() for c in word)
    )
