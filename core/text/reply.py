"""What surrounds the facts of a reply: openings, closings, and the standing sentences.

Standing sentences say nothing about the company's rules, so they need no evidence. They are
known here word for word, and only here, so nobody can hide a claim in one.
"""

from __future__ import annotations

import re

from core.models.request import Language, OutputForm
from core.text.language import cjk_share

_NAME = re.compile(r"[^\W\d_][\w'’\-]{0,30}")

_OPENINGS: dict[tuple[str, OutputForm], tuple[str, str]] = {
    # (language, form): (with a name, without)
    ("en", "email"): (
        "Hello {name},\n\nThank you for your message.",
        "Hello,\n\nThank you for your message.",
    ),
    ("en", "chat_reply"): ("Hello {name},", "Hello,"),
    ("en", "public_post"): (
        "Hello, thank you for reaching out.",
        "Hello, thank you for reaching out.",
    ),
    ("en", "pdf"): ("Dear {name},", "Dear customer,"),
    ("zh", "email"): ("{name}，您好！\n\n感谢您的来信。", "您好！\n\n感谢您的来信。"),
    ("zh", "chat_reply"): ("{name}，您好！", "您好！"),
    ("zh", "public_post"): ("您好，感谢您的留言。", "您好，感谢您的留言。"),
    ("zh", "pdf"): ("尊敬的{name}：", "尊敬的客户："),
}
_CLOSINGS: dict[tuple[str, OutputForm], str] = {
    ("en", "email"): "Kind regards,\nCustomer Care",
    ("en", "chat_reply"): "",
    ("en", "public_post"): "",
    ("en", "pdf"): "Yours sincerely,\nCustomer Care",
    ("zh", "email"): "祝好！\n客户服务部",
    ("zh", "chat_reply"): "",
    ("zh", "public_post"): "",
    ("zh", "pdf"): "此致\n敬礼\n客户服务部",
}
STANDING: dict[str, dict[str, str]] = {
    "en": {
        "holding": (
            "We do not have a confirmed answer to your question yet. "
            "A colleague needs to look into it before we can reply in full."
        ),
        "partly": "We have no confirmed answer yet to this part of your question: “{part}”.",
        "conflict": (
            "Our sources do not agree on this point yet. "
            "We would rather check than give you a wrong answer, so a colleague is looking into it."
        ),
        "refused": (
            "We are sorry, but we cannot help with this request here. "
            "We are glad to help with questions about our products, orders and policies."
        ),
        "clarify": "We would like to help and need one more detail.",
        "premise": "Your question assumes this: “{part}”.",
        "otherwise": "The documentation says otherwise:",
        "no": "No, the documentation says otherwise:",
        "absent": "We found nothing about this on the case record: “{part}”.",
        "next": "Next steps:",
        "several": "Several things go by this name: “{part}”.",
        "several things": "Several things may be meant here.",
        "unknown": "We could not find this number in our records: “{part}”.",
        "unchanged": "The wording is the same for both days.",
        "none_then": "No version on file was valid on that day: “{part}”.",
        "none_before": "No earlier version of this is on file.",
        "begins": "The earliest version on file begins later: “{part}”.",
        "unread": "We could not look this number up at the moment: “{part}”.",
    },
    "zh": {
        "holding": "关于您的问题，我们目前还没有确认的答复。同事需要先核实，然后才能完整回复您。",
        "partly": "您问题中的这一部分我们暂时没有确认的答复：“{part}”。",
        "conflict": "关于这一点，我们的资料目前说法不一致。为避免给您错误的答复，同事正在核实。",
        "refused": (
            "很抱歉，我们无法在此处理这个请求。如果您有关于产品、订单或政策的问题，我们很乐意帮助。"
        ),
        "clarify": "我们很愿意帮助您，还需要确认一个细节。",
        "premise": "您的问题假定：“{part}”。",
        "otherwise": "但文件中的说法不同：",
        "no": "不是，文件中的说法不同：",
        "absent": "案件记录中没有找到相关内容：“{part}”。",
        "next": "下一步：",
        "several": "有几个对象都叫这个名称：“{part}”。",
        "several things": "这里可能指几个不同的对象。",
        "unknown": "我们的记录中没有找到这个编号：“{part}”。",
        "unchanged": "两个日期的文字相同。",
        "none_then": "存档中没有在该日有效的版本：“{part}”。",
        "none_before": "存档中没有更早的版本。",
        "begins": "存档中最早的版本开始得更晚：“{part}”。",
        "unread": "我们暂时无法查询这个编号：“{part}”。",
    },
}
_LEADS = tuple(words[kind] for words in STANDING.values() for kind in ("otherwise", "no"))
_QUOTED = re.compile(r"^[“\"「](?P<inner>.+)[”\"」][.。]?$", re.DOTALL)
_SPACE = re.compile(r"\s+")


def reply_language(detected: Language, locale: str = "en") -> str:
    """``zh`` or ``en``: the language the frame of a reply is written in."""
    if detected != "other":
        return detected
    return "zh" if locale.lower().startswith("zh") else "en"


def first_name(name: str | None) -> str:
    """The part of a customer's name a reply may open with; empty when it is no plain name."""
    parts = (name or "").split()
    if not parts or any(not _NAME.fullmatch(part.strip(".,")) for part in parts):
        return ""
    return "".join(parts) if cjk_share("".join(parts)) > 0.5 else parts[0]


def opening(language: str, form: OutputForm, name: str | None = None) -> str:
    """How a reply begins. A public post never carries a name."""
    named, unnamed = _OPENINGS[language, form]
    called = first_name(name)
    return named.format(name=called) if called else unnamed


def closing(language: str, form: OutputForm) -> str:
    """How a reply ends; empty where the form has no close."""
    return _CLOSINGS[language, form]


def standing(kind: str, language: str, part: str = "") -> str:
    """A standing sentence. ``part`` fills the quoted words of the question, where it has a slot."""
    return STANDING[language][kind].format(part=_harmless(part))


def is_standing(sentence: str) -> bool:
    """Whether a sentence is one of the frame's own: greeting, thanks, holding phrase, close."""
    return bool(_STANDING.fullmatch(_tight(sentence)))


def without_lead(sentence: str) -> str:
    """The sentence without "The documentation says otherwise:" and without quotation marks."""
    text = sentence.strip()
    for lead in _LEADS:
        text = text.removeprefix(lead).strip()
    quoted = _QUOTED.match(text)
    return quoted.group("inner").strip() if quoted else text


def frame(body: str, language: str, form: OutputForm, name: str | None = None) -> str:
    """Opening, body and closing as one text."""
    return "\n\n".join(filter(None, (opening(language, form, name), body, closing(language, form))))


def _harmless(part: str) -> str:
    """Quotation marks go, or the words could end the slot early and say more."""
    return _tight(re.sub(r"[“”\"「」]", "'", part)).rstrip("?？.。!！")


def _tight(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


def _standing_pattern() -> re.Pattern[str]:
    slot, name = '[^“”"「」]*', r"[^\W\d_][\w'’\-]{0,30}"
    shapes: set[str] = set()
    for words in STANDING.values():
        for text in words.values():
            sentences = re.findall(r"[^.。]+(?:“\{part\}”)?[.。:：]?", text)
            shapes |= {_tight(s) for s in (text, *sentences)}
    for pair in _OPENINGS.values():
        for text in pair:
            shapes |= {_tight(s) for s in re.split(r"\n+|(?<=[！。.])", text)} | {_tight(text)}
    for text in _CLOSINGS.values():
        shapes |= {_tight(s) for s in text.split("\n")} | {_tight(text)}
    patterns = [
        re.escape(s).replace(r"\{part\}", slot).replace(r"\{name\}", name) for s in shapes if s
    ]
    return re.compile("|".join(sorted(patterns, key=len, reverse=True)))


_STANDING = _standing_pattern()
