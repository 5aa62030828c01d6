"""Text that speaks to the reader's model instead of to the customer.

A rule of thumb runs through the scores: an instruction counts when it is addressed to a model,
overrides what that model was told, changes its role, carries data out, or dictates its output.
Ordinary support prose is full of imperatives ("Do not share your PIN") and must stay low.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import Counter

from core.text.injection_rules import MODEL_TASK, POLITE, RULES, TASK_VERB
from core.text.sentences import Span, split_sentences
from core.text.tokens import content_words

_INVISIBLE = re.compile(
    "[\u200b-\u200f\u2060-\u2064\ufeff\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]{2,}"
)
_TAG_CHARACTERS = re.compile("[\U000e0020-\U000e007e]+")
_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_BLOB = re.compile(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{40,}={0,2}(?![A-Za-z0-9+/=])")
_HIDDEN_STYLE = re.compile(
    r"<(\w+)[^>]*style\s*=\s*[\"'][^\"']*(?:display\s*:\s*none|visibility\s*:\s*hidden|"
    r"font-size\s*:\s*0|"
    r"opacity\s*:\s*0(?!\.))[^\"']*[\"'][^>]*>(.*?)</\1>",
    re.IGNORECASE | re.DOTALL,
)


STRAY_TASK = 0.5
STRAY_WORDS = 15
"""A text needs this many different words before a sentence can be stray in it."""


def hidden_text(text: str) -> tuple[str, ...]:
    """What a reader would not see: invisible-character runs (tag characters decoded), HTML
    comments, text hidden by style, and blobs that decode from base64 to readable text."""
    found: list[str] = []
    for run in _INVISIBLE.findall(text):
        tags = "".join(chr(ord(c) - 0xE0000) for m in _TAG_CHARACTERS.findall(run) for c in m)
        found.append(tags or run)
    found += [m[1].strip() for m in _COMMENT.finditer(text) if m[1].strip()]
    found += [m[2].strip() for m in _HIDDEN_STYLE.finditer(text) if m[2].strip()]
    found += [plain for m in _BLOB.finditer(text) if (plain := _decoded(m[0]))]
    return tuple(found)


def _decoded(blob: str) -> str:
    try:
        raw = base64.b64decode(blob + "=" * (-len(blob) % 4), validate=True)
        plain = raw.decode("utf-8")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return ""
    readable = sum(
        1 for ch in plain if ch.isprintable() and (ch.isalnum() or ch in " .,:;!?'\"-/()")
    )
    return plain if len(plain) >= 12 and readable / len(plain) > 0.9 and " " in plain else ""


def score_sentence(sentence: str) -> float:
    """How much one sentence reads as an instruction to a model, 0..1."""
    best = max((weight for weight, rule in RULES if rule.search(sentence)), default=0.0)
    if best:
        extra = sum(1 for _, rule in RULES if rule.search(sentence)) - 1
        return min(0.99, best + 0.05 * extra)
    if TASK_VERB.match(sentence):
        score = 0.45 if MODEL_TASK.search(sentence) else 0.12
        return max(0.05, score - (0.1 if POLITE.search(sentence) else 0.0))
    return 0.0


def instruction_windows(text: str) -> tuple[tuple[Span, float], ...]:
    """Sentences that address the reader's model, each with its score, in order.

    Only sentences above 0 are listed. A task or question that shares no word with the rest of a
    longer text is stray: somebody may have put it there for a model. A sentence with hidden text
    that itself reads as an instruction takes that text's score, raised for hiding.
    """
    out: list[tuple[Span, float]] = []
    spans = split_sentences(text)
    seen = Counter(word for span in spans for word in set(content_words(span.text)))
    for span in spans:
        score = score_sentence(span.text)
        if 0 < score < STRAY_TASK and _stray(span, text, seen):
            score = STRAY_TASK
        hidden = max((_hidden_score(piece) for piece in hidden_text(span.text)), default=0.0)
        if (total := max(score, hidden)) > 0:
            out.append((span, total))
    return tuple(out)


def _stray(span: Span, text: str, seen: Counter[str]) -> bool:
    line = text[text.rfind("\n", 0, span.start) + 1 : span.start]
    if "#" in line:
        return False
    own = set(content_words(span.text))
    return len(own) >= 3 and len(seen) >= STRAY_WORDS and all(seen[word] == 1 for word in own)


def _hidden_score(piece: str) -> float:
    scores = [score_sentence(s.text) for s in split_sentences(piece)]
    best = max(scores, default=0.0)
    return min(0.99, best + 0.3) if best >= 0.1 else 0.1


def injection_score(text: str) -> float:
    """The strongest sentence of the text, raised a little when several speak to the model, 0..1."""
    scores = sorted((score for _, score in instruction_windows(text)), reverse=True)
    if not scores:
        return 0.0
    strong = sum(1 for s in scores[1:] if s >= 0.6)
    return min(0.99, scores[0] + 0.03 * strong)
