"""The words of a mail: its best body, and where what it quotes of earlier mails begins."""

from __future__ import annotations

import re
from email.message import EmailMessage, MIMEPart
from typing import NamedTuple

from core.sources.clean_html import read_page, refuse_broken
from core.sources.render import one_line

_HISTORY = re.compile(
    r"^[ \t>]*(?:"
    r"-{2,}[ \t]*(?:original message|forwarded message|ursprüngliche nachricht"
    r"|message d'origine|原始邮件|转发邮件)[ \t]*-{2,}"
    r"|begin forwarded message:"
    r"|on [^\n]{5,120}(?:\n[^\n]{1,120})?wrote:"
    r"|am [^\n]{5,120}schrieb[^\n]{0,120}:"
    r"|le [^\n]{5,120}a écrit\s?:"
    r"|在[^\n]{5,80}写道[：:]"
    r"|(?:\*?from|发件人)\*?[：:][^\n]*\n(?:[^\n]*\n){0,2}"
    r"[ \t>]*\*?(?:sent|date|发送时间|日期)\*?[：:]"
    r")",
    re.IGNORECASE | re.MULTILINE,
)
EARLIER = "## Quoted from earlier messages"


class Body(NamedTuple):
    """The readable body, and whether something in it was hidden from readers."""

    text: str
    warnings: tuple[str, ...] = ()


def body_of(item: str, message: EmailMessage) -> Body:
    """The body a person would read: plain text before HTML. Raises ``BadSource``."""
    part = message.get_body(preferencelist=("plain", "html"))
    if part is None:
        return Body("")
    content, said = _content(part)
    if part.get_content_subtype() == "html":
        refuse_broken(item, content)
        cleaned = read_page(content).cleaned
        return Body(cleaned.text, said + cleaned.warnings)
    return Body(content.replace("\r\n", "\n"), said)


def with_history_marked(text: str) -> str:
    """The body with a heading before what it quotes of earlier messages, if it quotes any."""
    found = _HISTORY.search(text)
    start = found.start() if found else _quoted_tail(text)
    own, earlier = text[:start].strip(), text[start:].strip()
    return f"{own}\n\n{EARLIER}\n\n{earlier}".strip() if earlier else own


def header_lines(message: EmailMessage) -> list[str]:
    """Who wrote to whom, about what, and when."""
    lines = []
    for name in ("From", "To", "Cc", "Subject", "Date"):
        if said := header(message, name):
            lines.append(f"{name}: {said}")
    return lines


def header(message: EmailMessage, name: str) -> str:
    """A header as text; dates as YYYY-MM-DD HH:MM with their zone. Empty when missing or broken."""
    try:
        value = message[name]
    except (ValueError, IndexError, AttributeError, TypeError, LookupError):
        return ""  # the standard library trips over some broken headers
    if value is None:
        return ""
    moment = getattr(value, "datetime", None)
    if moment is not None:
        return str(moment.strftime("%Y-%m-%d %H:%M %z")).strip()
    return one_line(str(value))


def _content(part: MIMEPart) -> tuple[str, tuple[str, ...]]:
    """The decoded body; where its encoding is unknown, what of it is UTF-8, and a warning."""
    try:
        return str(part.get_content()), ()
    except (LookupError, UnicodeError, ValueError):
        payload = part.get_payload(decode=True)
        data = payload if isinstance(payload, bytes) else b""
        return data.decode("utf-8", "replace"), ("the mail's encoding is unknown: read as UTF-8",)


def _quoted_tail(text: str) -> int:
    """Where the quoted lines that end a text begin; its length when it ends otherwise."""
    start = place = len(text)
    for line in reversed(text.split("\n")):
        place -= len(line)
        if line.startswith(">"):
            start = place
        elif line.strip():
            break
        place -= 1
    return start
