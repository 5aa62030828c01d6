"""What speaks for a passage trying to instruct the reader's model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from core.text.injection import CLEAR, Finding, find_instructions
from core.text.injection_kinds import OF_A_REQUEST, STRAY
from core.text.injection_tasks import OF_A_MODEL, STRAY_SCORE
from core.text.sentences import Span, split_sentences

INJECTION_FEATURES = (
    "clear",
    "strong_count",
    "asks",
    "asks_model",
    "off_topic",
    "far_off_topic",
    "firm",
    "amid",
    "leans",
    "stray",
    "leans_off_topic",
)
"""Each of them can only raise the probability."""
_ASKS = 0.1
_FAR = 0.7
_SENTENCE = 5
_CROWD = 2.5
"""How soon requests all around make a request ordinary: at a share of 0.4 it counts for nothing."""


class Suspicion(NamedTuple):
    """The passage's suspicious sentences, strongest first.

    ``crowd`` is the share, 0..1, of the other sentences that ask something too; 1 where there are
    none: a text that is one request from end to end has no document for it to stand in.
    """

    found: tuple[Finding, ...]
    crowd: float

    @property
    def windows(self) -> tuple[tuple[Span, float], ...]:
        """The suspicious spans with their scores, strongest first."""
        return tuple((f.span, f.score) for f in self.found)

    @property
    def hidden(self) -> bool:
        """Whether the strongest of them is hidden from a reader of the page."""
        return bool(self.found) and bool(self.found[0].where)

    @property
    def quote(self) -> str:
        """The exact span that speaks to the model, empty where none is clear."""
        return self.found[0].span.text if self.found and self.found[0].score >= _ASKS else ""

    @property
    def kinds(self) -> tuple[str, ...]:
        """What the clear ones do and where they were hidden, in words; else of the strongest."""
        clear = [f for f in self.found if f.score >= CLEAR] or list(self.found[:1])
        told = [part for f in clear for part in (f.where, f.kind) if part]
        return tuple(dict.fromkeys(told))[:4]

    @property
    def needs_topic(self) -> bool:
        """Whether a task-like sentence stands there that only its subject can judge."""
        return bool(self.found) and _ASKS <= self.found[0].score < CLEAR


@lru_cache(maxsize=1024)  # a message in parts asks about the same passages once for each part
def suspicion(text: str) -> Suspicion:
    """The suspicious sentences of ``text``. Headings and fragments ask nothing of anybody."""
    found = [f for f in find_instructions(text) if f.score >= CLEAR or not _is_label(text, f.span)]
    found.sort(key=lambda f: -f.score)
    sentences = len(split_sentences(text))
    asking = sum(1 for f in found if f.score >= _ASKS and not f.where)
    crowd = min(1.0, max(0, asking - 1) / (sentences - 1)) if sentences > 1 else 1.0
    return Suspicion(tuple(found), crowd)


def under_headings(doubt: Suspicion, headings: Sequence[str]) -> Suspicion:
    """The same, and what title and headings clearly say to a model: prompts show them too.

    What a heading may ask in its own right ("Send us your receipt") does not count.
    """
    above = [
        f
        for heading in headings
        for f in find_instructions(heading)
        if f.score >= CLEAR and f.kind not in OF_A_REQUEST
    ]
    if not above:
        return doubt
    found = sorted((*above, *doubt.found), key=lambda f: -f.score)
    return doubt._replace(found=tuple(found))


def _is_label(text: str, span: Span) -> bool:
    line = text[text.rfind("\n", 0, span.start) + 1 : span.start]
    return line.lstrip().startswith("#") or (
        len(span.text.split()) < _SENTENCE and not span.text.endswith((".", "!", "?", "。", "！"))
    )


def injection_features(found: Suspicion, off_topic: float) -> list[float]:
    """The values of ``INJECTION_FEATURES``. ``off_topic`` is 1 minus the likeness, 0..1, between
    the strongest sentence and the rest of the passage (0 where it was not needed).

    ``clear`` grows with the strongest finding above 0.6; ``firm`` says that one of those is an
    attack in any text, ``amid`` that it is an attack in a document, less so among other requests;
    ``strong_count`` counts those, again less so among other requests. The rest weigh a sentence
    with the mere form of a task: ``asks`` by its score, ``leans`` where a rule half held,
    ``stray`` where it shares no word.
    """
    strongest = found.found[0] if found.found else None
    clear = [f for f in found.found if f.score >= CLEAR]
    firm = sum(1 for f in clear if f.where or f.kind not in OF_A_REQUEST)
    asks = strongest.score if strongest and found.needs_topic else 0.0
    task = strongest is not None and strongest.kind == STRAY
    leans = float(asks > 0 and not task)
    standing = max(0.0, 1.0 - _CROWD * found.crowd)
    values = {
        "clear": 2.5 * max(0.0, strongest.score - CLEAR) if strongest else 0.0,
        "firm": float(firm > 0),
        "amid": standing if clear and not firm else 0.0,
        "strong_count": min(3.0, len(clear)) * standing,
        "asks": asks,
        "asks_model": float(task and asks == OF_A_MODEL),
        "leans": leans,
        "stray": float(task and asks == STRAY_SCORE),
        "off_topic": off_topic if asks else 0.0,
        "far_off_topic": max(0.0, off_topic - _FAR) if asks else 0.0,
        "leans_off_topic": leans * off_topic,
    }
    return [values[name] for name in INJECTION_FEATURES]
