"""Which things a sentence affirms and which it denies."""

from __future__ import annotations

import re
from typing import NamedTuple

from core.text.language import CJK
from core.text.polarity import negators
from core.text.tokens import STOP_WORDS, stem, word_set, words

_WORD = re.compile(r"[A-Za-z][A-Za-z'’]*(?:-[A-Za-z]+)*")
_STOP = re.compile(r"[.;:!?。；！？]|,|，|\b(?:but|however|although|while)\b|但")
_CONDITION = re.compile(
    r"\b(?:after|until|unless|without|except|before|if|when|once|more than|over|beyond|later than|"
    r"outside|other than|unlike)\b|除非|除了|之后|以后|超过|如果|之前|后不|未经",
    re.IGNORECASE,
)
_PREFIXED = re.compile(r"^(?:non-?|un|in|im|dis|ir|il)(?P<base>[a-z]{4,})$")
_BASES = frozenset(
    stem(w)
    for w in word_set(
        """refundable returnable transferable eligible available able valid active allowed permitted
        authorized authorised covered limited restricted changed approved accept acceptable complete
        correct paid used opened opened possible legal regular successful known likely necessary
        damaged verified redeemable negotiable exchangeable reversible mandatory essential taxable
        perishable compliant connected enabled continued agree approve allow qualified married
        published released"""
    )
)
_ANTONYMS = frozenset(
    frozenset(stem(w) for w in pair.split("/"))
    for pair in word_set(
        """above/below accept/decline accept/refuse accept/reject agree/disagree alive/dead
        allow/forbid allow/prohibit allowed/banned always/never approve/deny approve/reject
        automatic/manual before/after began/ended best/worst better/worse biggest/smallest
        domestic/international earlier/later early/late east/west eligible/excluded
        enable/disable enabled/disabled first/last free/charged full/partial gain/loss
        high/low higher/lower hot/cold import/export include/exclude included/excluded
        inclusive/exclusive increase/decrease increased/reduced internal/external keep/cancel
        largest/smallest left/right longest/shortest love/hate male/female mandatory/optional
        married/single maximum/minimum more/fewer more/less north/south open/closed
        opened/closed pass/fail permanent/temporary permit/prohibit permitted/forbidden
        profit/loss public/private raise/lower remain/leave required/optional rise/fall
        rose/fell same/different start/end succeed/fail win/lose won/lost young/old"""
    )
)
_ADVERBS = word_set("longer yet ever always first second last even been being later quite still")
_ZH_PREDICATE = re.compile(rf"[{CJK}]{{1,4}}")
_ZH_VERBS = "退换修寄送取改付收"
_ZH_MODAL = re.compile("^(?:会|能|能够|可以|可|得|予|再|支持|接受|提供|需要|需)")


class Denial(NamedTuple):
    """What a negator denies. ``conditional`` means only under a condition named in the clause."""

    stems: frozenset[str]
    conditional: bool


def denials(sentence: str) -> tuple[Denial, ...]:
    """Everything the sentence denies, by negator or by prefix ("non-refundable")."""
    out: list[Denial] = []
    for start, end in negators(sentence):
        rest = sentence[end:]
        stop = _STOP.search(rest)
        scope = rest[: stop.start()] if stop else rest
        conditional = bool(_CONDITION.search(sentence[start:end] + scope)) or bool(
            _CONDITION.search(sentence[max(0, start - 25) : start])
        )
        if stems := _denied_stems(scope):
            out.append(Denial(stems, conditional))
    for word in _WORD.findall(sentence):
        if base := prefixed_base(word):
            out.append(Denial(frozenset({base}), conditional=False))
    return tuple(out)


def _denied_stems(scope: str) -> frozenset[str]:
    if match := _ZH_PREDICATE.match(scope.lstrip()):
        bare = _ZH_MODAL.sub("", match[0])
        verb = {bare[0]} if bare and bare[0] in _ZH_VERBS else set()
        return frozenset({bare[:2], *verb}) if bare else frozenset()
    for word in _WORD.findall(scope):
        lower = word.lower()
        if lower in STOP_WORDS or lower in _ADVERBS or lower.endswith("ly"):
            continue
        return frozenset({stem(lower)})
    return frozenset()


def prefixed_base(word: str) -> str:
    """The stem a negative prefix denies ("ineligible" gives the stem of "eligible"), or empty."""
    match = _PREFIXED.match(word.lower())
    base = stem(match["base"]) if match else ""
    return base if base in _BASES else ""


def affirmed(sentence: str) -> frozenset[str]:
    """Stems the sentence uses and does not deny."""
    denied = frozenset(s for d in denials(sentence) for s in d.stems)
    return frozenset(stem(w) for w in words(sentence)) - denied


def antonyms(a: frozenset[str], b: frozenset[str]) -> tuple[str, str] | None:
    """A pair of opposites, one word only in ``a``, the other only in ``b``."""
    for pair in _ANTONYMS:
        left, right = tuple(pair) if len(pair) == 2 else ("", "")
        for x, y in ((left, right), (right, left)):
            if x and x in a and y in b and y not in a and x not in b:
                return x, y
    return None
