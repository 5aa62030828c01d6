"""Text that speaks to the reader's model instead of to the customer.

A rule of thumb runs through the scores: an instruction counts when it is addressed to a model,
overrides what that model was told, changes its role, carries data out, or dictates its output.
Ordinary support prose is full of imperatives ("Do not share your PIN") and must stay low. What is
hidden, encoded or in disguise is read as what it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from core.text import injection_kinds as k
from core.text.broken_lines import find_broken
from core.text.concealed import Concealed
from core.text.disguised import find_apart, is_disguised, plain_letters, squashed
from core.text.encoded import find_encoded, turned_around
from core.text.exfiltration import find_carriers
from core.text.hidden import WITHOUT_INK, find_hidden
from core.text.injection_index import RuleIndex
from core.text.injection_rules import OVERRIDING, ROLES, Rule
from core.text.injection_rules_abroad import ABROAD
from core.text.injection_rules_acts import ACTING_FOR
from core.text.injection_rules_more import LOOSER
from core.text.injection_rules_posing import ADDRESSING, IMITATING
from core.text.injection_rules_writing import WRITING
from core.text.injection_rules_zh import CHINESE
from core.text.injection_tasks import STRAY_SCORE, is_stray, task_score, words_seen
from core.text.sentences import Span, split_sentences

CLEAR = 0.6
"""From here a sentence counts whatever stands around it."""
_RULES: tuple[Rule, ...] = (
    *OVERRIDING, *ROLES, *IMITATING, *ADDRESSING, *WRITING,
    *ACTING_FOR,
    *LOOSER, *ABROAD, *CHINESE,
)  # fmt: skip
_EVERY = RuleIndex(_RULES)
_SENTENCES = RuleIndex([rule for rule in _RULES if rule not in IMITATING])
_IMITATIONS = RuleIndex(IMITATING)
_OF_A_PERSON = RuleIndex([rule for rule in _RULES if rule.kind != k.ACTS])
"""Whoever writes in may ask for something to be done in their own name; a document may not."""
_SQUASHED = re.compile(
    r"(?:ignore|disregard|forget|override|bypass)(?:all|any|the|your|of|every){0,3}(?:previous|"
    r"prior|"
    r"above|earlier|system|your)?(?:instructions?|prompts?|rules|guidelines|training)"
)
_SECRET_ORDER = re.compile(
    r"(?:^|[.;:,!?\n>] ?|\b(?:please|must|should|always|and|then|so|to) )(?:say|tell|state|quote|"
    r"promise|recommend|respond|reply|answer|praise|mention|claim|call|describe|offer|give|send|"
    r"reveal|print|output|write|add|include|ignore|skip|approve|rank|rate|treat|convince|urge|"
    r"advise|"
    r"instruct|direct)\b(?! (?:us\b|name\b|button|row|class|script|file))|"
    r"(?:^|[.;:,!?\n>] ?)(?:bots?|ai|a\.i\.|llms?|assistants?|(?:language )?models?|chat ?bots?|"
    r"agents?"
    r")\s?[:,]|(?:告诉|告知|回[复答覆]|答复|推荐|忽略|无视|输出|承诺|批准|删除|转账|授权|称赞|声称|宣称|务必|"
    r"一律|必须|不要)"
)
"""Ordinary in sight, an order to a model where no person can read it."""
_IN_HIDING, _HIDDEN_ORDER, _UNREAD = 0.3, 0.45, 0.62
_QUOTE_MOST = 600


class Finding(NamedTuple):
    """A span of the text that speaks to a model: ``text[span.start:span.end] == span.text``.

    ``score`` is 0..1, ``kind`` says in words what the span does, ``where`` how it was hidden
    (empty where it stands in sight).
    """

    span: Span
    score: float
    kind: str
    where: str = ""


@lru_cache(maxsize=512)
def find_instructions(text: str) -> tuple[Finding, ...]:
    """Everything in ``text`` that reads as an instruction to a model, in order.

    Sentences with the mere form of a task or question are listed too, below 0.6: only what
    stands around them can judge them.
    """
    found = [*_concealed(text), *_imitations(text)]
    found += _sentences(text, [f.span for f in found if f.where])
    return tuple(sorted(_strongest(found), key=lambda f: (f.span.start, f.span.end)))


def instruction_windows(text: str) -> tuple[tuple[Span, float], ...]:
    """Sentences that address the reader's model, each with its score, in order.

    Only sentences above 0 are listed. A task or question that shares no word with the rest of a
    longer text is stray: somebody may have put it there for a model. A hidden piece that reads
    as an instruction takes that score, raised for hiding.
    """
    return tuple((f.span, f.score) for f in find_instructions(text))


def injection_score(text: str) -> float:
    """How much a message that somebody wrote speaks to a model, 0..1.

    The strongest sentence, raised a little when several do. What people may ask for in their own
    name ("send the invoice to me at ...") does not count.
    """
    found = find_instructions(text)
    scores = sorted((f.score for f in found if f.kind != k.ACTS), reverse=True)
    if not scores:
        return 0.0
    strong = sum(1 for s in scores[1:] if s >= CLEAR)
    return min(0.99, scores[0] + 0.03 * strong)


def score_sentence(sentence: str) -> float:
    """How much one sentence of a message reads as an instruction to a model, 0..1."""
    low = plain_letters(sentence)
    return _by_rules(sentence, low, _OF_A_PERSON)[0]


def score_of(sentence: str) -> tuple[float, str]:
    """How much one sentence of a document does, 0..1, and what it does, in words."""
    low = plain_letters(sentence)
    return _by_rules(sentence, low, _EVERY)


def _sentences(text: str, hidden: Sequence[Span]) -> Iterator[Finding]:
    spans = split_sentences(text)
    low = plain_letters(text)
    same = len(low) == len(text) and text.isascii()
    seen = None
    for span in spans:
        if any(h.start <= span.start and span.end <= h.end for h in hidden[:_HIDDEN_MOST]):
            continue
        plain = low[span.start : span.end] if same else plain_letters(span.text)
        score, kind = _by_rules(span.text, plain, _SENTENCES)
        if 0 < score < STRAY_SCORE:
            seen = words_seen(spans) if seen is None else seen
            score = STRAY_SCORE if is_stray(span, text, seen) else score
        if score:
            yield Finding(span, score, kind)


def _by_rules(sentence: str, low: str, rules: RuleIndex) -> tuple[float, str]:
    """The best score with its kind; several kinds in one sentence raise it."""
    hits = rules.holding(low)
    if hits:
        best = max(hits, key=lambda rule: rule.weight)
        kind = best.kind + (", in letters made unlike" if _in_disguise(sentence) else "")
        return min(0.99, best.weight + 0.05 * (len({rule.kind for rule in hits}) - 1)), kind
    if turned := _turned(sentence, low):
        return turned
    return task_score(low), k.STRAY


def _in_disguise(sentence: str) -> bool:
    return is_disguised(sentence)


def _turned(sentence: str, low: str) -> tuple[float, str] | None:
    for way, plain in turned_around(sentence):
        if _SENTENCES.holding(plain.lower()):
            return 0.9, way
    if any(len(word) > 18 for word in low.split()) and _SQUASHED.search(squashed(low)):
        return 0.9, f"{k.OVERRIDES}, in letters set apart"
    return None


def _imitations(text: str) -> Iterator[Finding]:
    """System blocks and turns span lines, so they are looked for in the whole text."""
    low = text.lower()
    if len(low) != len(text):
        return
    for rule in _IMITATIONS.may_hold(low):
        for match in rule.pattern.finditer(low):
            yield Finding(_line_of(text, match), rule.weight, rule.kind)


def _line_of(text: str, match: re.Match[str]) -> Span:
    """From the line the match starts in to the end of the line it ends in, trimmed."""
    start = match.start() + (len(match[0]) - len(match[0].lstrip()))
    start = text.rfind("\n", 0, start) + 1
    end = text.find("\n", max(match.end() - 1, start))
    end = len(text) if end < 0 else end
    whole = text[start : min(end, start + _QUOTE_MOST)]
    start += len(whole) - len(whole.lstrip())
    whole = whole.strip()
    return Span(start, start + len(whole), whole)


def _concealed(text: str) -> Iterator[Finding]:
    apart = () if text.isascii() else find_apart(text)
    for piece in (*find_hidden(text), *find_encoded(text), *find_broken(text), *apart):
        if found := _read(text, piece):
            yield found
    for piece, score in find_carriers(text):
        yield Finding(_span(text, piece), score, piece.where)


def _read(text: str, piece: Concealed) -> Finding | None:
    """What a hidden piece amounts to; ``None`` for what hides nothing of interest."""
    score, kind = _piece_score(piece.plain)
    if piece.shown:
        return Finding(_span(text, piece), score, kind, piece.where) if score >= CLEAR else None
    if score < _HIDDEN_ORDER and _SECRET_ORDER.search(piece.plain.lower()):
        score, kind = _HIDDEN_ORDER, k.OUT_OF_SIGHT
    raised = min(0.99, score + _IN_HIDING) if score >= STRAY_SCORE - 0.1 else 0.1
    if raised < _UNREAD and piece.where in WITHOUT_INK:  # nobody writes so by chance
        raised, kind = _UNREAD, k.UNREADABLE
    return Finding(_span(text, piece), raised, kind, piece.where)


def _piece_score(plain: str) -> tuple[float, str]:
    scored = [score_of(s.text) for s in split_sentences(plain[:_MOST])]
    return max(scored, default=(0.0, k.STRAY))


_HIDDEN_MOST = 100
_MOST = 8000
"""Characters of one hidden piece that are read."""


def _span(text: str, piece: Concealed) -> Span:
    end = min(piece.end, piece.start + _QUOTE_MOST)
    return Span(piece.start, end, text[piece.start : end])


def _strongest(found: Sequence[Finding]) -> list[Finding]:
    """One finding for each span: the strongest."""
    best: dict[tuple[int, int], Finding] = {}
    for one in found:
        key = (one.span.start, one.span.end)
        if key not in best or best[key].score < one.score:
            best[key] = one
    return list(best.values())
