"""What speaks for a passage trying to instruct the reader's model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from core.text.injection import hidden_text, instruction_windows
from core.text.sentences import Span

INJECTION_FEATURES = ("clear", "strong_count", "asks", "asks_model", "off_topic", "far_off_topic")
"""Each of them can only raise the probability."""
_CLEAR = 0.6
_ASKS = 0.1
_OF_A_MODEL = 0.35
_SENTENCE = 5


class Suspicion(NamedTuple):
    """The passage's suspicious sentences, strongest first, and whether text is hidden in it."""

    windows: tuple[tuple[Span, float], ...]
    hidden: bool

    @property
    def quote(self) -> str:
        """The exact span that speaks to the model, empty where none is clear."""
        return self.windows[0][0].text if self.windows and self.windows[0][1] >= _ASKS else ""

    @property
    def needs_topic(self) -> bool:
        """Whether a task-like sentence stands there that only its subject can judge."""
        return bool(self.windows) and _ASKS <= self.windows[0][1] < _CLEAR


@lru_cache(maxsize=1024)  # a message in parts asks about the same passages once for each part
def suspicion(text: str) -> Suspicion:
    """The suspicious sentences of ``text``. Headings and fragments ask nothing of anybody."""
    windows = [
        (span, score)
        for span, score in instruction_windows(text)
        if score >= _CLEAR or not _is_label(text, span)
    ]
    windows.sort(key=lambda pair: -pair[1])
    return Suspicion(tuple(windows), bool(hidden_text(text)))


def _is_label(text: str, span: Span) -> bool:
    line = text[text.rfind("\n", 0, span.start) + 1 : span.start]
    return line.lstrip().startswith("#") or (
        len(span.text.split()) < _SENTENCE and not span.text.endswith((".", "!", "?", "。", "！"))
    )


def injection_features(found: Suspicion, off_topic: float) -> list[float]:
    """The values of ``INJECTION_FEATURES``. ``off_topic`` is 1 minus the likeness, 0..1, between
    the strongest sentence and the rest of the passage (0 where it was not needed)."""
    scores: Sequence[float] = [score for _, score in found.windows]
    strongest = scores[0] if scores else 0.0
    asks = 1.0 if found.needs_topic else 0.0
    values = {
        "clear": 2.5 * max(0.0, strongest - _CLEAR),
        "strong_count": min(3.0, sum(1.0 for score in scores if score >= _CLEAR)),
        "asks": asks * strongest,
        "asks_model": asks * float(strongest >= _OF_A_MODEL),
        "off_topic": asks * off_topic,
        "far_off_topic": asks * max(0.0, off_topic - 0.7),
    }
    return [values[name] for name in INJECTION_FEATURES]
