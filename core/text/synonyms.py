"""Other words for the same thing in service language, English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.text.tokens import content_words, stem

GROUPS: tuple[tuple[str, ...], ...] = (
    ("return", "send back", "refund", "exchange"),
    ("refund", "money back", "reimbursement", "credit"),
    ("window", "period", "time limit", "deadline"),
    ("deadline", "cut-off", "last day", "time limit"),
    ("shipping", "delivery", "postage", "dispatch"),
    ("parcel", "package", "shipment", "order"),
    ("cost", "price", "fee", "charge"),
    ("free", "no charge", "without charge", "included"),
    ("cancel", "terminate", "withdraw", "stop"),
    ("expire", "lapse", "run out", "validity"),
    ("extend", "renew", "prolong"),
    ("warranty", "guarantee", "repair", "defect"),
    ("broken", "damaged", "defective", "faulty"),
    ("lost", "missing", "not received", "undelivered"),
    ("discount", "promotion", "coupon", "voucher"),
    ("price match", "price guarantee", "match a competitor"),
    ("competitor", "retailer", "other shop"),
    ("points", "rewards", "loyalty"),
    ("tier", "level", "status", "membership"),
    ("gift card", "gift certificate", "voucher"),
    ("sale", "final sale", "clearance", "reduced"),
    ("holiday", "Christmas", "seasonal", "festive"),
    ("account", "profile", "login", "membership"),
    ("password", "credentials", "sign-in", "login"),
    ("log in", "sign in", "authentication"),
    ("log out", "sign out", "end the session"),
    ("delete", "remove", "erase", "close"),
    ("change", "update", "modify", "edit"),
    ("pay", "payment", "charge", "billing"),
    ("invoice", "bill", "receipt", "statement"),
    ("customs", "duties", "import tax"),
    ("abroad", "international", "overseas", "other countries"),
    ("pick up", "collect", "store pickup"),
    ("complaint", "dispute", "claim", "grievance"),
    ("escalate", "formal review", "supervisor", "hand over"),
    ("close", "resolve", "complete", "finish"),
    ("violation", "non-compliance", "breach", "infringement"),
    ("approve", "authorise", "permit", "allow"),
    ("eligible", "qualify", "entitled", "covered"),
    ("exception", "exclusion", "except", "not covered"),
    ("limit", "maximum", "cap", "at most"),
    ("pay band", "salary", "compensation", "base pay"),
    ("token", "session", "credential", "JWT"),
    ("rotate", "exchange", "reuse", "refresh"),
    ("configure", "set up", "enable", "settings"),
    ("error", "failure", "problem", "issue"),
    ("permit", "licence", "authorisation"),
    ("application", "request", "form"),
    ("child", "minor", "under age"),
    ("car", "vehicle", "auto"),
    ("job", "employment", "work", "position"),
    ("tax", "levy", "duty"),
    ("open", "opening hours", "available", "hours"),
    ("退货", "退回", "退换", "退款"),
    ("退款", "返还", "退钱"),
    ("换货", "更换", "调换"),
    ("期限", "时间", "有效期", "天数"),
    ("运费", "配送费", "邮费", "快递费"),
    ("配送", "送货", "发货", "快递"),
    ("寄到", "配送到", "送达", "国际配送"),
    ("保修", "质保", "维修", "保修期"),
    ("坏了", "故障", "损坏", "质量问题"),
    ("取消", "撤销", "终止"),
    ("节日", "假日", "圣诞", "节假日"),
    ("清仓", "特价", "最终销售", "促销"),
    ("积分", "会员", "奖励"),
    ("礼品卡", "购物卡", "代金券"),
    ("发票", "收据", "购买凭证"),
    ("价格", "费用", "金额", "多少钱"),
    ("申请", "办理", "提交"),
)


def synonyms_in(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """``(word as found, its other words)`` for each known word of ``text``, in table order."""
    stems = set(content_words(text))
    for group in GROUPS:
        head = group[0]
        if not _occurs(head, text, stems):
            continue
        others = tuple(w for w in group[1:] if not _occurs(w, text, stems))
        if others:
            yield head, others


def _occurs(word: str, text: str, stems: set[str]) -> bool:
    if not word.isascii():
        return word in text
    if " " in word or "-" in word:
        return word.casefold() in text.casefold()
    return stem(word) in stems


def swapped(text: str) -> str | None:
    """``text`` with each known word replaced by its first other word, or ``None``."""
    out = text
    for head, others in synonyms_in(text):
        out = _replace(out, head, others[0])
    return out if out != text else None


def _replace(text: str, word: str, other: str) -> str:
    if not word.isascii():
        return text.replace(word, other)
    if " " in word or "-" in word:
        return re.sub(re.escape(word), other, text, flags=re.IGNORECASE)
    wanted = stem(word)
    return re.sub(r"[A-Za-z]+", lambda m: other if stem(m[0]) == wanted else m[0], text)


def enlarged(text: str, *, limit: int = 6) -> str | None:
    """``text`` followed by other words for what it names; ``None`` when none is known."""
    extra = [w for _, others in synonyms_in(text) for w in others]
    unique = list(dict.fromkeys(extra))[:limit]
    return f"{text} ({', '.join(unique)})" if unique else None
