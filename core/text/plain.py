"""Markdown and HTML syntax taken off a passage's wording, for prose a customer may read."""

from __future__ import annotations

import re

_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"<!--.*?-->", re.DOTALL), ""),
    (re.compile(r"!\[[^\]]*\]\([^)]*\)"), ""),
    (re.compile(r"\[([^\]]+)\]\((?:[^()\s]|\([^)]*\))*(?:\s+\"[^\"]*\")?\)"), r"\1"),
    (re.compile(r"\[\^[^\]]+\]:?"), ""),
    (re.compile(r"</?[A-Za-z][^<>]{0,200}>"), ""),
    (re.compile(r"^\s{0,3}(?:#{1,6}\s+|>\s?|[-*+•]\s+(?:\[[ xX]\]\s+)?)", re.MULTILINE), ""),
    (re.compile(r"(?<![\w*])(\*{1,3})(?=\S)(.+?)(?<=\S)\1(?![\w*])", re.DOTALL), r"\2"),
    (re.compile(r"(?<!\w)(_{1,3})(?=\S)(.+?)(?<=\S)\1(?!\w)", re.DOTALL), r"\2"),
    (re.compile(r"`+([^`]+)`+"), r"\1"),
    (re.compile(r"\\([\\`*_{}\[\]()#+.!|>-])"), r"\1"),
    (re.compile(r"[\u200b-\u200f\u2060\ufeff]|[\U000e0000-\U000e007f]"), ""),
)
_SPACE = re.compile(r"\s+")


def plain(text: str) -> str:
    """``text`` without Markdown and HTML syntax and with single spaces; the words are untouched."""
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return _SPACE.sub(" ", text).strip()
