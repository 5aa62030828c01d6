"""The question forms a premise is put into, English and Chinese."""

# ruff: noqa: E501 - patterns read better unbroken

from __future__ import annotations

import random
import re
from typing import NamedTuple

from core.text.language import detect_language
from core.text.tokens import word_set


class Form(NamedTuple):
    """A question around a premise. ``assumes`` is false for yes/no forms, which only name it."""

    name: str
    template: str
    assumes: bool = True


ENGLISH = (
    Form("since", "Since {p}, what do I need to do next?"),
    Form("since", "Given that {p}, how should I plan?"),
    Form("statement", "{P} - how does that work in practice?"),
    Form("statement", "{P}. How can I make use of that?"),
    Form("heard", "I read that {p}. Where do I start?"),
    Form("heard", "I was told that {p}. How do I arrange it?"),
    Form("why", "Why is it that {p}?"),
    Form("why", "How come {p}?"),
    Form("confirm", "Is it true that {p}?", assumes=False),
    Form("confirm", "{P}, right?", assumes=False),
    Form("yes_no", "{inverted}?", assumes=False),
)
CHINESE = (
    Form("since", "既然{p}，接下来应该怎么做？"),
    Form("statement", "{p}，具体怎么操作？"),
    Form("heard", "听说{p}，请问从哪里开始？"),
    Form("why", "为什么{p}？"),
    Form("confirm", "{p}，对吗？", assumes=False),
    Form("yes_no", "{p}吗？", assumes=False),
)
_AUX = re.compile(
    r"^(?P<subject>(?:[\w'’-]+ ){1,6}?)(?P<aux>is|are|was|were|can|will|must|should|may|has|have)\b (?P<rest>.+)$"
)
_DO = re.compile(
    r"^(?P<subject>(?:[\w'’-]+ ){1,4}?)(?P<verb>expire|cost|last|take|apply|include|require|need|accept|"
    r"earn|start|receive|get|arrive|leave|cover|begin|end|return|happen|contain|give)(?P<s>s?)"
    r"\b (?P<rest>.+)$"
)
_VERB = re.compile(r"\b(?:\w+(?:s|ed)|cost|take|get|ship|pay|apply)\b")


def form_for(premise: str, chance: random.Random, *, named: bool) -> Form:
    """One of the forms that fit ``premise``, each kind of form as likely as the next.

    Yes/no forms fit only a premise that names a value or a name (``named``): of anything else they
    are open questions.
    """
    chinese = detect_language(premise) == "zh"
    forms = [f for f in (CHINESE if chinese else ENGLISH) if named or f.assumes]
    if inverted(premise) is None:
        forms = [f for f in forms if "{inverted}" not in f.template]
    name = chance.choice(sorted({form.name for form in forms}))
    return chance.choice([form for form in forms if form.name == name])


def fill(form: Form, premise: str) -> str | None:
    """The question; ``None`` where this form cannot hold this premise."""
    text = premise.rstrip(".。!！ ")
    turned = inverted(text) if "{inverted}" in form.template else ""
    if turned is None:
        return None
    return form.template.format(p=lowered(text), P=text, inverted=turned)


def lowered(text: str) -> str:
    """Without the capital of a sentence's first word, unless that is a name or an acronym."""
    first = text.split(" ", 1)[0]
    plain = first == "A" or (first[:1].isupper() and first[1:].islower())
    common = first.lower() in _FIRST or first.lower().endswith(("s", "ed", "ing"))
    return text[:1].lower() + text[1:] if plain and common else text


_FIRST = word_set(
    """a an the this that these those all any each every if when once you your our we in on at for to
    after before there no only some most both standard return shipping access refund customer
    account payment delivery item order"""
)

_HELPED = re.compile(
    r"\b(?:is|are|was|were|can|will|must|may|to|and|or|not|cannot|should|has|have)\b|,"
)


def inverted(text: str) -> str | None:
    """ "Returns are free" → "Are returns free"; ``None`` without a plain auxiliary early on."""
    if re.match(r"(?:I|we|you)\b", text, re.IGNORECASE):
        return None  # "can I", "do you" ask for leave or service and name nothing
    plain = _DO.match(text)
    if plain and not _HELPED.search(plain["subject"]):
        aux = "Does" if plain["s"] else "Do"
        return f"{aux} {lowered(plain['subject'])}{plain['verb']} {plain['rest']}"
    match = _AUX.match(text)
    if not match or "," in match["subject"] or _VERB.search(match["subject"].split(" ", 1)[-1]):
        return None
    aux = match["aux"].capitalize()
    return f"{aux} {lowered(match['subject'])}{match['rest']}"
