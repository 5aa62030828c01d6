"""Which things a sentence affirms and which it denies."""

from __future__ import annotations

import re
from typing import NamedTuple

from core.text.language import CJK
from core.text.polarity import negators
from core.text.tokens import STOP_WORDS, stem, words

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
    for w in """refundable returnable transferable eligible available able valid active allowed permitted
    authorized authorised covered limited restricted changed approved accept acceptable complete correct
    paid used opened opened possible legal regular successful known likely necessary damaged verified
    redeemable negotiable exchangeable reversible mandatory essential taxable perishable compliant
    connected enabled continued agree approve allow qualified married published released""".split()
)
_ANTONYMS = {
    frozenset(stem(w) for w in pair.split("/"))
    for pair in (
        "include/exclude included/excluded inclusive/exclusive accept/reject accept/refuse accept/decline "
        "approve/reject approve/deny allow/prohibit allow/forbid allowed/banned permit/prohibit "
        "permitted/forbidden eligible/excluded enable/disable enabled/disabled increase/decrease "
        "increased/reduced rise/fall rose/fell raise/lower open/closed opened/closed win/lose won/lost "
        "pass/fail succeed/fail required/optional mandatory/optional free/charged before/after "
        "earlier/later above/below maximum/minimum first/last start/end began/ended always/never "
        "buy/sell import/export public/private internal/external male/female young/old north/south "
        "east/west left/right hot/cold high/low higher/lower more/less more/fewer largest/smallest "
        "biggest/smallest longest/shortest best/worst better/worse early/late domestic/international "
        "full/partial permanent/temporary automatic/manual agree/disagree love/hate same/different "
        "alive/dead married/single gain/loss profit/loss remain/leave keep/cancel"
    ).split()
}
_ZH_PREDICATE = re.compile(rf"[{CJK}]{{1,4}}")
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
        return frozenset({bare[:2]}) if bare else frozenset()
    found: list[str] = []
    for word in _WORD.findall(scope):
        lower = word.lower()
        if lower in STOP_WORDS or lower in {"longer", "yet", "ever", "always"}:
            continue
        found.append(stem(lower))
        if len(found) == 2:
            break
    return frozenset(found)


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
