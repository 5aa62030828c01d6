"""What belongs together: which text asks for the next, takes back the last, or names a thing."""

from __future__ import annotations

import re

from core.sources.measure import size

_LEAD_WORDS = 40
_LABEL_WORDS = 6
_MARKS = "*_` \t"
_EXCEPTION = re.compile(
    r"[\s*_>-]*(?:except|unless|however|but\b|exceptions?\b|provided (?:that|the)|otherwise|"
    r"excluding|only if|this (?:does|do|is|rule does) ?n[o']t|these do not|it does not|not "
    r"(?:included|covered|eligible|applicable)|in (?:that|this|these|such) cases?\b|note that|"
    r"除非|除外|但是?|例外|不适用|不包括|然而|否则|不过|仅限|前提)",
    re.IGNORECASE,
)
_ANSWER = re.compile(r"[\s*_>]*(?:A|Answer|答|答案)[*_]*\s*[:：.]", re.IGNORECASE)
_TERM = re.compile(r"[*_]{0,3}(?P<term>[^\n:：*_]{1,60})[*_]{0,3}\s*[:：][*_]{0,3}\s")
_BOLD_TERM = re.compile(r"(?P<mark>\*\*|__)(?P<term>[^*_\n]{1,60})(?P=mark)")
_MARKER = re.compile(r"[ \t]*(?:[-*+•·▪◦]|\(?\w{1,3}[.)、）])[ \t]*")
_OPENING_TAG = re.compile(r"\s*<[A-Za-z$][^<>]*(?<!/)>\s*$")
_CLOSING_TAG = re.compile(r"\s*</[A-Za-z$][^<>]*>\s*$")


def announces(text: str, *, alone: bool) -> bool:
    """Whether a text asks for what follows: a colon, a question, a short label of its own line."""
    said = text.rstrip().rstrip(_MARKS)
    if not said or size(said) > _LEAD_WORDS:
        return False
    if said.endswith((":", "：")):
        return True
    if not alone:
        return False
    if said.endswith(("?", "？")):
        return True
    return size(said) <= _LABEL_WORDS and "\n" not in said and said[-1].isalnum()


def belongs(before: str, text: str) -> bool:
    """Whether a block must stay with the one before it: an answer, or what a tag encloses."""
    if _OPENING_TAG.match(before):
        return True
    return answers(text) or bool(_CLOSING_TAG.match(text))


def takes_back(text: str, start: int = 0) -> bool:
    """Whether what begins at ``start`` limits what was said before it."""
    return bool(_EXCEPTION.match(text, start))


def answers(text: str) -> bool:
    """Whether a text is marked as the answer to the question before it."""
    return bool(_ANSWER.match(text))


def lead_of(text: str) -> str:
    """What announces a block, on one line and in at most so many words."""
    return " ".join(text.strip(_MARKS + "\n").split()[:_LEAD_WORDS])


def term_of(text: str) -> str:
    """The term a text defines: ``Term: …`` or ``**Term** …``; empty when it defines none."""
    match = _BOLD_TERM.match(text.lstrip()) or _TERM.match(text.lstrip())
    term = match["term"].strip() if match else ""
    return term if 0 < size(term) <= _LABEL_WORDS else ""


def after_marker(text: str, start: int, end: int) -> int:
    """Where the words of the list item ``text[start:end]`` begin."""
    match = _MARKER.match(text, start, end)
    return match.end() if match else start
