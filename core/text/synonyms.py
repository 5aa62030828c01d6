"""Other words for the same thing in service language, English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from core.models.words import OtherWords, WordOrigin
from core.text.tokens import STOP_WORDS, content_words, stem

_ORIGINS: tuple[WordOrigin, ...] = ("glossary", "corpus", "built_in")

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


class Swap(NamedTuple):
    """A word as a text has it, what else it is called, and who says so."""

    found: str
    others: tuple[str, ...]
    origin: WordOrigin


class WordBook:
    """The other words one reader may learn of: the glossary's, the documents', the general ones.

    A company's group works both ways (RMA for the long form, and back); of a general group only
    the head is replaced, because its other words often mean more than one thing.
    """

    def __init__(self, groups: Sequence[OtherWords] = ()) -> None:
        self._own = sorted(groups, key=lambda group: _ORIGINS.index(group.origin))

    def swaps(self, text: str, *, own: bool = False) -> tuple[Swap, ...]:
        """The words of ``text`` that have others, the company's first; ``own`` for those alone.

        A word is given once, and no other word that the text holds already.
        """
        found: dict[str, Swap] = {}
        for swap in (*self._own_swaps(text), *(() if own else general_swaps(text))):
            if not any(_within(swap.found, known) for known in found):
                found[swap.found.casefold()] = swap
        return tuple(found.values())

    def _own_swaps(self, text: str) -> Iterator[Swap]:
        for group in self._own:
            there = [word for word in group.words if said_in(word, text)]
            others = tuple(word for word in group.words if word not in there)
            if there and others:
                yield Swap(max(there, key=len), others, group.origin)


def _within(word: str, known: str) -> bool:
    return word.casefold() in known or known in word.casefold()


def general_swaps(text: str) -> Iterator[Swap]:
    """Each known word of ``text`` with its other words, in the order of the general table."""
    stems = set(content_words(text))
    for head, *rest in GROUPS:
        if _occurs(head, text, stems):
            others = tuple(w for w in rest if not _occurs(w, text, stems))
            if others:
                yield Swap(head, others, "built_in")


def _occurs(word: str, text: str, stems: set[str]) -> bool:
    if not word.isascii():
        return word in text
    if " " in word or "-" in word:
        return word.casefold() in text.casefold()
    return stem(word) in stems


def said_in(word: str, text: str) -> bool:
    """Whether ``text`` says exactly ``word``, in any case, also in the plural.

    An abbreviation that reads like an everyday word ("IT", "US") counts only as it is written.
    """
    return _whole(word).search(text) is not None


@lru_cache(maxsize=4096)
def _whole(word: str) -> re.Pattern[str]:
    if not word.isascii():
        return re.compile(re.escape(word))
    everyday = word.isupper() and word.casefold() in STOP_WORDS
    # Between Chinese characters a Latin word has no space around it.
    return re.compile(
        rf"(?<![A-Za-z0-9]){re.escape(word)}(?:['’]?s|es)?(?![A-Za-z0-9])",
        0 if everyday else re.IGNORECASE,
    )


def swapped(text: str, swaps: Sequence[Swap], *, turn: int = 0) -> str | None:
    """``text`` with each word of ``swaps`` replaced by another, or ``None`` when nothing changes.

    ``turn`` 0 takes the first other word of each, 1 the second where there is one, and so on.
    """
    out = text
    for swap in swaps:
        out = _replace(out, swap, swap.others[min(turn, len(swap.others) - 1)])
    return out if out != text else None


def _replace(text: str, swap: Swap, other: str) -> str:
    word = swap.found
    if swap.origin != "built_in":
        return _with_article(_whole(word).sub(lambda _: other, text), other)
    if not word.isascii():
        return text.replace(word, other)
    if " " in word or "-" in word:
        return re.sub(re.escape(word), lambda _: other, text, flags=re.IGNORECASE)
    wanted = stem(word)
    return re.sub(r"[A-Za-z]+", lambda m: other if stem(m[0]) == wanted else m[0], text)


def _with_article(text: str, noun: str) -> str:
    """``text`` with "a" or "an" before ``noun`` as its first letter wants it."""
    end = "n " if noun[0].lower() in "aeiou" else " "
    return re.sub(rf"\b([Aa])n? (?={re.escape(noun)})", rf"\1{end}", text)


def other_words(swaps: Sequence[Swap], *, limit: int = 6) -> tuple[str, ...]:
    """The other words of ``swaps``, each once, at most ``limit``."""
    return tuple(dict.fromkeys(word for swap in swaps for word in swap.others))[:limit]
