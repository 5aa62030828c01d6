"""Which sentences of a reply state a fact that needs a source."""

from __future__ import annotations

import re

from core.text.markers import INFERENCE_TAGS, strip_markers
from core.text.quantities import find_quantities
from core.text.tokens import content_words

_GREETING = re.compile(
    r"^(?:(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))\b[^.!?]{0,60}[,!.]?|"
    r"to whom it may concern,?)$"
    r"|^(?:您好|你好|尊敬的|亲爱的)[^。]{0,30}$",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"^(?:(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))\b[^,.!?]{0,40}[,!]|"
    r"(?:您好|你好|尊敬的|亲爱的)[^，。！]{0,20}[，！])\s*(?=\S+(?:\s\S|[\u3400-\u9fff]{3}))",
    re.IGNORECASE,
)
"""A greeting with more behind it: what follows is read by itself."""
_SIGN_OFF = re.compile(
    r"^(?:(?:kind|best|warm|with (?:kind|best|warm)) (?:regards|wishes)|sincerely|yours\b.*|cheers|"
    r"regards|best|the .{0,40}team|your .{0,40}team|.{0,40}(?:customer (?:service|care|"
    r"support)) team|"
    r"take care)[,.!]?$"
    r"|^(?:此致|敬礼|祝好|顺祝|祝您).{0,20}$",
    re.IGNORECASE,
)
_COURTESY = re.compile(
    r"^(?:many )?thanks?(?: you)?\b|^thank you\b|^(?:i|we)(?:'m| am|'re| are|'d| would)? (?:so |"
    r"very |really |truly )?"
    r"(?:sorry|apologi[sz]e|appreciate|hope|(?:understand|know) (?:how|your|the|this|that this|"
    r"it) (?:\w+ )?(?:is |must be )?"
    r"(?:frustrat|annoy|disappoint|upset|difficult|worr|concern|inconvenien|important)\w*)\b|"
    r"^(?:my|our) apologies\b|^sorry\b|^you(?:'re| are) welcome\b|^happy to help\b|"
    r"^great question\b|"
    r"^here (?:is|are) (?:what|the answer|how)\b.{0,60}:?$|^it(?:'s| is) (?:a pleasure|"
    r"good to hear)\b|"
    r"^(?:感谢|谢谢|非常感谢|抱歉|很抱歉|对不起|不好意思|希望)",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"^(?:yes|no|sure|certainly|of course|absolutely|ok(?:ay)?|understood|noted|great|perfect|"
    r"是的|好的|不是|当然|可以)[.,!。！，]*$",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"\b(?:let (?:us|me) know|feel free|do(?:n't| not) hesitate|(?:just )?reply to this|"
    r"get in touch|reach out|happy to (?:help|assist)|here to help|glad to (?:help|assist)|"
    r"if you have (?:any )?(?:other|further|more|additional)? ?questions|"
    r"could you (?:please )?(?:tell|share|"
    r"confirm|send|let)|please (?:send|give|tell|share|confirm|let) (?:us|me))\b"
    r"|如有(?:其他|任何|更多)?(?:疑问|问题)|随时联系|请告诉我们|请(?:您)?(?:提供|确认|告知)",
    re.IGNORECASE,
)
_DOING = (
    r"(?:check|look into|pass|ask|get back|come back|follow up|forward|rais|review|escalat|"
    r"investigat|verify|clarify)"
)
_HOLDING = re.compile(
    rf"\b(?:i|we)(?:'m| am|'re| are|'ve| have|'ll| will) (?:now |currently |also |just |"
    rf"already )*{_DOING}\w*"
    r"|\b(?:i|we) (?:could(?: not|n't)|can(?:not|'t)|did(?: not|n't)) (?:find|confirm|help|"
    r"share)\b|\b(?:i|we) found no(?:thing)?\b"
    r"|\b(?:i|we) (?:have no|do(?: not|n't) (?:yet )?have)(?: an?| any)?(?: confirmed)? (?:answer|"
    r"information|details|evidence|record)\b"
    r"|\b(?:i|we) would (?:like to help|rather check)\b|\ba colleague (?:will|needs to|is|has)\b"
    r"|\bsources (?:do not|don't) agree\b|\b(?:are|am) not able to (?:share|confirm|help)\b|"
    r"\bneed (?:one|some|a few) more details?\b"
    r"|\b(?:our|the) (?:sources|documents|policies|records) (?:do not|don't) (?:say|cover|mention|"
    r"state)\b"
    r"|我们(?:正在|会|将|已)(?:核实|查询|确认|跟进|转交|回复)|(?:未|没有)找到|资料中没有|"
    r"没有确认的答复|同事(?:正在|会|将|需要)|"
    r"才能完整回复|无法(?:在此)?处理这个请求|说法不一致",
    re.IGNORECASE,
)
_LEAD_IN = re.compile(r"^[^.!?。！？]{0,90}[:：]$")
_PARTS = re.compile(r"[,;，；。]\s*|\s+(?:and|but|so)\s+", re.IGNORECASE)
_TITLE_MARK = re.compile(r"^(?:#{1,6}\s|\*\*[^*]+\*\*:?$)")


def is_factual(sentence: str) -> bool:
    """Whether the sentence makes a factual claim.

    Greetings, thanks, apologies, sign-offs, questions, offers to help, holding phrases, headings
    and lead-ins to a list make none. A courtesy that carries a number, a sum or a span of time
    does: "Thanks, refunds take 5 days" must be checked.
    """
    text = _bare(sentence)
    if not any(ch.isalpha() for ch in text) or text.endswith(("?", "？")):
        return False
    if any(p.search(text) for p in (_GREETING, _SIGN_OFF, _TITLE_MARK, _FILLER)):
        return False
    if len(text.split()) == 1 and text.isascii() and not text.endswith("."):
        return False
    return not (_LEAD_IN.search(text) or _soft(text)) or _carries_value(text)


def _soft(text: str) -> bool:
    """Every part of the sentence is courtesy, offer or holding phrase, or too short to claim."""
    parts = [p for p in _PARTS.split(text) if p.strip()]
    soft = [any(p.search(part.strip()) for p in (_COURTESY, _OFFER, _HOLDING)) for part in parts]
    short = [len(content_words(part)) <= 2 for part in parts]
    return any(soft) and all(a or b for a, b in zip(soft, short, strict=True))


def is_courtesy(sentence: str) -> bool:
    """Whether the sentence only greets, thanks, apologises or signs off."""
    text = _bare(sentence)
    if text.endswith(("?", "？")) or _carries_value(text):
        return False
    return any(p.search(text) for p in (_GREETING, _SIGN_OFF)) or (
        bool(_COURTESY.search(text)) and len(text.split()) <= 8
    )


def _carries_value(text: str) -> bool:
    return any(q.unit != "number" for q in find_quantities(text))


def _bare(sentence: str) -> str:
    text = strip_markers(sentence).strip()
    for tag in INFERENCE_TAGS:
        text = text.removeprefix(tag)
    return _ADDRESS.sub("", text.strip(" \t*_>").lstrip("-•").strip())
