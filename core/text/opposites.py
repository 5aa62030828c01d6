"""Words that turn a statement round, and words that say the same in support prose."""

# ruff: noqa: E501 - word lists and patterns read better unbroken
from __future__ import annotations

import re

from core.text.tokens import stem


def _pair(left: str, right: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return re.compile(left, re.I), re.compile(right, re.I)


OPPOSITES: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    _pair(
        r"\b(?:immediately|instantly|at once|right away|straight away|proactively|instant)\b|立即|马上|立刻|即时",
        r"\b(?:gradually|progressively|eventually|later|periodically|\d+ (?:minutes|hours|days|weeks) (?:after|later))\b"
        r"|逐步|稍后|延迟|\d+\s*(?:小时|天)[之以]?后",
    ),
    _pair(r"\bbefore\b|之前|以前", r"\bafter\b|之后|以后"),
    _pair(r"\bincreas\w+|\brais\w+|\bgo(?:es)? up\b|上涨|提高|增加", r"\bdecreas\w+|\breduc\w+|\blower\w*|\bdrop\w*|下降|降低|减少"),
    _pair(r"\bautomatic(?:ally)?\b|自动", r"\bmanual(?:ly)?\b|\bon request\b|\byou must (?:ask|request|apply)\b|手动|需申请"),
    _pair(r"\bfree\b(?! of doubt)|\bno (?:charge|cost|fee)\b|免费", r"\bcosts?\s+[$€£]|[$€£]\s?[1-9][\d.]*\s+(?:\w+\s+){0,2}fee|\bfor a fee\b|\bcharged?\b|收费|付费"),
    _pair(r"\b(?:mandatory|required|compulsory|must)\b|必须|强制", r"\b(?:optional|voluntary|need not)\b|可选|自愿|无需"),
    _pair(r"\b(?:allowed|permitted|accepted|eligible|supported)\b|允许|支持", r"\b(?:forbidden|prohibited|banned|ineligible|refused|unsupported|excluded)\b|禁止|不支持"),
    _pair(r"\b(?:permanent(?:ly)?|forever|indefinitely|lifetime)\b|永久|终身", r"\b(?:temporar(?:y|ily)|expires?|limited)\b|临时|到期|过期"),
    _pair(r"\b(?:include[sd]?|including|covers?|covered)\b|包括|包含", r"\b(?:exclude[sd]?|excluding|except)\b|不包括|除外"),
    _pair(r"\b(?:never|not|n't) (?:expires?|lapses?)\b|\bno expiry\b|永不过期|长期有效", r"\bexpires? (?:after|in|within)\b|\b(?:valid|good) (?:only )?for (?:an?|one|\d)|\d\s*(?:天|个月|年)(?:后|内)(?:过期|失效)|有效期"),
    _pair(r"\b(?:enabled|on) by default\b|默认开启", r"\b(?:disabled|off) by default\b|默认关闭"),
    _pair(r"\b(?:unlimited|no limit)\b|不限|无限", r"\b(?:limited to|up to|at most|maximum of|only one)\b|最多|限(?:购|一)"),
)  # fmt: skip
"""Pairs of which a statement holds one side and its contrary the other."""

_FAMILIES = (
    "delete remove destroy terminate erase clean clear purge deleted removed destroyed terminated "
    "cleaned erased deletion removal termination",
    "expire lapse expiry expiration expires expired",
    "refund reimburse reimbursement refunded refunding",
    "return returns returned",
    "ship deliver dispatch shipping delivery shipment delivered shipped arrive arrives arrived",
    "fee charge cost price",
    "cancel cancellation cancelled canceled cancelling",
    "allow permit allowed permitted",
    "buy purchase bought purchased purchases",
    "shop store",
    "item product goods article merchandise",
    "renew renewal renewed renews",
)
SYNONYMS: dict[str, str] = {
    stem(word): stem(family.split()[0]) for family in _FAMILIES for word in family.split()
}
"""Stem → the stem that stands for its family."""

CLASSES: tuple[tuple[str, ...], ...] = tuple(
    tuple(group.split("/"))
    for group in (
        "monday/tuesday/wednesday/thursday/friday/saturday/sunday",
        "by e-mail/by email/by phone/by chat/by post/by letter/in person/by fax",
        "supervisor/store manager/manager/finance team/finance department/support team/"
        "customer service/legal department/safety team/courier/carrier/warehouse/data controller/"
        "account owner/branch office/seller/buyer/manufacturer/administrator/owner/sender",
        "credit card/debit card/bank transfer/store credit/gift card/cheque/cash/voucher",
        "north/south/east/west",
        "red/green/blue/yellow/black/white",
        "星期一/星期二/星期三/星期四/星期五/星期六/星期日",
        "邮件/电话/短信/信函/当面",
        "主管/店长/经理/财务部/客服部/客服/法务部/仓库/快递员/卖家/厂家",
        "信用卡/银行转账/礼品卡/现金/支付宝/微信",
    )
)
"""Words of which a place in a statement holds one: naming another there denies it."""
