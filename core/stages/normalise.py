"""The question, cleaned and made to stand on its own. The raw text is kept untouched."""

from __future__ import annotations

import re
import unicodedata
from datetime import date

from core.errors import BadQuestion
from core.models.request import (
    ExtractedAmount,
    ExtractedDate,
    Language,
    NormalizedInput,
    UserRequest,
)
from core.text.anchored_dates import anchored_dates, anchors_in
from core.text.conversation import self_standing
from core.text.dates import find_dates
from core.text.identifiers import find_identifiers
from core.text.injection import injection_score
from core.text.language import detect_language
from core.text.quantities import find_quantities
from core.text.query_types import query_type
from core.text.questions import without_courtesy

MAX_CHARACTERS = 20_000
"""Longest question taken; a longer text is a document and belongs into a source."""

INJECTION_SUSPICION = 0.6
_CURRENCY = re.compile(r"[A-Z]{3}")
_KEPT_PUNCTUATION = "，。？！：；（）、“”‘’《》【】…"
_OTHER = re.compile(f"[^{_KEPT_PUNCTUATION}]+")
_SPACE = re.compile(r"[ \t\u00a0\u3000]+")
_LINES = re.compile(r"\s*\n\s*")
_RANK_CLAIM = re.compile(
    r"\bi(?:'m| am) (?:an? |the |your )?(?:\w+ )?(?:admin(?:istrator)?|developer|supervisor|"
    r"manager|ceo|hr|owner|root|creator)\b"
    r"|我是(?:管理员|开发者|主管|经理|老板|人事)",
    re.IGNORECASE,
)


def normalise(request: UserRequest, *, today: date) -> NormalizedInput:
    """Clean the question, find what it names, and make it self-standing from the history.

    Raises ``BadQuestion`` for a question that is empty, has no letter or digit, or is longer than
    20,000 characters. ``possible_prompt_injection`` is a note for the trace: it changes no right.
    """
    raw = request.raw_query
    _refuse_unusable(raw)
    clean = clean_text(raw)
    if not any(ch.isalnum() for ch in clean):
        raise BadQuestion("The question has no words. Write in a sentence what you want to know.")
    standalone = self_standing(without_courtesy(clean), request.history)
    language = detect_language(clean)
    return NormalizedInput(
        raw_query=raw,
        normalized_query=_expanded(standalone, language),
        standalone_query=standalone,
        detected_language=language,
        extracted_identifiers=find_identifiers(clean),
        extracted_dates=_dates(clean, request, today),
        extracted_amounts=_amounts(clean),
        possible_prompt_injection=_suspicious(raw, clean),
    )


def _refuse_unusable(raw: str) -> None:
    if not raw.strip():
        raise BadQuestion("The question is empty. Write in a sentence what you want to know.")
    if len(raw) > MAX_CHARACTERS:
        raise BadQuestion(
            f"The question has {len(raw):,} characters; at most {MAX_CHARACTERS:,} are taken. "
            "Shorten it, or add the long text as a source."
        )


def clean_text(raw: str) -> str:
    """Compatibility forms unified, control and invisible characters gone, spaces collapsed.

    Chinese punctuation stays as it is written.
    """
    text = raw.replace("\r\n", "\n").replace("\r", "\n")
    text = _OTHER.sub(lambda m: unicodedata.normalize("NFKC", m[0]), text)
    text = "".join(ch if ch == "\n" or not _invisible(ch) else " " * (ch == "\t") for ch in text)
    return _LINES.sub("\n", _SPACE.sub(" ", text)).strip()


def _invisible(ch: str) -> bool:
    return unicodedata.category(ch) in {"Cc", "Cf", "Co", "Cs", "Cn"}


def _dates(clean: str, request: UserRequest, today: date) -> tuple[ExtractedDate, ...]:
    """Days counted from the day of writing, and from what the customer says has happened."""
    written = request.said_on or request.asked_on or today
    said = [(t.text, t.said_on or written) for t in request.history if t.role == "customer"]
    anchors = anchors_in([*said, (clean, written)])
    return (*find_dates(clean, today=written), *anchored_dates(clean, anchors))


def _amounts(clean: str) -> tuple[ExtractedAmount, ...]:
    """Sums of money, shares and points, in order; lengths of time and counts are no amounts."""
    return tuple(
        ExtractedAmount(text=q.text, value=q.value, upper=q.upper, unit=q.unit)
        for q in find_quantities(clean)
        if q.unit in ("percent", "point") or _CURRENCY.fullmatch(q.unit)
    )


def _suspicious(raw: str, clean: str) -> bool:
    score = max(injection_score(clean), injection_score(raw))
    return score >= INJECTION_SUSPICION or bool(_RANK_CLAIM.search(clean))


_EXPANSION: dict[str, tuple[str, str]] = {
    "procedural": (
        "Look for the procedure that governs this: its steps in order, what is needed before, who "
        "may do it, time limits and exceptions.",
        "查找适用的流程：步骤、前提条件、由谁办理、期限与例外。",
    ),
    "definition": (
        "Look for where this is defined: what it is, what it covers, its values and limits.",
        "查找定义：是什么、适用范围、数值与限制。",
    ),
    "comparison": (
        "Look for each thing compared and the points in which they differ: values, conditions, "
        "exceptions.",
        "查找被比较的各项及其差异：数值、条件、例外。",
    ),
    "troubleshooting": (
        "Look for the causes of this, what to check, the steps that mend it, and when to escalate.",
        "查找原因、检查项、解决步骤以及何时升级处理。",
    ),
    "exact_lookup": (
        "Look for the record or passage that states this fact, with its value and date.",
        "查找说明该事实的记录或段落，包括数值与日期。",
    ),
}
_POLICY = (
    "Look for the policy that decides this: its criteria, what triggers it, time limits and "
    "amounts, and its exceptions.",
    "查找适用的政策：适用条件、触发情形、期限与金额、例外。",
)


def _expanded(question: str, language: Language) -> str:
    """The question, followed by what an answer must be decided from."""
    english, chinese = _EXPANSION.get(query_type(question), _POLICY)
    return f"{question}\n{chinese if language == 'zh' else english}"
