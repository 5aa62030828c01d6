"""What must not be left in a text that is about to leave: placeholders, markers, inside things."""

from __future__ import annotations

import re

_EVERYBODY: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("unfilled placeholder", re.compile(r"\{\{[^{}]*\}\}|\{%[^%]*%\}|<<[^<>]{1,40}>>|\$\{[^}]*\}")),
    (
        "unfilled placeholder",
        re.compile(
            r"\[(?:[A-Z][A-Z0-9 _/'’-]{1,40}|(?:your|customer|agent|insert|first|last|order|date"
            r"|company|product|name)\b[^\[\]\n]{0,40})\]"
        ),
    ),
    ("unfinished text", re.compile(r"\b(?:TODO|TBD|FIXME|XXX+|lorem ipsum)\b|待补充|待定稿")),
    ("citation marker", re.compile(r"\[#?EVID-?\d+[^\]]*\]|(?<!\w)EVID-\d+|\[[ER]\d{1,2}\]")),
)
_OUTSIDE: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "internal heading",
        re.compile(
            r"(?im)^[\s#>*_]*(?:internal(?: note| only| use only)?|private note|agent note"
            r"|do not (?:send|forward)|for internal use|not for customers?|draft only"
            r"|内部(?:备注|使用|资料)|仅供内部).{0,40}$|【内部[^】]*】"
        ),
    ),
    ("note for the reviewer", re.compile(r"\[inference[^\]]*\]|【AI推演[^】]*】")),
    ("mention of a colleague", re.compile(r"(?<![\w.])@[A-Za-z][\w.-]{1,30}(?!\S*\.\w)|<@\w+>")),
    (
        "internal link",
        re.compile(
            r"(?i)\b(?:https?://|www\.)?(?:[\w-]+\.)*(?:intranet|internal|corp|local|lan"
            r"|confluence|sharepoint|atlassian|jira|localhost|salesforce|lightning)"
            r"(?:\.[\w.-]+)?(?::\d+)?/\S*|\b(?:file|smb|kb|lancedb)://\S+"
            r"|(?i:https?://(?:localhost|127\.|10\.|192\.168\.)\S*)"
        ),
    ),
    (
        "internal id",
        re.compile(
            r"\b(?:orders|customers|cases|case_file|records?):[A-Za-z0-9][\w-]*"
            r"|\b(?:case|run|trace|draft|chunk|doc|req)_[0-9A-HJKMNP-TV-Z]{10,}\b"
            r"|\b[\w-]+#(?:chunk|c|p)?-?\d{1,4}\b(?=[\s.,;)]|$)"
        ),
    ),
)


def guard(text: str, reader: str) -> tuple[str, ...]:
    """Findings in words, each with the exact words found; ``colleague`` readers may see inside."""
    rules = _EVERYBODY if reader == "colleague" else _EVERYBODY + _OUTSIDE
    found = [
        f"{name}: “{match.group(0).strip()}”"
        for name, pattern in rules
        for match in pattern.finditer(text)
    ]
    return tuple(dict.fromkeys(found))
