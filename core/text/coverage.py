"""Whether a passage states what was asked of a thing, not merely names the thing.

"What colour is the kettle?" is not answered by a sentence about the kettle without a colour, nor
"Is there parking at the store?" by one about the store. Two tests, both readable:

* the **kind**: a sentence that speaks of the matter holds the kind of thing asked for
  (``coverage_need``, ``coverage_held``);
* the **words**: the passage speaks of the words the question asks with (``coverage_words``), unless
  the gate is so sure that it must say the same in other words. How sure depends on what is missing
  (``SURE_WITHOUT``).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from core.text.coverage_held import has_shape, holds_need
from core.text.coverage_need import Need, need_of
from core.text.coverage_words import asked_words, asks_existence, spoken_share, unspoken
from core.text.language import cjk_share
from core.text.names import find_names
from core.text.questions import asks, is_ask
from core.text.relevance import excludes_by_list, figure_fit
from core.text.sentences import split_sentences
from core.text.tokens import content_words

Crux = Literal["existence", "doing", "named", "whether", "name", "everything", "place", "word"]
SURE_WITHOUT: dict[Crux, float] = {
    "existence": 1.01,
    "doing": 0.93,
    "named": 0.92,
    "whether": 0.90,
    "name": 0.90,
    "everything": 0.90,
    "place": 0.81,
    "word": 0.75,
}
"""Evidence probability from which a passage may lack what the question asks with, by what it is:
what is said to exist (then never), what somebody did, what is to be named, a word of a yes/no
question, a name, all words, the shape of a place (which is hard to tell), any other word."""
_MATTER = 0.34
"""Share of the asked words that a sentence, with its headings, must hold to speak of the matter."""
_CATEGORY = frozenset(
    content_words(
        "kind type sort method way stage step function role purpose difference factor reason cause "
        "name direction episode season place city country state species category class level part "
        "version example aspect effect result feature option thing policy rule people person"
    )
)
"""Nouns that name a class the answer need not repeat."""
_TOLD = re.compile(r"\s*(?:i|we|my|our|it|that|this|they)(?:['’]\w+)?\s", re.IGNORECASE)
"""Begins a statement, which asks nothing; what begins otherwise may be a query of key words."""
_WORD = re.compile(r"[A-Za-z][\w'’-]*|[\u4e00-\u9fff]+")


class Finding(NamedTuple):
    """Whether it is stated; if not, why in words that follow "on the subject, but".

    ``firm``: a sentence holds the kind of answer asked for, and no asked word is missing.
    """

    stated: bool
    why: str = ""
    firm: bool = False


STATED = Finding(stated=True)


def find_stated(query: str, text: str, context: str, evidence: float) -> Finding:
    """Whether ``text``, under ``context`` (title and headings), states what ``query`` asks.

    ``evidence`` is the gate's probability that it does, 0..1. Of several questions in one message
    one that is stated is enough.
    """
    findings = [_one(ask, text, context, evidence) for ask in _questions(query)]
    return max(findings, key=lambda found: (found.stated, found.firm), default=STATED)


@lru_cache(maxsize=512)
def _questions(query: str) -> tuple[str, ...]:
    plain = query.split(" (regarding:")[0]
    found = tuple(ask for ask in asks(plain) if is_ask(ask))
    return found or (() if _TOLD.match(plain) else (plain,))


def _one(ask: str, text: str, context: str, evidence: float) -> Finding:
    need = need_of(ask)
    shaped = has_shape(need)
    held = shaped and _held(ask, need, text, context)
    doubtful = need.kind != "place" or evidence < SURE_WITHOUT["place"]
    if doubtful and shaped and not held:
        return Finding(stated=False, why=f"no sentence states {need.words}")
    missing = unspoken(ask, need, f"{context} {text}")
    if not missing:
        return Finding(stated=True, firm=held and need.kind != "place")
    if evidence >= SURE_WITHOUT[_crux(ask, need, missing)]:
        return STATED
    if need.kind == "whether" and _answers_otherwise(ask, need, text, context):
        return STATED
    return Finding(stated=False, why=f"nothing speaks of {_shown(ask, missing)}")


def _held(ask: str, need: Need, text: str, context: str) -> bool:
    return any(
        holds_need(need, sentence.text)
        and spoken_share(ask, need, f"{context} {sentence.text}") >= _MATTER
        for sentence in split_sentences(text)
    )


def _answers_otherwise(ask: str, need: Need, text: str, context: str) -> bool:
    """Whether a closed list leaves out what is named, or a sentence gives another figure for what
    the question names one for ("within 365 days?")."""
    return excludes_by_list(ask, text) or any(
        figure_fit(ask, sentence.text) > 0
        and spoken_share(ask, need, f"{context} {sentence.text}") >= _MATTER
        for sentence in split_sentences(text)
    )


def _crux(ask: str, need: Need, missing: tuple[str, ...]) -> Crux:
    lacking = frozenset(missing)
    if need.kind == "whether":
        return "existence" if asks_existence(ask) else "whether"
    if need.kind == "person" and need.doing in lacking:
        return "doing"
    if lacking & need.focus - _CATEGORY:
        return "named"
    if lacking & _named(ask):
        return "name"
    return "everything" if len(missing) == len(asked_words(ask, need)) else "word"


def _named(ask: str) -> frozenset[str]:
    return frozenset(word for name in find_names(ask) for word in content_words(name))


def _shown(ask: str, missing: tuple[str, ...]) -> str:
    """The missing words as the question wrote them, three at most."""
    wanted = frozenset(missing)
    if cjk_share(ask) > 0:
        return "、".join(f"“{word}”" for word in missing[:3])
    words = [w for w in _WORD.findall(ask) if frozenset(content_words(w)) & wanted]
    # A phrase is missed as the one matter it stands for, which no word of the question spells.
    return ", ".join(f"“{word}”" for word in dict.fromkeys((words or list(missing))[:3]))
