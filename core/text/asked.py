"""What a yes/no question names: the line between an open question and a wrong proposition.

A yes/no question assumes nothing, so a passage that answers "no" is evidence, not a conflict:
"Do refresh tokens ever expire?", "Can I return sale items?", "Do you ship to Canada?". It is
otherwise where the question fills in, for an attribute of a named thing, a value or a name, and the
passage gives another one for the same attribute: "Does the window last 60 days?" against 45 days,
"Was X directed by Y?" against another director, "Is it true that …", "…, right?". Then both sides
are worth quoting, and the reply says plainly that it is not so.

By kind:

* **names** (values, dates, names, roles, attributes): questions in the third person about a thing,
  requests to confirm ("is it true that", ", right?"), clefts ("Is it Ana who …");
* **values only**: questions about what the company does ("do you deliver within 2 days?") or what
  the customer gets ("do I have 60 days?"): a name in them is the customer's own case;
* **open**, nothing named: "can I", "may I", "am I", whose values are the customer's own case, and
  anything that a bare yes or no answers: permission, existence, polarity.
"""

# ruff: noqa: E501 - patterns read better unbroken
from __future__ import annotations

import re
from typing import Literal, NamedTuple

from core.text.language import detect_language


class Proposition(NamedTuple):
    """A statement that a yes/no question holds up; ``names`` says what in it can be wrong."""

    text: str
    names: Literal["anything", "values"]
    question: str = ""
    """The asker's own words."""


_CONFIRM = re.compile(
    r"^(?:so\s+|and\s+|but\s+)?(?:(?:is|isn't|was)\s+it\s+(?:\w+\s+)?(?:true|correct|right|so|the\s+case|a\s+fact)|"
    r"am\s+i\s+(?:right|correct)(?:\s+in\s+(?:thinking|saying|assuming))?|(?:can|could)\s+you\s+confirm|"
    r"(?:please\s+)?confirm)\s+(?:that\s+)?(?P<rest>.+)$",
    re.I,
)
_TAG = re.compile(
    r"^(?P<rest>.+?),\s*(?:right|correct|true|yes|no|(?:is|are|do|does|can|will|was|were|has|have)(?:n't)?\s+(?:it|they|you|there|i))$",
    re.I,
)
_AFTERWARDS = re.compile(
    r"(?:(?:is|isn't)\s+(?:that|this|it)\s+(?:\w+\s+)?(?:right|correct|true|so|the\s+case)|^(?:right|correct|true|really))\s*$",
    re.I,
)
_CLEFT = re.compile(
    r"^(?:is|was)\s+it\s+(?P<who>[^,]{2,60}?)\s+(?:that|who|which|whom)\s+(?P<rest>.+)$", re.I
)
_AUX = re.compile(
    r"^(?:so |and |but |then )?(?P<aux>is|are|was|were|do|does|did|can|could|will|would|should|has|have|"
    r"had|must|may)(?:n't)?\s+(?P<rest>.+)$",
    re.I,
)
_MINE = re.compile(r"^(?:i|we|my|our)\b", re.I)
_MY_RIGHT = re.compile(r"^(?:i|we)\s+(?:have|get|need|pay|receive|earn|owe|lose)\b", re.I)
_YOURS = re.compile(r"^(?:you|your|they|the\s+(?:company|store|shop))\b", re.I)
_ATTRIBUTED = re.compile(
    r"^(?:but\s+|and\s+|so\s+)?(?:i(?:'ve)?\s+(?:know|read|heard|see|saw|seen|understand|was\s+told|noticed|believe|"
    r"gather|think|thought)|as\s+far\s+as\s+i\s+know|(?:your|the)\s+(?:\w+\s+){0,3}(?:says?|said|states?|claims?))"
    r"\s*(?:that\s+|,\s*)?",
    re.I,
)
_ADDED_TOPIC = re.compile(r"\s*\(regarding: [^)]*\)")
_SENTENCE = re.compile(r"(?<=[.!?;])(?<!\b[A-Z]\.)\s+")
_MY_CASE = re.compile(
    r"\b(?:order|purchase|item|basket|cart|parcel|bill|gift)s?\s+(?:of|worth|over|under|above|below|for|that costs?)\s+$|"
    r"\b(?:if|when|after|once)\b[^,]*$|\b(?:an?|my)\s+$",
    re.I,
)
_ZH_OPEN = re.compile("^(?:请问)?(?:我|咱)|能不能|可不可以|能否|可否|有没有|有没|是否可以|是否能")
_ZH_YES_NO = re.compile(
    "(?:，?(?:对吗|对吧|是吗|是吧|是真的吗|没错吧|对不对|是不是|真的吗)|吗|吧)[？?]?$|^(?:请问)?(?:是不是|是否)|(?:是不是|是否)"
)
_ZH_PARTICLES = re.compile(
    "(?:，?(?:对吗|对吧|是吗|是吧|是真的吗|没错吧|对不对|是不是|真的吗)|吗|吧)[？?]?$|^请问|^(?:听说|据说)"
)
_ZH_WHETHER = re.compile("是不是|是否")


def proposition(query: str) -> Proposition | None:
    """What ``query`` holds up, or ``None`` where it names nothing that could be wrong."""
    query = _ADDED_TOPIC.sub("", query).strip()
    found = _held_up(query)
    return found._replace(question=query) if found else None


def _held_up(query: str) -> Proposition | None:
    if detect_language(query) == "zh":
        return _chinese(query)
    sentences = [s.strip() for s in _SENTENCE.split(query) if s.strip()]
    if not sentences or not sentences[-1].endswith("?"):
        return None
    last = sentences[-1].rstrip("? ").strip()
    if len(sentences) > 1 and _AFTERWARDS.search(last):
        return _confirmed(sentences[-2].rstrip(".! "))
    for pattern in (_CONFIRM, _TAG):
        if match := pattern.match(last):
            return _confirmed(match["rest"])
    if match := _CLEFT.match(last):
        return Proposition(f"{match['rest']} {match['who']}", "anything")
    return _plain(last) if len(sentences) == 1 else None


def own_case(text: str, start: int) -> bool:
    """Whether the value at ``start`` is the asker's own case ("for an order of $50")."""
    return bool(_MY_CASE.search(text[max(0, start - 60) : start]))


def _confirmed(text: str) -> Proposition | None:
    text = _ATTRIBUTED.sub("", text.strip())
    return Proposition(text, "anything") if len(text.split()) >= 3 else None


def _plain(asked: str) -> Proposition | None:
    match = _AUX.match(asked)
    if not match or len(match["rest"].split()) < 3:
        return None
    rest = match["rest"]
    if _MINE.match(rest):
        mine = match["aux"].lower() in ("do", "does", "will", "did") and _MY_RIGHT.match(rest)
        return Proposition(rest, "values") if mine else None
    return Proposition(rest, "values" if _YOURS.match(rest) else "anything")


def _chinese(query: str) -> Proposition | None:
    text = query.strip().rstrip("？?。")
    if not _ZH_YES_NO.search(text) or _ZH_OPEN.search(text):
        return None
    text = _ZH_WHETHER.sub("是", _ZH_PARTICLES.sub("", text)).strip("，, ")
    if len(text) < 5 or re.search("怎么|什么|多少|多久|哪|谁|几", text):
        return None
    return Proposition(text, "values" if text.startswith(("你们", "贵")) else "anything")
