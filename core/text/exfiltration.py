"""Addresses that would carry data out: pictures and links that a model is to fill in or that
already hold more than an address needs."""

from __future__ import annotations

import re
import urllib.parse

from core.text.concealed import Concealed

_IMAGE = re.compile(r"!\[[^\[\]\n]{0,300}\]\(\s*<?([^\s<>)]{8,4000})")
_LINK = re.compile(r"(?<!!)\[[^\[\]\n]{0,300}\]\(\s*<?([^\s<>)]{8,4000})")
_DEFINITION = re.compile(r"^[ ]{0,3}\[[^\[\]\n]{1,80}\]:[ \t]*<?([^\s<>]{8,4000})", re.MULTILINE)
_ELEMENT = re.compile(
    r"<(img|iframe|embed|object|source|script|link|a|form|video|audio)\b[^<>]{0,300}?"
    r"(?<![\w-])(?:src|href|srcset|action|data|poster)\s*=\s*[\"']?([^\"'>]{8,4000})",
    re.IGNORECASE,
)
_BARE = re.compile(r"https?://[^\s<>\"'`\\)\]]{8,4000}")
_PRIVATE = (
    r"conversation|chat(?:_?(?:history|log))?|history|transcript|prompt|context|secrets?|"
    r"api_?keys?|passw(?:or)?ds?|credentials?|session(?:_?(?:id|token))?|cookies?|memory|"
    r"user_?(?:data|input|query|email|info|name)|user\.\w+|customer\w*|order\.\w+|profile|"
    r"(?:e-?mail|phone|address|card)(?:_?\w+)?|summary|messages?|previous\w*|instructions?|[一-鿿]{0,6}(?:对话|聊天|历史|提示词|上下文|"
    r"密码|密钥|用户|客户|订单|邮箱|电话|姓名|卡号|会话|摘要|问题)"
)
_SLOT = re.compile(
    rf"(?:\{{\{{?\s*|\$\{{\s*|%7b(?:%7b)?\s*|【|「|<|%3c|\[|%5b|\$|__)\s*(?:insert|put|the|your|all|full|"
    rf"base64|b64|url_?encoded?|encoded?|[_ +\s-]|%20)*(?:{_PRIVATE})",
    re.IGNORECASE,
)
_CAPITALS = re.compile(
    r"[=/](?:BASE64|ENCODED|HEX|INSERT|USER|CHAT|CONVERSATION|SECRET|DATA|PROMPT)"
    r"(?:[_-][A-Z]+)*(?=[&\s/]|$)"
)
_TO_FILL = re.compile(
    r"(?:https?://|www\.)\S{4,300}?[?&/][\w-]{1,20}[=/][\"'”)]?\s*(?:,\s*)?"
    r"(?:(?:followed by|then|with|plus|and (?:then )?(?:append|add|put)|\+|where \S+ is)\s|"
    r"(?:的?后面?|末尾)?(?:再)?(?:[接跟拼填附]上?|加上))",
    re.IGNORECASE,
)
_QUERY = re.compile(r"[?&]([\w.\[\]-]{1,40})=([^&#\s]*)")
_NUMBERED_HOST = re.compile(r"https?://\d{1,3}(?:\.\d{1,3}){3}", re.IGNORECASE)
_TRACKING = re.compile(
    r"^(?:utm_\w+|v|ver|version|w|h|width|height|s|size|q|quality|fit|crop|auto|fm|format|dpr|"
    r"ixlib|"
    r"raw|ref|lang|hl|id|page|t|ts|branch|style|label|logo|color|query\w*|tab|type)$",
    re.IGNORECASE,
)
_LONG_VALUE = 60
_SLOT_IMAGE, _SLOT_LINK, _PAYLOAD, _QUERY_IMAGE, _DATA = 0.9, 0.75, 0.75, 0.35, 0.65


def find_carriers(text: str) -> tuple[tuple[Concealed, float], ...]:
    """Pieces that would carry data out, each with how sure that is, 0..1.

    An address with tracking parameters, a version or a size is ordinary; so is a template in an
    address of a developer's page, unless it is a picture's or names what a conversation holds.
    """
    if "//" not in text and "data:" not in text:
        return ()
    found: list[tuple[Concealed, float]] = []
    for pattern, group, image in (
        (_IMAGE, 1, True),
        (_LINK, 1, False),
        (_DEFINITION, 1, False),
        (_ELEMENT, 2, None),
    ):
        for match in pattern.finditer(text):
            shows = match[1].lower() not in {"a", "form", "link"} if image is None else image
            if verdict := _judged(match[group], image=shows, whole=text, end=match.end()):
                found.append((Concealed(*match.span(), "", verdict[0]), verdict[1]))
    for match in _TO_FILL.finditer(text):
        where = "carries data out by an address to be filled in"
        found.append((Concealed(*match.span(), "", where), 0.8))
    found += _bare(text, [piece for piece, _ in found])
    return tuple(found)


def _bare(text: str, known: list[Concealed]) -> list[tuple[Concealed, float]]:
    out = []
    for match in _BARE.finditer(text):
        if any(piece.start <= match.start() < piece.end for piece in known):
            continue
        if _CAPITALS.search(match[0]):
            where = "carries data out by an address to be filled in"
            out.append((Concealed(*match.span(), "", where), _SLOT_LINK))
        elif _long_payload(match[0]):
            where = "carries data out by a link address"
            out.append((Concealed(*match.span(), "", where), 0.5))
    return out


def _judged(address: str, *, image: bool, whole: str, end: int) -> tuple[str, float] | None:
    if address.lower().startswith("data:"):
        return _data_address(address, image=image)
    by = "carries data out by an image address" if image else "carries data out by a link address"
    if not address.lower().startswith(("http", "//", "ftp")):
        return None
    slot = address if not address.endswith(("[", "<", "{")) else address + whole[end : end + 40]
    if _SLOT.search(slot) or _CAPITALS.search(slot):
        return by, _SLOT_IMAGE if image else _SLOT_LINK
    if _long_payload(address):
        return by, _PAYLOAD if image else 0.5
    if image and (_foreign_query(address) or _NUMBERED_HOST.match(address)):
        return by, _QUERY_IMAGE
    return None


def _data_address(address: str, *, image: bool) -> tuple[str, float] | None:
    low = address[:80].lower()
    if image and low.startswith("data:image/") and "svg" not in low:
        return None
    return "carries content in a data: address", _DATA


def _long_payload(address: str) -> bool:
    """Whether a query value is long and is no address itself: what a person links to is short."""
    values = (urllib.parse.unquote_plus(value) for _, value in _QUERY.findall(address))
    return any(
        len(value) >= _LONG_VALUE and not value.startswith(("http", "/")) and _dense(value)
        for value in values
    )


def _dense(value: str) -> bool:
    letters = sum(ch.isalnum() for ch in value)
    return letters / len(value) > 0.7 and ("%" not in value)


def _foreign_query(address: str) -> bool:
    return any(not _TRACKING.match(name) for name, _ in _QUERY.findall(address))
